"""Time controls in files: the field ``TimeControl`` of PGN (9.6.1), also used by record 222 of TRF26, and TM and OT of SGF.

Standard library only.
"""

import re
from collections.abc import Mapping

from shared.core.terms import Period, Seconds, TimeControl

TIMES = ("TimeControl", "TM", "OT")
"""The tags and properties for time."""
_PERIOD = re.compile(r"(?:([1-9][0-9]{0,3})/)?([1-9][0-9]{0,6})(?:\+([0-9]{1,5}))?", re.ASCII)
_BYO_YOMI = re.compile(
    r"([0-9]{1,3})\s*[x*×]\s*([0-9]{1,5})\s*(?:s(?:ec)?\s*)?(?:japanese\s*)?byo-?yomi", re.IGNORECASE
)


def periods_of(text: str) -> tuple[Period, ...] | None:
    """Return the periods of ``40/7200:20/3600:900+30``, or None for any other text (``?``, ``-``, ``*180`` and words)."""
    periods = []
    for part in text.strip().split(":"):
        match = _PERIOD.fullmatch(part)
        if match is None:
            return None
        periods.append(Period(Seconds(int(match[2])), int(match[1] or 0), Seconds(int(match[3] or 0))))
    return tuple(periods)


def pgn_of(time: TimeControl) -> str | None:
    """Return the periods with their increments in PGN form, or None if PGN cannot express the time (byo-yomi, no period)."""
    if not time.periods or time.byo_yomi:
        return None
    return ":".join(_period(one, time.increment) for one in time.periods)


def _period(one: Period, added: Seconds) -> str:
    increment = one.increment or added
    return (f"{one.moves}/" if one.moves else "") + f"{one.seconds}" + (f"+{increment}" if increment else "")


def sgf_of(time: TimeControl) -> Mapping[str, str]:
    """Return TM and OT: seconds for all moves, and the rest in words, ``5x30 byo-yomi`` or ``10 fischer``.

    If a period requires a number of moves, OT has the periods in PGN form, and TM is omitted.
    """
    if any(one.moves for one in time.periods):
        return {"OT": "; ".join([":".join(_period(one, time.increment) for one in time.periods), *_byo_yomi(time)])}
    main = time.periods[0] if time.periods else Period(Seconds(0), 0)
    increment = main.increment or time.increment
    words = [f"{increment} fischer"] if increment else []
    words += _byo_yomi(time)
    return {"TM": str(main.seconds)} | ({"OT": "; ".join(words)} if words else {})


def _byo_yomi(time: TimeControl) -> list[str]:
    return [f"{time.byo_yomi_periods}x{time.byo_yomi} byo-yomi"] if time.byo_yomi else []


def same_time(name: str, one: str, other: str) -> bool:
    """Return whether two values of a time tag or property mean the same, even if they are spelled differently."""
    return one == other or _meaning(name, one) == _meaning(name, other) is not None


def _meaning(name: str, text: str) -> object:
    if name == "TimeControl":
        return periods_of(text)
    if name == "TM":
        return float(text) if re.fullmatch(r"\s*[0-9]{1,9}(\.[0-9]*)?\s*", text, re.ASCII) else None
    match = _BYO_YOMI.fullmatch(text.strip())
    return None if match is None else (int(match[1]), int(match[2]))
