"""``arbiter log``: a tournament's log, out of a data folder or a server."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from deploy.cli.client import NDJSON, remote
from deploy.cli.terminal.verb import Verb, data_option, token_option, url_option, write_bytes
from deploy.server.data_folder import desk_of, folder_unless_server, last_line

if TYPE_CHECKING:
    from shared.desk.desk import Desk


@click.command(cls=Verb, example="arbiter log spring-cup --data cup > spring-cup.ndjson")
@click.argument("tournament")
@data_option
@url_option
@token_option
@click.option("--sheets", is_flag=True, help="Print the score sheets of the games instead.")
def log(tournament: str, data: Path | None, url: str | None, token: str | None, sheets: bool) -> None:
    """Print a tournament's event log (NDJSON).

    Each event is printed byte for byte as it was stored, one per line.
    """
    folder = folder_unless_server(data, url)
    if folder is not None:
        with desk_of(folder) as desk:
            last_line(desk, tournament)
            for lines in _sheets(desk, tournament) if sheets else [_log(desk, tournament)]:
                write_bytes(b"".join(line + b"\n" for line in lines))
        return
    with remote(url or "", token) as server:
        content = server.get(f"/v1/tournaments/{tournament}/events", accept=NDJSON).content
        if not sheets:
            write_bytes(content)
            return
        for line in content.split(b"\n")[:-1]:
            event = json.loads(line)
            if event["type"].startswith("arbiter.game.started"):
                write_bytes(server.get(f"/v1/games/{event['data']['game']}/sheet", accept=NDJSON).content)


def _log(desk: "Desk", tournament: str) -> list[bytes]:
    return [row.line for row in desk.lines(f"tournaments/{tournament}")]


def _sheets(desk: "Desk", tournament: str) -> Iterable[list[bytes]]:
    from shared.desk.score_sheets import score_sheets

    return [lines for _, lines in score_sheets(desk, tournament)]
