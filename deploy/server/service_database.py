"""A check that a service's database belongs to the keys in its data folder.

A database that another service or another operator wrote is rejected. An empty database is accepted, because the worker
restores its contents from the topics.
"""

import json
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from deploy.server.settings import ServiceSettings
from shared.audit.keys import service_key_files
from shared.core.language.messages import Message, in_turn, say, together
from shared.core.terms import PAIRING, Source, service_of
from shared.log.port import BadDatabase
from shared.log.sql.engines import open_readonly
from shared.log.sql.schema import look
from shared.log.sql.tables import EVENTS, LEDGER, STOPPED
from shared.log.sql.transactions import translated_errors


def check(data: Path, service: ServiceSettings) -> None:
    """Check the database of a service. Nothing is written, and no schema is changed.

    Raises `BadDatabase` if the database is another's, `key_files.BadKeys` or `port.LogUnavailable`.
    """
    keys = Keys(lambda: _known(data, service), data, _pairing_keys(data, service))
    _check(
        service.database,
        service.source,
        keys,
        say("set ARBITER_DATABASE_URL to the database of {service}", service=service.service),
    )


def check_address(url: str, source: Source, data: Path | None) -> None:
    """Check a service's database by its address, like `check`. The public keys in ``data`` identify the operator.

    Without a folder, or if it has no keys, only the source of the events is checked. Raises `BadDatabase` or
    `port.LogUnavailable`.
    """
    keys = None
    if data is not None:
        folder = data / service_key_files.FOLDER
        known = {line for file in folder.glob("*.vkey") for line in file.read_text("utf-8", "replace").split()}
        keys = Keys(lambda: known, data, folder / "pairing.vkey") if known else None
    _check(url, source, keys, say("name that of {service}", service=service_of(source)))


class Keys(NamedTuple):
    """The public keys ``known`` here, their folder ``data``, and the ``file`` to which another key can be appended."""

    known: Callable[[], Collection[str]]
    data: Path
    file: Path


def _check(address: str, source: Source, keys: Keys | None, remedy: Message) -> None:
    url = sa.make_url(address)
    if url.drivername.startswith("sqlite") and not Path(url.database or "").is_file():
        return
    name = say("the database {address}", address=url.render_as_string(hide_password=True))
    engine = open_readonly(address)
    try:
        if look(engine).revision is None:
            return
        with translated_errors(), engine.connect() as connection:
            writers = _writers(connection) - {source}
            strangers = _strangers(connection, keys.known()) if keys is not None else ""
    finally:
        engine.dispose()
    if writers:
        whose = together(sorted(map(service_of, writers)))
        raise BadDatabase(
            in_turn((say("the database {name} contains the events of {whose}", name=name, whose=whose), remedy))
        )
    if strangers and keys is not None:
        state = say(
            "{name} contains tournaments created with the key {key}, but none with a key of {folder}",
            name=name,
            key=strangers,
            folder=str(keys.data),
        )
        remedy = say(
            "restore the keys of its operator, or give the database of this one, or append that key to {file} to continue",
            file=str(keys.file),
        )
        raise BadDatabase(in_turn((state, remedy)))


def _writers(connection: Connection) -> set[str]:
    """Return the first and the last source of the events written here, by the index that begins with the source."""
    found = (connection.execute(sa.select(of(EVENTS.c.source))).scalar_one() for of in (sa.func.min, sa.func.max))
    return {source for source in found if source is not None}


def _known(data: Path, service: ServiceSettings) -> set[str]:
    """Return the public keys that this service has: its own, pairing's, and for pairing also those of all services."""
    own = service_key_files.load(data, (service.source,), _folder(data, service) if service.source == PAIRING else None)
    announcers = service_key_files.Announcers(_folder(data, service))
    return {*map(str, own.own(service.source)), *own.announced, *map(str, announcers())}


def _strangers(connection: Connection, known: Collection[str]) -> str:
    """Return pairing's key in the first announcement if no announcement lists a known key.

    Return an empty string if one does, or if no announcement lists any key.
    """
    first = ""
    for keys in _announced(connection):
        if not set(keys).isdisjoint(known):
            return ""
        first = first or keys[0]
    return first


def _announced(connection: Connection) -> Iterator[tuple[str, ...]]:
    """Yield the keys of each announcement that lists some, pairing's first.

    An unexpected record that stopped its tournament is not an announcement.
    """
    if not sa.inspect(connection).has_table(LEDGER.name):
        return
    stopped = sa.select(STOPPED.c.stream).where(STOPPED.c.seq < 1)
    begun = sa.and_(LEDGER.c.seq == 1, LEDGER.c.source == PAIRING, LEDGER.c.stream.not_in(stopped))
    chosen = sa.select(LEDGER.c.line).where(begun).order_by(LEDGER.c.pos)
    for line in connection.execute(chosen).scalars():
        try:
            keys = json.loads(line)["data"].get("keys") or ()
            named = tuple(sorted(map(str, keys), key=lambda key: not key.startswith(f"{PAIRING.strip('/')}+")))
        except (ValueError, KeyError, TypeError, AttributeError):
            continue
        if named:
            yield named


def _folder(data: Path, service: ServiceSettings) -> Path:
    return service.keys or data / service_key_files.FOLDER


def _pairing_keys(data: Path, service: ServiceSettings) -> Path:
    return _folder(data, service) / f"{service_of(PAIRING)}.vkey"
