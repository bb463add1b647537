"""The visibility of entries: every page and every read of a tournament, for each personal member that is hidden."""

import io
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from deploy.server import embedded
from shared.core.readings.particulars import PERSONAL
from shared.http.app import close
from shared.http.limits.rate_limits import Limits
from tests.http.calls import Call, calls_on

T = "/v1/tournaments/cup"
PLANTED = {
    "name": "Zzyzx Quux",
    "club": "Vexillum",
    "birth_year": "1907",
    "fide_id": "86099917",
    "national_id": "QX-5599",
}
"""The values of the first player, by member. Only the sex has no value of its own."""
OTHERS = ("sex", "checked_in")
PARTS = {
    "<int:n>": "1",
    "<int:b>": "1",
    "<int:p>": "1",
    "<int:seq>": "3",
    "<int:team>": "1",
    "<g>": "cup.1.1",
    "<r>": "r1",
    "<t>": "cup",
}
PAPERS = ("check-in", "standings", "crosstable", "report", "boards", "names", "slips")
FILES = (
    "/v1/games/cup.1.1/sheet",
    "/v1/tournaments/cup/trf?edition=26",
    "/t/cup/prizes?unit=yes&sex=yes&born=1900-1950",
)
"""Addresses that a rule has more than once, by the file that is asked for."""


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    made = embedded.make_app(tmp_path_factory.mktemp("visibility"), Limits(rate=0, reads=0))
    yield made
    close(made)


@pytest.fixture(scope="module")
def call(app: Flask, tmp_path_factory: pytest.TempPathFactory) -> Call:
    """Return a call on a tournament of two players, who have checked in and play, with a foul."""
    call = calls_on(app, Path(tmp_path_factory.getbasetemp()) / "visibility0", "chief_arbiter")
    cup = {"id": "cup", "name": "Cup", "game": "chess", "format": "swiss", "rounds": 3, "regulations": "fide-2026"}
    first: dict[str, Any] = {**PLANTED, "birth_year": 1907, "sex": "f", "federation": "CHN"}
    sent = (
        ("", cup),
        ("/cup/entries", {"players": [{"id": 1, **first}, {"id": 2, "name": "Other"}]}),
        ("/cup/check-in", {"came": [1, 2]}),
        ("/cup/rounds", {"boards": [[1, 2]], "reason": "as drawn"}),
        ("/cup/rulings", {"player": 1, "round": 1, "game": "cup.1.1", "infraction": "illegal_move"}),
        ("/cup/results", {"round": 1, "results": [{"board": 1, "result": "1-0"}]}),
    )
    for path, body in sent:
        seen = {"If_Match": call("GET", T).headers["ETag"]} if path == "/cup/rounds" else {}
        answer = call("POST", f"/v1/tournaments{path}", body, **seen)
        assert answer.status_code == 201, answer.text
    return call


def addresses(app: Flask) -> set[str]:
    """Return every address of the tournament and its games that can be read."""
    found = set(FILES)
    for rule in app.url_map.iter_rules():
        if "GET" not in (rule.methods or ()) or not ("<t>" in rule.rule or "<g>" in rule.rule):
            continue
        address = rule.rule
        for part, value in PARTS.items():
            address = address.replace(part, value)
        papers = PAPERS if "<paper>" in address else ("",)
        found |= {re.sub("<[^>]+>", "1", address.replace("<paper>", paper)) for paper in papers}
    return found


def content(answer: Any) -> str:
    """Return an answer as text: for an archive, the text of all its files."""
    if answer.mimetype == "text/event-stream":  # the events of the log, forever
        answer.close()
        return ""
    if answer.mimetype == "application/zip":
        packed = zipfile.ZipFile(io.BytesIO(answer.data))
        return "".join(packed.read(name).decode() for name in packed.namelist())
    return str(answer.text)


def read_all(app: Flask, call: Call, public: tuple[str, ...], role: Any = None) -> dict[str, str]:
    """Return what a reader gets at every address if only these members are public."""
    assert call("POST", f"{T}/visibility", {"public": list(public)}).status_code == 201
    answers = {address: call("GET", address, role=role) for address in addresses(app)}
    assert {answer.status_code for answer in answers.values()} <= {200, 303, 401, 403, 404, 409, 422}
    assert sum(answer.status_code == 200 for answer in answers.values()) > 60
    return {address: content(answer) for address, answer in answers.items()}


def found(texts: dict[str, str], value: str) -> set[str]:
    """Return the addresses whose answers have the value as a word of its own, not within a hash or an ID."""
    word = re.compile(rf"(?<![\w+/-]){re.escape(value)}(?![\w+-])")
    return {address for address, text in texts.items() if word.search(text)}


@pytest.mark.parametrize("member", PLANTED)
def test_hidden_member_appears_nowhere_for_the_public(app: Flask, call: Call, member: str) -> None:
    texts = read_all(app, call, tuple(name for name in PERSONAL if name != member))
    assert found(texts, PLANTED[member]) == set()
    for other in PLANTED.keys() - {member, "national_id"}:
        assert len(found(texts, PLANTED[other])) > 1, other


@pytest.mark.parametrize("role", ["organiser", "chief_arbiter", "arbiter", "appeals", "auditor"])
def test_official_sees_every_member_that_is_hidden(call: Call, role: Any) -> None:
    assert call("POST", f"{T}/visibility", {"public": []}).status_code == 201
    entry = call("GET", f"{T}/entries/1", role=role)
    assert {name: str(entry.json[name]) for name in PLANTED} == PLANTED
    assert (entry.json["sex"], entry.json["checked_in"]) == ("f", True)
    assert entry.headers["Cache-Control"] == "no-store"
    card, file = call("GET", "/t/cup/players/1", role=role).text, call("GET", f"{T}/trf", role=role).text
    assert all(PLANTED[name] in card for name in ("name", "club", "birth_year", "fide_id"))
    assert all(PLANTED[name] in file for name in ("name", "birth_year", "fide_id"))


@pytest.mark.parametrize("public", [False, True])
def test_sex_and_check_in_follow_the_setting(call: Call, *, public: bool) -> None:
    assert call("POST", f"{T}/visibility", {"public": list(OTHERS) if public else []}).status_code == 201
    entry = call("GET", f"{T}/entries/1", role=None).json
    assert [name in entry for name in OTHERS] == [public, public]
    assert ("woman" in call("GET", "/t/cup/players/1", role=None).text) is public
    row = next(line for line in call("GET", f"{T}/trf", role=None).text.splitlines() if line.startswith("001    1"))
    assert row[9] == ("w" if public else " ")
    lists = call("GET", "/t/cup/prizes.csv?sex=yes", role=None).text
    assert (": Women," in lists) is public
    assert ("2 of 2" in call("GET", "/t/cup/check-in", role=None).text) is public


def test_default_shows_name_and_club_only(app: Flask, tmp_path: Path) -> None:
    fresh = embedded.make_app(tmp_path, Limits(rate=0, reads=0))
    try:
        call = calls_on(fresh, tmp_path, "chief_arbiter")
        cup = {"id": "cup", "name": "Cup", "game": "chess", "format": "swiss", "rounds": 3, "regulations": "fide-2026"}
        assert call("POST", "/v1/tournaments", cup).status_code == 201
        said = call("GET", f"{T}/visibility", role=None).json
        assert (said["public"], said["seq"]) == (["name", "club"], None)
        assert said["hidden"] == [name for name in PERSONAL if name not in said["public"]]
        assert call("POST", f"{T}/visibility", {"public": ["sex", "name"]}).status_code == 201
        said = call("GET", f"{T}/visibility", role=None).json
        assert (said["public"], said["seq"] is not None) == (["name", "sex"], True)
        assert call("GET", f"{T}/audit").json["verdict"] == "agrees"
    finally:
        close(fresh)


@pytest.mark.parametrize("wrong", [["shoe_size"], "name", None])
def test_unknown_member_is_refused_by_name(call: Call, wrong: Any) -> None:
    answer = call("POST", f"{T}/visibility", {"public": wrong})
    assert answer.status_code == 422 and "public" in answer.json["errors"]


def test_answer_that_depends_on_its_reader_is_not_cached_for_others(call: Call) -> None:
    assert call("POST", f"{T}/visibility", {"public": []}).status_code == 201
    for address in (f"{T}/standings", f"{T}/trf", f"{T}/entries"):
        own, others = call("GET", address), call("GET", address, role=None)
        assert own.headers["Cache-Control"] == "no-store" and others.headers["Cache-Control"] != "no-store"
        assert {"Authorization", "Cookie"} <= {*others.vary} or {"authorization", "cookie"} <= {
            *map(str.lower, others.vary)
        }


def test_past_state_is_shown_by_the_present_setting(call: Call) -> None:
    assert call("POST", f"{T}/visibility", {"public": list(PERSONAL)}).status_code == 201
    at = call("GET", T).json["seq"]
    assert call("GET", f"{T}/entries/1?at={at}", role=None).json["name"] == PLANTED["name"]
    assert call("POST", f"{T}/visibility", {"public": []}).status_code == 201
    assert call("GET", f"{T}/entries/1?at={at}", role=None).json["name"] is None
