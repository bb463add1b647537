"""``arbiter log``, ``texts`` and ``checkpoint``: what a tournament leaves, out of a data folder or a server."""

import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from deploy.cli.client import Remote
from deploy.cli.common import Failure, data_option

if TYPE_CHECKING:
    from shared.desk.desk import Desk

DATA = Path("data")
url_option = click.option("--url", help="A running server, instead of a data folder.")
token_option = click.option("--token", envvar="ARBITER_TOKEN", help="Token for --url (or ARBITER_TOKEN).")
NDJSON = {"Accept": "application/x-ndjson"}


@contextmanager
def desk_of(data: Path) -> Iterator["Desk"]:
    """The desk of a data folder that exists."""
    from deploy.server.embedded import open_desk

    if not data.is_dir():
        raise Failure(f"{data}: no such folder")
    desk = open_desk(data)
    try:
        yield desk
    finally:
        desk.close()


def source(data: Path | None, url: str | None) -> Path | None:
    """The data folder to read; None for a server."""
    if data is not None and url is not None:
        raise click.UsageError("--data and --url exclude each other")
    return None if url else data or DATA


@click.command()
@click.argument("tournament")
@data_option
@url_option
@token_option
@click.option("--sheets", is_flag=True, help="The score sheets of its games instead.")
def log(tournament: str, data: Path | None, url: str | None, token: str | None, sheets: bool) -> None:
    """A tournament's log, byte for byte as it was written (NDJSON)."""
    folder = source(data, url)
    if folder is not None:
        with desk_of(folder) as desk:
            _known(desk, tournament)
            for lines in _sheets(desk, tournament) if sheets else [_log(desk, tournament)]:
                _write(b"".join(line + b"\n" for line in lines))
        return
    remote = Remote(url or "", token)
    if not sheets:
        _write(remote.get(f"/v1/tournaments/{tournament}/events", NDJSON))
        return
    for line in remote.get(f"/v1/tournaments/{tournament}/events", NDJSON).split(b"\n")[:-1]:
        event = json.loads(line)
        if event["type"].startswith("arbiter.game.started"):
            _write(remote.get(f"/v1/games/{event['data']['game']}/sheet", NDJSON))


@click.command()
@click.argument("tournament")
@data_option
@url_option
@token_option
def texts(tournament: str, data: Path | None, url: str | None, token: str | None) -> None:
    """The texts that a tournament's log names by their hashes (NDJSON)."""
    folder = source(data, url)
    if folder is None:
        _write(Remote(url or "", token).get(f"/v1/tournaments/{tournament}/texts", NDJSON))
        return
    with desk_of(folder) as desk:
        _known(desk, tournament)
        for text in desk.tournament_texts(tournament):
            fields = {"hash": text.hash, "salt": text.salt, "text": text.text}
            _write(json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")


@click.command()
@click.argument("tournament")
@data_option
@url_option
@token_option
def checkpoint(tournament: str, data: Path | None, url: str | None, token: str | None) -> None:
    """A signed checkpoint of the log as it is now (C2SP signed note)."""
    folder = source(data, url)
    if folder is None:
        _write(Remote(url or "", token).get(f"/v1/tournaments/{tournament}/checkpoint", {}))
        return
    with desk_of(folder) as desk:
        seq = _known(desk, tournament)
        _write(desk.sign(tournament, seq, desk.root(tournament, seq)).encode())


def _known(desk: "Desk", tournament: str) -> int:
    """The tournament's last line; an unknown one ends the command."""
    view = desk.view(tournament)
    if view is None:
        raise Failure(f"no tournament {tournament} here")
    return view.seq


def _log(desk: "Desk", tournament: str) -> list[bytes]:
    return [row.line for row in desk.lines(f"tournaments/{tournament}")]


def _sheets(desk: "Desk", tournament: str) -> Iterable[list[bytes]]:
    from deploy.server.audit_job import sheets_of

    return sheets_of(desk, tournament).values()


def _write(content: bytes) -> None:
    sys.stdout.buffer.write(content)
    sys.stdout.buffer.flush()
