"""Viewers of a live tournament: many streams read by one thread."""

import resource
import selectors
import socket
import time
from collections.abc import Callable, Iterable

SECONDS = 60.0
"""In which whatever is waited for is to come, on a busy machine too."""


class Viewer:
    """One stream: what was read of it."""

    def __init__(
        self,
        address: tuple[str, int],
        path: str,
        *,
        buffer: int | None = None,
        source: str | None = None,
        **headers: str,
    ) -> None:
        """``source``: the address that it comes from."""
        self.sock = socket.socket()
        if source is not None:
            self.sock.bind((source, 0))
        if buffer is not None:
            self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        self.sock.settimeout(SECONDS)
        self.sock.connect(address)
        lines = [f"GET {path} HTTP/1.0", "Host: a", "Accept: text/event-stream"]  # 1.0: no chunks in what is read
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        self.sock.sendall("\r\n".join([*lines, "", ""]).encode())
        self.read = b""
        self.ended = False

    def take(self) -> None:
        """Read what is there."""
        try:
            piece = self.sock.recv(1 << 20)
        except (BlockingIOError, ConnectionResetError) as problem:
            self.ended = isinstance(problem, ConnectionResetError)
            return
        self.read += piece
        self.ended = not piece

    def first_status(self) -> int:
        """The status of an answer that is no stream."""
        while not self.ended:
            self.take()
        return self.status

    @property
    def status(self) -> int:
        return int(self.read.split(b" ", 2)[1])

    @property
    def ids(self) -> list[int]:
        """The numbers of all whole events."""
        whole = self.read.rpartition(b"\n\n")[0] + b"\n"
        return [int(line[4:]) for line in whole.split(b"\n") if line.startswith(b"id: ")]


class Viewers:
    """Streams that are read until `close`; a context."""

    def __init__(self, viewers: Iterable[Viewer]) -> None:
        self._selector = selectors.DefaultSelector()
        self.all: list[Viewer] = []
        for viewer in viewers:
            self.all.append(viewer)
            viewer.sock.setblocking(False)
            self._selector.register(viewer.sock, selectors.EVENT_READ, viewer)

    def __enter__(self) -> "Viewers":
        return self

    def __exit__(self, *_: object) -> None:
        self._selector.close()
        for viewer in self.all:
            viewer.sock.close()

    def read_until(self, seen: Callable[[Viewer], bool]) -> None:
        """Read until each viewer has ``seen`` it. Fails where that does not come."""
        end = time.monotonic() + SECONDS
        left = {viewer for viewer in self.all if not seen(viewer)}
        assert not any(viewer.ended for viewer in left), [v.read[-300:] for v in left if v.ended][:1]
        while left:
            assert time.monotonic() < end, f"{len(left)} of {len(self.all)} viewers did not see it"
            for key, _ in self._selector.select(1.0):
                viewer: Viewer = key.data
                viewer.take()
                if viewer.ended:
                    self._selector.unregister(viewer.sock)
                if viewer in left and seen(viewer):
                    left.discard(viewer)
                assert not viewer.ended or viewer not in left, viewer.read[-300:]


def may_open(number: int) -> None:
    """Let this process have so many sockets."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < number:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(number, hard), hard))
