"""The desk: the shell around the rules, and the only way in to the log."""

import threading
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

from shared.core.events import Decision
from shared.core.language.messages import say
from shared.core.terms import Refusal, Source
from shared.desk.causation import Consequences
from shared.desk.clock import Clock
from shared.desk.command_history import CommandHistory
from shared.desk.computations.computations import COMPUTING, ComputationLimits, Computations
from shared.desk.keys.key_rotation import foreign_keys, rotations_due
from shared.desk.keys.revocations import Revocations
from shared.desk.replay import View
from shared.desk.requests import (
    Behind,
    BeyondEnd,
    DeskError,
    Job,
    Outdated,
    Pending,
    Prepared,
    Receipt,
    Request,
    Stopped,
    command_id,
)
from shared.desk.rules_port import Rules
from shared.desk.signer_port import Sign
from shared.desk.unknown_official import unknown_official
from shared.desk.views import Folds, stream_of
from shared.desk.writer import Writer
from shared.log.port import Log, LogUnavailable, Row, Text
from shared.signing.service_keys import NO_KEYS, ServiceKeys
from shared.wire import envelope

BACK_SECONDS = 2.0
"""How long an answer waits until its lines are back through the log."""
BEHIND_SECONDS = 1.0
"""How long a read waits for the log's end or for ``?after``."""
ATTEMPTS = 3
"""How often a decision made beside the writer is made again."""
SOFTWARE = "2.0.0.dev0"


class Desk:
    """The commands and reads of the services of one process.

    ``rules`` holds the services that it decides for, ``table`` (where they are not the same) those of all services, which
    say what the others have to decide; ``sign`` makes signed checkpoints, ``keys`` sign records. Without ``threads`` every
    command is decided in the caller's thread (tests, and tools that write alone).
    """

    def __init__(
        self,
        log: Log,
        rules: Mapping[Source, Rules],
        sign: Sign,
        *,
        keys: ServiceKeys = NO_KEYS,
        table: Mapping[Source, Rules] | None = None,
        clock: Callable[[], str] | None = None,
        threads: bool = True,
        software: str = SOFTWARE,
        back_seconds: float = BACK_SECONDS,
        computing: ComputationLimits = COMPUTING,
    ) -> None:
        self.log, self._rules, self._table, self._back = log, rules, table or rules, back_seconds
        self.sign, self.keys, self.folds, self.revocations = sign, keys, Folds(log), Revocations(log, keys)
        self.now = clock or Clock()
        """The time (RFC 3339) that a line written now would bear."""
        self.writer = Writer(
            log, self.folds, rules, table=self._table, sign=sign, keys=keys, now=self.now, software=software
        )
        self._computations = Computations(computing)
        self._history = CommandHistory(log, self.folds, self._table)
        self._closed = False
        if threads:
            self.writer.start()
            threading.Thread(target=self.answer_open_findings, name="due", daemon=True).start()

    # ------------------------------------------------------------ writing

    def submit(
        self, source: Source, tournament: str, command: Any, request: Request | None = None
    ) -> Receipt | Refusal:
        """Decide a command and commit its events.

        Raises a `DeskError` or `port.LogFull` where it cannot be taken.
        """
        if self._closed:
            raise Behind(say("the service is ending"))
        request = request or Request()
        attempts, began = ATTEMPTS, time.monotonic()
        while attempts:
            job = Job(source, tournament, command, request, command_id(request))
            job.current = self.caught_up()
            job.prepared = self._prepare(job)
            try:
                return self._submit(job)
            except Outdated:
                late = time.monotonic() - began > self._computations.limits.seconds
                attempts = 0 if late else attempts - 1
            except Pending:
                left = began + BEHIND_SECONDS - time.monotonic()
                if left <= 0:
                    raise
                self.folds.wait(tournament, self.folds.get(tournament).size, left)
        raise Behind(say("the tournament changed each time while its pairing was computed"))

    def _prepare(self, job: Job) -> Prepared | None:
        """A long decision, made in a child process on what readers see."""
        rules = self._rules[job.source]
        if rules.engine_of(job.command) is None:
            return None
        self.folds.refresh()
        view = self.folds.look(job.tournament)
        if view is None or not rules.long(view.state, job.command):
            return None
        outcome = rules.decide(view.state, job.command, run=partial(self._computations.run, job.tournament))
        return Prepared(outcome, view.seq, view.state.counts.get(job.source, 0))

    def _submit(self, job: Job) -> Receipt | Refusal:
        """The writer's answer. Apart from the log, its lines and what came of them are waited for, ``back_seconds`` in all."""
        end = None if self.log.immediate or self._back <= 0 else time.monotonic() + self._back
        if end is not None:
            self.folds.expect(job.id)
        try:
            self.writer.put(job)
            outcome = job.outcome.wait()
            return outcome if isinstance(outcome, Refusal) else self._told(job, outcome, end)
        finally:
            if end is not None:
                self.folds.forget(job.id)

    def _told(self, job: Job, receipt: Receipt, end: float | None) -> Receipt:
        """A receipt with where its lines stand and what came of them, waited for until ``end`` (None: not at all). What is
        written is answered so, also where the database is lost now: without what it cannot tell any more."""
        with suppress(LogUnavailable):
            if end is not None and receipt.seq is None:
                seq = self._last_seq(job) if receipt.repeated else None
                receipt = receipt._replace(seq=seq or self.folds.returned(job.id, max(0.0, end - time.monotonic())))
            receipt = self._located(job, receipt)
            left = 0 if end is None else end - time.monotonic()
            if receipt.seq is not None and not receipt.complete:
                receipt = self._located(job, self._history.completed(job.tournament, receipt, left))
        return receipt

    def _located(self, job: Job, receipt: Receipt) -> Receipt:
        """A receipt with the root at its ``seq``, where that is known."""
        if receipt.seq is None or receipt.root is not None:
            return receipt
        return receipt._replace(root=self.root(job.tournament, receipt.seq))

    def consequences(self, tournament: str, command: str, upto: int | None = None) -> Consequences | None:
        """What came of a command by line ``upto``; None where the log does not hold the command."""
        return self._history.consequences(tournament, command, upto=upto)

    def _last_seq(self, job: Job) -> int | None:
        """The ``seq`` of a command's last line where it came back before."""
        own = [r.seq for r in self.log.lines(stream_of(job.tournament)) if r.command == job.id]
        self.folds.refresh()
        return own[-1] if own else None

    def preview(self, source: Source, tournament: str, command: Any) -> Decision | Refusal:
        """What would be decided now; nothing is written. Raises `Behind` where the log may know better who holds an office."""
        current, outcome = self.caught_up(), self._preview(source, tournament, command)
        if (unread := unknown_official(outcome, current)) is not None:
            raise unread
        return outcome

    def _preview(self, source: Source, tournament: str, command: Any) -> Decision | Refusal:
        rules = self._rules[source]
        game = rules.sheet_of(command)
        sheet = self.sheet(source, game) if game else None
        view = self.view(tournament)
        state = view.state.fork() if view else self.folds.get(tournament).tournament
        if rules.engine_of(command) is not None and rules.long(state, command):
            return rules.decide(state, command, run=partial(self._computations.run, tournament))
        return rules.decide(state, command, sheet)

    def answer_open_findings(self) -> None:
        """Answer the findings that an earlier process left open."""
        if any(rules.answers for rules in self._rules.values()):
            for stream in self.log.streams("tournaments/"):
                self.queue_due(stream.partition("/")[2])

    def queue_due(self, tournament: str) -> bool:
        """Queue what the log calls for in a tournament; whether there was anything."""
        view = self.folds.look(tournament)
        if view is None or view.stopped is not None:
            return False
        due = [(source, c) for source, rules in self._rules.items() for c in rules.due(view.state)]
        due += rotations_due(self.keys, view.state, self._rules)
        for source, command in due:
            self.writer.put(Job(source, tournament, command, Request(), command_id(Request()), awaited=False))
        return bool(due)

    # ------------------------------------------------------------ reading

    def caught_up(self) -> bool:
        """Whether what is read here from now on holds all that the log held just now; waits a second for it."""
        return self.log.catch_up(BEHIND_SECONDS)

    def view(self, tournament: str, at: int | None = None, after: int | None = None) -> View | None:
        """What readers get of a tournament, now or as it was ``at`` a line; None where it is unknown. Raises `Behind` where
        the log does not reach ``after`` within a second, `BeyondEnd` where ``at`` lies after its end."""
        self.caught_up()
        self.folds.refresh()
        view = self.folds.look(tournament)
        if view is not None and after is not None and view.seq < after:
            self.folds.wait(tournament, after - 1, BEHIND_SECONDS)
            view = self.folds.look(tournament)
            if view is None or view.seq < after:
                raise Behind(say("this server has not received event {after} yet; try again", after=after))
        if view is None or at is None or at == view.seq:
            return view
        if at > view.seq:
            raise BeyondEnd(say("the log of {tournament} ends at {seq}", tournament=tournament, seq=view.seq))
        return self.folds.at(tournament, at)

    def wait(self, stream: str, after: int, timeout: float) -> int:
        """Wait for lines of a stream after ``after``, at most ``timeout`` seconds; the number of its last."""
        end = time.monotonic() + timeout
        while (last := self.ends([stream])[stream]) <= after and (left := end - time.monotonic()) > 0:
            self.folds.wait_for_news(left)
        return last

    def watch(self, changed: Callable[[], None]) -> None:
        """Call ``changed``, which must not wait, each time that this process has folded new lines."""
        self.folds.watch(changed)

    def seqs(self, tournaments: Iterable[str]) -> dict[str, int]:
        """The newest line of each of these tournaments."""
        return self.folds.seqs(tournaments)

    def ends(self, streams: Iterable[str]) -> dict[str, int]:
        """The number of the last line of each ``tournaments/T`` and ``games/G``."""
        names = set(streams)
        official = {name for name in names if name.startswith(stream_of(""))}
        seqs = self.seqs(name.removeprefix(stream_of("")) for name in official)
        sheets = names - official
        return {stream_of(t): seq for t, seq in seqs.items()} | (self.log.sheet_ends(sheets) if sheets else {})

    def foreign_keys(self) -> dict[str, str]:
        """Tournaments met here that name another key for a service than it has, and why nothing is taken in them."""
        return foreign_keys(self.keys, self.folds.held(), self._rules)

    def lag(self) -> int:
        """How many lines of the log this process has not read yet."""
        return self.folds.lag()

    def lines(self, stream: str, after: int = 0, upto: int | None = None) -> list[Row]:
        """Raw lines of ``tournaments/T`` or ``games/G``."""
        return self.log.lines(stream, after, upto)

    def command_lines(self, command: str) -> list[Row]:
        """Raw lines that a command of the services here wrote, on the log and on a sheet."""
        return self.log.command_lines(command)

    def streams(self, prefix: str) -> list[str]:
        return self.log.streams(prefix)

    def sheet(self, source: Source, game: str) -> Any:
        """The fold of a game's score sheet."""
        rules = self._rules[source]
        state = rules.new_sheet(game)
        for row in self.log.lines(f"games/{game}"):
            rules.evolve_sheet(state, envelope.read(row.line, row.seq))
        return state

    def texts(self, hashes: Iterable[str]) -> dict[str, Text]:
        return self.log.texts(hashes)

    def called(self, hashes: Iterable[str]) -> dict[str, str]:
        """What these texts say, by hash, without those that were erased or are not at hand."""
        return {hash: text.text for hash, text in self.texts(hashes).items()}

    def tournament_texts(self, tournament: str) -> list[Text]:
        return self.log.tournament_texts(tournament)

    def root(self, tournament: str, seq: int) -> bytes:
        """The Merkle root after line ``seq``."""
        with self.folds.changed:
            return self.folds.get(tournament).tree.root(seq)

    def close(self, timeout: float = 10.0) -> None:
        """Take no more commands, decide what is queued, end the children."""
        self._closed = True
        self.writer.stop(timeout)
        self._computations.end()
        self.log.close()


__all__ = ["Behind", "BeyondEnd", "Desk", "DeskError", "Receipt", "Request", "Stopped", "View"]
