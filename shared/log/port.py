"""The interface of a log backend, which `sqlite` and `distributed` implement.

A stream has the name of its subject: ``tournaments/T`` (the official log) or ``games/G`` (a score sheet). A backend stores
events as bytes and does not check their contents.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple, Protocol

from shared.core.language.messages import Message
from shared.core.terms import Source
from shared.log.calendar import CalendarLog
from shared.log.invitations import InvitationLog
from shared.log.people import PeopleLog
from shared.log.webhooks import WebhookLog


class Row(NamedTuple):
    """An event as a backend stores it.

    ``pos``: this backend's own running number over all streams. ``seq``: the number of the event in its stream, or 0 while an
    own official event is not back through the log. ``partition``: that of an official event (`Cursor`), in `Log.tail` and
    `Log.news`.
    """

    pos: int
    stream: str
    seq: int
    source: str
    sourceseq: int
    command: str
    n: int
    line: bytes
    partition: int = -1


Cursor = Mapping[int, int]
"""How far official events were read: partition → the ``pos`` of the last one. A partition that is missing was not read.

Events of different partitions are committed at the same time, so only within one does a higher ``pos`` mean a later event. An
embedded log has one partition, -1.
"""
START: Cursor = MappingProxyType({})
"""The cursor before the first event."""


def moved(cursor: Cursor, rows: Iterable[Row]) -> Cursor:
    """Return the cursor advanced past these events."""
    ends = dict(cursor)
    for row in rows:
        ends[row.partition] = max(ends.get(row.partition, 0), row.pos)
    return ends


def covers(cursor: Cursor, other: Cursor) -> bool:
    """Return whether a cursor has reached another one in every partition."""
    return all(cursor.get(partition, 0) >= pos for partition, pos in other.items())


NO_TRACES: Mapping[str, str] = MappingProxyType({})
TRACE_HEADER = "traceparent"
"""The header of a request, and of a record in Kafka, with the trace that it belongs to (W3C Trace Context, Level 1)."""
TRACEPARENT = re.compile(r"([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?")
"""Version, trace, parent, flags, and the fields that a later version may append. An identifier of zeros is invalid."""


class NewRow(NamedTuple):
    """An event to append. The ``seq`` of an official event is ignored unless the append is the log itself."""

    stream: str
    seq: int
    source: Source
    sourceseq: int
    command: str
    n: int
    line: bytes


@dataclass(frozen=True, slots=True)
class Text:
    """An erasable text: a name, club, note or reason. ``hash`` is the hex SHA-256 of ``salt`` and ``text``."""

    hash: str
    salt: str
    text: str
    tournament: str


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """An answer stored for an ``Idempotency-Key``: ``key`` names actor, method, path and key; ``body`` is a digest."""

    key: str
    body: str
    status: int
    answer: bytes
    command: str


class RevokedRow(NamedTuple):
    """A signed record of revoked tokens. ``key``: the token or name that it revokes. ``at``: Unix time in seconds."""

    key: str
    at: int
    record: bytes


class LogFull(Exception):
    """Raised if the storage is full. Nothing was written."""


class LogUnavailable(Exception):
    """Raised if the database does not answer or cannot do this now. Nothing was written."""


class DamagedStream(LogUnavailable):
    """Raised if compressed events cannot be restored exactly. Its message states the stream."""


class CommitUnknown(LogUnavailable):
    """Raised if the database was lost during a commit. Look whether the events were written before repeating them."""


class BadDatabase(Exception):
    """Raised if a database cannot be opened as it is. One line states which database, what is wrong and the remedy."""


@dataclass(frozen=True, slots=True)
class Stop:
    """A stop in a stream's ledger after its event ``seq``, which only an operator may pass.

    ``resumed``: the last event up to which an operator has passed the stop, or -1.
    """

    seq: int
    why: Message
    resumed: int

    @property
    def standing(self) -> bool:
        return self.resumed < 0


class News(NamedTuple):
    """Official events as `Log.tail` returns them, and all stops of any stream up to there."""

    rows: list[Row]
    stops: Mapping[str, Stop]


class Transaction(Protocol):
    """One commit. It holds the locks of its tournaments and is rolled back by an exception."""

    def news(self, after: Cursor) -> News:
        """Return the same as `Log.news`, with the write lock held."""

    def unready(self) -> Message | None:
        """Return the same as `Log.unready`, at the start of this transaction."""

    def own_since(self, after: Mapping[str, int]) -> list[Row]:
        """Return own events of these official logs (streams) with a ``sourceseq`` above the given number, in order."""

    def sheets_since(self, after: Mapping[str, int]) -> list[Row]:
        """Return events of these score sheets (streams) with a ``seq`` above the given number, in order."""

    def kept_answers(self, keys: Sequence[str]) -> dict[str, KeptAnswer]: ...

    def by_commands(self, commands: Sequence[str]) -> list[Row]:
        """Return own events that these commands wrote, by ``n``."""

    def decompress(self, tournament: str) -> None:
        """Decompress the own events of a tournament, before new ones are written."""

    def append(self, rows: Sequence[NewRow], traces: Mapping[str, str] = NO_TRACES) -> int:
        """Add events. Return the ``pos`` of the last if the append is the log itself, else 0.

        ``traces``: command ID → ``traceparent``, which a record in Kafka has as a header.
        """

    def keep(self, answers: Sequence[KeptAnswer]) -> None: ...

    def put_texts(self, texts: Sequence[Text]) -> None:
        """Store texts, except those whose hash was erased."""

    def erase_text(self, hash: str) -> None: ...

    def revoke(self, row: RevokedRow) -> None:
        """Store a revocation, unless one of this key and time exists already."""


class Log(Protocol):
    """The stored log of one writing process."""

    immediate: bool
    """Whether an append is the log itself, so that its ``seq`` is known at once."""
    sources: tuple[Source, ...]
    """The services whose events this log writes."""
    invitations: InvitationLog
    webhooks: WebhookLog
    people: PeopleLog
    calendar: CalendarLog

    def transaction(self, streams: Sequence[str] = ()) -> AbstractContextManager[Transaction]:
        """Begin a commit that alone writes to these ``streams`` until it is over."""

    def tail(self, after: Cursor, limit: int | None = None) -> list[Row]:
        """Return events of all official logs that follow ``after``, by ``pos``. `moved` continues there."""

    def own_tail(self, after: int, limit: int) -> list[Row]:
        """Return own events with ``pos`` above ``after``, in order: those of score sheets and of official logs.

        If the ledger is separate, those of official logs have no ``seq``.
        """

    def lines(self, stream: str, after: int = 0, upto: int | None = None) -> list[Row]:
        """Return events of one stream with ``after`` < ``seq`` <= ``upto``."""

    def sheet_ends(self, sheets: Collection[str]) -> dict[str, int]:
        """Return the number of events on each of these score sheets (streams)."""

    def news(self, after: Cursor) -> News:
        """Return the official events that follow ``after``, with all stops."""

    def command_lines(self, command: str, tournament: str) -> list[Row]:
        """Return own events that a command wrote in a tournament, including those on the score sheet, by ``n``."""

    def end(self) -> Cursor:
        """Return the cursor after the ledger's last events."""

    def streams(self, prefix: str, after: str = "", most: int | None = None) -> list[str]:
        """Return the names of the streams with this prefix that follow ``after``, sorted, at most ``most``."""

    def ends(self, prefix: str) -> dict[str, int]:
        """Return the number of the last event of each stream with this prefix."""

    def resting(self) -> set[str]:
        """Return the official logs (streams) that are compressed, and have no event since."""

    def compress(self, tournament: str, streams: Sequence[str]) -> None:
        """Compress a tournament's streams, atomically. They are read as before. Raises `DamagedStream`."""

    def decompress(self) -> int:
        """Decompress all streams, and return their number. Raises `DamagedStream`."""

    def shrink(self) -> bool:
        """Give freed space back to the file system. Return whether that was possible now."""

    def stopped(self, stream: str) -> Message | None:
        """Return why the ledger of a stream must not be continued (such as a fork), or None."""

    def stops(self) -> Mapping[str, Stop]:
        """Return all stops by stream, including those that an operator has passed."""

    def unready(self) -> Message | None:
        """Return why no command is accepted now, or None if commands are accepted."""

    def subscribe(self, changed: Callable[[], None]) -> None:
        """Call ``changed`` in a thread of the log whenever there may be new events."""

    def catch_up(self, timeout: float) -> bool:
        """Wait until the ledger contains the events that the log had at the call. Return False if this took too long."""

    def texts(self, hashes: Iterable[str]) -> dict[str, Text]: ...

    def tournament_texts(self, tournament: str) -> list[Text]: ...

    def revoked(self) -> list[bytes]:
        """Return the records of all revoked tokens."""

    def revocations(self) -> int:
        """Return the number of these records, which only grows."""

    def close(self) -> None: ...
