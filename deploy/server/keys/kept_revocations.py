"""The revocations of a data folder, kept next to its database: a restored backup of the database does not undo them.

``DIR/revoked.ndjson`` holds the records as pairing signed them, one a line; a line that pairing's key did not sign says nothing.
"""

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import msgspec

from shared import structured_log
from shared.audit.keys.key_files import BadKeys
from shared.core.language.handles import InvalidLoginName, login_name
from shared.core.language.messages import message_of, say
from shared.core.terms import PAIRING
from shared.core.trust.token_revocations import Revocation, is_token_id
from shared.desk.keys.revocations import Revocations
from shared.log.port import RevokedRow
from shared.log.sqlite import SqliteLog
from shared.signing.revocation_records import BadRevocation, read_record
from shared.signing.service_keys import ServiceKeys, holds

FILE = "revoked.ndjson"
OLD_FILE = Path("token-keys") / "revoked.json"
"""The revocations of an earlier version, which the database takes over."""


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
    """Return a function that unites both after a revocation. If it fails, the database has the revocation; it logs an error."""

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
    """Return the revocation of a record, or None unless one of pairing's keys signed it."""
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


class _Old(msgspec.Struct, forbid_unknown_fields=True):
    at: int
    by: str
    jti: str | None = None
    name: str | None = None
    tournament: str | None = None


_READER = msgspec.json.Decoder(tuple[_Old, ...], strict=True)


def read_old(data: Path) -> tuple[Revocation, ...]:
    """Those of the file, if it is there; ids that no token has are left out.

    Raises `BadKeys` for a file that cannot be read: nothing is taken as not revoked.
    """
    path = data / OLD_FILE
    try:
        found = _READER.decode(path.read_bytes())
    except FileNotFoundError:
        return ()
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as problem:
        raise BadKeys(say("{path} cannot be read: {problem}", path=str(path), problem=message_of(problem))) from None
    kept = [_as_now(one) for one in found if one.name is not None or is_token_id(one.jti or "")]
    for one in kept:
        if why := one.invalid_reason():
            raise BadKeys(say("{path} cannot be imported: {why}", path=str(path), why=why))
    return tuple(kept)


def take_over(data: Path, revocations: Revocations) -> None:
    """Revoke the tokens of the earlier version's file and remove it. A read-only file is read again at the next start.

    Raises as `read_old` and `Revocations.revoke`.
    """
    for one in read_old(data):
        revocations.revoke(one)
    with suppress(OSError):
        (data / OLD_FILE).unlink(missing_ok=True)


def _as_now(old: _Old) -> Revocation:
    try:
        by = login_name(old.by)
    except InvalidLoginName:
        by = "operator"
    return Revocation(old.at, by, old.jti, old.name, old.tournament)
