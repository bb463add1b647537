"""What is handed to the writer and back: a command with what came with it, and its outcome."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, NamedTuple
from uuid import UUID

import uuid_utils

from shared.core.events import Decision, Event
from shared.core.language.messages import say
from shared.core.readings.token_boards import Boards, narrowed
from shared.core.state.tournament import TournamentState
from shared.core.terms import Refusal, Source
from shared.log.port import Text


class DeskError(Exception):
    """Why a command could not be taken, although no rule speaks against it."""


class Stale(DeskError):
    """``If-Match`` is not the basis of the decision; ``seq`` is."""

    def __init__(self, seq: int) -> None:
        super().__init__(say("the log stands at {seq}", seq=seq))
        self.seq = seq


class KeyReused(DeskError):
    """An idempotency key came again with another body."""


class Behind(DeskError):
    """This service has not caught up; the caller may try again."""


class UnknownOfficial(Behind):
    """Who acts does not hold his office by what this service has read, which is not the whole log."""

    def __init__(self) -> None:
        super().__init__(say("this service has not read the whole log, which may say that the office is held"))


class Pending(Behind):
    """Own lines are not back through the log yet, so that nobody knows what ``If-Match`` is to be compared with."""


class Stopped(DeskError):
    """The fold of this tournament has stopped at a line; the text says where and why."""


class OutcomeUnknown(DeskError):
    """Whether a command was written is not known: its commit was under way when the database was lost. ``command`` is its id,
    by which the log tells it."""

    def __init__(self, command: str) -> None:
        super().__init__(say("whether command {command} was written is not known", command=command))
        self.command = command


class TooLarge(DeskError):
    """One command's lines exceed what one record may hold."""


class BeyondEnd(DeskError):
    """A position after the end of the log."""


class NoRegulations(DeskError):
    """A state that no rule applies to, because its tournament has not adopted regulations yet."""


class Request(NamedTuple):
    """What comes with a command. ``key`` names actor, method, path and idempotency key; ``body`` is a digest; ``boards``:
    those that its token is narrowed to."""

    key: str | None = None
    body: str = ""
    if_match: int | None = None
    texts: tuple[Text, ...] = ()
    answer: Callable[[Sequence[Event]], dict[str, Any]] = lambda events: {}
    boards: Boards | None = None


class Receipt(NamedTuple):
    """The answer to a command that was followed; ``seq`` and ``root``, of the last line that it tells of, None until that is
    back through the log. ``complete``: nothing that came of it is missing in ``body``."""

    status: int
    body: bytes
    command: str
    seq: int | None = None
    root: bytes | None = None
    repeated: bool = False
    complete: bool = True


@dataclass(frozen=True, slots=True)
class Prepared:
    """A decision made beside the writer, on ``basis`` and ``own`` lines of the source."""

    outcome: Decision | Refusal
    basis: int
    own: int


class Outdated(DeskError):
    """A prepared decision no longer stands on what the writer sees."""


class PendingOutcome:
    """The outcome of a job, handed over once from the writer to the thread that waits for it: a lock and a value, where a
    future is a condition."""

    __slots__ = ("_handed_over", "_value")

    def __init__(self) -> None:
        self._handed_over = threading.Lock()
        self._handed_over.acquire()
        self._value: Receipt | Refusal | BaseException | None = None

    def set(self, value: "Receipt | Refusal | BaseException") -> None:
        self._value = value
        self._handed_over.release()

    def wait(self) -> "Receipt | Refusal":
        """The outcome; raises what the writer met. Waited for once."""
        self._handed_over.acquire()
        value = self._value
        assert value is not None
        if isinstance(value, BaseException):
            raise value
        return value


@dataclass(slots=True)
class Job:
    """A command on its way to the writer; ``id`` is what its lines will name as their cause."""

    source: Source
    tournament: str
    command: Any
    request: Request
    id: str
    prepared: Prepared | None = None
    current: bool = True
    """Whether the ledger held all of the log when the command came."""
    outcome: PendingOutcome = field(default_factory=PendingOutcome)
    committing: bool = False
    """Whether a commit of it was under way when the database was lost."""
    awaited: bool = True
    """Whether somebody waits for the outcome."""

    def narrowed(self, t: TournamentState, outcome: Decision | Refusal) -> Decision | Refusal:
        """What was decided, as far as the token of who sent it goes."""
        return narrowed(self.request.boards, t, outcome)


def command_id(request: Request) -> str:
    """Made from the idempotency key, so that a repeat is known from its events even after a restore."""
    if request.key is None:
        return str(uuid_utils.uuid7())
    return str(UUID(bytes=sha256(request.key.encode()).digest()[:16], version=5))
