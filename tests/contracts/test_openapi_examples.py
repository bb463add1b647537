"""The examples of the OpenAPI documents are what a real house answers, and as their schemas say."""

import json
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from typing import Any

import pytest
from jsonschema_rs import Draft202012Validator

from deploy.build.examples_build import examples, main, settled
from deploy.build.openapi_build import FOLDER
from shared.http.openapi.operation_texts import EXAMPLES as FILE

KEPT = json.loads(FILE.read_text(encoding="utf-8"))
UNION = json.loads((FOLDER / "arbiter.json").read_text(encoding="utf-8"))
WITHOUT = {
    "announceKey": "a house that was lost its key has none to show",
    "announcePairingKey": "the same",
    "getDescription": "is the document itself",
    "invite": "gives a secret",
    "keepReportFile": "takes a file, whose makers have examples",
    "pairPlayOff": "needs an event that ended in a tie",
    "noteCrossing": "needs services apart",
    "upholdPairing": "needs a bracket with a corrected result",
    "restartCheckpoint": "needs a checkpoint of a log that is lost",
}
"""Operations without an example, and why."""


@pytest.fixture(scope="module")
def played() -> list[dict]:
    return examples()


def test_every_example_is_answered_so_by_a_real_house(played):
    for told, now in zip(settled(KEPT), settled(played), strict=True):
        assert now == told, f"{told['operation']}: run `make docs`"


def test_every_operation_that_takes_or_gives_json_has_an_example():
    lacking = set()
    for path in UNION["paths"].values():
        for told in path.values():
            bodies = [told["requestBody"]] if "requestBody" in told else []
            good = [answer for status, answer in told["responses"].items() if status in ("200", "201", "202")]
            contents = [one["content"]["application/json"] for one in bodies if "application/json" in one["content"]]
            answered = [
                one["content"]["application/json"] for one in good if "application/json" in one.get("content", {})
            ]
            shown = all("example" in one for one in contents) and (
                not answered or any("example" in a for a in answered)
            )
            if not shown:
                lacking.add(told["operationId"])
    assert lacking == set(WITHOUT)


def contents(part: Any) -> Iterator[dict]:
    """Each content of a document that has an example."""
    if isinstance(part, dict):
        if "example" in part and "schema" in part:
            yield part
        else:
            for one in part.values():
                yield from contents(one)


def faults(content: dict) -> list[str]:
    """What of an example is not as its schema says."""
    return [each.message[:200] for each in validator(json.dumps(content["schema"])).iter_errors(content["example"])]


@cache
def validator(schema: str) -> Draft202012Validator:
    return Draft202012Validator(json.loads(schema) | {"components": UNION["components"]})


def test_every_example_is_as_its_schema_says_and_another_would_not_be():
    examples = [*contents(UNION["paths"]), *contents(UNION["components"]["responses"])]
    assert len(examples) > 100
    assert [(one["example"], said) for one in examples if (said := faults(one))] == []
    written = next(one for one in examples if "events" in one["example"])
    other = deepcopy(written)
    other["example"]["events"][0]["data"] = {"anything": "at all"}
    assert faults(other)


def test_problems_have_examples_too():
    problems = UNION["components"]["responses"]
    shown = {name for name, told in problems.items() if "example" in told["content"]["application/problem+json"]}
    assert shown == {f"Problem{status}" for status in (401, 403, 404, 409, 415, 422, 428)}


def test_a_file_that_still_fits_is_left_as_it_is(tmp_path, monkeypatch, played):
    file = tmp_path / "examples.json"
    file.write_text(json.dumps(KEPT), encoding="utf-8")
    monkeypatch.setattr("deploy.build.examples_build.FILE", file)
    monkeypatch.setattr("deploy.build.examples_build.examples", lambda: played)
    main([])
    assert json.loads(file.read_text(encoding="utf-8")) == KEPT
    monkeypatch.setattr("deploy.build.examples_build.examples", lambda: played[:3])
    main([])
    assert json.loads(file.read_text(encoding="utf-8")) == played[:3]
