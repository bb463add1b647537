"""The embedded application in this process, for verbs that call its HTTP without a server."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from deploy.cli.client import calling
from deploy.cli.terminal.output import accepted
from deploy.server.data_folder import check_folder
from shared.client import Client
from shared.core.terms import Role

_ADDRESS = "http://localhost"


@contextmanager
def local(data: Path, name: str, role: Role = "chief_arbiter") -> Iterator[Client]:
    """A client with a token of that role and name; the desk ends with it."""
    with clients(data, ((name, role),)) as callers:
        yield callers[role]


@contextmanager
def clients(data: Path, holders: tuple[tuple[str, Role], ...]) -> Iterator[dict[Role, Client]]:
    """A client for each (name, role), all on one application."""
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
