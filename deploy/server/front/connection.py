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
"""``working`` is a thread's, or a live stream; everything else waits in the loop until ``deadline``."""


class Connection:
    """A connection that the server took from ``client``; its socket does not block.

    ``stream`` is what it is answered with where that goes on, ``chunked`` whether its pieces are chunks; ``awaiting`` the
    event that its request, ``whole``, waits for, ``queued`` the address for whose turn it waits, ``turn`` what became of that.
    ``named`` is whether the request has a token that may be valid; ``unnamed``, whether the app found that it is not.
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
        """Send what the socket takes now of ``out``; whether all is gone. Raises OSError where nobody reads."""
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

    ``last``: the connection has no other request. ``live``: streams, and waits for a line, are left to the loop.
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
