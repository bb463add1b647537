"""By which Dutch rules a file is paired and checked: those that it names, or that were in force when its event began."""

import re
from typing import Literal

from shared.trf.model.model import TrfFile
from shared.trf.model.personal import day

DutchEdition = Literal["2017", "2026"]
SETS: dict[DutchEdition, str] = {"2017": "fide-2024", "2026": "fide-2026"}
"""The shipped regulations that pair by each."""
IN_FORCE = "2026-02-01"
"""From then on the rules of C.04.3 that FIDE's Council approved for 2026; before it those of 2017."""


def dutch_edition(trf: TrfFile) -> DutchEdition:
    """``FIDE_DUTCH_2017`` and ``FIDE_DUTCH_2026`` (192) say it; else the first day (042), or where it is none the last one
    (052), does. A file without days is paired by today's rules."""
    code = "" if trf.settings.system is None else trf.settings.system.code
    if code.startswith(("FIDE_DUTCH_2017", "FIDE_DUTCH_2026")):
        return "2017" if code.startswith("FIDE_DUTCH_2017") else "2026"
    begins = _day(trf.settings.begins) or _day(trf.settings.ends)
    return "2017" if begins and begins < IN_FORCE else "2026"


def regulations_of(trf: TrfFile) -> str:
    """The name of the regulations of the file's date."""
    return SETS[dutch_edition(trf)]


def _day(text: str) -> str:
    """In ISO 8601; of a day in another order, or with words, its year alone, which is told apart but in 2026."""
    year = re.search(r"(?<![0-9])(19|20)[0-9]{2}(?![0-9])", text)
    return day(text) or (f"{year[0]}-12-31" if year else "")
