"""What a log backend is: the port that `sqlite`, `lagging` and later backends implement.

A stream is named like its subject: ``tournaments/T`` (the official log) or
``games/G`` (a score sheet). A backend never reads what a line says.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple, Protocol

from shared.core.language.messages import Message
from shared.core.terms import Source
from shared.log.invitations import InvitationLog
from shared.log.people import PeopleLog
from shared.log.webhooks import WebhookLog


class Row(NamedTuple):
    """A line where it lies.

    ``pos`` is this backend's own running number over all streams; ``seq`` the line's
    number in its stream, 0 while an own line has not come back through the log.
    """

    pos: int
    stream: str
    seq: int
    source: str
    sourceseq: int
    command: str
    n: int
    line: bytes


NO_TRACES: Mapping[str, str] = MappingProxyType({})
TRACE_HEADER = "traceparent"
"""The header of a request, and of a record in Kafka, with the trace that it belongs to (W3C Trace Context, Level 1)."""
TRACEPARENT = re.compile(r"([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?")
"""Version, trace, parent, flags, and the fields that a later version may append. An identifier of zeros is invalid."""


class NewRow(NamedTuple):
    """A line to append. ``seq`` is right on backends where the append is the log, else ignored."""

    stream: str
    seq: int
    source: Source
    sourceseq: int
    command: str
    n: int
    line: bytes


@dataclass(frozen=True, slots=True)
class Text:
    """A name, club, note or ground; ``hash`` is the hex SHA-256 of ``salt`` and ``text``."""

    hash: str
    salt: str
    text: str
    tournament: str


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """An answer kept for an ``Idempotency-Key``: ``key`` names actor, method, path and key; ``body`` is a digest."""

    key: str
    body: str
    status: int
    answer: bytes
    command: str


class RevokedRow(NamedTuple):
    """A signed record of tokens taken back, under the ``key`` of what it revokes; ``at`` in Unix seconds."""

    key: str
    at: int
    record: bytes


class LogFull(Exception):
    """The storage has no room; nothing was written."""


class LogUnavailable(Exception):
    """The database does not answer, or cannot do this now; nothing was written."""


class CommitUnknown(LogUnavailable):
    """The database was lost while it committed: look before you repeat what was to be written."""


class BadDatabase(Exception):
    """A database that cannot be opened as it is: one line that says which, what is wrong with it and what mends it."""


@dataclass(frozen=True, slots=True)
class Stop:
    """Where a stream's ledger found what must not be gone past by itself: after its line ``seq``.

    ``resumed`` is the last line up to which an operator has gone past it, -1 where nobody has.
    """

    seq: int
    why: Message
    resumed: int

    @property
    def standing(self) -> bool:
        return self.resumed < 0


class News(NamedTuple):
    """Ledger lines as `Log.tail` tells them, and everything that any stream was stopped by up to there."""

    rows: list[Row]
    stops: Mapping[str, Stop]


class Transaction(Protocol):
    """One commit: entered with the tournaments' locks held, left committed, or undone by an exception."""

    def news(self, after: int) -> News:
        """As `Log.news`, with the write lock held."""

    def unready(self) -> Message | None:
        """As `Log.unready`, as this transaction saw it at its start."""

    def own_since(self, after: Mapping[str, int]) -> list[Row]:
        """Own lines of several official logs, each (a stream) with ``sourceseq`` above its number, in order."""

    def sheets_since(self, after: Mapping[str, int]) -> list[Row]:
        """Lines of several score sheets, each (a stream) with ``seq`` above its number, in order."""

    def kept_answers(self, keys: Sequence[str]) -> dict[str, KeptAnswer]: ...

    def by_commands(self, commands: Sequence[str]) -> list[Row]:
        """Own lines that these commands wrote, by ``n``."""

    def append(self, rows: Sequence[NewRow], traces: Mapping[str, str] = NO_TRACES) -> int:
        """Add events. Return the ``pos`` of the last if the append is the log itself, else 0.

        ``traces``: command ID → ``traceparent``, which a record in Kafka has as a header.
        """

    def keep(self, answers: Sequence[KeptAnswer]) -> None: ...

    def put_texts(self, texts: Sequence[Text]) -> None:
        """Store texts; a hash that was erased is not taken again."""

    def erase_text(self, hash: str) -> None: ...

    def revoke(self, row: RevokedRow) -> None:
        """Keep a revocation; one of this key and time that is there already stays."""


class Log(Protocol):
    """The durable side of one writing process."""

    immediate: bool
    """Whether an append is the log itself, so that its ``seq`` is known at once."""
    sources: tuple[Source, ...]
    """The services whose lines this log writes."""
    invitations: InvitationLog
    webhooks: WebhookLog
    people: PeopleLog

    def transaction(self, streams: Sequence[str] = ()) -> AbstractContextManager[Transaction]:
        """A commit that alone writes to the ``streams`` named until it is over."""

    def tail(self, after: int, limit: int | None = None) -> list[Row]:
        """Ledger lines of all official logs with ``pos`` above ``after``, in order."""

    def own_tail(self, after: int, limit: int) -> list[Row]:
        """Own lines with ``pos`` above ``after``, in order: those of score sheets, and of official logs, which have no ``seq``
        where the ledger is apart."""

    def lines(self, stream: str, after: int = 0, upto: int | None = None) -> list[Row]:
        """Lines of one stream with ``after`` < ``seq`` <= ``upto`` (a score sheet's are all own)."""

    def sheet_ends(self, sheets: Collection[str]) -> dict[str, int]:
        """How many lines each of these score sheets (streams) has."""

    def news(self, after: int) -> News:
        """What is to be known of the lines above ``after``."""

    def command_lines(self, command: str) -> list[Row]:
        """Own lines that a command wrote, by ``n``: those of the sheet too."""

    def end(self) -> int:
        """The ``pos`` of the ledger's last line."""

    def streams(self, prefix: str) -> list[str]:
        """Names of the streams that begin so, sorted."""

    def stopped(self, stream: str) -> Message | None:
        """Why the ledger of a stream must not be gone on with (a fork); None where nothing is wrong."""

    def stops(self) -> Mapping[str, Stop]:
        """Everything that any stream was stopped by, also what was gone past."""

    def unready(self) -> Message | None:
        """Why no command is taken now; None where commands are."""

    def subscribe(self, changed: Callable[[], None]) -> None:
        """Call ``changed``, in a thread of the log's, whenever there may be new lines."""

    def catch_up(self, timeout: float) -> bool:
        """Wait until the ledger holds what the log held when called; False if it took longer."""

    def texts(self, hashes: Iterable[str]) -> dict[str, Text]: ...

    def tournament_texts(self, tournament: str) -> list[Text]: ...

    def revoked(self) -> list[bytes]:
        """The records of all tokens taken back."""

    def revocations(self) -> int:
        """How many there are: only grows."""

    def close(self) -> None: ...
