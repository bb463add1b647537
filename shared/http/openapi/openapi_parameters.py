"""The parameters of an operation in OpenAPI: those of its address and of its query, and its header fields."""

import re
from collections.abc import Mapping
from typing import Any

from marshmallow import Schema

from shared.core.values.bounds import HIGHEST
from shared.http.openapi import openapi_answers
from shared.http.operations import Operation
from shared.http.reads.paging import LIMIT_AT_MOST
from shared.http.reads.stream import MEDIA

_PARAMETER = re.compile(r"<(?:(\w+)(?:\([^>]*\))?:)?(\w+)>")
_KINDS = {
    "at": {"type": "integer", "minimum": 1, "maximum": HIGHEST},
    "after": {"type": "integer", "minimum": 0},
    "limit": {"type": "integer", "minimum": 1, "maximum": LIMIT_AT_MOST},
    "preview": {"type": "boolean"},
    "round": {"type": "integer", "minimum": 1, "maximum": HIGHEST},
    "player": {"type": "integer", "minimum": 1, "maximum": HIGHEST},
    "number": {"type": "integer", "minimum": 1, "maximum": 999_999},
}
"""Parameters of several operations; all others are strings."""
_SHAPE = [
    {
        "name": "events",
        "in": "query",
        "description": "If `false`, the lists of events are empty, and `event_ids` and `consequence_ids` have their IDs. "
        "All other members stay. Default `true`. A preview always has its events.",
        "schema": {"type": "boolean"},
    },
    {
        "name": "Prefer",
        "in": "header",
        "description": "`return=minimal` returns status 204 without a body (RFC 7240). Default: the whole response.",
        "schema": {"type": "string"},
    },
]
"""How a command is answered."""
_LAST_EVENT = {
    "name": "Last-Event-ID",
    "in": "header",
    "description": "For `text/event-stream`: number of the last event that the client received. Only later events are sent.",
    "schema": {"type": "integer", "minimum": 0},
}
_PATH = {
    "t": "Tournament ID, for example `spring-cup`.",
    "g": "Game ID: tournament ID, pairing and board, for example `spring-cup.1.4`.",
    "n": "Number of the round, from 1.",
    "p": "Number of the player (`id` of the entry), from 1.",
    "team": "Number of the team, from 1.",
    "a": "ID of the arrival, for example `a3`.",
    "b": "ID of the break, for example `b2`.",
    "c": "ID of the claim, for example `c1`.",
    "r": "ID of the ruling or annulment, for example `r4`.",
    "person": "ID of the person, as `listPeople` returns it: 32 lower-case hex digits.",
    "opponent": "ID of another person, like `person`.",
    "i": "ID of the import, as `importReportFile` returned it.",
    "id": "ID of the webhook, as it was returned when the webhook was registered.",
    "name": "Name of the ruleset, for example `campus`.",
    "jti": "ID of the token: its claim `jti`, a UUID.",
    "seq": "Sequence number of the event in the log, from 1.",
    "hash": "SHA-256 hash of the text: 64 lower-case hex digits.",
    "level": "Level of the tile, from 0 (hashes of events) to 63.",
    "index": "Number of the tile or bundle, for example `x001/x234/067`. An incomplete one ends with `.p/` and its width.",
}
"""Parameters of addresses."""
_PATH_OF = {
    ("dismissOfficial", "name"): "Login name of the official.",
    ("getCommand", "id"): "ID of the command: `causationid` of its events.",
    ("getAppeal", "a"): "ID of the appeal, for example `a12`.",
    ("decideAppeal", "a"): "ID of the appeal, for example `a12`.",
}
"""Parameters that mean something else in an operation."""


def template(rule: str) -> str:
    """Return a route's address as OpenAPI writes it: ``/v1/tournaments/{t}``."""
    return _PARAMETER.sub(r"{\2}", rule)


def parameters(rule: str, declared: Operation, method: str, minimal: bool) -> list[Any]:
    """Return the parameters of the operation at a route's address; ``minimal``: it has an answer without a body."""
    command = declared.writes(method)
    return [
        *_path_parameters(rule, declared.name),
        *_query_parameters(declared.query),
        *(_command_headers(declared) if command else []),
        *(_SHAPE if command and minimal else []),
        *([_LAST_EVENT] if MEDIA in declared.media else []),
    ]


def _path_parameters(rule: str, operation: str) -> list[dict[str, Any]]:
    return [
        {
            "name": name,
            "in": "path",
            "required": True,
            "description": _PATH_OF.get((operation, name)) or _PATH[name],
            "schema": {"type": "integer" if kind == "int" else "string"},
        }
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
    """Return the header fields of commands and of other writes. Other operations ignore them."""
    of_the_log = openapi_answers.writes_lines(declared)
    condition = {
        "name": "If-Match",
        "in": "header",
        "required": declared.match,
        "description": 'ETag of the tournament that the decision is based on, for example `"41"`. If the log has a newer event, '
        "the command returns 412.",
        "schema": {"type": "string", "pattern": '^"(0|[1-9][0-9]{0,14})"$'},
    }
    key = {
        "name": "Idempotency-Key",
        "in": "header",
        "description": "Name of this request, chosen by the client: one for each request to this address. A repeated request "
        "with the same key and body is not carried out again. It returns the first response. With a different body it returns "
        "422.",
        "schema": {"type": "string", "pattern": "^[!-~]{1,200}$"},
    }
    return [condition] * of_the_log + [key] * (of_the_log or bool(declared.makes))
