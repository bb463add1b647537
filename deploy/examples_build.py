"""Writes the examples of the OpenAPI documents, as a real house answers them: `python -m deploy.examples_build`.

What is drawn or signed is new each time: the file stays as it is where all else is the same.
"""

import argparse
import json
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from flask import Flask

from deploy.examples_walk import NAMES, WALK, Step
from deploy.server.embedded import make_app
from shared.http.app import close
from shared.http.openapi import addresses
from shared.http.openapi_examples import FILE
from shared.http.rate_limits import Limits
from shared.http.tokens import issue

MOST = 2
"""Rows of a list that an example shows."""
_DRAWN = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{32,64}|(?<![/\w])(?!/v1/)[0-9A-Za-z+/]{40,}=*"
    r"|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.?\d*Z|\b[0-9a-f]{8}\b"
)
_DRAWN_MEMBERS = frozenset({"seed", "at", "winner", "order", "text", "initial_colour"})
"""Texts too: they are told in the order of their hashes."""


def played(app: Flask, data: Path, walk: Sequence[Step] = WALK) -> Iterator[tuple[Step, Any, Any]]:
    """Each step with its body and its answer (None: no JSON). Raises `ValueError` for another status."""
    client, kept, known = app.test_client(), dict[str, Any](), addresses(app)
    for step in walk:
        if step.operation not in known:
            continue
        method, template = known[step.operation]
        path = template.format_map({name: str(value).format_map(kept) for name, value in step.path.items()})
        headers = {"Accept": step.accept}
        if step.role is not None:
            headers["Authorization"] = f"Bearer {issue(data, step.role, NAMES[step.role])}"
        if step.seen:
            headers["If-Match"] = client.get(f"/v1/tournaments/{step.seen}").headers["ETag"]
        said = _filled(step.body, kept)
        sent: dict[str, Any] = {} if said is None else {"json": said}
        if isinstance(step.body, bytes):
            sent = {"data": step.body, "content_type": "application/octet-stream"}
        answer = client.open(path, method=method, query_string=dict(step.query), headers=headers, **sent)
        if answer.status_code != step.answers:
            raise ValueError(f"{step.operation} {path}: {answer.status_code} {answer.get_data(as_text=True)[:500]}")
        body: Any = answer.get_json(silent=True)
        for name, members in step.keep.items():
            value = body
            for member in members:
                value = value[member]
            kept[name] = value
        yield step, said, body


def _filled(body: Any, kept: Mapping[str, Any]) -> Any:
    """A body with what earlier answers said in its place."""
    if not isinstance(body, dict):
        return body
    return {name: kept.get(value[1:-1], value) if isinstance(value, str) else value for name, value in body.items()}


def examples() -> list[dict[str, Any]]:
    """One after the other: ``operation``, ``request`` (its body), ``status`` and ``answer``."""
    with tempfile.TemporaryDirectory() as folder:
        app = make_app(Path(folder), Limits(rate=0, reads=0))
        try:
            return [
                {
                    "operation": step.operation,
                    "request": None if isinstance(said, bytes) else said,
                    "status": step.answers,
                    "answer": shortened(body),
                }
                for step, said, body in played(app, Path(folder))
            ]
        finally:
            close(app)


def shortened(part: Any) -> Any:
    """An answer of which each list has its first `MOST` rows."""
    match part:
        case dict():
            return {name: shortened(value) for name, value in part.items()}
        case list():
            return [shortened(one) for one in part[:MOST]]
    return part


def settled(part: Any, name: str = "") -> Any:
    """What is the same each time."""
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
    """The file, an example a line."""
    return "[\n" + ",\n".join(json.dumps(one, ensure_ascii=False, sort_keys=True) for one in made) + "\n]\n"


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the file, unless what it has is so still; ``arguments``: in place of those of the command line."""
    argparse.ArgumentParser(prog="python -m deploy.examples_build", description="Write the examples.").parse_args(
        arguments
    )
    made = examples()
    if not FILE.exists() or settled(json.loads(FILE.read_text(encoding="utf-8"))) != settled(made):
        FILE.write_text(render(made), encoding="utf-8")


if __name__ == "__main__":
    main()
