"""``arbiter texts``: the texts of a tournament, out of a data folder or a server."""

import json
from pathlib import Path

import click

from deploy.cli.client import NDJSON, remote
from deploy.cli.terminal.verb import Verb, data_option, token_option, url_option, write_bytes
from deploy.server.data_folder import desk_of, folder_unless_server, last_line


@click.command(cls=Verb, example="arbiter texts spring-cup --data cup > texts.ndjson")
@click.argument("tournament")
@data_option
@url_option
@token_option
def texts(tournament: str, data: Path | None, url: str | None, token: str | None) -> None:
    """Export names and notes (NDJSON).

    These erasable texts are stored outside the log, which contains only their hashes.
    """
    folder = folder_unless_server(data, url)
    if folder is None:
        with remote(url or "", token) as server:
            write_bytes(server.get(f"/v1/tournaments/{tournament}/texts", accept=NDJSON).content)
        return
    with desk_of(folder) as desk:
        last_line(desk, tournament)
        for text in desk.tournament_texts(tournament):
            fields = {"hash": text.hash, "salt": text.salt, "text": text.text}
            write_bytes(json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")
