"""``arbiter texts``: the texts of a tournament, out of a data folder or a server."""

from pathlib import Path

import click

from deploy.cli.client import NDJSON, reading
from deploy.cli.terminal.verb import Verb, source_options, write_bytes


@click.command(cls=Verb, example="arbiter texts spring-cup --data cup > texts.ndjson")
@click.argument("tournament")
@source_options
def texts(tournament: str, data: Path | None, url: str | None, token: str | None) -> None:
    """Export names and notes (NDJSON).

    These erasable texts are stored outside the log, which contains only their hashes.
    """
    with reading(data, url, token, "texts") as client:
        write_bytes(client.get(f"/v1/tournaments/{tournament}/texts", accept=NDJSON).content)
