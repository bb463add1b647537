"""The working state of a writer: copies with the events of a batch, reused between batches, and the serialising of events."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, NamedTuple

import uuid_utils

from shared.core.event_types.evolve import evolve
from shared.core.events import Data, Event, NewEvent
from shared.core.language.messages import Message
from shared.core.state.tournament import TournamentState
from shared.core.terms import GameId, Seq, Source
from shared.core.trust.merkle import Frontier
from shared.desk.requests import Job
from shared.desk.rules_port import Rules
from shared.desk.views import Folds, Ledger, stream_of
from shared.log.port import KeptAnswer, Log, NewRow, Row, Text, Transaction
from shared.wire import envelope


@dataclass(slots=True)
class WorkingFold:
    """A copy of the log's state in the ``ledger``, with this service's newer events applied, on which commands are decided.

    ``basis`` and ``root``: the position and root that the next decision states. ``size``: the events in the ledger when the
    copy was made, ``back`` of them by this service. ``pending``: its events that have not come back through the log yet.
    ``frontier``: computes the root of new events, if an appended event is in the log at once; else None.
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
    """The state of a score sheet, its number of events, its SHA-256 so far, and the time of its last event."""

    state: Any
    count: int
    digest: Any
    time: str = ""


@dataclass(slots=True)
class Batch:
    """The output of several commands, decided one after the other and written in one commit.

    ``time`` is the time of all their events, unless the last own event of a stream is later. ``kept_answers``: the stored
    answers by idempotency key. ``known``: by command ID, the events that repeated commands have written before.
    """

    time: str
    kept_answers: dict[str, KeptAnswer]
    known: dict[str, list[Row]]
    rows: list[NewRow] = field(default_factory=list)
    traces: dict[str, str] = field(default_factory=dict)
    """Command ID → ``traceparent`` of its request."""
    settled: list[tuple[str, Event, bytes]] = field(default_factory=list)
    """Official events: stream, event, leaf hash."""
    answers: list[KeptAnswer] = field(default_factory=list)
    texts: list[Text] = field(default_factory=list)
    erased: list[str] = field(default_factory=list)
    sheets: dict[str, SheetState] = field(default_factory=dict)
    read: set[str] = field(default_factory=set)
    """Games whose score sheets were read for this batch."""
    foreign: dict[str, list[Row]] = field(default_factory=dict)
    """Stream → events of a score sheet from another process that the sheet here lacks."""
    again: bool = False
    """Whether a commit of these commands was tried before, and may even have succeeded."""
    working: dict[str, WorkingFold] = field(default_factory=dict)
    """Tournament → the state that its commands are decided on."""
    stopped: dict[str, Message] = field(default_factory=dict)
    """Tournament → the reason why its commands are not accepted."""

    def why_stopped(self, job: Job, rules: Rules) -> Message | None:
        """Return why a command is not accepted, or None. A log behind its signed checkpoint accepts only a restart."""
        why = self.stopped.get(job.tournament)
        if why is not None and job.tournament in self.working and rules.row_of[type(job.command)].when_behind:
            return None
        return why


class Written(NamedTuple):
    """The output of a command in a batch: its events (those on the sheet first), the official lines, and all lines."""

    events: Sequence[Event]
    official: Sequence[bytes]
    lines: Sequence[bytes]


def line_of(header: envelope.Header, time: str, sourceseq: int, actor: Any, data: Data, official: int | None) -> bytes:
    """Return one event of an ``actor`` as the bytes to commit. Raises `InvalidEvent`.

    ``official``: for an event of a score sheet, the number of the service's last official event; else None.
    """
    id = str(uuid_utils.uuid7())
    return envelope.write(header, id, time, sourceseq, actor.name, actor.role, data, official)


def new_event(
    header: envelope.Header, seq: int, sourceseq: int, actor: Any, data: Data, time: str, official: int | None
) -> Event:
    """Return the event of these values as an object, to apply it without decoding its bytes."""
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


HELD = 1000
"""Maximum number of working states and score sheets kept between batches."""


class WorkingFolds:
    """The working states by tournament, and the score sheets by game."""

    def __init__(self, log: Log, folds: Folds, rules: Mapping[Source, Rules]) -> None:
        self._log, self._folds, self._rules = log, folds, rules
        self._working: dict[str, WorkingFold] = {}
        self._sheets: dict[str, SheetState] = {}

    def get(self, tournament: str) -> WorkingFold | None:
        return self._working.get(tournament)

    def drop(self, tournament: str) -> None:
        """Forget a working state that may contain uncommitted events."""
        self._working.pop(tournament, None)

    def decompress(self, tx: Transaction, tournaments: Sequence[str]) -> None:
        """Decompress finished tournaments before they are written to."""
        for t in tournaments:
            if self._folds.get(t).tournament.closed():
                tx.decompress(t)

    def begin(self, tx: Transaction, batch: Batch, tournaments: Sequence[str]) -> None:
        """Prepare the working states of a batch: those of the log, plus events that this service has committed elsewhere.

        They stay until the batch is over, even if events come back meanwhile.
        """
        with self._folds.changed:
            for t in tournaments:
                ledger = self._folds.get(t)
                if ledger.stopped is None:
                    batch.working[t] = self._working_fold(t, ledger)
                if (why := ledger.stopped or self._folds.why_behind(ledger)) is not None:
                    batch.stopped[t] = why
        if self._log.immediate:
            return
        (source,) = self._log.sources
        states = {stream_of(t): working.tournament for t, working in batch.working.items()}
        for row in tx.own_since({stream: t.counts.get(source, 0) for stream, t in states.items()}):
            tournament = states[row.stream]
            evolve(tournament, envelope.read(row.line, tournament.seq + 1))
        for working in batch.working.values():
            working.pending = working.tournament.counts.get(source, 0) - working.back

    def keep_committed(self, batch: Batch) -> None:
        """Keep a committed batch's states of score sheets and, if an append is in the log at once, of tournaments."""
        self._sheets |= batch.sheets
        if len(self._sheets) > HELD:
            self._sheets = dict(batch.sheets)
        if self._log.immediate:
            for working in batch.working.values():
                working.size = working.basis
        if len(self._working) > HELD:
            self._working.clear()

    def _working_fold(self, tournament: str, ledger: Ledger) -> WorkingFold:
        """Return the working state of the previous batch if it still fits the ledger, else a new one."""
        working, immediate = self._working.get(tournament), self._log.immediate
        if working is None or not self._is_current(working, ledger):
            back = 0 if immediate else ledger.tournament.counts.get(self._log.sources[0], 0)
            frontier = ledger.tree.frontier() if immediate else None
            root = ledger.tree.root(ledger.size)
            working = WorkingFold(ledger, ledger.tournament.fork(), ledger.size, root, ledger.size, frontier, back)
            self._working[tournament] = working
        return working

    def _is_current(self, working: WorkingFold, ledger: Ledger) -> bool:
        """Return whether the new events in the log are all own ones that the working state contains in this very order."""
        if working.ledger is not ledger or working.size == ledger.size or working.frontier is not None:
            return working.ledger is ledger and working.size == ledger.size
        (source,) = self._log.sources
        back = ledger.tournament.counts.get(source, 0)
        if back - working.back != ledger.size - working.size or back > working.tournament.counts.get(source, 0):
            return False
        working.size = working.basis = ledger.size
        working.root, working.back = ledger.tree.root(ledger.size), back
        return True

    def read_sheets(self, tx: Transaction, batch: Batch, jobs: Sequence[Job]) -> None:
        """Read the new events on the score sheets of all commands, with one query, because an event has many boards."""
        games = {game for job in jobs if (game := self._rules[job.source].sheet_of(job.command)) is not None}
        games -= batch.read
        batch.read |= games
        after = {f"games/{g}": self._sheets[g].count if g in self._sheets else 0 for g in games}
        for row in tx.sheets_since(after) if after else ():
            batch.foreign.setdefault(row.stream, []).append(row)

    def sheet(self, batch: Batch, rules: Rules, game: str | None) -> SheetState | None:
        """Return a copy of the game's score sheet with the events before this command, or None if ``game`` is None."""
        if game is None:
            return None
        former = batch.sheets.get(game) or self._sheets.get(game)
        if former is None:
            state = SheetState(rules.new_sheet(game), 0, sha256())
        else:
            state = SheetState(rules.fork_sheet(former.state), former.count, former.digest.copy(), former.time)
        for row in batch.foreign.get(f"games/{game}", ()) if game not in batch.sheets else ():
            event = envelope.read(row.line, row.seq)
            rules.evolve_sheet(state.state, event)
            state.count, state.time, _ = row.seq, event.time, state.digest.update(row.line + b"\n")
        return state
