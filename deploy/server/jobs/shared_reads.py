"""Readings that many ask for at once: one is made for all who asked before it began, and others have their time beside it."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Generic, TypeVar

Read = TypeVar("Read")

_PART = 10
"""Where somebody always asks, a thing is read for this part of the time."""
_PAUSE_SECONDS = 1.0
"""The longest pause for it."""


@dataclass(slots=True)
class _Readings(Generic[Read]):
    """Those of one thing, while somebody asks for them; times are the monotonic clock's."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    asking: int = 0
    last: tuple[float, Read] | None = None
    """When it began, and what was read."""
    next: float = 0.0
    """When another may begin."""


class SharedReadings(Generic[Read]):
    """``read`` gives what is asked for by its name. Nobody is given what was read before he asked."""

    def __init__(self, read: Callable[[str], Read]) -> None:
        self._read = read
        self._lock = threading.Lock()
        self._readings: dict[str, _Readings[Read]] = {}

    def of(self, name: str) -> Read:
        """What is read now. Raises what reading raises, to the one who read."""
        asked = time.monotonic()
        with self._asking(name) as readings, readings.lock:
            if readings.last is None or readings.last[0] < asked:
                time.sleep(max(0.0, readings.next - time.monotonic()))
                began = time.monotonic()
                readings.last = began, self._read(name)
                ended = time.monotonic()
                readings.next = ended + min(_PAUSE_SECONDS, (_PART - 1) * (ended - began))
            return readings.last[1]

    @contextmanager
    def _asking(self, name: str) -> Iterator[_Readings[Read]]:
        with self._lock:
            readings = self._readings.setdefault(name, _Readings())
            readings.asking += 1
        try:
            yield readings
        finally:
            with self._lock:
                readings.asking -= 1
                if not readings.asking:
                    del self._readings[name]
