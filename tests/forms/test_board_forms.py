"""The forms on a board, each sent as a browser sends it: what it writes, and what is refused with what was typed."""

import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from shared.http.operations import operation_of
from tests.forms.conftest import Comes
from tests.http.calls import Call
from tests.http.forms import FIELD, hall, pair

BOARD = "/t/<t>/rounds/1/boards/1"


def events(call: Call) -> list[dict[str, Any]]:
    return [row["event"] for row in call("GET", "/v1/tournaments/<t>/events?limit=500").json["events"]]


def last(call: Call, type: str) -> dict[str, Any]:
    """The data of the last line of a type."""
    found: dict[str, Any] = [e["data"] for e in events(call) if e["type"].startswith(f"arbiter.{type}.")][-1]
    return found


def foul(call: Call, player: int = 1) -> None:
    body = {"player": player, "round": 1, "infraction": "foul"}
    assert call("POST", "/v1/tournaments/<t>/rulings", body).status_code == 201


def test_who_is_late_and_who_did_not_come(call: Call, comes: Comes):
    arbiter = comes()
    assert arbiter.confirms(f"{BOARD}/arrival", side="white", came="late", minutes="3", seconds="20").status_code == 303
    assert last(call, "arrival.noted")["late"] == 200
    assert arbiter.confirms(f"{BOARD}/arrival", side="black", came="absent").status_code == 303
    assert last(call, "arrival.noted")["late"] is None
    assert "is recorded as absent" in arbiter.sees(f"{BOARD}/arrival").text


def test_who_came_as_the_round_began_is_late_by_nothing(call: Call, comes: Comes):
    arbiter = comes()
    assert arbiter.fills(f"{BOARD}/arrival", side="white", came="late").status_code == 422, "nothing was typed"
    assert arbiter.confirms(f"{BOARD}/arrival", side="white", came="late", minutes="0").status_code == 303
    assert last(call, "arrival.noted")["late"] == 0


def test_whose_lateness_counts_from_his_turn_is_noted_with_it(app: Flask, data: Path, comes: Comes, t: str):
    changes = {"rulebook.lateness.counted_from": "turn"}
    call, arbiter = hall(app, data, t, changes=changes), comes()
    late = {"side": "black", "came": "late", "minutes": "40"}
    assert arbiter.fills(f"{BOARD}/arrival", **late).status_code == 422, "it decides, and is asked for"
    assert arbiter.confirms(f"{BOARD}/arrival", **late, turn="38").status_code == 303
    assert last(call, "arrival.noted")["turn"] == 2280


def test_a_turn_is_not_asked_for_where_lateness_counts_from_the_start(call: Call, comes: Comes):
    assert 'name="turn"' not in comes().sees(f"{BOARD}/arrival").text
    late = {"side": "black", "came": "late", "minutes": "40", "turn": "38"}
    assert comes().fills(f"{BOARD}/arrival", **late).status_code == 422


def test_a_break_is_noted_and_corrected_with_a_reason(call: Call, comes: Comes):
    arbiter, path = comes(), f"{BOARD}/break"
    assert f"{path.replace('<t>', arbiter.t)}" in arbiter.sees("/t/<t>/rounds/1").text
    assert arbiter.confirms(path, side="white", minutes="4", seconds="30").status_code == 303
    noted = last(call, "break.taken")
    assert (noted["player"], noted["seconds"]) == (1, 270)
    assert "was away for 4 min 30 s" in arbiter.sees(path).text
    assert arbiter.confirms(path, corrects=noted["id"], minutes="3", reason="read wrongly").status_code == 303
    assert last(call, "break.corrected")["seconds"] == 180
    corrected = last(call, "break.corrected")["id"]
    assert arbiter.confirms(path, corrects=corrected, none="yes", reason="it was board 2").status_code == 303
    assert last(call, "break.corrected")["seconds"] is None
    assert "was away" not in arbiter.sees(path).text


@pytest.mark.parametrize(
    ("typed", "status", "said"),
    [
        ({"side": "white"}, 422, "Minutes: "),
        ({"minutes": "3"}, 422, "Player concerned: "),
        ({"side": "red", "minutes": "3"}, 422, "Player concerned: "),
        ({"side": "white", "minutes": "x"}, 422, "Minutes: "),
        ({"side": "white", "seconds": "60"}, 422, "Seconds: "),
        ({"corrects": "b9", "minutes": "3"}, 422, "Why: "),
        ({"corrects": "b9", "minutes": "3", "reason": "slip"}, 404, "b9"),
        ({"corrects": "b9", "reason": "slip", "none": "no"}, 422, "none: "),
    ],
)
def test_what_is_no_break_is_shown_again(call: Call, comes: Comes, typed: dict[str, str], status: int, said: str):
    before = len(events(call))
    answer = comes().fills(f"{BOARD}/break", **typed)
    assert answer.status_code == status and said in answer.text
    assert len(events(call)) == before


@pytest.mark.parametrize(
    ("form", "typed", "written", "follows"),
    [
        ("arrival", {"side": "white", "came": "absent"}, "did not come", "absence of"),
        ("break", {"side": "white", "minutes": "6"}, "for 6 min", "long break of"),
    ],
)
def test_what_a_note_at_the_board_brings_is_shown_before_it_is_written(
    app: Flask, data: Path, t: str, comes: Comes, form: str, typed: dict[str, str], written: str, follows: str
):
    call = hall(app, data, t, game="gomoku", regulations="gomoku-campus")
    arbiter, path, before = comes(), f"{BOARD}/{form}", len(events(call))
    fields = arbiter.opens(path) | typed
    preview = arbiter.sends(arbiter.sends(path, fields).headers["Location"], fields).text
    _, decided, rest = re.split('id="(?:decided|follows)"', preview, maxsplit=2)
    assert written in decided and follows in rest and 'id="changes"' in rest, unescape(preview)
    assert len(events(call)) == before
    answer = arbiter.sends(path, dict(FIELD.findall(rest)))
    assert answer.status_code == 303 and len(events(call)) > before


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ({}, 307),
        ({"foreseen": ""}, 307),
        ({"foreseen": "0" * 64}, 307),
        ({"preview": "false"}, 422),
        ({"force": "1"}, 422),
    ],
)
@pytest.mark.parametrize(
    ("form", "typed"),
    [("arrival", {"side": "white", "came": "absent"}), ("ruling", {"infraction": "foul", "player": "1"})],
)
def test_no_form_is_written_whose_preview_was_not_seen_whatever_it_asks(
    call: Call, comes: Comes, form: str, typed: dict[str, str], asked: dict[str, str], status: int
):
    """FIDE's checklist, 218 to 221: there is no switch."""
    arbiter, before = comes(), len(events(call))
    path = f"{BOARD}/{form}"
    opened = arbiter.opens(f"{path}?infraction=foul" if form == "ruling" else path)
    answer = arbiter.sends(path, opened | typed | asked)
    assert answer.status_code == status, "it leads to the preview, or its field is unknown"
    assert "/preview/" in answer.headers.get("Location", "/preview/")
    assert len(events(call)) == before


def test_an_arrival_that_stands_is_corrected_only_with_a_reason(call: Call, comes: Comes):
    arbiter = comes()
    arbiter.confirms(f"{BOARD}/arrival", side="white", came="absent")
    refused = arbiter.fills(f"{BOARD}/arrival", side="white", came="late", minutes="4")
    assert (refused.status_code, 'name="reason"' in refused.text, 'value="4"' in refused.text) == (422, True, True)
    assert (
        arbiter.confirms(f"{BOARD}/arrival", side="white", came="late", minutes="4", reason="at board 2").status_code
        == 303
    )
    assert last(call, "arrival.corrected")["late"] == 240


def test_a_game_without_an_accused_is_decided_by_the_chief_arbiter(app: Flask, data: Path, comes: Comes, t: str):
    call = hall(app, data, t, game="go")
    row = next(r for r in call("GET", "/v1/tournaments/<t>/rulebook").json["rulebook"]["infractions"] if r["results"])
    fields = {"infraction": row["name"], "result": row["results"][0], "reason": "the board was scattered"}
    refused = comes().fills(f"{BOARD}/decision", **fields)
    assert (refused.status_code, "the board was scattered" in refused.text) == (403, True)
    assert comes("chief_arbiter").confirms(f"{BOARD}/decision", **fields).status_code == 303
    assert last(call, "ruling.made")["infraction"] == row["name"]


def test_a_slip_is_retracted_and_a_ruling_annulled(call: Call, comes: Comes):
    foul(call)
    chief = comes("chief_arbiter")
    assert chief.confirms("/t/<t>/rulings/r1/retraction", reason="the wrong board").status_code == 303
    assert last(call, "ruling.annulled")["retracted"]
    foul(call)
    ruling = last(call, "ruling.made")["ruling"]
    assert comes("appeals").confirms(f"/t/<t>/rulings/{ruling}/annulment", reason="no foul").status_code == 303
    assert last(call, "ruling.annulled")["annuls"] == ruling


@pytest.mark.parametrize(("game", "offered"), [("go", True), ("xiangqi", False)])
def test_a_decision_is_offered_at_the_desk_only_where_an_article_decides_a_game(
    app: Flask, data: Path, comes: Comes, t: str, game: str, offered: bool
):
    hall(app, data, t, game=game)
    desk = comes("chief_arbiter").sees("/t/<t>/rounds/1").text
    assert "boards/1/break" in desk and ("boards/1/decision" in desk) is offered


def test_an_appeal_is_lodged_shown_at_the_desk_and_decided(call: Call, comes: Comes):
    foul(call)
    arbiter = comes()
    assert arbiter.confirms("/t/<t>/rulings/r1/appeal", by="1", grounds="it was my turn").status_code == 303
    appeal = last(call, "appeal.lodged")["appeal"]
    assert f"appeal {appeal} against r1" in arbiter.sees("/t/<t>/rounds/1").text
    decided = comes("appeals").confirms(f"/t/<t>/appeals/{appeal}/decision", upheld="yes", grounds="so it was")
    assert decided.status_code == 303
    assert last(call, "appeal.decided")["upheld"]
    assert f"appeal {appeal} against r1" not in arbiter.sees("/t/<t>/rounds/1").text


def test_a_clock_is_set_and_a_flag_claimed(call: Call, comes: Comes, t: str):
    arbiter = comes()
    assert call("POST", f"/v1/games/{t}.1.1/start").status_code == 201
    assert arbiter.fills(f"{BOARD}/clock", side="black", minutes="9", seconds="30", fault="yes").status_code == 303
    game = call("GET", f"/v1/games/{t}.1.1").json
    assert game["clocks"]["black"] == 570
    assert arbiter.fills(f"{BOARD}/claim", side="white", claim="flag").status_code == 303
    assert last(call, "finding.made")["kind"] == "flag"


def test_an_agreed_draw_and_a_claim_without_a_side(call: Call, comes: Comes, t: str):
    arbiter = comes()
    assert call("POST", f"/v1/games/{t}.1.1/start").status_code == 201
    assert arbiter.fills(f"{BOARD}/claim", claim="flag").status_code == 422
    assert arbiter.fills(f"{BOARD}/claim", claim="agreement").status_code == 303
    assert last(call, "game.ended")["termination"] == "agreement"


def test_an_arbiter_states_a_dead_position_by_form(app: Flask, data: Path, comes: Comes, t: str):
    """Laws 5.2.2."""
    call, arbiter = hall(app, data, t, game="chess", regulations="fide-2026"), comes()
    locked = {"position": "4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1"}
    assert call("POST", f"/v1/games/{t}.1.1/start", locked).status_code == 201
    assert "dead position" in arbiter.sees(f"{BOARD}/claim").text
    assert arbiter.fills(f"{BOARD}/claim", claim="dead_position").status_code == 303
    assert last(call, "game.ended")["termination"] == "dead_position"
    assert call("GET", f"/v1/games/{t}.1.1").json["result"]["notation"] == "1/2-1/2"
    chinese = app.test_client().get(f"/games/{t}.1.1", headers={"Accept-Language": "zh"}).text
    assert "死局" in chinese and "dead" not in chinese


def test_a_claim_of_a_dead_position_accuses_nobody_at_the_desk(app: Flask, data: Path, comes: Comes, t: str):
    call, arbiter = hall(app, data, t, game="chess", regulations="fide-2026"), comes()
    game = f"/v1/games/{t}.1.1"
    assert call("POST", f"{game}/moves", {"ply": 1, "moves": ["e2e4"]}, "arbiter").status_code == 201
    assert (
        call("POST", f"{game}/claims", {"claim": "dead_position", "side": "black"}, "player", name="2").json["state"]
        == "pending"
    )
    rulings = arbiter.sees("/t/<t>/rulings").text
    assert "dead position" in rulings and "dead position of" not in rulings
    assert "claims dead position at ply 1" in arbiter.sees("/t/<t>/log").text
    assert arbiter.fills(f"{BOARD}/claim", pending="c1", upheld="no", note="moves are left").status_code == 303
    assert not last(call, "claim.settled")["upheld"] and call("GET", game).json["status"] == "playing"


def test_a_claim_that_waits_is_shown_at_the_desk_and_settled_there(call: Call, comes: Comes, t: str):
    game = f"/v1/games/{t}.1.1"
    assert call("POST", f"{game}/moves", {"ply": 1, "moves": ["h2e2", "h9g7"]}, "arbiter").status_code == 201
    claim = {"claim": "touch", "side": "black", "squares": ["b2"]}
    assert call("POST", f"{game}/claims", claim, "player", name="2").json["state"] == "pending"
    arbiter = comes()
    assert "boards/1/claim" in arbiter.sees("/t/<t>/rounds/1").text.partition("<table")[0]
    pending = last(call, "claim.pending")["claim"]
    assert arbiter.fills(f"{BOARD}/claim", pending=pending, upheld="no", note="I saw it").status_code == 303
    assert not last(call, "claim.settled")["upheld"]
    assert "boards/1/claim" not in arbiter.sees("/t/<t>/rounds/1").text.partition("<table")[0]


def test_missing_results_of_older_rounds_stay_in_sight(call: Call, comes: Comes):
    arbiter = comes()
    for board in (2, 3):
        arbiter.fills(f"/t/<t>/rounds/1/boards/{board}/result", result="1-0")
    seen = arbiter.sees("/t/<t>/rounds/1").text
    assert "1 board open" in seen and "thing needs attention" not in seen
    assert seen.index('data-open="1"') < seen.index("boards/2/correction"), "those still playing first"
    for _ in range(3):
        foul(call)
    pair(call, [[1, 3], [2, 5], [4, 6]])
    assert comes("appeals").confirms("/t/<t>/rulings/r2/annulment", reason="no foul").status_code == 303
    seen = arbiter.sees("/t/<t>/rounds/2").text
    assert "1 thing needs attention" in seen and "/rounds/1/boards/1/result" in seen


def test_the_public_sees_the_round_without_its_entry(call: Call, comes: Comes, t: str):
    seen = comes(None).sees("/t/<t>/rounds/1").text
    assert "Player 1" in seen and 'method="post" action="/t/' not in seen
    assert 'id="entry"' not in comes("player", "1").sees("/t/<t>/rounds/1").text
    assert 'id="entry"' in comes().sees("/t/<t>/rounds/1").text
    assert 'id="entry"' not in comes().sees("/t/<t>/rounds/1?at=30").text, "nobody writes into the past"


def test_every_form_is_shown_in_both_languages_and_refuses_an_empty_one(app: Flask, call: Call, comes: Comes, t: str):
    foul(call)
    comes().confirms("/t/<t>/rulings/r1/appeal", by="1", grounds="it was my turn")
    appeal, ids = last(call, "appeal.lodged")["appeal"], {"t": t, "n": 1, "b": 1, "p": 1, "r": "r1", "seq": 3}
    rules = [r for r in app.url_map.iter_rules() if not r.rule.startswith("/services/")]
    forms = [r for r in rules if (o := operation_of(app.view_functions[r.endpoint])) is not None and o.form]
    forms = [r for r in forms if "t" in r.arguments]
    assert len(forms) > 10
    for rule in forms:
        if rule.arguments - (ids.keys() | {"a"}):
            continue  # the preview of another form, an invitation, what takes an event of teams
        values = {name: (ids | {"a": appeal})[name] for name in rule.arguments}
        with app.test_request_context():
            path = app.url_map.bind("localhost").build(rule.endpoint, values)
        person = comes("chief_arbiter")
        english = person.sees(path)
        person.client.set_cookie("arbiter_language", "zh-CN")
        chinese = person.sees(path)
        assert (english.status_code, chinese.status_code) == (200, 200), path
        assert english.text != chinese.text and 'lang="zh-CN"' in chinese.text
        if not {"call", "crossings", "players", "venue-notice"} & set(path.split("/")):
            assert person.fills(path).status_code in (403, 409, 422), path
