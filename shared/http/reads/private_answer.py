"""Answers that no cache keeps: secrets, and what changes while the log stays as it is."""

import msgspec
from flask import Response

from shared.wire.answer import Answer


def private_answer(answer: Answer, status: int = 200, location: str | None = None) -> Response:
    """Return an answer as JSON that nobody stores. ``location``: the address of the new resource."""
    response = Response(msgspec.json.encode(answer), status, mimetype="application/json")
    response.headers["Cache-Control"] = "no-store"
    if location is not None:
        response.headers["Location"] = location
    return response
