"""The loop's part of live streams: sockets that get what the sender hands over, each with a buffer that is bounded."""

import selectors
import socket
import time
from collections.abc import Callable
from functools import partial

from deploy.server.front.connection import Connection
from deploy.server.front.sender import Delivery, Reader, Sender, Wait
from shared import structured_log
from shared.http.reads.stream import PIECE
from shared.http.requests.app_context import Context
from shared.http.requests.waits import Awaiting

BEHIND_AT_MOST = 2 * PIECE
"""Bytes that may wait for a reader until it is dropped; it comes back with the id of the last event that it read."""
_HELD_AT_MOST = 128 * 1024 * 1024
_KERNEL_BYTES = 64 * 1024
"""Asked of the kernel for each stream, which else lets megabytes wait."""
_READ, _BOTH = selectors.EVENT_READ, selectors.EVENT_READ | selectors.EVENT_WRITE
_HEARD = 64 * 1024


class LiveStreams:
    """The connections of a worker that are live streams. ``end`` sends what is left of one and closes it, ``drop`` closes it;
    ``bring`` answers the request of one that waited for a line.

    All but the sender's own thread calls it in the loop, to which ``defer`` leads.
    """

    def __init__(
        self,
        context: Context,
        poller: selectors.BaseSelector,
        defer: Callable[..., None],
        end: Callable[[Connection], None],
        drop: Callable[[Connection], None],
        bring: Callable[[Connection], None],
    ) -> None:
        self._poller, self._end, self._drop = poller, end, drop
        self._seconds, self._dropped = context.limits.send_seconds, context.metrics.streams_dropped
        self._readers: dict[Connection, Reader] = {}
        self._late: dict[Connection, float] = {}  # until when what waits for a reader is to be gone
        self._waiting: dict[Wait, Connection] = {}
        self._bring = bring
        self._sender = Sender(
            context.desk, context.limits.heartbeat, partial(defer, self._take), partial(defer, self._bring_all)
        )

    def __len__(self) -> int:
        return len(self._readers)

    def __contains__(self, conn: Connection) -> bool:
        return conn in self._readers

    def _held(self) -> int:
        """Bytes that wait for readers."""
        return sum(len(conn.out) for conn in self._late)

    def add(self, conn: Connection) -> None:
        """A connection whose answer has begun, and goes on for as long as both sides want."""
        assert conn.stream is not None
        conn.sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _KERNEL_BYTES)
        reader = self._readers[conn] = Reader(conn.stream, conn)
        self._poller.register(conn.sock, _READ, partial(self._ready, conn))
        self._send(conn)
        if conn in self._readers:
            self._sender.add(reader)

    def wait(self, conn: Connection, awaiting: Awaiting) -> None:
        """A connection whose request waits for a line; ``bring`` has it again."""
        wait = Wait(awaiting, conn)
        self._waiting[wait] = conn
        self._sender.expect(wait)

    def _bring_all(self, waits: list[Wait]) -> None:
        for wait in waits:
            conn = self._waiting.pop(wait, None)
            if conn is not None:
                wait.awaiting.close()
                self._bring(conn)

    def sweep(self, now: float) -> None:
        """Drop who has not read in time, and who has most to read where all together have too much."""
        for conn in [conn for conn, deadline in self._late.items() if deadline <= now]:
            self._drop_slow(conn)
        while self._held() > _HELD_AT_MOST:
            self._drop_slow(max(self._late, key=lambda conn: len(conn.out)))

    def close(self) -> None:
        """End all streams: each reader is sent what waits for it, and the end. A request that waits for a line still gets it."""
        for conn in list(self._readers):
            self._finish(conn)

    def _take(self, deliveries: list[Delivery]) -> None:
        try:
            for readers, data in deliveries:
                chunk = b"" if data is None else b"%x\r\n%b\r\n" % (len(data), data)
                for reader in readers:
                    conn: Connection = reader.owner
                    if conn not in self._readers:
                        continue
                    if data is None:
                        self._finish(conn)
                    else:
                        self._hand(conn, chunk if conn.chunked else data)
        finally:
            self._sender.delivered()

    def _hand(self, conn: Connection, data: bytes) -> None:
        if conn.out and len(conn.out) + len(data) > BEHIND_AT_MOST:
            self._drop_slow(conn)
        else:
            conn.out += data
            self._send(conn)

    def _send(self, conn: Connection) -> None:
        try:
            gone = conn.send()
        except OSError:
            self._leave(conn)
            self._drop(conn)
            return
        if not gone:
            if conn not in self._late:
                self._late[conn] = time.monotonic() + self._seconds
                self._poller.modify(conn.sock, _BOTH, partial(self._ready, conn))
            return
        if self._late.pop(conn, None) is not None:
            self._poller.modify(conn.sock, _READ, partial(self._ready, conn))
        reader = self._readers[conn]
        if reader.catches_up:
            self._sender.resume(reader)

    def _ready(self, conn: Connection, sock: socket.socket) -> None:
        """Something came, which ends the stream where it is its reader's end, or what waits can go on."""
        if conn not in self._readers:  # it was ended by an event of the same turn
            return
        try:
            if not sock.recv(_HEARD):
                self._leave(conn)
                self._drop(conn)
                return
        except BlockingIOError:
            pass
        except OSError:
            self._leave(conn)
            self._drop(conn)
            return
        if conn in self._late:
            self._send(conn)

    def _drop_slow(self, conn: Connection) -> None:
        self._dropped.inc()
        structured_log.logger().info("stream-dropped", log=self._readers[conn].log, bytes=len(conn.out))
        self._leave(conn)
        self._drop(conn)

    def _finish(self, conn: Connection) -> None:
        self._leave(conn)
        self._end(conn)

    def _leave(self, conn: Connection) -> None:
        """It is no stream any more; what is done with it now is another's."""
        self._sender.remove(self._readers.pop(conn))
        self._late.pop(conn, None)
        self._poller.unregister(conn.sock)
