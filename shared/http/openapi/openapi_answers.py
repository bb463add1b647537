"""The answers of an operation in OpenAPI: each status that can come, with its headers and the schema of its body."""

from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import Any

from apispec import APISpec

from shared.core.event_types.registry import EVENT_TYPES, OFFICIAL, SHEETS, UPCASTERS
from shared.core.rulebook.ranking_rules import StageRule
from shared.core.rulebook.regulations import Rulebook
from shared.core.terms import Conditions
from shared.http.answers import EventTypes, PreviewedAnswer, ProblemAnswer, WrittenAnswer
from shared.http.openapi.answer_schemas import AnswerSchemas
from shared.http.operations import Operation
from shared.wire.answer import Answer
from shared.wire.event_schemas import data_schemas, older_schemas

_PROBLEM = "application/problem+json"
_JSON = "application/json"
_BINARY = ("application/octet-stream", "application/zip")
_ANY_ERRORS = (400, 404, 408, 414, 422, 429, 431, 500, 503)
"""Of any request: one that does not come in time, and one whose address or head is too long, are refused before it is read."""
_COMMAND_ERRORS = (*_ANY_ERRORS, 401, 403, 409, 412, 413, 415, 507)
_HEADERS: dict[str, dict[str, Any]] = {
    "ETag": {
        "description": "Version of the response, for `If-None-Match`. For a tournament it is the `seq` of the last event "
        "included, and can be sent as `If-Match`.",
        "schema": {"type": "string", "pattern": '^"[0-9a-f-]{1,64}"$'},
    },
    "Arbiter-Checkpoint": {
        "description": "Size of the log after the command, and the first digits of its root hash, for example `4711:3f9a2c4e`.",
        "schema": {"type": "string", "pattern": "^[0-9]+:[0-9a-f]+$"},
    },
    "Idempotent-Replayed": {
        "description": "Present if the request was carried out before. The response is that of the first request.",
        "schema": {"type": "string", "enum": ["true"]},
    },
    "Link": {
        "description": 'Address of the next page, if there is one: `<…>; rel="next"` (RFC 8288).',
        "schema": {"type": "string"},
    },
    "Location": {
        "description": "Address of the resource that was made, or of the outcome of the command.",
        "required": True,
        "schema": {"type": "string", "format": "uri-reference"},
    },
    "Preference-Applied": {
        "description": "The preference of `Prefer` that was applied (RFC 7240).",
        "schema": {"type": "string", "enum": ["return=minimal", "return=representation"]},
    },
    "RateLimit": {
        "description": "For each rate-limit policy: its name, the remaining quota (`r`), and the seconds until the quota is full "
        "again (`t`). With status 429, `t` is the time until the request would be accepted. Absent if nothing is limited "
        "(draft-ietf-httpapi-ratelimit-headers-10).",
        "schema": {"type": "string", "pattern": '^"[a-z]+";r=[0-9]+;t=[0-9]+(, "[a-z]+";r=[0-9]+;t=[0-9]+)*$'},
    },
    "RateLimit-Policy": {
        "description": "Rate-limit policies: name, quota (`q`), and window in seconds (`w`).",
        "schema": {"type": "string", "pattern": '^"[a-z]+";q=[0-9]+;w=[0-9]+(, "[a-z]+";q=[0-9]+;w=[0-9]+)*$'},
    },
    "Retry-After": {
        "description": "Seconds after which the request can be sent again. Nothing was written.",
        "schema": {"type": "integer", "minimum": 1},
    },
    "WWW-Authenticate": {
        "description": "Authentication scheme, and the error of the token (RFC 6750).",
        "schema": {"type": "string"},
    },
    "X-Request-Id": {
        "description": "ID of this request in the log of the service.",
        "schema": {"type": "string"},
    },
}
_PROBLEMS = {
    400: "The request cannot be read: `bad-json`, `object-expected`, `bad-if-match`, `bad-idempotency-key`.",
    401: "The token is missing, malformed, expired or revoked.",
    403: "The caller may not do this: `role-may-not`, `office-not-held`, `official-dismissed`, `token-scope`, `other-board`.",
    404: "The resource does not exist: `unknown-tournament` and other codes.",
    406: "The resource is not available in a media type of `Accept`.",
    408: "The request did not arrive in time.",
    409: "The rules refuse the command. `article` names the rule.",
    412: "The tournament changed after the ETag that was sent as `If-Match`: `stale`. The ETag is the present one.",
    413: "The body is too large, or the command would write too much: `command-too-large`.",
    414: "The address is too long.",
    415: "The media type of the body is not accepted: `json-expected`.",
    422: "A field is missing or wrong: `bad-fields`, `bad-query`. `errors` lists each field. `idempotency-key-reused`: the key "
    "was sent before with another body.",
    428: "`If-Match` is required: `if-match-required`.",
    429: "The caller exceeded a rate limit: `too-many-requests`.",
    431: "The header fields are too large.",
    500: "The server failed. `incident` identifies the entry in its log.",
    503: "The service is not available now. `outcome-unknown`: the command may have been written. Look at `see`, or repeat the "
    "request with the same `Idempotency-Key`.",
    507: "The log has no room: `log-full`. Nothing was written.",
}
"""Status -> the description of its problem, with the codes that many operations share."""
_ALWAYS = ("RateLimit", "RateLimit-Policy", "X-Request-Id")
_LOCATED = ("Location",)
_OF_WRITTEN = ("ETag", "Arbiter-Checkpoint", "Idempotent-Replayed")


TYPES = (Conditions, StageRule, Rulebook)
"""What is answered as the log has it."""


def register(spec: APISpec, schemas: AnswerSchemas) -> dict[str, Any]:
    """Register the components that all answers share: headers, a problem for each status, and the data of the log.

    Returns event type -> the schema of its data.
    """
    spec.components.schema("Problem", schemas.of(ProblemAnswer))
    spec.components.schema("ProblemErrors", ProblemAnswer.ERRORS)
    data, types = data_schemas(_DATA, TYPES)
    for name, schema in types.items():
        spec.components.schema(f"Log{name}", {key: value for key, value in schema.items() if key != "title"})
    for name, header in _HEADERS.items():
        spec.components.header(name, header)
    for status in sorted({*_COMMAND_ERRORS, 406, 428}):
        spec.components.response(f"Problem{status}", _problem(status))
    return data


def responses(declared: Operation, method: str, schemas: AnswerSchemas) -> dict[str, Any]:
    """Status -> answer, of an operation by its HTTP method."""
    command = declared.writes(method)
    good: dict[int, type[Answer] | None] = {declared.status: declared.answer, **declared.also}
    if command and isinstance(declared.query, Mapping) and "preview" in declared.query:
        good[200] = PreviewedAnswer
    answers = {str(status): _good(declared, method, status, schema, schemas) for status, schema in good.items()}
    if method == "GET" and declared.tagged:
        answers["304"] = {"description": HTTPStatus(304).phrase, "headers": _headers(("ETag",))}
    if command and any(_written(declared, schema) for schema in good.values()):
        answers["204"] = {
            "description": "The same without a body, for `Prefer: return=minimal`.",
            "headers": _headers((*(_LOCATED if _always_makes(declared) else ()), *_OF_WRITTEN, "Preference-Applied")),
        }
    errors = {*declared.errors, *(_COMMAND_ERRORS if command else _ANY_ERRORS)} | ({428} if declared.match else set())
    return answers | {str(status): {"$ref": f"#/components/responses/Problem{status}"} for status in sorted(errors)}


def _good(
    declared: Operation, method: str, status: int, schema: type[Answer] | None, schemas: AnswerSchemas
) -> dict[str, Any]:
    schema = schema or declared.answer or (WrittenAnswer if declared.writes(method) else None)
    media = declared.media if status == declared.status else (_JSON,)
    headers: tuple[str, ...] = ("ETag",) if declared.tagged and method == "GET" else ()
    if schema is not None and issubclass(schema, WrittenAnswer):
        headers = (*_OF_WRITTEN, "Preference-Applied")
    if status in (HTTPStatus.CREATED, HTTPStatus.ACCEPTED) and (headers or declared.makes):
        headers = (*_LOCATED, *(headers or ("Idempotent-Replayed",)))
    if schema is not None and "next" in schema.__struct_fields__:
        headers = (*headers, "Link")
    return {
        "description": HTTPStatus(status).phrase,
        "headers": _headers(headers),
        "content": {kind: {"schema": _body(schema, kind, schemas)} for kind in media},
    }


def writes_lines(declared: Operation) -> bool:
    """Whether a command, by its good answers, tells lines that it wrote."""
    return any(_written(declared, schema) for schema in (declared.answer, *declared.also.values()))


def _always_makes(declared: Operation) -> bool:
    """Whether each good answer of a command says that something was made."""
    return declared.status == HTTPStatus.CREATED and HTTPStatus.OK not in declared.also


def _written(declared: Operation, schema: type[Answer] | None) -> bool:
    """Whether an answer of a command tells the lines that it wrote."""
    return issubclass(schema or declared.answer or WrittenAnswer, WrittenAnswer)


def _body(schema: type[Answer] | None, media: str, schemas: AnswerSchemas) -> Any:
    if media == _JSON and schema is not None:
        return schemas.of(schema)
    return {"type": "string", "format": "binary"} if media in _BINARY else {"type": "string"}


_OF_PROBLEM: dict[int, tuple[str, ...]] = {
    401: ("WWW-Authenticate",),
    412: ("ETag",),
    429: ("Retry-After",),
    503: ("Retry-After",),
    507: ("Retry-After",),
}


def _problem(status: int) -> dict[str, Any]:
    return {
        "description": _PROBLEMS[status],
        "headers": _headers(_OF_PROBLEM.get(status, ())),
        "content": {_PROBLEM: {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }


def _headers(names: Iterable[str]) -> dict[str, Any]:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in (*names, *_ALWAYS)}


_DATA = "#/components/schemas/Log{name}"
_TYPES: dict[EventTypes, tuple[str, ...]] = {
    "every": (*(row.name for row in EVENT_TYPES), *UPCASTERS),
    "newest": tuple(row.name for row in EVENT_TYPES),
    "official": tuple(row.name for row in OFFICIAL),
    "sheets": tuple(row.name for row in SHEETS),
}


def type_events(schemas: dict[str, Any], answers: Mapping[str, EventTypes], data: Mapping[str, Any]) -> None:
    """Make each of these ``answers`` (component -> its types) a choice of one component for each type.

    ``data``: event type in its newest version -> the schema of its data.
    """
    for name, schema in older_schemas(_DATA).items():
        schemas[f"Log{_called(name)}"] = schema
    for component, types in answers.items():
        _split(schemas, component, _TYPES[types], data)


def _split(schemas: dict[str, Any], component: str, types: Iterable[str], data: Mapping[str, Any]) -> None:
    """Split a component with ``type`` and ``data`` into the common members and one component for each type."""
    whole = schemas[component]
    stem = component.removesuffix("Answer")
    own = {name: member for name, member in whole["properties"].items() if name not in ("type", "data")}
    common = f"{stem}Attributes"
    if own:
        required = [name for name in whole["required"] if name in own]
        schemas[common] = {"type": "object", "properties": own, "required": required}
    names = {}
    for type in types:
        name = f"{stem}{_called(type)}"
        names[type] = f"#/components/schemas/{name}"
        schemas[name] = {
            "type": "object",
            **({"allOf": [{"$ref": f"#/components/schemas/{common}"}]} if own else {}),
            "properties": {"type": {"const": type}, "data": data.get(type, {"$ref": _DATA.format(name=_called(type))})},
            "required": ["type", "data"],
            "unevaluatedProperties": False,
        }
    schemas[component] = {
        "description": whole.get("description", ""),
        "oneOf": [{"$ref": reference} for reference in names.values()],
        "discriminator": {"propertyName": "type", "mapping": names},
    }


def _called(type: str) -> str:
    """``arbiter.tournament.announced.v5`` as a component is called: ``TournamentAnnouncedV5``."""
    return "".join(word.capitalize() for part in type.split(".")[1:] for word in part.split("-"))
