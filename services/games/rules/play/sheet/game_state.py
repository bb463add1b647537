"""The state of a running game: the result of the counting events on its sheet, in its variant."""

from typing import Self

from services.games.rules.boards.port.position import SIDES, IllegalMove, LegalMove
from services.games.rules.boards.registry import CLOCK_STEP_NAMES, PLY_STEPS, Variant
from services.games.rules.play.sheet.clocks import (
    Reading,
    initial_reading,
    most_shown,
    next_reading,
    setting,
    shown_adjustments,
)
from services.games.rules.play.sheet.pending_statements import NOTHING
from shared.core import events as ev
from shared.core.terms import Seconds, Side, other


class GameState:
    """A position with the mover of each ply, the last clock readings, and the pending statements."""

    __slots__ = ("byo_yomi", "clocks_run", "moved", "movers", "pending", "position", "readings", "variant")

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        self.position = variant.start()
        self.movers: list[Side] = []
        self.moved: dict[Side, int] = dict.fromkeys(SIDES, 0)
        """Plies of each side, which a reading of a clock needs: to count them in ``movers`` takes longer with each ply."""
        self.readings: dict[Side, Reading] = {}
        self.byo_yomi: dict[Side, int] = {}
        """Remaining byo-yomi periods by side, including the running one. A missing side has all of them."""
        self.pending = NOTHING
        self.clocks_run = variant.time is None or not variant.time.clocks_after
        """Whether the clocks are set up. Before that, neither side has a clock."""

    def fork(self) -> Self:
        copy = object.__new__(type(self))
        copy.variant, copy.position, copy.movers = self.variant, self.position.fork(), self.movers.copy()
        copy.readings, copy.pending, copy.clocks_run = self.readings.copy(), self.pending, self.clocks_run
        copy.byo_yomi, copy.moved = self.byo_yomi.copy(), self.moved.copy()
        return copy

    def move(self, move: str, clock: Seconds | None) -> LegalMove | IllegalMove:
        """Play a move of the side to move. ``clock``: the reading of its clock after the move, or None."""
        side = self.position.to_move()
        played = self.position.play(move)
        if isinstance(played, LegalMove):
            self._ply_by(side, clock)
            if clock is not None:
                last = self.readings.get(side)
                self.readings[side] = next_reading(self.variant.clock, last, clock, self.moved[side])
        return played

    def clock(self, side: Side) -> Seconds | None:
        """Return the side's last reading, or None without one."""
        return self.readings[side].clock if side in self.readings else None

    def fallen(self, side: Side) -> bool:
        """Return whether the last reading shows that the side has no time left, and no further byo-yomi period."""
        return self.clock(side) == 0 and self.byo_yomi.get(side, 1) == 1

    def allowed(self, side: Side) -> Seconds | None:
        """Return the most that the side's clock can show after its next move.

        Return None without a time control, or before the clocks are set up.
        """
        return self.without_rulings(side, self.moved[side] + 1)

    def without_rulings(self, side: Side, moves: int) -> Seconds | None:
        """Return the side's clock after this many moves, without rulings.

        It is the last reading (by default the first limit) plus time that the control has given since. Return None
        without a time control, or before the clocks are set up.
        """
        control = self.variant.clock
        if control is None or not self.clocks_run:
            return None
        reading = self.readings.get(side) or Reading(initial_reading(control), 0)
        return most_shown(control, reading.clock, reading.moved, moves)

    def take(self, line: ev.SheetLine) -> None:
        """Apply an event of the score sheet that was not taken back."""
        match line:
            case ev.MovePlayed():
                self.move(line.move, line.clock)
            case ev.StepTaken():
                self._step(line)
            case ev.OfferMade() | ev.ClaimMade() | ev.ClaimDecided():
                self.pending = self.pending.take(line)

    def _step(self, line: ev.StepTaken) -> None:
        step = self.variant.game.steps_by_name.get(line.step)
        if line.step in CLOCK_STEP_NAMES:
            self._clock_step(line)
            return
        if step is not None and step.sealing:
            self.pending = self.pending.sealed(line)
            return
        self.position.step(line.side, line.step, line.values)
        if step is not None and step.from_start:
            self._exchanged()
        if line.step in PLY_STEPS:
            self._ply_by(line.side)

    def _clock_step(self, line: ev.StepTaken) -> None:
        if line.step == "start_clocks":
            # Both clocks show the first limit from here on.
            self.clocks_run = True
            if self.variant.clock is not None:
                first = initial_reading(self.variant.clock)
                self.readings = {side: Reading(first, self.moved[side]) for side in SIDES}
            return
        if line.step == "byo_yomi":
            self.byo_yomi[line.side] = int(line.values[0])
            return
        seconds, shown = setting(line), shown_adjustments(line)
        if seconds is None:
            self.readings[line.side] = self.readings[line.side].showing(shown)
        else:
            last = self.readings.get(line.side)
            moved, earlier = self.moved[line.side], None if last is None else last.first
            self.readings[line.side] = Reading(seconds, moved, earlier, shown, was_set=True)

    def _exchanged(self) -> None:
        """Exchange the sides: the seats have held each other's pieces all along."""
        self.movers = [other(side) for side in self.movers]
        self.moved = {other(side): plies for side, plies in self.moved.items()}
        self.readings = {other(side): reading for side, reading in self.readings.items()}
        self.byo_yomi = {other(side): left for side, left in self.byo_yomi.items()}
        self.pending = self.pending if self.pending is NOTHING else self.pending.exchanged()

    def _ply_by(self, side: Side, clock: Seconds | None = None) -> None:
        self.movers.append(side)
        self.moved[side] += 1
        if self.pending is not NOTHING:
            self.pending = self.pending.moved(side, clock)
