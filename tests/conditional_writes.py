"""Writes that rest on what their caller has seen, sent as a careful caller sends them."""

from typing import Any

from deploy.cli.client import Answer, Caller

_TURNS = 50


def post_with_if_match(caller: Caller, tournament: str, path: str, body: Any) -> Answer:
    """POST with the ETag of a tournament (its path) as ``If-Match``.

    After a 412 the log had moved on: the tournament is read anew, as of the line that the refusal names or later, and
    the write sent again. Any other answer is the caller's.
    """
    seen = tournament
    for _ in range(_TURNS):
        read = caller.call("GET", seen)
        if read.status == 503:  # what it is read from has not that line yet
            continue
        assert read.status == 200, read.problem
        answer = caller.call("POST", path, body, {"If-Match": read.headers["etag"]})
        if answer.status != 412:
            return answer
        seen = f"{tournament}?after={answer.json['seq']}"
    raise AssertionError(f"{path}: the log of {tournament} moved on {_TURNS} times, or was never read so far")
