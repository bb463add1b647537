"""A house made from nothing but exports: the log, the score sheets and the texts."""

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from deploy.server.keys.signing_key import LOG
from shared.log.port import NewRow, Text
from shared.log.sqlite import SqliteLog


def rebuild(data: Path, lines: Iterable[bytes], texts: Iterable[Text]) -> None:
    """Put exported lines (sheets first, each stream in its order) and texts into a new data folder's log."""
    data.mkdir(parents=True)
    seqs: Counter[str] = Counter()
    numbers: Counter[str] = Counter()
    rows = []
    for line in lines:
        event = json.loads(line)
        stream, command = event["subject"], event["causationid"]
        seqs[stream] += 1
        rows.append(NewRow(stream, seqs[stream], event["source"], event["sourceseq"], command, numbers[command], line))
        numbers[command] += 1
    log = SqliteLog(data / LOG)
    with log.transaction() as tx:
        tx.append(rows)
        tx.put_texts(list(texts))
    log.close()
