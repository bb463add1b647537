"""Numbers for Prometheus; one registry an app."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

MEDIA = "text/plain; version=0.0.4; charset=utf-8"
_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)


class Metrics:
    """Requests and their times by route (never by address: that would not end), streams, crashes, lag."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "arbiter_http_requests", "Requests answered", ("method", "route", "status"), registry=self.registry
        )
        self.seconds = Histogram(
            "arbiter_http_request_seconds",
            "Time to the start of the answer",
            ("method", "route"),
            buckets=_BUCKETS,
            registry=self.registry,
        )
        self.crashes = Counter("arbiter_http_crashes", "Requests that crashed", registry=self.registry)
        self.streams = Gauge("arbiter_http_streams", "Live streams open", registry=self.registry)
        self.streams_dropped = Counter(
            "arbiter_http_streams_dropped",
            "Live streams ended because their reader was too slow",
            registry=self.registry,
        )
        self.foreign_keys = Gauge(
            "arbiter_foreign_keys", "Tournaments that name another key of a service than it has", registry=self.registry
        )
        self.lag = Gauge("arbiter_log_lag_events", "Events in the log not folded here yet", registry=self.registry)

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        self.requests.labels(method, route, status).inc()
        self.seconds.labels(method, route).observe(seconds)

    def text(self) -> bytes:
        """The exposition format of all of them."""
        return generate_latest(self.registry)
