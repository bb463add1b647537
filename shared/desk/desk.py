"""The command handler: it runs the rules, and only it writes to the log."""

import threading
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import nullcontext, suppress
from functools import partial
from typing import Any

from shared.core.events import Decision
from shared.core.language.messages import say
from shared.core.terms import Refusal, Source
from shared.desk.awaited_commands import Awaited
from shared.desk.causation import Consequences
from shared.desk.command_history import CommandHistory
from shared.desk.computations.computations import COMPUTING, ComputationLimits, Computations
from shared.desk.event_writer import Clock
from shared.desk.keys.key_rotation import foreign_keys, rotations_due
from shared.desk.keys.revocations import Revocations
from shared.desk.replay import View
from shared.desk.requests import (
    UNREAD_SECONDS,
    Behind,
    BeyondEnd,
    DeskError,
    Job,
    Outdated,
    Prepared,
    Receipt,
    Request,
    Stopped,
    Unread,
    command_id,
    unknown_official,
)
from shared.desk.rules_port import Rules
from shared.desk.signer_port import Departure, Sign, never_behind
from shared.desk.views import Folds, stream_of
from shared.desk.writer import Writer
from shared.log.port import Log, LogUnavailable, Row, Text
from shared.signing.service_keys import NO_KEYS, ServiceKeys
from shared.wire import envelope

BACK_SECONDS = 2.0
"""How long a response waits until its events are back through the log, in seconds."""
BEHIND_SECONDS = 1.0
"""How long a read waits for the log's end or for ``?after``, in seconds."""
ATTEMPTS = 3
"""How often a decision made outside the writer thread is made again."""
_REST_TIMES = 4  # a pause after reading a tournament at the start, as a multiple of the time to read it
SOFTWARE = "2.0.0.dev0"


class Desk:
    """The commands and reads of the services of one process.

    ``rules``: the services that it decides for. ``table`` (if different): the rules of all services, which determine the
    automatic commands of the others. ``sign`` makes signed checkpoints, ``keys`` sign records, and nothing is written in a log
    with a ``departure`` from its checkpoints. Without ``threads``, every command is decided in the caller's thread (for tests).
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
        unread_seconds: float = UNREAD_SECONDS,
        computing: ComputationLimits = COMPUTING,
        departure: Departure = never_behind,
    ) -> None:
        self.log, self._rules, self.table = log, rules, table or rules
        self._back, self._unread = back_seconds, unread_seconds
        self.sign, self.keys, self.folds = sign, keys, Folds(log, departure)
        self.revocations = Revocations(log, keys)
        self.now = clock or Clock()
        """The time (RFC 3339) of an event written now."""
        self.writer = Writer(
            log, self.folds, rules, table=self.table, sign=sign, keys=keys, now=self.now, software=software
        )
        self._computations, self._history = Computations(computing), CommandHistory(log, self.folds, self.table)
        self._closed = False
        if threads:
            self.writer.start()
            threading.Thread(target=self.answer_open_findings, name="due", daemon=True).start()

    # ------------------------------------------------------------ writing

    def submit(
        self, source: Source, tournament: str, command: Any, request: Request | None = None
    ) -> Receipt | Refusal:
        """Decide a command and commit its events. Raises a `DeskError` or `port.LogFull` if it cannot be decided now."""
        if self._closed:
            raise Behind(say("the service is ending"))
        request, attempts, began = request or Request(), ATTEMPTS, time.monotonic()
        while attempts:
            job = Job(source, tournament, command, request, command_id(request))
            job.current = self.caught_up()
            job.prepared = self._prepare(job)
            left = began + self._unread - time.monotonic()
            try:
                outcome = self._submit(job)
                if job.current or left <= 0 or not isinstance(outcome, Refusal):
                    return outcome  # an event that is not read yet may remove the reason of a refusal
            except Outdated:
                late = time.monotonic() - began > self._computations.limits.seconds
                attempts = 0 if late else attempts - 1
                continue
            except Unread:
                if left <= 0:
                    raise
            self.folds.wait_for_news(left)
        raise Behind(say("the tournament changed each time while its pairing was computed"))

    def _prepare(self, job: Job) -> Prepared | None:
        """Return a long decision, made in a child process on the state that readers see, or None if the command is short."""
        rules = self._rules[job.source]
        if rules.engine_of(job.command) is None:
            return None
        self.folds.refresh()
        view = self.folds.current_view(job.tournament)
        if view is None or not rules.long(view.state, job.command):
            return None
        outcome = rules.decide(view.state, job.command, run=partial(self._computations.run, job.tournament))
        return Prepared(outcome, view.seq, view.state.counts.get(job.source, 0))

    def _submit(self, job: Job) -> Receipt | Refusal:
        """Give a command to the writer and return the answer.

        If appended events are not in the log at once (Kafka), wait until they and their consequences have come back through
        the log, at most ``back_seconds`` in total.
        """
        waits = not self.log.immediate and self._back > 0
        with self.folds.awaited.expect(job.id, self._back) if waits else nullcontext() as awaited:
            self.writer.put(job)
            outcome = job.outcome.wait()
            return outcome if isinstance(outcome, Refusal) else self._complete(job, outcome, awaited)

    def _complete(self, job: Job, receipt: Receipt, awaited: Awaited | None) -> Receipt:
        """Add position, root and consequences to a receipt, as far as they are ``awaited`` (None: do not wait).

        If the database is lost now, return the receipt with the known values.
        """
        with suppress(LogUnavailable):
            if awaited is not None and receipt.seq is None:
                seq = self._last_seq(job) if receipt.repeated else None
                receipt = receipt._replace(seq=seq or awaited.wait(self.folds.refresh))
            receipt = self._with_root(job, receipt)
            if receipt.seq is not None and not receipt.complete:
                left = 0 if awaited is None else awaited.left
                receipt = self._with_root(job, self._history.complete_receipt(job.tournament, receipt, left))
        return receipt

    def _with_root(self, job: Job, receipt: Receipt) -> Receipt:
        """Return the receipt of a command with the Merkle root after event ``seq``, once its ``seq`` is known."""
        if receipt.seq is None or receipt.root is not None:
            return receipt
        return receipt._replace(root=self.root(job.tournament, receipt.seq))

    def consequences(self, tournament: str, command: str, upto: int | None = None) -> Consequences | None:
        """Return the consequences of a command up to event ``upto``, or None if the log does not contain the command."""
        return self._history.consequences(tournament, command, upto=upto)

    def _last_seq(self, job: Job) -> int | None:
        """Return the ``seq`` of a command's last event, or None if no event has come back through the log yet."""
        own = [r.seq for r in self.log.lines(stream_of(job.tournament)) if r.command == job.id]
        self.folds.refresh()
        return own[-1] if own else None

    def preview(self, source: Source, tournament: str, command: Any) -> Decision | Refusal:
        """Return the decision that would be made on a command now. Raises `Behind` if an unread event may grant the role."""
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
        """Answer the findings that an earlier process left open, with pauses for others. Compressed tournaments have none."""
        if any(rules.answers for rules in self._rules.values()):
            for stream in sorted(set(self.log.streams("tournaments/")) - self.log.resting()):
                began = time.monotonic()
                with suppress(LogUnavailable):
                    self.queue_due(stream.partition("/")[2], keep=False)
                time.sleep(_REST_TIMES * (time.monotonic() - began))

    def queue_due(self, tournament: str, *, keep: bool = True) -> bool:
        """Queue the automatic commands that are due in a tournament. Return whether there were any."""
        view = self.folds.current_view(tournament, keep=keep)
        if view is None or view.stopped is not None:
            return False
        due = [(source, c) for source, rules in self._rules.items() for c in rules.due(view.state)]
        due += rotations_due(self.keys, view.state, self._rules)
        for source, command in due:
            self.writer.put(Job(source, tournament, command, Request(), command_id(Request()), awaited=False))
        return bool(due)

    # ------------------------------------------------------------ reading

    def caught_up(self) -> bool:
        """Wait at most one second to read all that the log contained at the call. Return whether that succeeded."""
        return self.log.catch_up(BEHIND_SECONDS)

    def view(self, tournament: str, at: int | None = None, after: int | None = None) -> View | None:
        """Return a tournament's view for readers, now or ``at`` an event, or None if it is unknown.

        Raises `Behind` if the log does not reach ``after`` within a second, `BeyondEnd` if ``at`` is after its end.
        """
        self.caught_up()
        self.folds.refresh()
        view = self.folds.current_view(tournament)
        if view is not None and after is not None and view.seq < after:
            self.folds.wait(tournament, after - 1, BEHIND_SECONDS)
            view = self.folds.current_view(tournament)
            if view is None or view.seq < after:
                raise Behind(say("this server has not received event {after} yet; try again", after=after))
        if view is None or at is None or at == view.seq:
            return view
        if at > view.seq:
            raise BeyondEnd(say("the log of {tournament} ends at {seq}", tournament=tournament, seq=view.seq))
        return self.folds.view_at(tournament, at)

    def wait(self, stream: str, after: int, timeout: float) -> int:
        """Wait for events of a stream after ``after``, at most ``timeout`` seconds. Return the number of its last event."""
        end = time.monotonic() + timeout
        while (last := self.ends([stream])[stream]) <= after and (left := end - time.monotonic()) > 0:
            self.folds.wait_for_news(left)
        return last

    def watch(self, changed: Callable[[], None]) -> None:
        """Call ``changed``, which must not block, each time that this process has applied new events."""
        self.folds.watch(changed)

    def seqs(self, tournaments: Iterable[str]) -> dict[str, int]:
        """Return the newest sequence number of each of these tournaments."""
        return self.folds.seqs(tournaments)

    def ends(self, streams: Iterable[str]) -> dict[str, int]:
        """Return the number of the last event of each of these streams, ``tournaments/T`` or ``games/G``."""
        names = set(streams)
        official = {name for name in names if name.startswith(stream_of(""))}
        seqs = self.seqs(name.removeprefix(stream_of("")) for name in official)
        sheets = names - official
        return {stream_of(t): seq for t, seq in seqs.items()} | (self.log.sheet_ends(sheets) if sheets else {})

    def foreign_keys(self) -> dict[str, str]:
        """Return loaded tournaments whose log requires a key that its service lacks here, each with the reason."""
        return foreign_keys(self.keys, self.folds.loaded_states(), self._rules)

    def lines(self, stream: str, after: int = 0, upto: int | None = None) -> list[Row]:
        """Return the stored lines of ``tournaments/T`` or ``games/G``, from event ``after`` + 1 to ``upto`` (None: all)."""
        return self.log.lines(stream, after, upto)

    def streams(self, prefix: str, after: str = "", most: int | None = None) -> list[str]:
        return self.log.streams(prefix, after, most)

    def sheet(self, source: Source, game: str) -> Any:
        """Return the state of a game's score sheet."""
        rules = self._rules[source]
        state = rules.new_sheet(game)
        for row in self.log.lines(f"games/{game}"):
            rules.evolve_sheet(state, envelope.read(row.line, row.seq))
        return state

    def texts(self, hashes: Iterable[str]) -> dict[str, Text]:
        return self.log.texts(hashes)

    def called(self, hashes: Iterable[str]) -> dict[str, str]:
        """Return these erasable texts by hash, without those that were erased or are unavailable."""
        return {hash: text.text for hash, text in self.texts(hashes).items()}

    def root(self, tournament: str, seq: int) -> bytes:
        """Return the Merkle root after event ``seq``."""
        with self.folds.changed:
            return self.folds.get(tournament).tree.root(seq)

    def close(self, timeout: float = 10.0) -> None:
        """Refuse further commands, decide the queued ones and end the child processes."""
        self._closed = True
        self.writer.stop(timeout)
        self._computations.end()
        self.log.close()


__all__ = ["Behind", "BeyondEnd", "Desk", "DeskError", "Receipt", "Request", "Stopped", "View"]
