"""The machine and the data folder: versions, keys, permissions, room, and the database, which is only read."""

import fcntl
import os
import platform
import shutil
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from sqlalchemy.exc import DatabaseError

from deploy.cli.doctor.finding import Finding, of_refusal
from deploy.cli.doctor.log_check import look_at_log, look_at_service_keys, look_at_webhooks
from deploy.cli.doctor.signer_memory import look_at_memory
from deploy.cli.terminal.verb import counted
from deploy.server.keys import signing_key
from deploy.server.keys.kept_revocations import OLD_FILE, read_old
from deploy.server.keys.signing_key import KEY, LOG, PUBLIC, public_keys
from services.pairing.rules.engines.versions import GACRUX, PY4SWISS, RELEASED, RUSTWORKX, package_version
from shared.audit.keys.key_files import BadKeys
from shared.core.events import Engine
from shared.core.language.messages import Message, message_of, say
from shared.http.identity.tokens import Keyring
from shared.log.port import BadDatabase, LogUnavailable
from shared.log.sql.engines import files_of, open_readonly
from shared.log.sql.schema import look
from shared.log.sql.transactions import translated_errors
from shared.log.sqlite import SqliteLog

PYTHON, SQLITE = (3, 11), (3, 35)


def look_at_machine() -> Iterator[Finding]:
    old = sys.version_info < PYTHON
    yield Finding(
        say("Python"), _version(platform.python_version()), say("install Python 3.11 or newer") if old else None
    )
    lite = sqlite3.sqlite_version_info < SQLITE
    yield Finding(
        say("SQLite"), _version(sqlite3.sqlite_version), say("install SQLite 3.35 or newer") if lite else None
    )
    for name in ("arbiter-federation", "sqlalchemy", "kafka-python"):
        yield Finding(_version(name), _version(version(name)))
    for engine in (GACRUX, PY4SWISS, RUSTWORKX):
        if installed := package_version(engine):
            yield Finding(_version(engine.name), _version(installed), _released_advice(engine))


def _released_advice(engine: Engine) -> Message | None:
    """Return which versions to install if no release of Arbiter pairs by this one, or None."""
    if engine in RELEASED:
        return None
    versions = tuple(sorted(package_version(one) for one in RELEASED if one.name == engine.name))
    return say("install version {versions}; a server does not pair with another version", versions=versions)


def _version(text: str) -> Message:
    return say("{text}", text=text)


_FREE_BYTES = 1 << 30
_FREE_FILES = 1000  # a file system may be full of files while it has bytes left
_OTHERS_READ, _OTHERS_WRITE = 0o077, 0o022


def look_at_folder(folder: Path) -> Iterator[Finding]:
    if not folder.is_dir():
        yield Finding(say("data folder"), say("{folder} does not exist", folder=str(folder)), _make(folder))
        return
    yield from _token_keys(folder)
    yield from _signing_key(folder)
    yield from _modes(folder)
    yield from _room(folder)


def _token_keys(folder: Path) -> Iterator[Finding]:
    try:
        Keyring(folder / "token-keys")
        count = len(list((folder / "token-keys").glob("*.pem")))
        yield Finding(
            say("keys of tokens"),
            counted(count, say("1 key is in force"), say("{count} keys are in force", count=count)),
            None if count else _make(folder),
        )
        if (folder / OLD_FILE).exists():
            path, old = str(folder / OLD_FILE), len(read_old(folder))
            why = counted(
                old,
                say("{path} has 1 revocation of an earlier version, not imported yet", path=path),
                say("{path} has {count} revocations of an earlier version, not imported yet", path=path, count=old),
            )
            yield Finding(
                say("revoked tokens"),
                why,
                say(
                    "start the server (the pairing service, if services run separately), then remove {path}",
                    path=str(folder / OLD_FILE),
                ),
            )
    except BadKeys as problem:
        yield Finding(say("keys of tokens"), message_of(problem), _mends_keys(folder, problem))


def _mends_keys(folder: Path, problem: BadKeys) -> Message:
    if str(folder / OLD_FILE) in str(problem):
        return say("restore {path} from the backup of the keys", path=str(folder / OLD_FILE))
    return say("leave at most two public keys in token-keys/")


def _signing_key(folder: Path) -> Iterator[Finding]:
    """Check that the public key of checkpoints, which auditors use, belongs to the private one."""
    public = folder / PUBLIC
    try:
        keys = public_keys(folder)
    except BadKeys as problem:
        yield Finding(
            say("key of checkpoints"),
            message_of(problem),
            say("restore {path} from the backup of the keys", path=str(folder / KEY)),
        )
        return
    if not keys:
        return
    if keys[0] in keys[1:]:
        yield Finding(say("key of checkpoints"), say("the private key and its public key exist"))
    else:
        why = say(
            "the public key in {path} does not belong to the private key in {key}",
            path=str(public),
            key=str(folder / KEY),
        )
        yield Finding(say("key of checkpoints"), why, _command(f"rm -f {public} && arbiter keys --data {folder}"))


def _modes(folder: Path) -> Iterator[Finding]:
    secrets = [*folder.glob("*.key"), *folder.glob("keys/*.key"), *folder.glob("*.db"), *files_of(folder / LOG)]
    for path in sorted(set(secrets)):
        if path.exists() and path.stat().st_mode & _OTHERS_READ:
            yield Finding(
                say("{path}", path=str(path.relative_to(folder))),
                say("other users can read it"),
                _command(f"chmod 600 {path}"),
            )
    # A folder with only keys is read by the services of other users; a folder with the log is private.
    if folder.stat().st_mode & (_OTHERS_READ if (folder / LOG).exists() else _OTHERS_WRITE):
        yield Finding(
            say("data folder"),
            say("other users can open {folder}", folder=str(folder)),
            _command(f"chmod 700 {folder}"),
        )


def _room(folder: Path) -> Iterator[Finding]:
    free = shutil.disk_usage(folder).free
    yield Finding(
        say("disk"),
        say("{number} MiB are free", number=free >> 20),
        None if free >= _FREE_BYTES else say("free disk space: less than 1 GiB is left"),
    )
    system = os.statvfs(folder)
    if system.f_files and system.f_favail < _FREE_FILES:
        yield Finding(
            say("disk"),
            counted(
                system.f_favail,
                say("1 more file can be created"),
                say("{count} more files can be created", count=system.f_favail),
            ),
            say("remove files: the file system limits their number"),
        )


def _command(line: str) -> Message:
    return say("{command}", command=line)


def _make(folder: Path) -> Message:
    return _command(f"arbiter keys --data {folder}")


_NAME = say("database")
_SHARED_FIRST, _SHARED_SIZE = 0x40000002, 510
"""The bytes of a database that SQLite locks: readers together, who has it alone exclusively (its file format, section 1.4)."""


def look_at_database(folder: Path) -> Iterator[Finding]:
    path = folder / LOG
    if _held(path):
        yield _unavailable(path, say("another process holds the database"))
        return
    try:
        yield from _look(folder, path)
    except LogUnavailable as problem:
        yield _unavailable(path, message_of(problem))


def _held(path: Path) -> bool:
    """Whether a process has the database to itself: without a WAL it would be read all the same, and no server starts."""
    try:
        file = os.open(path, os.O_RDONLY)
    except OSError:
        return False  # the reader reports it
    try:
        fcntl.lockf(file, fcntl.LOCK_SH | fcntl.LOCK_NB, _SHARED_SIZE, _SHARED_FIRST)
    except BlockingIOError:
        return True
    finally:
        os.close(file)
    return False


def _unavailable(path: Path, problem: Message) -> Finding:
    return Finding(
        _NAME,
        say("{path} cannot be read: {problem}", path=str(path), problem=problem),
        say("stop the program that uses {path} (`fuser {path}` shows it), then run doctor again", path=str(path)),
    )


def _look(folder: Path, path: Path) -> Iterator[Finding]:
    restore = say("stop the server and restore {path} from the last backup", path=str(path))
    try:
        signing_key.check(folder)
    except BadDatabase as problem:
        yield of_refusal(_NAME, problem)
        return
    except BadKeys:
        return  # reported with the folder
    if not path.exists() or not path.stat().st_size:
        yield Finding(_NAME, say("the database does not exist yet; `arbiter serve` creates it"))
        return
    damage = _damage(path)
    if damage:
        yield Finding(_NAME, say("{path} is damaged: {damage}", path=str(path), damage=damage), restore)
        return
    try:
        with translated_errors():
            yield from _what_is_in_it(folder, path, restore)
    except BadDatabase as problem:
        yield of_refusal(_NAME, problem)
    except DatabaseError as problem:
        yield Finding(
            _NAME, say("{path} cannot be read: {problem}", path=str(path), problem=str(problem.orig)), restore
        )


def _what_is_in_it(folder: Path, path: Path, restore: Message) -> Iterator[Finding]:
    yield from _schema(folder, path)
    with closing(SqliteLog(path, readonly=True)) as log:
        yield from look_at_log(say("log"), log, public_keys(folder), restore, datetime.now(UTC))
        yield from look_at_service_keys(folder, log)
        yield from look_at_memory(folder, log)
        yield from look_at_webhooks(log)


def _damage(path: Path) -> str:
    """Return the first fault of SQLite's own check, or an empty text."""
    engine = open_readonly(f"sqlite:///{path}")
    try:
        with translated_errors(), engine.connect() as connection:
            first = str(connection.exec_driver_sql("PRAGMA quick_check(1)").scalar_one())
    except DatabaseError as problem:
        first = str(problem.orig)
    finally:
        engine.dispose()
    return "" if first == "ok" else " ".join(first.split())


def _schema(folder: Path, path: Path) -> Iterator[Finding]:
    """Yield the state of the schema. Raises `BadDatabase` for a newer database or one of another program."""
    engine = open_readonly(f"sqlite:///{path}")
    try:
        schema = look(engine)
    finally:
        engine.dispose()
    if schema.revision == schema.newest:
        yield Finding(_NAME, say("the database is undamaged, at migration {newest}", newest=schema.newest))
    else:
        older = say(
            "it is at migration {revision} of an earlier version; the newest is {newest}",
            revision=str(schema.revision),
            newest=schema.newest,
        )
        yield Finding(
            _NAME,
            older,
            say("start the server to migrate it: `arbiter serve --data {folder}`", folder=str(folder)),
        )
