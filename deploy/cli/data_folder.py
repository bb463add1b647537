"""The data folder of an embedded server: its keys, its database, and the desk on it."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from deploy.cli.failure import Failure

if TYPE_CHECKING:
    from shared.desk.desk import Desk

RESTORE = 'put back a copy of it (README, "For an operator"), or name another folder with --data'


def data_folder(data: Path | None) -> Path:
    """The folder that ``--data`` names, else ``ARBITER_DATA``, else ``./data``."""
    return data or Path(os.environ.get("ARBITER_DATA") or "data")


def make_keys(folder: Path) -> None:
    """Raises `key_files.BadKeys` for keys that are there and cannot be used."""
    from deploy.server.embedded import signer
    from shared.http.tokens import Keyring, ensure_keys

    ensure_keys(folder)
    Keyring(folder / "token-keys")
    signer(folder)


def check_folder(folder: Path) -> None:
    """A data folder that can be written, with keys and a database that can be used; made where they are not there yet."""
    from shared.audit.key_files import BadKeys

    try:
        folder.mkdir(parents=True, exist_ok=True)
        make_keys(folder)
    except OSError as problem:
        why = f"{folder}: cannot be the data folder ({problem.strerror})"
        raise Failure(f"{why}: name one that can be written, with --data or ARBITER_DATA") from None
    except BadKeys as problem:
        raise Failure(f"{problem}: put back the key, or look with `arbiter doctor --data {folder}`") from None
    _check_database(folder)


def _check_database(folder: Path) -> None:
    """A database that is ours, whole and not of a later release."""
    from alembic.util import CommandError
    from sqlalchemy.exc import DatabaseError

    from deploy.server.embedded import LOG
    from shared.log.sqlite import SqliteLog

    file = folder / LOG
    try:
        tables = _tables(file)
        if tables and "alembic_version" not in tables:
            raise Failure(f"{file}: a database of another program: name another folder with --data")
        log = SqliteLog(file)
        try:
            log.end()
        finally:
            log.close()
    except CommandError as problem:
        raise Failure(f"{file}: written by a later release ({problem}): run that one, or {RESTORE}") from None
    except (DatabaseError, sqlite3.Error) as problem:
        raise Failure(
            f"{file}: no database that can be used ({getattr(problem, 'orig', problem)}): {RESTORE}"
        ) from None


def _tables(file: Path) -> set[str]:
    """The tables of an SQLite file; none of one that is not there."""
    if not file.exists():
        return set()
    connection = sqlite3.connect(file)
    try:
        return {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    finally:
        connection.close()


@contextmanager
def desk_of(data: Path) -> Iterator["Desk"]:
    """The desk of a data folder that exists."""
    from deploy.server.embedded import open_desk

    if not data.is_dir():
        raise Failure(f"{data}: no such folder")
    check_folder(data)
    desk = open_desk(data)
    try:
        yield desk
    finally:
        desk.close()


def folder_unless_server(data: Path | None, url: str | None) -> Path | None:
    """The data folder to read; None for a server."""
    if data is not None and url is not None:
        raise click.UsageError("--data and --url exclude each other")
    return None if url else data_folder(data)


def last_line(desk: "Desk", tournament: str) -> int:
    """The tournament's last line; an unknown one ends the command."""
    view = desk.view(tournament)
    if view is None:
        raise Failure(f"no tournament {tournament} here")
    return view.seq
