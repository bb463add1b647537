"""Clock events on a score sheet: a clock set by an arbiter, and the adjustments that a reading shows.

Both are steps. The values of ``set_clock`` are the seconds, optionally `FAULT`, and the adjustments that the clock
shows from then on. ``clock_shows`` has only the last. An adjustment is a name and its seconds: ``r5=-300``.
"""

from collections.abc import Iterable

from services.games.rules.boards.port.step_values import seconds_of
from services.games.rules.play.sheet.clocks import Adjustments
from shared.core.events import StepTaken
from shared.core.terms import Ply, Seconds, Side

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


def named_values(values: Iterable[str]) -> tuple[str, ...]:
    """Return the values of a setting that the arbiter gave."""
    return tuple(value for value in values if SHOWS not in value)


def values_of(shown: Adjustments) -> tuple[str, ...]:
    """Return the adjustments that a clock shows as a step's values."""
    return tuple(f"{name}{SHOWS}{seconds}" for name, seconds in shown)


def reading_shows(ply: Ply, side: Side, shown: Adjustments) -> StepTaken:
    """Return the sheet event for a reading that shows more adjustments than the one before it."""
    return StepTaken(ply, side, "clock_shows", values_of(shown))
