"""The texts of the OpenAPI document: a client's developer reads nothing else."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from deploy.build.openapi_build import FOLDER
from deploy.build.problem_codes import codes_of_operations
from shared.core.readings.authority import ACTS
from shared.core.terms import ROLES
from shared.http.openapi import operation_texts
from shared.http.openapi.openapi_parameters import template
from shared.http.openapi.operation_texts import CODES
from tests.http.role_matrix import MATRIX

UNION: dict[str, Any] = json.loads((FOLDER / "arbiter.json").read_text(encoding="utf-8"))
SCHEMAS: dict[str, Any] = UNION["components"]["schemas"]
OPERATIONS = [operation for path in UNION["paths"].values() for operation in path.values()]
BY_ID = {operation["operationId"]: operation for operation in OPERATIONS}
VERBS = re.compile(
    "(Acknowledge|Adopt|Announce|Annul|Appoint|Assign|Audit|Compare|Correct|Create|Decide|Delete|Dismiss|Download|End|Erase|Explain"
    "|Export|Get|Grant|Import|Judge|List|Lodge|Make|Offer|Pair|Preview|Prove|Publish|Record|Register|Report|Restart|Resume|Retract"
    "|Return|Revoke|Set|Start|Store|Submit|Take|Uphold|Withdraw)[ ,]"
)
MOST = 60
"""Characters of a summary."""
LEAST = 40
"""Objects of which each member is described."""


def test_summaries_are_short_commands():
    summaries = [operation["summary"] for operation in OPERATIONS]
    assert [one for one in summaries if len(one) > MOST or one.endswith(".")] == []
    assert [one for one in summaries if not VERBS.match(one)] == []
    assert [one for one, times in Counter(summaries).items() if times > 1] == []


def test_operations_have_descriptions_in_sentences():
    lacking = [name for name, one in BY_ID.items() if not re.match(r"[A-Z`].*[.!:]$", one.get("description", ""), re.M)]
    assert lacking == []


def test_operations_name_their_permissions():
    told = {name: one["description"] for name, one in BY_ID.items()}
    assert [
        name for name, text in told.items() if not ("Permission: " in text or "No token is required." in text)
    ] == []
    assert [one["operationId"] for one in OPERATIONS if "security" in one and "No token" in one["description"]] == []
    assert "Permission: the role `organiser` or `chief_arbiter`." in told["enterPlayers"]
    assert "ruleset grants the act `annul`" in told["annulRuling"]


@pytest.mark.parametrize("row", [row for row in MATRIX if row.act in ACTS], ids=lambda row: f"{row.route} {row.act}")
def test_permissions_are_those_of_the_matrix_of_roles(row):
    method, _, route = row.route.partition(" ")
    sentences = UNION["paths"][template(route)][method.lower()]["description"].split("Permission: ")[1].split(". ")
    own = [one for one in sentences if one.startswith(f"To {row.act}: ")] or sentences[:1]
    assert {role for role in ROLES if f"`{role}`" in own[0].partition("\n")[0]} == set(row.may)


@pytest.mark.parametrize(
    ("operation", "line"),
    [
        ("enterPlayers", "- 422: `invalid-id`, `national-id-without-federation`, `nobody-entered`"),
        ("getRuling", "- 404: `beyond-the-end`, `unknown-ruling`"),
        ("noteCrossing", "- 409: `crossing-noted`"),
    ],
)
def test_operations_list_their_problem_codes(operation, line):
    assert line in BY_ID[operation]["description"].splitlines()


def test_read_lists_no_codes_of_the_command_at_its_address():
    read, command = (BY_ID[name]["x-problem-codes"] for name in ("listPublications", "publishStandings"))
    assert "place-shared" in command["409"]
    assert "409" not in read


@pytest.mark.parametrize(
    ("operation", "status", "code"),
    [
        ("lodgeAppeal", "409", "not-concerned"),
        ("listTournaments", "422", "bad-fields"),
        ("listResults", "422", "bad-cursor"),
        ("enterPlayers", "409", "player-exists"),
    ],
)
def test_codes_that_helpers_and_variables_report_are_listed(operation, status, code):
    assert code in BY_ID[operation]["x-problem-codes"][status]


def test_reads_that_require_a_token_say_so():
    reads = {
        one["operationId"]: "security" in one for path in UNION["paths"].values() for one in [path.get("get")] if one
    }
    required = {name for name, said in reads.items() if said}
    assert required == {
        "getImport", "getWebhook", "getWebhookOfAll", "listIntegrationTokens", "listTexts", "listWebhooks", "listWebhooksOfAll",
    }  # fmt: skip
    assert not reads["getArchive"], "its token is optional"


def test_numbers_of_queries_are_integers():
    kinds = {
        (one["operationId"], each["name"]): each["schema"]
        for one in OPERATIONS
        for each in one["parameters"]
        if each["in"] == "query"
    }
    numbers = [schema["type"] for (_, name), schema in kinds.items() if name in ("round", "player", "number")]
    assert len(numbers) > 10
    assert all("integer" in one for one in numbers)
    assert [name for name, schema in kinds.items() if schema.get("default") in ((), "()")] == []


def test_descriptions_have_the_words_of_json_and_commonmark():
    texts = {name: schema.get("description", "") for name, schema in SCHEMAS.items()}
    assert [name for name, text in texts.items() if "``" in text or text.count("`") % 2] == []
    assert [name for name, text in texts.items() if re.search(r"\bNone\b|command handler|slug", text)] == []


def test_problem_codes_are_those_of_the_code():
    assert json.loads(CODES.read_text(encoding="utf-8")) == codes_of_operations(), "run `make docs`"


def test_parameters_headers_and_problems_are_described():
    parameters = [(one["operationId"], each) for one in OPERATIONS for each in one.get("parameters", [])]
    assert len(parameters) > 300
    assert [(name, each.get("name")) for name, each in parameters if not each.get("description")] == []
    for kind in ("headers", "responses"):
        assert [name for name, one in UNION["components"][kind].items() if not one["description"].endswith(".")] == []


def references(part: Any) -> Iterator[str]:
    """Yield the components that a part of the document refers to."""
    match part:
        case dict():
            if isinstance(part.get("$ref"), str):
                yield part["$ref"].removeprefix("#/components/")
            for one in part.values():
                yield from references(one)
        case list():
            for one in part:
                yield from references(one)


def used_by(operation: dict[str, Any]) -> set[str]:
    """Return the schemas that an operation uses, at any depth."""
    todo, seen = set(references(operation)), set[str]()
    while todo:
        kind, _, name = (one := todo.pop()).partition("/")
        seen.add(one)
        todo |= set(references(UNION["components"][kind][name])) - seen
    return {one.removeprefix("schemas/") for one in seen if one.startswith("schemas/")}


def is_event(name: str) -> bool:
    """Return whether a schema is an event or its data, which AsyncAPI describes."""
    return name.startswith("Log") or "unevaluatedProperties" in SCHEMAS[name]


def test_the_most_used_objects_are_described_completely():
    uses = Counter(name for operation in OPERATIONS for name in used_by(operation))
    objects = {
        name for name, times in uses.items() if times > 1 and "properties" in SCHEMAS[name] and not is_event(name)
    }
    assert len(objects) >= LEAST and {"Problem", "EventAttributes", "WrittenAnswer", "RulingAnswer"} <= objects
    assert [name for name in objects if not SCHEMAS[name].get("description")] == []
    bare = {
        (name, member)
        for name in objects
        for member, one in SCHEMAS[name]["properties"].items()
        if not one.get("description")
    }
    assert bare == set()


def test_answers_are_described_completely():
    answers = {name: one for name, one in SCHEMAS.items() if name.endswith("Answer") and not is_event(name)}
    bare = [
        (name, member)
        for name, one in answers.items()
        for member, each in one.get("properties", {}).items()
        if not each.get("description")
    ]
    assert (bare, [name for name, one in answers.items() if not one.get("description")]) == ([], [])


def test_descriptions_of_members_are_all_used():
    table = dict(operation_texts.table())
    common = table.pop(operation_texts.COMMON)
    objects = table.pop(operation_texts.OBJECTS)
    assert [name for name in objects if SCHEMAS[name].get("description") != objects[name]] == []
    stale = [
        (name, member)
        for name, members in table.items()
        for member in members
        if not SCHEMAS[name]["properties"].get(member, {}).get("description", "").startswith(members[member])
    ]
    assert stale == []
    shown = {each.get("description") for one in SCHEMAS.values() for each in one.get("properties", {}).values()}
    assert [member for member, text in common.items() if text not in shown] == []
