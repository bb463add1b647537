"""gunicorn's threads behind a loop that reads and writes: a thread works on whole requests only.

gunicorn's own threaded worker reads and writes in its threads without a time limit, so a few half-sent requests stop it. Here a
loop does both, with deadlines. When connections or memory run out, the connection that has waited longest is dropped.
"""

import errno
import selectors
import socket
import time
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Any

from flask import Flask
from gunicorn.workers.gthread import STOP_KEEPALIVE_LINGER, ThreadWorker

from deploy.server.front.connection import Connection, Doing, allow_open_files, answer
from deploy.server.front.live import LiveStreams
from deploy.server.front.refusals import Refused
from deploy.server.front.threads import Threads, has_token
from deploy.server.front.turns import TurnQueue
from shared import structured_log
from shared.http.limits.rate_limits import Limits
from shared.http.requests.app_context import EXTENSION

_PIECE = 64 * 1024
_HELD_AT_MOST = 256 << 20
"""Limit of bytes in unfinished requests and unsent answers, checked at least every `_FED_AT_MOST` received bytes."""
_FED_AT_MOST = 1 << 20
_ENDING_SECONDS = 2.0
_DRAINED_AT_MOST = 4 * 1024 * 1024
"""Limits in seconds and bytes for reading from a refused sender, so that it reads the answer (RFC 9112, 9.6)."""
_SWEEP_SECONDS = 0.25
_NO_ROOM = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
_CAME_TO_NOTHING = (errno.EAGAIN, errno.EWOULDBLOCK, errno.ECONNABORTED, errno.EPROTO)


class BufferedWorker(ThreadWorker):  # type: ignore[misc]
    """A threaded worker whose loop alone talks with sockets."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._limits = Limits()
        self._live: LiveStreams | None = None
        self._turns = TurnQueue(self._begin, self._drop)
        self._waiting: dict[Connection, None] = {}  # in the order in which they began to wait
        self._swept = 0.0
        self._fed = 0

    def run(self) -> None:
        if isinstance(self.wsgi, Flask) and EXTENSION in self.wsgi.extensions:
            context = self.wsgi.extensions[EXTENSION]
            self._limits = context.limits
            defer = self.method_queue.defer
            self._live = LiveStreams(context, self.poller, defer, self._finish, self._drop, self._begin)
        self.tpool = ThreadPoolExecutor(self.cfg.threads + self._limits.audits)  # an audit is waited for in a thread
        self._threads = Threads(self.tpool, self._limits)
        self.worker_connections += self._limits.streams
        allow_open_files(4 * self.worker_connections)
        super().run()
        self._threads.shutdown()

    # ------------------------------------------------------------ the loop

    def accept(self, listener: socket.socket) -> bool:
        """Take a connection, and return whether there was one. Without room, the one that has waited longest is dropped."""
        try:
            sock, client = listener.accept()
        except OSError as problem:
            if problem.errno in _NO_ROOM:
                if not self._make_room():
                    time.sleep(_SWEEP_SECONDS)
            elif problem.errno not in _CAME_TO_NOTHING:
                raise
            return False
        self.nr_conns += 1
        if self.nr_conns - len(self._live or ()) >= self.cfg.worker_connections:
            self._make_room()
        self._readable(Connection(self.cfg, sock, client, self._limits.body))
        return True

    def wait_for_and_dispatch_events(self, timeout: float) -> None:
        super().wait_for_and_dispatch_events(timeout if self.alive else min(timeout, _SWEEP_SECONDS))

    def murder_pending(self) -> None:
        """End the waits that have exceeded their deadline. Called in each turn of the loop."""
        now = time.monotonic()
        if now - self._swept < _SWEEP_SECONDS:
            return
        self._swept = now
        self._turns.sweep(now)
        if self._live is not None:
            self._live.sweep(now) if self.alive else self._live.close()
        for conn in [conn for conn in self._waiting if conn.deadline <= now]:
            if conn.intake.phase != "idle" and conn.doing in ("head", "body"):
                self._refuse(conn, Refused(408, f"the {conn.doing} of the request did not come in time"))
            else:
                self._drop(conn)

    def murder_keepalived(self, force: bool = False) -> None:
        if force:
            for conn in list(self._waiting):
                self._drop(conn)

    def _cap_keepalive(self, deadline: float) -> None:
        for conn in self._waiting:
            if conn.doing in ("idle", "head", "body"):
                conn.deadline = min(conn.deadline, deadline)

    def _wait(self, conn: Connection, doing: Doing, seconds: float) -> None:
        """Make a connection wait in the loop for its socket, for at most this number of seconds."""
        conn.doing, conn.deadline = doing, time.monotonic() + seconds
        self._waiting[conn] = None
        event = selectors.EVENT_WRITE if doing == "sending" else selectors.EVENT_READ
        self.poller.register(conn.sock, event, partial(self._ready, conn))

    def _rest(self, conn: Connection) -> None:
        if self._waiting.pop(conn, self) is None:
            self.poller.unregister(conn.sock)

    def _ready(self, conn: Connection, sock: socket.socket) -> None:
        if conn not in self._waiting:  # it was ended by an event of the same turn
            return
        act = {"sending": self._send, "ending": self._drain}.get(conn.doing, self._readable)
        try:
            act(conn)
        except Exception as problem:  # affects one connection: the others continue
            structured_log.crash("front", problem)
            self._drop(conn)

    def _drop(self, conn: Connection) -> None:
        self._rest(conn)
        self.nr_conns -= 1
        conn.sock.close()
        if conn.stream is not None:
            conn.stream.close()

    def _make_room(self) -> bool:
        """End the connection that has waited longest, idle ones first. Return whether there was one."""
        oldest = next((conn for conn in self._waiting if conn.doing == "idle"), None) or next(iter(self._waiting), None)
        if oldest is not None:
            self._drop(oldest)
        return oldest is not None

    # ------------------------------------------------------------ requests in

    def _readable(self, conn: Connection) -> None:
        """Read what has arrived on a connection, which waits in the loop or was just accepted."""
        try:
            data = conn.sock.recv(_PIECE)
        except BlockingIOError:
            if conn not in self._waiting:
                self._wait(conn, "head", self._limits.head_seconds)
            return
        except OSError:
            self._drop(conn)
            return
        if not data:
            self._ended(conn)
            return
        conn.intake.feed(data)
        self._fed += len(data)
        if self._fed > _FED_AT_MOST:
            self._bound_memory()
        if conn.sock.fileno() >= 0:  # it was not dropped for its memory
            self._advance(conn)

    def _ended(self, conn: Connection) -> None:
        if conn.intake.phase == "idle":
            self._drop(conn)
        else:
            self._refuse(conn, Refused(400, "the request ended before it was whole"))

    def _advance(self, conn: Connection) -> None:
        """Hand over a complete request, or wait for the rest of an incomplete one."""
        try:
            whole = conn.intake.next()
        except Refused as refused:
            self._refuse(conn, refused)
            return
        if whole is not None:
            self._rest(conn)
            conn.whole, conn.named = whole, has_token(whole)
            self._begin(conn)
            return
        self._await_rest(conn)

    def _begin(self, conn: Connection) -> None:
        """Make a thread answer the request of a connection."""
        conn.doing = "working"
        assert conn.whole is not None
        conn.whole.request.body.seek(0)
        future = self._threads.submit(self.handle, conn)
        future.add_done_callback(lambda done: self.method_queue.defer(self.finish_request, conn, done))

    def _await_rest(self, conn: Connection) -> None:
        phase = conn.intake.phase
        if phase != conn.doing or conn not in self._waiting:
            self._rest(conn)
            idle = self.cfg.keepalive if self.alive else STOP_KEEPALIVE_LINGER
            seconds = {"idle": idle, "head": self._limits.head_seconds, "body": self._limits.body_seconds}
            self._wait(conn, phase, seconds[phase])
        if conn.intake.wants_continue():
            conn.out += b"HTTP/1.1 100 Continue\r\n\r\n"
            try:
                conn.send()
            except OSError:
                self._drop(conn)

    def _bound_memory(self) -> None:
        self._fed = 0
        while sum(conn.held for conn in self._waiting) > _HELD_AT_MOST:
            self._drop(max(self._waiting, key=lambda conn: conn.held))

    def _refuse(self, conn: Connection, refused: Refused) -> None:
        self._rest(conn)
        structured_log.logger().info("refused", status=refused.status, why=refused.detail)
        if isinstance(self.wsgi, Flask) and EXTENSION in self.wsgi.extensions:
            self.wsgi.extensions[EXTENSION].metrics.answered("none", "unread", refused.status, 0.0)
        conn.out, conn.keep = bytearray(refused.response()), False
        self._send(conn)

    # ------------------------------------------------------------ answers out

    def handle(self, conn: Connection) -> None:
        """Answer a request. Runs in a thread of the pool."""
        self.nr += 1
        answer(self.wsgi, self.cfg, conn, last=not self.alive, live=self._live is not None)
        if conn.awaiting is None and conn.queued is None and not conn.unnamed:
            conn.send()

    def finish_request(self, conn: Connection, done: "Future[None]") -> None:
        """Send the rest of an answer in the loop, then wait for the next request or end."""
        problem = done.exception()
        home, conn.queued = conn.queued, None
        self._turns.finished(conn)
        if problem is None:
            if conn.unnamed:
                conn.named = conn.unnamed = False
                self._begin(conn)
            elif home is not None:
                self._turns.add(conn, home)
            elif conn.awaiting is not None and self._live is not None:
                self._live.wait(conn, conn.awaiting)
            elif conn.stream is None or self._live is None:
                self._send(conn)
            elif self.alive:
                self._live.add(conn)
            else:
                self._finish(conn)
            return
        if not isinstance(problem, OSError):
            structured_log.crash("front", problem)
        self._drop(conn)

    def _finish(self, conn: Connection) -> None:
        """End a stream: send its last events and its end."""
        if conn.chunked:
            conn.out += b"0\r\n\r\n"
        self._send(conn)

    def _send(self, conn: Connection) -> None:
        try:
            gone = conn.send()
        except OSError:
            self._drop(conn)
            return
        if not gone:
            if conn.doing != "sending":
                self._rest(conn)
                self._wait(conn, "sending", self._limits.send_seconds)
                self._bound_memory()
            return
        self._rest(conn)
        if conn.keep:
            conn.doing = "idle"
            self._advance(conn)
        else:
            self._end(conn)

    def _end(self, conn: Connection) -> None:
        """Close after the other side has read the answer."""
        try:
            conn.sock.shutdown(socket.SHUT_WR)
        except OSError:
            self._drop(conn)
            return
        self._wait(conn, "ending", _ENDING_SECONDS)

    def _drain(self, conn: Connection) -> None:
        try:
            data = conn.sock.recv(_PIECE)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        conn.drained += len(data)
        if not data or conn.drained > _DRAINED_AT_MOST:
            self._drop(conn)
