"""The stack with two web processes and two workers of each service, which are replaced one by one by those of this version."""

import dataclasses
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from deploy.server.settings import SERVICES
from tests.stack.process import Process, free_port
from tests.stack.stack import Stack

_READY_SECONDS = 60


class Rolling:
    """``former``: the folder of the version with which everything but the gateway starts."""

    def __init__(self, folder: Path, former: Path, environment: Mapping[str, str] = {}) -> None:
        ports = {name: free_port() for service in SERVICES for name in (f"{service}-2", f"{service}-worker-2")}
        upstreams = " ".join(f"{service}={service}:8000,127.0.0.1:{ports[f'{service}-2']}" for service in SERVICES)
        self.stack = Stack(folder, environment={"ARBITER_UPSTREAMS": upstreams})
        self._ports = ports
        for name, service in self.stack.services.items():
            if name.removesuffix("-worker") in SERVICES:
                more = {"ARBITER_READS": "0", "ARBITER_RATE": "0", **environment}
                known = {**service.environment, **more}
                self.stack.services[name] = dataclasses.replace(service, environment=known)
        self.stack.hurry()
        self.stack.roots = dict.fromkeys((*self.stack.services, *ports), former)
        del self.stack.roots["gateway"]

    def start(self) -> None:
        """Start everything. Returns when all of it is ready."""
        self.stack.start()
        for name, port in self._ports.items():
            first = self.stack.processes[name.removesuffix("-2")]
            self.stack.services[name] = self.stack.services[first.name]
            environment = {**first.environment, "ARBITER_PORT": str(port)}
            self.stack.processes[name] = self.stack.process(name, first.command, environment)
            self.stack.processes[name].start()
        for name in self._ports:
            self._ready(name)

    def end(self) -> None:
        self.stack.end()

    def replace(self, name: str, before: Callable[[], None], between: Callable[[], None], **settings: str) -> None:
        """Replace a process by one of this version, with other ``settings``.

        ``before`` and ``between``: called when a web process gets no more requests, and when the process has ended.
        """
        former = self.stack.processes[name]
        away = self._taken_out(name)
        before()
        former.end()
        assert former.returncode == 0, f"{name} ended with {former.returncode}: {former.last_words()}"
        between()
        self.stack.roots.pop(name, None)
        self.stack.processes[name] = self.stack.process(name, former.command, {**former.environment, **settings})
        self.stack.processes[name].start()
        self._ready(name)
        if away is not None:
            away.unlink()

    def _taken_out(self, name: str) -> Path | None:
        """Take a web process out of the gateway. Return the file that does so, or None for a worker."""
        service, _, number = name.partition("-")
        if number not in ("", "2"):
            return None
        away = self.stack.folder / "gateway" / "tmp" / "away" / f"{service}.{number or 1}"
        away.touch()
        return away

    def order(self) -> Iterator[str]:
        """Yield the processes in the order in which they are replaced: of each service first the web processes.

        The worker that stands by is the first of the workers.
        """
        for service in SERVICES:
            yield from (service, f"{service}-2")
            workers = [f"{service}-worker", f"{service}-worker-2"]
            yield from sorted(workers, key=self._follows)

    def _follows(self, name: str) -> bool:
        return bool(self.state(name).get("follower"))

    def state(self, name: str) -> dict:
        """Return the facts that a process reports about itself, or {} unless it is ready."""
        port = self.stack.processes[name].environment["ARBITER_PORT"]
        try:
            with urlopen(f"http://127.0.0.1:{port}/readyz", timeout=5) as answer:
                return json.load(answer)
        except (URLError, OSError):
            return {}

    def _ready(self, name: str) -> None:
        process: Process = self.stack.processes[name]
        process.wait_until(lambda: bool(self.state(name)), _READY_SECONDS)
