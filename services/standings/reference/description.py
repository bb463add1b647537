"""The OpenAPI document, as the reference shows it: operations by subject, and the members of objects."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from http import HTTPStatus
from itertools import groupby
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from shared.http.openapi.operation_texts import CODES_MEMBER, ROLES_MEMBER, RULESET_MEMBER

_METHODS = ("get", "post", "put", "patch", "delete")
_REFERENCE = "#/components/schemas/"
_EXAMPLE = re.compile(r"for example `([^`]+)`")
_JSON = "application/json"


@dataclass(frozen=True, slots=True)
class Kind:
    """The type of a value, in words. ``schema``: the object that describes it, or "" for a plain value."""

    text: str
    schema: str = ""


@dataclass(frozen=True, slots=True)
class Member:
    """A parameter of an operation, or a member of an object. ``place``: path, query or header, or "" for a member."""

    name: str
    kinds: Sequence[Kind]
    required: bool
    description: str
    place: str = ""


@dataclass(frozen=True, slots=True)
class Reply:
    """A response: its status with the phrase, its meaning, its media types, its type, and an example in JSON or ""."""

    status: str
    description: str
    media: Sequence[str]
    kinds: Sequence[Kind]
    example: str


@dataclass(frozen=True, slots=True)
class Grant:
    """An act that rulesets grant, the roles that have it, and the rulesets that say so."""

    act: str
    roles: Sequence[str]
    rulesets: Sequence[str]


class Described:
    """An operation of the document."""

    def __init__(self, method: str, path: str, told: Mapping[str, Any], document: Mapping[str, Any]) -> None:
        self.method, self.path, self._told, self._document = method.upper(), path, told, document
        self.name: str = told["operationId"]
        self.summary: str = told["summary"]
        self.tag: str = told["tags"][0]
        self.roles: Sequence[str] = told.get(ROLES_MEMBER, ())
        self.grants = [Grant(**row) for row in told.get(RULESET_MEMBER, ())]
        self.codes: Mapping[str, Sequence[str]] = told.get(CODES_MEMBER, {})
        self.requires_token = bool(told.get("security"))
        self.takes_token = self.requires_token or "401" in told["responses"]

    @property
    def paragraphs(self) -> list[str]:
        """Return the description without the list of problem codes, which `codes` has."""
        return [
            part for part in self._told["description"].split("\n\n") if not part.startswith(("Problem codes", "- "))
        ]

    @property
    def parameters(self) -> list[Member]:
        rows = self._told.get("parameters", ())
        return [
            Member(one["name"], kinds_of(one["schema"]), one.get("required", False), one["description"], one["in"])
            for one in rows
        ]

    @property
    def media(self) -> Mapping[str, Any]:
        """Return the media types of the body, without those that are deprecated besides JSON."""
        content: Mapping[str, Any] = self._told.get("requestBody", {}).get("content", {})
        return {_JSON: content[_JSON]} if _JSON in content else content

    @property
    def body(self) -> Sequence[Member]:
        """Return the members of the JSON body."""
        return members_of(resolved(self.media[_JSON]["schema"], self._document)) if _JSON in self.media else ()

    @property
    def body_example(self) -> Any:
        """Return the recorded example of the JSON body, or else its required members, or None without a JSON body."""
        told = self.media.get(_JSON)
        return None if told is None else told.get("example", least_of(told["schema"], self._document))

    @property
    def needs_match(self) -> bool:
        return any(one.name == "If-Match" and one.required for one in self.parameters)

    @property
    def takes_key(self) -> bool:
        return any(one.name == "Idempotency-Key" for one in self.parameters)

    @property
    def address(self) -> str:
        """Return the path and the required query, with an example for each parameter."""
        given = {one.name: _sample(one) for one in self.parameters if one.required}
        query = urlencode(
            {one.name: given[one.name] for one in self.parameters if one.required and one.place == "query"}
        )
        return self.path.format_map(given) + ("?" + query if query else "")

    @property
    def replies(self) -> Iterator[Reply]:
        for status, told in sorted(self._told["responses"].items()):
            if "$ref" not in told:
                content = told.get("content", {})
                first: Mapping[str, Any] = next(iter(content.values()), {})
                example = json.dumps(first["example"], ensure_ascii=False, indent=2) if "example" in first else ""
                kinds = kinds_of(first["schema"]) if first else []
                yield Reply(
                    f"{status} {HTTPStatus(int(status)).phrase}", told["description"], [*content], kinds, example
                )

    @property
    def words(self) -> str:
        """Return what a search finds the operation by."""
        names = (one.name for one in (*self.parameters, *self.body))
        return " ".join((self.name, self.method, self.path, self.summary, *self.roles, *dict.fromkeys(names)))


def _sample(one: Member) -> str:
    found = _EXAMPLE.search(one.description)
    return found[1] if found else "1" if one.kinds[0].text.startswith("integer") else one.name.upper()


class Description:
    """The OpenAPI document in a file, read when it is needed first."""

    def __init__(self, file: Path) -> None:
        self._file = file

    @cached_property
    def document(self) -> Mapping[str, Any]:
        found: Mapping[str, Any] = json.loads(self._file.read_text(encoding="utf-8"))
        return found

    @cached_property
    def operations(self) -> Mapping[str, Described]:
        """Return all operations by name, in the order of subjects and paths."""
        subjects = [one["name"] for one in self.document["tags"]]
        found = [
            Described(method, path, row[method], self.document)
            for path, row in self.document["paths"].items()
            for method in _METHODS
            if method in row
        ]
        return {one.name: one for one in sorted(found, key=lambda one: subjects.index(one.tag))}

    @property
    def subjects(self) -> Iterator[tuple[str, str, list[Described]]]:
        """Yield each subject with its meaning and its operations."""
        meanings = {one["name"]: one["description"] for one in self.document["tags"]}
        for tag, rows in groupby(self.operations.values(), key=lambda one: one.tag):
            yield tag, meanings[tag], [*rows]

    @property
    def schemas(self) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self.document["components"]["schemas"]
        return found


def resolved(schema: Mapping[str, Any], document: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the component that a schema refers to, or the schema itself."""
    name = schema.get("$ref", "").removeprefix(_REFERENCE)
    return document["components"]["schemas"][name] if name else schema


def least_of(schema: Mapping[str, Any], document: Mapping[str, Any], name: str = "") -> Any:
    """Return a value with no more than a schema requires. A text without an example is the ``name`` of its member."""
    schema = resolved(schema, document)
    if "oneOf" in schema:
        return least_of(schema["oneOf"][0], document, name)
    example = _EXAMPLE.search(schema.get("description", ""))
    if example or "enum" in schema:
        return example[1] if example else schema["enum"][0]
    if schema.get("type") == "array":
        return [least_of(schema["items"], document, name)] * schema.get("minItems", 0)
    if schema.get("type") == "integer":
        return schema.get("minimum", 1)
    if schema.get("type") == "boolean":
        return True
    if schema.get("type") == "string":
        return name.upper()
    return {one: least_of(schema["properties"][one], document, one) for one in schema.get("required", ())}


def members_of(schema: Mapping[str, Any]) -> list[Member]:
    """Return the members of an object, the required ones first."""
    required = schema.get("required", ())
    rows = [
        Member(name, kinds_of(told), name in required, told.get("description", ""))
        for name, told in schema.get("properties", {}).items()
    ]
    return sorted(rows, key=lambda one: not one.required)


def kinds_of(schema: Mapping[str, Any]) -> list[Kind]:
    """Return the types of a value, each with its bounds in words."""
    if "$ref" in schema:
        name = schema["$ref"].removeprefix(_REFERENCE)
        return [Kind(name, name)]
    for several in ("allOf", "anyOf", "oneOf"):
        if several in schema and "properties" not in schema:
            return [kind for one in schema[several] for kind in kinds_of(one) if kind.text]
    if "const" in schema:
        return [Kind(json.dumps(schema["const"], ensure_ascii=False))]
    if "enum" in schema:
        return [Kind(", ".join(json.dumps(one, ensure_ascii=False) for one in schema["enum"]))]
    found = schema.get("type", ())
    types = [found] if isinstance(found, str) else [*found]
    if "array" in types and "items" in schema:
        inner = kinds_of(schema["items"])
        return [Kind(f"list of {one.text}", one.schema) for one in inner] + [
            Kind(one) for one in types if one != "array"
        ]
    bounds = _bounds(schema)
    return [Kind(f"{one}{bounds}" if one not in ("null", "boolean") else one) for one in types]


def _bounds(schema: Mapping[str, Any]) -> str:
    if "format" in schema:
        return f" ({schema['format']})"
    low = schema.get("minimum", schema.get("minLength"))
    high = schema.get("maximum", schema.get("maxLength", schema.get("maxProperties")))
    what = " characters" if "maxLength" in schema or "minLength" in schema else " members" * ("maxProperties" in schema)
    if low is not None and high is not None:
        return f" ({low} to {high}{what})"
    if low is not None:
        return f" (at least {low}{what})"
    return f" (at most {high}{what})" if high is not None else ""
