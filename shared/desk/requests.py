"""The messages to and from the writer: a command with its request, and its outcome."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, NamedTuple
from uuid import UUID

import uuid_utils

from shared.core.events import Decision, Event
from shared.core.language.messages import say
from shared.core.readings.authority import OFFICE_NOT_HELD
from shared.core.readings.token_boards import Boards
from shared.core.terms import Refusal, Source
from shared.log.port import Text

UNREAD_SECONDS = 5.0
"""How long a command waits for unread events that may change its answer: longer than a consumer group usually rebalances."""


class DeskError(Exception):
    """The reason why a command cannot be decided now, although no rule forbids it."""


class Stale(DeskError):
    """The position in ``If-Match`` is not ``seq``, the last event read for the decision (HTTP 412)."""

    def __init__(self, seq: int) -> None:
        super().__init__(say("the log ends at event {seq}, not at the event that If-Match names", seq=seq))
        self.seq = seq


class KeyReused(DeskError):
    """An idempotency key was sent again with another body."""


class Behind(DeskError):
    """This service has not caught up with the log. The caller may try again."""


class Unread(Behind):
    """The decision depends on events that this service has not yet read from the log."""


class UnknownOfficial(Unread):
    """The actor does not hold the role in the part of the log that this service has read."""

    def __init__(self) -> None:
        super().__init__(say("this service has not yet read the whole log, so it cannot check the role of the user"))


def unknown_official(outcome: object, current: bool) -> UnknownOfficial | None:
    """Return the error that replaces a refusal for a missing role if the service had not read the whole log, else None.

    ``current``: whether it had read all of the log.
    """
    unheld = isinstance(outcome, Refusal) and outcome.code == OFFICE_NOT_HELD
    return UnknownOfficial() if unheld and not current else None


class Stopped(DeskError):
    """The tournament is suspended at an event. The text says where and why."""


class OutcomeUnknown(DeskError):
    """It is unknown whether a command was written: the database was lost during its commit.

    ``command`` is its ID, by which the log can be searched.
    """

    def __init__(self, command: str) -> None:
        super().__init__(say("whether command {command} was written is not known", command=command))
        self.command = command


class TooLarge(DeskError):
    """The lines of one command exceed the maximum size of one record."""


class BeyondEnd(DeskError):
    """A requested position is after the end of the log."""


class NoRegulations(DeskError):
    """A state that no rule applies to, because its tournament has not adopted regulations yet."""


class Request(NamedTuple):
    """The HTTP request of a command. ``key`` combines actor, method, path and idempotency key; ``body`` is a digest.

    ``if_match``: the event that must be the last one. ``texts``: erasable texts to store. ``answer`` makes the route's fields of
    the response from the events. ``boards``: the boards that its token is restricted to (None: all).
    ``traceparent``: the trace that it belongs to (W3C Trace Context), for the records in Kafka; never part of an event.
    """

    key: str | None = None
    body: str = ""
    if_match: int | None = None
    texts: tuple[Text, ...] = ()
    answer: Callable[[Sequence[Event]], dict[str, Any]] = lambda events: {}
    boards: Boards | None = None
    traceparent: str | None = None


class Receipt(NamedTuple):
    """The answer to an accepted command.

    ``seq`` and ``root`` belong to the last event in it, and are None until that event is back through the log. ``complete``: no
    consequence is missing in ``body``. ``repeated``: the command came before, and this is the answer to the first one.
    """

    status: int
    body: bytes
    command: str
    seq: int | None = None
    root: bytes | None = None
    repeated: bool = False
    complete: bool = True


@dataclass(frozen=True, slots=True)
class Prepared:
    """A decision made outside the writer thread, after reading the log up to event ``basis``.

    ``own``: the number of events by the deciding service among them.
    """

    outcome: Decision | Refusal
    basis: int
    own: int


class Outdated(DeskError):
    """A prepared decision is no longer valid for the state that the writer sees."""


class PendingOutcome:
    """The outcome of a job, handed over once from the writer to the waiting thread.

    It is a lock and a value, because a future needs a condition, which is slower.
    """

    __slots__ = ("_handed_over", "_value")

    def __init__(self) -> None:
        self._handed_over = threading.Lock()
        self._handed_over.acquire()
        self._value: Receipt | Refusal | BaseException | None = None

    def set(self, value: "Receipt | Refusal | BaseException") -> None:
        self._value = value
        self._handed_over.release()

    def wait(self) -> "Receipt | Refusal":
        """Block until the writer has finished, and return the outcome or raise the writer's exception. Call it only once."""
        self._handed_over.acquire()
        value = self._value
        assert value is not None
        if isinstance(value, BaseException):
            raise value
        return value


@dataclass(slots=True)
class Job:
    """A command on its way to the writer. ``id`` is the causation ID of its events."""

    source: Source
    tournament: str
    command: Any
    request: Request
    id: str
    prepared: Prepared | None = None
    current: bool = True
    """Whether the ledger contained all of the log when the command arrived."""
    outcome: PendingOutcome = field(default_factory=PendingOutcome)
    committing: bool = False
    """Whether its commit was in progress when the database was lost."""
    awaited: bool = True
    """Whether a caller waits for the outcome."""


def command_id(request: Request) -> str:
    """Return the command ID: random, or made from the idempotency key, so that the log identifies a repeated command."""
    if request.key is None:
        return str(uuid_utils.uuid7())
    return str(UUID(bytes=sha256(request.key.encode()).digest()[:16], version=5))
