"""Texts of operations in OpenAPI: descriptions of them and of members, and examples."""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from shared import regulations
from shared.core.readings.authority import ACTS
from shared.core.terms import RULEBOOK
from shared.http.operations import Operation, quoted
from shared.regulations.typed_toml import read_toml
from shared.wire.event_schemas import in_json

CODES = Path(__file__).with_name("problem_codes.json")
"""Operation -> status -> the codes of its own problems, as `deploy.build.problem_codes` finds them in the code."""


def description(declared: Operation, method: str) -> str:
    """Return the description of an operation by its HTTP method: paragraphs in CommonMark."""
    return "\n\n".join(part for part in (declared.description, _permission(declared, method), _codes(declared)) if part)


def _permission(declared: Operation, method: str) -> str:
    """Return who may use an operation, in sentences."""
    if declared.permission:
        return f"Permission: {declared.permission}"
    if not declared.acts:
        return "Permission: a token is required." if declared.writes(method) else "No token is required."
    further = (f"To {act}: {quoted(_roles(act))}." for act in declared.further)
    return " ".join(("Permission: " + _holders(declared.acts), *further))


def _holders(acts: Sequence[str]) -> str:
    """Return who may do one of these acts: the roles of our own acts, or a reference to the ruleset, which grants the others."""
    if all(act in ACTS for act in acts):
        roles = dict.fromkeys(role for act in acts for role in _roles(act))
        return f"the role {quoted(roles)}."
    return f"a role to which the tournament's ruleset grants the act {quoted(acts)} (`authority` of `getRulebook`)."


def _roles(act: str) -> tuple[str, ...]:
    return tuple(role for role in ACTS[act].roles if role != RULEBOOK.role)


ROLES_MEMBER, RULESET_MEMBER, CODES_MEMBER = "x-roles", "x-ruleset-roles", "x-problem-codes"
"""Members of an operation in the document: roles by the tournament office, by rulesets, and codes by status."""


def extensions(declared: Operation) -> dict[str, Any]:
    """Return the roles and the problem codes of an operation, for programs."""
    acts = [act for act in declared.acts if act in ACTS] if not declared.permission else []
    granted = [row for act in declared.acts if act not in ACTS for row in _grants(act)]
    roles = list(dict.fromkeys(role for act in acts for role in _roles(act)))
    found = {ROLES_MEMBER: roles, RULESET_MEMBER: granted, CODES_MEMBER: _kept().get(declared.name, {})}
    return {name: value for name, value in found.items() if value}


@cache
def _grants(act: str) -> list[dict[str, Any]]:
    """Return the roles that the shipped rulesets grant an act, each with the names of these rulesets."""
    rows: dict[tuple[str, ...], list[str]] = {}
    for name in regulations.names():
        for row in regulations.load(name).rulebook.authority:
            if row.act == act:
                rows.setdefault(row.roles, []).append(name)
    return [{"act": act, "roles": [*roles], "rulesets": sets} for roles, sets in rows.items()]


def _codes(declared: Operation) -> str:
    """Return the problem codes of an operation, a line for each status."""
    found = _kept().get(declared.name, {})
    lines = [f"- {status}: {', '.join(f'`{code}`' for code in codes)}" for status, codes in found.items()]
    return "\n".join(["Problem codes of this operation:", "", *lines]) if lines else ""


@cache
def _kept() -> Mapping[str, Mapping[str, Sequence[str]]]:
    kept: Mapping[str, Mapping[str, Sequence[str]]] = json.loads(CODES.read_text(encoding="utf-8"))
    return kept


COMMON, OBJECTS = "common", "objects"


def describe(schemas: Mapping[str, dict[str, Any]]) -> None:
    """Add its description to each object and member that has none. The data of events are described with their types.

    Descriptions from docstrings are written in CommonMark and with JSON's words.
    """
    common, objects = table()[COMMON], table()[OBJECTS]
    for name, schema in schemas.items():
        own = table().get(name, {})
        if name in objects:
            schema.setdefault("description", objects[name])
        if "description" in schema:
            schema["description"] = in_json(schema["description"])
        for member, value in schema.get("properties", {}).items():
            text = own.get(member) or (None if _is_event_data(name, schema) else common.get(member))
            if text is not None and not value.get("description"):
                value["description"] = text


def _is_event_data(name: str, schema: Mapping[str, Any]) -> bool:
    return name.startswith("Log") or "unevaluatedProperties" in schema


@cache
def table() -> Mapping[str, Mapping[str, str]]:
    """Return object -> member -> description; under `COMMON` those for every object, under `OBJECTS` those of objects."""
    return read_toml("shared.http.openapi", "members.toml", dict[str, dict[str, str]])


EXAMPLES = Path(__file__).with_name("examples.json")
_JSON, _PROBLEM = "application/json", "application/problem+json"


def add_examples(document: dict[str, Any]) -> None:
    """Add the examples of each operation to a document: its first body, and the first answer of each status in JSON.

    Examples of problems are added to the shared responses.
    """
    operations = {told.get("operationId"): told for path in document["paths"].values() for told in path.values()}
    for example in _examples():
        told = operations.get(example["operation"])
        if told is None:
            continue
        if example["request"] is not None and example["status"] < 300:
            told["requestBody"]["content"][_JSON].setdefault("example", example["request"])
        if example["answer"] is not None:
            for place in _answers(document, told, example):
                place.setdefault("example", example["answer"])


def _answers(document: dict[str, Any], told: dict[str, Any], example: dict[str, Any]) -> Iterator[dict[str, Any]]:
    answer = told["responses"][str(example["status"])]
    if "$ref" in answer:
        answer = document["components"]["responses"][answer["$ref"].rpartition("/")[2]]
    for media in (_JSON, _PROBLEM):
        if media in answer.get("content", {}):
            yield answer["content"][media]


@cache
def _examples() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(EXAMPLES.read_text(encoding="utf-8")) if EXAMPLES.exists() else []
    return found
