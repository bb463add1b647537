"""The OpenAPI files that are read without a server: as current as the code, and valid."""

import json
import re
from pathlib import Path

import pytest
from jsonschema_rs import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator

from deploy.build.openapi_build import FOLDER, documents, main, render
from shared.core.event_types.registry import BY_NAME, UPCASTERS

GOLDEN = Path(__file__).parents[1] / "golden"
MADE = documents()
LISTS_AS_LINES = ("listScoreSheets",)
"""Lists that are NDJSON alone: whole, a row a line."""


def test_there_is_a_file_for_the_whole_and_for_each_service():
    assert set(MADE) == {f"{n}.json" for n in ("arbiter", "pairing", "games", "penalties", "standings")}
    assert {f.name for f in FOLDER.glob("*.json")} == set(MADE)


@pytest.mark.parametrize("name", MADE)
def test_a_file_is_what_make_docs_would_write(name):
    told = "run `make docs`: the routes or their schemas have changed"
    assert (FOLDER / name).read_text(encoding="utf-8") == render(MADE[name]), told


@pytest.mark.parametrize("file", [*FOLDER.glob("*.json"), FOLDER.parent / "asyncapi.yaml"], ids=lambda file: file.name)
def test_a_description_names_no_part_of_the_code(file):
    quoted = re.findall(r"(?<!`)`(?!`)([^`\n]+)`(?!`)", file.read_text(encoding="utf-8"))
    assert [one for one in quoted if re.fullmatch(r"[a-z_]+\.[A-Za-z_.]+|[A-Z][a-z]+[A-Z]\w+|[A-Z_]{4,}", one)] == []


@pytest.mark.parametrize("name", MADE)
def test_a_file_is_openapi_3_1(name):
    document = json.loads((FOLDER / name).read_text(encoding="utf-8"))
    assert document["openapi"].startswith("3.1")
    OpenAPIV31SpecValidator(document).validate()


def test_every_route_says_what_it_is_for():
    routes = [
        (path, method, told) for path, row in MADE["arbiter.json"]["paths"].items() for method, told in row.items()
    ]
    verbs = ("get", "post", "put", "delete")
    assert [(path, verb) for path, verb, told in routes if verb in verbs and not told.get("summary")] == []


def operations(name: str) -> list[tuple[str, dict]]:
    return [
        (f"{method.upper()} {path}", told) for path, row in MADE[name]["paths"].items() for method, told in row.items()
    ]


@pytest.mark.parametrize("name", MADE)
def test_every_operation_has_a_name_of_its_own_that_a_client_can_call(name):
    names = [told["operationId"] for _, told in operations(name)]
    assert [one for one in names if not re.fullmatch("[a-z]+([A-Z][a-z]*)*", one)] == []
    assert len(names) == len(set(names))


@pytest.mark.parametrize("name", MADE)
def test_every_operation_stands_under_a_tag_that_the_document_explains(name):
    explained = {tag["name"] for tag in MADE[name]["tags"] if tag["description"]}
    assert {tag for _, told in operations(name) for tag in told["tags"]} == explained


def test_no_good_answer_in_json_is_an_object_without_members():
    bare = []
    for operation, told in operations("arbiter.json"):
        for status, answer in told["responses"].items():
            for media, content in answer.get("content", {}).items():
                schema = content["schema"]
                if media == "application/json" and status < "300" and not {"$ref", "oneOf", "properties"} & set(schema):
                    bare.append((operation, status))
    assert bare == []


def test_every_member_of_an_answer_is_said_to_be_there_or_optional_and_none_comes_besides():
    schemas = MADE["arbiter.json"]["components"]["schemas"]
    events = {name for name, schema in schemas.items() if "discriminator" in schema}
    answers = {name: schema for name, schema in schemas.items() if name.endswith("Answer") and name not in events}
    open_ones = [name for name, schema in answers.items() if schema.get("additionalProperties") is not False]
    assert len(answers) > 60 and open_ones == []
    assert [name for name, schema in answers.items() if not schema.get("required")] == []


OPEN = {
    "#/components/schemas/VerdictAnswer/id": "a question's own name for itself, any JSON, as it was sent",
    "paths": "of the description of the API, which says there what it is by the specification that it names",
}
"""Where an answer may hold anything: why."""


OPEN_BODIES = {
    "post /v1/judge body/": "what a question takes is told by its answer, not refused: each in its place in a list of them",
    "#/components/schemas/PreviewRequest/body/*": "the body of another command, as the address that it names takes it",
}
"""Where a body may hold anything: why."""


def answers_of(told: dict) -> list[tuple[str, dict]]:
    return [*told["responses"].items()]


def body_of(told: dict) -> list[tuple[str, dict]]:
    return [("body", told["requestBody"])] if "requestBody" in told else []


def open_objects(document: dict, parts=answers_of) -> set[str]:
    """Where an answer (or another part) of a document may hold an object whose members it does not say, or anything at all."""
    found, seen = set(), set()

    def resolved(part: dict) -> dict:
        place = document
        for step in part["$ref"].removeprefix("#/").split("/"):
            place = place[step]
        return place

    def walk(schema: dict, place: str) -> None:
        if "$ref" in schema:
            if schema["$ref"] not in seen:
                seen.add(schema["$ref"])
                walk(resolved(schema), schema["$ref"])
            return
        choices = [one for name in ("oneOf", "anyOf", "allOf") for one in schema.get(name, [])]
        named, others = schema.get("properties", {}), schema.get("additionalProperties")
        kinds = schema.get("type", [])
        untyped = not kinds and not choices and "const" not in schema and "enum" not in schema
        if untyped or ("object" in kinds and not named and not choices and not isinstance(others, dict)):
            found.add(place)
        for name, member in named.items():
            walk(member, f"{place}/{name}")
        for member in (*choices, *([schema["items"]] if "items" in schema else [])):
            walk(member, place)
        if isinstance(others, dict):
            walk(others, f"{place}/*")

    for path, row in document["paths"].items():
        for verb, told in row.items():
            for status, answer in parts(told):
                for content in (resolved(answer) if "$ref" in answer else answer).get("content", {}).values():
                    walk(content["schema"], f"{verb} {path} {status}")
    return found


@pytest.mark.parametrize("name", MADE)
def test_no_answer_holds_an_object_whose_members_are_not_said(name):
    found = open_objects(json.loads((FOLDER / name).read_text(encoding="utf-8")))
    assert [place for place in found if not place.endswith(tuple(OPEN))] == []
    assert name != "arbiter.json" or len(found) == len(OPEN), "needed no more"


@pytest.mark.parametrize("name", MADE)
def test_no_body_holds_an_object_whose_members_are_not_said(name):
    found = open_objects(json.loads((FOLDER / name).read_text(encoding="utf-8")), body_of)
    assert [place for place in found if not place.startswith(tuple(OPEN_BODIES))] == []
    assert name != "arbiter.json" or all(any(one.startswith(place) for one in found) for place in OPEN_BODIES)


def test_an_event_in_an_answer_has_the_data_of_its_type_and_takes_no_other():
    schemas = MADE["arbiter.json"]["components"]["schemas"]
    events = {name: schema for name, schema in schemas.items() if "discriminator" in schema}
    assert set(events) == {"EventAnswer", "PreviewedEvent", "ForeseenEventAnswer", "ForeseenLineAnswer"}
    assert set(events["EventAnswer"]["discriminator"]["mapping"]) == {*BY_NAME, *UPCASTERS}
    assert set(events["PreviewedEvent"]["discriminator"]["mapping"]) == set(BY_NAME)
    for schema in events.values():
        for type, reference in schema["discriminator"]["mapping"].items():
            one = schemas[reference.rpartition("/")[2]]
            assert one["properties"]["type"] == {"const": type} and one["unevaluatedProperties"] is False
            data = schemas[one["properties"]["data"]["$ref"].rpartition("/")[2]]
            assert data["additionalProperties"] is False, type


def test_every_line_that_was_ever_written_is_an_event_as_the_document_says():
    components = MADE["arbiter.json"]["components"]
    event = Draft202012Validator({"$ref": "#/components/schemas/EventAnswer", "components": components})
    lines = [line for file in sorted(GOLDEN.glob("*.json")) for line in file.read_bytes().splitlines()]
    lines += [line for file in sorted(GOLDEN.glob("log-*/*.ndjson")) for line in file.read_bytes().splitlines()]
    events = [one for line in lines if "specversion" in (one := json.loads(line))]
    assert {one["type"] for one in events} == {*BY_NAME, *UPCASTERS}
    assert [one for one in events if not event.is_valid(one)] == []
    other = events[0] | {"data": events[0]["data"] | {"anything": 1}}
    assert not event.is_valid(other)


def test_every_list_has_its_rows_by_the_name_of_its_address_and_where_to_go_on():
    schemas = MADE["arbiter.json"]["components"]["schemas"]
    lists = {}
    for operation, told in operations("arbiter.json"):
        json_of = told["responses"].get("200", {}).get("content", {}).get("application/json", {})
        members = schemas.get(json_of.get("schema", {}).get("$ref", "").rpartition("/")[2], {}).get("properties", {})
        name = operation.rpartition("/")[2]
        is_table = "rounds" in members
        if (members.get(name, {}).get("type") == "array" and not is_table) or "next" in members:
            lists[operation] = (told, members)
            least = {name, "next"} | ({"tournament", "seq"} if "{t}" in operation or "{g}" in operation else set())
            assert least <= set(members), operation
            assert members["next"]["type"] == ["string", "null"], operation
            assert "Link" in told["responses"]["200"]["headers"], operation
    named = {told["operationId"] for told, _ in lists.values()}
    assert len(named) > 8 and all(name.startswith("list") for name in named)
    assert {told["operationId"] for _, told in operations("arbiter.json")} & set(LISTS_AS_LINES) == set(LISTS_AS_LINES)
    others = {told["operationId"] for _, told in operations("arbiter.json")} - named - set(LISTS_AS_LINES)
    assert [name for name in others if name.startswith("list")] == []


def test_every_command_that_makes_something_says_where_it_is():
    made = {
        told["operationId"]: "Location" in told["responses"]["201"]["headers"]
        for _, told in operations("arbiter.json")
        if "201" in told["responses"]
    }
    assert len(made) > 40
    assert [name for name, located in made.items() if not located] == ["revokeTokensOfName"], "which is read nowhere"


def test_patterns_are_read_alike_by_python_and_javascript():
    def patterns(part) -> list[str]:
        match part:
            case dict():
                return [
                    one
                    for name, value in part.items()
                    for one in ([value] if name == "pattern" and isinstance(value, str) else patterns(value))
                ]
            case list():
                return [one for value in part for one in patterns(value)]
        return []

    found = patterns(MADE["arbiter.json"])
    assert len(found) > 10
    assert [one for one in found if not (one.startswith("^") and one.endswith("$"))] == []
    assert [one for one in found if re.search(r"\\[AZzGbB]|\(\?(?!:)", one)] == []


def test_the_union_has_the_paths_of_every_service():
    own = {path for name in MADE if name != "arbiter.json" for path in MADE[name]["paths"]}
    assert set(MADE["arbiter.json"]["paths"]) == own


def test_asked_for_help_it_tells_and_writes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        main(["--help"])
    assert ended.value.code == 0
    assert list(tmp_path.iterdir()) == []
