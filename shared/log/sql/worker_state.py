"""What a service's worker and its web processes tell each other through the database."""

import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Literal, NamedTuple, Protocol

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from shared.core.language.messages import Message, say
from shared.core.language.stored_messages import message_from, message_to_text
from shared.log.sql.statements import insert_or_change, run
from shared.log.sql.tables import FINDINGS, HALTED, LEDGER, POSITIONS, WORKER
from shared.log.sql.transactions import translated_errors


class Halted(Exception):
    """The service must not go on by itself; the text says what was found and the command that mends it."""


class Mendable(Halted):
    """What is found can be mended without this service: it looks again, and goes on by itself."""


CHANNEL = "arbiter_ledger"
OUTBOX_CHANNEL = "arbiter_outbox"
FOLLOWER, RELAY = "follower", "relay"


class _Log(Protocol):
    reader: Engine

    def begin(self) -> AbstractContextManager[Connection]: ...


def tell(connection: Connection, channel: str = CHANNEL) -> None:
    """Wake the processes that listen (by default: those that watch the ledger), once this is committed."""
    if connection.dialect.name == "postgresql":
        run(connection, f"NOTIFY {channel}")


# ---------------------------------------------------------------- positions


class Position:
    """One row of `tables.POSITIONS`, as the worker holds it."""

    __slots__ = ("digest", "ledger", "next", "strangers", "topicid")

    def __init__(self, topicid: str, next: int = 0, digest: str = "", ledger: int = 0, strangers: int = 0) -> None:
        self.topicid, self.next, self.digest, self.ledger, self.strangers = topicid, next, digest, ledger, strangers


def positions(connection: Connection, reader: str) -> dict[tuple[str, int], int]:
    """(topic, partition) → offset to go on from."""
    chosen = run(connection, "SELECT topic, partition, next FROM positions WHERE reader = %s", (reader,))
    return {(topic, partition): next for topic, partition, next in chosen}


def load_positions(connection: Connection, reader: str) -> dict[tuple[str, int], Position]:
    rows = connection.execute(sa.select(POSITIONS).where(POSITIONS.c.reader == reader))
    return {(r.topic, r.partition): Position(r.topicid, r.next, r.digest, r.ledger, r.strangers) for r in rows}


def save_positions(connection: Connection, reader: str, held: Mapping[tuple[str, int], Position]) -> None:
    """Store positions; those not named stay."""
    if not held:
        return
    values = [
        {
            "reader": reader, "topic": topic, "partition": partition, "topicid": p.topicid,
            "next": p.next, "digest": p.digest, "ledger": p.ledger, "strangers": p.strangers,
        }
        for (topic, partition), p in held.items()
    ]  # fmt: skip
    insert_or_change(connection, POSITIONS, ("reader", "topic", "partition"), values)


def ledger_end(connection: Connection) -> int:
    return int(connection.execute(sa.select(sa.func.coalesce(sa.func.max(LEDGER.c.pos), 0))).scalar_one())


# ---------------------------------------------------------------- the one row


def ask(connection: Connection) -> int:
    """Ask whether the workers have been at the topics' end. Return the number of the question."""
    return int(
        connection.execute(sa.update(WORKER).values(asked=WORKER.c.asked + 1).returning(WORKER.c.asked)).scalar_one()
    )


def beat(connection: Connection) -> None:
    """A sign of life."""
    connection.execute(sa.update(WORKER).values(beat=WORKER.c.beat + 1, at=time.time()))


def silence(log: _Log) -> float | None:
    with translated_errors(), log.reader.connect() as connection:
        at = connection.execute(sa.select(WORKER.c.at)).scalar_one()
    return max(0.0, time.time() - at) if at else None


# ---------------------------------------------------------------- what an operator must mend


def halt(connection: Connection, part: str, why: Message, partitions: Iterable[int] = (0,)) -> None:
    """Note why a part must not continue with its partitions, until a worker finds them in order (`go_on`)."""
    rows = [{"part": f"{part} {partition}", "why": message_to_text(why)} for partition in partitions]
    insert_or_change(connection, HALTED, ("part",), rows)
    tell(connection)


def go_on(connection: Connection, part: str, partitions: Iterable[int] = (0,)) -> None:
    """Note that a part has found its partitions in order."""
    found = [part, *(f"{part} {partition}" for partition in partitions)]
    connection.execute(sa.delete(HALTED).where(HALTED.c.part.in_(found)))


def halts(connection: Connection) -> dict[str, Message]:
    """Return why parts have halted, by part: the reason of the first of their partitions."""
    rows = connection.execute(sa.select(HALTED.c.part, HALTED.c.why).order_by(HALTED.c.part.desc()))
    return {row.part.partition(" ")[0]: message_from(row.why) for row in rows}


_LOOK = """
SELECT asked, answered, beat, (SELECT coalesce(max(pos), 0) FROM events), part, why
FROM worker LEFT JOIN halted ON true WHERE id = 1 ORDER BY part
"""


class Handshake:
    """A process asks once, and takes no command before the worker has answered.

    The numbers in the row and those of own events only grow, so a database that was restored to an earlier state is noticed:
    this process then remembers events that the database does not contain, and must be restarted.
    """

    def __init__(self, log: _Log) -> None:
        self._log = log
        self._asking = threading.Lock()
        self._question: int | None = None
        self._beat = self.written = 0
        """``written``: a number up to which the table of own events was filled when it was last seen."""
        self._answered = False
        self._set_back = False

    def ask(self) -> None:
        """Ask once, in a separate transaction."""
        if self._question is not None:
            return
        # One question a process, and known once it is committed: an earlier look would find an older row.
        with self._asking:
            if self._question is None:
                with self._log.begin() as connection:
                    question = ask(connection)
                self._question = question

    def missing(self) -> Message | None:
        """Return why no command is accepted now, or None if commands are."""
        self.ask()
        with translated_errors(), self._log.reader.connect() as connection:
            return self.looking(connection)()

    def looking(self, connection: Connection) -> Callable[[], Message | None]:
        """Look after `ask`. Return a function like `missing`, for the time when the statement has been answered."""
        # Several threads look at once: an answer is compared with the state before its question.
        before, written, rows = self._beat, self.written, run(connection, _LOOK)
        return lambda: self._seen(before, written, rows.fetchall())

    def note_commit(self, last: int) -> None:
        """Note that this process has committed an event whose number is ``last`` or higher."""
        self.written = max(self.written, last)

    def _seen(self, beat_before: int, written_before: int, rows: Sequence[Any]) -> Message | None:
        question, answered, beat, written = rows[0][:4]
        self._set_back = self._set_back or question < self._question or beat < beat_before or written < written_before
        self._beat, self.written = max(self._beat, beat), max(self.written, written)
        self._answered = self._answered or answered >= self._question
        if self._set_back:
            return say("the database was restored to an earlier state while this process ran; restart the process")
        for *_, part, why in rows:
            if part is not None:
                return say("the service has halted: {why}", why=message_from(why))
        return None if self._answered else say("the service's worker has not yet reached the end of the log")


Kind = Literal["stranger", "gap", "doubled", "unnumbered"]
KINDS: tuple[Kind, ...] = ("stranger", "gap", "doubled", "unnumbered")
"""The kinds of findings, in this order:

- a record that is neither events nor a text
- missing numbers of a source
- a number that was repeated with other events
- a record without a number, of a source that numbers its records
"""


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
                "{place}: records {first} to {last} of {source} are missing before this record",
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


def add_findings(connection: Connection, found: Iterable[Mapping[str, Any]]) -> None:
    """Add findings, rows without ``id``. One that is open at the same partition with the same text gets a higher count."""
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
