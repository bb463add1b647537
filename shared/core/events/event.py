"""An event where it stands, one about to be written, and a decision: what every event's data is carried by."""

from dataclasses import dataclass
from typing import NamedTuple, Protocol

from shared.core.terms import GameId, Role, Seq, Source


class Official:
    """The data of a line of the official log."""

    __slots__ = ()


class SheetLine:
    """The data of a line of a score sheet."""

    __slots__ = ()


Data = Official | SheetLine


class Event(Protocol):
    """An event where it stands. ``seq`` is its line (on a sheet: of the sheet).

    ``basis`` is the last line its source had folded; ``command`` the causation id,
    shared by the events of one command; ``official`` on a sheet's line the
    source's last own official event before the command, ``game`` the sheet's game.
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
    """An event that is about to be written. What is read back is an `envelope.CloudEvent`."""

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
    """What rules answer to a command they follow.

    ``events`` are commanded and bear the actor's role, ``brought`` follow with the
    role ``rulebook``; ``lines`` go to the score sheet of ``game``, before both.
    """

    events: tuple[Official, ...] = ()
    brought: tuple[Official, ...] = ()
    lines: tuple[SheetLine, ...] = ()
    game: GameId | None = None
