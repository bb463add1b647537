"""A port that forwards to another one, until the network of some processes is cut: then nothing passes, and nothing is closed."""

import socket
import threading
from collections.abc import Callable, Collection
from contextlib import suppress
from pathlib import Path

from tests.stack.process import free_port

_BYTES = 1 << 16
Pids = Callable[[], Collection[int]]


class Gate:
    """Forwards connections from its ``port`` to ``target``, both of 127.0.0.1."""

    def __init__(self, target: int) -> None:
        self.port, self._target = free_port(), target
        self._changed = threading.Condition()
        self._cuts: dict[str, Pids | None] = {}
        self._inodes: dict[str, set[int]] = {}
        self._listener = socket.create_server(("127.0.0.1", self.port), backlog=256)
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self, name: str, pids: Pids | None) -> None:
        """Hold back what some processes send and receive, or what all do. ``pids`` is called again for each new connection."""
        with self._changed:
            self._cuts[name] = pids
            self._find_sockets()

    def heal(self, name: str) -> None:
        """End the cut of this name, and forward what it held back."""
        with self._changed:
            self._cuts.pop(name, None)
            self._changed.notify_all()

    def end(self) -> None:
        """Accept no more connections."""
        for name in list(self._cuts):
            self.heal(name)
        self._listener.close()

    def _accept(self) -> None:
        with suppress(OSError):  # the listener was closed
            while True:
                client, (_, port) = self._listener.accept()
                threading.Thread(target=self._connect, args=(client, port), daemon=True).start()

    def _connect(self, client: socket.socket, port: int) -> None:
        inode = _inode(port, self.port)
        with self._changed:
            self._find_sockets()
        self._wait(inode)
        try:
            server = socket.create_connection(("127.0.0.1", self._target))
        except OSError:
            client.close()
            return
        for side in (client, server):
            side.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        threading.Thread(target=self._forward, args=(server, client, inode), daemon=True).start()
        self._forward(client, server, inode)

    def _forward(self, one: socket.socket, other: socket.socket, inode: int) -> None:
        with suppress(OSError):
            while content := one.recv(_BYTES):
                self._wait(inode)
                other.sendall(content)
        self._wait(inode)
        for side in (one, other):
            with suppress(OSError):
                side.shutdown(socket.SHUT_RDWR)
            side.close()

    def _find_sockets(self) -> None:
        for name, pids in self._cuts.items():
            self._inodes[name] = self._inodes.get(name, set()) | _sockets_of([] if pids is None else pids())

    def _wait(self, inode: int) -> None:
        """Wait while the network of the process with this socket is cut."""

        def is_cut() -> bool:
            return any(pids is None or inode in self._inodes[name] for name, pids in self._cuts.items())

        with self._changed:
            self._changed.wait_for(lambda: not is_cut())


def _inode(port: int, to: int) -> int:
    """Return the inode of the socket at ``port`` that is connected to the port ``to``, or 0."""
    own, other = (f"0100007F:{number:04X}" for number in (port, to))
    for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        words = line.split()
        if words[1] == own and words[2] == other:
            return int(words[9])
    return 0


def _sockets_of(pids: Collection[int]) -> set[int]:
    """Return the inodes of the processes' sockets."""
    found = set()
    for pid in pids:
        with suppress(OSError):
            for file in Path(f"/proc/{pid}/fd").iterdir():
                with suppress(OSError, ValueError):
                    found.add(int(str(file.readlink()).removeprefix("socket:[").removesuffix("]")))
    return found
