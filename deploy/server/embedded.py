"""The embedded server: four services, their pages, one command handler and one SQLite file in one process."""

import logging
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

import httpx
from flask import Flask

from deploy.server import gunicorn_app
from deploy.server.embedded_desk import open_desk, open_log, open_reading_desk, service_keys
from deploy.server.jobs.audit_job import Audits, previews
from deploy.server.jobs.import_job import PATIENCE, Imports
from deploy.server.keys.house_signer import HouseKeys, house_name, memory_of
from deploy.server.keys.kept_revocations import keeper, read_old, take_over, unite
from deploy.server.keys.witness_client import configured
from deploy.server.keys.witness_loop import WitnessLoop
from deploy.server.known_tiebreaks import TIEBREAK_CODES
from deploy.server.numbers.metrics import CheckpointNumbers, ClockNumbers, LostTexts, WebhookNumbers, checkpoint_facts
from deploy.server.organiser_invitation import invite_organiser, needs_organiser
from deploy.server.projector import CALENDAR, PEOPLE, Projector
from deploy.server.public_address import public_address
from deploy.server.settings import DESCRIPTION, VERIFIER, settings
from deploy.server.webhooks.webhook_client import WebhookClient
from deploy.server.webhooks.webhook_sender import FolderLock, WebhookSender
from deploy.server.write_probe import WriteProbe
from services.games import app as games
from services.pairing import app as pairing
from services.penalties import app as penalties
from services.standings import app as standings
from services.standings.files.archive_routes import Archives
from services.standings.files.sheet_sources import sheets_here
from shared import structured_log
from shared.client import Client
from shared.desk.desk import Desk
from shared.http.app import Settings, create_app, mount
from shared.http.identity.tokens import Keyring, ensure_keys, issue
from shared.http.limits.rate_limits import NO_ALLOWANCES, Limits
from shared.http.reads.child_answers import answer_by_child
from shared.http.requests.app_context import EXTENSION, Context, Health
from shared.log.sqlite import SqliteLog
from shared.regulations import load_all


def make_reading_app(data: Path, host: str | None = None) -> Flask:
    """Return the app of a child process that makes answers for a server. It follows the log, and cannot write to it.

    ``host``: the one at which the server listens, by default that of the settings.
    """
    structured_log.configure(logging.WARNING)
    load_all()
    return make_app(data, NO_ALLOWANCES, open_reading_desk(data), reads_only=True, host=host)


def make_served_app(data: Path, limits: Limits | None, host: str | None = None) -> Flask:
    """Return the app of a server, which also sends webhooks, and has a child process for expensive answers to strangers."""
    app = make_app(data, limits, host=host)
    send_webhooks(app, data)
    answer_by_child(app, make_reading_app, data, host)
    return app


def make_app(
    data: Path,
    limits: Limits | None = None,
    desk: Desk | None = None,
    *,
    reads_only: bool = False,
    host: str | None = None,
) -> Flask:
    """Return the app on a data folder: the routes of all services at the root, and of each under ``/services/<name>``.

    The caller ends it with `shared.http.app.close`, unless the ``desk`` belongs to another app. ``reads_only``: True if another
    process writes, charges readers and sends webhooks. ``host``: the one at which the server listens, by default that of the
    settings.
    """
    chosen = settings()
    limits = limits or chosen.limits
    desk = desk or open_desk(data, computing=limits.computing())
    ensure_keys(data)
    health = Health(facts=lambda: checkpoint_facts(memory) | lost_texts.facts())
    if isinstance(desk.log, SqliteLog) and not reads_only:
        unite(data, desk.log, desk.keys)
        desk.revocations.keep = keeper(data, desk.log, desk.keys)
        health = replace(health, unwritable=WriteProbe(data, desk.log))
    if not reads_only:
        take_over(data, desk.revocations)
    sheets = sheets_here(desk)
    audits, foresight, memory = Audits(desk, HouseKeys(data), limits, sheets), previews(desk, limits), memory_of(data)
    packer, imports = Archives(limits, HouseKeys(data).text, sheets), Imports()
    projectors = Projector(desk, CALENDAR), Projector(desk, PEOPLE)
    waits: list[Callable[[], object]] = [(lambda: None) if reads_only else one.catch_up for one in projectors]
    own = {
        "pairing": pairing.blueprint(desk, TIEBREAK_CODES, partial(issue, data), house_name(data), imports),
        "games": games.blueprint(desk),
        "penalties": penalties.blueprint(desk),
        "standings": standings.blueprint(
            desk, audits, foresight, packer, VERIFIER, DESCRIPTION, memory, chosen.webhook_networks, *waits
        ),
    }
    lost_texts = LostTexts(desk.log)
    http = Settings(
        data / "token-keys",
        limits,
        health=health,
        proxies=chosen.proxies,
        timezone=chosen.timezone,
        any_origin=chosen.any_origin and not reads_only,
        public_people=chosen.public_people,
        public_address=partial(public_address, chosen.address, chosen.host if host is None else host),
    )
    app = create_app(tuple(own.values()), desk, http, "arbiter")
    context: Context = app.extensions[EXTENSION]
    for numbers in (CheckpointNumbers(memory), ClockNumbers(desk.log), WebhookNumbers(desk.log), lost_texts):
        context.metrics.registry.register(numbers)
    loop = WitnessLoop(desk, memory, configured(data))
    imports.connect = partial(_own_client, app)
    context.closers += (imports.end, audits.end, foresight.end, packer.end, loop.end, *(one.end for one in projectors))
    if not reads_only:
        loop.start()
        for projector in projectors:
            projector.start()
    for name, blueprint in own.items():
        mount(app, name, blueprint, desk)
    return app


def _own_client(app: Flask, token: str, language: str) -> Client:
    """Return a client of this app's own API, which needs no connection.

    It has the rights and limits of the token. Its address is 127.0.0.1.
    """
    transport = httpx.WSGITransport(app, remote_addr="127.0.0.1")
    headers = {"Accept-Language": language}
    return Client("http://localhost", token, patience=PATIENCE, headers=headers, transport=transport)


def send_webhooks(app: Flask, data: Path) -> None:
    """Send webhooks until the app is closed, while no other process of the same folder sends them."""
    context: Context = app.extensions[EXTENSION]
    mine = FolderLock(data / "webhooks.sending")
    sender = WebhookSender(context.desk, WebhookClient(settings().webhook_networks), mine)
    context.closers.append(sender.end)
    sender.start()


def has_no_organiser(data: Path) -> bool:
    """Return whether a data folder has no tournament, and no organiser is logged in. Raises like `open_log`."""
    with closing(open_log(data)) as log:
        return needs_organiser(log)


def first_invitation(data: Path) -> str:
    """Return the path of a new invitation for the first organiser. Raises like `open_log`."""
    with closing(open_log(data)) as log:
        return invite_organiser(log, service_keys(data))


def serve(
    data: Path,
    host: str = "127.0.0.1",
    port: int = 8000,
    *,
    limits: Limits | None = None,
    ready: Callable[[str], None] | None = None,
) -> None:
    """Serve a data folder until SIGTERM or Ctrl-C, then end the process (SystemExit).

    ``ready`` is called once with the address (port 0: chosen by the system) when connections are taken.
    Raises `TomlError`, `key_files.BadKeys` and `port.BadDatabase` before it listens.
    """

    # Before the fork, so that unusable rulesets, keys and databases are reported to the person who starts the server.
    load_all()
    open_log(data).close()
    ensure_keys(data)
    Keyring(data / "token-keys")
    read_old(data)
    service_keys(data)

    def load() -> Flask:
        structured_log.configure()
        return make_served_app(data, limits, host)

    gunicorn_app.run(load, host, port, ready)
