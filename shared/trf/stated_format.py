"""The format that a file names (192, 092), where it is not taken as that."""

from shared.core.language.messages import say
from shared.core.rulebook.formats import Format
from shared.trf.model.difference import Difference
from shared.trf.model.model import TrfFile
from shared.trf.records import SYSTEMS


def other_format(trf: TrfFile, taken: Format) -> Difference | None:
    """Where the file names what is no Swiss, and is taken as one; None without."""
    named = (r for r in trf.records if r.text[:3] in ("092", "192") and r.text[4:].strip())
    record = max(named, key=lambda r: r.text[:3], default=None)  # a code of FIDE's list says it before words do
    if taken != "swiss" or record is None:
        return None
    words = record.text[4:].strip()
    if "swiss" in words.lower() or SYSTEMS.get(words.upper()) == "swiss":
        return None
    detail = say(
        "{words} comes in as a Swiss: games and results are the file's, tie-breaks a Swiss's", words=repr(words)
    )
    return Difference(record.line, 5, detail)
