"""Writes the examples of the OpenAPI documents, from the responses of a real server: `python -m deploy.build.examples_build`.

Random and signed values differ each time. The file is kept if everything else is the same.
"""

import argparse
import json
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from flask import Flask

from deploy.build.examples_walk import NAMES, WALK, Step
from deploy.build.openapi_build import scratch_app
from shared.http.identity.tokens import issue
from shared.http.limits.rate_limits import Limits
from shared.http.openapi.openapi import addresses
from shared.http.openapi.operation_texts import EXAMPLES as FILE

_LOOK_SECONDS = 0.02
MOST = 2
"""Rows of a list that an example shows."""
_DRAWN = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{32,64}|(?<![/\w])(?!/v1/)[0-9A-Za-z+/]{40,}=*"
    r"|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.?\d*(?:Z|\+00:00)|\b[0-9a-f]{8}\b"
)
_DRAWN_MEMBERS = frozenset({"seed", "at", "winner", "order", "text", "initial_colour", "secret"})
"""Members whose values differ in every run. ``text`` is one of them, because responses list texts in the order of their hashes.
A ``secret`` belongs to the installation that the run creates."""
_BEARER = "eyJhbGciOiJFZERTQSIsImtpZCI6IjEyMzQ1Njc4In0.…"
"""The example of a bearer token. A real one would look like a leaked secret to programs that search for them."""


class Client(Protocol):
    """A function that sends a request, in this process or over a network, and returns status, headers and body."""

    def __call__(
        self, method: str, path: str, query: Mapping[str, Any], headers: Mapping[str, str], body: bytes
    ) -> tuple[int, Mapping[str, str], bytes]: ...


def client_of(app: Flask) -> Client:
    """Return a `Client` that sends requests to a Flask application in this process."""
    inside = app.test_client()

    def sent(
        method: str, path: str, query: Mapping[str, Any], headers: Mapping[str, str], body: bytes
    ) -> tuple[int, Mapping[str, str], bytes]:
        answer = inside.open(path, method=method, query_string=dict(query), headers=dict(headers), data=body)
        return answer.status_code, dict(answer.headers), answer.get_data()

    return sent


def played(
    client: Client, known: Mapping[str, tuple[str, str]], data: Path, walk: Sequence[Step] = WALK
) -> Iterator[tuple[Step, Any, Any]]:
    """Yield each step with the body of its request and its JSON response, or None if the response is not JSON.

    Steps of operations that are not in ``known`` are skipped. Raises `ValueError` if a response has an unexpected status.
    ``known``: method and address by operation, as `addresses` returns them. ``data``: data folder that issues the tokens.
    """
    kept = dict[str, Any]()
    for step in walk:
        if step.operation not in known:
            continue
        method, template = known[step.operation]
        path = template.format_map({name: str(value).format_map(kept) for name, value in step.path.items()})
        headers = {"Accept": step.accept}
        if step.role is not None:
            headers["Authorization"] = f"Bearer {issue(data, step.role, NAMES[step.role])}"
        if step.seen:
            headers["If-Match"] = client("GET", f"/v1/tournaments/{step.seen}", {}, {}, b"")[1]["ETag"]
        said = _filled(step.body, kept)
        if said is not None:
            headers["Content-Type"] = "application/octet-stream" if isinstance(said, bytes) else "application/json"
        sent = said if isinstance(said, bytes) else b"" if said is None else json.dumps(said).encode()
        status, told, content = client(method, path, step.query, headers, sent)
        if status != step.answers:
            raise ValueError(f"{step.operation} {path}: {status} {content.decode()[:500]}")
        body: Any = json.loads(content) if told.get("Content-Type", "").endswith("json") else None
        while step.waits and body["state"] == "running":
            time.sleep(_LOOK_SECONDS)
            body = json.loads(client(method, path, step.query, headers, sent)[2])
        for name, members in step.keep.items():
            value = body
            for member in members:
                value = value[member]
            kept[name] = value
        yield step, said, body


def _filled(body: Any, kept: Mapping[str, Any]) -> Any:
    """Return a body with the values of earlier responses filled in."""
    if not isinstance(body, dict):
        return body
    return {name: kept.get(value[1:-1], value) if isinstance(value, str) else value for name, value in body.items()}


def examples() -> list[dict[str, Any]]:
    """One after the other: ``operation``, ``request`` (its body), ``status`` and ``answer``."""
    with scratch_app(Limits(rate=0, reads=0)) as (app, folder):
        return [
            {
                "operation": step.operation,
                "request": None if isinstance(said, bytes) else said,
                "status": step.answers,
                "answer": shortened(body),
            }
            for step, said, body in played(client_of(app), addresses(app), folder)
        ]


def shortened(part: Any) -> Any:
    """Return a response with only the first `MOST` rows of each list, and without its bearer tokens."""
    match part:
        case dict():
            return {name: _BEARER if name == "token" else shortened(value) for name, value in part.items()}
        case list():
            return [shortened(one) for one in part[:MOST]]
    return part


def settled(part: Any, name: str = "") -> Any:
    """Return a response without the values that differ in every run."""
    match part:
        case dict():
            return {key: settled(value, key) for key, value in part.items()}
        case list():
            return [settled(one, name) for one in part]
        case int() | str() if name in _DRAWN_MEMBERS:
            return None
        case str():
            return _DRAWN.sub("…", part)
    return part


def render(made: list[dict[str, Any]]) -> str:
    """Return the text of the file, with one example per line."""
    return "[\n" + ",\n".join(json.dumps(one, ensure_ascii=False, sort_keys=True) for one in made) + "\n]\n"


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the file, unless what it has is so still; ``arguments``: in place of those of the command line."""
    argparse.ArgumentParser(prog="python -m deploy.build.examples_build", description="Write the examples.").parse_args(
        arguments
    )
    made = examples()
    if not FILE.exists() or settled(json.loads(FILE.read_text(encoding="utf-8"))) != settled(made):
        FILE.write_text(render(made), encoding="utf-8")


if __name__ == "__main__":
    main()
