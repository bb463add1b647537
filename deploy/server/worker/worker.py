"""The worker of one service: `python -m deploy.server.worker.worker`.

Its relay sends the service's records to Kafka, and its follower appends the topics' records to the ledger. The workers of a
service share the partitions (`shared.log.worker.membership`). A problem that an operator must solve is logged and shown by
``/readyz``, and the process keeps running. An unforeseen error ends the process.
"""

import faulthandler
import logging.config
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

from prometheus_client.registry import Collector

from deploy.server import service_database
from deploy.server.distributed import (
    announcers,
    house_signer,
    open_desk,
    revocation_facts,
    revocation_topic,
    service_keys,
    topic_facts,
)
from deploy.server.gunicorn_app import JSON_LOG, SWITCH_SECONDS
from deploy.server.keys.signer_socket import SignerServer
from deploy.server.keys.signing_key import NewLogPermit
from deploy.server.keys.witness_client import configured
from deploy.server.keys.witness_loop import WitnessLoop
from deploy.server.numbers.metrics import LogNumbers, WebhookNumbers, WorkerNumbers
from deploy.server.people.people_consumer import PeopleConsumer
from deploy.server.projector import CALENDAR, Projector
from deploy.server.rules import RULES
from deploy.server.settings import BadSetting, Settings, settings
from deploy.server.webhooks.webhook_client import WebhookClient
from deploy.server.webhooks.webhook_sender import WebhookSender
from deploy.server.worker.worker_http import WorkerServer
from shared import structured_log
from shared.audit.keys.key_files import BadKeys
from shared.core.language.messages import say
from shared.core.rulebook.editions import write_edition, written_edition
from shared.desk.desk import Desk
from shared.log.distributed import DistributedLog
from shared.log.port import BadDatabase, Cursor, LogUnavailable, moved
from shared.log.sql.worker_state import Halted
from shared.log.worker.follower import Follower
from shared.log.worker.membership import Membership, SoleOwner
from shared.log.worker.relay import Relay

_LOOK_SECONDS = 1.0
"""Seconds between two checks if no new event causes one, because an automatic command that failed is still due."""


class Findings:
    """Queues the automatic commands that are due, in a thread of a service's worker.

    The web processes do so after the events that they write.
    """

    def __init__(self, desk: Desk, log: DistributedLog, stop: threading.Event) -> None:
        self._desk, self._log, self._stop = desk, log, stop
        self._changed = threading.Event()
        self._read: Cursor | None = None
        self._open: set[str] = set()

    def run(self) -> None:
        """Check until ``stop`` is set, but not while the database is unavailable or the log is not read to its end."""
        watched = False
        while not self._stop.is_set():
            self._changed.clear()
            try:
                if not watched:
                    self._log.subscribe(self._changed.set)
                    watched = True
                if self._log.unready() is None:
                    self._look()
            except LogUnavailable:
                pass  # It may return. Until then, the relay and the follower report it.
            self._changed.wait(_LOOK_SECONDS)

    def wake(self) -> None:
        """End the pause between two checks, so that ``stop`` is noticed at once."""
        self._changed.set()

    def _look(self) -> None:
        """Check every tournament the first time, then those with new events or with commands that are still due."""
        if self._read is None:
            end = self._log.end()
            streams = set(self._log.streams("tournaments/")) - self._log.resting()
            self._open = {stream.partition("/")[2] for stream in streams}
            self._read = end
        self._desk.folds.refresh()
        rows = self._log.tail(self._read)
        self._read = moved(self._read, rows)
        self._open |= {row.stream.partition("/")[2] for row in rows}
        self._open = {t for t in self._open if self._desk.queue_due(t)}


GRACE_SECONDS = 8.0
"""Maximum time for a thread to end its work, in seconds."""


class Worker:
    """Runs the relay, the follower and, if the service's rules have automatic commands, `Findings`, each in a thread.

    The worker of standings also signs checkpoints, has them cosigned, sends webhooks, and keeps the
    projections of people and of the calendar.
    """

    def __init__(self, chosen: Settings) -> None:
        assert chosen.distributed is not None
        write_edition(chosen.edition)
        self.stop = threading.Event()
        self.failed = threading.Event()
        self._halted: dict[str, str] = {}
        self._service = chosen.distributed
        service = chosen.distributed
        if service.replica:
            raise BadSetting(say("a worker writes: set ARBITER_DATABASE_URL instead of ARBITER_REPLICA_URL"))
        service_database.check(chosen.data, service)
        self._log, sending, reading, sharing = (DistributedLog(service.database, service.source) for _ in range(4))
        self._logs = (self._log, sending, reading, sharing)
        self._left = threading.Event()
        self._owned: SoleOwner | Membership = SoleOwner(sharing, service.broker)
        if sharing.postgres:
            self._owned = Membership(sharing, service.broker, self._left)
        self._relay = Relay(sending, service.broker, self.stop, self._owned)
        own_keys = service_keys(chosen.data, service).own(service.source)
        begun_by = announcers(chosen.data, service)
        revocations = revocation_topic(chosen.data, service, begun_by)
        self._follower = Follower(
            reading,
            service.broker,
            self.stop,
            own_keys=own_keys,
            announcers=begun_by,
            revocations=revocations,
            permit=NewLogPermit(chosen.data, service.source),
            owned=self._owned,
        )
        self._desk: Desk | None = None
        self._signer = house_signer(chosen.data) if service.service == "standings" else None
        if RULES[service.source].answers or self._signer is not None:
            sign = None if self._signer is None else self._signer.sign
            self._desk, self._own = open_desk(chosen.data, service, sign, back_seconds=0)
        self._findings: Findings | None = None
        if self._desk is not None and RULES[service.source].answers:
            self._findings = Findings(self._desk, self._own, self.stop)
        self._loops: list[WitnessLoop | WebhookSender | Projector] = []
        numbers: tuple[Collector, ...] = (
            LogNumbers(self._log),
            WorkerNumbers(self._relay, self._follower, self.partitions),
        )
        if self._desk is not None and self._signer is not None:
            client = WebhookClient(chosen.webhook_networks)
            self._loops = [
                WitnessLoop(self._desk, self._signer.memory, configured(chosen.data)),
                WebhookSender(self._desk, client, lambda: self._follower.holds and 0 in self.partitions()),
                Projector(self._desk, CALENDAR),
            ]
            numbers = (*numbers, WebhookNumbers(self._log))
        self._server = WorkerServer(chosen.host, chosen.port, self.state, numbers)
        self._threads = [
            threading.Thread(target=self._guarded, args=(name, work), name=name) for name, work in self._parts()
        ]

    def _parts(self) -> Iterator[tuple[str, Callable[[], None]]]:
        yield "relay", self._relay.run
        yield "follower", self._follower.run
        if self._findings is not None:
            yield "findings", self._findings.run
        if self._desk is not None and self._signer is not None:
            folder = self._signer.memory.path.parent
            yield "signer", SignerServer(self._desk, self._signer.sign, folder, self.stop).run
            yield "people", PeopleConsumer(self._desk, self._service.broker, self.stop).run

    def run(self) -> int:
        """Work until `stop` is set. Return 0, or 1 after an unforeseen error."""
        self._server.start()
        for loop in self._loops:
            loop.start()
        sharing = threading.Thread(target=self._guarded, args=("membership", self._owned.run), name="membership")
        for thread in (sharing, *self._threads):
            thread.start()
        while not self.stop.wait(_LOOK_SECONDS) and not self.failed.is_set():
            pass
        self.stop.set()
        if self._findings is not None:
            self._findings.wake()
        self._server.end()  # while the threads end: each takes up to half a second to notice
        for loop in self._loops:
            loop.end()
        for thread in self._threads:
            thread.join(GRACE_SECONDS)
        self._left.set()  # last: the partitions are not given away while something is written
        sharing.join(GRACE_SECONDS)
        if self._desk is not None:
            self._desk.close(_LOOK_SECONDS)
        for log in self._logs:
            log.close()
        return 1 if self.failed.is_set() else 0

    def partitions(self) -> list[int]:
        """Return the partitions that this worker has claimed, or an empty list if it cannot claim any now."""
        try:
            return sorted(self._owned.claims.epochs)
        except LogUnavailable:
            return []

    def state(self) -> tuple[bool, dict[str, Any]]:
        """Return whether the worker is ready, and the facts that ``/readyz`` reports."""
        facts: dict[str, Any] = {
            "service": self._service.service,
            "edition": written_edition().number,
            "lag": self._follower.lag(),
            "relay": self._relay.holds,
            "follower": self._follower.holds,
            "partitions": self.partitions(),
        }
        try:
            facts["waiting"], facts["age"] = self._log.waiting()
            facts["parked"] = {stream: str(why) for stream, why in self._log.parked().items()}
            facts["topics"], facts["tokens"] = topic_facts(self._log), revocation_facts(self._log)
            if halted := {part: why for part, why in self._log.halts().items() if part not in self._halted}:
                facts["why"] = "; ".join(map(str, halted.values()))
        except LogUnavailable as problem:
            facts["why"] = str(problem)
        if self._halted:
            facts["why"] = "; ".join((*self._halted.values(), *([facts["why"]] if "why" in facts else ())))
        # A worker that follows is ready when it knows where the topics end. One that stands by is ready at once.
        reading = self._follower.holds and facts["lag"] is None
        return "why" not in facts and not reading, facts

    def _guarded(self, name: str, work: Callable[[], None]) -> None:
        try:
            work()
        except Halted as problem:
            self._halted[name] = str(problem)
            structured_log.logger().error("halted", service=self._service.service, part=name, why=str(problem))
        except Exception as problem:
            structured_log.crash(name, problem, service=self._service.service)
            self.failed.set()


def main() -> int:
    """Run the worker of the service in ``ARBITER_SERVICE``. SIGUSR1 prints the stacks of its threads."""
    sys.setswitchinterval(SWITCH_SECONDS)
    structured_log.configure()
    logging.config.dictConfig(JSON_LOG)  # messages of psycopg and kafka-python
    faulthandler.register(signal.SIGUSR1)
    chosen = settings()
    try:
        worker = Worker(chosen)
    except (LogUnavailable, BadDatabase, BadKeys, BadSetting) as problem:
        structured_log.logger().error("not-started", why=str(problem))
        return 1
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: worker.stop.set())
    code = worker.run()
    structured_log.logger().info("ended", service=os.environ["ARBITER_SERVICE"], code=code)
    return code


if __name__ == "__main__":
    sys.exit(main())
