"""Clock readings. The clocks in the venue are decisive, but none can gain more than the time control and rulings give."""

from typing import NamedTuple, Self

from shared.core.state.entities import Game
from shared.core.state.tournament import Tournament
from shared.core.terms import Seconds, Side, TimeControl

Adjustments = tuple[tuple[str, int], ...]
"""Seconds that a clock shows in addition to elapsed time, by the ruling, finding or lateness behind them."""


class Reading(NamedTuple):
    """A side's clock after its ``moved``-th move.

    ``first``: the first reading of this clock, and its move number. ``shown``: the adjustments that it includes.
    ``credit``: seconds that rulings added and that the readings do not show yet. It is negative if a reading shows more
    than was added. ``was_set``: whether an arbiter set the clock, at this reading or before.
    """

    clock: Seconds
    moved: int
    first: tuple[Seconds, int] | None = None
    shown: Adjustments = ()
    credit: int = 0
    was_set: bool = False

    def showing(self, shown: Adjustments) -> Self:
        """Return a copy that includes these adjustments. Time gained through them is added to ``credit``."""
        before = dict(self.shown)
        given = sum(max(0, seconds - before.get(name, 0)) for name, seconds in shown)
        return self._replace(shown=shown, credit=self.credit + given)


def next_reading(control: TimeControl | None, last: Reading | None, clock: Seconds, moved: int) -> Reading:
    """Return the reading after this move. ``last`` is the reading before it, or None for the first one."""
    if last is None:
        last = Reading(initial_reading(control) if control is not None else clock, 0, (clock, moved))
    gain = 0 if control is None else max(0, clock - most_shown(control, last.clock, last.moved, moved))
    return last._replace(clock=clock, moved=moved, credit=max(0, last.credit) - gain)


def initial_reading(control: TimeControl) -> Seconds:
    """Return the reading of a clock before the first move."""
    return control.periods[0].seconds if control.periods else control.byo_yomi


def most_shown(control: TimeControl, reading: Seconds, then: int, now: int) -> Seconds:
    """Return the most that a clock can show after its side's ``now``-th move.

    ``reading``: the clock after the ``then``-th move. Increments and the periods that began in between are added. A
    move always has its byo-yomi.
    """
    return Seconds(max(reading + _seconds_added(control, now) - _seconds_added(control, then), control.byo_yomi))


def _seconds_added(control: TimeControl, moves: int) -> int:
    """Return the seconds that this many moves have added: increments, and the periods begun after the first."""
    seconds, left = control.increment * moves, moves
    for this, following in zip(control.periods, control.periods[1:], strict=False):
        if not this.moves or left < this.moves:
            return seconds + left * this.increment
        left -= this.moves
        seconds += this.moves * this.increment + following.seconds
    last = control.periods[-1] if control.periods else None
    if last is None:
        return seconds
    return seconds + left * last.increment + (left // last.moves * last.seconds if last.moves else 0)


def granted_seconds(t: Tournament, game: Game, side: Side) -> Seconds:
    """Return the seconds that rulings have added to a side's clock, whether still in force or not.

    The clock was set when they were made.
    """
    opponent = game.black if side == "white" else game.white
    rulings = (r.event for r in t.rulings.values() if r.event.game == game.game and r.event.player == opponent)
    return Seconds(sum(max(0, one.effect.clock or 0) for one in rulings))
