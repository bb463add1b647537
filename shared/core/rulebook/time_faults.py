"""Faults of a time control, in regulations or in an announcement.

Standard library only.
"""

from collections.abc import Iterator

from shared.core.language.messages import Message, say
from shared.core.terms import TimeControl

PERIODS_AT_MOST = 10
BYO_YOMI_AT_MOST = 100
LONGEST = 30 * 24 * 3600
"""Maximum length of a period, an increment or a byo-yomi, in seconds."""


def time_faults(time: TimeControl) -> Iterator[tuple[str, Message]]:
    """Yield each fault with its path within the time (``periods[0].seconds``; "": the whole time) and its message."""
    periods, last = time.periods, len(time.periods) - 1
    if not periods and time.byo_yomi < 1:
        yield "", say("the time control has neither a period nor byo-yomi: give at least one")
    if len(periods) > PERIODS_AT_MOST:
        yield (
            "periods",
            say(
                "{periods} periods are too many; give at most {periods_at_most}",
                periods=len(periods),
                periods_at_most=PERIODS_AT_MOST,
            ),
        )
    for i, one in enumerate(periods):
        if not 1 <= one.seconds <= LONGEST:
            yield f"periods[{i}].seconds", say("a period must be from 1 to {longest} seconds", longest=LONGEST)
        if not 0 <= one.increment <= LONGEST:
            yield (
                f"periods[{i}].increment",
                say("the seconds must be from 0 to {longest}, not {seconds}", seconds=one.increment, longest=LONGEST),
            )
        if one.increment and time.increment:
            yield f"periods[{i}].increment", say("give an increment for every move or for each period, not both")
        if one.moves < 0:
            yield f"periods[{i}].moves", say("moves must be 0 (all moves) or more")
        if i < last and one.moves == 0:
            yield (
                f"periods[{i}].moves",
                say("a period for all moves must be the last, because later periods never begin"),
            )
    for name, seconds in (
        ("increment", time.increment),
        ("byo_yomi", time.byo_yomi),
        ("clocks_after", time.clocks_after),
    ):
        if not 0 <= seconds <= LONGEST:
            yield name, say("the seconds must be from 0 to {longest}, not {seconds}", seconds=seconds, longest=LONGEST)
    if not 1 <= time.byo_yomi_periods <= BYO_YOMI_AT_MOST:
        yield "byo_yomi_periods", say("periods of byo-yomi must be 1 to {most}", most=BYO_YOMI_AT_MOST)
    elif time.byo_yomi_periods > 1 and not time.byo_yomi:
        yield "byo_yomi_periods", say("byo-yomi periods need the seconds of a period: set byo_yomi")
