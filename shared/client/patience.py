"""How long a call is made again, and what came of its attempts."""

import time
from secrets import SystemRandom

import httpx

from .errors import ClientError, NoAnswer, Problem, Written

_FIRST_SECONDS, _LAST_SECONDS = 0.1, 5.0
_NOT_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.ProxyError)
_PASSING = frozenset((429, 502, 503, 504, 507))
"""Statuses of what is otherwise a moment later."""
_DECIDED = frozenset((409, 412, 422))
"""Refusals of a server that had looked the key up before: an earlier attempt was not taken."""
_random = SystemRandom()


class Attempts:
    """The attempts of one call: `wait` before each next one, until ``seconds`` are over."""

    def __init__(self, seconds: float, key: str | None) -> None:
        self._seconds, self._key = seconds, key
        self._written: Written = "no"
        self.renew()

    def renew(self) -> None:
        """Begin anew, since something came."""
        self._until, self._pause = time.monotonic() + self._seconds, _FIRST_SECONDS

    def wait(self, trouble: ClientError, *, worthwhile: bool) -> None:
        """Wait before the next attempt. Raises ``trouble``, with what is known of all attempts, where none would help:
        for one that is not ``worthwhile``, since nobody was ever there, too."""
        pause = self._pause_after(trouble)
        if self._key is None or (isinstance(trouble, Problem) and trouble.status in _DECIDED):
            self._written = "no"
        elif trouble.written == "unknown":
            self._written = "unknown"
        trouble.written, trouble.key = self._written, self._key
        if pause is None or not worthwhile or time.monotonic() + pause > self._until:
            raise trouble
        time.sleep(pause)

    def _pause_after(self, trouble: ClientError) -> float | None:
        """Seconds before the next attempt, None where it would be answered the same."""
        if isinstance(trouble, Problem) and trouble.status not in _PASSING and trouble.written == "no":
            return None
        if trouble.retry_after is not None:
            return trouble.retry_after
        self._pause, pause = min(2 * self._pause, _LAST_SECONDS), self._pause
        return pause * _random.uniform(0.5, 1.0)


def no_answer(address: str, error: httpx.RequestError) -> NoAnswer:
    """A failed exchange; what was sent may have been heard, unless no connection was made."""
    trouble = NoAnswer(f"{address}: no answer ({error or type(error).__name__})")
    trouble.written = "no" if isinstance(error, _NOT_SENT) else "unknown"
    return trouble
