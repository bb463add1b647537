"""A tournament's lines as they come, from server-sent events whose ids are their numbers."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import httpx
from httpx_sse import EventSource, SSEError

from .errors import BadAnswer, Problem

MEDIA = "text/event-stream"


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the log: its number, its event's type, and its text as it was written."""

    seq: int
    type: str
    text: str

    @property
    def event(self) -> dict[str, Any]:
        """The CloudEvent that it is."""
        value: dict[str, Any] = json.loads(self.text)
        return value


@dataclass(slots=True)
class Place:
    """How far a reader is: after line ``seq``; ``open``: the server tells him lines. Cut off, he comes back after ``retry``
    seconds, as the server asks."""

    seq: int
    open: bool = False
    retry: float = 1.0


def lines_of(response: httpx.Response, place: Place) -> Iterator[Line]:
    """The lines of a live answer until it ends, each noted in ``place``. Raises `Problem`, `BadAnswer` and
    `httpx.RequestError`."""
    if response.status_code != 200:
        raise Problem(response.status_code, response.headers, response.read(), command=False)
    place.open = True
    try:
        for event in EventSource(response).iter_sse():
            if event.retry is not None:
                place.retry = event.retry / 1000
            if event.data:
                line = Line(int(event.id), event.event, event.data)
                place.seq = line.seq
                yield line
    except (SSEError, ValueError) as problem:
        raise BadAnswer(f"the answer is no stream of lines: {problem}") from None
