"""The parts of a request that every route reads alike: its body by the route's schema, and its header fields.

The fields are ``If-Match``, ``If-None-Match``, ``Idempotency-Key`` and ``Prefer`` (RFC 7240).
"""

import json
import re
from functools import cache
from hashlib import sha256
from typing import Any

import msgspec
from flask import Request, Response, request
from marshmallow import RAISE, Schema, ValidationError, fields, validate
from werkzeug.http import parse_list_header

from shared.core.language.messages import say
from shared.core.terms import Actor
from shared.http.common_problems import bad_fields
from shared.http.problems import Problem, too_large
from shared.http.requests.app_context import current_context, current_operation
from shared.log.port import TRACEPARENT
from shared.wire.event_data import UNCLEAN, unclean_at

_ETAG = re.compile(r'"(0|[1-9][0-9]{0,17})(?:-[0-9a-f]{16})?"')
_KEY = re.compile(r"[\x21-\x7e]{1,200}")
_MOST_ITEMS = 1_000
"""Items of a list whose field declares no maximum."""
MINIMAL = "return=minimal"
REPRESENTATION = "return=representation"


def body() -> dict[str, Any]:
    """Return the JSON body, loaded by the schema that the route declares, or its defaults if an optional body was not sent.

    Raises `Problem`: those of `parsed`, 400 if it is not a JSON object, 422 with ``errors`` for each field that is missing,
    wrong or unknown.
    """
    declared = current_operation()
    if declared.optional_body and not request.get_data():
        return load_body({})
    sent = parsed()
    if not isinstance(sent, dict):
        raise Problem(400, "object-expected", say("Not an object"), say("the body must be a JSON object"))
    return load_body(sent)


def load_body(sent: dict[str, Any]) -> dict[str, Any]:
    """Return ``sent``, loaded by the schema that the route declares for its body. Raises `Problem` 422 like `load`."""
    schema = current_operation().body
    if schema is None:
        raise LookupError(f"the route {request.endpoint} declares no body")
    return load(schema, sent)


def parsed() -> Any:
    """Return the JSON body. Raises `Problem`: 415 for another media type, 400 if it is not JSON, 413 over the limit."""
    if request.mimetype != "application/json" and not request.mimetype.endswith("+json"):
        raise Problem(
            415, "json-expected", say("JSON is expected"), say("send the body as Content-Type: application/json")
        )
    try:
        return json.loads(content().decode(), parse_constant=_no_number, object_pairs_hook=_once)
    except (ValueError, RecursionError) as problem:
        raise Problem(
            400, "bad-json", say("Not JSON"), say("the body cannot be read as JSON: {problem}", problem=str(problem))
        ) from None


def content() -> bytes:
    """Return the body's bytes. Raises `Problem` 413 over the size limit.

    Flask reads a body without a ``Content-Length`` only up to the limit. Such a body that reaches the limit exceeds it.
    """
    read = request.get_data()
    limit = current_context().limits.body
    if request.content_length is None and len(read) >= limit:
        raise too_large(limit)
    return read


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON number")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object. Raises ValueError if a name occurs twice, because it is unknown which value is meant."""
    unique = dict(pairs)
    if len(unique) != len(pairs):
        raise ValueError("a name stands twice in one object")
    return unique


def load(schema: type[Schema], sent: dict[str, Any]) -> dict[str, Any]:
    """Return ``sent``, loaded by a schema. Raises `Problem` 422 with ``errors`` that name each field."""
    measure_lists(_instance(schema), sent)
    unclean = unclean_at(sent)
    try:
        if unclean is not None:
            raise ValidationError({unclean[0] if unclean else "_schema": [UNCLEAN]})
        loaded: dict[str, Any] = _instance(schema).load(sent)
    except ValidationError as problem:
        raise bad_fields(problem.messages) from None
    return loaded


def measure_lists(schema: Schema, sent: Any) -> None:
    """Check the lengths of lists before their items. Raises `Problem` 422.

    marshmallow checks every item first, and writes an error for each: a megabyte of items would take many seconds.
    """
    if not isinstance(sent, dict):
        return
    for name, field in schema.fields.items():
        value = sent.get(field.data_key or name)
        inner = field.inner if isinstance(field, fields.List) else field
        items = value if isinstance(value, list) else [value]
        if isinstance(value, list) and len(value) > (most := _most(field)):
            raise bad_fields({name: [say("at most {most} items; {count} were sent", most=most, count=len(value))]})
        if isinstance(inner, fields.Nested):
            for item in items:
                measure_lists(inner.schema, item)


def _most(field: fields.Field[Any]) -> int:
    """Return the maximum number of items that a list field accepts."""
    lengths = (one.max for one in field.validators if isinstance(one, validate.Length) and one.max is not None)
    return min(lengths, default=_MOST_ITEMS)


@cache
def _instance(schema: type[Schema]) -> Schema:
    """Return the one instance of a schema for all requests. Creating one copies every field, and loading changes nothing."""
    return schema(unknown=RAISE)


def etag(seq: int, content: bytes | None = None) -> str:
    """Return the strong ETag of a tournament at an event, or of the ``content`` if it is given."""
    return f'"{seq}"' if content is None else f'"{seq}-{sha256(content).hexdigest()[:16]}"'


def if_match(request: Request, required: bool) -> int | None:
    """Return the ``seq`` of ``If-Match``, which the caller saw, or None if the field is missing.

    Raises `Problem`: 428 if it is missing and ``required``, 400 for anything except one strong ETag of this server.
    ``*`` and weak tags do not state what the caller saw.
    """
    header = request.headers.get("If-Match")
    if header is None:
        if required:
            raise Problem(
                428,
                "if-match-required",
                say("If-Match is required"),
                say(
                    "If-Match is required: send the tournament's current ETag, so that your request is rejected if "
                    "something changed"
                ),
            )
        return None
    tag = _ETAG.fullmatch(header.strip())
    if tag is None:
        raise Problem(
            400,
            "bad-if-match",
            say("Bad If-Match"),
            say('If-Match must be one strong ETag of the tournament, like "41"'),
        )
    return int(tag[1])


def unchanged(request: Request, tag: str) -> bool:
    """Return whether ``If-None-Match`` contains the tag (weak comparison, RFC 9110 13.1.2)."""
    header = request.headers.get("If-None-Match")
    if header is None:
        return False
    return header.strip() == "*" or tag in (one.strip().removeprefix("W/") for one in header.split(","))


def idempotency_key(request: Request, actor: Actor) -> str | None:
    """Return the name under which the answer is kept, if the caller sent a key. Raises `Problem` 400 for an invalid key."""
    header = request.headers.get("Idempotency-Key")
    if header is None:
        return None
    if not _KEY.fullmatch(header):
        raise Problem(
            400,
            "bad-idempotency-key",
            say("Bad Idempotency-Key"),
            say("an Idempotency-Key must have 1 to 200 visible ASCII characters, and no spaces"),
        )
    return key_name(request, actor, header)


def key_name(request: Request, actor: Actor, key: str) -> str:
    """Return the name under which an answer is kept, made of the actor, method, path and the caller's key."""
    parts = (actor.name, actor.role, request.method, request.path, key)
    return sha256("\x00".join(parts).encode()).hexdigest()


def flag(name: str, *, default: bool = False) -> bool:
    """Return a query parameter that is true or false. Raises `Problem` 400 for another value."""
    wish = request.args.get(name)
    if wish not in (None, "true", "false"):
        raise Problem(400, "bad-query", say("Bad query"), say("{name} must be true or false", name=name))
    return default if wish is None else wish == "true"


_NO_PARAMETER = say("this command has no parameter of this name; to see its consequences first, use POST …/preview")


def refuse_unknown_parameters() -> None:
    """Raise `Problem` 422 if the query has a parameter that this command does not read.

    A sender of ``preview`` to a command without previews expects that nothing is written.
    """
    declared = current_operation().query
    known = (
        [field.data_key or name for name, field in _instance(declared).fields.items()]
        if isinstance(declared, type)
        else declared
    )
    errors = {name: [_NO_PARAMETER] for name in request.args if name not in known and name != "events"}
    if errors:
        raise bad_fields(errors)


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


def applied(request: Request, response: Response) -> Response:
    """Return a command's answer as ``Prefer`` requests it: ``return=minimal`` omits the body (204), not the header fields.

    The first of several preferences counts, and unknown ones are ignored (RFC 7240, 2).
    """
    wish = _return(request)
    if wish == MINIMAL:
        response.set_data(b"")
        response.status_code = 204
        del response.headers["Content-Type"]
    if wish is not None:
        response.headers["Preference-Applied"] = wish
    return response


def _return(request: Request) -> str | None:
    for header in request.headers.getlist("Prefer"):
        for preference in parse_list_header(header):
            name, _, value = preference.partition(";")[0].partition("=")
            if name.strip().lower() == "return":
                wish = "return=" + value.strip().strip('"').lower()
                return wish if wish in (MINIMAL, REPRESENTATION) else None
    return None


_FIRST_VERSION, _NO_VERSION = "00", "ff"


def read_traceparent(value: str | None) -> str | None:
    """Return a valid ``traceparent`` in the form of version 00, or None (W3C Trace Context, Level 1).

    The fields that a later version appends are left out (section 4.3).
    """
    match = TRACEPARENT.fullmatch(value) if value is not None else None
    if match is None or match[1] == _NO_VERSION or (match[1] == _FIRST_VERSION and match[5]):
        return None
    return f"{_FIRST_VERSION}-{match[2]}-{match[3]}-{match[4]}"
