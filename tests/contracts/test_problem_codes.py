"""Problem codes: each one that the code can report has an explanation, and each explanation belongs to a code."""

import json
import re
import tomllib
from pathlib import Path

import pytest

from deploy.build.openapi_build import FOLDER
from deploy.build.problem_sites import render, sites
from shared.http.problem_texts import FACTS, example_document, problem_texts
from shared.http.problems import REFUSALS, Problem, field_errors, help_path, outcome_unknown, unavailable
from shared.regulations.typed_toml import read_toml

ROOT = Path(__file__).parents[2]
UNION = json.loads((FOLDER / "arbiter.json").read_text(encoding="utf-8"))
TEXTS = problem_texts()
LONGEST_WORDS = 30
PLACE = re.compile(r"\{(\w+)\}")
OWN_PAGES = re.compile(r"`([a-z]+[A-Z]\w+)`")
"""Names of operations, as remedies write them."""


def test_every_problem_code_of_the_code_has_a_page_and_no_other():
    assert sites().keys() == TEXTS.keys()


def test_problem_facts_are_those_of_the_code():
    assert FACTS.read_text(encoding="utf-8") == render(), "run `make docs`"


def test_every_code_written_in_the_source_is_found():
    """The search by syntax is compared with a plain one, which knows neither variables nor parameters."""
    written = set()
    for folder in ("services", "shared", "deploy/server"):
        for file in (ROOT / folder).rglob("*.py"):
            text = file.read_text(encoding="utf-8")
            written |= set(re.findall(r'(?:Refusal\(\s*"\w+",|Problem\(\s*\d{3},|unavailable\()\s*"([a-z-]+)"', text))
    assert len(written) > 300
    assert written - TEXTS.keys() == set()


def test_every_code_has_a_status_except_those_that_repeat_one():
    assert [one.code for one in TEXTS.values() if not one.statuses] == ["http-status"]


def test_codes_of_operations_have_pages():
    of_operations = {
        code
        for row in UNION["paths"].values()
        for told in row.values()
        for codes in told.get("x-problem-codes", {}).values()
        for code in codes
    }
    assert len(of_operations) > 200
    assert of_operations - TEXTS.keys() == set()


@pytest.mark.parametrize("code", TEXTS)
def test_explanation_is_short_and_in_sentences(code):
    rows = read_toml("shared.http", "problem_texts.toml", dict[str, dict[str, str]])
    assert rows[code].keys() == {"meaning", "cause", "remedy"}
    for text in rows[code].values():
        assert text.endswith(".")
        assert len(text.split()) <= LONGEST_WORDS
    assert rows[code]["meaning"] != rows[code]["cause"]


@pytest.mark.parametrize("code", TEXTS)
def test_example_is_a_report_of_the_code_with_all_facts(code):
    one = TEXTS[code]
    document = example_document(one)
    assert PLACE.search(document.get("detail", "")) is None
    if one.example:
        assert document["type"] == f"urn:arbiter:problem:{code}"
        assert document["status"] in one.statuses
        assert document["title"] == one.example["title"] != ""
        assert document["written"] == one.example["written"]


def test_titles_of_refusals_are_those_the_server_sends():
    titles = {str(title) for _, title in REFUSALS.values()}
    assert example_document(TEXTS["result-exists"])["title"] in titles
    assert example_document(TEXTS["busy"])["title"] == unavailable("busy", "").document()["title"]


def test_example_of_an_unknown_outcome_leaves_open_whether_it_was_written():
    sent = outcome_unknown("spring-cup", "01890a5d-ac96-774b-bcce-b302099a8057").document()
    assert sent["written"] == "unknown"
    assert example_document(TEXTS["outcome-unknown"]) == sent


def test_example_of_wrong_fields_lists_them():
    assert example_document(TEXTS["bad-fields"])["errors"]


def test_examples_have_no_facts_that_no_detail_uses():
    rows = tomllib.loads((ROOT / "shared/http/problem_examples.toml").read_text(encoding="utf-8"))
    used = {code: {*PLACE.findall(one.example.get("detail", ""))} for code, one in TEXTS.items()}
    assert rows["facts"].keys() - set().union(*used.values()) == set()
    assert {code for code, facts in rows["facts_of"].items() if facts.keys() - used[code]} == set()
    assert (rows["details"].keys() | rows["members"].keys()) - TEXTS.keys() == set()


def test_remedies_name_operations_that_exist():
    named = {name for one in TEXTS.values() for name in OWN_PAGES.findall(f"{one.meaning} {one.cause} {one.remedy}")}
    operations = {told["operationId"] for row in UNION["paths"].values() for told in row.values()}
    assert len(named) > 5
    assert named - operations == set()


def test_codes_of_rare_statuses_share_a_page():
    assert help_path("http-418") == "/problems/http-status"
    assert help_path("stale") == "/problems/stale"


@pytest.mark.parametrize(
    ("where", "errors"),
    [
        ("reason", {"reason": ["why"]}),
        ("results[2]", {"results": {"2": ["why"]}}),
        ("stages[1].conditions.games", {"stages": {"1": {"conditions": {"games": ["why"]}}}}),
        ("changes.points.win", {"changes": {"points.win": ["why"]}}),
        ("round.trf:12:5", None),
        (None, None),
    ],
)
def test_field_of_a_refusal_has_the_shape_of_schema_errors(where, errors):
    assert field_errors(where, "why") == errors


def test_problem_document_of_a_refused_field_lists_it_under_errors():
    document = Problem(422, "bad-time-zone", "Not a valid command", "unknown zone", where="time_zone").document()
    assert document["errors"] == {"time_zone": ["unknown zone"]}
    assert document["where"] == "time_zone"
    refused = Problem(409, "stage-begun", "The rules refuse this", "it has begun", where="stages[0]").document()
    assert "errors" not in refused


def test_gateway_names_the_page_of_its_own_problems():
    (document,) = re.findall(r"return 200 '(\{.*\})';", (ROOT / "deploy/nginx.conf").read_text(encoding="utf-8"))
    assert '"help":"/problems/$problem"' in document
