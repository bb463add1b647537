"""``arbiter checkpoint``: a signed checkpoint, out of a data folder or a server."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from deploy.cli.client import Remote
from deploy.cli.data_folder import desk_of, folder_unless_server, last_line
from deploy.cli.options import data_option, token_option, url_option
from deploy.cli.output import write_bytes

if TYPE_CHECKING:
    pass


@click.command()
@click.argument("tournament")
@data_option
@url_option
@token_option
def checkpoint(tournament: str, data: Path | None, url: str | None, token: str | None) -> None:
    """A signed checkpoint of the log as it is now (C2SP signed note)."""
    folder = folder_unless_server(data, url)
    if folder is None:
        write_bytes(Remote(url or "", token).get(f"/v1/tournaments/{tournament}/checkpoint", {}))
        return
    with desk_of(folder) as desk:
        seq = last_line(desk, tournament)
        write_bytes(desk.sign(tournament, seq, desk.root(tournament, seq)).encode())
