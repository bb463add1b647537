"""Calls to the services: to a running server, or to the same application in this process."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import urlsplit

from deploy.cli.failure import Failure
from deploy.cli.language import accepted

if TYPE_CHECKING:
    from flask.testing import FlaskClient

SECONDS = 120
NDJSON = {"Accept": "application/x-ndjson"}


@dataclass(frozen=True, slots=True)
class Answer:
    """Status, headers in lower case, and content of an answer."""

    status: int
    headers: Mapping[str, str]
    content: bytes

    @property
    def json(self) -> dict[str, Any]:
        """The JSON object that it is, else an empty one."""
        try:
            value = json.loads(self.content)
        except ValueError:
            return {}
        return value if isinstance(value, dict) else {}

    @property
    def problem(self) -> str:
        """What went wrong, in one line."""
        problem = self.json
        title, detail = problem.get("title", f"status {self.status}"), problem.get("detail")
        errors = f" {json.dumps(problem['errors'], ensure_ascii=False)}" if problem.get("errors") else ""
        return f"{title}: {detail}{errors}" if detail else f"{title}{errors}"


class Caller(Protocol):
    """Whoever can make a call."""

    def call(self, method: str, path: str, body: Any = None, headers: Mapping[str, str] | None = None) -> Answer: ...


class Remote:
    """A running server; ``token`` None reads what needs none."""

    def __init__(self, url: str, token: str | None) -> None:
        parts = urlsplit(url if "//" in url else f"http://{url}")
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise Failure(f"{url!r} is no address of a server")
        self._parts, self._token = parts, token

    def call(self, method: str, path: str, body: Any = None, headers: Mapping[str, str] | None = None) -> Answer:
        make = HTTPSConnection if self._parts.scheme == "https" else HTTPConnection
        connection = make(self._parts.hostname or "", self._parts.port, timeout=SECONDS)
        try:
            connection.request(
                method, self._parts.path.rstrip("/") + path, _encoded(body), _headers(self._token, headers)
            )
            response = connection.getresponse()
            content = response.read()
            return Answer(response.status, {k.lower(): v for k, v in response.getheaders()}, content)
        except (OSError, HTTPException) as error:
            raise Failure(f"{self._parts.geturl()}: no answer ({error})") from None
        finally:
            connection.close()

    def get(self, path: str, headers: Mapping[str, str]) -> bytes:
        """The content of a resource; anything but 200 ends the command."""
        answer = self.call("GET", path, None, headers)
        if answer.status != 200:
            raise Failure(f"{self._parts.geturl()}{path}: {answer.problem}")
        return answer.content


class Local:
    """The embedded application, called in this process."""

    def __init__(self, client: "FlaskClient", token: str) -> None:
        self._client, self._token = client, token

    def call(self, method: str, path: str, body: Any = None, headers: Mapping[str, str] | None = None) -> Answer:
        response = self._client.open(path, method=method, data=_encoded(body), headers=_headers(self._token, headers))
        return Answer(response.status_code, {k.lower(): v for k, v in response.headers.items()}, response.get_data())


def _encoded(body: Any) -> bytes | None:
    return None if body is None else json.dumps(body, ensure_ascii=False).encode()


def _headers(token: str | None, headers: Mapping[str, str] | None) -> dict[str, str]:
    sent = {"Content-Type": "application/json", **accepted(), **(headers or {})}
    return sent if token is None else {**sent, "Authorization": f"Bearer {token}"}
