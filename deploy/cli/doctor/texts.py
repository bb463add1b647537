"""Texts that a log names and nobody has erased are there: what the topic of texts or a database lost shows here.

Their topic is compacted, so that its records have gaps by nature; the lines of the log say what must be in it.
"""

from collections.abc import Iterable, Sequence

from shared.audit.text_evidence import text_hashes
from shared.core.messages import Message, and_more, say
from shared.log.port import Row, Text
from shared.log.sql.ledger_erasures import erased_by
from shared.wire.envelope import Unreadable, read

_MARK = b'"text":"'
_TOLD = 3


def missing_texts(rows: Sequence[Row], held: Iterable[Text]) -> Message | None:
    """Which texts that the lines of one tournament name are not held, in words; None where none is missing."""
    named: dict[str, int] = {}
    erased: set[str] = set()
    for row in rows:
        erased.update(erased_by(row.source, row.line))
        if _MARK not in row.line:
            continue
        try:
            event = read(row.line, row.seq)
        except Unreadable:
            continue
        for hash in text_hashes(event.data):
            named.setdefault(hash, row.seq)
    there = {text.hash for text in held}
    missing = [(hash, seq) for hash, seq in named.items() if hash not in erased and hash not in there]
    if not missing:
        return None
    told = and_more((say("{hash}… of line {seq}", hash=hash[:16], seq=seq) for hash, seq in missing), _TOLD)
    return say(
        "{count} texts are named by lines, were not erased, and are not there: {texts}", count=len(missing), texts=told
    )
