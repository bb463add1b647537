"""One connection: its socket, the state that it waits in, and the answer that a thread gives."""

import resource
import socket
from typing import Any, Literal

from gunicorn.http import wsgi

from deploy.server.front.intake import Intake, Whole
from shared.http.limits.turns import NAMED, QUEUES, TURN, Queued, Turn, Unnamed
from shared.http.reads.stream import START, Stream
from shared.http.requests.waits import PARKS, WAITED, Awaiting

Doing = Literal["idle", "head", "body", "working", "sending", "ending"]
"""A ``working`` connection has a thread or is a live stream. Any other waits in the loop until ``deadline``."""


class Connection:
    """A connection that the server accepted from ``client``. Its socket does not block.

    ``whole`` is its request, and ``stream`` the answer if that is a stream. ``chunked``: the pieces of the stream are
    chunks. ``awaiting`` is the event that the request waits for. ``queued`` is the address for whose turn it waits, and
    ``turn`` the outcome. ``named``: the request has a token that may be valid. ``unnamed``: the app found that the
    token is not valid.
    """

    def __init__(self, cfg: Any, sock: socket.socket, client: Any, body_limit: int) -> None:
        sock.setblocking(False)
        self.sock, self.client, self.server = sock, client, sock.getsockname()
        self.intake = Intake(cfg, client, body_limit)
        self.doing: Doing = "working"
        self.deadline = 0.0
        self.out = bytearray()
        self.keep = False
        self.stream: Stream | None = None
        self.chunked = False
        self.whole: Whole | None = None
        self.awaiting: Awaiting | None = None
        self.queued: str | None = None
        self.turn: Turn | None = None
        self.named = self.unnamed = False
        self.drained = 0

    @property
    def held(self) -> int:
        """Bytes in memory."""
        return self.intake.held + len(self.out)

    def send(self) -> bool:
        """Send as much of ``out`` as the socket accepts. Return whether all is sent. Raises OSError if nobody reads."""
        try:
            while self.out:
                del self.out[: self.sock.send(self.out)]
        except BlockingIOError:
            return False
        return True


def allow_open_files(number: int) -> None:
    """Raise this process's limit of open files to a number, or as far as permitted: each connection is one."""
    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if now < number:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(number, most), most))


default_headers = wsgi.Response.default_headers


class Answer:
    """Collects the output of an app instead of a socket, so that a slow reader does not hold a thread."""

    def __init__(self) -> None:
        self.gathered = bytearray()

    def sendall(self, data: bytes) -> None:
        self.gathered += data


def answer(app: Any, cfg: Any, conn: Connection, *, last: bool, live: bool) -> None:
    """Write the app's answer to the request of a connection into its output.

    ``last``: the connection has no other request. ``live``: streams, and waits for an event, are left to the loop.
    """
    assert conn.whole is not None
    gathering = Answer()
    response, environ = wsgi.create(conn.whole.request, gathering, conn.client, conn.server, cfg)
    # gunicorn names itself in each response, and its version shows which faults it has.
    response.default_headers = lambda: [line for line in default_headers(response) if not line.startswith("Server:")]
    environ["wsgi.multithread"] = True
    if live:
        environ[PARKS if conn.awaiting is None else WAITED] = True
        conn.awaiting = None
        environ[QUEUES] = True
        if conn.turn is not None:
            environ[TURN] = conn.turn
        if conn.named:
            environ[NAMED] = True
    if last or not cfg.keepalive:
        response.force_close()
    parts = app(environ, response.start_response)
    if live and isinstance(parts, Awaiting):
        conn.awaiting = parts
        return
    if live and isinstance(parts, Unnamed):
        conn.unnamed = True
        return
    if live and isinstance(parts, Queued):
        conn.queued = parts.home
        return
    if live and isinstance(parts, Stream):
        conn.stream, conn.chunked = parts, response.chunked
        response.force_close()
        response.write(START)
    else:
        _write(response, parts)
    conn.keep, conn.out = not response.should_close(), gathering.gathered


def _write(response: Any, parts: Any) -> None:
    try:
        for part in parts:
            response.write(part)
        response.close()
    finally:
        if hasattr(parts, "close"):
            parts.close()
