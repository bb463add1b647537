"""Calls to a server of Arbiter that are made until they are answered, and done once."""

import json
import uuid
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, Self
from urllib.parse import quote

import httpx

from .answer import Answer
from .errors import ClientError, NoAnswer, Problem
from .patience import Attempts, no_answer
from .stream import MEDIA, Line, Place, lines_of


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
        """What stands at a path (``/v1/tournaments/open``), in a media type. Raises `ClientError`."""
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
        """The answer to a command that takes something away. Raises `ClientError`."""
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
