"""Clock readings. The clocks in the venue are decisive, but none can gain more than the time control and rulings give.

Clock events on a score sheet are steps. The values of ``set_clock`` are the seconds, optionally `FAULT`, and the
adjustments that the clock shows from then on. ``clock_shows`` has only the last. An adjustment is a name and its
seconds: ``r5=-300``.
"""

from typing import NamedTuple, Self

from services.games.rules.boards.port.position import seconds_of
from shared.core.events import StepTaken
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
    """Return the clock reading ``clock`` after the side's move number ``moved``.

    ``last``: the reading before it, or None if it is the first.
    """
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


def granted_seconds(t: Tournament, game: Game, side: Side, seqs: range | None = None) -> Seconds:
    """Return the seconds that rulings have added to a side's clock, whether still in force or not.

    Rulings that were annulled count too, because the clock was adjusted when they were made. ``seqs``: the sequence
    numbers of the rulings to count, by default all.
    """
    opponent = game.black if side == "white" else game.white
    rulings = (r.event for r in t.rulings.values() if seqs is None or r.seq in seqs)
    given = (one.effect.clock or 0 for one in rulings if one.game == game.game and one.player == opponent)
    return Seconds(sum(max(0, clock) for clock in given))


FAULT = "fault"
"""The value for a clock that is set because it is faulty, without accusing a player (002-X 22.4; 000-E 围棋 5(5))."""
SHOWS = "="
"""The separator of a name and its seconds. Values given by an arbiter never contain it."""


def setting(line: StepTaken) -> Seconds | None:
    """Return the seconds that an arbiter set the clock to, or None if the step does not set a clock."""
    return seconds_of(line.values[0]) if line.step == "set_clock" else None


def shown_adjustments(line: StepTaken) -> Adjustments:
    """Return the adjustments for rulings and lateness that the clock shows from this event on."""
    pairs = (value.split(SHOWS) for value in line.values if SHOWS in value)
    return tuple((name, int(seconds)) for name, seconds in pairs)


def values_of(shown: Adjustments) -> tuple[str, ...]:
    """Return the adjustments that a clock shows as a step's values."""
    return tuple(f"{name}{SHOWS}{seconds}" for name, seconds in shown)
