"""The client of a running server, or of the embedded application in this process, as the command line uses it."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from deploy.cli.terminal.verb import accepted
from deploy.failure import Failure
from deploy.server.data_folder import check_folder, folder_unless_server
from shared.client import Client, ClientError, Problem
from shared.core.language.messages import message_of, say
from shared.core.terms import Role

NDJSON = "application/x-ndjson"
PATIENCE = 60.0
"""Seconds for which an unavailable server is called again."""
_REFUSALS = (403, 404, 409, 412, 422)


@contextmanager
def remote(url: str, token: str | None, patience: float = PATIENCE) -> Iterator[Client]:
    """Yield a client of the server at ``url``, without rights if ``token`` is None. Raises `Failure` for an invalid address."""
    try:
        made = Client(url, token, patience=patience, headers=accepted())
    except ValueError as problem:
        raise Failure(message_of(problem)) from None
    with made, calling():
        yield made


@contextmanager
def calling() -> Iterator[None]:
    """End the command at a call without a good answer."""
    try:
        yield
    except ClientError as error:
        raise failure_of(error) from None


def failure_of(error: ClientError, step: str = "") -> Failure:
    """Return why a call, the ``step``, ends the command: exit code 1 if the command was refused, else 2."""
    refused = isinstance(error, Problem) and error.key is not None and error.status in _REFUSALS
    return Failure(
        say("{step}: {error}", step=step, error=message_of(error)) if step else message_of(error), 1 if refused else 2
    )


_ADDRESS = "http://localhost"


@contextmanager
def reading(data: Path | None, url: str | None, token: str | None, name: str) -> Iterator[Client]:
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
def local(data: Path, name: str, role: Role = "chief_arbiter") -> Iterator[Client]:
    """Yield a client with a token of that role and name."""
    with clients(data, ((name, role),)) as callers:
        yield callers[role]


@contextmanager
def clients(data: Path, holders: tuple[tuple[str, Role], ...]) -> Iterator[dict[Role, Client]]:
    """Yield a client for each (name, role), all on one application."""
    from deploy.server.embedded import make_app
    from shared import structured_log
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
