"""Reads of a tournament: as of an event (``?at``), not before one (``?after``), or without a ruling (``?without``)."""

from dataclasses import replace
from typing import Any

import msgspec
from flask import Response, request
from marshmallow import Schema, fields

from shared.core.language.messages import MessageFact, message_of, say
from shared.core.readings.authority import Permit, permit_any
from shared.core.terms import Actor, RulingId
from shared.core.values.bounds import HIGHEST
from shared.desk.desk import Behind, BeyondEnd, Desk, View
from shared.desk.requests import unknown_official
from shared.http.problems import Problem, refused, unavailable, unknown_tournament
from shared.http.requests.app_context import current_operation
from shared.http.requests.request_parts import etag, load, unchanged
from shared.http.requests.waits import has_waited
from shared.wire.answer import Answer

AT = {"at": "Log position: return the state as of the event with this `seq`. Default: the last event."}
POINT = AT | {"after": "Wait until the event with this `seq` is available (read your own writes)."}
VIEW = POINT | {"without": "Comma-separated IDs of rulings to ignore (what-if view)."}
"""Parameters of the query that choose a state of the log, with their descriptions."""
_PAST = frozenset({"at", "to"})


class ReadQuery(Schema):
    """The point to which the log is read, and the rulings that are ignored, as `view` reads them."""

    at = fields.Integer(metadata={"description": VIEW["at"], "minimum": 1, "maximum": HIGHEST})
    after = fields.Integer(metadata={"description": VIEW["after"], "minimum": 0})
    without = fields.Raw(metadata={"description": VIEW["without"], "type": "string"})


def number(name: str, low: int, high: int = HIGHEST) -> int | None:
    """Return a whole number of the query, or None if it is absent. Raises `Problem` 422 for anything else."""
    text = request.args.get(name)
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= 16 and low <= int(text) <= high):
        facts: dict[str, MessageFact] = {"name": name, "low": low, "high": high}
        wrong = (
            (
                say("{name} must be a whole number, at least {low}", **facts),
                say("must be a whole number, at least {low}", **facts),
            )
            if high == HIGHEST
            else (
                say("{name} must be a whole number from {low} to {high}", **facts),
                say("must be a whole number from {low} to {high}", **facts),
            )
        )
        raise Problem(422, "bad-query", say("Bad query"), wrong[0], errors={name: [wrong[1]]})
    return int(text)


def query() -> dict[str, Any]:
    """Return the query, loaded by the schema that the route declares (each name once). Raises `Problem` 422 with ``errors``."""
    schema = current_operation().query
    if not isinstance(schema, type):
        raise LookupError(f"the route {request.endpoint} declares no schema of its query")
    return load(schema, {name: values[0] if len(values) == 1 else values for name, values in request.args.lists()})


def tournament_of(g: str) -> str:
    """Return the tournament of a game ID, ``T.<pairing>.<board>``. Raises `Problem` 404 if the ID has another form."""
    t, *numbers = g.rsplit(".", 2)
    if len(numbers) != 2 or not t or not all(n.isascii() and n.isdigit() for n in numbers):
        raise Problem(
            404,
            "unknown-game",
            say("No such game"),
            say("a game ID must consist of tournament, pairing and board, such as T.1.4"),
        )
    return t


def view(desk: Desk, t: str) -> View:
    """Return the tournament that this request asks for, according to ``?at``, ``?after`` and ``?without``.

    Raises `Problem`: 404 for an unknown tournament or ruling, or for an event beyond the end, 422 for an invalid query,
    503 if the log has not reached ``after``, or if too many requests wait for that.
    """
    at, after = number("at", 1), number("after", 0)
    if at is not None and after is not None and at < after:
        raise Problem(
            422, "bad-query", say("Bad query"), say("at lies before after"), errors={"at": [say("lies before after")]}
        )
    return _without(view_at(desk, t, at, after))


def view_at(desk: Desk, t: str, at: int | None = None, after: int | None = None) -> View:
    """Return the tournament at an event chosen by the caller. Raises `Problem` as `view` does."""
    if after is not None and has_waited() and 0 < desk.seqs([t])[t] < after:
        raise unavailable("behind", say("this server has not received event {after} yet; try again", after=after))
    try:
        seen = desk.view(t, at, after)
    except Behind as problem:
        raise unavailable("behind", message_of(problem)) from None
    except BeyondEnd as problem:
        raise Problem(404, "beyond-the-end", say("The log does not have this event"), message_of(problem)) from None
    if seen is None or seen.state.announced is None:
        raise unknown_tournament(t)
    return seen


def latest(desk: Desk, t: str) -> View:
    """Return the current tournament, not before the event in ``?after``. Raises `Problem` as `view` does."""
    return view_at(desk, t, after=number("after", 0))


def _without(seen: View) -> View:
    rulings = [one for value in request.args.getlist("without") for one in value.split(",")]
    if not rulings:
        return seen
    t = seen.state
    for ruling in rulings:
        if ruling not in t.rulings and ruling not in t.annulments:
            raise Problem(
                404,
                "unknown-ruling",
                say("No such ruling"),
                say("{id} has no ruling {ruling}", id=t.id, ruling=repr(ruling[:40])),
                where="without",
            )
    return replace(seen, state=t.without_rulings(RulingId(ruling) for ruling in rulings))


def answer(view: View, payload: Any, *, status: int = 200) -> Response:
    """Return ``payload`` as JSON with the view's ``seq`` as ETag, or 304 if ``If-None-Match`` lists that ETag."""
    return tagged(view.seq, msgspec.json.encode(payload), "application/json", status)


def asks_past() -> bool:
    """Return whether this request names an event that others may have followed."""
    return not _PAST.isdisjoint(request.args)


def tagged(seq: int, content: bytes, mimetype: str, status: int = 200) -> Response:
    """Return content of a tournament at ``seq`` with its ETag, so that clients ask for it again each time.

    Content of the past keeps its ``seq`` but changes if an erasable text in it is erased. Its ETag therefore depends on
    the content too.
    """
    tag = etag(seq, content if asks_past() else None)
    if status == 200 and unchanged(request, tag):
        response = Response(status=304)
    else:
        response = Response(content, status, mimetype=mimetype)
    response.headers["ETag"] = tag
    response.headers["Cache-Control"] = "no-cache"
    response.vary.add("Accept")
    return response


def permitted(desk: Desk, t: str, actor: Actor, act: str) -> View:
    """Return the tournament of the request, in which the caller may do this act now.

    Raises `Problem`: 403, or 503 if unread events may change the offices; those of `view`.
    """
    require_permit(desk, t, actor, permit_any(act))
    return view(desk, t)


def require_permit(desk: Desk, t: str, actor: Actor, permit: Permit) -> None:
    """Check that the log permits it now. Raises `Problem` 403 if not, or 503 if unread events may change the offices."""
    current, now = desk.caught_up(), view_at(desk, t)
    refusal = permit(now.state, actor)
    if (unread := unknown_official(refusal, current)) is not None:
        raise unavailable("behind", message_of(unread))
    if refusal is not None:
        raise refused(refusal)


def private_answer(content: Answer, status: int = 200, location: str | None = None) -> Response:
    """Return an answer as JSON that nobody stores. ``location``: the address of the new resource."""
    response = Response(msgspec.json.encode(content), status, mimetype="application/json")
    response.headers["Cache-Control"] = "no-store"
    if location is not None:
        response.headers["Location"] = location
    return response
