"""Hands the audit the table source -> rules, and runs it in a child process of its own, beside the server."""

import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from hashlib import sha256
from typing import Any

from deploy.server.rules import RULES
from shared.audit.audit import Evidence, audit
from shared.audit.checkpoint import Verifies
from shared.core.messages import message_of, say
from shared.desk.child_process import ChildProcess, Exhausted
from shared.desk.desk import Desk
from shared.desk.score_sheets import score_sheets
from shared.desk.views import stream_of
from shared.http.problems import Problem, unavailable
from shared.http.rate_limits import Limits, Slots

_NICE = 10
"""Pairings go before audits."""
_KEPT = 32
_FULL_SECONDS, _AGAIN_SECONDS = 5, 60

Outcome = dict[str, Any] | Problem
Key = tuple[str, bytes]


class Audits:
    """The audits of a server: each log is audited once, however many ask.

    Its sheets are audited too where this log holds them (``sheets``); elsewhere what rests on
    them counts as not decided again. An audit has ``limits.audit_seconds`` and ``limits.audit_memory``; at most
    ``limits.audits`` requests wait for one. What comes of an audit is kept by the bytes that were audited.
    """

    def __init__(self, desk: Desk, key: Verifies, limits: Limits, *, sheets: bool = True) -> None:
        self._desk, self._key, self._sheets = desk, key, sheets
        self._child = ChildProcess(seconds=limits.audit_seconds, memory=limits.audit_memory << 20, nice=_NICE)
        self._places = Slots(limits.audits)
        self._lock = threading.Lock()
        self._kept: OrderedDict[Key, Future[Outcome]] = OrderedDict()

    def report(self, t: str) -> dict[str, Any]:
        """The audit of a tournament as ``GET …/audit`` answers it.

        Raises `Problem` 503 where too many wait, or where it takes more time or memory than it may; `Behind`
        where its child died.
        """
        if not self._places.take():
            raise unavailable("audits-full", say("as many audits are waited for as this service takes"), _FULL_SECONDS)
        try:
            outcome = self._outcome(t)
        finally:
            self._places.give_back()
        if isinstance(outcome, Problem):
            raise outcome.with_traceback(None)
        return outcome

    def crossings(self, t: str) -> list[Any]:
        """The integrity list of a tournament: its crossings, each with ``seq``, ``why`` and ``noted``. Raises as `report`."""
        listed: list[Any] = self.report(t)["crossings"]
        return listed

    def _outcome(self, t: str) -> Outcome:
        # The log first: its digests then cover lines that the sheets hold by now.
        lines = [row.line for row in self._desk.lines(stream_of(t))]
        sheets = dict(score_sheets(self._desk, t)) if self._sheets else None
        key = t, _digest(lines, sheets)
        with self._lock:
            running = self._kept.get(key)
            if running is None:
                run = self._kept[key] = Future()
                if len(self._kept) > _KEPT:
                    self._kept.popitem(last=False)
            else:
                self._kept.move_to_end(key)
        if running is not None:
            return running.result()
        try:
            run.set_result(self._run(lines, sheets))
        except BaseException as problem:
            with self._lock:
                self._kept.pop(key, None)
            run.set_exception(problem)
        return run.result()

    def _run(self, lines: Sequence[bytes], sheets: Mapping[str, Sequence[bytes]] | None) -> Outcome:
        try:
            return self._child.run(decided_again, lines, sheets, self._key)
        except Exhausted as problem:  # it would again: that is kept too
            return unavailable(
                "audit-too-large",
                say("{problem}; `arbiter verify` has no such limit", problem=message_of(problem)),
                _AGAIN_SECONDS,
            )

    def end(self) -> None:
        """End the child; what it computes is not waited for."""
        self._child.end()


def _digest(lines: Sequence[bytes], sheets: Mapping[str, Sequence[bytes]] | None) -> bytes:
    """Of all bytes that an audit reads."""
    digest = sha256(b"\n".join(lines))
    for game, sheet in sorted((sheets or {}).items()):
        digest.update(b"\x00" + game.encode() + b"\x00" + b"\n".join(sheet))
    return digest.digest()


def decided_again(
    lines: Sequence[bytes], sheets: Mapping[str, Sequence[bytes]] | None, key: Verifies
) -> dict[str, Any]:
    """The whole audit of bytes; runs in the child process."""
    return audit(lines, RULES, Evidence(sheets=sheets, keys=(key,))).as_json()
