"""Who signed a record: by the keys that the lines of its tournament name, in the ledger or, at restore, in the topic."""

from collections import OrderedDict
from collections.abc import Sequence
from itertools import groupby

import msgspec
from sqlalchemy.engine import Connection

from shared.core.language.messages import Message, say
from shared.core.trust.service_keys import ServiceKey
from shared.log.port import Row
from shared.log.sql.cold import ledger_rows
from shared.log.sql.ledger_erasures import NOT_READ, basis_of
from shared.log.sql.statements import rows, select_lines
from shared.log.sql.tables import LEDGER
from shared.log.worker.acceptance import Place
from shared.log.worker.listed_announcements import ListedAnnouncements
from shared.signing.log_keys import LogKeys
from shared.signing.service_keys import holds
from shared.wire.canonical import offices_of

_HELD = 2000
"""Tournaments whose keys are kept in memory."""
_OFFICIAL = "tournaments/"


class RecordSignatures:
    """A `Verifier`, of official records and of score sheets, by the keys that stand in the ledger and in what was taken since."""

    def __init__(self) -> None:
        self._keys: OrderedDict[str, LogKeys] = OrderedDict()

    def why_not(self, connection: Connection, place: Place, lines: Sequence[bytes]) -> Message | None:
        keys = self.keys(connection, official_stream(place.stream))
        if place.stream.startswith(_OFFICIAL):
            refusal = keys.refusal(place.source, _basis(lines), lines)
        else:
            refusal = keys.sheet_refusal(place.source, _basis(lines), last_official(lines), lines)
            if refusal is not None and self._read_on(connection, official_stream(place.stream), keys):
                refusal = keys.sheet_refusal(place.source, _basis(lines), last_official(lines), lines)
        return (
            None
            if refusal is None
            else say("number {first} of {source}: {why}", first=place.first, source=place.source, why=refusal.why)
        )

    @staticmethod
    def _read_on(connection: Connection, stream: str, keys: LogKeys) -> bool:
        """Read the events that another worker has added to a ledger since. Return whether there were any."""
        newer = select_lines(LEDGER).where(LEDGER.c.stream == stream, LEDGER.c.seq > keys.size).order_by(LEDGER.c.seq)
        found = rows(connection.execute(newer))
        if found and found[0].seq > keys.size + 1:  # Those between were compressed.
            found = ledger_rows(connection, stream)[keys.size :]
        _take_all(keys, found)
        return bool(found)

    def took(self, place: Place, seq: int, lines: Sequence[bytes]) -> None:
        keys = self._keys.get(place.stream)
        if keys is not None and keys.size < seq:
            keys.take(place.source, place.first, lines)

    def forget(self) -> None:
        self._keys.clear()

    def keys(self, connection: Connection, stream: str) -> LogKeys:
        """The keys that a tournament's ledger names."""
        keys = self._keys.get(stream)
        if keys is None:
            keys = self._keys[stream] = _in_ledger(connection, stream)
            if len(self._keys) > _HELD:
                self._keys.popitem(last=False)
        self._keys.move_to_end(stream)
        return keys


class RestoredSignatures:
    """A `Verifier` of a service's own records while they are put back, before the ledger is: what the topic has shown of a
    tournament counts as well, and where neither names keys, the service's ``own`` do (where it has any). What a former key of
    pairing's announced must be ``listed``, where a list is known."""

    def __init__(self, own: Sequence[ServiceKey], listed: ListedAnnouncements | None = None) -> None:
        self._own, self._listed, self._ledger = own, listed, RecordSignatures()

    def why_not(self, connection: Connection, place: Place, lines: Sequence[bytes]) -> Message | None:
        if place.stream.startswith(_OFFICIAL):
            keys = self._ledger.keys(connection, place.stream)
            if keys.signed is None and not _announces(keys, place, lines):
                return self._unknown(lines)
            if keys.signed is None and self._listed is not None and self._listed.denies(lines):
                return say("the announcement is signed by a former key, and the newest key does not list it")
        elif self._ledger.keys(connection, official_stream(place.stream)).signed is None:
            return self._unknown(lines)
        return self._ledger.why_not(connection, place, lines)

    def offices(self, connection: Connection, place: Place, lines: Sequence[bytes]) -> int:
        """The edition of offices of a record's tournament, as it was announced; 1 where nothing tells."""
        keys = self._ledger.keys(connection, official_stream(place.stream))
        if keys.signed is None and place.stream.startswith(_OFFICIAL):
            return offices_of(lines[0])
        return keys.offices

    def passed(self, connection: Connection, place: Place, lines: Sequence[bytes]) -> None:
        """An official record of the topic, whoever wrote it: the keys that it names, where it is signed."""
        keys = self._ledger.keys(connection, place.stream)
        if keys.names_keys(lines) and keys.refusal(place.source, _basis(lines), lines) is None:
            keys.take(place.source, place.first, lines)

    def took(self, place: Place, seq: int, lines: Sequence[bytes]) -> None:
        pass

    def forget(self) -> None:
        self._ledger.forget()

    def _unknown(self, lines: Sequence[bytes]) -> Message | None:
        if not self._own or any(holds(lines, key) for key in self._own):
            return None
        return say("the keys of its tournament are unknown, and it is not signed with a key of the service")


def official_stream(stream: str) -> str:
    """The stream of the tournament that a stream, its own or of one of its games, belongs to."""
    return stream if stream.startswith(_OFFICIAL) else _OFFICIAL + stream.partition("/")[2].rsplit(".", 2)[0]


def _in_ledger(connection: Connection, stream: str) -> LogKeys:
    keys = LogKeys()
    _take_all(keys, ledger_rows(connection, stream))
    return keys


def _take_all(keys: LogKeys, events: Sequence[Row]) -> None:
    for _, group in groupby(events, key=lambda row: row.seq - row.n):
        record = list(group)
        lines = [row.line for row in record]
        first = record[0]
        # What somebody has gone past (`resume`) is in the ledger, and names no key.
        if not keys.names_keys(lines) or keys.refusal(first.source, _basis(lines), lines) is None:
            keys.take(first.source, first.sourceseq, lines)
        else:
            keys.size += len(lines)


def _announces(keys: LogKeys, place: Place, lines: Sequence[bytes]) -> bool:
    return keys.names_keys(lines) and keys.refusal(place.source, _basis(lines), lines) is None


def _basis(lines: Sequence[bytes]) -> int:
    """The basis that a record names; -1 where it cannot be read."""
    basis = basis_of(lines[0])
    return -1 if basis is None else basis[0]


class _SheetLine(msgspec.Struct):
    official: int = 0


_SHEET_LINE = msgspec.json.Decoder(_SheetLine)


def last_official(lines: Sequence[bytes]) -> int:
    """The last own official line that a record of a score sheet names."""
    try:
        return _SHEET_LINE.decode(lines[0]).official
    except NOT_READ:
        return 0
