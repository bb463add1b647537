"""``arbiter receipt``: a receipt to take home, out of a data folder or a server."""

from pathlib import Path

import click

from deploy.cli.client import remote
from deploy.cli.in_process import local
from deploy.cli.terminal.output import write_bytes
from deploy.cli.terminal.verb import Verb, data_option, token_option, url_option
from deploy.failure import Failure
from deploy.server.data_folder import folder_unless_server
from shared.core.language.messages import say


@click.command(cls=Verb, example="arbiter receipt spring-cup 14 --data cup > event-14.receipt")
@click.argument("tournament")
@click.argument("seq", type=click.IntRange(1))
@data_option
@url_option
@token_option
def receipt(tournament: str, seq: int, data: Path | None, url: str | None, token: str | None) -> None:
    """Print a receipt that proves one event.

    The receipt contains the event number SEQ, its proof and a signed checkpoint (C2SP tlog-proof). To check it without
    the log and without the server, run `arbiter verify --receipt FILE --key arbiter.vkey`.
    """
    folder, path = folder_unless_server(data, url), f"/v1/tournaments/{tournament}/receipts/{seq}"
    if folder is None:
        with remote(url or "", token) as server:
            write_bytes(server.get(path).content)
        return
    if not folder.is_dir():
        raise Failure(say("folder {folder} does not exist", folder=str(folder)))
    with local(folder, "receipt", "auditor") as house:
        write_bytes(house.get(path).content)
