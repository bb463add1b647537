"""The body of a request: its bytes, its JSON, and what the route's own schema makes of it."""

import json
from functools import cache
from typing import Any

from flask import request
from marshmallow import RAISE, Schema, ValidationError

from shared.core.language.messages import say
from shared.http.common_problems import bad_fields
from shared.http.operations import current_operation
from shared.http.problems import Problem, too_large
from shared.http.requests.app_context import current_context
from shared.wire.clean_text import UNCLEAN, unclean_at


def body() -> dict[str, Any]:
    """The JSON body, loaded by the schema that the route declares; its defaults where an optional body was not sent.

    Raises `Problem`: those of `parsed`, 400 where it is no JSON object, 422 with ``errors`` naming each field that is
    missing, wrong or unknown.
    """
    declared = current_operation()
    if declared.optional_body and not request.get_data():
        return load_body({})
    sent = parsed()
    if not isinstance(sent, dict):
        raise Problem(400, "object-expected", say("Not an object"), say("the body is to be a JSON object"))
    return load_body(sent)


def load_body(sent: dict[str, Any]) -> dict[str, Any]:
    """``sent`` loaded by the schema that the route declares for its body. Raises `Problem` 422 as `load` does."""
    schema = current_operation().body
    if schema is None:
        raise LookupError(f"the route {request.endpoint} declares no body")
    return load(schema, sent)


def parsed() -> Any:
    """The JSON body as it is. Raises `Problem`: 415 for another media type, 400 where it is no JSON, 413 over the limit."""
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
    """The body's bytes. Raises `Problem` 413 over the size limit.

    Of a body whose length was not told only as much as the limit is read, without a word:
    one that reaches it is taken as over it.
    """
    read = request.get_data()
    limit = current_context().limits.body
    if request.content_length is None and len(read) >= limit:
        raise too_large(limit)
    return read


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is no JSON number")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose names are unique: of two values nobody knows which is meant."""
    unique = dict(pairs)
    if len(unique) != len(pairs):
        raise ValueError("a name stands twice in one object")
    return unique


def load(schema: type[Schema], sent: dict[str, Any]) -> dict[str, Any]:
    """``sent`` loaded by a schema. Raises `Problem` 422 with ``errors`` naming each field."""
    unclean = unclean_at(sent)
    try:
        if unclean is not None:
            raise ValidationError({unclean[0] if unclean else "_schema": [UNCLEAN]})
        loaded: dict[str, Any] = _instance(schema).load(sent)
    except ValidationError as problem:
        raise bad_fields(problem.messages) from None
    return loaded


@cache
def _instance(schema: type[Schema]) -> Schema:
    """One instance of a schema for all requests: making one copies every field, loading with it changes nothing."""
    return schema(unknown=RAISE)
