"""What the writer works on while it decides: forks, with what the batch adds, and how a decision becomes lines."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import uuid_utils

from shared.core.events import Data, Event, NewEvent
from shared.core.language.messages import Message
from shared.core.state.tournament import TournamentState
from shared.core.terms import GameId, Seq
from shared.core.trust.merkle import Frontier
from shared.desk.replay import Ledger
from shared.log.port import KeptAnswer, NewRow, Row, Text
from shared.wire import envelope


@dataclass(slots=True)
class WorkingFold:
    """A fork of what the log holds, with own lines on top that are not back yet.

    ``basis`` and ``root`` are what the next decision names; ``size`` the ledger's
    size that it was made on, of which ``back`` are own lines; ``pending`` the own lines not back yet.
    """

    ledger: Ledger
    tournament: TournamentState
    basis: int
    root: bytes
    size: int
    frontier: Frontier | None
    back: int = 0
    pending: int = 0


@dataclass(slots=True)
class SheetState:
    """A score sheet as folded: its state, number of lines, SHA-256 so far, and the time of the last line."""

    state: Any
    count: int
    digest: Any
    time: str = ""


@dataclass(slots=True)
class Batch:
    """What several commands, decided one after the other, are to write in one commit; ``time`` is that of all their lines,
    but where a stream's own last line is later."""

    time: str
    kept_answers: dict[str, KeptAnswer]
    known: dict[str, list[Row]]
    rows: list[NewRow] = field(default_factory=list)
    settled: list[tuple[str, Event, bytes]] = field(default_factory=list)
    """Official lines: stream, event, leaf hash."""
    answers: list[KeptAnswer] = field(default_factory=list)
    texts: list[Text] = field(default_factory=list)
    erased: list[str] = field(default_factory=list)
    sheets: dict[str, SheetState] = field(default_factory=dict)
    read: set[str] = field(default_factory=set)
    """Games whose score sheets were read for this batch."""
    foreign: dict[str, list[Row]] = field(default_factory=dict)
    """Stream → lines of a score sheet that the sheet kept here does not hold yet: another process wrote them."""
    again: bool = False
    """Whether a commit of these commands was tried before, and may even have been made."""
    working: dict[str, WorkingFold] = field(default_factory=dict)
    """Tournament → the fold that its commands are decided on."""
    stopped: dict[str, Message] = field(default_factory=dict)
    """Tournament → why none of its commands is taken."""


class Written(NamedTuple):
    """What a command wrote into a batch: its events, those on the sheet first, with their lines; and the official lines."""

    events: Sequence[Event]
    official: Sequence[bytes]
    lines: Sequence[bytes]


def line_of(header: envelope.Header, time: str, sourceseq: int, actor: Any, data: Data, official: int | None) -> bytes:
    """One event as the bytes that are committed. Raises `InvalidEvent`."""
    id = str(uuid_utils.uuid7())
    return envelope.write(header, id, time, sourceseq, actor.name, actor.role, data, official)


def new_event(
    header: envelope.Header, seq: int, sourceseq: int, actor: Any, data: Data, time: str, official: int | None
) -> Event:
    """The same event for the folds, without reading it back."""
    return NewEvent(
        Seq(seq),
        header.source,
        sourceseq,
        header.basis,
        header.causationid,
        actor.name,
        actor.role,
        header.tokenid,
        data,
        time,
        official,
        GameId(header.stream[6:]) if header.stream.startswith("games/") else None,
    )
