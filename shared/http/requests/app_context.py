"""The context of a request: the keys, limits and metrics of its app, and the operation of its route."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, cast

from flask import Response, current_app, request
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from shared.core.language.messages import Message
from shared.desk.desk import Desk
from shared.http.identity.tokens import Keyring
from shared.http.limits.rate_limits import Buckets, Limits, Places, Slots
from shared.http.limits.turns import AnswerCosts
from shared.http.operations import OPERATION, Operation

EXTENSION = "arbiter"
METRICS_MEDIA = "text/plain; version=0.0.4; charset=utf-8"
_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)


@dataclass(frozen=True, slots=True)
class Health:
    """The health of the log as a worker reports it. An embedded log has no worker.

    ``refuses`` returns why commands are not accepted now, or None. ``unwritable`` returns why the storage would refuse their
    events, or None. ``facts`` are the members that ``/readyz`` adds.
    """

    refuses: Callable[[], Message | None] = lambda: None
    unwritable: Callable[[], Message | None] = lambda: None
    facts: Callable[[], dict[str, Any]] = dict


class Metrics:
    """Metrics for Prometheus: requests and their times by route, since addresses are unlimited, and streams, crashes and lag."""

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
        """Return all metrics in the exposition format."""
        return generate_latest(self.registry)


@dataclass(slots=True)
class Context:
    """The state of one app.

    ``any_origin``: whether other sites' pages may read. ``public_people``: whether everybody may read people across tournaments.
    ``listed``: tournaments that everybody may read, because none is unlisted again. ``closing`` is set when the process ends,
    which ends its streams.
    ``closers`` end its threads and child processes. ``ask_child`` returns an expensive answer to a reader without a token,
    or None if this process makes it. ``public_address`` returns the address for links that other devices open, from the one by
    which the reader of a page reached the server.
    """

    service: str
    version: str
    desk: Desk
    keyring: Keyring
    limits: Limits
    metrics: Metrics
    buckets: Buckets
    reads: Buckets
    stream_slots: Places
    wait_slots: Places
    replay_slots: Slots
    health: Health = field(default_factory=Health)
    costs: AnswerCosts = field(default_factory=AnswerCosts)
    ask_child: Callable[[], Response | None] = lambda: None
    any_origin: bool = True
    public_people: bool = False
    public_address: Callable[[str], str] = str
    listed: set[str] = field(default_factory=set)
    closing: threading.Event = field(default_factory=threading.Event)
    closers: list[Callable[[], None]] = field(default_factory=list)


def current_context() -> Context:
    """Return the context of the app that answers this request."""
    return cast(Context, current_app.extensions[EXTENSION])


def current_operation() -> Operation:
    """Return the operation that the route of this request declares, or an empty one."""
    declared: Operation | None = getattr(current_app.view_functions.get(request.endpoint or ""), OPERATION, None)
    return declared or Operation()
