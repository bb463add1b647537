"""What the lines of a ledger say of the log before them, and which texts they erase."""

from base64 import b64encode
from typing import Annotated

import msgspec
import sqlalchemy as sa
from sqlalchemy.engine import Connection

from shared.core.terms import PAIRING
from shared.core.trust.merkle import EMPTY
from shared.log.sql.cold import ledger_root
from shared.log.sql.tables import LEDGER, STOPPED

NOT_READ = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""What decoding bytes that anybody may have written can raise: msgspec counts nesting on Python's own stack."""


class _Basis(msgspec.Struct):
    """What a line says about the log before it."""

    basis: int
    basisroot: str


class _Erasure(msgspec.Struct):
    type: str
    data: msgspec.Raw


class _Hash(msgspec.Struct):
    hash: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]


_BASIS = msgspec.json.Decoder(_Basis)
_ERASURE = msgspec.json.Decoder(_Erasure)
_HASH = msgspec.json.Decoder(_Hash)
_ERASED = b"arbiter.text.erased.v"


def basis_of(line: bytes) -> tuple[int, str] | None:
    """The basis that a line names, and the root there in base64; None for one that this version cannot read."""
    try:
        header = _BASIS.decode(line)
    except NOT_READ:
        return None
    return header.basis, header.basisroot


def erased_by(source: str, line: bytes) -> list[str]:
    """The hash that a line of a source erases, as a list of one or none."""
    if source != PAIRING or _ERASED not in line:
        return []
    try:
        event = _ERASURE.decode(line)
        if event.type.encode().startswith(_ERASED):
            return [_HASH.decode(event.data).hash]
    except NOT_READ:
        pass
    return []


def gone_past(connection: Connection, stream: str) -> list[str] | None:
    """Go past what a tournament stands stopped by; the hashes that lines behind it erase. None where nothing stops it."""
    stop = connection.execute(sa.select(STOPPED).where(STOPPED.c.stream == stream, STOPPED.c.resumed < 0)).first()
    if stop is None:
        return None
    size = sa.select(sa.func.coalesce(sa.func.max(LEDGER.c.seq), 0)).where(LEDGER.c.stream == stream)
    connection.execute(sa.update(STOPPED).where(STOPPED.c.stream == stream).values(resumed=size.scalar_subquery()))
    return _erased_after(connection, stream, stop.seq)


def _erased_after(connection: Connection, stream: str, seq: int) -> list[str]:
    """The hashes that lines behind a ledger's line ``seq`` erase, but by those whose root is none of this log's."""
    behind = sa.select(LEDGER.c.seq, LEDGER.c.source, LEDGER.c.line).where(
        LEDGER.c.stream == stream, LEDGER.c.seq > seq
    )
    erased: list[str] = []
    for number, source, line in connection.execute(behind.order_by(LEDGER.c.seq)):
        hashes, basis = erased_by(source, line), basis_of(line)
        if hashes and basis is not None and basis[0] < number and _root(connection, stream, basis[0]) == basis[1]:
            erased += hashes
    return erased


def _root(connection: Connection, stream: str, seq: int) -> str | None:
    """The ledger's root after line ``seq``, in base64; None where it has no such line."""
    if seq == 0:
        return b64encode(EMPTY).decode()
    root = ledger_root(connection, stream, seq)
    return None if root is None else b64encode(root).decode()
