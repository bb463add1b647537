"""RFC 9457 problem documents: every error of the HTTP edge, and every refusal, becomes one here."""

import json
import re
from collections.abc import Callable
from typing import Any, Literal

from flask import Response

from shared.core.language.messages import Message, say
from shared.core.terms import Refusal, RefusalKind
from shared.http.language import language
from shared.http.language.library_sentences import library_sentence

MEDIA = "application/problem+json"
_TYPE = "urn:arbiter:problem:"
STATUS_ONLY, STATUS_PAGE = "http-", "http-status"
"""The beginning of codes that repeat a rare HTTP status, and the code whose page explains all of them."""
_INVALID = 422
_FIELD = re.compile(r"[a-z_]+(\[\d+\])*(\.[\w.]+(\[\d+\])*)*")
"""A field of a body, as refusals name it. Others name a place of a file."""
_BY_PATH = ("changes",)
"""Fields whose members have names with periods."""
_FULL_SECONDS = 60
"""When to come again to a log without room."""
REFUSALS: dict[RefusalKind, tuple[int, Message]] = {
    "rule": (409, say("The rules refuse this")),
    "authority": (403, say("Not within this authority")),
    "unknown": (404, say("No such thing here")),
    "invalid": (422, say("Not a valid command")),
}


class Problem(Exception):
    """An error that is reported to the caller: raise it anywhere in a route.

    ``code`` is a stable kebab-case slug, the last part of the document's ``type``;
    ``headers`` go onto the response, ``extra`` into the document. ``written``: whether what was sent may have been written
    all the same.
    """

    def __init__(
        self,
        status: int,
        code: str,
        title: Message | str,
        detail: Message | str | None = None,
        *,
        headers: dict[str, str] | None = None,
        written: Literal["no", "unknown"] = "no",
        **extra: Any,
    ) -> None:
        super().__init__(code)
        self.written = written
        self.status, self.code, self.title, self.detail = status, code, title, detail
        self.headers, self.extra = headers or {}, extra

    def document(self) -> dict[str, Any]:
        """The problem as a JSON object in the language of the request; members without a value are left out."""
        detail = None if self.detail is None else language.words(self.detail)
        title = language.words(self.title)
        extra = {name: errors_in_words(value) if name == "errors" else value for name, value in self.extra.items()}
        if self.status == _INVALID and extra.get("errors") is None:
            extra["errors"] = field_errors(extra.get("where"), detail)
        members = {
            "type": _TYPE + self.code,
            "title": title,
            "status": self.status,
            "detail": detail,
            "written": self.written,
            "help": help_path(self.code),
        }
        return {name: value for name, value in (members | extra).items() if value is not None}

    def response(self) -> Response:
        body = json.dumps(self.document(), ensure_ascii=False)
        response = Response(body, self.status, mimetype=MEDIA)
        response.headers.update(self.headers)
        response.headers["Cache-Control"] = "no-store"
        language.mark(response)
        return response


def help_path(code: str) -> str:
    """Return the address of the page that explains a problem code. Codes of rare HTTP statuses share one page."""
    return f"/problems/{STATUS_PAGE if code.startswith(STATUS_ONLY) else code}"


def field_errors(where: str | None, detail: str | None) -> dict[str, Any] | None:
    """Return the message of one field in the shape in which schemas report errors, or None if ``where`` is not a field.

    ``results[2].white`` becomes ``{"results": {"2": {"white": [detail]}}}``.
    """
    if where is None or detail is None or _FIELD.fullmatch(where) is None:
        return None
    first, _, rest = where.partition(".")
    names = [*re.findall(r"\w+", first), *([rest] if first in _BY_PATH else re.findall(r"\w+", rest))]
    errors: Any = [detail]
    for name in reversed([one for one in names if one]):
        errors = {name: errors}
    return dict(errors)


ProblemPage = Callable[[Problem], Response]
PROBLEM_PAGE = "arbiter-problem-page"
"""What an app with pages answers a browser's problems by, among its extensions."""


def errors_in_words(errors: Any) -> Any:
    """Return the errors of each field in the language of the request."""
    match errors:
        case dict():
            return {name: errors_in_words(one) for name, one in errors.items()}
        case list() | tuple():
            return [errors_in_words(one) for one in errors]
        case Message():
            return language.words(errors)
        case str():
            return language.words(library_sentence(errors))
    return errors


def refused(refusal: Refusal) -> Problem:
    """A refusal by the rules as a problem, with its article, place and where to look."""
    status, title = REFUSALS[refusal.kind]
    return Problem(
        status, refusal.code, title, refusal.detail, article=refusal.article, where=refusal.where, see=refusal.see
    )


def unknown_tournament(t: str) -> Problem:
    return Problem(404, "unknown-tournament", say("No such tournament"), say("tournament {t} does not exist", t=t))


def unknown_board(t: str, round: int, board: int) -> Problem:
    detail = say("round {round} of {t} has no board {board}", round=round, t=t, board=board)
    return Problem(404, "unknown-board", say("No such board"), detail)


def unavailable(code: str, detail: Message | str, retry_after: int = 1) -> Problem:
    """503 with ``Retry-After`` in seconds."""
    return Problem(503, code, say("Not available now"), detail, headers={"Retry-After": str(retry_after)})


def key_reused() -> Problem:
    """422 for an ``Idempotency-Key`` that came with another body before."""
    detail = say("this Idempotency-Key was already used with a different request body")
    return Problem(422, "idempotency-key-reused", say("Idempotency-Key was used before"), detail)


def log_full(detail: Message | str) -> Problem:
    """507 with ``Retry-After``: nothing was written, and somebody has to make room first."""
    title, why = (
        say("The log cannot be written, because its disk is full"),
        say("nothing was written: {problem}", problem=detail),
    )
    return Problem(507, "log-full", title, why, headers={"Retry-After": str(_FULL_SECONDS)})


def outcome_unknown(t: str, command: str) -> Problem:
    """Return the 503 for a command that may have been written, with the address in the log to look it up.

    It has no ``Retry-After``, because a repetition without the idempotency key may write the command twice.
    """
    return Problem(
        503,
        "outcome-unknown",
        say("It is not known whether this was written"),
        say("look for the command, or send it again with the same Idempotency-Key"),
        written="unknown",
        command=command,
        see=f"/v1/tournaments/{t}/commands/{command}",
    )


def too_many(detail: Message | str, wait: float) -> Problem:
    """429, with ``Retry-After`` after ``wait`` seconds."""
    headers = {"Retry-After": str(retry_after(wait))}
    return Problem(429, "too-many-requests", say("Too many requests"), detail, headers=headers)


def document_of(
    status: int, code: str, title: str, detail: str | None, written: Literal["no", "unknown"] = "no", **extra: Any
) -> dict[str, Any]:
    """Return the document of a problem that did not occur, for its explanation."""
    return Problem(status, code, title, detail, written=written, **extra).document()


def retry_after(wait: float) -> int:
    """Whole seconds after which ``wait`` seconds are over."""
    return int(wait) + 1


def too_large(limit: int) -> Problem:
    """413: a body of more than ``limit`` bytes, of which the rest is not read."""
    return of_status(413, say("the body must not have more than {limit} bytes", limit=limit), {"Connection": "close"})


def of_status(status: int, detail: Message | str | None = None, headers: dict[str, str] | None = None) -> Problem:
    """A problem that says no more than its HTTP status: unknown route, wrong method, and the like."""
    title = _TITLES.get(status)
    if title is None:
        return Problem(status, f"http-{status}", say("Http {status}", status=status), detail, headers=headers)
    return Problem(status, STATUS_CODES[status], title, detail, headers=headers)


_TITLES = {
    400: say("Bad request"),
    404: say("Not found"),
    405: say("Method not allowed"),
    408: say("Request timeout"),
    411: say("Length required"),
    413: say("Content too large"),
    414: say("Uri too long"),
    416: say("Range not satisfiable"),
    417: say("Expectation failed"),
    431: say("Request header fields too large"),
}
"""Our own, since the phrases of the statuses change from one Python to the next."""
STATUS_CODES = {status: title.text.lower().replace(" ", "-") for status, title in _TITLES.items()}
"""HTTP status -> the problem code that repeats it."""


def no_token(detail: Message | None = None) -> Problem:
    """Return the problem 401 of a request without an identity."""
    return Problem(
        401,
        "token-missing",
        say("Identity is required"),
        detail or say("send a token: Authorization: Bearer …"),
        headers={"WWW-Authenticate": 'Bearer realm="arbiter"'},
    )
