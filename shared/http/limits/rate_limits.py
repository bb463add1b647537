"""What one caller may take: sizes, rates, streams."""

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

_HELD = 10_000  # callers remembered: an attacker with many addresses does not fill the memory


@dataclass(frozen=True, slots=True)
class Limits:
    """``body`` in bytes; ``rate`` commands a second and caller with bursts of ``burst`` (rate 0: no limit);
    ``reads`` is what one reader may ask for a second, by the cost that each route declares, with bursts of
    ``reads_burst`` (reads 0: no limit);
    ``streams`` live streams at once; ``heartbeat`` seconds between signs of life on a quiet stream;
    ``head_seconds`` and ``body_seconds`` in which those of a request are to have come, ``send_seconds`` in which
    an answer (of a stream, each piece) is to be read. ``waits`` are requests that wait for a line (``?after``) at once,
    ``replays`` requests at once for a state that is no longer or never was (``?at``, ``?to``, ``?without``),
    ``audits`` those that wait for an audit; an audit, or an answer of the child process, has ``audit_seconds`` and
    ``audit_memory`` MiB. Of ``previews`` as of audits; one has ``preview_seconds``, and as much memory as an audit.
    ``pairings`` are the rounds that are computed by an engine at once, each in ``pairing_seconds`` and ``pairing_memory`` MiB.
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
        """What the desk's computations may take."""
        return ComputationLimits(self.pairing_seconds, self.pairing_memory << 20, self.pairings)


NO_ALLOWANCES = Limits(rate=0, reads=0)


class Quota(NamedTuple):
    """What a caller has of a bucket: ``wait`` seconds until what he asked for can be had (0: it was taken), what is ``left``,
    and in how many seconds the bucket is ``full`` again."""

    wait: float
    left: float
    full: float


UNLIMITED = Quota(0.0, float("inf"), 0.0)


class Buckets:
    """A token bucket for each caller; the least recently seen callers are forgotten first, as full buckets.

    ``rate`` a second flow into a bucket of ``burst``; rate 0: no limit. ``name`` is what callers know the policy by.
    """

    def __init__(self, name: str, rate: float, burst: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.name, self.burst, self.limited = name, burst, rate > 0
        self.window = ceil(burst / rate) if self.limited else 0
        """Seconds in which an empty bucket is full."""
        self._rate, self._clock = rate, clock
        self._lock = threading.Lock()
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, caller: str, cost: float = 1.0) -> Quota:
        """Take ``cost``, at most a whole bucket, if it is there."""
        if not self.limited:
            return UNLIMITED
        cost = min(cost, float(self.burst))
        with self._lock:
            now = self._clock()  # under the lock: a time from before another's would take back what it was given
            level, then = self._levels.pop(caller, (float(self.burst), now))
            level = min(float(self.burst), level + (now - then) * self._rate)
            wait = max(0.0, cost - level) / self._rate if cost else 0.0
            left = level if wait else level - cost
            self._levels[caller] = (left, now)
            if len(self._levels) > _HELD:
                self._levels.popitem(last=False)
        return Quota(wait, left, (self.burst - left) / self._rate)

    def settle(self, caller: str, cost: float) -> None:
        """Take a further ``cost`` that became known afterwards. The level may fall to minus one burst."""
        if self.limited and cost > 0:
            with self._lock:
                level, then = self._levels.get(caller, (float(self.burst), self._clock()))
                self._levels[caller] = (max(-float(self.burst), level - cost), then)


def home_of(address: str | None) -> str:
    """What stands for everybody at an address: itself, of IPv6 its /64, which one household holds whole."""
    try:
        ip = ip_address(address or "")
    except ValueError:
        return "@unknown"
    if isinstance(ip, IPv6Address) and ip.ipv4_mapped is None:
        return f"@{IPv6Network((ip, 64), strict=False)}"
    return f"@{ip}"


class Slots:
    """A fixed number of requests that may hold a thread without working, each slot taken and given back; nobody waits for one."""

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
"""In the place of a reader: all readers without a token."""


class Places(Slots):
    """Slots of which one reader holds three quarters at most, so that nobody takes all from everybody else."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.share = max(1, number * 3 // 4)
        self._held: Counter[str] = Counter()

    def take_for(self, reader: str) -> bool | None:
        """Whether ``reader`` has one more; None where this one has a whole share already."""
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
        """Like `held`, but all strangers hold one reader's share together, so that a quarter is left for tokens."""
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
    """Take what this request costs, and keep what is left for its answer. Raises `Problem` 429 where there is less."""
    quota = buckets.take(caller, cost)
    if not buckets.limited:
        return
    if "quotas" not in g:
        g.quotas = {}
    g.quotas[buckets] = quota
    if quota.wait:
        raise too_many(refusal, quota.wait)


def tell(response: Response) -> None:
    """Say on an answer by which policies it was limited and what is left: nothing at an address that has no limit.

    ``q`` is the size of the bucket and ``w`` the seconds in which it fills; ``r`` is what is left, whole, and ``t`` when all of
    it is there again: of a refusal, when what was refused is, as its ``Retry-After`` says.
    """
    quotas: dict[Buckets, Quota] = g.get("quotas", {})
    if quotas:
        response.headers[POLICY] = ", ".join(f'"{of.name}";q={of.burst};w={of.window}' for of in quotas)
        response.headers[LEFT] = ", ".join(
            f'"{of.name}";r={int(left.left)};t={_reset(left)}' for of, left in quotas.items()
        )


def _reset(quota: Quota) -> int:
    return retry_after(quota.wait) if quota.wait else ceil(quota.full)
