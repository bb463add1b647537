"""The data folder of an embedded server: its keys, its database, and the command handler on it."""

import logging
import os
import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from deploy.failure import Failure
from shared.core.language.messages import in_turn, message_of, say
from shared.regulations.typed_toml import TomlError

if TYPE_CHECKING:
    from shared.desk.desk import Desk
    from shared.desk.replay import View


def data_folder(data: Path | None) -> Path:
    """Return the folder from ``--data``, or else from ``ARBITER_DATA``, or else ``./data``."""
    return data or Path(os.environ.get("ARBITER_DATA") or "data")


def named_folder() -> Path | None:
    """Return the folder from ``ARBITER_DATA``, or None if it is not set and the relevant keys are unknown."""
    named = os.environ.get("ARBITER_DATA")
    return Path(named) if named else None


def make_keys(folder: Path) -> None:
    """Create the keys that a data folder does not have yet.

    Raises `key_files.BadKeys` if existing keys cannot be used, or `port.BadDatabase` if another key signs the database.
    """
    from deploy.server.embedded_desk import service_keys
    from deploy.server.keys import signing_key
    from deploy.server.keys.house_signer import make_checkpoint_key
    from shared.audit.keys.service_key_files import FOLDER
    from shared.http.identity.tokens import Keyring, ensure_keys

    signing_key.check(folder)
    ensure_keys(folder)
    Keyring(folder / "token-keys")
    make_checkpoint_key(folder)
    fresh = not (folder / FOLDER).exists()
    service_keys(folder)
    if fresh:
        signing_key.permit_new_log(folder)


def check_folder(folder: Path) -> None:
    """Check that a data folder is writable, and that its keys and database can be used. Missing ones are created."""
    from shared.audit.keys.key_files import BadKeys

    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        make_keys(folder)
    except OSError as problem:
        raise Failure(
            say(
                "{folder}: cannot be used as the data folder ({problem}); name a writable folder with --data or ARBITER_DATA",
                folder=str(folder),
                problem=str(problem.strerror),
            )
        ) from None
    except BadKeys as problem:
        raise Failure(
            say(
                "{problem}; restore the key, or run `arbiter doctor --data {folder}`",
                problem=message_of(problem),
                folder=str(folder),
            )
        ) from None
    _check_database(folder)


def _check_database(folder: Path) -> None:
    """Check that the database is ours, intact and not of a later release. Raises `port.BadDatabase`."""
    from sqlalchemy.exc import DatabaseError

    from deploy.server.embedded_desk import open_log
    from deploy.server.keys.signing_key import LOG
    from shared.log.port import BadDatabase

    log = open_log(folder)
    try:
        log.end()
    except DatabaseError as problem:
        state = say("the database {path} cannot be read: {problem}", path=str(folder / LOG), problem=str(problem.orig))
        raise BadDatabase(in_turn((state, say("restore its last backup")))) from None
    finally:
        log.close()


@contextmanager
def desk_of(data: Path) -> Iterator["Desk"]:
    """Yield the command handler of an existing data folder. Raises `Failure` if the folder does not exist or is unusable."""
    from deploy.server.embedded_desk import open_desk
    from shared import structured_log

    structured_log.configure(logging.ERROR)
    if not data.is_dir():
        raise Failure(say("folder {data} does not exist", data=str(data)))
    check_folder(data)
    with closing(open_desk(data)) as desk:
        yield desk


def view_in(desk: "Desk", tournament: str) -> "View":
    """Return the state of a tournament. Raises `Failure` if it does not exist."""
    view = desk.view(tournament)
    if view is None:
        raise Failure(
            say("tournament {tournament} does not exist in this data folder or on this server", tournament=tournament)
        )
    return view


def folder_unless_server(data: Path | None, url: str | None) -> Path | None:
    """Return the data folder to read, or None for a server."""
    if data is not None and url is not None:
        raise Failure(say("--data and --url cannot be used together"))
    return None if url else data_folder(data)


def check_serving(folder: Path, host: str, port: int) -> None:
    """Check the settings, rulesets, keys, database and address of a server that is about to start."""
    from deploy.server.settings import BadSetting, settings
    from shared.regulations import load_all

    try:
        settings()
        load_all()
    except TomlError as problem:
        raise Failure(say("the rulesets are not valid: {problem}", problem=message_of(problem))) from None
    except BadSetting as problem:
        raise Failure(say("{problem}: set another value, or unset it", problem=message_of(problem))) from None
    check_folder(folder)
    _check_address(host, port)


def _check_address(host: str, port: int) -> None:
    """Check that a server can listen at the address, and that no other process uses it."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as problem:
        why = f"{host}:{port} cannot be listened at ({problem.strerror or problem})"
        raise Failure(
            say("{why}: choose another with --host and --port, or ARBITER_HOST and ARBITER_PORT", why=why)
        ) from None
