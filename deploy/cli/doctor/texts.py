"""Texts that a log or a score sheet names and nobody has erased are there: what a topic or a database lost shows here.

The topic of texts is compacted, so that its records have gaps by nature; the lines say what must be in it.
"""

from collections.abc import Iterable, Sequence

from shared.audit.evidence.named_texts import NamedTexts
from shared.core.language.messages import Message, and_more, say
from shared.log.port import Log, Row

_TOLD = 3


def missing_texts(log: Log, tournament: str, rows: Sequence[Row], sheets: Iterable[str]) -> Message | None:
    """Which texts that the lines of one tournament, and of its score sheets (streams) kept here, name are not held, in words;
    None where none is missing."""
    named = NamedTexts()
    named.read(rows)
    for sheet in sheets:
        named.read(log.lines(sheet))
    missing = named.missing({text.hash for text in log.tournament_texts(tournament)})
    if not missing:
        return None
    told = and_more((say("{hash}… of {place}", hash=text.hash[:16], place=text.place) for text in missing), _TOLD)
    return say(
        "{count} texts are named by lines, were not erased, and are not there: {texts}", count=len(missing), texts=told
    )
