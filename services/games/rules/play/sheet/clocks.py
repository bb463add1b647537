"""Clock readings: the hall's clocks are the truth, but none can gain more than the time control and rulings give."""

from typing import NamedTuple, Self

from shared.core.state.entities import Game
from shared.core.state.tournament import Tournament
from shared.core.terms import Seconds, Side, TimeControl

Adjustments = tuple[tuple[str, int], ...]
"""Seconds that a clock shows beside those that ran, by the ruling, finding or lateness that they follow from."""


class Reading(NamedTuple):
    """A side's clock after its ``moved``-th move.

    ``first``: the first reading of this clock, and of which move. ``shown``: what it shows of rulings and lateness;
    ``credit``: seconds given by rulings that no reading has shown above what it had without them. ``was_set``: by an arbiter,
    at this reading or one before it.
    """

    clock: Seconds
    moved: int
    first: tuple[Seconds, int] | None = None
    shown: Adjustments = ()
    credit: int = 0
    was_set: bool = False

    def showing(self, shown: Adjustments) -> Self:
        """This reading with what it shows of rulings and lateness; what they give may also show later."""
        before = dict(self.shown)
        given = sum(max(0, seconds - before.get(name, 0)) for name, seconds in shown)
        return self._replace(shown=shown, credit=self.credit + given)


def next_reading(control: TimeControl | None, last: Reading | None, clock: Seconds, moved: int) -> Reading:
    """The reading after this move, with the ``last`` one before it; None: it is the first."""
    if last is None:
        last = Reading(at_first(control) if control is not None else clock, 0, (clock, moved))
    gain = 0 if control is None else max(0, clock - most(control, last.clock, last.moved, moved))
    return last._replace(clock=clock, moved=moved, credit=max(0, last.credit) - gain)


def at_first(control: TimeControl) -> Seconds:
    """The reading of a clock before the first move."""
    return control.periods[0].seconds if control.periods else control.byo_yomi


def most(control: TimeControl, reading: Seconds, then: int, now: int) -> Seconds:
    """The most that a clock can show after its side's ``now``-th move, with the ``reading`` after the ``then``-th.

    Increments and the periods that began in between are added; a move always has its byo-yomi.
    """
    return Seconds(max(reading + _given(control, now) - _given(control, then), control.byo_yomi))


def _given(control: TimeControl, moves: int) -> int:
    """Seconds that so many moves have added: increments, and the periods that have begun after the first."""
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


def granted(t: Tournament, game: Game, side: Side) -> Seconds:
    """Seconds that rulings have put on a side's clock, standing or not: the clock was set when they were made."""
    opponent = game.black if side == "white" else game.white
    rulings = (r.event for r in t.rulings.values() if r.event.game == game.game and r.event.player == opponent)
    return Seconds(sum(max(0, one.effect.clock or 0) for one in rulings))
