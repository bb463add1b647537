"""RFC 9457 problem documents: every error of the HTTP edge, and every refusal, becomes one here."""

import json
from typing import Any

from flask import Response

from shared.core.terms import Refusal, RefusalKind

MEDIA = "application/problem+json"
_TYPE = "urn:arbiter:problem:"
_REFUSALS: dict[RefusalKind, tuple[int, str]] = {
    "rule": (409, "The rules refuse this"),
    "authority": (403, "Not within this authority"),
    "unknown": (404, "No such thing here"),
    "invalid": (422, "Not a valid command"),
}


class Problem(Exception):
    """An error that a caller can be told: raise it anywhere in a route.

    ``code`` is a stable kebab-case slug, the last part of the document's ``type``;
    ``headers`` go onto the response, ``extra`` into the document.
    """

    def __init__(
        self,
        status: int,
        code: str,
        title: str,
        detail: str | None = None,
        *,
        headers: dict[str, str] | None = None,
        **extra: Any,
    ) -> None:
        super().__init__(code)
        self.status, self.code, self.title, self.detail = status, code, title, detail
        self.headers, self.extra = headers or {}, extra

    def document(self) -> dict[str, Any]:
        """The problem as a JSON object; members without a value are left out."""
        members = {"type": _TYPE + self.code, "title": self.title, "status": self.status, "detail": self.detail}
        return {name: value for name, value in (members | self.extra).items() if value is not None}

    def response(self) -> Response:
        body = json.dumps(self.document(), ensure_ascii=False)
        response = Response(body, self.status, mimetype=MEDIA)
        response.headers.update(self.headers)
        response.headers["Cache-Control"] = "no-store"
        return response


def refused(refusal: Refusal) -> Problem:
    """A refusal by the rules as a problem, with its article, place and where to look."""
    status, title = _REFUSALS[refusal.kind]
    return Problem(
        status, refusal.code, title, refusal.detail, article=refusal.article, where=refusal.where, see=refusal.see
    )


def unknown_tournament(t: str) -> Problem:
    return Problem(404, "unknown-tournament", "No such tournament", f"no tournament {t} is known here")


def unavailable(code: str, detail: str, retry_after: int = 1) -> Problem:
    """503 with ``Retry-After`` in seconds."""
    return Problem(503, code, "Not available now", detail, headers={"Retry-After": str(retry_after)})


def too_many(detail: str, wait: float) -> Problem:
    """429, with ``Retry-After`` after ``wait`` seconds."""
    headers = {"Retry-After": str(int(wait) + 1)}
    return Problem(429, "too-many-requests", "Too many requests", detail, headers=headers)


def too_large(limit: int) -> Problem:
    """413: a body of more than ``limit`` bytes, of which the rest is not read."""
    return of_status(413, f"a body may have {limit} bytes", {"Connection": "close"})


def of_status(status: int, detail: str | None = None, headers: dict[str, str] | None = None) -> Problem:
    """A problem that says no more than its HTTP status: unknown route, wrong method, and the like."""
    code = _CODES.get(status, f"http-{status}")
    return Problem(status, code, code.replace("-", " ").capitalize(), detail, headers=headers)


_CODES = {
    400: "bad-request",
    404: "not-found",
    405: "method-not-allowed",
    408: "request-timeout",
    411: "length-required",
    413: "content-too-large",
    414: "uri-too-long",
    416: "range-not-satisfiable",
    417: "expectation-failed",
    431: "request-header-fields-too-large",
}
"""Our own, since the phrases of the statuses change from one Python to the next."""
