"""What a TRF file says of persons and days, in the letters and forms that files have for it."""

import re
from collections.abc import Iterator
from datetime import date
from typing import NamedTuple

from shared.core.language.messages import Message, say
from shared.trf.model.model import TrfPlayer

SEXES = {"m": "m", "w": "f", "f": "f"}
"""A file's letter -> ours; FIDE writes ``w``, some programs ``f``."""
TITLES = {"G": "GM", "M": "IM", "WG": "WGM", "F": "FM", "WM": "WIM", "C": "CM", "WF": "WFM", "WC": "WCM",
          "GF": "WGM", "MF": "WIM", "FF": "WFM", "CF": "WCM"}  # fmt: skip
"""Older letters of FIDE titles, TRF's own and French ones of women (``gf``); the newer files write titles out."""
_YEAR = re.compile(r"[0-9]{4}")
_DAY = re.compile(r"([0-9]{4})[-/.]([0-9]{1,2})[-/.]([0-9]{1,2})")


def sex_said(player: TrfPlayer) -> str | None:
    """``m`` or ``f``; None where the file does not say it."""
    return SEXES.get(player.sex.lower())


def sex_letter(sex: str | None) -> str:
    """The letter of a sex in a file; empty for none."""
    return {"m": "m", "f": "w"}.get(sex or "", "")


def birth_year(player: TrfPlayer) -> int | None:
    """The year of birth, of a date ``1998/05/03``, ``03.05.1998`` or a year alone; None where there is none."""
    found = _YEAR.search(player.birth)
    year = int(found[0]) if found else 0
    return year if 1900 <= year <= 2100 else None


def fide_id(player: TrfPlayer) -> str | None:
    """The FIDE id; None where the file has none, or what is no number."""
    number = player.fide_id.lstrip("0")
    return number if number.isascii() and number.isdigit() and len(number) <= 11 else None


def stated(player: TrfPlayer) -> dict[str, int | str | None]:
    """Return what a file states of a player besides number and name, by the members of an entry; None if it is missing."""
    return {
        "rating": player.rating,
        "title": title(player),
        "federation": player.federation.upper() or None,
        "sex": sex_said(player),
        "birth_year": birth_year(player),
        "fide_id": fide_id(player),
    }


def day(text: str) -> str:
    """A day of record 042 or 052 (``2026/03/07``) in ISO 8601; empty for what is none."""
    found = _DAY.fullmatch(text)
    try:
        return "" if found is None else date(*map(int, found.groups())).isoformat()
    except ValueError:
        return ""


class NotTaken(NamedTuple):
    """A field of a player, from its column (from 1), that says what no entry holds."""

    column: int
    what: Message
    text: str


def not_taken(player: TrfPlayer) -> Iterator[NotTaken]:
    """What a file says of a player that is no sex, FIDE id or year of birth; zeros and dashes say nothing."""
    for column, what, text, taken in (
        (10, say("sex"), player.sex, sex_said(player)),
        (58, say("FIDE id"), player.fide_id, fide_id(player)),
        (70, say("birth"), player.birth, birth_year(player)),
    ):
        if taken is None and text.strip("0-/. "):
            yield NotTaken(column, what, text)


def says_day_of_birth(player: TrfPlayer) -> bool:
    """Whether a file says more of a player's birth than the year."""
    year = birth_year(player)
    return year is not None and bool(player.birth.replace(str(year), "", 1).strip("0-/. "))


def title(player: TrfPlayer) -> str | None:
    """FIDE title in today's letters."""
    return TITLES.get(player.title.upper(), player.title.upper()) or None
