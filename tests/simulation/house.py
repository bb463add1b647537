"""The processes of the simulated services: web processes and workers, as the product runs them, on the model's broker."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

from sqlalchemy.engine import Connection

from deploy.server.rules import RULES
from shared.core.language.messages import say
from shared.core.terms import Source, service_of
from shared.desk.desk import Desk
from shared.desk.event_writer import Clock
from shared.log.distributed import DistributedLog
from shared.log.kafka.broker import FOLLOWS
from shared.log.port import LogUnavailable
from shared.log.sql import owners
from shared.log.sql.owners import Claims
from shared.log.sql.worker_state import Halted
from shared.log.worker import follower, membership, relay, worker_lock
from tests.simulation import broker
from tests.simulation import scheduler as tasks
from tests.simulation.broker import SETTINGS
from tests.simulation.databases import Database
from tests.simulation.scheduler import EPOCH, Process, Scheduler, current

_POSITIONS = "SELECT topic, partition, next FROM positions WHERE reader = 'follower'"


class Gone(Exception):
    """The process that should answer has ended."""


class Lock(worker_lock.Lock):
    """A lock of the database that is lost with the session of its process."""

    def __init__(self, log: DistributedLog, database: Database, process: Process, claims: Claims | None) -> None:
        super().__init__(log, None, claims)
        self.database, self.process, self.lost = database, process, False

    def wait(self, seconds: float) -> bool:
        """Wait until the outbox has changed."""
        self.database.wait_for("SELECT max(id) FROM outbox", seconds)
        return True

    @contextmanager
    def begin(self) -> Iterator[Connection]:
        if self.lost:
            raise LogUnavailable(say("the connection that held the lock is lost"))
        with super().begin() as connection:
            if self.claims is not None:
                owners.fence(connection, self.claims)
            yield connection


class House:
    """Databases and processes by service."""

    def __init__(self, scheduler: Scheduler, databases: Mapping[Source, Database], sources: Sequence[Source]) -> None:
        self.scheduler, self.databases, self.sources = scheduler, databases, sources
        self.webs: dict[Source, list[Web]] = {source: [] for source in sources}
        self.workers: dict[Source, list[Worker]] = {source: [] for source in sources}
        self.processes: list[Process] = []
        self.locks: dict[tuple[str, str], list[Lock]] = {}

    def process(self, name: str) -> Process:
        process = Process(name)
        self.processes.append(process)
        return process

    def start_web(self, source: Source) -> None:
        web = Web(f"{service_of(source)}/web{len(self.webs[source]) + 1}", self, source)
        self.processes.append(web)
        self.webs[source].append(web)
        self.scheduler.spawn(web, web.open)

    def start_worker(self, source: Source) -> None:
        worker = Worker(f"{service_of(source)}/worker{len(self.workers[source]) + 1}", self, source)
        self.processes.append(worker)
        self.workers[source].append(worker)
        self.scheduler.spawn(worker, worker.open)

    def alive(self, source: Source) -> "list[Web | Worker]":
        return [process for process in (*self.webs[source], *self.workers[source]) if not process.dead]

    def settled(self) -> bool:
        """Return whether every service has sent all of its own records and read all that there are."""
        ends = {
            (topic, n): len(partition.records)
            for topic, (_, partitions) in broker.CLUSTER.topics.items()
            for n, partition in enumerate(partitions)
        }
        for source in self.sources:
            database = self.databases[source]
            held = {(t, n): at for t, n, at in database.rows(_POSITIONS)}
            if database.rows("SELECT 1 FROM outbox LIMIT 1"):
                return False
            if any(held.get((topic, n), 0) < end for (topic, n), end in ends.items() if topic in FOLLOWS[source]):
                return False
        return True

    @contextmanager
    def hold(self, log: DistributedLog, name: str, stop: Any, claims: Claims | None = None) -> Iterator[Lock | None]:
        """`worker_lock.hold`, for a database that grants locks to sessions: workers with claims share them."""
        task = self.scheduler.task
        assert task is not None
        held = self.locks.setdefault((log.url, name), [])
        while not stop.is_set():
            held[:] = [lock for lock in held if not lock.lost and not lock.process.dead]
            if not held or (claims is not None and all(lock.claims is not None for lock in held)):
                lock = Lock(log, self.databases[log.source], task.process, claims)
                held.append(lock)
                try:
                    yield lock
                finally:
                    if lock in held:
                        held.remove(lock)
                return
            stop.wait(0.25)
        yield None

    def pause(self, process: Process) -> None:
        """Stop a process, as SIGSTOP does. Its sessions of the database stay."""
        process.paused = True

    def lose_locks(self, process: Process | None, source: Source | None = None) -> None:
        """End the sessions of a process, or all of a service's database."""
        for lock in [lock for held in self.locks.values() for lock in held]:
            lock.lost |= lock.process is process or (source is not None and lock.database is self.databases[source])

    def kill(self, process: Process) -> None:
        process.paused = False
        self.scheduler.note("is killed", process)
        self.scheduler.kill(process)


class Web(Process):
    """A web process: a command handler that answers calls."""

    def __init__(self, name: str, house: House, source: Source) -> None:
        super().__init__(name)
        self._house, self.source = house, source
        self.desk: Desk | None = None
        self.back_seconds = house.scheduler.rng.choice((0.0, 0.0, 2.0))
        """How long an answer waits for its events; without waiting, more records are on their way at once."""

    def open(self) -> None:
        log = DistributedLog(service_of(self.source), self.source)
        self.desk = Desk(
            log, {self.source: RULES[self.source]}, lambda *_: "", table=RULES,
            clock=Clock(lambda: datetime.fromtimestamp(EPOCH + current().now, UTC)),
            back_seconds=self.back_seconds,
            unread_seconds=0,
        )  # fmt: skip

    def call(self, work: Callable[[Desk], Any]) -> Any:
        """Let this process do something for another one, which waits. Raises `Gone` if it ends before it has answered."""
        answers: list[Any] = []

        def answer() -> None:
            assert self.desk is not None
            try:
                answers.append(work(self.desk))
            except Exception as problem:
                answers.append(problem)

        if self.dead or self.desk is None:
            raise Gone
        task = self._house.scheduler.spawn(self, answer)
        task.done.wait()
        self._house.scheduler.pause()
        if not answers or self.dead:
            raise Gone
        if isinstance(answers[0], Exception):
            raise answers[0]
        return answers[0]


class Worker(Process):
    """A worker: relay and follower of the partitions that it owns as a member of its service's group."""

    def __init__(self, name: str, house: House, source: Source) -> None:
        super().__init__(name)
        self._house, self.source = house, source
        self.halted = ""

    def open(self) -> None:
        stop, name = tasks.Event(), service_of(self.source)
        shared: Any = membership.Membership(DistributedLog(name, self.source), SETTINGS, stop)  # type: ignore[arg-type]
        parts = (
            shared,
            follower.Follower(DistributedLog(name, self.source), SETTINGS, stop, owned=shared),  # type: ignore[arg-type]
            relay.Relay(DistributedLog(name, self.source), SETTINGS, stop, shared),  # type: ignore[arg-type]
        )
        for part in parts:
            self._house.scheduler.spawn(self, lambda part=part: self._run(part.run))

    def _run(self, work: Callable[[], None]) -> None:
        try:
            work()
        except Halted as problem:
            self.halted = str(problem)
            current().note(f"halts: {problem}")
