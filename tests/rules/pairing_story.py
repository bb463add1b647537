"""A tournament seen from pairing: its own commands decided, results and rulings as told by the others."""

from dataclasses import replace
from typing import Any, cast

from services.pairing.rules import RULES
from services.pairing.rules import commands as co
from shared import regulations
from shared.core import events as ev
from shared.core.event_types.evolve import evolve
from shared.core.events import ByeGranted, NewEvent
from shared.core.rulebook.regulations import Regulations
from shared.core.state.tournament import Tournament
from shared.core.terms import (
    GAMES,
    PAIRING,
    PENALTIES,
    STANDINGS,
    Actor,
    Conditions,
    GameId,
    HalfPoints,
    Mark,
    PlayerId,
    Refusal,
    Seq,
    Source,
    TextRef,
)
from tests.builders import World
from tests.offices import appointing

CHIEF = Actor("chief", "chief_arbiter", "t1")
ORGANISER = Actor("organiser", "organiser", "t2")
ARBITER = Actor("arbiter", "arbiter", "t3")
OFFICIALS = appointing(CHIEF, ARBITER)
BOOK = regulations.load("fide-2026")
WHY = TextRef("a" * 64)
WIN, DRAW, LOSS = (Mark(HalfPoints(p), True) for p in (2, 1, 0))
FORFEIT_WIN, FORFEIT_LOSS = Mark(HalfPoints(2), False), Mark(HalfPoints(0), False)
MARKS = {
    "1-0": (WIN, LOSS),
    "=": (DRAW, DRAW),
    "0-1": (LOSS, WIN),
    "+/-": (FORFEIT_WIN, FORFEIT_LOSS),
    "-/+": (FORFEIT_LOSS, FORFEIT_WIN),
    "-/-": (FORFEIT_LOSS, FORFEIT_LOSS),
}


class Office:
    """Pairing's desk in memory. Every command followed is decided again from its events, and must give the same."""

    def __init__(
        self,
        players: int = 0,
        rounds: int = 9,
        format: Any = "swiss",
        seed: int = 1,
        rules: Regulations | None = None,
        offices: Any = 3,
        **conditions: Any,
    ) -> None:
        self.world = World({PAIRING: RULES})
        self.seed = seed
        if players or rounds:
            book, said = rules or regulations.load("fide-2026"), Conditions(**conditions)
            game = next(iter(book.game.rules)) if "chess" not in book.game.rules else "chess"
            self.do(
                co.AnnounceTournament(
                    ORGANISER, "Cup", game, format, rounds, book, (), said, officials=OFFICIALS, offices=offices
                )
            )
        if players:
            self.enter(*range(1, players + 1))

    @property
    def t(self) -> Tournament:
        return cast(Tournament, self.world.tournament)  # also read before it is announced, to test refusals

    def do(self, command: Any) -> list[Any]:
        saw = self.t.fork()
        events = self.world.do(PAIRING, command)
        data = tuple(e.data for e in events)
        again = RULES.decide(saw, RULES.command_of(events, ()), None)
        assert not isinstance(again, Refusal), again
        assert again.events + again.brought == data
        return list(data)

    def refused(self, command: Any) -> Refusal:
        return self.world.refused(PAIRING, command)

    def enter(self, *ids: int | None, **fields: Any) -> list[ev.PlayerEntered]:
        return self.do(co.EnterPlayers(ORGANISER, tuple(entry(i, **fields) for i in ids)))

    def pair(self, *boards: tuple[int, int], bye: int | None = None, **fields: Any) -> ev.RoundPaired:
        """By the engine, or (boards given) by hand."""
        return self.do(self.by_hand(*boards, bye=bye, **fields) if boards or bye else self.by_engine(**fields))[0]

    def by_engine(self, **fields: Any) -> co.PairRound:
        return replace(co.PairRound(CHIEF, seed=self.seed), **fields)

    def by_hand(self, *boards: tuple[int, int], bye: int | None = None, **fields: Any) -> co.PairRound:
        seats = tuple((PlayerId(w), PlayerId(b)) for w, b in boards)
        given = None if bye is None else PlayerId(bye)
        return replace(co.PairRound(CHIEF, seats, given, WHY, seed=self.seed), **fields)

    def bye(self, player: int, round: int, kind: Any = "H") -> co.GrantBye:
        return co.GrantBye(ORGANISER, ByeGranted(PlayerId(player), round, kind))

    def leave(self, player: int) -> co.WithdrawPlayer:
        return co.WithdrawPlayer(ORGANISER, PlayerId(player), WHY)

    def results(self, *said: str) -> None:
        """Of the round paired last, by board; the last one given is that of all further boards."""
        current = self.t.current(self.t.rounds_paired())
        assert current is not None
        for n, board in enumerate(current.event.boards):
            white, black = MARKS[said[min(n, len(said) - 1)]]
            self.told(GAMES, ev.ResultReported(board.game, white, black))

    def play(self, *boards: tuple[int, int], bye: int | None = None, said: str = "=") -> None:
        """A round by hand with one result on every board."""
        self.pair(*boards, bye=bye)
        self.results(said)

    def rule(self, effect: ev.Effect, player: int, game: str | None = None) -> None:
        """A ruling of penalties."""
        number = self.t.counts.get(PENALTIES, 0) + 1
        id = None if game is None else GameId(game)
        made = ev.RulingMade(f"r{number}", PlayerId(player), 1, "foul", "1", effect, id)  # type: ignore[arg-type]
        self.told(PENALTIES, made)

    def close(self) -> None:
        self.told(STANDINGS, ev.StandingsPublished((), "2026", self.t.rounds_paired(), True))

    def told(self, source: Source, data: Any) -> None:
        """A line of another service."""
        seq, number = Seq(self.t.seq + 1), self.t.counts.get(source, 0) + 1
        evolve(self.t, NewEvent(seq, source, number, self.t.seq, f"o{seq}", "other", "arbiter", "", data, ""))


def entry(id: int | None, **fields: Any) -> co.Entry:
    player = None if id is None else PlayerId(id)
    return replace(co.Entry(player, TextRef("b" * 64), rating=None if id is None else 2400 - 10 * id), **fields)


def seats(paired: ev.RoundPaired) -> list[tuple[int, int]]:
    return [(b.white, b.black) for b in paired.boards]
