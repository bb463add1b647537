"""The threads that answer requests: for readers with a token, for readers without one, and for monitoring programs."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

from deploy.server.front.connection import Connection
from deploy.server.front.intake import Whole
from shared.http.limits.rate_limits import Limits
from shared.http.limits.turns import COMPUTING, Turn
from shared.http.requests.auth import COOKIE

_WATCHED = ("/healthz", "/readyz", "/metrics")
_WATCH_THREADS = 4
_STRANGER_THREADS = 32
"""Threads for readers without a token, in addition to those that may wait for another process.

Few of them compute at once (`COMPUTING`).
"""


class Threads:
    """The pools of a server. ``named`` answers requests with a token, and the one expensive answer whose turn it is."""

    def __init__(self, named: ThreadPoolExecutor, limits: Limits) -> None:
        self._named = named
        self._watch = ThreadPoolExecutor(_WATCH_THREADS, "watch")
        self._strangers = ThreadPoolExecutor(_STRANGER_THREADS + limits.audits + limits.previews, "strangers")

    def submit(self, handle: Callable[[Connection], None], conn: Connection) -> "Future[None]":
        """Make a thread handle the request of a connection."""
        assert conn.whole is not None
        if conn.whole.request.path in _WATCHED:
            return self._watch.submit(handle, conn)
        if conn.named or conn.turn is Turn.TAKEN:
            return self._named.submit(handle, conn)
        return self._strangers.submit(_in_a_place, handle, conn)

    def shutdown(self) -> None:
        """Accept no further request, without waiting for the current ones."""
        self._watch.shutdown(wait=False)
        self._strangers.shutdown(wait=False)


def _in_a_place(handle: Callable[[Connection], None], conn: Connection) -> None:
    with COMPUTING.taken():
        handle(conn)


def has_token(whole: Whole) -> bool:
    """Return whether a request has a token, which nobody has checked yet."""
    return any(
        name == "AUTHORIZATION" or (name == "COOKIE" and COOKIE in value) for name, value in whole.request.headers
    )
