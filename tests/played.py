"""A small tournament played through a real desk, for tests of what is shown of it."""

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from flask import Flask

from deploy.server.jobs.audit_job import Audits, previews
from deploy.server.rules import RULES
from deploy.server.settings import DESCRIPTION, VERIFIER
from services.games.rules import commands as games
from services.pairing.rules import commands as pairing
from services.penalties.rules import commands as penalties
from services.standings import app as standings
from services.standings.files.archive_routes import Archives
from services.standings.files.sheet_sources import AskSheets, sheets_here
from services.standings.rules.commands import PublishStandings
from services.standings.tables.calendar.projection import project_outdated
from shared import regulations
from shared.audit.checkpoints.checkpoint import Signer
from shared.audit.report_answer import AuditAnswer
from shared.core.state.outcomes import NOTATION
from shared.core.terms import GAMES, PAIRING, PENALTIES, STANDINGS, Actor, PlayerId, RulingId, Source
from shared.desk.desk import Desk, Receipt, Request
from shared.http.app import Settings, create_app, mount
from shared.http.identity.proxies import Network
from shared.http.identity.tokens import ensure_keys
from shared.http.limits.rate_limits import Limits
from shared.log.sqlite import SqliteLog
from shared.log.texts import Texts
from tests.house_keys import KEYS
from tests.offices import appointing

CHIEF = Actor("zhou.min", "chief_arbiter", "0190aaaa-bbbb-7ccc-8ddd-eeeeffff0001")
ARBITER = Actor("li.wei", "arbiter", "0190aaaa-bbbb-7ccc-8ddd-eeeeffff0002")
APPEALS = Actor("board", "appeals", "0190aaaa-bbbb-7ccc-8ddd-eeeeffff0003")
NAMES = ("王小明", "Anna Berg", "李娜", "José Núñez", "<b>陈</b> & Co")
OFFICIALS = appointing(ARBITER, APPEALS)
SIGNER = Signer("arbiter", Ed25519PrivateKey.generate())


def a_desk(data: Path) -> Desk:
    """A desk for all four services on a fresh log; whoever makes it closes it."""
    return Desk(SqliteLog(data / "log.db"), RULES, SIGNER.sign, keys=KEYS)


def an_app(
    data: Path,
    desk: Desk,
    limits: Limits | None = None,
    proxies: Sequence[Network] = (),
    clock: Callable[[], float] = time.monotonic,
    sheets: AskSheets | None = None,
) -> Flask:
    """Standings' routes and pages, at the root and under its own prefix."""
    ensure_keys(data)
    audits = Audits(desk, SIGNER.verifier, Limits(), sheets or sheets_here(desk))
    packer = Archives(Limits(), lambda: f"{SIGNER.verifier}\n", sheets or sheets_here(desk))
    own = standings.blueprint(
        desk,
        audits,
        previews(desk, Limits()),
        packer,
        VERIFIER,
        DESCRIPTION,
        calendar_caught_up=lambda: project_outdated(desk.log, desk.folds),
    )
    settings = Settings(data / "token-keys", limits or Limits(), proxies=proxies, clock=clock, public_people=True)
    app = create_app((own,), desk, settings, "arbiter")
    mount(app, "standings", own, desk)
    return app


class AtOnce:
    """Audits that a function makes while they are asked for."""

    def __init__(self, audited: Callable[[str], AuditAnswer]) -> None:
        self.audited = audited

    def report(self, t: str) -> AuditAnswer:
        return self.audited(t)

    def look(self, t: str) -> AuditAnswer:
        return self.audited(t)

    def made(self, t: str, line: int) -> AuditAnswer:
        return self.audited(t)


class Played:
    """Commands on one tournament, each of which must be followed."""

    def __init__(self, desk: Desk, id: str = "cup") -> None:
        self.desk, self.id, self.texts, self.entered = desk, id, Texts(id), 0

    def do(self, source: Source, command: Any) -> Receipt:
        texts, self.texts.all = tuple(self.texts.all), []
        receipt = self.desk.submit(source, self.id, command, Request(texts=texts))
        assert isinstance(receipt, Receipt), receipt
        return receipt

    def announce(self, name: str = "春季杯 Spring Cup", rounds: int = 3) -> None:
        rules = regulations.load("campus")
        self.do(
            PAIRING,
            pairing.AnnounceTournament(
                CHIEF, name, "xiangqi", "swiss", rounds, rules, keys=self.desk.keys.announced, officials=OFFICIALS
            ),
        )

    def enter(self, *names: str) -> None:
        numbers = range(self.entered + 1, self.entered + len(names) + 1)
        entries = tuple(pairing.Entry(PlayerId(n), self.text(name)) for n, name in zip(numbers, names, strict=True))
        self.do(PAIRING, pairing.EnterPlayers(CHIEF, entries))
        self.entered += len(names)

    def enter_late(self, name: str) -> None:
        self.do(PAIRING, pairing.EnterPlayers(CHIEF, (pairing.Entry(None, self.text(name)),)))

    def pair(self, *boards: tuple[int, int], bye: int | None = None) -> None:
        seats = tuple((PlayerId(w), PlayerId(b)) for w, b in boards)
        free = None if bye is None else PlayerId(bye)
        self.do(PAIRING, pairing.PairRound(CHIEF, seats, free, self.text("as drawn"), seed=1))

    def report(self, round: int, *results: str) -> None:
        said = tuple(
            games.Result(games.Place(round, n), *NOTATION[result])
            for n, result in enumerate(results, 1)
            if result != "*"
        )
        self.do(GAMES, games.ReportResults(ARBITER, said))

    def foul(self, player: int, round: int) -> None:
        self.do(
            PENALTIES, penalties.MakeRuling(ARBITER, PlayerId(player), round, "foul", note=self.text("touched a piece"))
        )

    def annul(self, ruling: str) -> None:
        self.do(PENALTIES, penalties.AnnulRuling(APPEALS, RulingId(ruling), self.text("by accident")))

    def publish(self, round: int, final: bool = False) -> None:
        self.do(STANDINGS, PublishStandings(CHIEF, ("BH", "PS"), "2026", round, final))

    def text(self, text: str) -> Any:
        return self.texts.ref(text)


def spring_cup(desk: Desk) -> Played:
    """Five players, two rounds: three fouls lose a game, an annulment gives it back, one game is open."""
    cup = Played(desk)
    cup.announce()
    cup.enter(*NAMES)
    cup.pair((1, 2), (3, 4), bye=5)
    cup.report(1, "1-0", "*")
    for _ in range(3):
        cup.foul(4, 1)
    cup.publish(1)
    cup.annul("r2")
    cup.report(1, "*", "1/2-1/2")
    cup.pair((5, 1), (2, 3), bye=4)
    cup.report(2, "*", "+/-")
    return cup
