"""What was ever revoked in a data folder, beside its database and in no backup of it: a database that is put back takes back
none of it.

``DIR/revoked.ndjson`` holds the records as pairing signed them, one a line; a line that pairing's key did not sign says nothing.
"""

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from shared import structured_log
from shared.audit.keys.key_files import BadKeys
from shared.core.language.messages import message_of, say
from shared.core.terms import PAIRING
from shared.core.trust.token_revocations import Revocation
from shared.log.port import RevokedRow
from shared.log.sqlite import SqliteLog
from shared.signing.revocation_records import BadRevocation, read_record
from shared.signing.service_keys import ServiceKeys, holds

FILE = "revoked.ndjson"


def unite(data: Path, log: SqliteLog, keys: ServiceKeys) -> None:
    """Give the database what the file has more, and the file what the database has more; on disk when it returns.

    Raises `BadKeys` where the file cannot be read or written: nothing is taken as not revoked.
    """
    try:
        _unite(data / FILE, log, keys)
    except OSError as problem:
        raise BadKeys(
            say(
                "{path}, which contains the revocations, cannot be used: {problem}",
                path=str(data / FILE),
                problem=message_of(problem),
            )
        ) from None


def keeper(data: Path, log: SqliteLog, keys: ServiceKeys) -> Callable[[], None]:
    """Does it after each revocation; where it cannot, the database has it all the same, and the operator is told."""

    def keep() -> None:
        try:
            unite(data, log, keys)
        except BadKeys as problem:
            structured_log.logger().error("revocations-not-kept", why=str(problem))

    return keep


def _unite(path: Path, log: SqliteLog, keys: ServiceKeys) -> None:
    kept, known = dict.fromkeys(_kept(path)), dict.fromkeys(log.revoked())
    lacking = [(one, record) for record in kept if record not in known and (one := _genuine(record, keys))]
    if lacking:
        with log.transaction() as tx:
            for one, record in lacking:
                tx.revoke(RevokedRow(one.key, one.at, record))
    _append(path, [record for record in known if record not in kept])


def _kept(path: Path) -> list[bytes]:
    try:
        return [line for line in path.read_bytes().split(b"\n") if line]
    except FileNotFoundError:
        return []


def _genuine(record: bytes, keys: ServiceKeys) -> Revocation | None:
    """What a record revokes, if one of pairing's keys signed it."""
    try:
        said = read_record(record)
    except BadRevocation:
        return None
    return said if any(holds([record], key) for key in keys.own(PAIRING)) else None


def _append(path: Path, records: Sequence[bytes]) -> None:
    if not records:
        return
    written = os.open(path, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600)
    try:
        os.write(written, b"".join(record + b"\n" for record in records))
        os.fsync(written)
    finally:
        os.close(written)
