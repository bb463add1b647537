"""OpenAPI 3.1, built from the declarations of the routes (`shared.http.operations`) and their addresses."""

import json
from collections.abc import Callable, Set
from copy import deepcopy
from inspect import unwrap
from typing import Any

from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from flask import Flask
from marshmallow import Schema, fields, validate

from shared.http.answers import EventTypes
from shared.http.openapi import openapi_answers, operation_texts
from shared.http.openapi.answer_schemas import AnswerSchemas
from shared.http.openapi.openapi_answers import type_events
from shared.http.openapi.openapi_parameters import parameters, template
from shared.http.openapi.request_defaults import state_defaults
from shared.http.openapi.schema_terms import Terms
from shared.http.operations import Operation, operation_of

_END = r"\Z"
_METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
_TAGS = {
    "pairing": "Tournaments, players, teams, pairings, officials and tokens.",
    "games": "Score sheets, moves, claims, results and the judge.",
    "penalties": "Arrivals, breaks, rulings and appeals.",
    "standings": "Standings, the event log, its proofs and audits, exports and webhooks.",
    "common": "Operations that every service offers.",
}
_ABOUT = (
    "Arbitration of board-game competitions, with an append-only event log for each tournament.\n\n"
    "A command returns the events that it wrote. A read returns the sequence number (`seq`) of the last event that it includes "
    "as its ETag. `at` and `after` choose another position of the log.\n\n"
    "Commands require a bearer token. Pages of any origin may read without credentials (CORS). Errors are RFC 9457 problem "
    "documents. Their `type` ends with a problem code."
)
_TEXT = {"pattern": "^[^\\u0000]*$"}
_SERVERS = [{"url": "/", "description": "All four services behind one address."}]


def specification(app: Flask, title: str, version: str, under: str = "") -> dict[str, Any]:
    """The OpenAPI document of all ``/v1`` routes of an app, or of those that lie ``under`` a prefix."""
    bodies = {
        declared.body for view in app.view_functions.values() if (declared := operation_of(view)) and declared.body
    }
    names = _Names(bodies)
    plugin = MarshmallowPlugin(schema_name_resolver=names)
    spec = APISpec(title, version, "3.1.0", info={"description": _ABOUT}, plugins=[plugin])
    queries = tuple(
        declared.query
        for view in app.view_functions.values()
        if (declared := operation_of(view)) and isinstance(declared.query, type)
    )
    plugin.converter.add_attribute_function(_own_schema)
    plugin.converter.add_attribute_function(lambda _, field, **kwargs: _sent_text(field, queries))
    answers = AnswerSchemas(names)
    data = openapi_answers.register(spec, answers)
    spec.components.security_scheme("token", {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"})
    paths: dict[str, dict[str, Any]] = {}
    for rule in sorted(app.url_map.iter_rules(), key=lambda rule: template(rule.rule)):
        if not rule.rule.startswith(f"{under}/v1/"):
            continue
        view = app.view_functions[rule.endpoint]
        declared = operation_of(view) or Operation()
        path = paths.setdefault(template(rule.rule.removeprefix(under)), {})
        for method in _METHODS:
            if method in (rule.methods or ()):
                path[method.lower()] = _operation(rule.rule, method, _tag(view), declared, answers)
    for name in sorted(paths):
        spec.path(name, operations=paths[name])
    used = {tag for path in paths.values() for operation in path.values() for tag in operation["tags"]}
    for tag, meaning in _TAGS.items():
        if tag in used:
            spec.tag({"name": tag, "description": meaning})
    for name, schema in answers.components.items():
        spec.components.schema(name, schema)
    document: dict[str, Any] = _patterns_of_ecma(spec.to_dict())
    type_events(document["components"]["schemas"], names.of_events(), data)
    for name, terms in names.together().items():
        document["components"]["schemas"][name] |= deepcopy(terms)
    if any(name.endswith("/webhooks") for name in paths):
        document["webhooks"] = WEBHOOKS
    _drop_unused(document)
    operation_texts.describe(document["components"]["schemas"])
    state_defaults(document)
    operation_texts.add_examples(document)
    document["servers"] = [{"url": under}] if under else _SERVERS
    return document


def addresses(app: Flask) -> dict[str, tuple[str, str]]:
    """Operation's name -> its method and address, as OpenAPI writes it."""
    return {
        declared.name: (method, template(rule.rule))
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith("/v1/") and (declared := operation_of(app.view_functions[rule.endpoint])) is not None
        for method in _METHODS
        if method in (rule.methods or ())
    }


def _drop_unused(document: dict[str, Any]) -> None:
    """Take out the components that nothing refers to: a service's own description has no other's."""
    text = json.dumps(document)
    unused = [
        (kind, name)
        for kind, components in document["components"].items()
        for name in components
        if kind != "securitySchemes" and f'"#/components/{kind}/{name}"' not in text
    ]
    for kind, name in unused:
        del document["components"][kind][name]
    if unused:
        _drop_unused(document)


def _patterns_of_ecma(part: Any) -> Any:
    """The document with the patterns of Python's ``re.match`` as JSON Schema has them: searched for, and without ``\\Z``."""
    match part:
        case dict():
            return {
                name: _ecma(value) if name == "pattern" and isinstance(value, str) else _patterns_of_ecma(value)
                for name, value in part.items()
            }
        case list() | tuple():
            return [_patterns_of_ecma(one) for one in part]
    return part


def _ecma(pattern: str) -> str:
    return f"^{pattern.removesuffix(_END)}$" if pattern.endswith(_END) else pattern


def _own_schema(converter: Any, field: Any, **kwargs: Any) -> dict[str, Any]:
    """Return the JSON Schema of a field class of our own: its ``SCHEMA``, and any of its ``ANY_OF`` and ``OR``."""
    own: dict[str, Any] = getattr(field, "SCHEMA", {})
    any_of = [converter.resolve_nested_schema(schema) for schema in getattr(field, "ANY_OF", ())]
    any_of += [deepcopy(field.OR)] if hasattr(field, "OR") else []
    return deepcopy(own) | ({"anyOf": any_of} if any_of else {})


def _sent_text(field: Any, elsewhere: tuple[type, ...]) -> dict[str, Any]:
    """Return the schema of a text in a body that declares no pattern, enum or format. Schemas ``elsewhere`` get none."""
    told = {"pattern", "enum", "format"} & {*field.metadata, *getattr(field, "SCHEMA", ())}
    free = isinstance(field, fields.String) and not told and not isinstance(field.parent, elsewhere)
    closed = any(isinstance(one, validate.OneOf | validate.Regexp) for one in field.validators)
    return {**_TEXT} if free and not closed else {}


class _Names:
    """A schema's name in the document: its own, with the service before it where two have one name. That of a body ends in
    ``Request``: clients make a class of it, which has no member of its own name then."""

    def __init__(self, bodies: Set[type[Schema]]) -> None:
        self._given: dict[str, type] = {}
        self._called: dict[str, type] = {}
        self._bodies = bodies

    def __call__(self, schema: Any) -> str:
        kind: type = schema if isinstance(schema, type) else type(schema)
        name = (kind.__name__.removesuffix("Schema") or "Schema") + ("Request" if kind in self._bodies else "")
        if self._given.setdefault(name, kind) is not kind:
            package = kind.__module__.split(".")[1] if "." in kind.__module__ else kind.__module__
            name = f"{package.capitalize()}{name}"
        self._called[name] = kind
        return name

    def of_events(self) -> dict[str, EventTypes]:
        """The schemas that hold an event, and of which types."""
        return {name: kind.EVENTS for name, kind in self._called.items() if hasattr(kind, "EVENTS")}

    def together(self) -> dict[str, Terms]:
        """Return the conditions on several members of a schema, by its name."""
        return {name: kind.TOGETHER for name, kind in self._called.items() if hasattr(kind, "TOGETHER")}


def _tag(view: Callable[..., Any]) -> str:
    room, _, name = unwrap(view).__module__.partition(".")
    return name.split(".")[0] if room == "services" else "common"


def _operation(rule: str, method: str, tag: str, declared: Operation, answers: AnswerSchemas) -> dict[str, Any]:
    responses = openapi_answers.responses(declared, method, answers)
    operation: dict[str, Any] = {
        "summary": declared.summary,
        "description": operation_texts.description(declared, method),
        "tags": [tag],
        "parameters": parameters(rule, declared, method, "204" in responses),
        "responses": responses,
    }
    if declared.name:
        operation["operationId"] = declared.name
    content = _request_content(declared)
    if content:
        operation["requestBody"] = {"required": not declared.optional_body, "content": content}
    if declared.requires_token(method):
        operation["security"] = [{"token": []}]
    return operation | operation_texts.extensions(declared)


def _request_content(declared: Operation) -> dict[str, Any]:
    """Media type -> what it holds. Beside JSON files are deprecated: clients are made with one media type for an address."""
    file: dict[str, Any] = {"type": "string", "format": "binary"}
    if declared.body is None:
        return {media: {"schema": file} for media in declared.files}
    json_body = {"schema": getattr(declared.body, "OPENAPI", declared.body)}
    return {"application/json": json_body} | {
        media: {"schema": file | {"deprecated": True}} for media in declared.files
    }


_EVENT = "#/components/schemas/EventAnswer"


def _header(name: str, meaning: str, pattern: str) -> dict[str, Any]:
    schema = {"type": "string", "pattern": pattern}
    return {"name": name, "in": "header", "required": True, "description": meaning, "schema": schema}


_HEADERS = [
    _header("webhook-id", "ID of the event. A retry has the same ID.", "^[!-~]{1,100}$"),
    _header("webhook-timestamp", "Time of this delivery, in Unix seconds.", "^[0-9]+$"),
    _header(
        "webhook-signature",
        "Signature of ID, timestamp and body with the webhook's secret: `v1,` and base64.",
        "^v1,[A-Za-z0-9+/=]+$",
    ),
]
_LINE = {
    "type": "object",
    "required": ["tournament", "seq", "event"],
    "properties": {
        "tournament": {"type": "string", "description": "Tournament ID."},
        "seq": {"type": "integer", "minimum": 1, "description": "Sequence number of the event in the log."},
        "event": {"$ref": _EVENT},
    },
}
_MESSAGE = {
    "type": "object",
    "required": ["type", "timestamp", "data"],
    "properties": {
        "type": {"type": "string", "description": "Type of the event."},
        "timestamp": {"type": "string", "format": "date-time", "description": "Time of the event."},
        "data": _LINE,
    },
}
WEBHOOKS: dict[str, Any] = {
    "line": {
        "post": {
            "summary": "Receive a new event",
            "operationId": "receiveLine",
            "description": "Sent for each new event, according to Standard Webhooks. Each event is delivered at least once, and "
            "in the order of its tournament. Failed deliveries are retried for three days. Redirects are not followed.",
            "tags": ["standings"],
            "security": [],
            "parameters": _HEADERS,
            "requestBody": {"required": True, "content": {"application/json": {"schema": _MESSAGE}}},
            "responses": {
                "2XX": {"description": "The event was received. The next one follows."},
                "410": {"description": "Delivery stops at once."},
                "default": {"description": "The delivery failed and is retried later."},
            },
        }
    }
}
