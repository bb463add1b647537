"""A distributed world for tests: a database for each service, one broker, and the services' workers as threads."""

import json
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path

import psycopg
from sqlalchemy.engine import Connection

from shared.core.terms import GAMES, SOURCES, Source
from shared.log.distributed import DistributedLog
from shared.log.kafka import topics
from shared.log.kafka.broker import TOPICS, Broker
from shared.log.port import NewRow
from shared.log.sql import owners
from shared.log.sql.engines import open_url
from shared.log.sql.worker_state import Halted
from shared.log.worker.follower import Follower
from shared.log.worker.membership import Membership
from shared.log.worker.relay import Relay
from shared.log.worker.restore import Permit
from tests.stack.kafka import Kafka
from tests.stack.postgres import Postgres

T = "tournaments/T"
_SECONDS = 60
_LOOKS_SECONDS = 0.02, 0.25
"""The seconds between two looks at a condition, at first and at most. Each look costs CPU time."""
SHORT_LOOKS = 0.005, 0.005
"""As `_LOOKS_SECONDS`, for a benchmark: a longer pause would be part of the time measured."""
_NUMBERS = count()
_PAUSE = threading.Event()
_ANY_QUESTION = 10**9
_DISCONNECT = """SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
WHERE datname = %s AND pid <> pg_backend_pid()"""
_ON_OWN_DISK = """SELECT spcname <> 'pg_default' FROM pg_database JOIN pg_tablespace AS t ON t.oid = dattablespace
WHERE datname = current_database()"""
_SCHEMA = """SELECT relname::text, relkind::text, reltablespace::text FROM pg_class WHERE relnamespace = 'public'::regnamespace
UNION ALL SELECT attrelid::regclass::text, attname::text, atttypid::text FROM pg_attribute
    JOIN pg_class ON pg_class.oid = attrelid WHERE relnamespace = 'public'::regnamespace AND NOT attisdropped
UNION ALL SELECT tgrelid::regclass::text, tgname::text, '' FROM pg_trigger WHERE NOT tgisinternal
UNION ALL SELECT proname::text, '', '' FROM pg_proc WHERE pronamespace = 'public'::regnamespace
ORDER BY 1, 2, 3"""


def until(
    condition: Callable[[], bool],
    what: str = "",
    seconds: float = _SECONDS,
    looks: tuple[float, float] = _LOOKS_SECONDS,
) -> None:
    """Wait for a condition, with pauses that grow from the first to the second of ``looks``, in seconds.

    Raises AssertionError if it takes too long.
    """
    pause, longest = looks
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return
        _PAUSE.wait(pause)
        pause = min(longest, pause * 1.2)
    raise AssertionError(f"waited {seconds} s in vain {what or condition}")


def answer_questions(connection: Connection, count: int = 3) -> None:
    """Answer all questions of processes, also later ones, as the followers of ``count`` partitions do."""
    owners.add_partitions(connection, count)
    owners.answer(connection, _ANY_QUESTION, range(count))


class Servers:
    """A running PostgreSQL and a running Kafka, used by one test after the other."""

    def __init__(self, postgres: Postgres, kafka: Kafka) -> None:
        self.postgres, self.kafka = postgres, kafka
        self.broker = Broker(kafka.bootstrap, partitions=3)
        postgres.run("CREATE DATABASE template_arbiter")
        for engine in open_url(postgres.url("template_arbiter")):
            engine.dispose()
        with self._connect("template_arbiter") as template:
            names = [
                name for (name,) in template.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
            ]
            self._schema = template.execute(_SCHEMA).fetchall()
            self._rows = {name: template.execute(f'SELECT * FROM "{name}"').fetchall() for name in names}
        self._idle: list[str] = []

    def fresh_topics(self) -> None:
        """Empty topics, whatever the last test left."""
        with topics.admin(self.broker) as admin:
            old = list(topics.describe(admin))
            if old:
                admin.delete_topics(old)
                until(lambda: not set(admin.list_topics()) & set(TOPICS), "for the old topics to go")
        assert topics.create(self.broker) == list(TOPICS)

    def fresh_database(self) -> str:
        """The address of an empty database with today's tables."""
        if self._idle:
            return self.postgres.url(self._idle.pop())
        name = f"t{next(_NUMBERS)}_{threading.get_native_id()}"
        self.postgres.run(f"CREATE DATABASE {name} TEMPLATE template_arbiter")
        return self.postgres.url(name)

    def give_back(self, url: str) -> None:
        """Empty a database for the next test, since a new one takes longer. One with another schema or disk is dropped."""
        name = url.rpartition("/")[2]
        with self._connect(name) as database:
            database.execute(_DISCONNECT, [name])
            (on_own_disk,) = database.execute(_ON_OWN_DISK).fetchone() or (True,)
            if fitting := not on_own_disk and database.execute(_SCHEMA).fetchall() == self._schema:
                database.execute("SET session_replication_role = replica")  # no foreign key is checked meanwhile
                for table, rows in self._rows.items():
                    database.execute(f'DELETE FROM "{table}"')
                    for row in rows:
                        database.execute(f'INSERT INTO "{table}" VALUES ({", ".join(["%s"] * len(row))})', row)
                database.execute("SELECT setval(oid::regclass, 1, false) FROM pg_class WHERE relkind = 'S'")
        if fitting:
            self._idle.append(name)
        else:
            self.postgres.run(f"DROP DATABASE {name} WITH (FORCE)")

    def _connect(self, name: str) -> psycopg.Connection:
        return psycopg.connect(self.postgres.url(name).replace("+psycopg", ""))


class Worker:
    """A service's relay and follower in threads, as `deploy.server.worker.worker` runs them."""

    def __init__(self, url: str, source: Source, broker: Broker, permit: Permit | None = None) -> None:
        self.stop = threading.Event()
        self.log = DistributedLog(url, source, broker)
        self.sides = [DistributedLog(url, source) for _ in range(3)]
        self._left = threading.Event()
        self.membership = Membership(self.sides[2], broker, self._left)
        self.relay = Relay(self.sides[0], broker, self.stop, self.membership)
        self.follower = Follower(self.sides[1], broker, self.stop, permit=permit, owned=self.membership)
        self.halted: str | None = None
        self.threads = [
            threading.Thread(target=self._run, args=(work,)) for work in (self.follower.run, self.relay.run)
        ]
        self._sharing = threading.Thread(target=self.membership.run)
        for thread in (self._sharing, *self.threads):
            thread.start()

    def _run(self, work: Callable[[], None]) -> None:
        try:
            work()
        except Halted as problem:
            self.halted = str(problem)

    def settled(self) -> bool:
        """Whether everything committed here was sent, and everything sent by anybody has been read."""
        if self.halted:
            raise AssertionError(self.halted)
        return self.log.waiting()[0] == 0 and self.log.unready() is None and self.log.lag() == 0

    def end(self) -> None:
        self.stop.set()
        for thread in self.threads:
            thread.join(_SECONDS)
        self._left.set()
        self._sharing.join(_SECONDS)
        assert not any(thread.is_alive() for thread in (self._sharing, *self.threads))
        for log in (self.log, *self.sides):
            log.close()


class World:
    """Services on fresh databases and topics. ``file`` tells another process where they are."""

    def __init__(self, servers: Servers, folder: Path, sources: tuple[Source, ...] = SOURCES) -> None:
        self.servers, self.broker, self.file = servers, servers.broker, folder / "world.json"
        servers.fresh_topics()
        self.urls: dict[Source, str] = {source: servers.fresh_database() for source in sources}
        self.workers: dict[Source, Worker] = {}
        self._logs: list[DistributedLog] = []
        self.file.write_text(json.dumps({"urls": self.urls, "bootstrap": self.broker.bootstrap}))

    def open(self, source: Source = GAMES) -> DistributedLog:
        """One process's handle of a service's side."""
        self.start(source)
        log = DistributedLog(self.urls[source], source, self.broker)
        self._logs.append(log)
        return log

    def start(self, *sources: Source) -> None:
        """Start the workers that do not run."""
        for source in sources or tuple(self.urls):
            if source not in self.workers:
                self.workers[source] = Worker(self.urls[source], source, self.broker)

    def stop(self, *sources: Source) -> None:
        """End workers, all at once."""
        ending = [self.workers.pop(source) for source in sources or tuple(self.workers)]
        for worker in ending:
            worker.stop.set()
        for worker in ending:
            worker.end()

    def settle(self) -> None:
        """Wait until every line is in the ledger of every worker that runs."""
        for worker in self.workers.values():
            until(lambda worker=worker: worker.log.waiting()[0] == 0, "for the relays")
        for worker in self.workers.values():
            until(worker.settled, "for the followers")

    def close(self) -> None:
        with ThreadPoolExecutor(len(self._logs) or 1) as threads:
            list(threads.map(DistributedLog.close, self._logs))
        self.stop()
        for url in self.urls.values():
            self.servers.give_back(url)


def read_world(file: Path) -> tuple[dict[Source, str], Broker]:
    """Return the databases and the broker of a world, for another process."""
    said = json.loads(file.read_text())
    return said["urls"], Broker(said["bootstrap"], partitions=3)


def found(file: Path, source: Source) -> DistributedLog:
    """A handle for another process."""
    urls, broker = read_world(file)
    return DistributedLog(urls[source], source, broker)


def cut_last_batch(kafka: Path, topic: str, partition: int) -> None:
    """Take the last batch out of a dead broker's own file, as a disk would that lost what was not flushed."""
    (file,) = kafka.rglob(f"{topic}-{partition}/*.log")
    content, at, last = file.read_bytes(), 0, 0
    while at < len(content):
        last, at = at, at + 12 + int.from_bytes(content[at + 8 : at + 12])
    with file.open("r+b") as opened:
        opened.truncate(last)


def line(source: Source, stream: str, number: int, text: str = "") -> bytes:
    """A line as far as a backend looks into it."""
    return (
        f'{{"source":"{source}","sourceseq":{number},"subject":"{stream}","causationid":"c","text":"{text}"}}'
    ).encode()


def write(log: DistributedLog, count: int = 3, stream: str = T, command: str | None = None, text: str = "") -> None:
    """``count`` commands of one line each, numbered under the lock."""
    for _ in range(count):
        with log.transaction([stream]) as tx:
            held = sum(r.source == log.source for r in log.lines(stream))
            number = held + len(tx.own_since({stream: held})) + 1
            data = line(log.source, stream, number, text)
            tx.append([NewRow(stream, number, log.source, number, command or f"{log.source}{stream}{number}", 0, data)])


def lines(log: DistributedLog, stream: str = T) -> list[bytes]:
    return [r.line for r in log.lines(stream)]
