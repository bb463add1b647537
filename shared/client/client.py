"""Calls to a server of Arbiter that are made until they are answered, and done once."""

import json
import time
import uuid
from collections.abc import Iterator, Mapping
from contextlib import suppress
from secrets import SystemRandom
from typing import Any, Self
from urllib.parse import quote

import httpx

from .errors import Answer, ClientError, NoAnswer, Problem, Written
from .stream import MEDIA, Line, Place, lines_of

_FIRST_SECONDS, _LAST_SECONDS = 0.1, 5.0
_NOT_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.ProxyError)
_PASSING = frozenset((429, 502, 503, 504, 507))
"""Statuses after which a later attempt may succeed."""
_DECIDED = frozenset((409, 412, 422))
"""Refusals of a server that had looked the key up before: an earlier attempt was not taken."""
_random = SystemRandom()


class Attempts:
    """The attempts of one call: `wait` before each next one, until ``seconds`` are over."""

    def __init__(self, seconds: float, key: str | None) -> None:
        self._seconds, self._key = seconds, key
        self._written: Written = "no"
        self.renew()

    def renew(self) -> None:
        """Start again, since data arrived."""
        self._until, self._pause = time.monotonic() + self._seconds, _FIRST_SECONDS

    def wait(self, trouble: ClientError, *, worthwhile: bool) -> None:
        """Wait before the next attempt.

        Raises ``trouble``, completed by the earlier attempts, if another attempt would not help or is not ``worthwhile``,
        because the server was never reached.
        """
        pause = self._pause_after(trouble)
        if self._key is None or (isinstance(trouble, Problem) and trouble.status in _DECIDED):
            self._written = "no"
        elif trouble.written == "unknown":
            self._written = "unknown"
        trouble.written, trouble.key = self._written, self._key
        if pause is None or not worthwhile or time.monotonic() + pause > self._until:
            raise trouble
        time.sleep(pause)

    def _pause_after(self, trouble: ClientError) -> float | None:
        """Return the seconds before the next attempt, or None if its answer would be the same."""
        if isinstance(trouble, Problem) and trouble.status not in _PASSING and trouble.written == "no":
            return None
        if trouble.retry_after is not None:
            return trouble.retry_after
        self._pause, pause = min(2 * self._pause, _LAST_SECONDS), self._pause
        return pause * _random.uniform(0.5, 1.0)


def no_answer(address: str, error: httpx.RequestError) -> NoAnswer:
    """Return the error of a failed exchange. A request may have arrived if a connection was made."""
    trouble = NoAnswer(f"{address}: no answer ({error or type(error).__name__})")
    trouble.written = "no" if isinstance(error, _NOT_SENT) else "unknown"
    return trouble


class Client:
    """A server at ``url`` (``https://arbiter.example``; without a scheme: http), as the holder of ``token`` sees it.

    A command bears an ``Idempotency-Key``. What was not answered (a connection cut, a server killed), may or may not have
    been written, or is to be asked later (429, 503, 507 with ``Retry-After``) is sent again with the same key, for
    ``patience`` seconds: it is done once. A server that has never been reached is not waited for.
    ``timeout``: seconds in which an answer begins. ``headers`` go with every call (``Accept-Language``). ``transport`` is
    httpx's, for an application in this process. Several threads may use one client. Raises ValueError for an address that
    is none.
    """

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        patience: float = 60.0,
        timeout: float = 120.0,
        headers: Mapping[str, str] | None = None,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self._url, self._patience, self._reached = _address(url), patience, False
        usual = {**(headers or {}), **({} if token is None else {"Authorization": f"Bearer {token}"})}
        self._http = httpx.Client(headers=usual, timeout=timeout, transport=transport, follow_redirects=False)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def get(self, path: str, *, accept: str = "*/*") -> Answer:
        """Return the resource at a path (``/v1/tournaments/open``) in a media type. Raises `ClientError`."""
        return self._call("GET", path, None, {"Accept": accept})

    def post(self, path: str, body: Any = None, *, if_match: str | None = None, key: str | None = None) -> Answer:
        """The answer to a command, with a JSON body. ``if_match``: the `Answer.etag` of what it rests on. ``key`` names the
        command, so that a later run may send it again. Raises `ClientError`."""
        return self._call("POST", path, body, {} if if_match is None else {"If-Match": if_match}, key)

    def send(
        self, path: str, file: bytes, *, media: str = "application/octet-stream", key: str | None = None
    ) -> Answer:
        """Return the answer to a command that sends a file. ``key`` as in `post`. Raises `ClientError`."""
        return self._call("POST", path, file, {"Content-Type": media}, key)

    def delete(self, path: str, *, key: str | None = None) -> Answer:
        """Send a command that removes something and return the answer. Raises `ClientError`."""
        return self._call("DELETE", path, None, {}, key)

    def follow(self, tournament: str, after: int = 0, *, query: str = "", quiet: float = 60.0) -> Iterator[Line]:
        """A tournament's lines after one, each once and in order, as they come, for as long as they are asked for.

        A stream that ends, is cut off or shows no sign of life for ``quiet`` seconds is taken up after its last line.
        ``query`` chooses lines (``type=arbiter.result.reported.v1``). Raises `ClientError` where none comes for the client's
        patience.
        """
        path = f"/v1/tournaments/{quote(tournament, safe='')}/events"
        return self._follow(f"{path}?{query}" if query else path, after, quiet)

    def follow_sheet(self, game: str, after: int = 0, *, quiet: float = 60.0) -> Iterator[Line]:
        """The lines of a game's score sheet after one, as `follow`; ``seq`` is a line's number on the sheet."""
        return self._follow(f"/v1/games/{quote(game, safe='')}/sheet", after, quiet)

    def _follow(self, path: str, after: int, quiet: float) -> Iterator[Line]:
        address = f"{self._url}{path}"
        attempts, place = Attempts(self._patience, None), Place(after)
        while True:
            sent = {"Accept": MEDIA, "Cache-Control": "no-store", "Last-Event-ID": str(place.seq)}
            try:
                with self._http.stream("GET", address, headers=sent, timeout=httpx.Timeout(30, read=quiet)) as response:
                    self._reached = True
                    yield from lines_of(response, place)
                trouble: ClientError = NoAnswer(f"{address}: the stream ended")
            except httpx.RequestError as error:
                trouble = no_answer(address, error)
            except Problem as problem:
                trouble = problem
            if place.open:
                place.open, trouble.retry_after = False, place.retry
                attempts.renew()
            self._wait(attempts, trouble)

    def _call(self, method: str, path: str, body: Any, headers: Mapping[str, str], key: str | None = None) -> Answer:
        sent, content = dict(headers), None
        if isinstance(body, bytes):
            content = body
        elif body is not None:
            sent["Content-Type"], content = "application/json", json.dumps(body, ensure_ascii=False).encode()
        if method != "GET":
            key = sent["Idempotency-Key"] = key or uuid.uuid4().hex
        attempts = Attempts(self._patience, key)
        while True:
            try:
                return self._exchange(method, path, content, sent)
            except (NoAnswer, Problem) as trouble:
                self._wait(attempts, trouble)

    def _exchange(self, method: str, path: str, content: bytes | None, headers: Mapping[str, str]) -> Answer:
        address = f"{self._url}{path}"
        try:
            response = self._http.request(method, address, content=content, headers=headers)
        except httpx.RequestError as error:
            raise no_answer(address, error) from None
        self._reached = True
        if response.status_code >= 300:
            raise Problem(response.status_code, response.headers, response.content, command=method != "GET")
        return Answer(response.status_code, response.headers, response.content)

    def _wait(self, attempts: Attempts, trouble: ClientError) -> None:
        self._reached = self._reached or trouble.written == "unknown"
        attempts.wait(trouble, worthwhile=self._reached)


def _address(url: str) -> str:
    with suppress(httpx.InvalidURL):
        parts = httpx.URL(url if "//" in url else f"http://{url}")
        if parts.scheme in ("http", "https") and parts.host:
            return str(parts).rstrip("/")
    raise ValueError(f"{url!r} is no address of a server")
