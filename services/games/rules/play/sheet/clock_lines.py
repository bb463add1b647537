"""The lines of clocks on a score sheet: a clock that an arbiter has set, and what a reading shows of rulings and lateness.

Both are steps. ``set_clock`` has as values the seconds, perhaps `FAULT`, and what the clock shows from then on;
``clock_shows`` the last alone. Each of these is a name and its seconds: ``r5=-300``.
"""

from collections.abc import Iterable

from services.games.rules.boards.port.step_values import seconds_of
from services.games.rules.play.sheet.clocks import Adjustments
from shared.core.events import StepTaken
from shared.core.terms import Ply, Seconds, Side

FAULT = "fault"
"""Why a clock is set that nobody is accused for: it is faulty (002-X 22.4; 000-E 围棋 5(5))."""
SHOWS = "="
"""Between a name and its seconds; no value that an arbiter names has it."""


def setting(line: StepTaken) -> Seconds | None:
    """The seconds that the clock was set to; None for what a reading shows."""
    return seconds_of(line.values[0]) if line.step == "set_clock" else None


def shown_in(line: StepTaken) -> Adjustments:
    """What the clock shows of rulings and lateness from this line on."""
    pairs = (value.split(SHOWS) for value in line.values if SHOWS in value)
    return tuple((name, int(seconds)) for name, seconds in pairs)


def named_values(values: Iterable[str]) -> tuple[str, ...]:
    """The values of a setting that the arbiter named."""
    return tuple(value for value in values if SHOWS not in value)


def values_of(shown: Adjustments) -> tuple[str, ...]:
    """What a clock shows, as a step's values."""
    return tuple(f"{name}{SHOWS}{seconds}" for name, seconds in shown)


def reading_shows(ply: Ply, side: Side, shown: Adjustments) -> StepTaken:
    """The line beside a reading that shows more than the one before it."""
    return StepTaken(ply, side, "clock_shows", values_of(shown))
