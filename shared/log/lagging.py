"""A log for tests that lags: each service has its own database, and a topic lies between them.

Nothing moves by itself. `relay` sends what a service committed, `follow` reads it
into a ledger; a seed decides when, how far, and what goes wrong on the way: records
sent twice, records sent ahead of their turn. So crossings happen without a broker.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random

import sqlalchemy as sa

from shared.log.acceptance import judge
from shared.log.database import (
    DatabaseTexts,
    DatabaseTransaction,
    open_engines,
    rows,
    select_lines,
    tail_of,
    translated_errors,
)
from shared.log.port import NewRow, Row, Text
from shared.log.tables import EVENTS, LEDGER, OUTBOX, POSITIONS, STOPPED
from shared.terms import SOURCES, Source


class Topic:
    """Records in one order, as a partition holds them; in a file, so that processes share it."""

    def __init__(self, path: Path) -> None:
        self.writer, self.reader = open_engines(path)

    def send(self, stream: str, record: bytes) -> None:
        with self.writer.begin() as connection:
            connection.execute(sa.insert(OUTBOX), {"stream": stream, "record": record})

    def read(self, after: int, limit: int) -> list[tuple[int, bytes]]:
        chosen = sa.select(OUTBOX.c.id, OUTBOX.c.record).where(OUTBOX.c.id > after).order_by(OUTBOX.c.id).limit(limit)
        with self.reader.connect() as connection:
            return [(r.id, r.record) for r in connection.execute(chosen)]

    def close(self) -> None:
        self.writer.dispose()
        self.reader.dispose()


class _Transaction(DatabaseTransaction):
    ledger = LEDGER

    def __init__(self, connection: sa.Connection, topic: Topic) -> None:
        super().__init__(connection)
        self._topic = topic

    def own(self, stream: str) -> list[Row]:
        back = sa.select(sa.func.coalesce(sa.func.max(LEDGER.c.sourceseq), 0)).where(
            LEDGER.c.stream == stream, LEDGER.c.source == EVENTS.c.source
        )
        chosen = select_lines(EVENTS).where(EVENTS.c.stream == stream, EVENTS.c.sourceseq > back.scalar_subquery())
        return rows(self.connection.execute(chosen.order_by(EVENTS.c.source, EVENTS.c.sourceseq)))

    def append(self, new: Sequence[NewRow]) -> int:
        self.insert(new, numbered=False)
        records: dict[tuple[str, str], list[bytes]] = {}
        for r in new:
            if r.stream.startswith("tournaments/"):
                records.setdefault((r.command, r.stream), []).append(r.line)
        values = [{"stream": stream, "record": b"\n".join(lines)} for (_, stream), lines in records.items()]
        if values:
            self.connection.execute(sa.insert(OUTBOX), values)
        return 0

    def put_texts(self, texts: Sequence[Text]) -> None:
        with self._topic.writer.begin() as connection:
            DatabaseTransaction(connection).put_texts(texts)

    def erase_text(self, hash: str) -> None:
        with self._topic.writer.begin() as connection:
            DatabaseTransaction(connection).erase_text(hash)


class LaggingLog(DatabaseTexts):
    """One service's side of it."""

    immediate = False

    def __init__(self, folder: Path, source: Source, rng: Random) -> None:
        self.sources: tuple[Source, ...] = (source,)
        self.topic = Topic(folder / "topic.sqlite")
        self.writer, self._reader = open_engines(folder / f"{source.rpartition('/')[2]}.sqlite")
        self.reader = self.topic.reader
        self._rng = rng

    @contextmanager
    def transaction(self) -> Iterator[_Transaction]:
        with translated_errors(), self.writer.begin() as connection:
            yield _Transaction(connection, self.topic)

    # ------------------------------------------------------------ what moves

    def relay(self, limit: int = 1) -> int:
        """Send up to ``limit`` records from the front of the outbox; how many left it.

        Now and then one is sent twice, or the one behind it goes first.
        """
        with self.writer.begin() as connection:
            chosen = sa.select(OUTBOX).order_by(OUTBOX.c.id).limit(limit + 1)
            waiting = list(connection.execute(chosen))
            for i, row in enumerate(waiting[:limit]):
                if i + 1 < len(waiting) and self._rng.random() < 0.2:
                    self.topic.send(waiting[i + 1].stream, waiting[i + 1].record)
                for _ in range(2 if self._rng.random() < 0.2 else 1):
                    self.topic.send(row.stream, row.record)
                connection.execute(sa.delete(OUTBOX).where(OUTBOX.c.id == row.id))
            return min(limit, len(waiting))

    def follow(self, limit: int = 1) -> int:
        """Read up to ``limit`` records of the topic into the ledger; how many were read."""
        with self.writer.begin() as connection:
            position = connection.execute(sa.select(POSITIONS.c.next)).scalar() or 0
            records = self.topic.read(position, limit)
            for offset, record in records:
                self._take(connection, record)
                position = offset
            if records:
                connection.execute(sa.delete(POSITIONS))
                connection.execute(sa.insert(POSITIONS), {"topic": "tournaments", "next": position})
            return len(records)

    def _take(self, connection: sa.Connection, record: bytes) -> None:
        def last(stream: str, source: str) -> int:
            highest = sa.select(sa.func.coalesce(sa.func.max(LEDGER.c.sourceseq), 0))
            found = connection.execute(highest.where(LEDGER.c.stream == stream, LEDGER.c.source == source))
            return int(found.scalar_one())

        def held(stream: str, source: str, number: int) -> bytes | None:
            chosen = sa.select(LEDGER.c.line).where(
                LEDGER.c.stream == stream, LEDGER.c.source == source, LEDGER.c.sourceseq == number
            )
            return connection.execute(chosen).scalar()

        lines = record.split(b"\n")
        judgement = judge(lines, last, held)
        if judgement.verdict == "accept":
            size = sa.select(sa.func.coalesce(sa.func.max(LEDGER.c.seq), 0)).where(LEDGER.c.stream == judgement.stream)
            seq = int(connection.execute(size).scalar_one())
            values = [
                {
                    "stream": judgement.stream, "seq": seq + 1 + i, "source": judgement.source,
                    "sourceseq": judgement.first + i, "command": judgement.command, "n": i, "line": line,
                }
                for i, line in enumerate(lines)
            ]  # fmt: skip
            connection.execute(sa.insert(LEDGER), values)
        elif judgement.verdict == "fork":
            why = f"{judgement.source} number {judgement.first} came back with other bytes"
            connection.execute(sa.insert(STOPPED).prefix_with("OR IGNORE"), {"stream": judgement.stream, "why": why})

    # ------------------------------------------------------------ reading

    def tail(self, after: int, limit: int | None = None) -> list[Row]:
        with self._reader.connect() as connection:
            return tail_of(connection, LEDGER, after, limit)

    def lines(self, stream: str, after: int = 0, upto: int | None = None) -> list[Row]:
        table = EVENTS if stream.startswith("games/") else LEDGER
        chosen = select_lines(table).where(table.c.stream == stream, table.c.seq > after).order_by(table.c.seq)
        with self._reader.connect() as connection:
            return rows(connection.execute(chosen if upto is None else chosen.where(table.c.seq <= upto)))

    def end(self) -> int:
        with self._reader.connect() as connection:
            return int(connection.exec_driver_sql("SELECT coalesce(max(pos), 0) FROM ledger").scalar_one())

    def streams(self, prefix: str) -> list[str]:
        table = EVENTS if prefix.startswith("games/") else LEDGER
        chosen = sa.select(table.c.stream).distinct().where(table.c.stream.startswith(prefix, autoescape=True))
        with self._reader.connect() as connection:
            return sorted(connection.execute(chosen).scalars())

    def stopped(self, stream: str) -> str | None:
        with self._reader.connect() as connection:
            return connection.execute(sa.select(STOPPED.c.why).where(STOPPED.c.stream == stream)).scalar()

    def catch_up(self, timeout: float) -> bool:
        """False: only the seed moves records here, so nobody waits."""
        return False

    def close(self) -> None:
        self.writer.dispose()
        self._reader.dispose()
        self.topic.close()


def lagging_world(folder: Path, seed: int) -> dict[Source, LaggingLog]:
    """Every service's side of one lagging world."""
    return {source: LaggingLog(folder, source, Random(f"{seed} {source}")) for source in SOURCES}


def move(world: dict[Source, LaggingLog], rng: Random) -> None:
    """One seeded step: some service sends or reads a little."""
    log = world[rng.choice(SOURCES)]
    if rng.random() < 0.5:
        log.relay(rng.randint(1, 3))
    else:
        log.follow(rng.randint(1, 5))


def settle(world: dict[Source, LaggingLog]) -> None:
    """Move until every record is in every ledger."""
    while sum(log.relay(100) + log.follow(100) for log in world.values()):
        pass
