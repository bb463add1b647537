"""How webhooks fare, for Prometheus."""

from collections.abc import Iterable

from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from shared.log.port import Log, LogUnavailable


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
