"""How far a game has come: what the lines that count on its sheet make of it, read by its kind."""

from typing import NamedTuple, Self

from services.games.rules.boards.port import Illegal, Written, other
from services.games.rules.boards.registry import SEALING, Kind
from services.games.rules.play.clocks import at_first, most
from services.games.rules.play.pending import NOTHING
from shared.core import events as ev
from shared.core.events.sheets import Step
from shared.core.terms import Seconds, Side

PLY_STEPS: frozenset[Step] = frozenset({"swap", "offer_fifth", "lose_turn"})
"""The steps that are a move's worth 一着 and have a ply of their own (000-C 2); a turn that is lost is one."""


class Reading(NamedTuple):
    """A side's clock after its ``moved``-th move."""

    clock: Seconds
    moved: int


class Reached:
    """A position with who made each ply, what the clocks last showed, and what was said and still counts."""

    __slots__ = ("kind", "movers", "position", "readings", "said")

    def __init__(self, kind: Kind) -> None:
        self.kind = kind
        self.position = kind.start()
        self.movers: list[Side] = []
        self.readings: dict[Side, Reading] = {}
        self.said = NOTHING

    def fork(self) -> Self:
        made = object.__new__(type(self))
        made.kind, made.position, made.movers = self.kind, self.position.fork(), self.movers.copy()
        made.readings, made.said = self.readings.copy(), self.said
        return made

    def move(self, move: str, clock: Seconds | None) -> Written | Illegal:
        """Play a move of the side whose turn it is."""
        side = self.position.to_move()
        played = self.position.play(move)
        if isinstance(played, Written):
            self._made(side, clock)
            if clock is not None:
                self.readings[side] = Reading(clock, self.movers.count(side))
        return played

    def clock(self, side: Side) -> Seconds | None:
        """The side's last reading; None where there is none."""
        return self.readings[side].clock if side in self.readings else None

    @property
    def offer(self) -> Side | None:
        """Whose draw offer stands."""
        return self.said.offer

    def allowed(self, side: Side) -> Seconds | None:
        """The most that the side's clock can show after its next move; None where no time control says."""
        if self.kind.time is None:
            return None
        shown, then = self.readings.get(side, Reading(at_first(self.kind.time), 0))
        return most(self.kind.time, shown, then, self.movers.count(side) + 1)

    def take(self, line: ev.SheetLine) -> None:
        """Take a line that counts, as it was decided."""
        match line:
            case ev.MovePlayed():
                self.move(line.move, line.clock)
            case ev.StepTaken() if line.step in SEALING:
                self.said = self.said.sealed(line)
            case ev.StepTaken():
                self.position.step(line.side, line.step, line.values)
                if line.step in self.kind.row.all_along:
                    self._exchanged()
                if line.step in PLY_STEPS:
                    self._made(line.side)
            case ev.OfferMade() | ev.ClaimMade() | ev.ClaimDecided():
                self.said = self.said.take(line)

    def _exchanged(self) -> None:
        """The seats have held each other's pieces all along: what was written of one was the other's."""
        self.movers = [other(side) for side in self.movers]
        self.readings = {other(side): reading for side, reading in self.readings.items()}
        self.said = self.said if self.said is NOTHING else self.said.exchanged()

    def _made(self, side: Side, clock: Seconds | None = None) -> None:
        self.movers.append(side)
        if self.said is not NOTHING:
            self.said = self.said.moved(side, clock)
