"""``arbiter serve`` and ``arbiter token``: the embedded server, and who may speak to it."""

from pathlib import Path
from typing import cast

import click

from deploy.cli.common import Failure, data_option, told
from shared.core.terms import ROLES, Role

DATA = Path("data")


@click.command()
@data_option
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535))
def serve(data: Path | None, host: str, port: int) -> None:
    """All four services and the pages, on one SQLite file in the data folder."""
    from deploy.server.embedded import serve as run

    run(data or DATA, host, port, ready=lambda address: told(f"arbiter: serving {data or DATA} at {address}"))


@click.command()
@click.option("--role", required=True, type=click.Choice(ROLES))
@click.option("--name", required=True, help="Who holds it: stands in every event he causes.")
@click.option("--tournament", default=None, help="Valid for this tournament only.")
@click.option("--days", default=30, show_default=True, type=click.IntRange(1, 3650))
@data_option
def token(role: str, name: str, tournament: str | None, days: int, data: Path | None) -> None:
    """A signed bearer token on standard output."""
    from shared.audit.key_files import BadKeys
    from shared.http.tokens import ensure_keys, issue

    folder = data or DATA
    try:
        ensure_keys(folder)
        click.echo(issue(folder, cast(Role, role), name, tournament, days))
    except (ValueError, BadKeys) as problem:
        raise Failure(str(problem)) from None
