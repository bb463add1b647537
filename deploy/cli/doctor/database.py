"""The database of a data folder, read and not touched: whole, ours, of this version, and what its keys signed."""

import fcntl
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy.exc import DatabaseError

from deploy.cli.doctor.finding import Finding, of_refusal
from deploy.cli.doctor.log_check import look_at_log
from deploy.cli.doctor.service_keys import look_at_service_keys
from deploy.cli.doctor.signer_memory import look_at_memory
from deploy.cli.doctor.webhooks import look_at_webhooks
from deploy.server.keys import signing_key
from deploy.server.keys.signing_key import LOG, public_keys
from shared.audit.keys.key_files import BadKeys
from shared.core.language.messages import Message, message_of, say
from shared.log.port import BadDatabase, LogUnavailable
from shared.log.sql.engines import open_readonly
from shared.log.sql.migration import look
from shared.log.sql.transactions import translated_errors
from shared.log.sqlite import SqliteLog

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
        return False  # told by who reads it
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
        return  # told of the folder
    if not path.exists() or not path.stat().st_size:
        yield Finding(_NAME, say("it does not exist yet; `arbiter serve` creates it"))
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
    log = SqliteLog(path, readonly=True)
    try:
        yield from look_at_log(say("log"), log, public_keys(folder), restore, datetime.now(UTC))
        yield from look_at_service_keys(folder, log)
        yield from look_at_memory(folder, log)
        yield from look_at_webhooks(log)
    finally:
        log.close()


def _damage(path: Path) -> str:
    """What SQLite's own check says first; empty where all is well."""
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
    """Raises `BadDatabase` for a database that is newer or another program's."""
    engine = open_readonly(f"sqlite:///{path}")
    try:
        schema = look(engine)
    finally:
        engine.dispose()
    if schema.revision == schema.newest:
        yield Finding(_NAME, say("it is undamaged, at migration {newest}", newest=schema.newest))
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
