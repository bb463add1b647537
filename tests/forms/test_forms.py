"""Forms: what the cookie may command, what is refused, and what two people who write at once are told."""

import re
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path

import pytest
from flask import Flask

from deploy.server import embedded
from shared.core.terms import Role
from shared.core.trust.token_revocations import Revocation
from shared.http.identity import tokens
from shared.http.requests.app_context import EXTENSION
from tests.forms.conftest import Comes
from tests.http.calls import Call
from tests.http.forms import HOST, hall, pair
from tests.offices import holder

RESULT = "/t/<t>/rounds/1/boards/2/result"
ENTRY = "/t/<t>/rounds/1/results"


def results(call: Call, round: int = 1) -> list[str | None]:
    boards = call("GET", f"/v1/tournaments/<t>/rounds/{round}").json["boards"]
    marks = []
    for board in boards:
        result = call("GET", f"/v1/games/{board['game']}").json["result"]
        marks.append(result and result["notation"])
    return marks


def length(call: Call) -> int:
    return int(call("GET", "/v1/tournaments/<t>").headers["ETag"].strip('"'))


def test_a_result_is_entered_by_a_button_and_the_round_shows_it(call: Call, comes: Comes, t: str):
    answer = comes().fills(RESULT, result="1-0")
    assert answer.status_code == 303
    assert answer.headers["Location"] == f"/t/{t}/rounds/1?after={length(call)}&board=2"
    assert results(call) == [None, "1-0", None]


@pytest.mark.parametrize(
    ("typed", "board", "notation"),
    [
        ("2 1", 2, "1-0"),
        ("2 0", 2, "0-1"),
        ("2 =", 2, "1/2-1/2"),
        ("3=", 3, "1/2-1/2"),
        ("2 +", 2, "+/-"),
        ("2-", 2, "-/+"),
        ("2 --", 2, "-/-"),
        ("２　１", 2, "1-0"),
        ("3 —", 3, "-/-"),
        ("1", 1, "1-0"),
        ("--", 1, "-/-"),
    ],
)
def test_a_result_is_entered_by_what_is_typed(call: Call, comes: Comes, typed: str, board: int, notation: str):
    answer = comes().fills(ENTRY, entry=typed, board="1")
    assert answer.status_code == 303, answer.text
    assert results(call)[board - 1] == notation


@pytest.mark.parametrize("typed", ["", "x", "2 2", "99 1", "1 1 1", "2 1-", "0 1", "12345 1"])
def test_what_is_no_result_is_shown_again_as_it_was_typed(call: Call, comes: Comes, typed: str):
    before = length(call)
    answer = comes().fills(ENTRY, entry=typed, board="1")
    assert answer.status_code in (404, 422)
    assert f'value="{typed}"' in answer.text
    assert length(call) == before


def test_a_form_sent_twice_answers_like_the_first(call: Call, comes: Comes):
    person = comes()
    fields = person.opens(RESULT) | {"result": "1-0"}
    first, second = person.sends(RESULT, fields), person.sends(RESULT, fields)
    assert first.headers["Location"] == second.headers["Location"]
    assert results(call)[1] == "1-0"


def test_the_same_form_with_another_result_is_refused(call: Call, comes: Comes):
    person = comes()
    fields = person.opens(RESULT)
    person.sends(RESULT, fields | {"result": "1-0"})
    again = person.sends(RESULT, fields | {"result": "0-1"})
    assert again.status_code == 422
    assert results(call)[1] == "1-0"


def test_two_on_one_board_and_the_second_sees_both(call: Call, comes: Comes):
    first, second = comes(), comes("deputy_chief_arbiter")
    fields = second.opens(RESULT)
    assert first.fills(RESULT, result="1-0").status_code == 303
    answer = second.sends(RESULT, fields | {"result": "0-1"})
    assert answer.status_code == 409
    assert holder("arbiter", None) in answer.text and "1 – 0" in answer.text, "who wrote what meanwhile"
    assert "correction?result=0-1" in answer.text, "and what was typed, to go on with"
    assert results(call)[1] == "1-0"


def test_two_type_of_one_board_and_the_second_sees_both_and_the_way_to_correct_it(call: Call, comes: Comes):
    first, second = comes(), comes("deputy_chief_arbiter")
    fields = second.opens(ENTRY)
    assert first.fills(ENTRY, entry="2 1").status_code == 303
    answer = second.sends(ENTRY, fields | {"entry": "2 0"})
    assert answer.status_code == 409 and 'value="2 0"' in answer.text
    assert holder("arbiter", None) in answer.text and "1 – 0" in answer.text
    (way,) = re.findall('href="([^"]+/correction[^"]*)"', answer.text)
    assert way.endswith("/boards/2/correction?result=0-1") and 'value="0-1" required checked' in second.sees(way).text
    assert results(call)[1] == "1-0"


def test_three_sessions_enter_thirty_boards_at_once_and_none_is_refused_for_another(
    app: Flask, data: Path, t: str, comes: Comes
):
    hall(app, data, t, 30)
    people = [comes(), comes("deputy_chief_arbiter"), comes("chief_arbiter")]
    opened = [person.opens("/t/<t>/rounds/1/results") for person in people]

    def enter(n: int) -> list[int]:
        fields = [opened[n] | {"once": f"k{board}", "entry": f"{board} 1"} for board in range(n + 1, 31, 3)]
        return [people[n].sends("/t/<t>/rounds/1/results", one).status_code for one in fields]

    with ThreadPoolExecutor(3) as pool:
        answers = [status for statuses in pool.map(enter, range(3)) for status in statuses]
    assert answers == [303] * 30


@pytest.mark.parametrize(
    "origin", [None, "null", "http://evil.example", "http://localhost.evil.example", "http://localhost:81"]
)
def test_a_form_from_another_origin_commands_nothing(call: Call, comes: Comes, origin: str | None):
    person, before = comes(), length(call)
    answer = person.sends(RESULT, person.opens(RESULT) | {"result": "1-0"}, origin)
    assert (answer.status_code, answer.mimetype) == (403, "text/html")
    assert length(call) == before


def test_the_cookie_commands_by_forms_alone(call: Call, comes: Comes, t: str):
    body = {"round": 1, "results": [{"board": 2, "result": "1-0"}]}
    answer = comes().client.post(f"/v1/tournaments/{t}/results", json=body, headers={"Origin": HOST})
    assert answer.status_code == 401


def test_a_session_that_was_revoked_meanwhile_loses_nothing_that_was_typed(
    app: Flask, data: Path, call: Call, comes: Comes
):
    path, person = "/t/<t>/rounds/1/boards/1/correction", comes()
    person.fills("/t/<t>/rounds/1/boards/1/result", result="1-0")
    fields = person.opens(path) | {"result": "0-1", "reason": "slip of <the> pen"}
    identity = app.extensions[EXTENSION].keyring.identify(person.token)
    app.extensions[EXTENSION].desk.revocations.revoke(Revocation(identity.issued, "organiser", identity.actor.tokenid))
    answer = person.sends(path, fields)
    assert answer.status_code == 401
    assert "slip of &lt;the&gt; pen" in answer.text and 'value="0-1" required checked' in answer.text
    assert 'href="/login"' in answer.text
    person.client.set_cookie("arbiter_token", tokens.issue(data, "arbiter", holder("arbiter", None)))
    assert "/preview/" in person.sends(path, fields).headers["Location"], "logged in again, it is sent from where it is"


@pytest.mark.parametrize(("role", "status"), [(None, 401), ("player", 403), ("auditor", 403)])
def test_who_may_not_is_told_so_by_the_form(call: Call, comes: Comes, role: Role | None, status: int):
    person, before = comes(role, "1" if role == "player" else None), length(call)
    answer = person.fills(RESULT, result="1-0")
    assert (answer.status_code, answer.mimetype) == (status, "text/html")
    assert length(call) == before


@pytest.mark.parametrize(
    ("missing", "value"),
    [(name, value) for name in ("seq", "once") for value in ("", "x" * 65, "1 2")] + [("seq", "-1")],
)
def test_a_form_without_what_its_page_gives_it_is_shown_again(call: Call, comes: Comes, missing: str, value: str):
    person = comes()
    answer = person.sends(RESULT, person.opens(RESULT) | {"result": "1-0", missing: value})
    assert answer.status_code == 422
    assert results(call)[1] is None


def test_a_field_that_nobody_asked_for_is_refused(call: Call, comes: Comes):
    answer = comes().fills(RESULT, result="1-0", white="Nobody")
    assert answer.status_code == 422
    assert "white: Unknown field" in answer.text


def test_a_correction_says_what_it_no_longer_changes_and_leads_to_the_pairing_while_no_game_has_begun(
    call: Call, comes: Comes, t: str
):
    arbiter, chief = comes(), comes("chief_arbiter")
    for board in (1, 2, 3):
        arbiter.fills(f"/t/<t>/rounds/1/boards/{board}/result", result="1-0")
    pair(call, [[1, 3], [5, 2], [4, 6]])
    shown = arbiter.sees("/t/<t>/rounds/1/boards/1/correction").text
    assert "Round 2 is already paired" in shown and f"/t/{t}/rounds/2/pairing" in shown
    assert arbiter.fills("/t/<t>/rounds/2/pairing", reason="wrong result").status_code == 403
    answer = chief.confirms("/t/<t>/rounds/1/boards/1/correction", result="0-1", reason="read from the wrong side")
    assert answer.status_code == 303
    assert chief.fills("/t/<t>/rounds/2/pairing", reason="wrong result").status_code == 303
    assert call("GET", "/v1/tournaments/<t>/rounds/2").status_code == 404


def test_what_is_kept_of_a_form_lets_nobody_try_out_what_was_typed(call: Call, comes: Comes, data: Path):
    assert comes().fills(RESULT, result="1-0").status_code == 303
    with sqlite3.connect(data / "arbiter.db") as db:
        kept = {body for (body,) in db.execute("SELECT body FROM kept")}
    assert kept and sha256(b'{"result":"1-0"}').hexdigest() not in kept


def test_a_pairing_is_withdrawn_only_as_it_was_seen(call: Call, comes: Comes):
    chief = comes("chief_arbiter")
    fields = chief.opens("/t/<t>/rounds/1/pairing") | {"reason": "seats mixed up"}
    comes().fills(RESULT, result="1-0")
    answer = chief.sends("/t/<t>/rounds/1/pairing", fields)
    assert answer.status_code == 412
    assert "seats mixed up" in answer.text and "Void the pairing" in answer.text, "the reason is kept for the other act"
    assert "Games have begun" in answer.text


@pytest.mark.parametrize(
    "path", [RESULT.replace("2", "9"), RESULT.replace("<t>", "nowhere"), "/t/<t>/rounds/7/pairing"]
)
def test_what_is_not_there_is_a_page(call: Call, comes: Comes, path: str):
    answer = comes().sees(path)
    assert (answer.status_code, answer.mimetype) == (404, "text/html")


def test_scripts_are_those_that_were_pinned_and_are_kept_for_good(call: Call, comes: Comes):
    folder = Path(embedded.__file__).parents[2] / "shared" / "web" / "static"
    pinned = [line.split() for line in (folder / "vendored.txt").read_text().splitlines()]
    own = {"arbiter.js", "board.js", "reference.js", "screen.js"}
    assert {name for name, *_ in pinned} == {p.name for p in folder.glob("*.js")} - own
    for name, _, _, digest in pinned:
        answer = comes(None).client.get(f"/web/static/{name}?v={digest[:16]}")
        assert sha256(answer.data).hexdigest() == digest
        assert "immutable" in answer.headers["Cache-Control"]
        assert "immutable" not in comes(None).sees(f"/web/static/{name}").headers["Cache-Control"]
    assert comes(None).client.get("/web/static/vendored.txt").status_code == 404


def test_no_form_is_an_operation_of_the_api(app: Flask):
    document = app.test_client().get("/v1/openapi.json").json
    assert not [path for path in document["paths"] if not path.startswith("/v1/")]
    assert not re.search(r'"/t/', str(document["paths"].keys()))
