"""The loop's part of expensive answers: the requests that wait for their turn, fairly by address."""

import socket
import time
from collections import OrderedDict, deque
from collections.abc import Callable

from deploy.server.front.connection import Connection
from shared.http.limits.turns import Turn

WAIT_SECONDS = 2.0
"""The longest wait for a turn. Then the reader gets 429, since other addresses are waiting too."""
_OF_ONE_ADDRESS = 500
"""Requests of one address that may wait. Further ones get 429 at once."""


class TurnQueue:
    """Requests that wait for their turn; ``begin`` answers one, ``drop`` closes its connection. Only the loop calls it."""

    def __init__(self, begin: Callable[[Connection], None], drop: Callable[[Connection], None]) -> None:
        self._begin, self._drop = begin, drop
        self._waiting: OrderedDict[str, deque[tuple[float, Connection]]] = OrderedDict()
        self._taken = False

    def add(self, conn: Connection, home: str) -> None:
        """Queue the request of a connection from address ``home``, or refuse it if too many of that address wait."""
        waiting = self._waiting.setdefault(home, deque())
        if len(waiting) >= _OF_ONE_ADDRESS:
            self._bring(conn, Turn.MISSED)
            return
        waiting.append((time.monotonic() + WAIT_SECONDS, conn))
        self.next()

    def finished(self, conn: Connection) -> None:
        """Note that the request of a connection was answered. If it had the turn, the next one gets it."""
        turn, conn.turn = conn.turn, None
        if turn is Turn.TAKEN:
            self._taken = False
            self.next()

    def next(self) -> None:
        """Give the turn, if it is free, to the address that has waited longest since its last one."""
        while self._waiting and not self._taken:
            home, waiting = self._waiting.popitem(last=False)
            _, conn = waiting.popleft()
            if waiting:
                self._waiting[home] = waiting
            if _has_left(conn):
                self._drop(conn)
            else:
                self._taken = True
                self._bring(conn, Turn.TAKEN)

    def sweep(self, now: float) -> None:
        """Refuse the requests that have waited too long."""
        for home, waiting in list(self._waiting.items()):
            while waiting and waiting[0][0] <= now:
                self._bring(waiting.popleft()[1], Turn.MISSED)
            if not waiting:
                del self._waiting[home]

    def _bring(self, conn: Connection, turn: Turn) -> None:
        conn.turn = turn
        self._begin(conn)


def _has_left(conn: Connection) -> bool:
    """Return whether the reader has closed the connection, so that nobody would read the answer.

    A reader that has ended only its own sending looks the same and is dropped too (RFC 9112, 9.6 leaves this to the server).
    """
    try:
        return conn.sock.recv(1, socket.MSG_PEEK) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True
