"""The fold of a score sheet: what counts of a game's lines, whichever game it is."""

from dataclasses import replace
from typing import Any, TypeAlias

from services.games.rules.boards.port import Position
from services.games.rules.boards.registry import ANEW, Kind
from services.games.rules.play.game_state import PLY_STEPS, Reached
from shared.core import events as ev
from shared.core.terms import Ply

Spoken: TypeAlias = ev.OfferMade | ev.ClaimMade | ev.ClaimDecided
Counting: TypeAlias = ev.MovePlayed | ev.StepTaken | Spoken


class Sheet:
    """One game's sheet. ``counting`` are the lines that count, ``plies`` those of them that are a ply, in order."""

    __slots__ = ("_reached", "counting", "game", "lines", "plies")

    def __init__(self, game: str) -> None:
        self.game = game
        self.lines = 0
        self.counting: list[Counting] = []
        self.plies: list[ev.MovePlayed | ev.StepTaken] = []
        self._reached: Reached | None = None

    def fork(self) -> "Sheet":
        """An independent copy."""
        made = Sheet(self.game)
        made.lines, made.counting, made.plies = self.lines, self.counting.copy(), self.plies.copy()
        made._reached = None if self._reached is None else self._reached.fork()
        return made

    @property
    def moves(self) -> list[ev.MovePlayed]:
        """The moves that count."""
        return [ply for ply in self.plies if isinstance(ply, ev.MovePlayed)]

    @property
    def steps(self) -> list[ev.StepTaken]:
        """The steps that count."""
        return [line for line in self.counting if isinstance(line, ev.StepTaken)]

    def reached(self, kind: Kind) -> Reached:
        """What the lines make of a game of this kind, kept from line to line; whoever changes it forks it first."""
        if self._reached is None or self._reached.kind != kind:
            self._reached = reached_by(kind, self.counting)
        return self._reached

    def position(self, kind: Kind) -> Position:
        """A copy of the position reached in a game of this kind."""
        return self.reached(kind).position.fork()

    def evolve(self, data: Any) -> None:
        """Take the next line."""
        self.lines += 1
        match data:
            case ev.MovesTakenBack():
                self._back(data.to_ply, data.reason)
            case _:
                self._counts(data)

    def _counts(self, line: Counting) -> None:
        self.counting.append(line)
        if isinstance(line, ev.MovePlayed) or (isinstance(line, ev.StepTaken) and line.step in PLY_STEPS):
            self.plies.append(line)
        if self._reached is not None:
            self._reached.take(line)

    def _back(self, to_ply: Ply, reason: str) -> None:
        """Steps taken by that ply stand, and colours that were corrected since; offers and touches go with the moves. Of
        a game that is played anew nothing counts."""
        stand = [one for one in self.counting if one.ply <= to_ply and not _lapses(one)]
        stand += [replace(one, ply=to_ply) for one in self.steps if one.step == "correct_colours" and one.ply > to_ply]
        self.counting = [] if reason in ANEW else stand
        self.plies = self.plies[:to_ply]
        self._reached = None


def _lapses(line: Counting) -> bool:
    """Whether this goes also where it was said at the very position that is gone back to."""
    return isinstance(line, ev.OfferMade) or (
        isinstance(line, ev.ClaimMade | ev.ClaimDecided) and line.claim == "touch"
    )


def reached_by(kind: Kind, lines: list[Counting]) -> Reached:
    """What these lines make of a game."""
    reached = Reached(kind)
    for line in lines:
        reached.take(line)
    return reached


def evolve_sheet(sheet: Sheet, event: ev.Event) -> None:
    sheet.evolve(event.data)
