"""The whole stack of docker-compose.yml, grown by second processes, each of which can be killed or stopped.

What ends by itself is started again, as ``restart: unless-stopped`` has it.
"""

import dataclasses
import os
import signal
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from deploy.server.settings import SERVICES
from tests.stack.process import NotReady, Process, descendants, free_port
from tests.stack.stack import Stack

SECOND_WEB = ("pairing", "games")
"""Services with two web processes; each is struck alone too (``games/process``)."""
SECOND_WORKER = ("pairing", "games")
"""Services with a worker that stands by."""
WEB = tuple(SERVICES)
WEB_PROCESSES = tuple(f"{service}/process" for service in SECOND_WEB)
WORKERS = (*(f"{s}-worker" for s in SERVICES), *(f"{s}-worker-2" for s in SECOND_WORKER))
SERVERS = ("kafka", "postgres")
TARGETS = (*WEB, *WEB_PROCESSES, *WORKERS, *SERVERS)

_READY_SECONDS = 60
_PAUSE = threading.Event()


class Field:
    """``url`` is the gateway's address. One thread strikes, heals and tends."""

    def __init__(self, folder: Path) -> None:
        self.stack = Stack(folder)
        self.restarts = 0
        """How often a process that nobody had struck was started again."""
        self._struck: dict[str, set[int]] = {}
        for service in SECOND_WEB:
            self._say(service, ARBITER_WORKERS="2")
        self.stack.hurry()

    def _say(self, name: str, **more: str) -> None:
        known = self.stack.services[name]
        self.stack.services[name] = dataclasses.replace(known, environment={**known.environment, **more})

    def start(self) -> None:
        """Start everything; returns when all of it is healthy."""
        self.stack.start()
        for service in SECOND_WORKER:
            first = self.stack.processes[f"{service}-worker"]
            name, port = f"{service}-worker-2", str(free_port())
            told = self.stack.folder / f"{name}.log"
            second = Process(
                name, first.command, {**first.environment, "ARBITER_PORT": port}, told, cwd=Path.cwd(), forked=True
            )
            self.stack.services[name] = self.stack.services[f"{service}-worker"]
            self.stack.processes[name] = second
            second.start()
            second.wait_until(lambda name=name: self._answers(name), _READY_SECONDS)

    def end(self) -> None:
        for target in list(self._struck):
            self.heal(target)
        self.stack.end()

    # ------------------------------------------------------------ blows

    def strike(self, target: str, act: str) -> None:
        """SIGKILL or SIGSTOP for a target and all its children at one moment."""
        name, _, one = target.partition("/")
        process = self.stack.processes[name]
        hit = process.family()
        if one:
            hit = descendants(min(_children(process.pid)))
        self._struck[target] = hit if act == "SIGSTOP" else set()
        for pid in hit:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.Signals[act])

    def heal(self, target: str) -> None:
        """Let a target go on, or start it again; returns when it answers."""
        for pid in self._struck.pop(target):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)
        self._until(lambda: self._up(target.partition("/")[0]), f"{target} does not answer")

    def tend(self) -> None:
        """Start again what has ended although nobody struck it."""
        for name, process in self.stack.processes.items():
            if name not in self._struck and not process.alive and not self.stack.services[name].once:
                self.restarts += 1
                self._up(name)

    def _up(self, name: str) -> bool:
        """Whether a process answers; one that has ended is started again."""
        process = self.stack.processes[name]
        if name == "postgres":
            assert self.stack.postgres is not None
            if not process.alive:
                self.stack.postgres.start()
            return self.stack.postgres.answers()
        if not process.alive:
            process.start()
        return self._answers(name)

    def _answers(self, name: str) -> bool:
        if name in ("kafka", "gateway"):
            return self.stack.healthy(name)
        port = self.stack.processes[name].environment["ARBITER_PORT"]
        try:
            with urlopen(f"http://127.0.0.1:{port}/healthz", timeout=2) as answer:
                return answer.status == 200
        except (URLError, OSError):
            return False

    def _until(self, condition: Callable[[], bool], why: str) -> None:
        for _ in range(_READY_SECONDS * 20):
            if condition():
                return
            _PAUSE.wait(0.05)
        raise NotReady(why)


def _children(pid: int) -> list[int]:
    """The processes that a process started itself."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
