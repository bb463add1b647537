"""The time of a computation in another process: its processor's, so that whoever else computes there does not shorten it."""

import sys
import time
from multiprocessing.process import BaseProcess

_BY_THE_CLOCK = 1.5
"""How many seconds one of a processor may take: somebody waits for the answer, behind a gateway that waits for 120."""


class TimeLimit:
    """``seconds`` of a processor for what a process computes from now on, and one and a half times as many by the clock;
    where a system does not tell what a process has used, as many by the clock."""

    def __init__(self, seconds: float, process: BaseProcess | None) -> None:
        self._clock = None if process is None or process.pid is None else _processor_clock(process.pid)
        self._end = time.monotonic() + seconds * (1 if self._clock is None else _BY_THE_CLOCK)
        self._seconds = seconds + self._used()

    def left(self) -> float:
        """For how many seconds the computation may go on at least; 0 where it is over."""
        by_the_clock = self._end - time.monotonic()
        if self._clock is None:
            return max(0.0, by_the_clock)
        return max(0.0, min(by_the_clock, self._seconds - self._used()))

    def _used(self) -> float:
        """0 of a process that is gone."""
        try:
            return 0.0 if self._clock is None else time.clock_gettime(self._clock)
        except OSError:
            return 0.0


def _processor_clock(process: int) -> int | None:
    """The clock of a process's time (clock_getcpuclockid, which Python lacks); None on another system than Linux."""
    return (~process << 3) | 2 if sys.platform == "linux" else None
