"""Answers to commands with the IDs of their events in place of the events (``?events=false``)."""

import msgspec
from flask import request

from shared.http.requests.request_parts import flag

_IDS = {"events": "event_ids", "consequences": "consequence_ids"}
"""Member of an answer that lists events -> the member that lists their IDs."""


class _Event(msgspec.Struct):
    id: str


def wants_events() -> bool:
    """Return whether the answer contains its events. Raises `Problem` 400 for a value other than ``true`` and ``false``."""
    return flag("events", default=True)


def without_events(body: bytes) -> bytes:
    """Return a command's answer with empty lists of events, and the IDs of these events."""
    answer = msgspec.json.decode(body, type=dict[str, msgspec.Raw])
    light: dict[str, object] = {**answer}
    for member, ids in _IDS.items():
        if member in answer:
            listed = msgspec.json.decode(answer[member], type=list[_Event])
            light |= {member: [], ids: [event.id for event in listed]}
    return msgspec.json.encode(light)


def query_of_command() -> bytes:
    """Return the query without ``events``, which only shapes the answer: a repeated request may choose another shape."""
    return b"&".join(part for part in request.query_string.split(b"&") if part.partition(b"=")[0] != b"events")
