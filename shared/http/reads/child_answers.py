"""Expensive answers to readers without a token, made one at a time in a child process.

The child has an app of its own that follows the log. A thread of the server would compete with commands for the interpreter,
and could not be ended. Measured on two busy cores with 100 readers who ask for expensive answers: the p99 of commands was 30 to
321 ms (median 102) with threads, and 21 to 71 ms (median 45) with the child, which made one and a half times as many answers.
"""

import threading
from collections.abc import Callable, Hashable
from functools import lru_cache
from http import HTTPStatus
from io import BytesIO
from typing import Any, NamedTuple

from flask import Flask, Response, g, request

from shared import structured_log
from shared.core.language.messages import message_of, say
from shared.desk.computations.child_process import ChildProcess, Exhausted
from shared.desk.requests import Behind
from shared.http.limits.rate_limits import Limits
from shared.http.problems import unavailable
from shared.http.requests.app_context import EXTENSION, Context, current_context
from shared.http.requests.auth import COOKIE, identity

_NICE = 3
"""Pairings go first, audits and previews later."""
_INVALID = "Bearer invalid"
_AGAIN_SECONDS, _TOO_LARGE_SECONDS = 2, 60


class Made(NamedTuple):
    """An answer of the child."""

    status: str
    headers: list[tuple[str, str]]
    body: bytes


class ChildAnswers:
    """The answers that the child of a server makes with the app that ``make_app`` returns for ``arguments``.

    An answer has ``limits.audit_seconds`` and ``limits.audit_memory``.
    """

    def __init__(self, limits: Limits, make_app: Callable[..., Flask], *arguments: Hashable) -> None:
        self._make_app = make_app, *arguments
        self._child = ChildProcess(seconds=limits.audit_seconds, memory=limits.audit_memory << 20, nice=_NICE)
        self.has_started = threading.Event()
        self._starting = threading.Lock()

    def start(self) -> None:
        """Start the child in the background, unless that is done already. It takes about two seconds of CPU."""
        if self._starting.acquire(blocking=False):
            threading.Thread(target=self._prepare, name="child-answers", daemon=True).start()

    def _prepare(self) -> None:
        try:
            self._child.run(prepare, self._make_app)
            self.has_started.set()
        except Exception as problem:  # the next answer tries again
            structured_log.logger().warning("no-child-yet", why=str(problem))
        finally:
            self._starting.release()

    def answer(self) -> Response | None:
        """Return the child's answer to the current request, whose reader has no valid token.

        Return None before the child has started for the first time. The first request starts it, since many servers need no
        child. Later requests wait for a new child, so that the request that ended the former one is not answered in the server.

        Raises `Problem`: 401 if it requires a token, 503 if it takes too much time or memory, or if the child cannot be started
        or dies.
        """
        if not self.has_started.is_set():
            self.start()
            return None
        try:
            made = self._child.run(answer_here, self._make_app, _environ(), request.get_data())
        except Exhausted as problem:
            self.start()
            detail = say("{problem}; a response to a valid token has no such limit", problem=message_of(problem))
            raise unavailable("answer-too-large", detail, _TOO_LARGE_SECONDS) from None
        except Behind as problem:
            self.start()
            raise unavailable("not-computed", message_of(problem), _AGAIN_SECONDS) from None
        answer = Response(made.body, made.status, made.headers)
        if answer.status_code == HTTPStatus.UNAUTHORIZED:
            identity()  # raises what is wrong with a token, which the child does not know
        if answer.status_code == HTTPStatus.INTERNAL_SERVER_ERROR:
            current_context().metrics.crashes.inc()
        return answer

    def end(self) -> None:
        """End the child without waiting for its answer."""
        self._child.end()


def answer_by_child(app: Flask, make_reading_app: Callable[..., Flask], *arguments: Hashable) -> None:
    """Make the expensive answers of an app to readers without a token in a child process, which starts with the first.

    The child's app is ``make_reading_app(*arguments)``, which are picklable.
    """
    context: Context = app.extensions[EXTENSION]
    child = ChildAnswers(context.limits, make_reading_app, *arguments)
    context.ask_child = child.answer
    context.closers.append(child.end)


def _environ() -> dict[str, str]:
    """Return the environ of the current request for the child, without its token.

    The token is not valid here. The child, which may learn later that it was revoked, never sees it.
    """
    environ = {name: value for name, value in request.environ.items() if type(value) is str}
    environ["HTTP_X_REQUEST_ID"] = g.request_id
    if "HTTP_AUTHORIZATION" in environ:
        environ["HTTP_AUTHORIZATION"] = _INVALID
    cookies = environ.pop("HTTP_COOKIE", "").split(";")
    environ["HTTP_COOKIE"] = ";".join(one for one in cookies if not one.partition("=")[0].strip().endswith(COOKIE))
    return environ


@lru_cache(maxsize=1)
def _app_of(make_app: Callable[..., Flask], *arguments: Hashable) -> Flask:
    app = make_app(*arguments)
    app.config["PROPAGATE_EXCEPTIONS"] = True
    app.register_error_handler(MemoryError, _leave_to_the_parent)
    return app


def prepare(make_app: tuple[Any, ...]) -> None:
    """Make the app of this child process."""
    _app_of(*make_app)


def answer_here(make_app: tuple[Any, ...], environ: dict[str, str], body: bytes) -> Made:
    """Answer a request in this child process."""
    streams = {"wsgi.input": BytesIO(body), "wsgi.errors": None, "wsgi.version": (1, 0), "wsgi.multithread": False}
    whole = environ | streams | {"CONTENT_LENGTH": str(len(body)), "wsgi.multiprocess": True, "wsgi.run_once": False}
    answer = Response.from_app(_app_of(*make_app), whole, buffered=True)
    return Made(answer.status, list(answer.headers), answer.get_data())


def _leave_to_the_parent(problem: MemoryError) -> Response:
    """Raise the error again, so that the parent replaces a child that reached its limit of memory."""
    raise problem
