"""A stranger at the door: raw bytes to a server, and what comes back."""

import http.client
import json
import re
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

CROWD = 70
"""More than a server has threads."""
_LONGEST = 150.0
"""Seconds until an answer is given up. The process that makes an audit has low priority, so a busy machine delays it."""


def opened(address: tuple[str, int], first: bytes = b"") -> socket.socket:
    """A connection on which ``first`` was sent."""
    sock = socket.create_connection(address, timeout=20)
    sock.sendall(first)
    return sock


@contextmanager
def crowd(address: tuple[str, int], first: bytes, number: int = CROWD) -> Iterator[list[socket.socket]]:
    """So many connections on each of which ``first`` was sent."""
    with ExitStack() as stack:
        yield [stack.enter_context(opened(address, first)) for _ in range(number)]


def rest(sock: socket.socket) -> bytes:
    """All that comes until the other side ends the connection."""
    pieces = []
    try:
        while piece := sock.recv(65536):
            pieces.append(piece)
    except ConnectionResetError:
        pass
    return b"".join(pieces)


def statuses(answers: bytes) -> list[int]:
    """The statuses of the answers in these bytes."""
    return [int(status) for status in re.findall(rb"HTTP/1\.[01] (\d{3}) ", answers)]


def exchange(address: tuple[str, int], sent: bytes, *, half_close: bool = True) -> bytes:
    """What is answered to these bytes."""
    with opened(address) as sock:
        try:
            sock.sendall(sent)
            if half_close:
                sock.shutdown(socket.SHUT_WR)
        except OSError:  # it was refused before all was sent
            pass
        return rest(sock)


def ask(
    address: tuple[str, int], method: str, path: str, body: object = None, source: str = "127.0.0.1", **headers: str
) -> tuple[int, http.client.HTTPMessage, bytes, float]:
    """Status, headers and body of an answer to the address ``source``, and the seconds that it took."""
    start = time.monotonic()
    connection = http.client.HTTPConnection(*address, timeout=_LONGEST, source_address=(source, 0))
    sent = {"Content-Type": "application/json", **{name.replace("_", "-"): value for name, value in headers.items()}}
    connection.request(method, path, None if body is None else json.dumps(body), sent)
    answer = connection.getresponse()
    content = answer.read()
    connection.close()
    return answer.status, answer.headers, content, time.monotonic() - start
