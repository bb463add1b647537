"""The rows of a round that an open page asks for after a change, instead of the whole page."""

import re
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from tests.forms.conftest import Comes
from tests.forms.test_team_forms import TWO
from tests.http.calls import Call
from tests.http.forms import HOST, entered, hall, pair

ROUND, PAGES = "/t/<t>/rounds/1", ("/t/<t>/rounds/1", "/t/<t>")
LARGE = 150
"""Boards of a hall of 300 players."""
LESS = 40
"""A changed row is sent with at most this part of the bytes of the whole page."""
_ROW = re.compile(r'<tr id="b(\d+)"(?: hx-swap-oob="true")?(.*?</tr>)', re.DOTALL)


def seq(call: Call) -> int:
    return int(call("GET", "/v1/tournaments/<t>").headers["ETag"].strip('"'))


def rows(answer: TestResponse) -> dict[int, str]:
    """Return the rows of an answer by board, without the keys of their forms, which every page draws again."""
    assert answer.status_code == 200, answer.text
    return {int(n): re.sub(r'value="[^"]{12,}"', "", row) for n, row in _ROW.findall(answer.text)}


def is_whole(answer: TestResponse) -> bool:
    assert answer.status_code == 200, answer.text
    return "</html>" in answer.text and "HX-Reswap" not in answer.headers


def report(call: Call, round: int, *boards: int, result: str = "1-0") -> None:
    body = {"round": round, "results": [{"board": board, "result": result} for board in boards]}
    assert call("POST", "/v1/tournaments/<t>/results", body).status_code == 201


@pytest.mark.parametrize("role", [None, "arbiter"])
@pytest.mark.parametrize("page", PAGES)
def test_result_changes_its_row_alone(app: Flask, data: Path, t: str, comes: Comes, role: Any, page: str):
    call, reader = hall(app, data, t, LARGE), comes(role)
    since = seq(call)
    report(call, 1, 7)
    answer, whole = reader.sees(f"{page}?since={since}&q="), reader.sees(page)
    assert rows(answer) == {7: rows(whole)[7]} and "1 – 0" in rows(answer)[7]
    assert answer.headers["HX-Reswap"] == "none" and f'data-seq="{since + 1}"' in answer.text
    assert "149 boards open" in answer.text and answer.text.count('hx-swap-oob="true"') == 3 + (role is not None)
    assert LESS * len(answer.data) < len(whole.data)
    assert rows(reader.sees(f"{page}?since={since + 1}&q=")) == {}


def test_rows_of_all_results_since_an_event_are_sent(call: Call, comes: Comes):
    since = seq(call)
    report(call, 1, 1)
    report(call, 1, 3, result="0-1")
    assert rows(comes(None).sees(f"{ROUND}?since={since}")).keys() == {1, 3}


def test_correction_of_an_earlier_round_changes_the_rows_of_both_players(call: Call, comes: Comes):
    report(call, 1, 1, 2, 3)
    pair(call, [[1, 3], [2, 5], [4, 6]])
    since = seq(call)
    body = {"round": 1, "results": [{"board": 1, "result": "0-1"}], "reason": "read from the wrong side"}
    assert call("POST", "/v1/tournaments/<t>/corrections", body, If_Match=f'"{since}"').status_code == 201
    guest = comes(None)
    for number, changed in ((1, {1}), (2, {1, 2})):
        page = f"/t/<t>/rounds/{number}"
        answer, whole = rows(guest.sees(f"{page}?since={since}")), rows(guest.sees(page))
        assert answer == {board: whole[board] for board in changed}


def test_match_of_a_changed_board_is_sent_with_it(app: Flask, data: Path, t: str, comes: Comes):
    conditions = {"team": {"kind": "lineup", "boards": 2}}
    call = entered(app, data, t, 8, rounds=1, conditions=conditions, regulations="xiangqi-1999")
    chief = comes("chief_arbiter")
    assert chief.fills("/t/<t>/teams/new", teams="\n".join(TWO)).status_code == 303
    assert call("POST", "/v1/tournaments/<t>/rounds", {}, If_Match=f'"{seq(call)}"').status_code == 201
    since = seq(call)
    report(call, 1, 1)
    answer, whole = comes(None).sees(f"{ROUND}?since={since}"), comes(None).sees(ROUND)
    assert rows(answer).keys() == {1} and len(rows(whole)) == 4
    match = re.compile(r'<tr id="(m\d-\d)".*?<span class="lead">(.*?)</span>', re.DOTALL)
    (changed,) = match.findall(answer.text)
    assert changed in match.findall(whole.text) and changed[1] != "0 : 0"


def _rule(call: Call) -> None:
    body = {"player": 1, "round": 1, "infraction": "foul"}
    assert call("POST", "/v1/tournaments/<t>/rulings", body).status_code == 201


def _enter(call: Call) -> None:
    assert call("POST", "/v1/tournaments/<t>/entries", {"players": [{"name": "Late"}]}).status_code == 201


def _withdraw(call: Call) -> None:
    assert call("POST", "/v1/tournaments/<t>/rounds/1/withdrawal", {"reason": "x"}).status_code == 201


@pytest.mark.parametrize("happens", [_rule, _enter, _withdraw])
@pytest.mark.parametrize("page", PAGES)
def test_any_other_event_is_followed_by_the_whole_page(call: Call, comes: Comes, happens: Any, page: str):
    since = seq(call)
    happens(call)
    assert is_whole(comes(None).sees(f"{page}?since={since}&q="))


@pytest.mark.parametrize("query", ["q=Player", "by=name", "at={}", "since=99999999"])
def test_page_that_does_not_show_each_board_now_is_sent_whole(call: Call, comes: Comes, query: str):
    since = seq(call)
    report(call, 1, 1)
    asked = query if "since" in query else f"since={since}&{query.format(since)}"
    assert is_whole(comes(None).sees(f"{ROUND}?{asked}"))


def test_page_that_is_far_behind_is_sent_whole(call: Call, comes: Comes, monkeypatch: pytest.MonkeyPatch):
    since = seq(call)
    report(call, 1, 1)
    report(call, 1, 2)
    monkeypatch.setattr("services.standings.rounds.changed_boards.MOST_EVENTS", 1)
    assert is_whole(comes(None).sees(f"{ROUND}?since={since}"))


def test_event_that_is_no_number_is_refused(comes: Comes, call: Call):
    assert comes(None).sees(f"{ROUND}?since=x").status_code == 422


def test_form_sent_by_the_script_leads_to_the_rows_and_otherwise_to_the_page(call: Call, comes: Comes):
    arbiter = comes()
    typed = arbiter.opens(ROUND) | {"entry": "2 1"}
    headers = {"Origin": HOST, "HX-Request": "true"}
    address = f"{ROUND}/results".replace("<t>", arbiter.t)
    answer = arbiter.client.post(address, data=typed | {"once": "scripted"}, headers=headers)
    assert f"since={typed['seq']}" in answer.headers["Location"]
    assert rows(arbiter.sees(answer.headers["Location"])).keys() == {2}
    answer = arbiter.sends(f"{ROUND}/results", typed | {"entry": "3 1", "once": "plain"})
    assert answer.status_code == 303 and "since" not in answer.headers["Location"]
    assert is_whole(arbiter.sees(answer.headers["Location"]))


def test_lowest_open_board_is_next_after_a_foul(call: Call, comes: Comes):
    report(call, 1, 1)
    arbiter = comes()
    foul = {"player": "6", "infraction": "foul"}
    answer = arbiter.confirms(f"{ROUND}/boards/3/ruling?infraction=foul", **foul)
    assert answer.status_code == 303, answer.text
    seen = arbiter.sees(answer.headers["Location"]).text
    assert '<b id="next">2</b>' in seen and 'name="board" value="2"' in seen
