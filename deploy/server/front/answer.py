"""What a thread does: the app answers a whole request, into memory; what goes on after that is the loop's."""

from typing import Any

from gunicorn.http import wsgi

from deploy.server.front.connection import Connection
from shared.http.reads.stream import START, Stream
from shared.http.requests.waits import PARKS, WAITED, Awaiting


class Answer:
    """What an app writes to in place of a socket: gathered, so that a slow reader holds no thread."""

    def __init__(self) -> None:
        self.gathered = bytearray()

    def sendall(self, data: bytes) -> None:
        self.gathered += data


def answer(app: Any, cfg: Any, conn: Connection, *, last: bool, live: bool) -> None:
    """Write the app's answer to the request of a connection as what goes out there.

    ``last``: the connection has no other request. ``live``: streams, and waits for a line, are left to the loop.
    """
    assert conn.whole is not None
    gathering = Answer()
    response, environ = wsgi.create(conn.whole.request, gathering, conn.client, conn.server, cfg)
    environ["wsgi.multithread"] = True
    if live:
        environ[PARKS if conn.awaiting is None else WAITED] = True
        conn.awaiting = None
    if last or not cfg.keepalive:
        response.force_close()
    parts = app(environ, response.start_response)
    if live and isinstance(parts, Awaiting):
        conn.awaiting = parts
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
