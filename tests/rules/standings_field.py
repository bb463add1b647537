"""A tournament told line by line, for the rules of the table: whoever plays whom, and with what result.

t = Hall(4).round("1-2 1", "3-4 =").round("1-3 1", bye="4 U").t
"""

from dataclasses import replace
from random import Random
from typing import Any

from services.standings.rules.table.table import Table
from shared import regulations
from shared.core import events as ev
from shared.core.event_types.evolve import evolve
from shared.core.rulebook.regulations import Points
from shared.core.state.tournament import TournamentState
from shared.core.terms import (
    GAMES,
    PAIRING,
    PENALTIES,
    ByeKind,
    GameId,
    HalfPoints,
    Mark,
    PlayerId,
    RulingId,
    Seq,
    Source,
    TextRef,
)

MARKS = {
    "1": ((2, True), (0, True)),
    "=": ((1, True), (1, True)),
    "0": ((0, True), (2, True)),
    "+": ((2, False), (0, False)),
    "-": ((0, False), (2, False)),
    "--": ((0, False), (0, False)),
}


class Told:
    """A tournament folded line by line."""

    def __init__(self) -> None:
        self.t = TournamentState("T")

    def rule(
        self, player: int, round: int, effect: ev.Effect, game: str | None = None, because: tuple[RulingId, ...] = (),
        counter: str | None = None,
    ) -> RulingId:  # fmt: skip
        ruling = self.next_ruling()
        at = None if game is None else GameId(game)
        made = ev.RulingMade(ruling, PlayerId(player), round, "foul", "4", effect, at, counter, because)
        self.tell(PENALTIES, made)
        return ruling

    def next_ruling(self) -> RulingId:
        return RulingId(f"r{self.t.counts.get(PENALTIES, 0) + 1}")

    def tell(self, source: Source, data: Any) -> Seq:
        seq, count = Seq(self.t.seq + 1), self.t.counts.get(source, 0) + 1
        evolve(self.t, ev.NewEvent(seq, source, count, self.t.seq, f"c{seq}", "chief", "chief_arbiter", "", data, ""))
        return seq


class Hall(Told):
    """Players 1 to ``players``; every call adds lines."""

    def __init__(self, players: int, ratings: dict[int, int] | None = None, points: Points | None = None) -> None:
        super().__init__()
        rules = regulations.load("fide-2026")
        self.tell(PAIRING, ev.TournamentAnnounced("Cup", "chess", "swiss", 9, ("BH",)))
        self.tell(PAIRING, ev.RegulationsAdopted(rules if points is None else replace(rules, points=points)))
        for n in range(1, players + 1):
            rating = (ratings or {}).get(n)
            self.tell(PAIRING, ev.PlayerEntered(PlayerId(n), TextRef(f"{n:064x}"), n, rating=rating))

    def round(self, *games: str, **byes: str) -> "Hall":
        """``"1-2 ="``: White, Black, White's result, none for an open game; ``U=5``, ``H=…``: byes."""
        number = self.t.rounds_paired() + 1
        pairing = len(self.t.pairings) + 1
        asked: list[tuple[int, ByeKind]] = [(int(p), kind) for kind, ps in byes.items() for p in ps.split()]  # type: ignore[misc]
        seats = tuple(ev.ByeSeat(PlayerId(p), "U") for p, kind in asked if kind == "U")
        for p, kind in asked:
            if kind != "U":
                self.tell(PAIRING, ev.ByeGranted(PlayerId(p), number, kind))
        boards, results = [], []
        for n, game in enumerate(games, 1):
            seat, _, result = game.partition(" ")
            white, _, black = seat.partition("-")
            boards.append(ev.Board(n, GameId(f"T.{pairing}.{n}"), PlayerId(int(white)), PlayerId(int(black))))
            results.append(result)
        self.tell(PAIRING, ev.RoundPaired(number, pairing, tuple(boards), seats))
        for board, result in zip(boards, results, strict=True):
            if result:
                white_mark, black_mark = (Mark(HalfPoints(p), played) for p, played in MARKS[result])
                self.tell(GAMES, ev.ResultReported(board.game, white_mark, black_mark))
        return self

    def annul(self, ruling: RulingId) -> Seq:
        own = self.next_ruling()
        return self.tell(PENALTIES, ev.RulingAnnulled(own, ruling, "8.5"))


def one_stays_ahead() -> Hall:
    """1, 2 and 3 are equal and 2 has not met 3: whatever that game would bring, 1 stays ahead of both."""
    return (
        Hall(6)
        .round("1-2 1", "3-4 1", "5-6 1")
        .round("1-3 1", "2-4 1", "5-6 1")
        .round("1-4 0", "2-5 1", "3-6 1")
        .round("1-5 0", "2-6 =", "3-4 =")
        .round("1-6 =", "2-4 0", "3-5 0")
    )


def ranks(table: Table) -> dict[int, int]:
    return {row.player: row.rank for row in table.rows}


# ---------------------------------------------------------------- one more line


def marks(result: str) -> tuple[Mark, Mark]:
    white, black = MARKS[result]
    return Mark(HalfPoints(white[0]), white[1]), Mark(HalfPoints(black[0]), black[1])


def step(hall: Hall, rng: Random) -> None:
    """One line of any kind that can change a table."""
    games = list(hall.t.games.values())
    kind = rng.choice("rrrrrrccmmpfaaaPbwlLeeds")
    game = rng.choice(games) if games else None
    if kind == "P" or game is None:
        here = [p for p, entry in hall.t.players.items() if entry.withdrawal is None]
        rng.shuffle(here)
        hall.round(*(f"{w}-{b}" for w, b in zip(here[::2], here[1::2], strict=False)))
    elif kind in "rc":
        said = marks(rng.choice(list(MARKS)))
        event = ev.ResultReported(game.game, *said) if kind == "r" else ev.ResultCorrected(game.game, *said)
        hall.tell(GAMES, event)
    elif kind == "m":
        hall.rule(game.white, game.round, ev.Effect("set_marks", *marks(rng.choice(list(MARKS)))), game.game)
    elif kind == "p":
        hall.rule(game.white, game.round, ev.Effect("adjust_points", points=HalfPoints(rng.choice((-1, 1)))))
    elif kind == "f":
        hall.tell(PENALTIES, ev.RulingMade(hall.next_ruling(), game.black, game.round, "foul", "4",
                                                       ev.Effect("foul"), game.game, "foul"))  # fmt: skip
    elif kind == "a" and hall.t.rulings:
        hall.annul(rng.choice(list(hall.t.rulings)))
    elif kind == "b":
        hall.tell(PAIRING, ev.ByeGranted(game.white, hall.t.rounds_paired() + 1, "H"))
    elif kind == "w":
        stand, unplayed = rng.choice(((True, "forfeit"), (False, "forfeit"), (True, "not_paired")))
        hall.tell(PAIRING, ev.PlayerWithdrew(game.white, game.round, stand, 1, "20.3", None, unplayed))  # type: ignore[arg-type]
    elif kind == "e":
        effect = rng.choice((ev.Effect("expel"), ev.Effect("exclude", rounds=(game.round,))))
        hall.rule(game.white, game.round, effect)
    elif kind == "d" and hall.t.rulings:
        refuted: dict[str, bool | int | str] = {"fact": True} if rng.random() < 0.5 else {}
        hall.tell(GAMES, ev.FactsChecked(rng.choice(list(hall.t.rulings)), game.game, refuted))
    elif kind == "s":
        hall.tell(GAMES, ev.GameStarted(game.game))
    elif kind == "l":
        hall.tell(PAIRING, ev.PlayerReturned(game.white, hall.t.rounds_paired() + 1))
    elif kind == "L":
        hall.tell(PAIRING, ev.PairingWithdrawn(game.round, game.pairing))
