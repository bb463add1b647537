"""The containers of event data: a stored event, an event about to be written, and a decision."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, NamedTuple, Protocol, TypeAlias

from shared.core.terms import GameId, Role, Seq, Source, TextRef
from shared.core.values.bounds import KEY, SIGNATURE, SLUG


class Official:
    """The data of an event of the official log."""

    __slots__ = ()


class SheetLine:
    """The data of an event of a score sheet."""

    __slots__ = ()


Data = Official | SheetLine


class Event(Protocol):
    """A stored event. ``seq`` is its sequence number (in a score sheet: within the sheet).

    ``basis`` is the last event that its source had read when it decided. ``command`` is the causation ID, shared by the events
    of one command. In a score sheet, ``official`` is the last official event of the same source before the command, and ``game``
    the game of the sheet.
    """

    @property
    def seq(self) -> Seq: ...
    @property
    def source(self) -> Source: ...
    @property
    def sourceseq(self) -> int: ...
    @property
    def basis(self) -> Seq: ...
    @property
    def command(self) -> str: ...
    @property
    def actor(self) -> str: ...
    @property
    def role(self) -> Role: ...
    @property
    def tokenid(self) -> str: ...
    @property
    def data(self) -> Data: ...
    @property
    def time(self) -> str: ...
    @property
    def official(self) -> int | None: ...
    @property
    def game(self) -> GameId | None: ...


class NewEvent(NamedTuple):
    """An event about to be written. An event that is read back is an `envelope.CloudEvent`."""

    seq: Seq
    source: Source
    sourceseq: int
    basis: Seq
    command: str
    actor: str
    role: Role
    tokenid: str
    data: Data
    time: str
    official: int | None = None
    game: GameId | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """The answer of the rules to an accepted command.

    ``events`` result directly from the command and carry the actor's role. ``lines`` go to the score sheet of ``game``, before
    all official events.
    """

    events: tuple[Official, ...] = ()
    brought: tuple[Official, ...] = ()
    """The consequences of ``events``, written after them with the role ``rulebook``."""
    lines: tuple[SheetLine, ...] = ()
    game: GameId | None = None


GroundFact: TypeAlias = int | str | tuple[str, ...]
"""A number, or one or several names that are the same in every language: squares, moves, codes of closed sets."""


@dataclass(frozen=True, slots=True)
class Ground:
    """A ground of a decision. ``code`` selects its words, ``facts`` has a value for each of their placeholders."""

    code: Annotated[str, SLUG]
    facts: Mapping[str, GroundFact] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class KeyAnnounced(Official):
    """A service signs with this ``key`` from the next record on.

    The service itself writes the event, signed by its previous key. If that key is lost, another service writes it, with a
    ``reason`` and, from offices 3 on, the signature of the ``recovery`` key (base64).
    """

    key: Annotated[str, KEY]
    reason: TextRef | None = None
    recovery: Annotated[str, SIGNATURE] = ""
