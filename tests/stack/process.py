"""One process of this machine and its children: started, watched until ready, stopped, ended."""

import os
import pwd
import random
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from tests import warm

_PORTS = range(20_000, 32_000)
"""Below the ports that the system gives to connections, so that a server started again finds its own free."""
_LOOK_SECONDS = 0.05
_LAST_BYTES = 2000


class NotReady(Exception):
    """A process ended, or was not ready in time; says the end of its output."""


def free_port() -> int:
    """A port of 127.0.0.1 that nobody listens at."""
    while True:
        port = random.choice(_PORTS)
        if is_free(port):
            return port


def is_free(port: int) -> bool:
    """True if a server can listen at this port of 127.0.0.1."""
    with socket.socket() as probe, suppress(OSError):
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind(("127.0.0.1", port))
        return True
    return False


def open_port(port: int) -> bool:
    """Whether somebody listens there."""
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0


def unprivileged() -> str | None:
    """The user to run as what refuses root; None where this process is not root."""
    if os.geteuid() != 0:
        return None
    known = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in known else "nobody"


class Process:
    """A command with its environment; what it writes goes to the file ``output``. It can be started again."""

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        environment: Mapping[str, str],
        output: Path,
        user: str | None = None,
        cwd: Path | None = None,
        forked: bool = False,
        root: Path = warm.ROOT,
    ) -> None:
        """``forked``: a program of the product is forked from a process that has imported it (`tests.warm`).

        ``root``: the folder of the product.
        """
        self.name, self.command, self.environment, self.output = name, command, environment, output
        self.user, self.forked, self._cwd, self.root = user, forked, cwd, root
        self._running: subprocess.Popen[bytes] | warm.Started | None = None
        self._family: set[int] = set()

    @property
    def pid(self) -> int:
        assert self._running is not None
        return self._running.pid

    @property
    def alive(self) -> bool:
        return self._running is not None and self._running.poll() is None

    @property
    def returncode(self) -> int | None:
        return None if self._running is None else self._running.poll()

    def start(self) -> None:
        self.output.parent.mkdir(parents=True, exist_ok=True)
        with self.output.open("ab") as output:
            if self.forked:
                to = output.fileno()
                environment, folder = self.environment, self._cwd or Path.cwd()
                self._running = warm.started(
                    self.command, env=environment, cwd=folder, stdout=to, stderr=to, root=self.root
                )
                if self._running is not None:
                    return
            self._running = subprocess.Popen(
                self.command,
                env=dict(self.environment),
                cwd=self._cwd,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,  # Ctrl-C is for whoever started the stack, who then ends it in order
                user=self.user,
                group=None if self.user is None else pwd.getpwnam(self.user).pw_gid,
            )

    def wait_until(self, ready: Callable[[], bool], seconds: float = 60, look: float = _LOOK_SECONDS) -> None:
        """Look every ``look`` seconds until ``ready``. Raises `NotReady` where it ends before, or takes longer."""
        end = time.monotonic() + seconds
        while not ready():
            if not self.alive:
                raise NotReady(f"{self.name} ended with {self.returncode}: {self.last_words()}")
            if time.monotonic() > end:
                raise NotReady(f"{self.name} is not ready after {seconds:.0f} s: {self.last_words()}")
            time.sleep(look)

    def wait(self, seconds: float) -> None:
        """Wait until it has ended well. Raises `NotReady` where it has not, or takes longer."""
        if not self._reap(seconds) or self.returncode != 0:
            raise NotReady(f"{self.name} ended with {self.returncode}: {self.last_words()}")

    def last_words(self) -> str:
        return self.output.read_bytes()[-_LAST_BYTES:].decode("utf-8", "replace") if self.output.exists() else ""

    # ------------------------------------------------------------ signals

    def family(self) -> set[int]:
        """The process and all that came from it (PostgreSQL's children leave its process group)."""
        return descendants(self.pid) if self.alive else set()

    def kill(self) -> None:
        """SIGKILL to the process and its children at once, as a machine that fails."""
        self._signal_all(signal.SIGKILL)
        self._reap(10)

    def pause(self) -> None:
        """SIGSTOP: nothing answers, nothing is closed."""
        self._family = self.family()
        for pid in self._family:
            _signal(pid, signal.SIGSTOP)

    def resume(self) -> None:
        for pid in self._family | self.family():
            _signal(pid, signal.SIGCONT)
        self._family = set()

    def end(self, seconds: float = 15, by: int = signal.SIGTERM) -> None:
        """Ask it to end; SIGKILL after ``seconds``."""
        if self.alive:
            self.resume()
            _signal(self.pid, by)
            if not self._reap(seconds):
                self.kill()

    def _signal_all(self, number: int) -> None:
        for pid in self.family():
            _signal(pid, number)

    def _reap(self, seconds: float) -> bool:
        assert self._running is not None
        try:
            self._running.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True


class Server:
    """A process of this machine that others talk to; it can fail, hang, and go on."""

    process: Process

    def kill(self) -> None:
        self.process.kill()

    def pause(self) -> None:
        self.process.pause()

    def resume(self) -> None:
        self.process.resume()


def _signal(pid: int, number: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, number)


def descendants(pid: int) -> set[int]:
    """A process and all that it started, by Linux' /proc."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError):
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                children.setdefault(parent, []).append(int(entry.name))
    family, open_ = {pid}, [pid]
    while open_:
        for child in children.get(open_.pop(), ()):
            family.add(child)
            open_.append(child)
    return family
