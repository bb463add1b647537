"""Appeals in the browser: the case on the page of its decision, who reads its texts, and the tasks of each role."""

import re
from html import unescape
from pathlib import Path

import pytest
from flask import Flask

from shared.core.terms import Role
from tests.forms.conftest import Comes
from tests.http.calls import Call
from tests.http.forms import Person, hall

NOTE, GROUNDS, DECIDED = "touched the cannon twice", "a spectator asked, not I", "a witness confirms it"
RULING = {"player": 1, "round": 1, "infraction": "foul", "note": NOTE}


def case(call: Call, game: str) -> str:
    """Return the address of the decision form: a foul on board 1 with a note, and an appeal with grounds."""
    assert call("POST", "/v1/tournaments/<t>/rulings", RULING | {"game": game}, "arbiter").status_code == 201
    lodged = {"ruling": "r1", "by": 1, "grounds": GROUNDS}
    answer = call("POST", "/v1/tournaments/<t>/appeals", lodged, "player", name="1")
    assert answer.status_code == 201, answer.json
    return f"/t/<t>/appeals/{answer.json['appeal']}/decision"


def read(person: Person, path: str) -> str:
    """Return the text of a page as it is read."""
    answer = person.sees(path)
    assert answer.status_code == 200, answer.text
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", answer.text.partition("<main")[2])).split())


def test_committee_reads_the_whole_case_where_it_decides(call: Call, comes: Comes, t: str):
    result = {"round": 1, "results": [{"board": 1, "result": "1-0"}]}
    assert call("POST", "/v1/tournaments/<t>/results", result).status_code == 201
    form = case(call, f"{t}.1.1")
    committee = comes("appeals")
    seen = read(committee, form)
    assert "Player 1 – Player 2" in seen and "Round 1, board 1" in seen and "Result now 1 – 0" in seen
    assert f"“ {NOTE} ”" in seen and f"“ {GROUNDS} ”" in seen
    assert re.search(r"Article \S.*?犯规", seen), "with the words of the article"
    ruled, appealed = seen.index("ruling r1 in round 1: foul"), seen.index(f"appeal {form.split('/')[4]} of Player 1")
    assert ruled < seen.index(NOTE) < appealed < seen.index(GROUNDS), "in the order of the record"
    assert re.search(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \S+ *, arbiter", seen[ruled:appealed]), "when, and by whom"
    assert committee.confirms(form, upheld="yes", grounds=DECIDED).status_code == 303
    seen = read(committee, "/t/<t>/rulings/r1")
    assert "is upheld" in seen and "annuls r1" in seen and seen.count(DECIDED) == 1


@pytest.mark.parametrize(
    ("role", "name", "may"),
    [
        ("appeals", None, True),
        ("arbiter", None, True),
        ("deputy_chief_arbiter", None, True),
        ("chief_arbiter", None, True),
        ("organiser", None, True),
        ("auditor", None, True),
        ("player", "1", False),
        ("player", "3", False),
        ("board", None, False),
        ("appeals", "stranger", False),
        ("arbiter", "stranger", False),
        (None, None, False),
    ],
)
def test_texts_of_a_case_are_read_by_officials_only(
    call: Call, comes: Comes, t: str, role: Role | None, name: str | None, may: bool
):
    form, person = case(call, f"{t}.1.1"), comes(role, name)
    for path in (form, "/t/<t>/rulings/r1"):
        seen = read(person, path)
        assert ((NOTE in seen), (GROUNDS in seen)) == (may, may), path
        assert ("its text is shown only to officials" in seen) is not may, path
    assert (NOTE in read(person, "/t/<t>/rulings")) is may
    assert (GROUNDS in read(person, "/t/<t>/log")) is may
    named = {"name": name} if name else {}
    appeal = call("GET", "/v1/tournaments/<t>/appeals", None, role, **named).json["appeals"][0]
    ruling = call("GET", "/v1/tournaments/<t>/rulings", None, role, **named).json["rulings"][0]
    assert (appeal.get("grounds"), ruling.get("note_text")) == ((GROUNDS, NOTE) if may else (None, None))


def test_dismissed_official_reads_no_texts_of_cases(call: Call, comes: Comes, t: str):
    case(call, f"{t}.1.1")
    assert NOTE in read(comes(), "/t/<t>/rulings/r1")
    dismissal = call("POST", "/v1/tournaments/<t>/officials/arbiter/dismissal", {"reason": "bets"})
    assert dismissal.status_code == 201, dismissal.json
    assert NOTE not in read(comes(), "/t/<t>/rulings/r1")


def test_session_limited_to_boards_reads_no_texts_of_cases(app: Flask, data: Path, call: Call, comes: Comes, t: str):
    case(call, f"{t}.1.1")
    chief = comes("chief_arbiter")
    once = chief.opens("/t/<t>/sessions")["once"]
    invitation = {"act": "invite", "once": once, "role": "arbiter", "name": "arbiter", "boards": "1"}
    link = chief.sends("/t/<t>/sessions", invitation).text.partition('value="http://localhost')[2].partition('"')[0]
    tablet = Person(app, data, None, "", t)
    assert tablet.sends(link, {}).status_code == 303
    assert 'id="entry"' in tablet.sees("/t/<t>/rounds/1").text
    assert NOTE not in read(tablet, "/t/<t>/rulings/r1")


def test_a_case_contains_the_rulings_that_the_ruling_depends_on(call: Call, comes: Comes):
    for number in (1, 2, 3):
        body = RULING | {"note": f"note {number}"}
        assert call("POST", "/v1/tournaments/<t>/rulings", body, "arbiter").status_code == 201
    seen = read(comes("appeals"), "/t/<t>/rulings/r4")
    assert all(f"ruling r{n} in round 1" in seen for n in (1, 2, 3, 4))
    assert seen.index("note 1") < seen.index("note 2") < seen.index("note 3")


def test_each_role_is_given_its_own_tasks(call: Call, comes: Comes, t: str):
    committee, chief = comes("appeals"), comes("chief_arbiter")
    assert "No appeal is open." in read(committee, "/t/<t>")
    form = case(call, f"{t}.1.1").replace("<t>", t)
    seen = committee.sees("/t/<t>").text.partition("<table")[0]
    assert "1 thing needs attention" in seen and f'href="{form}"' in seen
    seen = chief.sees("/t/<t>").text.partition("<table")[0]
    assert f'href="/t/{t}/rulings/r1"' in seen and form not in seen, "the chief arbiter does not decide it"
    for other in (comes(None), comes("player", "1"), comes("appeals", "stranger")):
        assert "needs attention" not in other.sees("/t/<t>").text
    assert "Decide it" in committee.sees("/t/<t>/rulings/r1").text
    assert "Decide it" not in chief.sees("/t/<t>/rulings/r1").text + committee.sees(form).text


def test_a_ruling_that_may_be_appealed_is_information_and_no_task(call: Call, comes: Comes):
    assert call("POST", "/v1/tournaments/<t>/rulings", RULING).status_code == 201
    chief = comes("chief_arbiter")
    results = {"round": 1, "results": [{"board": n, "result": "1-0"} for n in (1, 2, 3)]}
    assert call("POST", "/v1/tournaments/<t>/results", results).status_code == 201
    for path in ("/t/<t>", "/t/<t>/rounds/1", "/t/<t>/rounds/2/pairing"):
        seen = read(chief, path)
        assert "appealed" not in seen and "needs attention" not in seen, path
    until = r"It may be appealed against until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d"
    assert re.search(until, read(chief, "/t/<t>/rulings")) and re.search(until, read(chief, "/t/<t>/rulings/r1"))
    assert call("POST", "/v1/tournaments/<t>/rulings/r1/annulment", {"reason": "no"}, "appeals").status_code == 201
    assert not re.search(until, read(chief, "/t/<t>/rulings"))


def test_closing_is_finished_although_a_ruling_may_be_appealed(app: Flask, data: Path, comes: Comes, t: str):
    call, chief = hall(app, data, t, rounds=1), comes("chief_arbiter")
    assert call("POST", "/v1/tournaments/<t>/rulings", RULING).status_code == 201
    results = {"round": 1, "results": [{"board": n, "result": "1-0"} for n in (1, 2, 3)]}
    assert call("POST", "/v1/tournaments/<t>/results", results).status_code == 201
    remark = r"1 ruling can still be appealed until \d{4}-\d\d-\d\d"
    assert re.search(remark, read(chief, "/t/<t>/closing")) and "to do Standings" in read(chief, "/t/<t>/closing")
    assert chief.fills("/t/<t>/publication", final="yes").status_code == 303
    assert call("GET", "/v1/tournaments/<t>/audit").json["verdict"] == "agrees"
    page = chief.sees("/t/<t>/closing").text
    assert re.findall(r'id="check-(\w+)" data-done="no"', page) == [] and "nothing is open" in page
    assert re.search(remark, read(chief, "/t/<t>/closing"))
