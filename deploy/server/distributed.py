"""One service of the distributed system: its routes on its own database, and the log between the services."""

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from flask import Blueprint, Flask

from deploy.server import service_database
from deploy.server.jobs.audit_job import Audits, previews
from deploy.server.jobs.import_job import PATIENCE, Imports
from deploy.server.keys.house_signer import HouseKeys, HouseSigner, find_departure, house_name, memory_of
from deploy.server.keys.kept_revocations import take_over
from deploy.server.keys.signer_socket import RemoteSigner
from deploy.server.numbers.metrics import CheckpointNumbers, ClockNumbers, LogNumbers, LostTexts, checkpoint_facts
from deploy.server.public_address import public_address
from deploy.server.rules import RULES
from deploy.server.settings import DESCRIPTION, VERIFIER, BadSetting, ServiceSettings, Settings, settings
from services.standings.files.archive_routes import Archives
from services.standings.files.sheet_sources import sheets_followed
from services.standings.rules.diff import Preview
from shared import structured_log
from shared.audit.keys import service_key_files
from shared.client import Client
from shared.core.language.messages import Message, say
from shared.core.rulebook.editions import write_edition
from shared.core.terms import PAIRING
from shared.desk.desk import Desk
from shared.desk.signer_port import History, Sign
from shared.http.app import Settings as HttpSettings
from shared.http.app import create_app, mount
from shared.http.commands.previews import Previews
from shared.http.identity.tokens import issue
from shared.http.limits.rate_limits import NO_ALLOWANCES
from shared.http.requests.app_context import EXTENSION, Context, Health
from shared.log.distributed import DistributedLog
from shared.log.kafka.broker import TOKENS
from shared.log.sql.worker_state import FOLLOWER
from shared.log.worker.revocations import RevocationTopic
from shared.signing.service_keys import NO_KEYS, ServiceKeys

Value = TypeVar("Value")
_TOLD = 20
_UNHEARD_SECONDS = 5.0
"""Seconds without a sign of life after which a worker is presumed not to follow the topics."""
_SHEETS_SECONDS = 2.0
"""Seconds that an audit or archive waits until the follower has read the score sheets."""
_FRESH_SECONDS = 0.25
"""Seconds for which an answer about the worker is used again, so that not every command asks."""
_OLD_SECONDS = 1.0
"""Seconds after which a thread no longer uses it while another thread asks again."""


def make_reading_app() -> Flask:
    """Return the app of a child process that makes answers for a server. It follows the log, and writes nothing."""
    structured_log.configure(logging.WARNING)
    return make_app(replace(settings(), limits=NO_ALLOWANCES, any_origin=False), reads_only=True)


def make_app(chosen: Settings, *, reads_only: bool = False) -> Flask:
    """Return the app of one service, which the caller ends with `shared.http.app.close`.

    ``reads_only``: True if another process writes.
    Raises `port.LogUnavailable` if its database cannot be reached, `settings.BadSetting` for a missing setting.
    """
    service = chosen.distributed
    if service is None:
        raise BadSetting(say("ARBITER_SERVICE is not set"))
    write_edition(chosen.edition)
    reads_only = reads_only or service.replica
    desk, log = open_desk(chosen.data, service, computing=chosen.limits.computing(), threads=not reads_only)
    lost_texts = LostTexts(log)
    health = Health(
        _remembered(lambda: refuses(log, service)),
        facts=lambda: worker_facts(log) | _checkpoints(service, chosen.data) | lost_texts.facts(),
    )
    http = HttpSettings(
        chosen.data / "token-keys",
        chosen.limits,
        health=health,
        proxies=chosen.proxies,
        timezone=chosen.timezone,
        any_origin=chosen.any_origin,
        public_people=chosen.public_people,
        public_address=partial(public_address, chosen.address, None),
    )
    audits, foresight, packer, imports = None, None, None, None
    if service.service == "standings":
        sheets = sheets_followed(desk, partial(log.sheets_behind, _SHEETS_SECONDS))
        audits = Audits(desk, HouseKeys(chosen.data), chosen.limits, sheets)
        foresight = previews(desk, chosen.limits)
        packer = Archives(chosen.limits, HouseKeys(chosen.data).text, sheets)
    if service.api and service.workers == 1 and not reads_only:  # only the process that runs an import knows it
        imports = Imports(partial(_api_client, service.api))
    own = _blueprint(service.service, desk, audits, foresight, packer, imports, chosen)
    app = create_app((own,), desk, http, service.service)
    mount(app, service.service, own, desk)
    context: Context = app.extensions[EXTENSION]
    if imports is not None:
        context.closers.append(imports.end)
    if audits is not None and foresight is not None and packer is not None:
        context.metrics.registry.register(CheckpointNumbers(memory_of(chosen.data, readonly=True)))
        context.closers += (audits.end, foresight.end, packer.end)
    for numbers in (LogNumbers(log), ClockNumbers(log), lost_texts):
        context.metrics.registry.register(numbers)
    if service.source == PAIRING and not reads_only:
        take_over(chosen.data, desk.revocations)
    return app


def _api_client(api: str, token: str, language: str) -> Client:
    """Return a client of the API of all services, with the rights of a token."""
    return Client(api, token, patience=PATIENCE, headers={"Accept-Language": language})


def open_desk(
    data: Path, service: ServiceSettings, sign: Sign | None = None, **options: Any
) -> tuple[Desk, DistributedLog]:
    """Return the command handler of one service, and the service's side of the log.

    ``sign``: signs checkpoints; only the worker of standings passes it. Other processes of standings ask that worker, and
    other services do not sign. ``options``: those of `Desk`. Raises like `service_database.check`.
    """
    service_database.check(data, service)
    log = DistributedLog(service.database, service.source, service.broker, readonly=service.replica)
    if sign is None:
        sign = RemoteSigner(memory_of(data).path.parent).sign if service.service == "standings" else _unsigned
    keys = service_keys(data, service)
    if service.service == "standings":
        options["departure"] = find_departure(memory_of(data, readonly=True))
    return Desk(log, {service.source: RULES[service.source]}, sign, keys=keys, table=RULES, **options), log


def service_keys(data: Path, service: ServiceSettings) -> ServiceKeys:
    """Return the keys with which a service signs records. Pairing, which announces keys, also gets the public ones of all.

    Raises `key_files.BadKeys`.
    """
    public = (service.keys or data / service_key_files.FOLDER) if service.source == PAIRING else None
    return service_key_files.load(data, (service.source,), public)


def announcers(data: Path, service: ServiceSettings) -> service_key_files.Announcers:
    """Return pairing's public keys, which every service has in its own configuration. Raises `key_files.BadKeys`."""
    return service_key_files.Announcers(service.keys or data / service_key_files.FOLDER)


def revocation_topic(data: Path, service: ServiceSettings, keys: service_key_files.Announcers) -> RevocationTopic:
    """Return the reader of revoked tokens for a service's worker. ``keys``: pairing's public keys. Raises `key_files.BadKeys`."""
    own = service_keys(data, service) if service.source == PAIRING else NO_KEYS
    return RevocationTopic(service.source, keys, own)


def _blueprint(
    service: str,
    desk: Desk,
    audits: Audits | None,
    foresight: Previews[Preview] | None,
    packer: Archives | None,
    imports: Imports | None,
    chosen: Settings,
) -> Blueprint:
    """Return the routes and pages of a service. Only the modules of this service are imported."""
    data = chosen.data
    if service == "pairing":
        from deploy.server.known_tiebreaks import TIEBREAK_CODES
        from services.pairing import app as pairing
        from services.pairing.app import NO_IMPORTS
        from shared.regulations import load_all

        load_all()
        return pairing.blueprint(desk, TIEBREAK_CODES, partial(issue, data), house_name(data), imports or NO_IMPORTS)
    if service == "games":
        from services.games import app as games

        return games.blueprint(desk)
    if service == "penalties":
        from services.penalties import app as penalties

        return penalties.blueprint(desk)
    from services.standings import app as standings

    assert audits is not None and foresight is not None and packer is not None
    memory = memory_of(data, readonly=True)
    return standings.blueprint(desk, audits, foresight, packer, VERIFIER, DESCRIPTION, memory, chosen.webhook_networks)


def house_signer(data: Path) -> HouseSigner:
    """Return the signer of checkpoints. Only the worker of standings has its key. Raises `key_files.BadKeys`, `BadSetting`."""
    if not (data / "arbiter.key").exists():
        raise BadSetting(
            say(
                "{path} does not exist, but the worker of standings needs it to sign checkpoints; `arbiter keys` creates it",
                path=str(data / "arbiter.key"),
            )
        )
    return HouseSigner(data)


def _unsigned(origin: str, seq: int, root: bytes, history: History) -> str:
    raise RuntimeError(f"only standings signs checkpoints (asked for {origin} at {seq})")


# ---------------------------------------------------------------- health


def _checkpoints(service: ServiceSettings, data: Path) -> dict[str, Any]:
    """Return the facts about refused checkpoints, which only the service that signs has."""
    return checkpoint_facts(memory_of(data, readonly=True)) if service.service == "standings" else {}


def refuses(log: DistributedLog, service: ServiceSettings) -> Message | None:
    """Return why commands are refused now, or None.

    The worker is missing or has halted, or too many records wait for Kafka.
    """
    why = log.unready()
    if why is not None:
        return why
    waiting, age = log.waiting()
    if waiting > service.outbox:
        return say(
            "{waiting} records are waiting for Kafka, the oldest for {seconds} s; the limit is {most}",
            waiting=waiting,
            seconds=f"{age:.0f}",
            most=service.outbox,
        )
    return None


def worker_facts(log: DistributedLog) -> dict[str, Any]:
    """Return the worker's part of ``/readyz``: unread and unsent records, suspended tournaments, findings and revocations."""
    waiting, age = log.waiting()
    silent = log.alive()
    return {
        "worker": {
            "lag": log.lag(),
            "waiting": waiting,
            "age": round(age, 3),
            "silent": None if silent is None else round(silent, 3),
            "partitions": _partitions_by_owner(log),
        },
        "parked": sorted(stream.partition("/")[2] for stream in log.parked()),
        "topics": topic_facts(log),
        "tokens": revocation_facts(log),
    }


def _partitions_by_owner(log: DistributedLog) -> dict[str, list[int]]:
    """Return the partitions of each worker. Those of "" have no worker."""
    owners = log.owners()
    return {member: [n for n, one in owners.items() if one == member] for member in owners.values()}


def revocation_facts(log: DistributedLog) -> dict[str, Any]:
    """Return the number of revocations that are known here.

    ``problem``: why later ones may be unknown, or None if the worker follows their topic.
    """
    silent, problem = log.alive(), None
    if FOLLOWER in log.halts() or silent is None:
        problem = f"nobody follows {TOKENS} here: what is revoked from now on is not known"
    elif silent > _UNHEARD_SECONDS:
        problem = f"nobody has followed {TOKENS} here for {silent:.0f} s: what was revoked since is not known"
    return {"revoked": log.revocations(), "problem": problem}


def topic_facts(log: DistributedLog) -> list[str]:
    """Return the unacknowledged findings in the topics: up to `_TOLD`, one per line, then the number of further ones."""
    found = log.findings()
    more = [f"and {len(found) - _TOLD} more: `arbiter topics findings`"] if len(found) > _TOLD else []
    return [str(finding.sentence()) for finding in found[:_TOLD]] + more


def _remembered(ask: Callable[[], Value]) -> Callable[[], Value]:
    """Return a function that calls ``ask`` and returns its answer again for `_FRESH_SECONDS`.

    Then one thread asks, and the others get the former answer until it is `_OLD_SECONDS` old.
    """
    last: tuple[float, Value] | None = None
    asking = threading.Lock()

    def answer() -> Value:
        nonlocal last
        now = time.monotonic()
        if last is None or now - last[0] > _OLD_SECONDS:
            last = (now, ask())
        elif now - last[0] > _FRESH_SECONDS and asking.acquire(blocking=False):
            try:
                last = (now, ask())
            finally:
                asking.release()
        return last[1]

    return answer
