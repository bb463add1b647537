"""Imports of report files, each in its own thread, as a client of the public API with its caller's token.

The API checks roles, sizes and rates of every call, so an import may do nothing that its caller may not. Only the client of
the running import holds the token. Each call has an idempotency key made from the tournament and the step. A second import of
the same file by the same caller therefore continues the first one, and a changed file is refused.
"""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from hashlib import sha256
from uuid import uuid4

import structlog

from deploy.failure import Failure
from deploy.imports import remarks
from deploy.imports.file_check import CheckedFile, check_file
from deploy.imports.file_event import Requested
from deploy.imports.file_import import FileImport
from services.pairing.imports.import_jobs import Caller, ImportReport, ImportState, SentReport, step_words
from shared.client import Client, ClientError
from shared.client import Problem as Refused
from shared.core.language.charset import find_encoding
from shared.core.language.messages import Message, message_of, say
from shared.core.terms import Actor
from shared.http.limits.rate_limits import Slots
from shared.http.problems import Problem, key_reused, unavailable
from shared.regulations import load
from shared.trf.model.columns import TrfError

AT_ONCE = 4
"""Maximum number of concurrent imports. Each keeps one thread and one connection of the API busy."""
CHECKS_AT_ONCE = 2
"""Maximum number of concurrent file checks. Each takes a processor for up to a second, and requests must not wait for it."""
KEPT = 64
"""Maximum number of finished imports that are remembered, of all callers."""
KEPT_EACH = 8
SECONDS = 1800.0
"""Time limit of an import, in seconds. An import that is cut off continues when its file is sent again.

300 players and 9 rounds take less than a minute.
"""
PATIENCE = 20.0
"""Seconds for which a call is repeated while the API is busy."""
_MOST_REMARKS = 1000
_ENDING_SECONDS = 5.0
_REFUSALS = (403, 404, 409, 412, 422)

_log = structlog.get_logger("imports")
Connect = Callable[[str, str], Client]
"""A client of the public API, for a token and a language."""


class _Stopped(Exception):
    """Raised to end an import before its next step."""


class _Run:
    """An import, running or finished, with its facts and its progress."""

    def __init__(self, actor: Actor, checked: CheckedFile, digest: bytes) -> None:
        trf = checked.hall.trf
        self.id, self.actor, self.digest = uuid4().hex, actor, digest
        self.tournament, self.file = checked.id, trf.file
        self.players, self.rounds = len(trf.players), trf.rounds_recorded
        self.state: ImportState = "running"
        self.step, self.rounds_done = "", 0
        self.remarks = list(checked.remarks)
        self.problem: Message | None = None
        self.until = time.monotonic() + SECONDS

    def tell(self, remark: Message) -> None:
        if len(self.remarks) < _MOST_REMARKS:
            self.remarks.append(remark)

    def report(self) -> ImportReport:
        return ImportReport(
            self.id, self.tournament, self.file, self.state, self.players, self.rounds, self.rounds_done, self.step,
            tuple(self.remarks), self.problem,
        )  # fmt: skip


class Imports:
    """The imports of a server. `connect` is set when the API can be called."""

    def __init__(self, connect: Connect | None = None) -> None:
        self.connect = connect
        self._lock = threading.Lock()
        self._checks = Slots(CHECKS_AT_ONCE)
        self._runs: OrderedDict[str, _Run] = OrderedDict()
        self._keys: dict[str, _Run] = {}
        self._closing = threading.Event()
        self._threads: set[threading.Thread] = set()

    def start(self, caller: Caller, sent: SentReport, key: str | None) -> ImportReport:
        """Implement `services.pairing.imports.import_jobs.ImportJobs.start`."""
        digest = _digest(sent)
        with self._lock:
            known = self._keys.get(key or "")
            if known is None:
                self._refuse_more(caller.actor)
        if known is not None:
            if known.digest != digest:
                raise key_reused()
            return known.report()
        checked = self._checked(sent)
        run = _Run(caller.actor, checked, digest)
        with self._lock:
            self._refuse_more(caller.actor)  # another may have begun while this file was checked
            self._runs[run.id] = run
            if key is not None:
                self._keys[key] = run
            self._forget(caller.actor)
            thread = threading.Thread(target=self._play, args=(run, checked, caller), name="import", daemon=True)
            self._threads.add(thread)
        begun = run.report()
        thread.start()
        return begun

    def report(self, actor: Actor, id: str) -> ImportReport | None:
        """Implement `services.pairing.imports.import_jobs.ImportJobs.report`."""
        with self._lock:
            run = self._runs.get(id)
        return run.report() if run is not None and run.actor.name == actor.name else None

    def end(self) -> None:
        """Make running imports end before their next step, and wait up to `_ENDING_SECONDS` for them."""
        self._closing.set()
        until = time.monotonic() + _ENDING_SECONDS
        for thread in tuple(self._threads):
            thread.join(max(0.0, until - time.monotonic()))

    def _refuse_more(self, actor: Actor) -> None:
        running = [run for run in self._runs.values() if run.state == "running"]
        if self._closing.is_set():
            raise unavailable("closing", say("the service is ending"))
        own = next((run for run in running if run.actor.name == actor.name), None)
        if own is not None:
            why = say("your import of {file} is still running; wait until it ends", file=own.file)
            raise Problem(409, "import-running", say("An import is running"), why, see=f"/v1/imports/{own.id}")
        if len(running) >= AT_ONCE:
            raise _full()

    def _checked(self, sent: SentReport) -> CheckedFile:
        with self._checks.held(_full()):
            try:
                encoding = None if sent.encoding is None else find_encoding(sent.encoding)
                ruleset = None if sent.regulations is None else load(sent.regulations)
                wanted = Requested(ruleset, sent.game)
                return check_file(sent.content, sent.name, encoding, sent.id, sent.tiebreaks, wanted)
            except TrfError as error:
                raise _bad_file(message_of(error), f"{error.line}:{error.column}") from None
            except Failure as failure:
                why = failure.message
                raise _bad_file(why if isinstance(why, Message) else say("{text}", text=why), None) from None

    def _forget(self, actor: Actor) -> None:
        """Forget the oldest finished imports: more than `KEPT_EACH` of this caller, and more than `KEPT` of all callers."""
        finished = [run for run in self._runs.values() if run.state != "running"]
        own = [run for run in finished if run.actor.name == actor.name]
        for old in {*own[: max(0, len(own) - KEPT_EACH)], *finished[: max(0, len(finished) - KEPT)]}:
            del self._runs[old.id]
        self._keys = {key: run for key, run in self._keys.items() if run.id in self._runs}

    def _play(self, run: _Run, checked: CheckedFile, caller: Caller) -> None:
        def before(step: str) -> None:
            run.step, run.rounds_done = step, story.rounds
            if self._closing.is_set():
                raise _Stopped(say("the server is shutting down"))
            if time.monotonic() > run.until:
                raise _Stopped(say("the import exceeded its time limit of {seconds} s", seconds=int(SECONDS)))

        try:
            assert self.connect is not None, "refused before"
            with self.connect(caller.token, caller.language) as client:
                story = FileImport(checked.hall, checked.id, client, run.tell, before, checked.order)
                story.run()
            run.rounds_done = story.rounds
            run.tell(remarks.size_of(run.tournament, run.players, run.rounds))
            run.state = "done"
        except (ClientError, _Stopped) as error:
            run.problem = say("{file}, {step}: {error}", file=run.file, step=step_words(run.step), error=_reason(error))
            run.state = "refused" if isinstance(error, Refused) and error.status in _REFUSALS else "stopped"
        except Exception:
            _log.exception("an import failed", tournament=run.tournament, step=run.step)
            failed = say("the import failed because of an internal error")
            run.problem = say("{file}, {step}: {error}", file=run.file, step=step_words(run.step), error=failed)
            run.state = "stopped"
        finally:
            _log.info(
                "import", tournament=run.tournament, actor=run.actor.name, state=run.state, step=run.step,
                rounds=run.rounds_done,
            )  # fmt: skip
            with self._lock:
                self._threads.discard(threading.current_thread())


def _reason(error: Exception) -> Message:
    """Return why a step failed. A reused idempotency key means that another file was imported under this ID."""
    if isinstance(error, Refused) and error.code == "idempotency-key-reused":
        return say("another file was imported with this ID before: choose another ID, or send that file again")
    if isinstance(error, Refused) and error.detail:
        return say("{title}: {detail}", title=error.title, detail=error.detail)
    return message_of(error)


def _bad_file(why: Message, where: str | None) -> Problem:
    return Problem(422, "bad-report-file", say("The file cannot be imported"), why, where=where)


def _full() -> Problem:
    return unavailable("imports-full", say("too many files are being imported; try again later"), 5)


def _digest(sent: SentReport) -> bytes:
    options = (sent.id, sent.encoding, sent.tiebreaks, sent.regulations, sent.game)
    parts = (sent.name, *(option or "" for option in options))
    return sha256("\x00".join(parts).encode() + b"\x00" + sent.content).digest()
