"""Outdated pairings in the browser: the round page and the closing page lead to the forms that settle them (002-X 11.1)."""

import re
from html import unescape
from pathlib import Path

import pytest
from flask import Flask

from tests.forms.conftest import Comes
from tests.http.calls import Call
from tests.http.forms import entered

PAIRING, UPHOLDING = "/t/<t>/rounds/2/pairing", "/t/<t>/rounds/2/upholding"


def etag(call: Call) -> str:
    return str(call("GET", "/v1/tournaments/<t>").headers["ETag"])


def report(call: Call, round: int, *winners: int, path: str = "results") -> None:
    boards = call("GET", f"/v1/tournaments/<t>/rounds/{round}").json["boards"]
    said = [
        {"board": b["board"], "result": "1-0" if b["white"] in winners else "0-1"}
        for b in boards
        if {b["white"], b["black"]} & set(winners)
    ]
    more = {"reason": "misread"} if path == "corrections" else {}
    body = {"round": round, "results": said, **more}
    answer = call("POST", f"/v1/tournaments/<t>/{path}", body, If_Match=etag(call))
    assert answer.status_code == 201, answer.text


def pair(call: Call) -> list[set[int]]:
    answer = call("POST", "/v1/tournaments/<t>/rounds", {}, If_Match=etag(call))
    assert answer.status_code == 201, answer.text
    return [{b["white"], b["black"]} for b in answer.json["boards"]]


@pytest.fixture
def cup(app: Flask, data: Path, t: str) -> Call:
    """A knock-out of four whose final of 1 and 2 is paired before 4 turns out to have beaten 1."""
    call = entered(app, data, t, 4, format="knockout", rounds=None, game="gomoku", regulations="gomoku-campus")
    pair(call)
    report(call, 1, 1, 2)
    assert pair(call) == [{1, 2}]
    report(call, 1, 4, path="corrections")
    return call


def listed(call: Call) -> list[str]:
    return [one["message"] for one in call("GET", "/v1/tournaments/<t>/integrity").json["outdated"]]


@pytest.mark.parametrize("page", ["/t/<t>/rounds/2", "/t/<t>/closing"])
def test_a_page_leads_to_the_form_that_settles(cup: Call, comes: Comes, t: str, page: str):
    text = unescape(comes("chief_arbiter").sees(page).text)
    assert "players 1, 2 are seated, but players 2, 4 would be seated now" in text
    assert f'href="{UPHOLDING.replace("<t>", t)}"' in text


def test_the_integrity_page_lists_what_is_outdated(cup: Call, comes: Comes):
    page = comes("chief_arbiter").sees("/t/<t>/integrity").text
    assert 'id="outdated"' in page and "round 2, match 3" in page


def test_a_pairing_is_upheld_by_its_form(cup: Call, comes: Comes, t: str):
    chief = comes("chief_arbiter")
    page = chief.sees(UPHOLDING).text
    words = " ".join(re.sub(r"<[^>]*>", "", page).split())
    assert "seated Player 1, Player 2, due now Player 2, Player 4 Xiangqi Rules 1999, art. 11.1" in words
    (difference,) = re.findall(r'name="difference" value="([^"]*)"', page)
    answer = chief.fills(UPHOLDING, difference=difference, reason="agreed by all")
    assert answer.status_code == 303 and f"/t/{t}/rounds/2" in answer.headers["Location"]
    assert listed(cup) == []
    assert "is not outdated" in chief.sees(UPHOLDING).text
    assert 'name="difference"' not in chief.sees(UPHOLDING).text


def test_a_begun_pairing_is_void_by_its_form(cup: Call, comes: Comes):
    report(cup, 2, 1)
    chief = comes("chief_arbiter")
    page = chief.sees(PAIRING).text
    assert "Void the pairing" in page and 'name="played" value="yes"' in page
    assert chief.fills(PAIRING, reason="4 won", played="yes").status_code == 303
    assert listed(cup) == [] and pair(cup) == [{2, 4}]


def test_a_pairing_without_games_is_withdrawn_by_its_form(cup: Call, comes: Comes):
    chief = comes("chief_arbiter")
    assert "Withdraw the pairing" in chief.sees(PAIRING).text
    assert chief.fills(PAIRING, reason="4 won").status_code == 303
    assert pair(cup) == [{2, 4}]


@pytest.mark.parametrize("typed", [{"difference": "3:1.2:1.4", "reason": "x"}, {"difference": "x", "reason": "x"}])
def test_another_difference_is_refused_with_what_was_typed(cup: Call, comes: Comes, typed: dict[str, str]):
    answer = comes("chief_arbiter").fills(UPHOLDING, **typed)
    assert answer.status_code in (409, 422) and 'role="alert"' in answer.text
    assert listed(cup) != []


def test_an_outdated_pairing_is_named_in_chinese(cup: Call):
    listed = cup("GET", "/v1/tournaments/<t>/integrity", None, Accept_Language="zh-CN").json["outdated"]
    assert listed[0]["message"].startswith("第 2 轮第 3 场")
    report = cup("GET", "/v1/tournaments/<t>/rounds/1").json["boards"]
    change = [{"board": b["board"], "result": "1-0"} for b in report if {b["white"], b["black"]} == {2, 3}]
    back = [one | {"result": "0-1"} for one in change]
    said = set()
    for results in (change, back):
        body = {"round": 1, "results": results, "reason": "misread"}
        tag = etag(cup)
        answer = cup("POST", "/v1/tournaments/<t>/corrections", body, Accept_Language="zh-CN", If_Match=tag)
        said |= {one["message"][:3] for one in answer.json.get("outdated", [])}
    assert said == {"第 2"}
