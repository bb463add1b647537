"""The whole stack of docker-compose.yml with two workers of each service. Each process can fail in several ways.

A process that ends by itself is started again, as by ``restart: unless-stopped``.
"""

import dataclasses
import os
import re
import signal
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from deploy.server.settings import SERVICES
from tests.faults.gate import Gate
from tests.stack.disk import Disk
from tests.stack.process import NotReady, descendants, free_port
from tests.stack.stack import Stack

SECOND_WEB = ("pairing", "games")
"""Services with two web processes; each is struck alone too (``games/process``)."""
WEB_PROCESSES = tuple(f"{service}/process" for service in SECOND_WEB)
WORKERS = tuple(f"{service}-worker{number}" for service in SERVICES for number in ("", "-2"))
SERVERS = ("kafka", "kafka-2", "kafka-3", "postgres")
KILL, STOP, CUT, CUT_KAFKA, FULL = "SIGKILL", "SIGSTOP", "cut network of", "cut Kafka from", "full disk of"

_MEGABYTES = 1024
_READY_SECONDS = 60
_PAUSE = threading.Event()


def all_acts(brokers: Sequence[str], *, disks: bool) -> Mapping[str, tuple[str, ...]]:
    """Return the acts that can strike each target. ``disks``: whether the servers' disks can be filled."""
    full = (FULL,) if disks else ()
    return {
        **dict.fromkeys((*SERVICES, *WEB_PROCESSES), (KILL, STOP)),
        **dict.fromkeys(WORKERS, (KILL, STOP, CUT, CUT_KAFKA)),
        **dict.fromkeys(brokers, (KILL, STOP, CUT, *full)),
        "postgres": (KILL, STOP, *full),
    }


class Field:
    """``url`` is the gateway's address. One thread strikes, heals and tends.

    All reach Kafka through gates that can be cut, and the workers reach PostgreSQL so. The servers have small disks where this
    process may mount them.
    """

    def __init__(self, folder: Path, profile: str = "") -> None:
        self.stack = Stack(folder, profile=profile)
        self.restarts = 0
        """How often a process that nobody had struck was started again."""
        self._struck: dict[str, set[int]] = {}
        for service in SECOND_WEB:
            self._say(service, ARBITER_WORKERS="2")
        self.stack.hurry()
        self._gates = {name: Gate(self.stack.ports[name]["9092"]) for name in self.stack.brokers}
        self._database = Gate(self.stack.ports["postgres"]["5432"])
        for name, known in self.stack.services.items():
            self._say(name, **{key: self._through_gates(name, value) for key, value in known.environment.items()})
        servers = (*self.stack.brokers, "postgres")
        self._disks = {name: Disk(folder / "volumes" / name, _MEGABYTES) for name in servers}
        self.acts = all_acts(self.stack.brokers, disks=all(disk.mounted for disk in self._disks.values()))

    def _through_gates(self, name: str, value: str) -> str:
        if name not in self.stack.brokers or value == f"{name}:9092":  # KAFKA_ADVERTISED
            for broker, gate in self._gates.items():
                value = re.sub(rf"\b{broker}:9092", f"127.0.0.1:{gate.port}", value)
        return value.replace("@postgres:5432", f"@127.0.0.1:{self._database.port}") if name in WORKERS else value

    def _say(self, name: str, **more: str) -> None:
        known = self.stack.services[name]
        self.stack.services[name] = dataclasses.replace(known, environment={**known.environment, **more})

    def start(self) -> None:
        """Start everything; returns when all of it is healthy."""
        self.stack.start()
        for service in SERVICES:
            first = self.stack.processes[f"{service}-worker"]
            name, port = f"{service}-worker-2", str(free_port())
            self.stack.services[name] = self.stack.services[first.name]
            second = self.stack.process(name, first.command, {**first.environment, "ARBITER_PORT": port})
            self.stack.processes[name] = second
            second.start()
            second.wait_until(partial(self._answers, name), _READY_SECONDS)

    def end(self) -> None:
        for target in list(self._struck):
            self.heal(target)
        self.stack.end()
        for gate in (*self._gates.values(), self._database):
            gate.end()
        for disk in self._disks.values():
            disk.end()

    # ------------------------------------------------------------ blows

    def strike(self, target: str, act: str) -> None:
        """Strike a target: SIGKILL and SIGSTOP reach all its children at one moment."""
        name, _, one = target.partition("/")
        process = self.stack.processes[name]
        self._struck[target] = set()
        if act in (KILL, STOP):
            hit = descendants(min(_children(process.pid))) if one else process.family()
            self._struck[target] = hit if act == STOP else set()
            for pid in hit:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.Signals[act])
        elif act == FULL:
            self._disks[target].fill()
        elif target in self._gates:
            self._gates[target].cut(target, None)
        else:
            for gate in (*self._gates.values(), *([self._database] if act == CUT else [])):
                gate.cut(target, process.family)

    def heal(self, target: str) -> None:
        """Let a target go on, or start it again; returns when it answers."""
        for pid in self._struck.pop(target):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)
        for gate in (*self._gates.values(), self._database):
            gate.heal(target)
        if target in self._disks:
            self._disks[target].clear()
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
        if name in (*self.stack.brokers, "gateway"):
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
