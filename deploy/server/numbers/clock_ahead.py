"""Lines from the future: a clock that was ahead, whose times those behind them keep, for Prometheus and doctor."""

from collections.abc import Iterable
from datetime import UTC, datetime

from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from shared.log.port import Log, LogUnavailable

_TIME = b'"time":"'
_TIME_LENGTH = len("2026-11-21T09:30:00.000000Z")
_LINES = 5000
"""Lines looked at when it is asked for the first time, the last of the log, and at once."""


def latest_time(lines: Iterable[bytes]) -> datetime | None:
    """The latest time of the lines; those of a log are in one form, so that their order is that of their texts."""
    starts = [(line, line.find(_TIME) + len(_TIME)) for line in lines if _TIME in line]
    text = max((line[at : at + _TIME_LENGTH] for line, at in starts), default=b"")
    try:
        return datetime.fromisoformat(text.decode())
    except ValueError:
        return None


class ClockNumbers(Collector):
    """The latest time of the lines that a log has got; those that came since are read when it is asked."""

    def __init__(self, log: Log) -> None:
        self._log, self._read = log, -1
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
        if self._read < 0:
            self._read = max(0, self._log.end() - _LINES)
        while rows := self._log.tail(self._read, _LINES):
            self._read = rows[-1].pos
            found = latest_time(row.line for row in rows)
            if found is not None:
                self._latest = max(found, self._latest or found)
