"""A data folder's key and its database belong together: neither is used without the other, unless an operator says so.

A database names the key that signs for it. A key that was just made has a permit beside it (``DIR/new-log``): it signs
for the next database, whatever that holds, and the permit is gone then. ``arbiter keys --new-log`` gives another.
"""

from base64 import b64encode
from collections.abc import Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import sqlalchemy as sa
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from shared.audit.checkpoints.checkpoint import BadCheckpoint, Checkpoint, Verifier, parse_verifier
from shared.audit.checkpoints.publications import published_checkpoints
from shared.audit.keys import key_files
from shared.core.language.messages import in_turn, say
from shared.core.terms import SOURCES, STANDINGS, Source, service_of
from shared.log.port import BadDatabase
from shared.log.sql.cold import all_stored
from shared.log.sql.engines import open_readonly
from shared.log.sql.migration import look
from shared.log.sql.statements import insert_or_change
from shared.log.sql.tables import COLD, EVENTS, SIGNING_KEY
from shared.log.sqlite import SqliteLog

LOG = "arbiter.db"
KEY, PUBLIC = "arbiter.key", "arbiter.vkey"
_PERMIT = "new-log"
_ROW = 1


@dataclass(frozen=True, slots=True)
class Contents:
    """What a database says of the key that signs for it. ``key`` (base64): the one it names, else None, and then the
    checkpoints of its publications."""

    key: str | None
    checkpoints: tuple[Checkpoint, ...]


def permit(data: Path) -> None:
    """Let the key of this folder sign for the next database, whatever it holds."""
    data.mkdir(parents=True, exist_ok=True)
    (data / _PERMIT).touch(0o600)


def check(data: Path) -> None:
    """Nothing is written. Raises `BadDatabase` where key and database do not belong together, `key_files.BadKeys`."""
    if (data / _PERMIT).exists():
        return
    held, path = contents(data / LOG), data / LOG
    keys = public_keys(data)
    folder, way_out = str(data), _way_out(data)
    if not keys and held is not None:
        state = say(
            "the database {path} exists, but its signing key {key} is missing", path=str(path), key=str(data / KEY)
        )
        remedy = say("restore the key, or allow a new key to sign for the database with {way_out}", way_out=way_out)
        raise BadDatabase(in_turn((state, remedy)))
    if keys and held is None:
        gone = say(
            "the keys in {folder} have signed a log before, but its database {path} is missing",
            folder=folder,
            path=str(path),
        )
        empty = say(
            "the keys in {folder} have signed a log before, but its database {path} is empty",
            folder=folder,
            path=str(path),
        )
        remedy = say("restore the database from a backup, or start a new log with {way_out}", way_out=way_out)
        raise BadDatabase(in_turn((empty if path.exists() else gone, remedy)))
    if keys and held is not None and not _sign_for(keys, held):
        state = say(
            "the database {path} belongs to different keys from those in {folder}", path=str(path), folder=folder
        )
        remedy = say("restore its own keys, or allow these keys to sign for it with {way_out}", way_out=way_out)
        raise BadDatabase(in_turn((state, remedy)))


def bind(data: Path, log: SqliteLog) -> None:
    """Write down, where it is not yet, that this folder's key signs for the database. It was checked before."""
    key = public_key(data)
    assert key is not None, "the signer is made first"
    with log.reader.connect() as connection:
        held = connection.execute(sa.select(SIGNING_KEY.c.key)).scalar_one_or_none()
    if held != (named := _text(key.public_bytes_raw())):
        with log.transaction() as tx:
            insert_or_change(tx.connection, SIGNING_KEY, ("id",), [{"id": _ROW, "key": named}])
    (data / _PERMIT).unlink(missing_ok=True)
    for other in permits(data):
        other.spend()


def contents(path: Path) -> Contents | None:
    """What a database holds; None where there is nothing in it. Raises `BadDatabase` for one that is not ours."""
    if not path.exists() or not path.stat().st_size:
        return None
    engine = open_readonly(f"sqlite:///{path}")
    try:
        if look(engine).revision is None:
            return None
        with engine.connect() as connection:
            named = sa.inspect(connection).has_table(SIGNING_KEY.name)
            key = connection.execute(sa.select(SIGNING_KEY.c.key)).scalar_one_or_none() if named else None
            if key is not None:
                return Contents(key, ())
            if connection.execute(sa.select(EVENTS.c.pos).limit(1)).first() is None:
                return None
            return Contents(None, _published(connection))
    finally:
        engine.dispose()


def publications(path: Path) -> tuple[Checkpoint, ...]:
    """Return the checkpoints of the publications in a database, or nothing without one. Raises `BadDatabase`."""
    if not path.exists() or not path.stat().st_size:
        return ()
    engine = open_readonly(f"sqlite:///{path}")
    try:
        if look(engine).revision is None:
            return ()
        with engine.connect() as connection:
            return _published(connection)
    finally:
        engine.dispose()


def _published(connection: sa.Connection) -> tuple[Checkpoint, ...]:
    lines = connection.execute(sa.select(EVENTS.c.line).where(EVENTS.c.source == STANDINGS)).scalars()
    former = not sa.inspect(connection).has_table(COLD.name)
    stored = () if former else (row.line for row in all_stored(connection) if row.source == STANDINGS)
    return tuple(published_checkpoints(chain(lines, stored)))


def public_key(data: Path) -> Ed25519PublicKey | None:
    """That of ``arbiter.key``; None where it is not there. Raises `key_files.BadKeys`."""
    path = data / KEY
    return key_files.read(path).public_key() if path.exists() else None


def public_keys(data: Path) -> list[bytes]:
    """That key and the former ones of ``arbiter.vkey``; none without it. Raises `key_files.BadKeys`."""
    key, public = public_key(data), data / PUBLIC
    if key is None:
        return []
    lines = public.read_text("utf-8", "replace").split("\n") if public.exists() else []
    former = []
    for line in filter(None, lines):
        with suppress(BadCheckpoint):
            former.append(parse_verifier(line).key)
    return [key.public_bytes_raw(), *former]


def _sign_for(keys: Collection[bytes], held: Contents) -> bool:
    """By the database's own word, else by its publications; one that says nothing of it is taken for the keys'."""
    if held.key is not None:
        return held.key in map(_text, keys)
    signers = {signature.name for note in held.checkpoints for signature in note.signatures}
    verifiers = [Verifier(name, key) for name in signers for key in keys]
    return not held.checkpoints or any(v.verifies(note) for note in held.checkpoints for v in verifiers)


def _text(key: bytes) -> str:
    return b64encode(key).decode()


def _way_out(data: Path) -> str:
    return f"`arbiter keys --new-log --data {data}`"


FOLDER, _FILE = "new", "permit"


@dataclass(frozen=True, slots=True)
class NewLogPermit:
    """That of one service in a data folder, as it is when it is asked."""

    data: Path
    source: Source

    @property
    def path(self) -> Path:
        return self.data / FOLDER / service_of(self.source) / _FILE

    def given(self) -> bool:
        return self.path.exists()

    def spend(self) -> None:
        """One that is not there is spent; one that cannot be taken away stays, and lets the service begin again."""
        with suppress(OSError):
            self.path.unlink(missing_ok=True)


def permits(data: Path, sources: Iterable[Source] = SOURCES) -> list[NewLogPermit]:
    """Those of all services."""
    return [NewLogPermit(data, source) for source in sources]


def permit_new_log(data: Path) -> None:
    """Let every service begin a log with the keys of this folder."""
    for permit in permits(data):
        permit.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        permit.path.touch(0o600)
