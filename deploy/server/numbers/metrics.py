"""Metrics for Prometheus: the log, the worker, checkpoints, the clock and webhooks."""

import threading
import time
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from sqlalchemy.exc import DatabaseError

from shared.audit.checkpoints.signer_memory import MemoryLost, SignerMemory
from shared.audit.evidence.named_texts import NamedText, NamedTexts
from shared.core.language.messages import say
from shared.log.port import START, Cursor, Log, LogUnavailable, Row, moved
from shared.log.sql.worker_state import FOLLOWER, KINDS, RELAY

if TYPE_CHECKING:  # an embedded server needs no Kafka
    from shared.log.distributed import DistributedLog
    from shared.log.worker.follower import Follower
    from shared.log.worker.relay import Relay


class LogNumbers(Collector):
    """Metrics read from the service's database at each request; unreadable values are omitted."""

    def __init__(self, log: "DistributedLog") -> None:
        self._log = log

    def collect(self) -> Iterable[Metric]:
        try:
            waiting, age = self._log.waiting()
            parked, silent, halted = len(self._log.parked()), self._log.alive(), self._log.halts()
            found, lost, revoked = self._log.findings(), len(self._log.lost()), self._log.revocations()
            unowned = sum(1 for member in self._log.owners().values() if not member)
        except LogUnavailable:
            yield _gauge("arbiter_database_up", "Whether the service's database answers", 0)
            return
        yield _gauge("arbiter_database_up", "Whether the service's database answers", 1)
        yield _gauge("arbiter_outbox_records", "Records that wait for Kafka", waiting)
        yield _gauge("arbiter_relay_age_seconds", "Age of the oldest record that waits for Kafka", age)
        yield _gauge(
            "arbiter_parked_tournaments", "Tournaments stopped by a fork, another root or a foreign line", parked
        )
        yield _gauge("arbiter_lost_events", "Own events that no ledger holds, neither sent again nor given up", lost)
        yield _gauge("arbiter_revocations", "Revocations of tokens that are known here", revoked)
        kinds = GaugeMetricFamily(
            "arbiter_topic_findings", "What was found in the topics and not acknowledged, in records", labels=["kind"]
        )
        for kind in KINDS:
            kinds.add_metric([kind], float(sum(f.records for f in found if f.kind == kind)))
        yield kinds
        halts = GaugeMetricFamily(
            "arbiter_halted", "Whether a part of the worker waits for an operator", labels=["part"]
        )
        for part in (FOLLOWER, RELAY):
            halts.add_metric([part], float(part in halted))
        yield halts
        yield _gauge("arbiter_partitions_unowned", "Partitions that no worker sends and reads", unowned)
        lag = self._log.lag()
        if lag is not None:
            yield _gauge("arbiter_worker_lag_records", "Records of the topics that the worker has not read", lag)
        if silent is not None:
            yield _gauge("arbiter_worker_silent_seconds", "Time since the worker's last sign of life", silent)


class WorkerNumbers(Collector):
    """Counters of one worker since its start."""

    def __init__(self, relay: "Relay", follower: "Follower", partitions: Callable[[], Sequence[int]]) -> None:
        self._relay, self._follower, self._partitions = relay, follower, partitions

    def collect(self) -> Iterable[Metric]:
        relay, follower = self._relay, self._follower
        yield _gauge("arbiter_relay_holds", "Whether this worker's relay sends records", relay.holds)
        yield _gauge("arbiter_follower_holds", "Whether this worker's follower reads records", follower.holds)
        yield _gauge("arbiter_worker_partitions", "Partitions that this worker has claimed", len(self._partitions()))
        yield _counter("arbiter_relay_sent", "Records confirmed by Kafka", relay.sent)
        yield _counter("arbiter_relay_failures", "How often the relay went back to the front", relay.failures)
        yield _counter("arbiter_follower_lines", "Lines appended to the ledger", follower.lines_taken)
        yield _counter("arbiter_forks", "Forks, other roots and foreign lines found", follower.forks)
        yield _counter("arbiter_strangers", "Records read that are no lines", follower.strangers)


def _gauge(name: str, meaning: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(name, meaning, value=float(value))


def _counter(name: str, meaning: str, value: float) -> CounterMetricFamily:
    return CounterMetricFamily(name, meaning, value=float(value))


def checkpoint_facts(memory: SignerMemory) -> dict[str, Any]:
    """``refused``: why, by origin; ``witnesses``: why, by name. Without what is well."""
    if not memory.path.exists():
        return {}
    try:
        refused = {origin: str(why) for origin, why in memory.refusals().items()}
        silent = {name: str(why) for name, why in memory.witnesses().items() if why}
    except MemoryLost as problem:
        return {"checkpoints": {"memory": str(problem)}}
    found = {"refused": refused, "witnesses": silent}
    return {"checkpoints": {name: why for name, why in found.items() if why}} if refused or silent else {}


class CheckpointNumbers(Collector):
    """Read from the signer's memory when they are asked for."""

    def __init__(self, memory: SignerMemory) -> None:
        self._memory = memory

    def collect(self) -> Iterable[Metric]:
        usable, refused, asked = 1.0, 0, {}
        try:
            if self._memory.path.exists():
                refused, asked = len(self._memory.refusals()), dict(self._memory.witnesses())
        except MemoryLost:
            usable = 0.0
        yield GaugeMetricFamily("arbiter_signer_memory_up", "Whether the signer's memory can be used", value=usable)
        yield GaugeMetricFamily(
            "arbiter_checkpoints_refused", "Logs that were not signed: shorter than before, or changed", value=refused
        )
        up = GaugeMetricFamily(
            "arbiter_witness_up", "Whether a witness cosigned when it was last asked", labels=["witness"]
        )
        for name, why in asked.items():
            up.add_metric([name], float(not why))
        yield up


_TIME = b'"time":"'
_TIME_LENGTH = len("2026-11-21T09:30:00.000000Z")
_LINES = 5000
"""Lines looked at when it is asked for the first time, the last of the log, and at once."""


def latest_time(lines: Iterable[bytes]) -> datetime | None:
    """Return the latest time of the lines. All times of a log have one form, so their texts sort in order."""
    starts = [(line, line.find(_TIME) + len(_TIME)) for line in lines if _TIME in line]
    text = max((line[at : at + _TIME_LENGTH] for line, at in starts), default=b"")
    try:
        return datetime.fromisoformat(text.decode())
    except ValueError:
        return None


class ClockNumbers(Collector):
    """The latest time of the lines that a log has got; those that came since are read when it is asked."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._read: Cursor | None = None
        self._latest: datetime | None = None

    def collect(self) -> Iterable[Metric]:
        try:
            self._look()
        except LogUnavailable:
            return
        ahead = 0.0 if self._latest is None else (self._latest - datetime.now(UTC)).total_seconds()
        meaning = "How far the latest time in the log is ahead of this machine's clock"
        yield GaugeMetricFamily("arbiter_clock_ahead_seconds", meaning, value=max(0.0, ahead))

    def _look(self) -> None:
        if self._read is None:
            self._read = {partition: max(0, pos - _LINES) for partition, pos in self._log.end().items()}
        while rows := self._log.tail(self._read, _LINES):
            self._read = moved(self._read, rows)
            found = latest_time(row.line for row in rows)
            if found is not None:
                self._latest = max(found, self._latest or found)


class WebhookNumbers(Collector):
    """Read from the database when they are asked for; left out where it cannot be read now."""

    def __init__(self, log: Log) -> None:
        self._log = log

    def collect(self) -> Iterable[Metric]:
        try:
            hooks = self._log.webhooks.every()
        except LogUnavailable:
            return
        stopped = sum(1 for hook in hooks if hook.stopped)
        failing = sum(1 for hook in hooks if hook.tries and not hook.stopped)
        yield GaugeMetricFamily("arbiter_webhooks", "Addresses that new lines are sent to", value=len(hooks))
        yield GaugeMetricFamily("arbiter_webhooks_failing", "Of them, those that are tried again", value=failing)
        yield GaugeMetricFamily("arbiter_webhooks_stopped", "Of them, those that wait to be resumed", value=stopped)


_AT_ONCE = 1000
"""Lines read, and texts asked for, at one look: the cost of a look does not grow with the log."""
_AGAIN_SECONDS = 5.0
_TOLD = 12


class LostTexts(Collector):
    """The missing texts that a log and its score sheets refer to.

    A look reads the lines that came, and asks for the next part of all texts, over and over. Apart from the log, a text and
    the line that names it come by different topics: one counts as lost where it was asked for twice, ``again`` seconds apart.
    """

    def __init__(self, log: Log, again: float = _AGAIN_SECONDS) -> None:
        self._log, self._again, self._due = log, again, 0.0
        self._named, self._own, self._ledger, self._place = NamedTexts(), 0, START, 0
        self._missing: dict[str, NamedText] = {}
        self._lost: dict[str, NamedText] = {}
        self._lock = threading.Lock()

    def facts(self) -> dict[str, Any]:
        """``texts``: in a line each, at most `_TOLD`; nothing where none is lost."""
        lost = self._look()
        told = [
            say("{t}, {place}: the text {hash}… is missing", t=text.tournament, place=text.place, hash=text.hash[:16])
            for text in lost[:_TOLD]
        ]
        if len(lost) > _TOLD:
            told.append(say("and {number} more: `{command}`", number=len(lost) - _TOLD, command="arbiter doctor"))
        return {"texts": list(map(str, told))} if told else {}

    def collect(self) -> Iterable[Metric]:
        meaning = "Texts that lines name, that nobody has erased, and that are not there"
        yield GaugeMetricFamily("arbiter_lost_texts", meaning, value=len(self._look()))

    def _look(self) -> list[NamedText]:
        with self._lock:
            if time.monotonic() >= self._due:
                self._due = time.monotonic() + self._again
                try:
                    self._read_on()
                    self._ask()
                except (LogUnavailable, DatabaseError):
                    pass  # Reported by readyz itself, damaged pages too; the known texts stay.
            return list(self._lost.values())

    def _read_on(self) -> None:
        own, ledger = self._log.own_tail(self._own, _AT_ONCE), list[Row]()
        if not self._log.immediate:
            ledger = self._log.tail(self._ledger, _AT_ONCE)
        self._named.read(ledger)
        self._named.read(row for row in own if row.seq)
        self._own = own[-1].pos if own else self._own
        self._ledger = moved(self._ledger, ledger)

    def _ask(self) -> None:
        asked = self._named.part(self._place, _AT_ONCE)
        self._place = self._place + len(asked) if self._place + len(asked) < len(self._named) else 0
        missing = {text.hash: text for text in self._named.missing(self._log.texts([t.hash for t in asked]), asked)}
        for text in asked:
            again = text.hash in missing
            _put(self._lost, text, again and text.hash in self._missing)
            _put(self._missing, text, again)


def _put(kept: dict[str, NamedText], text: NamedText, whether: bool) -> None:
    if whether:
        kept[text.hash] = text
    else:
        kept.pop(text.hash, None)
