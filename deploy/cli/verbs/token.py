"""``arbiter token``: who may speak to the server."""

from pathlib import Path
from typing import cast

import click

from deploy.cli.data_folder import data_folder
from deploy.cli.failure import Failure
from deploy.cli.options import data_option
from shared.core.terms import ROLES, Role


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

    folder = data_folder(data)
    try:
        ensure_keys(folder)
        click.echo(issue(folder, cast(Role, role), name, tournament, days))
    except (ValueError, BadKeys) as problem:
        raise Failure(str(problem)) from None
