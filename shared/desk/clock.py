"""The clock for the times of events."""

from collections.abc import Callable
from datetime import UTC, datetime


class Clock:
    """RFC 3339 times in UTC with microseconds, which never go back within one process."""

    def __init__(self, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._now = now
        self._last = datetime.min.replace(tzinfo=UTC)

    def __call__(self) -> str:
        self._last = max(self._last, self._now())
        return self._last.isoformat(timespec="microseconds").replace("+00:00", "Z")
