"""The answer of a server, and the errors of calls."""

import json
from dataclasses import dataclass
from typing import Any, Literal

import httpx


@dataclass(frozen=True, slots=True)
class Answer:
    """Status, headers (by their names in any case) and content of an answer."""

    status: int
    headers: httpx.Headers
    content: bytes

    @property
    def json(self) -> dict[str, Any]:
        """Return the content as a JSON object. Raises `BadAnswer` for any other content."""
        try:
            value = json.loads(self.content)
        except ValueError:
            raise BadAnswer(f"the answer is no JSON: {self.content[:80]!r}") from None
        if not isinstance(value, dict):
            raise BadAnswer(f"the answer is no JSON object: {self.content[:80]!r}")
        return value

    @property
    def etag(self) -> str:
        """Return the ETag, which a dependent command sends as ``If-Match``. A tournament's is its last event number."""
        return str(self.headers.get("etag", ""))

    @property
    def repeated(self) -> bool:
        """Whether the command had been taken before, and this is its answer again."""
        return "idempotent-replayed" in self.headers


Written = Literal["no", "unknown"]


class ClientError(Exception):
    """A call without a good answer.

    ``written``: whether what was sent may have been written all the same. Where it is ``unknown``, the same call with the
    same ``key`` (its ``Idempotency-Key``) is carried out only once and returns the outcome. For a read: no,
    without a key. ``retry_after``: seconds after which the server accepts it, if stated.
    """

    written: Written = "no"
    key: str | None = None
    retry_after: float | None = None


class BadAnswer(ClientError):
    """An answer that is not what the interface has."""


class NoAnswer(ClientError):
    """The server did not answer, for as long as the client's patience is."""


class Problem(ClientError):
    """The server refused: a problem document (RFC 9457), or what somebody between answered in its place.

    ``code`` is the last part of the document's ``type`` (``result-exists``), or empty without a document.
    """

    def __init__(self, status: int, headers: httpx.Headers, content: bytes, *, command: bool) -> None:
        self.status, self.headers, self.document = status, headers, _document(content)
        self.code = str(self.document.get("type", "")).rpartition(":")[2]
        self.title = str(self.document.get("title", f"status {status}"))
        self.detail = str(self.document.get("detail", ""))
        self.retry_after = _seconds(headers.get("retry-after"))
        self.written = _written(self.document, status) if command else "no"
        super().__init__(self._line())

    def _line(self) -> str:
        """Return the problem in one line, with the wrong fields."""
        errors = self.document.get("errors")
        told = f"{self.title}: {self.detail}" if self.detail else self.title
        return f"{told} {json.dumps(errors, ensure_ascii=False)}" if errors else told


def _document(content: bytes) -> dict[str, Any]:
    try:
        document = json.loads(content)
    except ValueError:
        return {}
    return document if isinstance(document, dict) else {}


def _written(document: dict[str, Any], status: int) -> Written:
    """As the document says; where somebody between speaks for the server, unknown from 500 on."""
    if document.get("written") in ("no", "unknown"):
        return "no" if document["written"] == "no" else "unknown"
    return "unknown" if status >= 500 else "no"


def _seconds(header: str | None) -> float | None:
    return float(header) if header is not None and header.isascii() and header.isdigit() else None
