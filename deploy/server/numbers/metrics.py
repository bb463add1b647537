"""Numbers of the log for Prometheus: what waits, how far behind, what stands still."""

from collections.abc import Iterable

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from shared.log.distributed import DistributedLog
from shared.log.port import LogUnavailable
from shared.log.sql.findings import KINDS
from shared.log.sql.worker_state import FOLLOWER, RELAY
from shared.log.worker.follower import Follower
from shared.log.worker.relay import Relay


class LogNumbers(Collector):
    """Read from the service's database when they are asked for; what cannot be read now is left out."""

    def __init__(self, log: DistributedLog) -> None:
        self._log = log

    def collect(self) -> Iterable[Metric]:
        try:
            waiting, age = self._log.waiting()
            parked, silent, halted = len(self._log.parked()), self._log.alive(), self._log.halts()
            found, lost, revoked = self._log.findings(), len(self._log.lost()), self._log.revocations()
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
        lag = self._log.lag()
        if lag is not None:
            yield _gauge("arbiter_worker_lag_records", "Records of the topics that the worker has not read", lag)
        if silent is not None:
            yield _gauge("arbiter_worker_silent_seconds", "Time since the worker's last sign of life", silent)


class WorkerNumbers(Collector):
    """What one worker has done since it was started."""

    def __init__(self, relay: Relay, follower: Follower) -> None:
        self._relay, self._follower = relay, follower

    def collect(self) -> Iterable[Metric]:
        relay, follower = self._relay, self._follower
        yield _gauge("arbiter_relay_holds", "Whether this worker's relay is the one that sends", relay.holds)
        yield _gauge("arbiter_follower_holds", "Whether this worker's follower is the one that reads", follower.holds)
        yield _counter("arbiter_relay_sent", "Records confirmed by Kafka", relay.sent)
        yield _counter("arbiter_relay_failures", "How often the relay went back to the front", relay.failures)
        yield _counter("arbiter_follower_lines", "Lines appended to the ledger", follower.lines_taken)
        yield _counter("arbiter_forks", "Forks, other roots and foreign lines found", follower.forks)
        yield _counter("arbiter_strangers", "Records read that are no lines", follower.strangers)


def _gauge(name: str, meaning: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(name, meaning, value=float(value))


def _counter(name: str, meaning: str, value: float) -> CounterMetricFamily:
    return CounterMetricFamily(name, meaning, value=float(value))
