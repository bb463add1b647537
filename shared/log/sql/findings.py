"""What was found in the topics that nobody should have written: kept until somebody acknowledges it."""

import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from shared.core.language.messages import Message, say
from shared.core.language.stored_messages import message_from
from shared.log.sql.tables import FINDINGS

Kind = Literal["stranger", "gap", "doubled", "unnumbered"]
KINDS: tuple[Kind, ...] = ("stranger", "gap", "doubled", "unnumbered")
"""A record that is no line or text; numbers of a source that are missing; a number that came again with other lines; a
record without number of a source that numbers its records."""


class Finding(NamedTuple):
    """One row of `tables.FINDINGS` that nobody has acknowledged."""

    id: int
    topic: str
    partition: int
    place: int
    kind: Kind
    source: str
    what: str
    first: int
    last: int
    records: int

    def sentence(self) -> Message:
        """Where it was found, and what."""
        what = message_from(self.what)
        place = say(
            "{topic}, partition {partition}, offset {offset}",
            topic=self.topic,
            partition=self.partition,
            offset=self.place,
        )
        if self.kind == "gap":
            return say(
                "{place}: records {first} to {last} of {source} did not come before it",
                place=place,
                first=self.first,
                last=self.last,
                source=self.source,
            )
        if self.records > 1:
            return say("{place} (and {number} more): {what}", place=place, number=self.records - 1, what=what)
        return say("{place}: {what}", place=place, what=what)


_COLUMNS = tuple(FINDINGS.c[name] for name in Finding._fields)
_SAME = ("topic", "partition", "kind", "source", "what")
_OPEN = FINDINGS.c.acknowledged.is_(None)


def open_findings(connection: Connection) -> list[Finding]:
    """Those that nobody has acknowledged, the oldest first."""
    return [Finding(*row) for row in connection.execute(sa.select(*_COLUMNS).where(_OPEN).order_by(FINDINGS.c.id))]


def add(connection: Connection, found: Iterable[Mapping[str, Any]]) -> None:
    """Note findings, each a row without ``id``; what is open at the same partition in the same words counts on."""
    rows: dict[tuple[Any, ...], dict[str, Any]] = {}
    for one in found:
        row = {"first": 0, "last": 0, "records": 1, **one}
        key = tuple(row[name] for name in (*_SAME, "first", "last"))
        if key in rows:
            rows[key]["records"] += row["records"]
        else:
            rows[key] = row
    for row in rows.values():
        same = sa.update(FINDINGS).where(_OPEN, *(FINDINGS.c[name] == row[name] for name in _SAME))
        counted = same.values(records=FINDINGS.c.records + row["records"])
        if row["kind"] == "gap" or not connection.execute(counted).rowcount:
            connection.execute(sa.insert(FINDINGS), {**row, "found": time.time()})


def acknowledge(connection: Connection, ids: Sequence[int], by: str, reason: str) -> int:
    """Note who has looked at findings, and why they may stay; how many were open."""
    named = sa.update(FINDINGS).where(_OPEN, FINDINGS.c.id.in_(ids))
    return connection.execute(named.values(acknowledged=time.time(), by=by, reason=reason)).rowcount
