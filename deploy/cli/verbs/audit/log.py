"""``arbiter log``: a tournament's log, out of a data folder or a server."""

from pathlib import Path

import click

from deploy.cli.client import NDJSON, reading
from deploy.cli.terminal.verb import Verb, source_options, write_bytes


@click.command(cls=Verb, example="arbiter log spring-cup --data cup > spring-cup.ndjson")
@click.argument("tournament")
@source_options
@click.option("--sheets", is_flag=True, help="Print the score sheets of the games instead.")
def log(tournament: str, data: Path | None, url: str | None, token: str | None, sheets: bool) -> None:
    """Print a tournament's event log (NDJSON).

    Each event is printed byte for byte as it was stored, one per line.
    """
    with reading(data, url, token, "log") as client:
        path = f"/v1/tournaments/{tournament}/{'sheets' if sheets else 'events'}"
        write_bytes(client.get(path, accept=NDJSON).content)
