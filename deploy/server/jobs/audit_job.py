"""Audits and previews of a server, each in a child process, by the rules of all services."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Generic, NamedTuple, TypeVar

from deploy.server.rules import RULES
from services.games.forms.result_forms import CORRECTION
from services.games.routes import WRITES as GAMES_WRITES
from services.penalties.app import WRITES as PENALTIES_WRITES
from services.penalties.forms.form_readers import FORM_READERS
from services.standings.audit.audits import Audited
from services.standings.files.sheet_sources import AskSheets, Sheets
from services.standings.rules.diff import Preview, table_change
from shared.audit.audit import Evidence, audit
from shared.audit.checkpoints.checkpoint import Verifies
from shared.audit.report import OnProgress, Progress, Report
from shared.audit.report_answer import AuditAnswer
from shared.core.language.messages import Message, message_of, say
from shared.core.readings.settlement import newly_open
from shared.core.state.tournament import TournamentState
from shared.core.terms import Refusal, Source
from shared.desk.computations.child_process import ChildProcess, Delayed, Exhausted, children_time
from shared.desk.desk import Desk
from shared.desk.foresight import foresee
from shared.desk.requests import Behind
from shared.desk.views import stream_of
from shared.http.commands.previews import Previews, Readers
from shared.http.language.language import words
from shared.http.limits.rate_limits import Limits, Places
from shared.http.problems import Problem, unavailable
from shared.http.requests.auth import charge_later, is_stranger

Read = TypeVar("Read")

_PART = 10
"""While callers keep asking for a thing, one part of the time in this many is spent on reading it."""
_PAUSE_SECONDS = 1.0
"""Maximum pause between two readings of a thing, in seconds."""


@dataclass(slots=True)
class _Readings(Generic[Read]):
    """The readings of one thing, while callers ask for them. Times are those of the monotonic clock."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    asking: int = 0
    last: tuple[float, Read] | None = None
    """Start and content of the last reading."""
    next: float = 0.0
    """Earliest start of the next reading."""


class SharedReadings(Generic[Read]):
    """Readings that several callers share. No caller gets a reading that began before their request.

    ``read``: a function that reads a thing by its name.
    """

    def __init__(self, read: Callable[[str], Read]) -> None:
        self._read = read
        self._lock = threading.Lock()
        self._readings: dict[str, _Readings[Read]] = {}

    def of(self, name: str) -> Read:
        """Return the content as of now. An exception of ``read`` is raised in the caller whose request was reading."""
        asked = time.monotonic()
        with self._asking(name) as readings, readings.lock:
            if readings.last is None or readings.last[0] < asked:
                time.sleep(max(0.0, readings.next - time.monotonic()))
                began = time.monotonic()
                readings.last = began, self._read(name)
                ended = time.monotonic()
                readings.next = ended + min(_PAUSE_SECONDS, (_PART - 1) * (ended - began))
            return readings.last[1]

    @contextmanager
    def _asking(self, name: str) -> Iterator[_Readings[Read]]:
        with self._lock:
            readings = self._readings.setdefault(name, _Readings())
            readings.asking += 1
        try:
            yield readings
        finally:
            with self._lock:
                readings.asking -= 1
                if not readings.asking:
                    del self._readings[name]


_NICE = 10
"""Niceness of the child process: pairings take precedence over audits."""
_KEPT = 32
_FULL_SECONDS, _AGAIN_SECONDS = 5, 60
_GLANCE_SECONDS = 1.0
"""Seconds that a page waits for an audit before it shows the progress instead."""

Outcome = Report | Problem
Key = tuple[str, bytes]


class _Reading(NamedTuple):
    """The input of an audit, and the key of its outcome."""

    key: Key
    lines: Sequence[bytes]
    sheets: Sheets


class _Run:
    """An audit, running or finished, with its progress and its outcome."""

    def __init__(self, lines: int) -> None:
        self.lines = lines
        self.outcome: Future[Outcome] = Future()
        self.progress = Progress("lines", 0, lines)

    def tell(self, progress: Progress) -> None:
        """Store the present progress."""
        self.progress = progress

    def waited(self, patience: float | None) -> bool:
        """Wait up to this number of seconds (None: without a limit). Return whether the audit is finished."""
        return not wait((self.outcome,), patience).not_done

    def answer(self) -> AuditAnswer:
        """Return the result. Raises `Problem`."""
        try:
            outcome = self.outcome.result()
        except Behind as problem:
            raise unavailable("behind", message_of(problem)) from None
        if isinstance(outcome, Problem):
            raise outcome.with_traceback(None)
        return outcome.answer(words)


class Audits:
    """The audits of a server. Callers share one audit of a log, which continues if they disconnect.

    ``sheets`` returns the score sheets. Without them, decisions that depend on them count as not re-evaluated. The limits of
    an audit are ``limits.audit_seconds`` and ``limits.audit_memory``. At most ``limits.audits`` requests wait for an audit,
    and at most that many audits are unfinished. Outcomes are stored under the tournament and a digest of the audited bytes.
    """

    def __init__(self, desk: Desk, key: Verifies, limits: Limits, sheets: AskSheets) -> None:
        self._desk, self._key, self._sheets = desk, key, sheets
        self._child = ChildProcess(seconds=limits.audit_seconds, memory=limits.audit_memory << 20, nice=_NICE)
        self._places, self._most = Places(limits.audits), limits.audits
        self._lock = threading.Lock()
        self._kept: OrderedDict[Key, _Run] = OrderedDict()
        self._pool = ThreadPoolExecutor(1, "audit")
        self._readings = SharedReadings(self._read)

    def report(self, t: str) -> AuditAnswer:
        """Implement `services.standings.audit.audits.Audits.report`."""
        return self._waited(t, None).answer()

    def look(self, t: str) -> Audited:
        """Implement `services.standings.audit.audits.Audits.look`."""
        with self._lock:
            run = next((run for (of, _), run in self._kept.items() if of == t and not run.outcome.done()), None)
        if run is None:
            run = self._waited(t, _GLANCE_SECONDS)
        return run.answer() if run.outcome.done() else run.progress

    def made(self, t: str, line: int) -> AuditAnswer | None:
        """Implement `services.standings.audit.audits.Audits.made`."""
        with self._lock:
            runs = [run for (of, _), run in reversed(self._kept.items()) if of == t]
        for run in runs:
            if run.lines >= line and run.outcome.done():
                with suppress(Problem):
                    return run.answer()
        if all(run.outcome.done() and run.lines < line for run in runs):
            with suppress(Problem):
                self._waited(t, 0.0)
        return None

    def _waited(self, t: str, patience: float | None) -> _Run:
        """Return the audit of the present log when it is finished, or after ``patience`` seconds (None: without a limit).

        Raises `Problem` 503 if too many requests wait or too many audits run.
        """
        waiting = say("as many requests as this service allows are already waiting for an audit: try again later")
        with self._places.held_beside(_full(waiting), stranger=is_stranger()):
            run = self._run_of(t)
            run.waited(patience)
            return run

    def _run_of(self, t: str) -> _Run:
        key, lines, sheets = self._readings.of(t)
        with self._lock:
            known = self._kept.get(key)
            if known is not None:
                self._kept.move_to_end(key)
                return known
            most = self._places.share if is_stranger() else self._most
            if sum(not run.outcome.done() for run in self._kept.values()) >= most:
                raise _full(say("this service is already running as many audits as it allows: try again later"))
            run = self._kept[key] = _Run(len(lines))
            for old in [old for old, one in self._kept.items() if one.outcome.done()][: len(self._kept) - _KEPT]:
                del self._kept[old]
        self._pool.submit(self._make, key, run, lines, sheets, charge_later())
        return run

    def _read(self, t: str) -> _Reading:
        # The log is read first: the sheets, read later, then contain every event that a digest in the log covers.
        lines = [row.line for row in self._desk.lines(stream_of(t))]
        sheets = self._sheets(t, lines)
        return _Reading((t, _digest(lines, sheets)), lines, sheets)

    def _make(
        self, key: Key, run: _Run, lines: Sequence[bytes], sheets: Sheets, charge: Callable[[float], None]
    ) -> None:
        """Make an audit, and ``charge`` its CPU milliseconds to the reader who asked for it first."""
        began = children_time()
        try:
            run.outcome.set_result(self._child.run(decided_again, lines, sheets, self._key, callback=run.tell))
        except Exhausted as problem:
            # An audit that used up its CPU seconds would do so again, so that refusal is stored. A busy machine may be idle then.
            if isinstance(problem, Delayed):
                with self._lock:
                    self._kept.pop(key, None)
            why = say("{problem}; `arbiter verify` has no such limit", problem=message_of(problem))
            run.outcome.set_result(unavailable("audit-too-large", why, _AGAIN_SECONDS))
        except BaseException as problem:
            with self._lock:
                self._kept.pop(key, None)
            run.outcome.set_exception(problem)
        charge((children_time() - began) * 1000)

    def end(self) -> None:
        """End the child without waiting for its result."""
        self._child.end()


def _full(why: Message) -> Problem:
    return unavailable("audits-full", why, _FULL_SECONDS)


def _digest(lines: Sequence[bytes], sheets: Sheets) -> bytes:
    """Return a digest of everything that an audit reads."""
    digest = sha256(b"\n".join(lines))
    for game, sheet in sorted((sheets.lines or {}).items()):
        digest.update(b"\x00" + game.encode() + b"\x00" + b"\n".join(sheet))
    digest.update(f"\x00\x00{sheets.missing}\x00{sheets.later}".encode())
    return digest.digest()


def decided_again(lines: Sequence[bytes], sheets: Sheets, key: Verifies, tell: OnProgress) -> Report:
    """Audit the bytes of a log; runs in the child process."""
    report = audit(lines, RULES, Evidence(sheets=sheets.lines, keys=(key,)), tell)
    if sheets.missing:
        report.lack(say("score sheets: {why}", why=sheets.missing))
    if sheets.later:
        report.remark(
            say("score sheet events that were written since the audit began; the next audit checks them"), sheets.later
        )
    return report


READERS = Readers((*PENALTIES_WRITES, *GAMES_WRITES), (*FORM_READERS, CORRECTION))
"""The routes of penalties and games, and the forms, whose commands can be previewed."""


def previews(desk: Desk, limits: Limits) -> Previews[Preview]:
    """Return the previews of a server. The caller must end them."""
    return Previews(desk, decided_ahead, READERS, limits)


def decided_ahead(
    t: TournamentState, source: Source, command: Any, sheets: Mapping[str, Sequence[bytes]], now: str
) -> Preview | Refusal:
    """Preview a command; runs in the child process. Raises `SheetNeeded`."""
    foresight = foresee(t, source, command, RULES, sheets=sheets, now=now)
    if isinstance(foresight, Refusal):
        return foresight
    change = table_change(t, foresight.after)
    outdated = newly_open(t, foresight.after)
    return Preview(foresight.seq, foresight.events, foresight.lines, foresight.digest, change, outdated)
