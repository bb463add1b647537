"""``arbiter receipt``: a receipt to take home, out of a data folder or a server."""

from pathlib import Path

import click

from deploy.cli.client import reading
from deploy.cli.terminal.verb import Integer, Verb, source_options, write_bytes


@click.command(cls=Verb, example="arbiter receipt spring-cup 14 --data cup > event-14.receipt")
@click.argument("tournament")
@click.argument("seq", type=Integer(1))
@source_options
def receipt(tournament: str, seq: int, data: Path | None, url: str | None, token: str | None) -> None:
    """Print a receipt that proves one event.

    The receipt contains the event number SEQ, its proof and a signed checkpoint (C2SP tlog-proof). To check it without
    the log and without the server, run `arbiter verify --receipt FILE --key arbiter.vkey`.
    """
    with reading(data, url, token, "receipt") as client:
        write_bytes(client.get(f"/v1/tournaments/{tournament}/receipts/{seq}").content)
