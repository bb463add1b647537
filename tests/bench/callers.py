"""Many callers of a server in one thread: each sends its next prepared request as soon as the last one is answered.

The requests are bytes that were made before, so that the callers take little of the processors that they measure.
"""

import json
import selectors
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

_PIECE = 65536
_ANSWER_SECONDS = 60


class Load(NamedTuple):
    """The answers of a measured time, its seconds, the seconds of each answer, and the callers' own seconds of CPU."""

    answers: int
    seconds: float
    waits: list[float]
    cpu: float


class _Caller:
    """One connection: its further requests, and the received part of the answer."""

    def __init__(self, port: int, requests: Iterator[bytes]) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.requests, self.received, self.sent = requests, b"", 0.0
        self.request: bytes | None = None

    def send(self) -> bool:
        """Send the next request. Return False if all were sent."""
        self.request = next(self.requests, None)
        if self.request is None:
            return False
        self.send_again()
        return True

    def send_again(self) -> None:
        """Send the same request."""
        assert self.request is not None
        self.sent = time.perf_counter()
        self.socket.sendall(self.request)

    def receive(self) -> bytes | None:
        """Return the answer when it is complete, else None."""
        piece = self.socket.recv(_PIECE)
        assert piece, f"the server has closed a connection after {self.received!r}"
        self.received += piece
        head, found, body = self.received.partition(b"\r\n\r\n")
        if not found:
            return None
        lower = head.lower()
        length = int(lower.partition(b"content-length:")[2].partition(b"\r\n")[0])
        if len(body) < length:
            return None
        answer, self.received = self.received, b""
        return answer


def request(path: str, body: object, token: str) -> bytes:
    """Return a POST as bytes."""
    content = json.dumps(body).encode()
    head = (
        f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        f"Authorization: Bearer {token}\r\nContent-Length: {len(content)}\r\n\r\n"
    )
    return head.encode() + content


def send_all(ports: Sequence[int], callers: Sequence[Sequence[bytes]]) -> None:
    """Let each caller send its requests, and return when all are answered."""
    run(ports, [iter(requests) for requests in callers], 0, float("inf"))


def run(
    ports: Sequence[int],
    callers: Sequence[Iterator[bytes]],
    seconds: float,
    warm: float = 0.0,
    begun: Callable[[], None] = lambda: None,
) -> Load:
    """Count the answers of a number of ``seconds`` that begins after ``warm`` ones, when ``begun`` is called.

    The callers are spread over the ``ports``. Every answer must be a 201. Before, a request that is answered by 503 is sent
    again, because a new process first waits for its worker.
    """
    selector = selectors.DefaultSelector()
    connected = [_Caller(ports[n % len(ports)], requests) for n, requests in enumerate(callers)]
    try:
        for caller in connected:
            selector.register(caller.socket, selectors.EVENT_READ, caller)
            if not caller.send():
                selector.unregister(caller.socket)
        start, measured = time.perf_counter() + warm, warm == 0.0
        waits, cpu = list[float](), time.process_time()
        if measured:
            begun()
        while selector.get_map():
            now = time.perf_counter()
            if not measured and now >= start:
                measured, start, waits, cpu = True, now, [], time.process_time()
                begun()
            if measured and now - start >= seconds:
                break
            ready = selector.select(_ANSWER_SECONDS)
            assert ready, f"no answer in {_ANSWER_SECONDS} s"
            for key, _ in ready:
                caller: _Caller = key.data
                answer = caller.receive()
                if answer is None:
                    continue
                if not measured and answer.startswith(b"HTTP/1.1 503"):
                    caller.send_again()
                    continue
                assert answer.startswith(b"HTTP/1.1 201"), answer
                waits.append(time.perf_counter() - caller.sent)
                if not caller.send():
                    selector.unregister(caller.socket)
        return Load(len(waits), time.perf_counter() - start, waits, time.process_time() - cpu)
    finally:
        for caller in connected:
            caller.socket.close()
        selector.close()
