"""The embedded application in this process, for verbs that call its HTTP without a server."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from deploy.cli.client import Local
from deploy.cli.data_folder import check_folder
from shared.core.terms import Role


@contextmanager
def local(data: Path, name: str, role: Role = "chief_arbiter") -> Iterator[Local]:
    """A caller with a token of that role and name; the desk ends with it."""
    with clients(data, ((name, role),)) as callers:
        yield callers[role]


@contextmanager
def clients(data: Path, holders: tuple[tuple[str, Role], ...]) -> Iterator[dict[Role, Local]]:
    """A caller for each (name, role), all on one application."""
    from deploy.server.embedded import make_app
    from shared import structured_log
    from shared.http.app import close
    from shared.http.rate_limits import Limits
    from shared.http.tokens import issue

    structured_log.configure(logging.ERROR)
    check_folder(data)
    app = make_app(data, Limits(rate=0, reads=0))
    try:
        yield {role: Local(app.test_client(), issue(data, role, name, None, 1)) for name, role in holders}
    finally:
        close(app)
