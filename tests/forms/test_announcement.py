"""A tournament announced by form: whatever the set allows, once, by who may."""

import re
from html import unescape
from io import BytesIO
from typing import Any

import pytest
from flask import Flask
from werkzeug.datastructures import MultiDict

from tests.federation import OWN, own_set
from tests.forms.conftest import Comes
from tests.http.forms import FIELD, Person

NEW = "/tournaments/new"
CUP = {
    "name": "秋季 <公开赛>",
    "regulations": "xiangqi-1999",
    "game": "xiangqi",
    "format": "swiss",
    "rounds": "5",
    "place": "杭州",
    "begins": "2026-03-07",
    "ends": "2026-03-08",
    "time_zone": "Asia/Shanghai",
}


@pytest.fixture
def organiser(comes: Comes) -> Person:
    return comes("organiser", "li.wei")


def told(app: Flask, t: str) -> dict[str, Any]:
    events = app.test_client().get(f"/v1/tournaments/{t}/events").json["events"]
    return {one["event"]["type"].removeprefix("arbiter.").rpartition(".")[0]: one["event"]["data"] for one in events}


def test_a_tournament_is_announced_once_however_often_the_form_is_sent(app: Flask, organiser: Person):
    fields = organiser.opens(NEW) | CUP | {
        "tiebreak": ["PS", "", "BH"],
        "official": ["Zhang.San", ""],
        "role": ["arbiter", "arbiter"],
        "person": ["张三", ""],
        "time": "002-X 6.1",
        "change:rulebook.lateness.limit": "600",
        "change:ranking.parted_by": "1",
        "change:pairing.both_absent": "",
    }  # fmt: skip
    first, second = organiser.sends(NEW, fields), organiser.sends(NEW, fields)
    assert first.status_code == second.status_code == 303, first.text
    assert first.headers["Location"] == second.headers["Location"]
    found = re.fullmatch(r"/t/(t[0-9a-f]{11})/entries\?after=\d+", first.headers["Location"])
    assert found is not None
    said = told(app, found[1])
    announced, adopted = said["tournament.announced"], said["regulations.adopted"]["regulations"]
    assert announced["tiebreaks"] == ["PS", "BH"]
    assert {name: announced[name] for name in ("place", "begins", "ends", "time_zone")} == {
        name: CUP[name] for name in ("place", "begins", "ends", "time_zone")
    }
    assert announced["conditions"]["time"]["article"] == "002-X 6.1"
    assert adopted["changes"] == {"rulebook.lateness.limit": 600, "ranking.parted_by": "lot"}
    assert said["official.appointed"]["official"] == "zhang.san"
    assert organiser.sees(first.headers["Location"]).status_code == 200


def test_a_time_of_its_own_and_teams_are_told(app: Flask, organiser: Person):
    more = {
        "id": "teams1",
        "time": "own",
        "period:1:minutes": "120",
        "period:1:moves": "40",
        "period:3:minutes": "15",
        "period:3:increment": "30",
        "byo_yomi": "10",
        "byo_yomi_periods": "5",
        "clocks_after": "30",
        "flag": "at_once",
        "team": "lineup",
        "boards": "4",
    }
    answer = organiser.sends(NEW, organiser.opens(NEW) | CUP | more)
    assert answer.status_code == 303, answer.text
    conditions = told(app, "teams1")["tournament.announced"]["conditions"]
    assert conditions["time"] == {
        "game": "xiangqi",
        "periods": [
            {"seconds": 7200, "moves": 40, "increment": 0},
            {"seconds": 900, "moves": 0, "increment": 30},
        ],
        "increment": 0,
        "byo_yomi": 10,
        "byo_yomi_periods": 5,
        "flag": "at_once",
        "article": conditions["time"]["article"],
        "clocks_after": 1800,
    }
    assert conditions["team"] == {"kind": "lineup", "boards": 4, "substitutes": 0}


STAGES = {
    "rounds": "",
    "stage:1:format": "swiss",
    "stage:1:rounds": "4",
    "stage:1:qualifiers": "4",
    "stage:3:format": "knockout",
    "stage:3:games": "3",
    "stage:3:best": "yes",
    "stage:3:name": "final",
}


def test_stages_and_points_are_told_in_rows_and_an_empty_row_is_none(app: Flask, organiser: Person):
    more = {"id": "stages1", "points:draw": "1", "points:win": "3"}
    answer = organiser.sends(NEW, organiser.opens(NEW) | CUP | STAGES | more)
    assert answer.status_code == 303, answer.text
    adopted = told(app, "stages1")["regulations.adopted"]["regulations"]
    first, second = adopted["stages"]
    assert (first["name"], first["format"], first["rounds"], first["qualifiers"]) == ("1", "swiss", 4, 4)
    assert (second["name"], second["games"], second["best"]) == ("final", 3, True)
    assert (adopted["points"]["win"], adopted["points"]["draw"]) == (6, 2)


def test_another_stage_is_shown_and_nothing_is_announced(app: Flask, organiser: Person):
    assert 'name="stage:2:format"' in organiser.sees(f"{NEW}?step=3").text
    shown = organiser.sends(NEW, organiser.opens(NEW) | CUP | STAGES | {"id": "stages2", "send": "no", "at": "3"})
    assert shown.status_code == 200 and 'name="stage:4:format"' in shown.text and 'name="stage:5:' not in shown.text
    assert (
        'value="秋季 &lt;公开赛&gt;"' in shown.text
        and app.test_client().get("/v1/tournaments/stages2").status_code == 404
    )


def test_a_set_of_ones_own_is_typed_or_sent_as_a_file(app: Flask, organiser: Person):
    for t, said in (
        ("own1", {"regulations_file": own_set()}),
        ("own2", {"set_file": (BytesIO(own_set().encode()), "ours.toml")}),
    ):
        answer = organiser.sends(NEW, organiser.opens(NEW) | CUP | {"regulations": "own", "id": t} | said)
        assert answer.status_code == 303, answer.text
        assert told(app, t)["regulations.adopted"]["regulations"]["name"] == OWN


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"stage:1:rounds": "x", "stage:1:format": "swiss"}, "a whole number is expected"),
        ({"stage:1:format": "chess"}, "Must be one of"),
        ({"stage:11:format": "swiss"}, "Unknown field"),
        ({"stage:1:colour": "red"}, "Unknown field"),
        ({**STAGES, "stage:3:qualifiers": "2"}, "the last stage must not have qualifiers"),
        ({**STAGES, "rounds": "5"}, "its first stage must have them too, not 4"),
        ({"points:win": "0.3"}, "points come in halves"),
        ({"points:win": "9999"}, "from 0 to 1000"),
        ({"points:win": "-1"}, "points come in halves"),
        ({"regulations": "own"}, "this field is required"),
        ({"regulations": "own", "regulations_file": "name = "}, "regulations_file"),
        ({"regulations": "own", "regulations_file": 'name = "x"\nstrange = 1'}, "strange"),
        ({"regulations_file": 'name = "x"'}, "regulations_file"),
        ({"regulations": "own", "set_file": (BytesIO(b"\xff\xfe"), "ours.toml")}, "not UTF-8 text"),
    ],
)
def test_wrong_stages_points_and_sets_are_told(organiser: Person, wrong: dict[str, Any], why: str):
    answer = organiser.sends(NEW, organiser.opens(NEW) | CUP | {"place": "杭州 <b>"} | wrong)
    assert answer.status_code in (409, 422) and why in answer.text, answer.text
    assert 'value="杭州 &lt;b&gt;"' in answer.text
    for name, text in wrong.items():
        if isinstance(text, str) and name.endswith(("rounds", "win", "qualifiers")):
            assert f'value="{text}"' in answer.text, name


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"name": ""}, "this field is required"),
        ({"rounds": "many"}, "a whole number is expected"),
        ({"rounds": ""}, "at least one"),
        ({"regulations": "nothing"}, "unknown; available:"),
        ({"regulations": "fide-2026"}, "the ruleset fide-2026 has rules for chess, not for xiangqi"),
        ({"time_zone": "Asia/Nowhere"}, "unknown time zone"),
        ({"begins": "2026-03-09"}, "before it begins"),
        ({"tiebreak": ["XX"]}, "unknown tie-break"),
        ({"official": ["a b c\x07"], "role": ["arbiter"], "person": [""]}, "wrong"),
        ({"change:rulebook.lateness.limit": "99999"}, "7200"),
        ({"change:ranking.parted_by": "9"}, "must be one of the offered choices"),
        ({"change:no.such.path": "1"}, "has no changeable value at this path"),
        ({"id": "no spaces"}, "letters, digits"),
        ({"time": "002-X 99"}, "has no such time control"),
        ({"time": "own", "period:2:minutes": "x"}, "a whole number is expected"),
        (
            {"time": "own", "period:1:minutes": "5", "byo_yomi_periods": "3"},
            "byo-yomi periods need the seconds of a period: set byo_yomi",
        ),
        ({"strange": "1"}, "Unknown field"),
    ],
)
def test_what_is_wrong_is_told_and_all_that_was_typed_is_still_there(
    organiser: Person, wrong: dict[str, Any], why: str
):
    answer = organiser.sends(NEW, organiser.opens(NEW) | CUP | {"place": "<b>杭州"} | wrong)
    assert answer.status_code == 422, answer.text
    assert why in answer.text
    assert 'value="&lt;b&gt;杭州"' in answer.text and "<b>杭州" not in answer.text


def test_whoever_changes_the_set_alone_is_shown_its_games_and_announces_none_of_another(organiser: Person):
    fields = organiser.opens(NEW) | CUP | {"game": "chess", "regulations": "xiangqi-1999", "time": ""}
    answer = organiser.sends(NEW, fields)
    assert answer.status_code == 422 and "the ruleset xiangqi-1999 has rules for xiangqi, not for chess" in answer.text
    assert '<option value="xiangqi/xiangqi-1999" selected>' in answer.text
    assert organiser.sends(NEW, fields | {"game": "xiangqi"}).status_code == 303


def test_a_game_without_rules_is_announced_by_name_with_results_only(app: Flask, organiser: Person):
    fields = organiser.opens(NEW) | CUP | {"id": "tiaoqi", "other_game": "tiaoqi"}
    answer = organiser.sends(NEW, fields)
    assert answer.status_code == 422 and "not for tiaoqi" in answer.text and 'value="tiaoqi"' in answer.text
    assert organiser.sends(NEW, fields | {"results_only": "yes"}).status_code == 303
    said = told(app, "tiaoqi")["tournament.announced"]
    assert (said["game"], said["results_only"]) == ("tiaoqi", True)


def test_a_name_that_is_taken_is_told(organiser: Person):
    fields = CUP | {"id": "taken"}
    assert organiser.sends(NEW, organiser.opens(NEW) | fields).status_code == 303
    again = organiser.sends(NEW, organiser.opens(NEW) | fields)
    assert again.status_code == 409 and "taken" in again.text


@pytest.mark.parametrize(("role", "status"), [(None, 401), ("arbiter", 403), ("player", 403)])
def test_who_may_not_announce_is_told_and_the_front_page_does_not_lead_there(comes: Comes, role: Any, status: int):
    person = comes(role, "p1") if role == "player" else comes(role)
    assert person.sends(NEW, person.opens(NEW) | CUP).status_code == status
    assert NEW not in person.sees("/").text


def test_who_may_is_led_there_and_another_site_is_refused(organiser: Person):
    assert NEW in organiser.sees("/").text
    assert organiser.sends(NEW, organiser.opens(NEW) | CUP, origin="http://evil.example").status_code == 403


def test_the_form_shows_what_a_set_allows_and_keeps_what_was_typed(organiser: Person):
    asked = f"{NEW}?regulations=fide-2026&name=Open&rounds=9"
    page = organiser.sees(asked).text
    assert 'value="Open"' in page and 'value="9"' in page and '<option value="chess/fide-2026" selected>' in page
    assert "change:rulebook.lateness.limit" in organiser.sees(f"{asked}&step=3").text


def sent_on(page: str) -> MultiDict[str, str]:
    """Return the hidden fields of a step, as a browser sends them with its own."""
    return MultiDict(
        (name, unescape(value))
        for name, value in FIELD.findall(page.partition("enctype=")[2].partition("<fieldset")[0])
    )


def test_three_steps_ask_for_what_the_ruleset_allows_and_lose_nothing(app: Flask, organiser: Person):
    first = organiser.sees(NEW).text
    chosen = {"set": "xiangqi/xiangqi-1999", "format": "groups", "other_game": "", "step": "2"}
    second = organiser.sends(NEW, sent_on(first) | chosen).text
    assert 'name="rounds"' not in second, "groups have as many rounds as their entries need"
    named = {
        "name": "<b>杯",
        "place": "杭州",
        "own_name": "李 & 维",
        "official": "zhao",
        "role": "arbiter",
        "person": "赵",
        "step": "3",
    }
    third = organiser.sends(NEW, sent_on(second) | named).text
    assert 'id="groups" name="groups" type="number" value="2"' in third and 'name="extra"' not in third
    assert len(re.findall(r'<(?:input|select)(?! type="hidden")[^>]*>', third.partition("<details")[0])) < 12
    back = organiser.sends(NEW, sent_on(third) | {"groups": "3", "step": "2"}).text
    assert 'value="&lt;b&gt;杯"' in back and 'name="groups" value="3"' in back
    fields = sent_on(third) | {"groups": "3", "qualifiers": "2", "games": "1"}
    created = organiser.sends(NEW, fields)
    assert created.status_code == 303, created.text
    t = created.headers["Location"].split("/")[2]
    announced = told(app, t)["tournament.announced"]
    assert [announced[name] for name in ("name", "game", "format", "place")] == ["<b>杯", "xiangqi", "groups", "杭州"]
    assert announced["conditions"]["groups"] == 3
    assert "李 &amp; 维" in organiser.sees(f"/t/{t}/officials").text, "the creator's own name"


def test_an_error_leads_to_the_step_of_its_field(organiser: Person):
    for wrong, shown in (
        ({"set": "go/nothing"}, 'id="set"'),
        ({"name": ""}, 'id="name"'),
        ({"time": "x"}, 'id="time"'),
    ):
        answer = organiser.sends(NEW, organiser.opens(NEW) | CUP | wrong)
        assert answer.status_code == 422 and shown in answer.text, wrong


def test_a_copy_has_the_fields_of_its_tournament_but_not_its_days(app: Flask, organiser: Person):
    more = {
        "id": "copied", "points:draw": "1", "change:rulebook.lateness.limit": "600", "time": "own", "period:1:minutes": "45",
        "tiebreak": ["PS", "BH"], "official": ["zhang.san"], "role": ["arbiter"], "person": ["张三"], "team": "lineup",
        "boards": "4",
    }  # fmt: skip
    more["set"] = "xiangqi/xiangqi-1999"
    assert organiser.sends(NEW, organiser.opens(NEW) | CUP | more).status_code == 303
    page = organiser.sees(f"{NEW}?copy=copied").text
    assert '<option value="xiangqi/xiangqi-1999" selected>' in page and "2026-03-07" not in page
    fields = sent_on(page)
    fields |= {"set": "xiangqi/xiangqi-1999", "format": "swiss", "id": "copy"}
    created = organiser.sends(NEW, fields)
    assert created.status_code == 303, created.text
    before, after = told(app, "copied"), told(app, "copy")
    kept = ("name", "game", "format", "rounds", "place", "time_zone", "tiebreaks", "conditions")
    assert [before["tournament.announced"][n] for n in kept] == [after["tournament.announced"][n] for n in kept]
    assert before["regulations.adopted"] == after["regulations.adopted"]
    assert after["official.appointed"]["official"] == "zhang.san" and after["tournament.announced"]["begins"] == ""
    assert organiser.sees(f"{NEW}?copy=unknown").status_code == 404


def test_acts_of_players_are_ticked_and_a_copy_keeps_them(app: Flask, organiser: Person):
    field = "change:players.allowed_acts"
    shown = organiser.sends(NEW, CUP | {"step": "3"}).text
    ticked = re.findall(rf'name="{field}" value="(\w+)"( checked)?', shown)
    allowed = {"see", "check_in", "call", "claim"}
    assert {act for act, checked in ticked if checked} == allowed and len(ticked) == 6
    fields = MultiDict(organiser.opens(NEW) | CUP | {"id": "acts"})
    fields.setlist(field, ["", "report", "see"])
    assert organiser.sends(NEW, fields).status_code == 303
    adopted = told(app, "acts")["regulations.adopted"]["regulations"]
    assert adopted["players"]["allowed_acts"] == ["see", "report"] == adopted["changes"]["players.allowed_acts"]
    copied = organiser.sees(f"{NEW}?copy=acts").text
    assert re.findall(rf'name="{field}" value="(\w*)"', copied) == ["", "see", "report"]
    usual = MultiDict(organiser.opens(NEW) | CUP | {"id": "usual"})
    usual.setlist(field, ["", *allowed])
    assert organiser.sends(NEW, usual).status_code == 303
    assert "players" not in told(app, "usual")["regulations.adopted"]["regulations"]


def test_the_form_is_in_chinese(organiser: Person):
    organiser.client.set_cookie("arbiter_language", "zh-CN")
    page = organiser.sees(NEW).text
    assert "新建赛事" in page and "象棋竞赛规则" in page and "Buchholz" not in page
