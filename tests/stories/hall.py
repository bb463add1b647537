"""Two halls behind one door: the embedded house, and four services apart over a log that lags.

Stories speak HTTP to either and cannot tell which one they are in.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Protocol

from flask import Flask

from deploy.server import embedded
from deploy.server.jobs.audit_job import previews
from deploy.server.keys.house_signer import HouseKeys, HouseSigner, memory_of
from deploy.server.known_tiebreaks import TIEBREAK_CODES
from deploy.server.rules import RULES
from deploy.server.settings import DESCRIPTION, VERIFIER
from services.games import app as games
from services.pairing import app as pairing
from services.penalties import app as penalties
from services.standings import app as standings
from services.standings.files.archive_routes import Archives
from services.standings.files.sheet_sources import sheets_followed
from services.standings.tables.calendar.projection import project_outdated
from shared.audit.audit import Evidence, audit
from shared.audit.checkpoints.checkpoint import Signer
from shared.audit.keys import service_key_files
from shared.audit.report_answer import AuditAnswer
from shared.core.terms import GAMES, PAIRING, PENALTIES, SOURCES, STANDINGS, Source
from shared.desk.desk import Desk
from shared.desk.score_sheets import score_sheets
from shared.desk.views import stream_of
from shared.http.app import Settings, close, create_app
from shared.http.identity import tokens
from shared.http.limits.rate_limits import Limits
from shared.http.requests.app_context import EXTENSION
from shared.log.port import Cursor
from tests.log.lagging import LaggingLog, lagging_world, move, settle
from tests.played import AtOnce

SERVICES = dict(
    zip(("pairing", "games", "penalties", "standings"), (PAIRING, GAMES, PENALTIES, STANDINGS), strict=True)
)
OFFICE = (
    *(
        "regulations",
        "officials",
        "entries",
        "check-in",
        "starting-numbers",
        "byes",
        "rounds",
        "teams",
        "lineups",
        "visibility",
        "venue-notice",
        "details",
        "listing",
    ),
    *("forbidden-pairs", "virtual-points", "lots", "play-offs", "invitations", "keys"),
)
TABLE = ("arrivals", "rulings", "appeals", "crossings", "rulebook")
PATIENCE = 20.0
"""Seconds until a story is given up: nothing here takes so long."""
STEPS = 16
"""Moves of the lagging world between two looks whether anything is left to move."""


def routed(method: str, path: str) -> tuple[str, str]:
    """The service that answers at this address, and the path there (formats.md, the resources)."""
    parts = path.partition("?")[0].strip("/").split("/")
    if parts[0] == "services":
        return parts[1], path.removeprefix(f"/services/{parts[1]}")
    what = parts[3] if len(parts) > 3 else ""
    if parts[:2] == ["v1", "games"] and what in ("breaks", "decision"):
        return "penalties", path
    if "games" in parts[:2] or what in ("results", "corrections", "claims", "commands", "sheets"):
        return "games", path
    if what == "rounds" and parts[-1].endswith(".pgn"):
        return "games", path
    if what in TABLE:
        return "penalties", path
    if (
        parts[1:2] == ["regulations"]
        or what in OFFICE
        or (method, what) == ("DELETE", "texts")
        or (method, len(parts)) == ("POST", 2)
    ):
        return "pairing", path
    return "standings", path


class Hall(Protocol):
    """Where a story takes place. ``data`` holds the keys that tokens are signed with."""

    data: Path

    @property
    def signer(self) -> Signer | HouseSigner: ...

    def client(self, method: str, path: str) -> Any:
        """The client of the app that answers this request, and the path there."""

    def near(self, service: str, t: str, seq: int) -> None:
        """Wait until a service has read this line, or as long as a story has patience."""

    def settled(self) -> None:
        """Wait until every ledger holds every line."""

    def lines(self, t: str) -> list[bytes]: ...
    def sheets(self, t: str) -> dict[str, list[bytes]]: ...
    def close(self) -> None: ...


class Embedded:
    """The house as it is served: four services on one SQLite file."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.app = embedded.make_app(data, Limits(rate=0, reads=0, preview_seconds=600, audit_seconds=600))
        self.signer = HouseSigner(data)

    @property
    def desk(self) -> Desk:
        found: Desk = self.app.extensions[EXTENSION].desk
        return found

    def client(self, method: str, path: str) -> Any:
        return self.app.test_client(), path

    def near(self, service: str, t: str, seq: int) -> None:
        assert self.desk.folds.wait(t, seq - 1, PATIENCE) >= seq

    def settled(self) -> None:
        pass

    def lines(self, t: str) -> list[bytes]:
        return [row.line for row in self.desk.lines(stream_of(t))]

    def sheets(self, t: str) -> dict[str, list[bytes]]:
        return dict(score_sheets(self.desk, t))

    def close(self) -> None:
        close(self.app)


class Lagging:
    """Four services, each with its own database and desk; what one writes reaches the others by and by."""

    def __init__(self, data: Path, seed: int, back_seconds: float = 30, unread_seconds: float = 0) -> None:
        self.data = data
        tokens.ensure_keys(data)
        self.signer = HouseSigner(data)
        service_key_files.ensure(data)
        self._written = threading.Event()
        self._world = lagging_world(data, seed, self._written)
        self._rng = Random(seed)
        self.desks = {
            s: Desk(
                LaggingLog(data, s, Random(seed), self._written, self._world[s].topic),
                {s: RULES[s]},
                self.signer.sign,
                keys=service_key_files.load(data, (s,), data / service_key_files.FOLDER),
                table=RULES,
                back_seconds=back_seconds,
                unread_seconds=unread_seconds,
            )
            for s in SOURCES
        }
        self._apps = {name: self._app(name) for name in SERVICES}
        self._stopped, self._moving = False, threading.Lock()
        self._seen: dict[Source, Cursor] = {source: {-1: 0} for source in SOURCES if RULES[source].answers}
        self._pump = threading.Thread(target=self._run, name="pump", daemon=True)
        self._pump.start()

    def _app(self, name: str) -> Flask:
        desk = self.desks[SERVICES[name]]
        blueprint = {
            "pairing": lambda d: pairing.blueprint(d, TIEBREAK_CODES, partial(tokens.issue, self.data)),
            "games": games.blueprint,
            "penalties": penalties.blueprint,
            "standings": lambda d: standings.blueprint(
                d,
                AtOnce(self.audited),
                previews(d, Limits()),
                Archives(Limits(), HouseKeys(self.data).text, sheets_followed(d, lambda: None)),
                VERIFIER,
                DESCRIPTION,
                memory_of(self.data),
                calendar_caught_up=lambda: project_outdated(d.log, d.folds),
            ),
        }[name]
        settings = Settings(self.data / "token-keys", Limits(rate=0, reads=0))
        return create_app((blueprint(desk),), desk, settings, name)

    def app(self, name: str) -> Flask:
        """The app of one service, as the gateway reaches it."""
        return self._apps[name]

    def audited(self, t: str) -> AuditAnswer:
        """Standings' audit; games hands out the sheets."""
        evidence = Evidence(sheets=self.sheets(t), keys=(self.signer.verifier,))
        return audit(self.lines(t), RULES, evidence).answer()

    def _run(self) -> None:
        while not self._stopped:
            self._written.clear()
            with self._moving:
                for _ in range(STEPS):
                    self._move()
                rest = all(log.at_rest() for log in self._world.values())
            if rest:
                self._written.wait()

    def _move(self) -> None:
        """What workers do: send, follow, wake who waits, answer what is open."""
        grown = move(self._world, self._rng)
        if grown is None:
            return
        self.desks[grown].folds.refresh()
        if grown in self._seen and (end := self._world[grown].end()) != self._seen[grown]:
            self._seen[grown] = end
            self.desks[grown].answer_open_findings()

    @contextmanager
    def standing_still(self) -> Iterator[None]:
        """Nothing moves: whoever decides now does not see the others."""
        with self._moving:
            yield

    def pending(self, source: Source, t: str) -> bool:
        """Whether a service has written lines that are not back yet."""
        log, stream = self._world[source], stream_of(t)
        with log.transaction() as tx:
            back = sum(row.source == source for row in log.lines(stream))
            return bool(tx.own_since({stream: back}))

    def client(self, method: str, path: str) -> Any:
        name, path = routed(method, path)
        return self._apps[name].test_client(), path

    def near(self, service: str, t: str, seq: int) -> None:
        assert self.desks[SERVICES[service]].folds.wait(t, seq - 1, PATIENCE) >= seq

    def settled(self) -> None:
        with self._moving:
            settle(self._world)
            for desk in self.desks.values():
                desk.folds.refresh()

    def lines(self, t: str) -> list[bytes]:
        return [row.line for row in self.desks[STANDINGS].lines(stream_of(t))]

    def sheets(self, t: str) -> dict[str, list[bytes]]:
        return dict(score_sheets(self.desks[GAMES], t))

    def close(self) -> None:
        self._stopped = True
        self._written.set()
        self._pump.join()
        settle(self._world)
        for app in self._apps.values():
            close(app)
        for log in self._world.values():
            log.close()
