"""The servers, data folders and databases that verbs work on."""

import logging
import os
import secrets
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from deploy.cli.terminal.verb import accepted
from deploy.failure import Failure
from deploy.server.data_folder import check_folder, folder_unless_server, named_folder
from deploy.server.settings import DATABASES, SERVICES, addresses, broker
from shared.core.language.handles import InvalidLoginName, new_login_name
from shared.core.language.messages import Message, message_of, say
from shared.core.readings.token_boards import Boards
from shared.core.terms import Refusal, Role

if TYPE_CHECKING:
    from shared.client import Client, ClientError

NDJSON = "application/x-ndjson"
PATIENCE = 60.0
"""Seconds for which an unavailable server is called again."""
_REFUSALS = (403, 404, 409, 412, 422)


@contextmanager
def remote(url: str, token: str | None, patience: float = PATIENCE) -> Iterator["Client"]:
    """Yield a client of the server at ``url``, without rights if ``token`` is None. Raises `Failure` for an invalid address."""
    from shared.client import Client

    try:
        made = Client(url, token, patience=patience, headers=accepted())
    except ValueError as problem:
        raise Failure(message_of(problem)) from None
    with made, calling():
        yield made


@contextmanager
def calling() -> Iterator[None]:
    """Raise `Failure` for a call that the server refuses or does not answer."""
    from shared.client import ClientError

    try:
        yield
    except ClientError as error:
        raise failure_of(error) from None


def failure_of(error: "ClientError", step: str = "") -> Failure:
    """Return why a call, the ``step``, ends the command: exit code 1 if the command was refused, else 2."""
    from shared.client import Problem

    refused = isinstance(error, Problem) and error.key is not None and error.status in _REFUSALS
    return Failure(
        say("{step}: {error}", step=step, error=message_of(error)) if step else message_of(error), 1 if refused else 2
    )


_ADDRESS = "http://localhost"


@contextmanager
def reading(data: Path | None, url: str | None, token: str | None, name: str) -> Iterator["Client"]:
    """Yield a client of the server at ``url``, or of a data folder, as an auditor of that ``name``."""
    folder = folder_unless_server(data, url)
    if folder is None:
        with remote(url or "", token) as server:
            yield server
    elif not folder.is_dir():
        raise Failure(say("folder {folder} does not exist", folder=str(folder)))
    else:
        with local(folder, name, "auditor") as client:
            yield client


@contextmanager
def local(data: Path, name: str, role: Role = "chief_arbiter") -> Iterator["Client"]:
    """Yield a client with a token of that role and name."""
    with clients(data, ((name, role),)) as callers:
        yield callers[role]


@contextmanager
def clients(data: Path, holders: tuple[tuple[str, Role], ...]) -> "Iterator[dict[Role, Client]]":
    """Yield a client for each (name, role), all on one application."""
    import httpx

    from deploy.server.embedded import make_app
    from shared import structured_log
    from shared.client import Client
    from shared.http.app import close
    from shared.http.identity.tokens import issue
    from shared.http.limits.rate_limits import Limits

    structured_log.configure(logging.ERROR)
    check_folder(data)
    app = make_app(data, Limits(rate=0, reads=0))
    transport = httpx.WSGITransport(app)
    try:
        with calling():
            yield {
                role: Client(_ADDRESS, issue(data, role, name, None, 1), headers=accepted(), transport=transport)
                for name, role in holders
            }
    finally:
        close(app)


if TYPE_CHECKING:
    from shared.log.distributed import DistributedLog
    from shared.log.kafka.broker import Broker
    from shared.log.sqlite import SqliteLog
    from shared.signing.service_keys import ServiceKeys

databases_option = click.option(
    "--database", "databases", multiple=True, metavar="SERVICE=URL", envvar=DATABASES,
    help=f"Database of a service; may be repeated (default: {DATABASES}, separated by spaces).",
)  # fmt: skip


@contextmanager
def kafka_cluster() -> Iterator["Broker"]:
    """Yield the environment's cluster. An error of Kafka ends the command in one line."""
    from kafka.errors import KafkaError

    try:
        yield broker()
    except KafkaError as problem:
        raise Failure(
            say(
                "Kafka at {address}: {problem}",
                address=os.environ.get("ARBITER_KAFKA", ""),
                problem=str(problem) or type(problem).__name__,
            )
        ) from None


@contextmanager
def service_logs(
    options: Sequence[str], needed: Sequence[str], data: Path | None = None
) -> Iterator[tuple["DistributedLog", ...]]:
    """Yield the logs of the named databases, or of the ``needed`` services only, which must all be named.

    Raises `BadDatabase`, before any log is read, if a database belongs to another service, or to another installation than
    the folder ``data`` or ``ARBITER_DATA``. Raises `Failure` if a database is not named or does not answer.
    """
    from deploy.server.service_database import check_address
    from shared.log.distributed import DistributedLog
    from shared.log.port import LogUnavailable

    urls = addresses(options)
    missing = [service for service in needed if service not in urls]
    if missing or not urls:
        raise Failure(
            say("--database SERVICE=URL is missing for {services}", services=tuple(missing) or say("the service"))
        )
    logs: list[DistributedLog] = []
    try:
        for service in needed or urls:
            check_address(urls[service], SERVICES[service], data or named_folder())
        for service in needed or urls:
            logs.append(DistributedLog(urls[service], SERVICES[service]))
        yield tuple(logs)
    except LogUnavailable as problem:
        raise Failure(say("a database does not answer: {problem}", problem=message_of(problem))) from None
    finally:
        for log in logs:
            log.close()


@contextmanager
def pairing_log(folder: Path, databases: Sequence[str]) -> Iterator[tuple["DistributedLog | SqliteLog", "ServiceKeys"]]:
    """Yield pairing's log, that of ``databases`` or else of the data folder, and pairing's key. Raises `BadKeys`."""
    from deploy.server.embedded_desk import service_keys
    from shared.audit.keys import service_key_files
    from shared.core.terms import PAIRING

    if addresses(databases):
        with service_logs(databases, ("pairing",)) as (log,):
            yield log, service_key_files.load(folder, (PAIRING,))
        return
    with embedded_log(
        folder, say("name another folder with --data, a server with --url, or --database pairing=URL")
    ) as log:
        yield log, service_keys(folder)


@contextmanager
def embedded_log(folder: Path, remedy: Message) -> Iterator["SqliteLog"]:
    """Yield the log of a data folder. Raises `Failure` with the ``remedy`` if it does not exist."""
    from deploy.server.embedded_desk import open_log
    from deploy.server.keys.signing_key import LOG

    if not (folder / LOG).exists():
        raise Failure(say("database {path} does not exist; {remedy}", path=str(folder / LOG), remedy=remedy))
    with closing(open_log(folder)) as embedded:
        yield embedded


@contextmanager
def standings_log(folder: Path, databases: Sequence[str]) -> Iterator["DistributedLog | SqliteLog"]:
    """Yield standings' log, that of ``databases`` or else of the data folder."""
    if addresses(databases):
        with service_logs(databases, ("standings",)) as (log,):
            yield log
        return
    with embedded_log(folder, say("name another folder with --data, or --database standings=URL")) as embedded:
        yield embedded


if TYPE_CHECKING:
    from shared.log.port import Log
    from shared.signing.service_keys import ServiceKeys


def login_name_typed(name: str) -> str:
    """Return the login name that was typed. Raises `Failure` if it is invalid."""
    try:
        return new_login_name(name)
    except InvalidLoginName as problem:
        raise Failure(
            say("invalid login name {name}: {problem}", name=repr(name), problem=message_of(problem))
        ) from None


OPERATOR: Role = "organiser"
"""Role in which the operator invites. The holder of the keys may give every role."""


def invitation_path(
    log: "Log", keys: "ServiceKeys", tournament: str, role: Role, name: str, boards: Boards | None, days: int
) -> str:
    """Return the path of the link of a new invitation.

    Raises `Failure` for an unknown tournament, a person without the role, and an invalid login name.
    """
    from services.pairing.access.invitations import Invited, Inviter, invitation
    from shared.desk.replay import replay
    from shared.wire.envelope import Unreadable

    invited = Invited(login_name_typed(name), role, boards, days)
    try:
        state = replay((row.line for row in log.lines(f"tournaments/{tournament}")), tournament)
    except Unreadable as problem:
        raise Failure(message_of(problem)) from None
    if state.announced is None:
        raise Failure(
            say("tournament {tournament} does not exist in this data folder or on this server", tournament=tournament)
        )
    inviter = Inviter("operator", OPERATOR, None, None)
    made = invitation(keys, state, inviter, invited, secrets.token_hex(16), int(time.time()))
    if isinstance(made, Refusal):
        raise Failure(str(made.detail), 1)
    code, row = made
    log.invitations.invite(row)
    return f"/invitations/{code}"
