"""``arbiter checkpoint``: a signed checkpoint, out of a data folder or a server."""

from pathlib import Path

import click

from deploy.cli.client import Remote
from deploy.cli.data_folder import desk_of, folder_unless_server, last_line
from deploy.cli.failure import Failure
from deploy.cli.options import data_option, token_option, url_option
from deploy.cli.output import write_bytes


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
    from shared.desk.log_checkpoint import signed_checkpoint
    from shared.desk.signer_port import NotSigned

    with desk_of(folder) as desk:
        last_line(desk, tournament)
        view = desk.view(tournament)
        assert view is not None, "it has a last line"
        try:
            write_bytes(signed_checkpoint(desk, view).encode())
        except NotSigned as problem:
            raise Failure(str(problem), 1) from None
