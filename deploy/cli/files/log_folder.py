"""A folder of logs and archives, audited by one process per core."""

import os
import signal
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from multiprocessing.util import Finalize
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec

from deploy.cli.files.audit_sentences import describe_finding
from deploy.cli.files.engine_wheels import engines_from
from deploy.cli.files.evidence_files import read_evidence
from deploy.cli.files.log_audit import Trust, audit_files
from deploy.cli.terminal.os_problems import os_problem
from deploy.failure import Failure
from shared.audit.report import Report
from shared.audit.report_answer import AuditAnswer
from shared.core.language.messages import Message, say, term
from shared.core.terms import Verdict

_LOG, _ARCHIVE = ".ndjson", ".zip"
_SHEETS, _TEXTS, _CHECKPOINT = ".sheets.ndjson", ".texts.ndjson", ".checkpoint"
"""File name endings of a log's evidence, which replace the ending of the log's own name."""
_TOGETHER = 8
"""Number of logs that a process takes at once. To take each alone costs 2 % of the time of small logs."""


class LogResult(NamedTuple):
    """The result of one log. ``problem``: the first reason why it does not agree, or None.

    ``answer``: its report without the findings after the first, or None for an unreadable file or a log that agrees.
    """

    file: str
    verdict: Verdict | Literal["unreadable"]
    code: int
    events: int = 0
    checked: int = 0
    problem: Message | None = None
    answer: AuditAnswer | None = None


@dataclass(slots=True)
class FolderResult:
    """The result of a folder: the number of logs by verdict, and every log that does not agree (``others``)."""

    logs: int = 0
    events: int = 0
    checked: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)
    others: list[LogResult] = field(default_factory=list)
    codes: set[int] = field(default_factory=set)

    def add(self, one: LogResult) -> None:
        """Count a log, and keep it if it does not agree."""
        self.logs += 1
        self.events += one.events
        self.checked += one.checked
        self.verdicts[one.verdict] += 1
        self.codes.add(one.code)
        if one.problem is not None:
            self.others.append(one)

    @property
    def exit_code(self) -> int:
        """Return the exit code: 1 if a log differs, else 2 if one is unreadable, else 3 if one is incomplete, else 0."""
        return min(self.codes - {0}, default=0)

    @property
    def verdict(self) -> Verdict:
        """Return ``differs`` if a log differs, else ``incomplete`` if one is incomplete or unreadable, else ``agrees``."""
        if self.verdicts["differs"]:
            return "differs"
        return "incomplete" if self.logs > self.verdicts["agrees"] else "agrees"

    def answer(self) -> dict[str, Any]:
        """Return the result as a JSON object. ``others``: each log that does not agree, with its report if it was read."""
        verdicts = ("agrees", "differs", "incomplete", "unreadable")
        others = [
            {
                "file": one.file,
                "verdict": one.verdict,
                "why": str(one.problem),
                "report": msgspec.to_builtins(one.answer),
            }
            for one in self.others
        ]
        counts = {verdict: self.verdicts[verdict] for verdict in verdicts}
        sizes = {"logs": self.logs, "events": self.events, "checked": self.checked}
        return {"verdict": self.verdict} | sizes | counts | {"others": others}


def logs_in(folder: Path) -> list[Path]:
    """Return the logs and archives of a folder by name, without its subfolders. Raises `Failure` if it has none."""
    found = [
        path
        for path in sorted(folder.iterdir())
        if path.suffix in (_LOG, _ARCHIVE) and not path.name.endswith((_SHEETS, _TEXTS)) and path.is_file()
    ]
    if not found:
        raise Failure(say("{folder}: the folder contains no log (*.ndjson) and no archive (*.zip)", folder=str(folder)))
    return found


def audit_folder(
    folder: Path,
    keys: Sequence[str],
    trust: Trust,
    *,
    wheels: Path | None,
    strict: bool,
    on_log: Callable[[int, int], None],
) -> FolderResult:
    """Audit all logs of a folder, one process per core. ``on_log(done, total)`` is called after each log."""
    logs, result = logs_in(folder), FolderResult()
    work = partial(_result_of, keys=keys, trust=trust, strict=strict)
    on_log(0, len(logs))
    for one in _each(work, logs, wheels):
        result.add(one)
        on_log(result.logs, len(logs))
    return result


def _each(work: Callable[[Path], LogResult], logs: Sequence[Path], wheels: Path | None) -> Iterator[LogResult]:
    import deploy.server.rules  # noqa: F401 - once here, and not in every process

    processes = min(len(logs), _cores())
    if processes == 1:
        with engines_from(wheels):
            yield from map(work, logs)
        return
    together = min(_TOGETHER, -(-len(logs) // processes))
    with ProcessPoolExecutor(processes, initializer=_begin, initargs=(wheels,)) as pool:
        try:
            yield from pool.map(work, logs, chunksize=together)
        except BrokenProcessPool:
            detail = say("a process ended before its audit did, for example because memory ran out; verify fewer logs")
            raise Failure(detail) from None
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _begin(wheels: Path | None) -> None:
    """Open the wheels in a new process. An engine that was started from them ends with it.

    Ctrl-C is left to the process of the command: it ends this one after the logs that are being audited.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    stack = ExitStack()
    stack.enter_context(engines_from(wheels))
    Finalize(None, stack.close, exitpriority=1)


def _result_of(log: Path, keys: Sequence[str], trust: Trust, *, strict: bool) -> LogResult:
    """Return the result of one log, whatever its content is."""
    ends = (_SHEETS, _TEXTS, _CHECKPOINT) if log.suffix == _LOG else ()
    beside = {end: str(path) for end in ends if (path := log.with_name(f"{log.stem}{end}")).exists()}
    checkpoints = [beside[_CHECKPOINT]] if _CHECKPOINT in beside else []
    try:
        given = read_evidence(str(log), beside.get(_SHEETS), beside.get(_TEXTS), checkpoints, keys)
        report = audit_files(given, trust)
    except Failure as failure:
        message = failure.message
        return _unreadable(log, message if isinstance(message, Message) else say("{text}", text=message))
    except OSError as failure:
        return _unreadable(log, os_problem(failure))
    except Exception as failure:  # must not hide the results of the other logs
        return _unreadable(log, say("internal error: {failure}", failure=f"{type(failure).__name__}: {failure}"[:200]))
    problem = _problem(report, strict=strict)
    answer = None
    if problem is not None:
        answer = msgspec.structs.replace(report.answer(), found=[one.answer() for one in report.in_order()[:1]])
    return LogResult(
        log.name, report.verdict, report.exit_code(strict=strict), report.size, report.decided, problem, answer
    )


def _unreadable(log: Path, why: Message) -> LogResult:
    return LogResult(log.name, "unreadable", 2, problem=why)


def _problem(report: Report, *, strict: bool) -> Message | None:
    """Return the first finding, reason of incompleteness, or with ``strict`` remark of a report, or None if it has none."""
    if report.first is not None:
        return describe_finding(report.first)
    reasons = report.incomplete or (report.remarks if strict else {})
    return next(iter(reasons), None)


def folder_sentences(result: FolderResult, folder: Path) -> Iterator[Message]:
    """Yield the lines of a folder's summary after its verdict, with one for each log that does not agree."""
    verdicts = result.verdicts
    yield say(
        "{agree} of {logs} logs in {folder} agree; {checked} of all {events} events were re-evaluated and match",
        agree=verdicts["agrees"],
        logs=result.logs,
        folder=str(folder),
        events=result.events,
        checked=result.checked,
    )
    others = [
        say("{count} differ", count=verdicts["differs"]),
        say("{count} incomplete", count=verdicts["incomplete"]),
        say("{count} unreadable", count=verdicts["unreadable"]),
    ]
    if result.logs > verdicts["agrees"]:
        yield say("  {others}.", others=tuple(others))
    for one in result.others:
        verdict = say("unreadable") if one.verdict == "unreadable" else term(one.verdict)
        yield say("  {file}: {verdict}: {why}", file=one.file, verdict=verdict, why=one.problem or "")
    if result.others:
        yield say("  Run `arbiter verify` on one file for its whole report.")
