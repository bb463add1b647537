"""Writes as a careful caller makes them: some rest on what he has seen, some may be refused."""

from collections.abc import Callable
from typing import Any

from shared.client import Answer, Client, Problem

_TURNS = 150


def post_with_if_match(caller: Client, tournament: str, path: str, body: Any) -> Answer:
    """POST with the ETag of a tournament (its path) as ``If-Match``.

    After a 412 the log had moved on: the tournament is read anew, as of the line that the refusal names or later, and
    the write sent again. Any other refusal is the caller's.
    """
    seen = tournament
    for _ in range(_TURNS):
        try:
            return caller.post(path, body, if_match=caller.get(seen).etag)
        except Problem as problem:
            if problem.status == 503 and problem.key is None:  # what it is read from has not that line yet
                continue
            if problem.status != 412:
                raise
            seen = f"{tournament}?after={problem.document['seq']}"
    raise AssertionError(f"{path}: the log of {tournament} moved on {_TURNS} times, or was never read so far")


def outcome(call: Callable[[], Answer]) -> Answer | Problem:
    """What a call that may be refused comes to; both have a status."""
    try:
        return call()
    except Problem as problem:
        return problem
