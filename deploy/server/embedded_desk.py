"""The log, the keys and the command handler of a data folder, without the web application."""

from pathlib import Path
from typing import Any

from deploy.server.keys import signing_key
from deploy.server.keys.house_signer import HouseSigner, find_departure, make_checkpoint_key, memory_of
from deploy.server.keys.signing_key import LOG
from deploy.server.rules import RULES
from deploy.server.settings import settings
from shared.audit.keys import service_key_files
from shared.core.rulebook.editions import write_edition
from shared.desk.desk import Desk
from shared.log.sqlite import SqliteLog
from shared.signing.service_keys import ServiceKeys


def service_keys(data: Path) -> ServiceKeys:
    """Return the keys with which all four services sign records. Missing ones are created. Raises `key_files.BadKeys`."""
    service_key_files.ensure(data)
    return service_key_files.load(data)


def open_log(data: Path) -> SqliteLog:
    """Return the database of a data folder. A missing database, and a missing key that signs for it, are created.

    Raises `BadDatabase` if it cannot be used or belongs to another key, and `key_files.BadKeys`.
    """
    data.mkdir(mode=0o700, parents=True, exist_ok=True)
    signing_key.check(data)
    make_checkpoint_key(data)
    log = SqliteLog(data / LOG)
    signing_key.bind(data, log)
    return log


def open_desk(data: Path, **options: Any) -> Desk:
    """Return the command handler of a data folder, with these ``options`` of `Desk`. Raises like `open_log`, and `BadSetting`."""
    write_edition(settings().edition)
    return _desk_on(open_log(data), data, **options)


def open_reading_desk(data: Path) -> Desk:
    """Return a command handler that follows the log of a running server, and cannot write to it. Raises `key_files.BadKeys`."""
    return _desk_on(SqliteLog(data / LOG, readonly=True), data, threads=False)


def _desk_on(log: SqliteLog, data: Path, **options: Any) -> Desk:
    departure = find_departure(memory_of(data, readonly=True))
    return Desk(log, RULES, HouseSigner(data).sign, keys=service_keys(data), departure=departure, **options)
