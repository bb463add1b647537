"""One thread a process that asks Kafka how far the topics go, for everybody who waits for it."""

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kafka.errors import KafkaError

from shared.log.kafka import consumer
from shared.log.kafka.broker import TEXTS, TOURNAMENTS, Broker
from shared.log.port import LogUnavailable

PartitionKey = tuple[str, int]
_ANSWER_MS = 1000
_AGAIN_SECONDS = 0.2  # a broker that is away is not asked in a tight loop
_LOOK_SECONDS = 0.02  # a waiting request notices within this time that its records have arrived
_PACE = 4
"""While several requests wait, a question is followed by a pause of this many times its duration, so that it is asked for many
at once. It costs about 1 ms of CPU, as much as a third of a command."""


@dataclass(slots=True, eq=False)
class _Waiter:
    """Waits until the positions are at ``ends``, which were asked for after it came."""

    until: float
    ends: dict[PartitionKey, int] | None = None
    fetched: threading.Event = field(default_factory=threading.Event)
    done: threading.Event = field(default_factory=threading.Event)


class EndOffsets:
    """``positions`` tells how far the follower is. Of ``topics`` texts come last, as they are sent before the lines that name
    them."""

    def __init__(
        self,
        broker: Broker,
        positions: Callable[[], Mapping[PartitionKey, int]],
        topics: Sequence[str] = (TOURNAMENTS, TEXTS),
    ) -> None:
        self._broker, self._positions, self._topics = broker, positions, topics
        self._wake = threading.Condition()
        self._new: list[_Waiter] = []
        self._waiting: list[_Waiter] = []
        self._moved = False
        self._asks_at = self._looks_at = 0.0
        self._closed = False
        self._consumer: Any = None
        self._thread: threading.Thread | None = None

    def wait_until_read(self, timeout: float) -> bool:
        """Wait until the follower is where the topics ended when this was called, at most ``timeout`` seconds."""
        return self._ask(timeout).done.wait(timeout)

    def lag(self, timeout: float) -> int | None:
        """Records between positions and ends; None where Kafka does not answer in time."""
        waiter = self._ask(timeout)
        if not waiter.fetched.wait(timeout) or waiter.ends is None:
            return None
        held = self._positions()
        return sum(max(0, end - held.get(place, 0)) for place, end in waiter.ends.items())

    def _ask(self, timeout: float) -> _Waiter:
        waiter = _Waiter(time.monotonic() + timeout)
        with self._wake:
            self._new.append(waiter)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="ends", daemon=True)
                self._thread.start()
            if len(self._new) == 1:  # for further ones, the thread knows when it asks
                self._wake.notify()
        return waiter

    def moved(self) -> None:
        """The positions may have moved."""
        with self._wake:
            self._moved = True
            self._wake.notify()

    def close(self) -> None:
        with self._wake:
            self._closed = True
            self._wake.notify()
        if self._thread is not None:
            self._thread.join(2 * _ANSWER_MS / 1000)

    # ------------------------------------------------------------ the thread

    def _run(self) -> None:
        while True:
            with self._wake:
                if not self._moved and not self._closed and (pause := self._pause()) != 0:
                    self._wake.wait(pause)
                moved, self._moved = self._moved, False
                if self._closed:
                    break
                asking: list[_Waiter] = []
                if time.monotonic() >= self._asks_at:
                    asking, self._new = self._new, []
            try:
                if asking:
                    self._fetch(asking)
                if self._waiting and (asking or moved or time.monotonic() >= self._looks_at):
                    self._release()
            except (KafkaError, LogUnavailable, OSError):
                self._forget()
                with self._wake:
                    # Who came meanwhile may still be in time for the next answer.
                    self._new += [w for w in asking if w.ends is None and w.until > time.monotonic()]
                    self._wake.wait(_AGAIN_SECONDS)
        self._forget()

    def _pause(self) -> float | None:
        """Return the seconds until something must be done, or None if nobody waits."""
        if self._new:
            return max(0.0, self._asks_at - time.monotonic())
        return _LOOK_SECONDS if self._waiting else None

    def _fetch(self, asking: list[_Waiter]) -> None:
        """Ask once for all of them."""
        began = time.monotonic()
        ends: dict[PartitionKey, int] = {}
        for topic in self._topics:
            client = self._connected()
            partitions = consumer.partitions(client, topic)
            for tp, end in consumer.ends(client, partitions, timeout_ms=_ANSWER_MS).items():
                ends[tp.topic, tp.partition] = end
        for waiter in asking:
            waiter.ends = ends
            waiter.fetched.set()
        self._waiting += asking
        now = time.monotonic()
        self._asks_at = now + _PACE * (now - began) if len(asking) > 1 else now

    def _release(self) -> None:
        held, now = self._positions(), time.monotonic()
        self._looks_at = now + _LOOK_SECONDS
        left = []
        for waiter in self._waiting:
            ends = waiter.ends or {}
            if all(held.get(place, 0) >= end for place, end in ends.items()):
                waiter.done.set()
            elif waiter.until > now:
                left.append(waiter)
        self._waiting = left

    def _connected(self) -> Any:
        if self._consumer is None:
            self._consumer = consumer.open_consumer(self._broker, bootstrap_timeout_ms=_ANSWER_MS)
        return self._consumer

    def _forget(self) -> None:
        if self._consumer is not None:
            self._consumer.close()
            self._consumer = None
