"""A hall for the tests of games: a paired tournament, and every command followed there is also rebuilt.

hall = Hall()                                   # chess, one round, two boards: T.1.1 (1 v 2), T.1.2 (3 v 4)
hall.do(PlayMoves(BOARD, G1, 1, moves("e4")))   # also decides the rebuilt command and compares
"""

from dataclasses import replace
from typing import Any

from services.games.rules import RULES
from services.games.rules.boards.registry import variant_of
from services.games.rules.commands import Move, PlayMoves, TakeStep
from shared.core import events as ev
from shared.core.event_types.evolve import evolve
from shared.core.events.sheets import Step
from shared.core.terms import (
    GAMES,
    PAIRING,
    PENALTIES,
    RULEBOOK,
    STANDINGS,
    Actor,
    GameId,
    HalfPoints,
    Mark,
    PlayerId,
    Ply,
    Refusal,
    RulingId,
    Seconds,
    Side,
    Source,
    TextRef,
)
from shared.regulations import load
from tests.builders import World

ARBITER = Actor("li.wei", "arbiter", "t1")
CHIEF = Actor("chief", "chief_arbiter", "t2")
BOARD = Actor("board-7", "board", "t3")
PLAYER = Actor("anna", "player", "t4")
AUDITOR = Actor("eve", "auditor", "t5")
G1, G2 = GameId("T.1.1"), GameId("T.1.2")

WIN, DRAW, LOSS = (Mark(HalfPoints(points), True) for points in (2, 1, 0))
WALKOVER, FORFEIT = (Mark(HalfPoints(points), False) for points in (2, 0))


def moves(said: str, clock: int | None = None) -> tuple[Move, ...]:
    """Moves written with spaces between them."""
    seconds = None if clock is None else Seconds(clock)
    return tuple(Move(move, seconds) for move in said.split())


class Hall:
    """``world`` folds; ``do`` follows a command and proves that it can be rebuilt from what it wrote."""

    def __init__(self, game: str = "chess", rounds: int = 1, regulations: str = "campus", decisions: int = 2) -> None:
        self.world = World({GAMES: RULES})
        self.said(
            PAIRING,
            ev.TournamentAnnounced("Cup", game, "swiss", 9),
            ev.RegulationsAdopted(replace(load(regulations), decisions=decisions)),
        )
        for n in range(1, 5):
            self.said(PAIRING, ev.PlayerEntered(PlayerId(n), TextRef(f"{n:064x}"), n))
        for number in range(1, rounds + 1):
            self.pair(number)

    @property
    def t(self) -> Any:
        return self.world.tournament

    def pair(self, round: int) -> None:
        pairing = len(self.t.pairings) + 1
        boards = tuple(ev.Board(b, GameId(f"T.{pairing}.{b}"), PlayerId(2 * b - 1), PlayerId(2 * b)) for b in (1, 2))
        self.said(PAIRING, ev.RoundPaired(round, pairing, boards))

    def said(self, source: Source, *data: Any) -> None:
        """Lines of other services, as the log brings them."""
        for one in data:
            seq, n = self.t.seq + 1, self.t.counts.get(source, 0) + 1
            evolve(self.t, ev.NewEvent(seq, source, n, seq - 1, f"x{seq}", "x", "rulebook", "", one, ""))

    def ruled(self, game: str, white: Mark, black: Mark) -> str:
        """A standing ruling that sets the marks of a game; its id."""
        ruling = f"r{self.t.counts.get(PENALTIES, 0) + 1}"
        effect = ev.Effect("set_marks", white=white, black=black)
        self.said(PENALTIES, ev.RulingMade(RulingId(ruling), PlayerId(1), 1, "foul", "000-A 2.7", effect, GameId(game)))
        return ruling

    def warned(self, game: str, seconds: int | None = None) -> str:
        """A standing ruling against player 1 that leaves the marks alone: a warning, or ``seconds`` for the opponent."""
        ruling = f"r{self.t.counts.get(PENALTIES, 0) + 1}"
        effect = ev.Effect("warn") if seconds is None else ev.Effect("adjust_clock", clock=Seconds(seconds))
        self.said(PENALTIES, ev.RulingMade(RulingId(ruling), PlayerId(1), 1, "foul", "000-A 4", effect, GameId(game)))
        return ruling

    def annulled(self, ruling: str) -> None:
        self.said(
            PENALTIES, ev.RulingAnnulled(RulingId(f"r{self.t.counts[PENALTIES] + 1}"), RulingId(ruling), "002-X 8.5")
        )

    def published_final(self) -> None:
        self.said(STANDINGS, ev.StandingsPublished(("BH",), "2026", 1, True))

    def do(self, command: Any) -> list[Any]:
        """What the command wrote: sheet lines, then official data."""
        game = RULES.sheet_of(command)
        sheet = self.world.sheet(GAMES, game) if game else None
        before, sheet_before = self.t.fork(), RULES.fork_sheet(sheet) if sheet else None
        decision = self.world.decide(GAMES, command)
        assert not isinstance(decision, Refusal), decision
        known = len(self.world.sheet_lines.get(game, ())) if game else 0
        official = self.world.do(GAMES, command)
        lines = self.world.sheet_lines.get(game, [])[known:] if game else []
        brought = official[len(decision.events) :]
        written = official[: len(decision.events)] + [e._replace(actor="rulebook", role=RULEBOOK.role) for e in brought]
        if written or lines:
            rebuilt = RULES.command_of(written, lines)
            assert rebuilt.actor == command.actor
            assert RULES.decide(before, rebuilt, sheet_before) == decision
        return [e.data for e in (*lines, *official)]

    def refused(self, command: Any) -> Refusal:
        return self.world.refused(GAMES, command)

    def sheet(self, game: str = G1) -> Any:
        return self.world.sheet(GAMES, game)

    def state(self, game: str = G1) -> Any:
        """What the sheet makes of the game."""
        return self.sheet(game).state(variant_of(self.t))

    def marks(self, game: str) -> tuple[Mark, Mark] | None:
        """White's and Black's marks as they count now."""
        setting = self.t.setting(self.t.games[game])
        return None if setting is None else (setting.white, setting.black)


def play(said: str, ply: int = 1) -> PlayMoves:
    """Moves that a board feeds."""
    return PlayMoves(BOARD, G1, Ply(ply), moves(said))


def step(side: Side, name: Step, *values: str) -> TakeStep:
    """A step that a board feeds."""
    return TakeStep(BOARD, G1, side, name, values)


def after(game: str, regulations: str, *commands: object) -> Hall:
    """A hall where these were followed."""
    hall = Hall(game=game, regulations=regulations)
    for command in commands:
        hall.do(command)
    return hall
