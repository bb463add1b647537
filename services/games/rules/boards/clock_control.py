"""A time control as the clocks run it."""

from dataclasses import replace
from functools import lru_cache

from shared.core.terms import Period, Seconds, TimeControl


@lru_cache(maxsize=256)
def increments_first(control: TimeControl) -> TimeControl:
    """The control whose clocks have each increment before its move, as one that gives them after it.

    A clock shows the first increment from the start, 1:30:30 of 90 minutes and 30 seconds, and another period's from where
    that begins.
    """
    periods: list[Period] = []
    before = 0
    for period in control.periods:
        increment = control.increment + period.increment
        periods.append(replace(period, seconds=Seconds(period.seconds + increment - before)))
        before = increment
    if control.periods and control.periods[-1].moves and periods[-1].seconds != control.periods[-1].seconds:
        periods.append(control.periods[-1])  # Again and again: its increment was there before.
    return replace(control, periods=tuple(periods))
