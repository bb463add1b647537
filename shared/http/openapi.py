"""OpenAPI 3.1 from what the routes declare (`shared.http.operations`) and their addresses."""

import re
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from flask import Flask
from marshmallow import INCLUDE, Schema

from shared.http.operations import Operation, operation_of
from shared.http.paging import LIMIT_AT_MOST

_PARAMETER = re.compile(r"<(?:(\w+)(?:\([^>]*\))?:)?(\w+)>")
_METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
_PROBLEM = "application/problem+json"
_KINDS = {
    "at": {"type": "integer", "minimum": 1},
    "after": {"type": "integer", "minimum": 0},
    "limit": {"type": "integer", "minimum": 1, "maximum": LIMIT_AT_MOST},
    "preview": {"type": "boolean"},
}
"""Parameters that many reads have; all others are strings."""
_COMMAND_ERRORS = (400, 401, 403, 404, 409, 412, 413, 415, 422, 429, 503, 507)


def specification(app: Flask, title: str, version: str, under: str = "") -> dict[str, Any]:
    """The OpenAPI document of all ``/v1`` routes of an app, or of those that lie ``under`` a prefix."""
    spec = APISpec(title, version, "3.1.0", plugins=[MarshmallowPlugin(schema_name_resolver=_Names())])
    spec.components.schema("Problem", _PROBLEM_SCHEMA)
    spec.components.schema("Written", _WRITTEN_SCHEMA)
    spec.components.security_scheme("token", {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"})
    paths: dict[str, dict[str, Any]] = {}
    for rule in app.url_map.iter_rules():
        if not rule.rule.startswith(f"{under}/v1/"):
            continue
        view = app.view_functions[rule.endpoint]
        declared = operation_of(view) or Operation()
        path = paths.setdefault(_PARAMETER.sub(r"{\2}", rule.rule.removeprefix(under)), {})
        for method in _METHODS:
            if method in (rule.methods or ()):
                path[method.lower()] = _operation(rule.rule, method, view.__name__, declared)
    for name in sorted(paths):
        spec.path(name, operations=paths[name])
    document: dict[str, Any] = spec.to_dict()
    if under:
        document["servers"] = [{"url": under}]
    return document


class _Names:
    """A schema's name in the document: its own, with the service before it where two have one name."""

    def __init__(self) -> None:
        self._given: dict[str, type] = {}

    def __call__(self, schema: Any) -> str:
        kind: type = schema if isinstance(schema, type) else type(schema)
        name = kind.__name__.removesuffix("Schema") or "Schema"
        if self._given.setdefault(name, kind) is not kind:
            package = kind.__module__.split(".")[-2] if "." in kind.__module__ else kind.__module__
            name = f"{package.capitalize()}{name}"
        return name


def _operation(rule: str, method: str, name: str, declared: Operation) -> dict[str, Any]:
    command = method != "GET" and not declared.public
    parameters = (
        _path_parameters(rule) + _query_parameters(declared.query) + (_command_headers(declared) if command else [])
    )
    operation: dict[str, Any] = {
        "summary": declared.summary or name.replace("_", " "),
        "operationId": f"{method.lower()}_{re.sub(r'[^a-z0-9]+', '_', rule.lower()).strip('_')}",
        "parameters": parameters,
        "responses": _responses(declared, command),
    }
    if declared.body is not None:
        content: dict[str, Any] = {"application/json": {"schema": getattr(declared.body, "OPENAPI", declared.body)}}
        content |= {media: {"schema": {"type": "string"}} for media in declared.files}
        operation["requestBody"] = {"required": not declared.optional_body, "content": content}
    if command:
        operation["security"] = [{"token": []}]
    return operation


def _path_parameters(rule: str) -> list[dict[str, Any]]:
    return [
        {"name": name, "in": "path", "required": True, "schema": {"type": "integer" if kind == "int" else "string"}}
        for kind, name in _PARAMETER.findall(rule)
    ]


def _query_parameters(query: type[Schema] | Mapping[str, str]) -> list[Any]:
    if isinstance(query, Mapping):
        return [
            {"name": name, "in": "query", "description": meaning, "schema": _KINDS.get(name, {"type": "string"})}
            for name, meaning in query.items()
        ]
    return [{"in": "query", "schema": query}]


def _command_headers(declared: Operation) -> list[dict[str, Any]]:
    return [
        {"name": "If-Match", "in": "header", "required": declared.match, "schema": _ETAG},
        {"name": "Idempotency-Key", "in": "header", "schema": {"type": "string", "pattern": "^[!-~]{1,200}$"}},
    ]


_ETAG = {"type": "string", "pattern": '^"(0|[1-9][0-9]{0,14})"$'}


def _responses(declared: Operation, command: bool) -> dict[str, Any]:
    schema: Any = {"type": "object"}
    if declared.answer is not None:
        schema = getattr(declared.answer, "OPENAPI", declared.answer)
    if command and declared.status == HTTPStatus.CREATED:
        written = {"$ref": "#/components/schemas/Written"}
        # Each has members that the other does not name.
        schema = written if declared.answer is None else {"allOf": [declared.answer(unknown=INCLUDE), written]}
    good = {
        "description": HTTPStatus(declared.status).phrase,
        "content": {kind: {"schema": schema} for kind in declared.media},
    }
    errors = (
        set(declared.errors)
        | set(_COMMAND_ERRORS if command else (400, 404, 422, 429, 503))
        | ({428} if declared.match else set())
    )
    problem = {"content": {_PROBLEM: {"schema": {"$ref": "#/components/schemas/Problem"}}}}
    return {str(declared.status): good} | {
        str(code): {"description": HTTPStatus(code).phrase, **problem} for code in sorted(errors)
    }


_WRITTEN_SCHEMA = {
    "type": "object",
    "description": "What every command answers beside the route's own members.",
    "required": ["events", "rulings", "follows"],
    "properties": {
        "events": {"type": "array", "items": {"type": "object"}, "description": "the CloudEvents written"},
        "rulings": {"type": "array", "items": {"type": "string"}, "description": "those that it brought"},
        "follows": {"type": "string", "format": "uri-reference", "description": "where all stands that came of it"},
        "consequences": {
            "type": "array",
            "items": {"type": "object"},
            "description": "the CloudEvents of the commands that followed from it without a person; absent while other "
            "services are deciding them",
        },
    },
}

_PROBLEM_SCHEMA = {
    "type": "object",
    "description": "An RFC 9457 problem document.",
    "required": ["type", "title", "status"],
    "properties": {
        "type": {"type": "string", "format": "uri"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "article": {"type": "string"},
        "where": {"type": "string"},
        "see": {"type": "string"},
        "errors": {"type": "object"},
    },
}
