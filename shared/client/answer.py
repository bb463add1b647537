"""A good answer of a server."""

import json
from dataclasses import dataclass
from typing import Any

import httpx

from .errors import BadAnswer


@dataclass(frozen=True, slots=True)
class Answer:
    """Status, headers (by their names in any case) and content of an answer."""

    status: int
    headers: httpx.Headers
    content: bytes

    @property
    def json(self) -> dict[str, Any]:
        """The JSON object that it is. Raises `BadAnswer` where it is none."""
        try:
            value = json.loads(self.content)
        except ValueError:
            raise BadAnswer(f"the answer is no JSON: {self.content[:80]!r}") from None
        if not isinstance(value, dict):
            raise BadAnswer(f"the answer is no JSON object: {self.content[:80]!r}")
        return value

    @property
    def etag(self) -> str:
        """What a command that depends on what was read sends as ``If-Match``; of a tournament the number of its last line."""
        return str(self.headers.get("etag", ""))

    @property
    def repeated(self) -> bool:
        """Whether the command had been taken before, and this is its answer again."""
        return "idempotent-replayed" in self.headers
