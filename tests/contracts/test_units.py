"""Units of points: half-points of the code are the published ones, and our own answers count points."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import pytest

from deploy.build.openapi_build import FOLDER, UNION
from shared.core.event_types.registry import EVENT_TYPES, UPCASTERS
from shared.core.terms import HalfPoints
from shared.wire.event_data import FORMS
from shared.wire.shapes import kept
from tests.http.boards import T, board
from tests.yaml_files import ASYNCAPI, document

Place = tuple[str, ...]
OPENAPI = json.loads((FOLDER / f"{UNION}.json").read_text(encoding="utf-8"))
SCHEMAS = {"openapi": OPENAPI["components"]["schemas"], "asyncapi": document(ASYNCAPI)["components"]["schemas"]}
UNIT = "half-points"


def declared(form: Any, at: Place = ()) -> Iterator[Place]:
    """Yield where a type has half-points."""
    origin, arguments = get_origin(form), get_args(form)
    if form is HalfPoints:
        yield at
    elif origin is Annotated:
        yield from declared(arguments[0], at)
    elif origin in (Union, UnionType):
        for one in arguments:
            yield from declared(one, at)
    elif origin is tuple or (isinstance(origin, type) and issubclass(origin, Mapping)):
        for one in arguments:
            yield from declared(one, (*at, "*"))
    elif is_dataclass(form) or hasattr(form, "__struct_fields__"):
        names = [one.name for one in fields(form)] if is_dataclass(form) else form.__struct_fields__
        hints = get_type_hints(form, include_extras=True)
        for name in names:
            yield from declared(hints[name], (*at, name))


def written(shape: Any, at: Place = ()) -> Iterator[Place]:
    """Yield each value of a version's shape."""
    if isinstance(shape, dict):
        for name, one in shape.items():
            yield from written(one, (*at, name.removesuffix("?")))
    elif isinstance(shape, list):
        yield from written(shape[0], (*at, "*"))
    else:
        yield at


def in_the_code() -> dict[str, set[Place]]:
    """Return the half-points of every version of every event type."""
    newest = {row.name: set(declared(FORMS[row.name])) for row in EVENT_TYPES}
    return newest | {name: newest[row.name] & set(written(kept()[name])) for name, (row, _) in UPCASTERS.items()}


def published(schema: Any, schemas: dict[str, Any], at: Place = ()) -> Iterator[Place]:
    """Yield where a schema has half-points."""
    name = schema.get("$ref", "").rpartition("/")[2]
    if name.endswith("HalfPoints"):
        yield at
    elif name:
        yield from published(schemas[name], schemas, at)
    for one in (*schema.get("anyOf", ()), *schema.get("allOf", ()), *schema.get("oneOf", ())):
        yield from published(one, schemas, at)
    for member, one in schema.get("properties", {}).items():
        yield from published(one, schemas, (*at, member))
    for inner in (schema.get("items"), schema.get("additionalProperties")):
        if isinstance(inner, dict):
            yield from published(inner, schemas, (*at, "*"))


def data_of_openapi() -> Iterator[tuple[str, Any]]:
    for type, reference in SCHEMAS["openapi"]["EventAnswer"]["discriminator"]["mapping"].items():
        yield type, SCHEMAS["openapi"][reference.rpartition("/")[2]]["properties"]["data"]


def data_of_asyncapi() -> Iterator[tuple[str, Any]]:
    for log in ("OfficialEvent", "SheetEvent"):
        for line in SCHEMAS["asyncapi"][log]["oneOf"]:
            yield line["properties"]["type"]["const"], line["properties"]["data"]


@pytest.mark.parametrize(("name", "data"), [("openapi", data_of_openapi), ("asyncapi", data_of_asyncapi)])
def test_half_points_of_the_code_are_the_published_ones(name, data):
    said = {type: set(published(schema, SCHEMAS[name])) for type, schema in data()}
    code = in_the_code()
    assert {type: places for type, places in said.items() if places} == {t: p for t, p in code.items() if p}
    assert said.keys() == code.keys() and ("white", "points") in code["arbiter.result.reported.v1"]


def members(schema: Any) -> Iterator[tuple[str, Any]]:
    """Yield each member at every depth, without those of components."""
    if isinstance(schema, dict):
        yield from schema.get("properties", {}).items()
        for one in schema.values():
            yield from members(one)
    elif isinstance(schema, list):
        for one in schema:
            yield from members(one)


def counts_half_points(schema: Any) -> bool:
    return any(one.get("$ref", "").endswith("HalfPoints") for one in (schema, *schema.get("anyOf", ())))


@pytest.mark.parametrize("name", SCHEMAS)
def test_half_points_say_their_unit_and_no_other_number_says_it(name):
    every = [member for schema in SCHEMAS[name].values() for member in members(schema)]
    unit = [schema for _, schema in every if counts_half_points(schema)]
    assert unit and [one for one in unit if UNIT not in one["description"]] == []
    plain = {m for m, s in every if UNIT in s.get("description", "") and not counts_half_points(s)}
    assert plain == ({"results"} if name == "openapi" else set()), "the results name both units"


def test_own_members_count_points():
    own = {name: schema for name, schema in SCHEMAS["openapi"].items() if not name.startswith("Log")}
    points = [
        (name, m, s) for name, one in own.items() for m, s in members(one) if m.endswith("points") and "type" in s
    ]
    assert len(points) > 20 and not [one for one in points if "HalfPoints" in json.dumps(one[2])]
    assert not [(name, m) for name, m, s in points if "number" not in s["type"]], "half a point is 0.5"


def test_response_of_results_has_both_units_and_explains_them(tmp_path):
    with board(tmp_path, "chess") as b:
        sent = {"round": 1, "results": [{"board": 1, "result": "1/2-1/2"}]}
        answer = b.call("POST", f"{T}/results", sent, "arbiter").json
    assert (answer["results"][0]["white"]["points"], answer["events"][0]["data"]["white"]["points"]) == (0.5, 1)
    for operation in ("results", "corrections"):
        text = OPENAPI["paths"]["/v1/tournaments/{t}/" + operation]["post"]["description"]
        assert "a draw is `0.5`" in text and "a draw is `1`" in text
    assert UNIT in SCHEMAS["openapi"]["ResultsWrittenAnswer"]["properties"]["results"]["description"]
