"""``arbiter export``: a tournament as a TRF file, out of a data folder or a server."""

from pathlib import Path

import click

from deploy.cli.client import reading
from deploy.cli.files.files import read_trf
from deploy.cli.terminal.verb import Verb, encoding_option, source_options, write_bytes
from services.standings.files.trf.export import Edition
from shared.trf.merged_file import merge
from shared.trf.reader import read
from shared.trf.writer import write


@click.command(cls=Verb, example="arbiter export spring-cup --data cup > spring-cup.trf")
@click.argument("tournament")
@source_options
@click.option("--trf26", is_flag=True, help="Write the records of TRF26 instead of those of JaVaFo.")
@click.option(
    "--like",
    metavar="FILE.trf",
    help="Keep data of this file that the log lacks: dates of birth, arbiters, FIDE IDs.",
)
@encoding_option
def export(
    tournament: str,
    *,
    data: Path | None,
    url: str | None,
    token: str | None,
    trf26: bool,
    like: str | None,
    encoding: str | None,
) -> None:
    """Print a tournament as a TRF file.

    The file contains the players, the rounds, the future byes, the pairs that may not meet, and the teams.
    """
    edition: Edition = "26" if trf26 else "16"
    with reading(data, url, token, "export") as client:
        content = client.get(f"/v1/tournaments/{tournament}/trf?edition={edition}").content
    if like is not None:
        content = write(merge(read(content, tournament), read_trf(like, encoding)))
    write_bytes(content)
