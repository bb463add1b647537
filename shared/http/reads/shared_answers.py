"""Answers that all readers without a token have together: made once for each line of the log, however many ask at once."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotInTime
from typing import NamedTuple

from flask import Flask, Response, current_app, g, request

from shared.http.language import language
from shared.http.limits import rate_limits
from shared.http.limits.turns import COMPUTING
from shared.http.requests.app_context import current_context, current_operation
from shared.http.requests.auth import session_cookie

SECONDS = 1.0
"""The greatest age of an answer in seconds. Facts outside the log of its tournament may be this old on a page."""
_WAIT_SECONDS = 5.0
_MOST = 256  # answers kept: more would hold old tables in memory for nobody
_OWN = frozenset(("X-Request-Id", "Date", rate_limits.LEFT))

_NAME = "shared-answers"

Key = tuple[str, str, str, int]
"""Address, language, encoding, and the tournament's last event."""
ARGUMENTS = frozenset(("at", "board", "by", "from", "pause", "q", "show", "since", "to", "without"))
"""The arguments that these pages read. A page ignores all others, so a key does not contain them."""
_ENCODINGS = ("br", "gzip")


class Kept(NamedTuple):
    """An answer as it went out, and until when it is given again."""

    content: bytes
    headers: list[tuple[str, str]]
    until: float


class SharedAnswers:
    """The answers of a process that were asked for last. ``clock`` is monotonic, in seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._answers: OrderedDict[Key, Future[Kept | None]] = OrderedDict()

    def find(self, key: Key) -> Kept | None:
        """Return the answer, after waiting if another thread makes it. After None, the caller makes it, and then calls `keep`."""
        with self._lock:
            answer = self._answers.get(key)
            if answer is None or self._is_over(answer):
                self._answers.pop(key, None)
                self._answers[key] = Future()
                if len(self._answers) > _MOST:
                    self._answers.popitem(last=False)
                return None
        try:
            with COMPUTING.left():
                return answer.result(_WAIT_SECONDS)
        except NotInTime:
            return None

    def keep(self, key: Key, response: Response | None) -> None:
        """Keep an answer. After None, or an answer that is not for all readers, each waiting reader makes their own."""
        with self._lock:
            answer = self._answers.get(key)
            if answer is None or answer.done():
                return
            if response is None or response.status_code != 200 or "Set-Cookie" in response.headers:
                del self._answers[key]
                answer.set_result(None)
                return
            headers = [(name, value) for name, value in response.headers if name not in _OWN]
            answer.set_result(Kept(response.get_data(), headers, self._clock() + SECONDS))

    def _is_over(self, answer: "Future[Kept | None]") -> bool:
        kept = answer.result() if answer.done() else None
        return kept is not None and kept.until <= self._clock()


def configure(app: Flask, clock: Callable[[], float]) -> None:
    """Let an app have such answers."""
    app.extensions[_NAME] = SharedAnswers(clock)


def _answers() -> SharedAnswers:
    answers: SharedAnswers = current_app.extensions[_NAME]
    return answers


def shared_answer() -> Response | None:
    """Return the answer that others got to this request a moment ago, or None if it must be made, and then kept."""
    t = (request.view_args or {}).get("t")
    if not current_operation().shared or request.method != "GET" or not isinstance(t, str) or "after" in request.args:
        return None
    if "Authorization" in request.headers or session_cookie() is not None:
        return None
    chosen = not ARGUMENTS.isdisjoint(request.args)
    encoding = request.accept_encodings.best_match(_ENCODINGS) or ""
    url = request.url if chosen else request.base_url
    key = (url, language.language(), encoding, current_context().desk.seqs([t])[t])
    kept = _answers().find(key)
    if kept is None:
        g.making = key
        return None
    return Response(kept.content, headers=kept.headers)


def keep_answer(response: Response | None) -> None:
    """Give the answer of this request to all readers who wait for the same one. After None, each makes their own.

    A page links to itself with all its arguments, so one with unknown arguments is its reader's only.
    """
    key: Key = g.pop("making")
    if response is not None:
        same_encoding = response.headers.get("Content-Encoding", "") in ("", key[2])
        if not same_encoding or (request.args and ARGUMENTS.isdisjoint(request.args)):
            response = None
    _answers().keep(key, response)
