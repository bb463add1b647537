"""The limits for one caller: sizes, rates, streams."""

import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from ipaddress import IPv6Address, IPv6Network, ip_address
from math import ceil
from typing import NamedTuple

from flask import Response, g

from shared.core.language.messages import Message
from shared.desk.computations.computations import ComputationLimits
from shared.http.limits.turns import COMPUTING
from shared.http.problems import Problem, retry_after, too_many

_HELD = 10_000  # maximum number of remembered callers, so that an attacker with many addresses does not fill the memory


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a server. For ``rate`` and ``reads``, 0 means no limit.

    - ``body``: maximum size of a request body, in bytes.
    - ``rate``: commands per second and caller, with bursts of ``burst``.
    - ``reads``: the cost of reads per second and reader, as each route declares it, with bursts of ``reads_burst``.
    - ``streams``: maximum number of live streams. ``heartbeat``: seconds between signs of life on a quiet stream.
    - ``head_seconds``, ``body_seconds``: timeouts for the head and for the body of a request.
    - ``send_seconds``: timeout until the client has read an answer, or each piece of a stream.
    - ``waits``: maximum number of requests that wait for an event (``?after``).
    - ``replays``: maximum number of requests at once for a past or hypothetical state (``?at``, ``?to``, ``?without``).
    - ``audits``: maximum number of requests that wait for an audit. An audit, or an answer of the child process, may take
      ``audit_seconds`` and ``audit_memory`` MiB.
    - ``previews``: maximum number of requests that wait for a preview. A preview may take ``preview_seconds``, and as much
      memory as an audit.
    - ``pairings``: maximum number of rounds that engines compute at once, each in ``pairing_seconds`` and ``pairing_memory``
      MiB.
    """

    body: int = 1024 * 1024
    rate: float = 500.0
    burst: int = 2000
    reads: float = 200.0
    reads_burst: int = 4000
    streams: int = 2000
    heartbeat: float = 15.0
    head_seconds: float = 10.0
    body_seconds: float = 30.0
    send_seconds: float = 30.0
    waits: int = 1000
    replays: int = 8
    audits: int = 16
    audit_seconds: float = 60.0
    audit_memory: int = 1024
    previews: int = 16
    preview_seconds: float = 20.0
    pairings: int = 8
    pairing_seconds: float = 60.0
    pairing_memory: int = 4096

    def computing(self) -> ComputationLimits:
        """Return the limits of the command handler's computations."""
        return ComputationLimits(self.pairing_seconds, self.pairing_memory << 20, self.pairings)


NO_ALLOWANCES = Limits(rate=0, reads=0)


class Quota(NamedTuple):
    """A caller's quota of a bucket after a request.

    ``wait``: seconds until the requested cost is available (0: it was taken). ``left``: the remaining level. ``full``: seconds
    until the bucket is full again.
    """

    wait: float
    left: float
    full: float


UNLIMITED = Quota(0.0, float("inf"), 0.0)


class Buckets:
    """A token bucket for each caller. The least recently seen callers are forgotten first, so that their buckets are full again.

    A bucket holds ``burst`` and fills by ``rate`` per second (0: no limit). ``name``: the policy's name in the header fields.
    """

    def __init__(self, name: str, rate: float, burst: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.name, self.burst, self.limited = name, burst, rate > 0
        self.window = ceil(burst / rate) if self.limited else 0
        """Seconds in which an empty bucket fills."""
        self._rate, self._clock = rate, clock
        self._lock = threading.Lock()
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, caller: str, cost: float = 1.0) -> Quota:
        """Take ``cost``, but at most a whole bucket, if the bucket contains it."""
        if not self.limited:
            return UNLIMITED
        cost = min(cost, float(self.burst))
        with self._lock:
            now = self._clock()  # read under the lock: a time before that of another thread would lower the level
            level, then = self._levels.pop(caller, (float(self.burst), now))
            level = min(float(self.burst), level + (now - then) * self._rate)
            wait = max(0.0, cost - level) / self._rate if cost else 0.0
            left = level if wait else level - cost
            self._levels[caller] = (left, now)
            if len(self._levels) > _HELD:
                self._levels.popitem(last=False)
        return Quota(wait, left, (self.burst - left) / self._rate)

    def settle(self, caller: str, cost: float) -> None:
        """Take a further ``cost`` that became known afterwards. The lowest level is minus one burst."""
        if self.limited and cost > 0:
            with self._lock:
                level, then = self._levels.get(caller, (float(self.burst), self._clock()))
                self._levels[caller] = (max(-float(self.burst), level - cost), then)


def home_of(address: str | None) -> str:
    """Return the key of all callers at an address: the address itself, or of IPv6 its /64, which belongs to one household."""
    try:
        ip = ip_address(address or "")
    except ValueError:
        return "@unknown"
    if isinstance(ip, IPv6Address) and ip.ipv4_mapped is None:
        return f"@{IPv6Network((ip, 64), strict=False)}"
    return f"@{ip}"


class Slots:
    """A fixed number of slots for requests that hold a thread without working. Nobody waits for a slot."""

    def __init__(self, number: int) -> None:
        self._free = threading.BoundedSemaphore(number)
        self._lock = threading.Lock()
        self.taken = 0

    def take(self) -> bool:
        got = self._free.acquire(blocking=False)
        if got:
            with self._lock:
                self.taken += 1
        return got

    def give_back(self) -> None:
        with self._lock:
            self.taken -= 1
        self._free.release()

    @contextmanager
    def held(self, full: Problem) -> Iterator[None]:
        """Hold a slot while waiting for another process. Raises ``full`` if none is free."""
        if not self.take():
            raise full
        try:
            with COMPUTING.left():
                yield
        finally:
            self.give_back()


_STRANGERS = "@strangers"
"""The key of all readers without a token, in place of a reader's."""


class Places(Slots):
    """Slots of which one reader holds at most three quarters, so that no reader takes all slots from the others."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.share = max(1, number * 3 // 4)
        self._held: Counter[str] = Counter()

    def take_for(self, reader: str) -> bool | None:
        """Take a slot for ``reader``. Return whether one was free, or None if the reader holds a whole share already."""
        with self._lock:
            if self._held[reader] >= self.share:
                return None
            self._held[reader] += 1
        if got := self.take():
            return got
        self._leave(reader)
        return False

    def give_back_for(self, reader: str) -> None:
        self._leave(reader)
        self.give_back()

    @contextmanager
    def held_beside(self, full: Problem, *, stranger: bool) -> Iterator[None]:
        """Like `held`, but all readers without a token have one reader's share together, so that a quarter is left for tokens."""
        if not stranger:
            with self.held(full):
                yield
            return
        if not self.take_for(_STRANGERS):
            raise full
        try:
            with COMPUTING.left():
                yield
        finally:
            self.give_back_for(_STRANGERS)

    def _leave(self, reader: str) -> None:
        with self._lock:
            self._held[reader] -= 1
            if not self._held[reader]:
                del self._held[reader]


POLICY, LEFT = "RateLimit-Policy", "RateLimit"
"""Header fields of answers (draft-ietf-httpapi-ratelimit-headers-10)."""


def take(buckets: Buckets, caller: str, cost: float, refusal: Message) -> None:
    """Take the cost of this request and store the quota for its answer. Raises `Problem` 429 if too little is left."""
    quota = buckets.take(caller, cost)
    if not buckets.limited:
        return
    if "quotas" not in g:
        g.quotas = {}
    g.quotas[buckets] = quota
    if quota.wait:
        raise too_many(refusal, quota.wait)


def tell(response: Response) -> None:
    """Add the policies that limited a request and their quotas to its answer. Without a limit, nothing is added.

    ``q``: size of the bucket. ``w``: seconds in which it fills. ``r``: the remaining level, as a whole number. ``t``: seconds
    until the bucket is full. On a refusal, ``t`` is the same as ``Retry-After``: seconds until the refused cost is available.
    """
    quotas: dict[Buckets, Quota] = g.get("quotas", {})
    if quotas:
        response.headers[POLICY] = ", ".join(f'"{of.name}";q={of.burst};w={of.window}' for of in quotas)
        response.headers[LEFT] = ", ".join(
            f'"{of.name}";r={int(left.left)};t={_reset(left)}' for of, left in quotas.items()
        )


def _reset(quota: Quota) -> int:
    return retry_after(quota.wait) if quota.wait else ceil(quota.full)
