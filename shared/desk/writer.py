"""The only writer thread of a process: it takes queued commands, decides them, commits once and returns the answers."""

import queue
import threading
import time
from collections.abc import Callable, Mapping

import uuid_utils

from shared import structured_log
from shared.core.events import Decision
from shared.core.language.messages import say
from shared.core.readings.settlement import snapshot, unlisted_changes
from shared.core.readings.token_boards import restrict_to_boards
from shared.core.state.tournament import TournamentState
from shared.core.terms import Refusal, Source
from shared.desk.batch import Batch, SheetState, WorkingFold, WorkingFolds, Written
from shared.desk.event_writer import EventWriter
from shared.desk.keys.key_rotation import rotate_key
from shared.desk.repeated_command import first_answer
from shared.desk.requests import (
    Behind,
    DeskError,
    Job,
    OutcomeUnknown,
    Outdated,
    Receipt,
    Request,
    Stale,
    Stopped,
    Unread,
    unknown_official,
)
from shared.desk.rules_port import Due, Rules, due_in, due_types, may_be_due
from shared.desk.signer_port import Sign
from shared.desk.views import Folds, stream_of
from shared.log.port import CommitUnknown, Log, LogFull, LogUnavailable, Row, Transaction
from shared.signing.service_keys import ServiceKeys

BATCH = 256  # maximum commands per transaction; more would only make the first one wait longer
LINGER = 0.002
"""Maximum time in seconds that a batch waits for as many commands as the one before it had."""


class ConsequenceFailed(Exception):
    """Raised if deciding a consequence has failed. Nothing was written; the command must be decided without it."""

    def __init__(self, tournament: str) -> None:
        super().__init__(tournament)
        self.tournament = tournament


class Writer:
    """Decides commands and commits their events. ``run`` does all of it; the thread only supplies jobs."""

    def __init__(
        self,
        log: Log,
        folds: Folds,
        rules: Mapping[Source, Rules],
        *,
        table: Mapping[Source, Rules],
        sign: Sign,
        keys: ServiceKeys,
        now: Callable[[], str],
        software: str,
    ) -> None:
        self._log, self._folds, self._rules, self._table, self._keys = log, folds, rules, table, keys
        self._now, self._event_writer = now, EventWriter(sign, keys, software, log.immediate)
        self._working, self._due_types = WorkingFolds(log, folds, rules), due_types(table)
        self._failing: set[str] = set()
        """Tournaments in which deciding a consequence has failed. Their consequences are now decided after the command."""
        self._queue: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

    # ------------------------------------------------------------ the thread

    def start(self) -> None:
        self._thread = threading.Thread(target=self._loop, name="writer", daemon=True)
        self._thread.start()

    def put(self, job: Job) -> None:
        """Queue a job, or run it at once if the thread is not started."""
        if self._thread is None:
            self.run([job])
        else:
            self._queue.put(job)

    def stop(self, timeout: float) -> None:
        """Decide the queued jobs, then end."""
        if self._thread is not None:
            self._queue.put(None)
            self._thread.join(timeout)
            self._thread = None

    def _loop(self) -> None:
        before = 0
        while True:
            jobs = self._gather(before)
            before = len(jobs)
            self.run([job for job in jobs if job is not None])
            if None in jobs and self._queue.empty():
                return

    def _gather(self, before: int) -> list[Job | None]:
        """Return the queued jobs. If a commit is a trip to a server, wait up to 2 ms for as many as in the last batch.

        ``before``: its number of jobs. Its callers may send again now: without the wait, every second batch has one job.
        """
        jobs = [self._queue.get()]
        until = time.monotonic() + (0 if self._log.immediate else LINGER)
        while len(jobs) < BATCH:
            if self._queue.empty() and (len(jobs) >= before or time.monotonic() >= until):
                break
            try:
                jobs.append(self._queue.get(timeout=max(0, until - time.monotonic())))
            except queue.Empty:
                break
        return jobs

    def run(self, jobs: list[Job]) -> None:
        """Decide jobs in order and commit them at once, then decide the automatic commands that have become due."""
        if not jobs:
            return
        self._attempt(jobs)
        for tournament in dict.fromkeys(job.tournament for job in jobs):
            working = self._working.get(tournament)
            if working is not None and (working.tournament.findings or working.tournament.rulings):
                try:
                    self.due(tournament, working.tournament)
                except Exception as problem:
                    # The automatic commands stay due, and all other commands continue.
                    structured_log.crash("due", problem)

    def _attempt(self, jobs: list[Job], again: bool = False) -> None:
        """Decide and commit jobs; repeat a failed batch one by one. ``again``: their commit was tried before."""
        try:
            outcomes = self._commit(jobs, again)
        except ConsequenceFailed as problem:
            self._failing.add(problem.tournament)
            for job in jobs:
                self._working.drop(job.tournament)
            self._attempt(jobs, again)
            return
        except Exception as problem:
            for job in jobs:
                self._working.drop(job.tournament)
                job.committing |= isinstance(problem, CommitUnknown)
            if len(jobs) == 1 and isinstance(problem, LogUnavailable) and jobs[0].committing:
                self._retry_uncertain(jobs[0], again)
            elif len(jobs) == 1:
                if not jobs[0].awaited and not isinstance(problem, DeskError | LogUnavailable | LogFull):
                    structured_log.crash("due", problem)
                jobs[0].outcome.set(problem)
            else:
                for job in jobs:
                    self._attempt([job], again=True)
            return
        for job, outcome in zip(jobs, outcomes, strict=True):
            job.outcome.set(outcome)

    def _retry_uncertain(self, job: Job, again: bool) -> None:
        """Repeat a command whose commit may have succeeded, or report its outcome as unknown if it was repeated (``again``)."""
        if again:
            job.outcome.set(OutcomeUnknown(job.id))
        else:
            self._attempt([job], again=True)

    def _commit(self, jobs: list[Job], again: bool) -> list[Receipt | Refusal | DeskError]:
        tournaments = sorted({job.tournament for job in jobs})
        with self._log.transaction([stream_of(t) for t in tournaments]) as tx:
            if (unready := tx.unready()) is not None:
                raise Behind(unready)
            self._folds.refresh(tx)
            self._working.decompress(tx, tournaments)
            keys = [job.request.key for job in jobs if job.request.key]
            known: dict[str, list[Row]] = {}
            repeated = [job.id for job in jobs if again or job.request.key]
            for row in tx.by_commands(repeated) if repeated else ():
                known.setdefault(row.command, []).append(row)
            batch = Batch(self._now(), tx.kept_answers(keys) if keys else {}, known, again=again)
            self._working.begin(tx, batch, tournaments)
            self._working.read_sheets(tx, batch, jobs)
            outcomes = [self._decide_one(tx, batch, job) for job in jobs]
            if batch.texts:
                tx.put_texts(batch.texts)
            last = tx.append(batch.rows, batch.traces) if batch.rows else 0
            if batch.answers:
                tx.keep(batch.answers)
            for hash in batch.erased:
                tx.erase_text(hash)
        if self._log.immediate:
            # The append is the log, so the ledgers take the own events without reading them back.
            self._folds.apply_committed(batch.settled, last)
        self._working.keep_committed(batch)
        return outcomes

    # ------------------------------------------------------------ one command

    def _decide_one(self, tx: Transaction, batch: Batch, job: Job) -> Receipt | Refusal | DeskError:
        """Return one command's outcome, and add its events to the batch."""
        if job.request.key or batch.again:
            repeat = first_answer(batch, job, self._folds, self._due_types, immediate=self._log.immediate)
            if repeat is not None:
                return repeat
        rules = self._rules[job.source]
        if (stopped := batch.why_stopped(job, rules)) is not None:
            return Stopped(stopped)
        working = batch.working[job.tournament]
        basis = working.basis if job.prepared is None else job.prepared.basis
        if not self._keys.newest_in_force(working.tournament, job.source):
            if (why := self._keys.why_not(working.tournament, job.source)) is not None:
                return Stopped(why)
            rotate_key(self._event_writer, rules, batch, working, job)
        if job.request.if_match is not None and job.request.if_match != basis:
            return self._mismatch(job, job.request.if_match, working)
        try:
            sheet = self._working.sheet(batch, rules, rules.sheet_of(job.command))
            outcome = self._outcome(job, rules, working, sheet)
            if job.request.boards is not None:
                outcome = restrict_to_boards(job.request.boards, working.tournament, outcome)
        except DeskError as problem:
            return problem
        if isinstance(outcome, Refusal):
            return unknown_official(outcome, job.current) or outcome
        calls = job.tournament not in self._failing and may_be_due((*outcome.events, *outcome.brought), self._due_types)
        before = self._due(working) if calls else []
        former = snapshot(working.tournament) if outcome.events or outcome.brought else None
        written = self._event_writer.write(batch, job, rules, working, outcome, sheet if outcome.game else None)
        if isinstance(written, DeskError):
            return written
        consequences = self._follow(tx, batch, working, before) if calls else []
        changes = unlisted_changes(former, working.tournament)
        return self._event_writer.answer(batch, job, working, written, consequences, changes)

    @staticmethod
    def _mismatch(job: Job, if_match: int, working: WorkingFold) -> DeskError:
        """Return the error for a wrong ``if_match``: 503 if this service may be behind the log, else 412."""
        if working.pending:
            return Unread(say("this service has not yet read back its own events from the log"))
        if if_match > working.basis and not job.current:
            return Unread(say("this service has not yet read the event that If-Match names: try again"))
        return Stale(working.basis)

    def _outcome(self, job: Job, rules: Rules, working: WorkingFold, sheet: SheetState | None) -> Decision | Refusal:
        if job.prepared is None:
            return rules.follow(working.tournament, job.command, sheet.state if sheet else None)
        own = working.tournament.counts.get(job.source, 0)
        if job.prepared.own != own:
            raise Outdated("an own line was added while this was computed")
        # No own event is newer than the computed state, so its basis is not below that of the last own event either.
        return job.prepared.outcome

    # ------------------------------------------------------------ what is due

    def _due(self, working: WorkingFold) -> list[Due]:
        """Return the automatic commands that a working state requires. Raises `ConsequenceFailed` if this search fails."""
        try:
            return due_in(working.tournament, self._table)
        except Exception as problem:
            raise ConsequenceFailed(working.tournament.id) from problem

    def _follow(self, tx: Transaction, batch: Batch, working: WorkingFold, before: list[Due]) -> list[Written] | None:
        """Decide at once the commands that are due and were not ``before``, one after the other. Each sees the one before.

        A refused command stays due. Return None if another service decides one of them. Raises `ConsequenceFailed`.
        """
        tried, followed = [*before], []
        while (due := next((due for due in self._due(working) if due not in tried), None)) is not None:
            tried.append(due)
            source, command = due
            if source not in self._rules:
                return None
            if self._keys.why_not(working.tournament, source) is not None:
                continue
            rules = self._rules[source]
            job = Job(source, working.tournament.id, command, Request(), str(uuid_utils.uuid7()), awaited=False)
            try:
                rotate_key(self._event_writer, rules, batch, working, job)
                self._working.read_sheets(tx, batch, [job])
                sheet = self._working.sheet(batch, rules, rules.sheet_of(command))
                outcome = self._outcome(job, rules, working, sheet)
                if not isinstance(outcome, Refusal):
                    written = self._event_writer.write(
                        batch, job, rules, working, outcome, sheet if outcome.game else None
                    )
                    if isinstance(written, Written):
                        followed.append(written)
            except (LogUnavailable, LogFull):
                raise
            except Exception as problem:
                raise ConsequenceFailed(working.tournament.id) from problem
        return followed

    def due(self, tournament: str, state: TournamentState) -> None:
        """Decide the automatic commands that are due (open findings, expulsions). A refused one stays due."""
        for source, rules in self._rules.items():
            for command in rules.due(state):
                job = Job(source, tournament, command, Request(), str(uuid_utils.uuid7()), awaited=False)
                self._attempt([job])
