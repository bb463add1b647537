"""The format that a file names (192, 092), where it is not taken as that."""

from services.standings.formats.trf.difference import Difference
from services.standings.formats.trf.model import Record, TrfFile
from services.standings.formats.trf.records import SYSTEMS
from shared.core.formats import Format
from shared.core.messages import say


def other_format(trf: TrfFile, taken: Format) -> Difference | None:
    """Where the file names what is no Swiss, and is taken as one; None without."""
    named = sorted((r for r in trf.records if r.text[:3] in ("092", "192") and r.text[4:].strip()), key=_by_code)
    if taken != "swiss" or not named:
        return None
    words = named[0].text[4:].strip()
    if "swiss" in words.lower() or SYSTEMS.get(words.upper()) == "swiss":
        return None
    detail = say(
        "{words} comes in as a Swiss: games and results are the file's, tie-breaks a Swiss's", words=repr(words)
    )
    return Difference(named[0].line, 5, detail)


def _by_code(record: Record) -> bool:
    return record.text.startswith("092")  # a code of FIDE's list says it before words do
