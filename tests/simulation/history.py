"""One history: services, their clients and the faults that a seed chooses, up to the state that is checked."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field

from kafka import TopicPartition

from shared.core.terms import GAMES, PAIRING, PENALTIES, SOURCES, STANDINGS, Source, service_of
from shared.log.distributed import DistributedLog
from shared.log.kafka.broker import TEXTS
from shared.log.kafka.broker import TOURNAMENTS as OFFICIAL
from shared.log.worker.repair import rebuild_topics
from shared.log.worker.worker_lock import NotPossible
from tests.simulation import broker, scheduler, seams
from tests.simulation.broker import SETTINGS, Cluster
from tests.simulation.clients import Client, Sent
from tests.simulation.house import House, Web, Worker
from tests.simulation.opening import TOURNAMENTS, databases, opening
from tests.simulation.scheduler import Process, Scheduler

_SERVICES: tuple[tuple[Source, ...], ...] = (
    (GAMES, PENALTIES),
    (GAMES, PAIRING),
    (PAIRING, PENALTIES),
    (GAMES, STANDINGS),
    (GAMES, PAIRING, PENALTIES),
)
_SETTLES_SECONDS = 60.0
_FOLLOWER_ROWS = "SELECT why FROM halted UNION ALL SELECT what FROM findings WHERE acknowledged IS NULL"


@dataclass
class History:
    """The outcome of a history: everything that its check needs."""

    seed: int
    scheduler: Scheduler
    house: House
    cluster: Cluster
    sent: list[Sent] = field(default_factory=list)
    excused: set[str] = field(default_factory=set)
    """IDs of commands that a restored backup did not contain and that no topic had: nothing can bring them back."""
    lossy: bool = False
    """Whether the broker lost records that it had confirmed."""
    reported: list[str] = field(default_factory=list)
    """Halts and findings before an operator repaired anything."""
    repaired: bool = True
    """Whether the operator could repair what was lost."""


def play(seed: int) -> History:
    """Play the history of a seed. Call it within `seams.seams`."""
    start = opening()
    running = scheduler.begin(seed)
    cluster = broker.use(start.cluster.copy())
    for source, database in databases().items():
        database.reset(start.contents[source])
    house = House(running, databases(), running.rng.choice(_SERVICES))
    seams.use(house)
    history = History(seed, running, house, cluster)
    try:
        running.run(house.process("operator"), _Play(history).run)
    finally:
        running.close(house.processes)
    return history


class _Play:
    """The operator's task, which also brings the faults about."""

    def __init__(self, history: History) -> None:
        self.history, self.scheduler, self.house = history, history.scheduler, history.house
        self.rng, self.cluster = history.scheduler.rng, history.cluster
        self._in_repair: set[Source] = set()
        """Services whose database is being restored, so that no supervisor starts anything."""

    def run(self) -> None:
        rng, house, scheduler = self.rng, self.house, self.scheduler
        self.cluster.loses_answers = rng.choice((0.0, 0.0, 0.1, 0.3))
        for source in house.sources:
            for _ in range(rng.choice((1, 2))):
                house.start_worker(source)
            for _ in range(rng.choice((1, 1, 2))):
                house.start_web(source)
        clients = [Client(house, scheduler, n, TOURNAMENTS) for n in range(rng.randint(2, 3))]
        scheduler.wait(0.7)
        working = [scheduler.spawn(c.process, lambda c=c: c.run(rng.randint(3, 7))) for c in clients]
        for _ in range(rng.randint(0, 4)):
            scheduler.wait(rng.expovariate(4))
            self._fault()
        for task in working:
            task.done.wait()
        self.history.sent = [sent for client in clients for sent in client.sent]
        self._heal()
        self._settle()
        self._note_reports()
        if self.history.lossy and self._halted():
            self._repair()

    # ------------------------------------------------------------ faults

    def _fault(self) -> None:
        source = self.rng.choice(self.house.sources)
        faults: tuple[tuple[int, Callable[[Source], None]], ...] = (
            (6, self._die_at_commit),
            (5, self._kill_worker),
            (3, self._kill_web),
            (4, self._pause),
            (4, self._cut),
            (3, self._restart_broker),
            (3, self._fill_disk),
            (3, self._lose_database),
            (3, self._lose_locks),
            (4, self._restore_backup),
            (2, self._lose_records),
        )
        act = self.rng.choices([fault for _, fault in faults], [weight for weight, _ in faults])[0]
        act(source)

    def _die_at_commit(self, source: Source) -> None:
        """Kill a process right before or after its next commit, which may be that of an answer."""
        process = self.rng.choice(self.house.alive(source) or [None])
        if process is not None:
            self.house.databases[source].dies.append((process, self.rng.random() < 0.7))
            self._later(1.0, lambda: self.house.kill(process) if not process.dead else None)
            self._later(1.0 + self.rng.random(), lambda: self._start(source))

    def _kill_worker(self, source: Source) -> None:
        self._kill(source, [w for w in self.house.workers[source] if not w.dead])

    def _kill_web(self, source: Source) -> None:
        self._kill(source, [w for w in self.house.webs[source] if not w.dead])

    def _kill(self, source: Source, processes: "list[Worker] | list[Web]") -> None:
        if processes:
            self.house.kill(self.rng.choice(processes))
            self._later(self.rng.random(), lambda: self._start(source))

    def _pause(self, source: Source) -> None:
        process = self.rng.choice(self.house.alive(source) or [None])
        if process is not None:
            self.scheduler.note("is paused", process)
            self.house.pause(process)
            self._later(self.rng.random() * 5, lambda: self._resume(process))

    def _resume(self, process: Process) -> None:
        if process.paused:
            self.scheduler.note("continues", process)
            self.scheduler.resume(process)

    def _cut(self, source: Source) -> None:
        process = self.rng.choice(self.house.alive(source) or [None])
        if process is not None:
            self.scheduler.note("is cut off from the broker", process)
            process.cut = True
            self._later(self.rng.random() * 4, lambda: self._join(process))

    def _join(self, process: Process) -> None:
        process.cut = False
        self.scheduler.note("reaches the broker again", process)

    def _restart_broker(self, _source: Source) -> None:
        if self.cluster.up:
            self.cluster.stop()
            self._later(self.rng.random() * 3, lambda: None if self.cluster.up else self.cluster.start({}))

    def _lose_records(self, _source: Source) -> None:
        """Restart the broker without the last records of a partition."""
        places = [TopicPartition(OFFICIAL, n) for n in range(broker.PARTITIONS)]
        places.append(TopicPartition(TEXTS, 0))
        place = self.rng.choice(places)
        partition = self.cluster.at(place)
        before = sum(r.topic == place.topic and r.partition == place.partition for r in opening().cluster.all)
        most = len(partition.records) - before if partition is not None else 0
        if most > 0:
            self.cluster.stop()
            self.history.lossy = True
            self.scheduler.wait(0.2)
            self.cluster.start({place: self.rng.randint(1, min(3, most))})

    def _fill_disk(self, source: Source) -> None:
        self.scheduler.note(f"the disk of {service_of(source)} fills")
        self.house.databases[source].full_for = self.rng.randint(1, 5)

    def _lose_database(self, source: Source) -> None:
        self.house.databases[source].away_for = self.rng.randint(1, 3)
        self._lose_locks(source)

    def _lose_locks(self, source: Source) -> None:
        """End the sessions that hold the locks, while records of a relay are still on their way."""
        self.scheduler.note(f"the sessions of {service_of(source)} are lost")
        self.house.start_worker(source)
        self.house.lose_locks(None, source)

    def _restore_backup(self, source: Source) -> None:
        """Take a backup now, and put it back some time later. Events that no topic has by then are lost."""
        backup = self.house.databases[source].backup()
        self.scheduler.note(f"a backup of {service_of(source)} is taken")
        self.scheduler.wait(self.rng.random())
        self._in_repair.add(source)
        for process in self.house.alive(source):
            # The manual requires that all are stopped. Only a process that has looked at the newer state notices a restore.
            self.house.kill(process)
        self.scheduler.wait(0.4)  # records that had been sent have arrived by then
        database = self.house.databases[source]
        sent = {id for record in self.cluster.all for id in _commands(record.value)}
        written = {row[0] for row in database.rows("SELECT DISTINCT command FROM events")}
        # The first record of a command may be in its topic while the second is only in the outbox, which is lost.
        values = {record.value for record in self.cluster.all}
        unsent = [row[0] for row in database.rows("SELECT record FROM outbox") if row[0] not in values]
        database.put_back(backup)
        kept = {row[0] for row in database.rows("SELECT DISTINCT command FROM events")}
        self.history.excused |= (written - kept - sent) | ({id for one in unsent for id in _commands(one)} - kept)
        self.scheduler.note(f"the backup of {service_of(source)} is put back, {len(written - kept)} commands later")
        self.scheduler.wait(self.rng.random() * 0.3)
        for process in self.house.alive(source):
            self.house.kill(process)
        self._in_repair.discard(source)
        self._start(source)

    def _later(self, seconds: float, act: Callable[[], None]) -> None:
        self.scheduler.later(seconds, act)

    def _start(self, source: Source) -> None:
        """Start what a supervisor starts: a worker and a web process, if none is left."""
        if source in self._in_repair:
            return
        if not any(not worker.dead for worker in self.house.workers[source]):
            self.house.start_worker(source)
        if not any(not web.dead for web in self.house.webs[source]):
            self.house.start_web(source)

    # ------------------------------------------------------------ the end

    def _heal(self) -> None:
        """End every fault, and start every worker again that has halted."""
        self.scheduler.note("everything is repaired that needs no decision")
        self.cluster.loses_answers = 0.0
        if not self.cluster.up:
            self.cluster.start({})
        for source in self.house.sources:
            database = self.house.databases[source]
            database.full_for = database.away_for = 0
            database.dies.clear()
            for process in self.house.alive(source):
                process.cut = False
                self._resume(process)
                if isinstance(process, Worker) and process.halted:
                    self.house.kill(process)
            self._start(source)

    def _settle(self) -> None:
        """Wait until everything is sent and read, or a worker has halted. Raises AssertionError if neither happens."""
        until = self.scheduler.now + _SETTLES_SECONDS
        for source in self.house.sources:
            self.house.databases[source].driver.execute("UPDATE worker SET asked = asked + 1")
        while not (self.house.settled() and self._answered()) and not self._halted():
            self.scheduler.wait(0.2)
            assert self.scheduler.now < until, "the house does not settle"

    def _answered(self) -> bool:
        """Return whether every follower has been at the end of the log since it was asked."""
        return not any(
            self.house.databases[s].rows("SELECT 1 FROM worker WHERE answered < asked") for s in self.house.sources
        )

    def _halted(self) -> bool:
        return any(worker.halted for source in self.house.sources for worker in self.house.workers[source])

    def _note_reports(self) -> None:
        for source in self.house.sources:
            rows = self.house.databases[source].rows(_FOLLOWER_ROWS)
            self.history.reported += [f"{service_of(source)}: {why}" for (why,) in rows]

    def _repair(self) -> None:
        """Rebuild the topics from the databases of all four services, as an operator does after a halt."""
        self.scheduler.note("the operator rebuilds the topics")
        for source in self.house.sources:
            for process in self.house.alive(source):
                self.house.kill(process)
        self.scheduler.wait(1.0)
        try:
            rebuild_topics([DistributedLog(service_of(source), source) for source in SOURCES], SETTINGS)
        except NotPossible as why:
            self.scheduler.note(f"not possible: {why}")
            self.history.repaired = False
            return
        for source in self.house.sources:
            self.house.workers[source].clear()
            self._start(source)
        self._settle()


def _commands(value: bytes | None) -> set[str]:
    """Return the commands that a record's events name."""
    found = set()
    for line in (value or b"").split(b"\n"):
        try:
            found.add(json.loads(line)["causationid"])
        except (ValueError, KeyError):
            continue
    return found
