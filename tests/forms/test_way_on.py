"""Where an official is led next in the course of an event, and what a round tells of who has no seat."""

import re
from pathlib import Path

import pytest
from flask import Flask

from shared import regulations
from shared.core.terms import Role
from shared.http.language.catalogue import LANGUAGES, catalogue
from shared.regulations.set_names import SET_NAMES
from tests.forms.conftest import Comes
from tests.forms.test_board_forms import BOARD, last
from tests.http.calls import Call
from tests.http.forms import Person, entered, hall, pair


def test_before_the_first_round_the_way_leads_to_entries_and_check_in_and_no_pairing_is_there_to_be_withdrawn(
    app: Flask, data: Path, comes: Comes, t: str
):
    entered(app, data, t, 4)
    seen = comes("chief_arbiter").sees("/t/<t>").text
    assert f'href="/t/{t}/entries"' in seen and f'href="/t/{t}/check-in"' in seen
    assert f'href="/t/{t}/rounds/1/pairing"' in seen and "Withdraw the pairing" not in seen
    assert "/entries" not in comes(None).sees("/t/<t>").text


def test_after_the_last_result_of_the_last_round_the_way_leads_to_the_closing(
    app: Flask, data: Path, comes: Comes, t: str
):
    hall(app, data, t, rounds=1)
    arbiter, chief, way = comes(), comes("chief_arbiter"), f'<a href="/t/{t}/closing">Close the event'
    for board in (1, 2, 3):
        assert way not in chief.sees("/t/<t>/rounds/1").text
        arbiter.fills(f"/t/<t>/rounds/1/boards/{board}/result", result="1-0")
    assert way in chief.sees("/t/<t>/rounds/1").text and way in chief.sees("/t/<t>").text
    assert way not in arbiter.sees("/t/<t>/rounds/1").text, "who may not publish is not led there"


@pytest.mark.parametrize(
    "page",
    [
        "/t/<t>",
        "/t/<t>?by=name",
        "/t/<t>?q=player+5",
        "/t/<t>/rounds/1?by=name",
        "/t/<t>/rounds/1.csv",
        "/t/<t>/screen?show=names",
        "/t/<t>/rounds/1/papers/boards",
        "/t/<t>/rounds/1/papers/names",
    ],
)
def test_who_asked_for_a_bye_finds_himself_in_the_round(app: Flask, data: Path, comes: Comes, t: str, page: str):
    call = entered(app, data, t, 5)
    asked = {"player": 5, "round": 1, "kind": "H"}
    assert call("POST", "/v1/tournaments/<t>/byes", asked).status_code == 201
    pair(call, [[1, 2], [3, 4]])
    seen = comes(None).sees(page)
    assert seen.status_code == 200
    assert "Player 5" in seen.text and "half-point bye" in seen.text


def test_what_a_foul_changes_is_not_said_to_come_of_others(app: Flask, data: Path, comes: Comes, t: str):
    hall(app, data, t, regulations="xiangqi-1999")
    arbiter, path = comes(), f"{BOARD}/ruling"
    fields = arbiter.opens(f"{path}?infraction=foul") | {"infraction": "foul", "player": "1"}
    preview = arbiter.sends(arbiter.sends(path, fields).headers["Location"], fields).text
    row = preview.partition('id="p1"')[2].partition("</tr>")[0]
    assert "rulings on this player" in row and "because others moved" not in row


def test_who_decides_a_claim_sees_the_move_that_it_is_about_and_the_way_to_the_game(call: Call, comes: Comes, t: str):
    game = f"/v1/games/{t}.1.1"
    assert call("POST", f"{game}/moves", {"ply": 1, "moves": ["h2e2", "h9g7"]}, "arbiter").status_code == 201
    claim = {"claim": "touch", "side": "black", "squares": ["b2", "c3"]}
    assert call("POST", f"{game}/claims", claim, "player", name="2").status_code in (200, 201)
    assert last(call, "claim.pending")["squares"] == ["b2", "c3"]
    form = comes().sees(f"{BOARD}/claim").text
    asked = form.partition("<legend>")[2].partition("</legend>")[0]
    assert "b2" in asked and "c3" in asked and f'href="/games/{t}.1.1"' in form


def test_each_shipped_set_is_offered_by_what_people_call_it(comes: Comes, t: str):
    assert SET_NAMES.keys() == set(regulations.names())
    for chosen in LANGUAGES:
        words = [catalogue(chosen).gettext(name.text) for name in SET_NAMES.values()]
        assert len(set(words)) == len(words), "none is called as another"
    organiser = comes("organiser")
    offered = organiser.sees("/tournaments/new").text
    assert all(f"{name.text} ({code})</option>" in offered for code, name in SET_NAMES.items())
    listed = comes(None).sees("/regulations").text
    assert all(name.text in listed for name in SET_NAMES.values())


def test_a_read_sheet_is_told_in_words_and_not_by_the_names_of_its_fields(call: Call, comes: Comes):
    organiser = comes("organiser")
    organiser.client.set_cookie("arbiter_language", "zh-CN")
    seen = organiser.fills("/t/<t>/entries", cells="姓名\t性别\n王伟\t男\nLi\tf\n", read="yes").text
    assert "<td>男</td>" in seen and "<td>女 <small>← f</small></td>" in seen


def test_a_tablets_desk_begins_with_its_own_boards_and_offers_nothing_that_its_session_may_not(
    app: Flask, data: Path, call: Call, comes: Comes, t: str
):
    ruling = {"player": 1, "round": 1, "infraction": "foul"}
    assert call("POST", "/v1/tournaments/<t>/rulings", ruling | {"player": 3}).status_code == 201
    chief = comes("chief_arbiter")
    once = chief.opens("/t/<t>/sessions")["once"]
    invitation = {"act": "invite", "once": once, "role": "arbiter", "name": "arbiter", "boards": "2-3"}
    link = chief.sends("/t/<t>/sessions", invitation).text.partition('value="http://localhost')[2].partition('"')[0]
    tablet = Person(app, data, None, "", t)
    assert tablet.sends(link, {}).status_code == 303
    seen = tablet.sees("/t/<t>/rounds/1").text
    assert '<b id="next">2</b>' in seen and 'name="board" value="2"' in seen, "which a result alone is of"
    assert re.findall('data-open="([0-9]+)"', seen) == ["2", "3"]
    assert seen.index("Player 3") < seen.index("Player 5") < seen.index("Player 1"), "its own before the others"
    offered = re.findall("/boards/([0-9]+)/([a-z]+)", seen)
    assert {board for board, _ in offered} == {"2", "3"}
    assert {deed for _, deed in offered} == {"result", "ruling", "arrival"}
    assert "/retraction" not in seen
    tablet.fills("/t/<t>/rounds/1/boards/3/result", result="1-0")
    tablet.fills("/t/<t>/rounds/1/boards/2/result", result="1-0")
    seen = tablet.sees("/t/<t>/rounds/1").text
    assert "data-open" not in seen and "/correction" not in seen and "1 board open" in seen
    assert "/correction" not in tablet.sees("/t/<t>/players/3").text
    assert "data-open" in chief.sees("/t/<t>/rounds/1").text


@pytest.mark.parametrize("role", ["player", "auditor", "arbiter"])
def test_on_a_players_page_nobody_is_offered_what_is_not_his_to_do(call: Call, comes: Comes, role: Role):
    seen = comes(role, "1" if role == "player" else None).sees("/t/<t>/players/2").text
    assert "Player 2" in seen and "/players/2/withdrawal" not in seen and "/players/2/bye" not in seen


def test_the_committee_finds_the_open_appeals_on_the_page_of_the_tournament(call: Call, comes: Comes, t: str):
    ruling = {"player": 1, "round": 1, "infraction": "foul"}
    assert call("POST", "/v1/tournaments/<t>/rulings", ruling).status_code == 201
    committee = comes("appeals")
    assert "/appeals/" not in committee.sees("/t/<t>").text
    comes().confirms("/t/<t>/rulings/r1/appeal", by="1", grounds="it was my turn")
    appeal = last(call, "appeal.lodged")["appeal"]
    assert f'href="/t/{t}/appeals/{appeal}/decision"' in committee.sees("/t/<t>").text
    assert "/appeals/" not in comes(None).sees("/t/<t>").text + comes("player", "1").sees("/t/<t>").text
    assert "/appeals/" not in committee.sees("/t/<t>?at=5").text
    committee.confirms(f"/t/<t>/appeals/{appeal}/decision", upheld="no", grounds="it was not")
    assert "/appeals/" not in committee.sees("/t/<t>").text
