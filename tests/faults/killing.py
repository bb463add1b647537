"""A served house that can be killed, and callers that write to it until it is."""

import http.client
import json
import os
import re
import signal
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from shared.core.terms import Role
from shared.http.identity import tokens
from shared.log.sqlite import SqliteLog
from tests import warm
from tests.offices import everywhere

ROOT = Path(__file__).parents[2]
SHARED = "hall"
"""The tournament that every caller writes to."""


class House:
    """``arbiter serve`` on a data folder, in a process group of its own. ``module``: the command, or one that prepares it."""

    def __init__(self, data: Path, module: str = "deploy.cli.main") -> None:
        command = [sys.executable, "-m", module, "serve", "--data", str(data), "--port", "0"]
        environment = {**os.environ, "ARBITER_RATE": "0", "ARBITER_READS": "0"}
        self._errors = (data / "stderr").open("ab+")
        at = self._errors.seek(0, os.SEEK_END)
        forked = warm.started(command, env=environment, cwd=ROOT, stderr=self._errors.fileno())
        assert forked is not None
        self.process = forked
        self.address = self._listening(data / "stderr", at)

    def _listening(self, said: Path, at: int) -> tuple[str, int]:
        while self.process.poll() is None:
            found = re.search(rb"serving .* at http://([^:]+):(\d+)", said.read_bytes()[at:])
            if found is not None:
                return found[1].decode(), int(found[2])
            threading.Event().wait(0.01)
        raise AssertionError(said.read_text())

    def kill(self) -> None:
        """SIGKILL for the whole group: server, worker and the worker's child at one moment."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(20)
        self._errors.close()


class Said(NamedTuple):
    """A command as it was sent; ``key`` None: without an Idempotency-Key."""

    path: str
    body: dict[str, Any]
    role: Role
    key: str | None


@dataclass
class Caller:
    """One of those who write. What it was told is kept through all kills."""

    name: str
    rng: Random
    tokens: dict[Role, str]
    acknowledged: list[tuple[Said, bytes]] = field(default_factory=list)
    pending: Said | None = None
    """A command with a key of which no answer came."""
    told: int = 0
    failure: BaseException | None = None

    def write(self, house: House, first: threading.Event) -> None:
        """Write until the house is gone, first what it had no answer to."""
        connection = http.client.HTTPConnection(*house.address, timeout=20)
        try:
            if self.pending is not None:
                status, body = self.send(connection, self.pending)
                assert status == 201, body
                self.acknowledged.append((self.pending, body))
                self.pending = None
            for said in self.commands(connection):
                self.pending = said if said.key else None
                status, body = self.send(connection, said)
                self.pending = None
                assert status == 201, (said, body)
                self.acknowledged.append((said, body))
                first.set()
        except (OSError, http.client.HTTPException):
            pass
        except BaseException as problem:
            self.failure = problem
        finally:
            connection.close()

    def send(self, connection: http.client.HTTPConnection, said: Said, **headers: str) -> tuple[int, bytes]:
        sent = {"Authorization": f"Bearer {self.tokens[said.role]}", "Content-Type": "application/json", **headers}
        if said.path.endswith("/rounds"):
            connection.request("GET", said.path.removesuffix("/rounds"))
            answer = connection.getresponse()
            answer.read()
            sent["If-Match"] = answer.headers["ETag"]
        if said.key:
            sent["Idempotency-Key"] = said.key
        connection.request("POST", said.path, json.dumps(said.body), sent)
        answer = connection.getresponse()
        return answer.status, answer.read()

    def commands(self, connection: http.client.HTTPConnection) -> Iterator[Said]:
        """Small chess tournaments of its own, one after the other, and between them the hall that all share."""
        while True:
            self.told += 1
            t = f"{self.name}.{self.told}"
            T, chief = f"/v1/tournaments/{t}", "chief_arbiter"
            cup: dict[str, Any] = {
                "id": t,
                "name": "Cup",
                "game": "chess",
                "format": "swiss",
                "rounds": 3,
                "regulations": "campus",
            }
            cup["officials"] = everywhere(self.name)
            yield self.said("/v1/tournaments", cup, chief)
            yield self.said(f"{T}/entries", {"players": [{"name": f"选手 {n}"} for n in range(1, 5)]}, chief)
            yield self.said(f"{T}/rounds", {"boards": [[1, 2], [3, 4]], "reason": "as drawn"}, chief)
            yield self.said(f"/v1/games/{t}.1.1/moves", {"ply": 1, "moves": ["f3", "e5"]}, "board")
            for _ in range(3):
                yield self.said(f"{T}/rulings", {"player": 3, "round": 1, "infraction": "foul"}, "arbiter")
                hall = f"/v1/tournaments/{SHARED}"
                yield self.said(f"{hall}/rulings", {"player": 2, "round": 1, "infraction": "violation"}, "arbiter")
                yield self.said(f"{hall}/entries", {"players": [{"name": f"来者 {self.told}"}]}, chief)
            yield self.said(f"/v1/games/{t}.1.1/moves", {"ply": 3, "moves": ["g4", "Qh4#"]}, "board")
            yield self.said(f"{T}/rulings/r2/annulment", {"reason": "the film shows otherwise"}, "appeals")
            yield self.said(f"{T}/results", {"round": 1, "results": [{"board": 2, "result": "1/2-1/2"}]}, "arbiter")

    def said(self, path: str, body: dict[str, Any], role: Role) -> Said:
        key = f"{self.name}-{self.rng.getrandbits(64)}" if self.rng.random() < 0.5 else None
        return Said(path, body, role, key)


def callers(data: Path, count: int, seed: int) -> list[Caller]:
    """Callers with tokens of every role that they speak in."""
    roles: tuple[Role, ...] = ("chief_arbiter", "arbiter", "appeals", "board")
    return [
        Caller(f"c{n}", Random(f"{seed} {n}"), {role: tokens.issue(data, role, f"c{n}") for role in roles})
        for n in range(count)
    ]


def lines_of(data: Path) -> dict[str, list[bytes]]:
    """Stream -> its lines, read from the file while nobody serves it."""
    log = SqliteLog(data / "arbiter.db")
    try:
        streams = [*log.streams("tournaments/"), *log.streams("games/")]
        return {stream: [row.line for row in log.lines(stream)] for stream in streams}
    finally:
        log.close()
