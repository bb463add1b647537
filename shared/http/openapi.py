"""OpenAPI 3.1 from the routes themselves: a decorator tells of each what its signature cannot.

@bp.post("/v1/tournaments/<t>/results")
@documented("Report results of a round", body=ResultsSchema, status=201, errors=(409,))
def results(t: str) -> Response: ...
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, TypeVar

from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from flask import Flask
from marshmallow import Schema

View = TypeVar("View", bound=Callable[..., Any])

_PARAMETER = re.compile(r"<(?:(\w+)(?:\([^>]*\))?:)?(\w+)>")
_METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
_PROBLEM = "application/problem+json"
_COMMAND_ERRORS = (400, 401, 403, 404, 409, 412, 413, 415, 422, 429, 503, 507)


@dataclass(frozen=True, slots=True)
class Documented:
    """What is told of a route. ``query`` maps a parameter's name to what it means, or is a schema; ``body`` may be
    a JSON schema written out, ``files`` are the media types that it may have instead; ``public``: a question that
    changes nothing, asked without a token."""

    summary: str
    body: type[Schema] | dict[str, Any] | None
    query: type[Schema] | Mapping[str, str]
    answer: type[Schema] | None
    status: int
    errors: tuple[int, ...]
    match: bool
    media: tuple[str, ...]
    public: bool = False
    files: tuple[str, ...] = ()


def documented(
    summary: str = "",
    *,
    body: type[Schema] | dict[str, Any] | None = None,
    query: type[Schema] | Mapping[str, str] | None = None,
    answer: type[Schema] | None = None,
    status: int = 200,
    errors: tuple[int, ...] = (),
    match: bool = False,
    media: tuple[str, ...] = ("application/json",),
    public: bool = False,
    files: tuple[str, ...] = (),
) -> Callable[[View], View]:
    """Describe a route for `/v1/openapi.json`; only ``public`` changes what happens: no token is asked for.

    ``match`` says that ``If-Match`` is required; ``media`` are the answer's media types.
    """
    told = Documented(summary, body, query or {}, answer, status, errors, match, media, public, files)

    def mark(view: View) -> View:
        view.__documented__ = told  # type: ignore[attr-defined]
        return view

    return mark


def is_public(view: Callable[..., Any] | None) -> bool:
    """Whether a view was `documented` as public."""
    told = getattr(view, "__documented__", None)
    return isinstance(told, Documented) and told.public


def specification(app: Flask, title: str, version: str, under: str = "") -> dict[str, Any]:
    """The OpenAPI document of all ``/v1`` routes of an app, or of those that lie ``under`` a prefix."""
    spec = APISpec(title, version, "3.1.0", plugins=[MarshmallowPlugin(schema_name_resolver=_Names())])
    spec.components.schema("Problem", _PROBLEM_SCHEMA)
    spec.components.security_scheme("token", {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"})
    paths: dict[str, dict[str, Any]] = {}
    for rule in app.url_map.iter_rules():
        if not rule.rule.startswith(f"{under}/v1/"):
            continue
        view = app.view_functions[rule.endpoint]
        told = getattr(view, "__documented__", None)
        path = paths.setdefault(_PARAMETER.sub(r"{\2}", rule.rule.removeprefix(under)), {})
        for method in _METHODS:
            if method in (rule.methods or ()):
                path[method.lower()] = _operation(rule.rule, method, view.__name__, told)
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


def _operation(rule: str, method: str, name: str, told: Documented | None) -> dict[str, Any]:
    told = told or Documented("", None, {}, None, 200, (), False, ("application/json",))
    command = method != "GET" and not told.public
    parameters = _path_parameters(rule) + _query_parameters(told.query) + (_command_headers(told) if command else [])
    operation: dict[str, Any] = {
        "summary": told.summary or name.replace("_", " "),
        "operationId": f"{method.lower()}_{re.sub(r'[^a-z0-9]+', '_', rule.lower()).strip('_')}",
        "parameters": parameters,
        "responses": _responses(told, command),
    }
    if told.body is not None:
        content: dict[str, Any] = {"application/json": {"schema": told.body}}
        content |= {media: {"schema": {"type": "string"}} for media in told.files}
        operation["requestBody"] = {"required": True, "content": content}
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
        kinds = {"at": "integer", "after": "integer", "limit": "integer", "preview": "boolean"}
        return [
            {"name": name, "in": "query", "description": meaning, "schema": {"type": kinds.get(name, "string")}}
            for name, meaning in query.items()
        ]
    return [{"in": "query", "schema": query}]


def _command_headers(told: Documented) -> list[dict[str, Any]]:
    return [
        {"name": "If-Match", "in": "header", "required": told.match, "schema": {"type": "string"}},
        {"name": "Idempotency-Key", "in": "header", "schema": {"type": "string", "minLength": 1, "maxLength": 200}},
    ]


def _responses(told: Documented, command: bool) -> dict[str, Any]:
    schema: Any = told.answer if told.answer is not None else {"type": "object"}
    good = {"description": HTTPStatus(told.status).phrase, "content": {kind: {"schema": schema} for kind in told.media}}
    errors = set(told.errors) | set(_COMMAND_ERRORS if command else (400, 404, 503)) | ({428} if told.match else set())
    problem = {"content": {_PROBLEM: {"schema": {"$ref": "#/components/schemas/Problem"}}}}
    return {str(told.status): good} | {
        str(code): {"description": HTTPStatus(code).phrase, **problem} for code in sorted(errors)
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
