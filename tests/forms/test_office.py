"""Forms of the office: check-in, leaving and coming back, byes, boards of one's own, officials."""

import html
import re
from typing import Any

import pytest
from flask import Flask

from shared.core.readings.particulars import PERSONAL
from tests.forms.conftest import Comes
from tests.http.calls import Call, calls_on
from tests.http.forms import FIELD

CHECK_IN = "/t/<t>/check-in"
OFFICIALS = "/t/<t>/officials"


@pytest.fixture
def cup(app: Flask, data: Any, t: str) -> Call:
    """A tournament of four, nobody paired yet."""
    on = calls_on(app, data, "chief_arbiter")

    def call(method: str, path: str, *rest: Any, **named: Any) -> Any:
        return on(method, path.replace("<t>", t), *rest, **named)

    cup = {"id": t, "name": "Hall", "game": "xiangqi", "format": "swiss", "rounds": 5, "regulations": "campus"}
    officials = [{"name": "arbiter", "role": "arbiter"}, {"name": "organiser", "role": "organiser"}]
    assert call("POST", "/v1/tournaments", cup | {"officials": officials}).status_code == 201
    players = [
        {"name": name, "club": club}
        for name, club in (("王伟", "上海"), ("<b>李娜", "北京"), ("张三", "上海"), ("赵四", "北京"))
    ]
    assert call("POST", "/v1/tournaments/<t>/entries", {"players": players}).status_code == 201
    return call


def lines(call: Call, type: str) -> list[dict[str, Any]]:
    return [one["event"]["data"] for one in call("GET", f"/v1/tournaments/<t>/events?type={type}").json["events"]]


def test_who_has_come_is_ticked_and_a_tick_is_taken_back(cup: Call, comes: Comes):
    person = comes()
    fields = person.opens(CHECK_IN)
    assert person.sends(CHECK_IN, fields | {"here": ["1", "3"], "ticked": ""}).status_code == 303
    assert [one["player"] for one in lines(cup, "arbiter.player.checked-in.v1")] == [1, 3]
    page = person.sees(CHECK_IN).text
    assert page.count(" checked>") == 2 and "&lt;b&gt;李娜" in page
    taken = person.sends(CHECK_IN, person.opens(CHECK_IN) | {"here": ["1", "4"], "ticked": "1 3"})
    assert taken.status_code == 303
    assert [(one["player"], one["here"]) for one in lines(cup, "arbiter.player.checked-in.v1")][2:] == [
        (4, True),
        (3, False),
    ]


def test_typed_numbers_are_checked_in_and_the_field_keeps_the_focus(cup: Call, comes: Comes):
    person = comes()
    answer = person.fills(CHECK_IN, arrived="３")
    assert answer.status_code == 303
    page = person.sees(answer.headers["Location"]).text
    assert (
        "<b>张三</b>" in page.replace('<bdi lang="zh">', "").replace("</bdi>", "").partition('role="status">')[2][:60]
    )
    assert "autofocus" in page and 'maxlength="80" size="8" required value=""' in page
    assert person.fills(CHECK_IN, arrived="1, 4").status_code == 303
    assert [one["player"] for one in lines(cup, "arbiter.player.checked-in.v1")] == [3, 1, 4]
    for typed, why in (("x", "must be the numbers"), ("9", "9"), ("3", "already have this check-in")):
        refused = person.fills(CHECK_IN, arrived=typed)
        assert refused.status_code in (404, 409, 422) and why in refused.text and f'value="{typed}"' in refused.text


def test_all_listed_players_are_checked_in_at_once(cup: Call, comes: Comes):
    person = comes()
    fields = person.opens(f"{CHECK_IN}?q=上海")
    assert 'name="listed" value="3 1 "' in (listed := person.sees(f"{CHECK_IN}?q=上海").text) or "1 3 " in listed
    assert person.sends(CHECK_IN, fields | {"listed": "1 3 ", "ticked": "1", "everyone": "yes"}).status_code == 303
    assert [one["player"] for one in lines(cup, "arbiter.player.checked-in.v1")] == [3]


def test_two_who_check_in_at_once_do_not_undo_each_others_ticks(cup: Call, comes: Comes):
    one, other = comes(), comes("chief_arbiter")
    first, second = one.opens(CHECK_IN), other.opens(CHECK_IN)
    assert one.sends(CHECK_IN, first | {"here": "1", "ticked": ""}).status_code == 303
    assert other.sends(CHECK_IN, second | {"here": "2", "ticked": ""}).status_code == 303
    assert [line["player"] for line in lines(cup, "arbiter.player.checked-in.v1")] == [1, 2]
    again = other.sends(CHECK_IN, second | {"here": "2", "ticked": ""})
    assert again.status_code == 303, "sent twice it answers as the first time"
    late = one.sends(CHECK_IN, first | {"once": "another", "here": ["2", "3"], "ticked": ""})
    assert late.status_code == 409 and "a player checked in" in late.text


def test_who_is_missing_gets_a_bye_of_no_points_or_leaves(cup: Call, comes: Comes):
    person = comes("organiser")
    assert person.fills(CHECK_IN, missing=["2", "3"], what="bye").status_code == 303
    assert [(one["player"], one["round"], one["kind"]) for one in lines(cup, "arbiter.bye.granted.v1")] == [
        (2, 1, "Z"),
        (3, 1, "Z"),
    ]
    assert person.fills(CHECK_IN, missing="4", what="withdrawal").status_code == 303
    assert [one["player"] for one in lines(cup, "arbiter.player.withdrew.v2")] == [4]
    twice = person.fills(CHECK_IN, missing=["1", "2"], what="bye")
    assert twice.status_code == 409, "all or none"
    assert len(lines(cup, "arbiter.bye.granted.v1")) == 2
    assert cup("GET", "/v1/tournaments/<t>/audit").json["verdict"] == "agrees"


def test_office_ticks_what_everyone_sees_of_entries(cup: Call, comes: Comes):
    form, person = "/t/<t>/visibility", comes("organiser")
    assert person.sees(form).text.count(" checked>") == 2, "by default: name and club"
    members = " ".join(PERSONAL)
    assert person.fills(form, members=members, public=["sex", "name"]).status_code == 303
    assert person.fills(form, members=members, public="sex").status_code == 303
    assert person.fills(form, members="name club", public="name").status_code == 303
    assert person.fills(form, members=members).status_code == 303
    written = [one["public"] for one in lines(cup, "arbiter.visibility.set.v1")]
    assert written == [["name", "sex"], ["sex"], ["name", "sex"], []], "what a form does not list stays as it is"
    assert " checked>" not in person.sees(form).text
    assert comes().fills(form, members=members, public="name").status_code == 403
    assert cup("GET", "/v1/tournaments/<t>/audit").json["verdict"] == "agrees"


@pytest.mark.parametrize("sought", ["王", "wang", "1"])
def test_a_player_is_found_by_name_pinyin_or_number(cup: Call, comes: Comes, sought: str):
    listed = comes().sees(f"{CHECK_IN}?q={sought}").text.partition('id="missing"')[0]
    assert "王伟" in listed and "张三" not in listed


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"here": "99", "ticked": ""}, 404),
        ({"here": "x", "ticked": ""}, 422),
        ({"ticked": ""}, 409),
        ({"missing": "1", "what": "nothing"}, 422),
        ({"what": "bye"}, 422),
    ],
)
def test_what_is_no_check_in_is_refused(cup: Call, comes: Comes, fields: dict[str, Any], status: int):
    assert comes("chief_arbiter").fills(CHECK_IN, **fields).status_code == status
    assert lines(cup, "arbiter.player.checked-in.v1") == lines(cup, "arbiter.bye.granted.v1") == []


DEEDS = [
    ("withdrawal", {"reason": "ill"}, "arbiter.player.withdrew.v2"),
    ("bye", {"round": "2", "kind": "H"}, "arbiter.bye.granted.v1"),
    ("board", {"board": "3", "reason": "a wheelchair"}, "arbiter.board.fixed.v1"),
]


@pytest.mark.parametrize(("deed", "typed", "type"), DEEDS)
def test_the_office_does_for_a_player_what_is_linked_from_his_page(
    cup: Call, comes: Comes, t: str, deed: str, typed: dict[str, str], type: str
):
    person, path = comes("organiser"), f"/t/<t>/players/2/{deed}"
    assert f"/t/{t}/players/2/{deed}" in person.sees("/t/<t>/players/2").text
    assert f"/players/2/{deed}" not in comes(None).sees("/t/<t>/players/2").text
    fields = person.opens(path) | typed
    first, second = person.sends(path, fields), person.sends(path, fields)
    assert first.status_code == second.status_code == 303, first.text
    assert first.headers["Location"] == second.headers["Location"]
    assert [one["player"] for one in lines(cup, type)] == [2]


@pytest.mark.parametrize(("deed", "typed", "type"), DEEDS)
def test_who_may_not_is_refused_and_another_site_too(
    cup: Call, comes: Comes, deed: str, typed: dict[str, str], type: str
):
    path = f"/t/<t>/players/2/{deed}"
    assert comes("arbiter").fills(path, **typed).status_code == 403
    assert comes(None).fills(path, **typed).status_code == 401
    person = comes("organiser")
    assert person.sends(path, person.opens(path) | typed, origin="http://evil.example").status_code == 403
    assert lines(cup, type) == []


def test_who_left_comes_back(cup: Call, comes: Comes):
    person = comes("organiser")
    assert person.fills("/t/<t>/players/2/return").status_code == 409
    assert person.fills("/t/<t>/players/2/withdrawal").status_code == 303
    assert "/players/2/return" in person.sees("/t/<t>/players/2").text
    assert person.fills("/t/<t>/players/2/return", reason="well again").status_code == 303
    assert person.sees("/t/<t>/players/99/return").status_code == 404


@pytest.mark.parametrize(
    ("deed", "typed"),
    [
        ("bye", {"round": "9", "kind": "H"}),
        ("bye", {"round": "x", "kind": "H"}),
        ("bye", {"round": "1", "kind": "U"}),
        ("board", {"board": "-1"}),
    ],
)
def test_a_wrong_value_is_told(cup: Call, comes: Comes, deed: str, typed: dict[str, str]):
    assert comes("organiser").fills(f"/t/<t>/players/1/{deed}", **typed).status_code == 422


CORRECTION = "/t/<t>/players/2/correction"


def test_an_entry_is_corrected_from_the_players_page(cup: Call, comes: Comes):
    person = comes("organiser")
    assert "/players/2/correction" in person.sees("/t/<t>/players/2").text
    shown = person.sees(CORRECTION).text
    assert 'value="&lt;b&gt;李娜"' in shown and 'value="北京"' in shown
    typed = {"name": "李娜", "club": "北京", "title": "5段", "rating": "2100", "sex": "女", "reason": "her papers"}
    fields = person.opens(CORRECTION) | typed
    first, second = person.sends(CORRECTION, fields), person.sends(CORRECTION, fields)
    assert first.status_code == second.status_code == 303, first.text
    (line,) = lines(cup, "arbiter.entry.corrected.v1")
    assert (line["changed"], line["title"]) == (["name", "rating", "title", "sex"], "5d")
    page = person.sees("/t/<t>/players/2").text
    assert "李娜" in page and "2100" in page and "corrected on <a" in page
    assert [one["number"] for one in lines(cup, "arbiter.starting-numbers.assigned.v2")[0]["numbers"]] == [1, 2]
    person.client.set_cookie("arbiter_language", "zh-CN")
    assert "等级分现为 2100" in person.sees("/t/<t>/log").text


@pytest.mark.parametrize(
    ("typed", "status", "told"),
    [
        ({"name": "", "reason": "x"}, 422, "wrong-name"),
        ({"name": "李娜", "rating": "strong", "reason": "x"}, 422, "a whole number is expected"),
        ({"name": "李娜", "sex": "?", "reason": "x"}, 422, "m or f"),
        ({"name": "李娜", "birth_year": "1700", "reason": "x"}, 422, "wrong-birth_year"),
        ({"name": "李娜", "federation": "China", "reason": "x"}, 422, "three capital letters"),
        ({"name": "李娜", "starting_number": "0", "reason": "x"}, 422, ""),
        ({"name": "李娜"}, 422, ""),
        ({"name": "<b>李娜", "club": "北京", "reason": "x"}, 409, "the entry already has these values"),
    ],
)
def test_a_wrong_correction_is_told_with_what_was_typed(
    cup: Call, comes: Comes, typed: dict[str, str], status: int, told: str
):
    answer = comes("organiser").fills(CORRECTION, **typed)
    assert answer.status_code == status and told in answer.text
    assert all(f'value="{text}"' in answer.text for text in typed.values() if text not in ("x", "<b>李娜"))
    assert lines(cup, "arbiter.entry.corrected.v1") == []


def test_a_name_that_was_erased_stays_so_while_the_rest_is_corrected(cup: Call, comes: Comes):
    organiser = comes("organiser")
    (name,) = {one["name"]["text"] for one in lines(cup, "arbiter.player.entered.v2") if one["player"] == 2}
    path = f"/v1/tournaments/{organiser.t}/texts/{name}"
    assert organiser.client.delete(path, headers={"Authorization": f"Bearer {organiser.token}"}).status_code == 200
    assert organiser.fills(CORRECTION, club="上海", reason="moved").status_code == 303
    (line,) = lines(cup, "arbiter.entry.corrected.v1")
    assert line["changed"] == ["club"] and line["name"]["text"] == name


def test_who_may_not_correct_an_entry_is_refused(cup: Call, comes: Comes):
    assert comes("arbiter").fills(CORRECTION, name="x", reason="x").status_code == 403
    assert comes(None).fills(CORRECTION, name="x", reason="x").status_code == 401
    assert comes("organiser").sees("/t/<t>/players/99/correction").status_code == 404


def test_a_form_about_a_player_is_shown_anew_where_somebody_wrote_of_him(cup: Call, comes: Comes):
    person, path = comes("organiser"), "/t/<t>/players/2/withdrawal"
    fields = person.opens(path)
    assert cup("POST", "/v1/tournaments/<t>/entries/3/withdrawal").status_code == 201
    assert cup("POST", "/v1/tournaments/<t>/byes", {"player": 2, "round": 1, "kind": "Z"}).status_code == 201
    answer = person.sends(path, fields | {"reason": "gone home"})
    assert answer.status_code == 409 and "gone home" in answer.text and "a bye" in answer.text


def test_an_official_is_appointed_and_dismissed(cup: Call, comes: Comes):
    person = comes("chief_arbiter")
    assert person.fills(OFFICIALS, name="Zhang.San", role="arbiter", person="张三 <i>").status_code == 303
    assert "张三 &lt;i&gt;" in person.sees(OFFICIALS).text
    held = person.fills(OFFICIALS, name="zhang.san", role="arbiter")
    assert held.status_code == 409 and "already holds the role" in held.text
    assert person.fills(OFFICIALS, name="board2", role="board", boards="5, 6 7").status_code == 303
    assert lines(cup, "arbiter.official.appointed.v2")[-1]["boards"] == [5, 6, 7]
    assert person.fills(OFFICIALS, dismiss="zhang.san", reason="left early").status_code == 303
    assert "zhang.san" not in person.sees(OFFICIALS).text


@pytest.mark.parametrize(
    ("typed", "status"),
    [
        ({"name": "a\x07", "role": "arbiter"}, 422),
        ({"name": "li", "role": "king"}, 422),
        ({"name": "li", "role": "arbiter", "boards": "3"}, 422),
        ({"name": "li", "role": "board", "boards": "x"}, 422),
        ({"dismiss": "chief_arbiter"}, 409),
    ],
)
def test_a_wrong_appointment_is_told(cup: Call, comes: Comes, typed: dict[str, str], status: int):
    before = lines(cup, "arbiter.official.appointed.v2")
    answer = comes("chief_arbiter").fills(OFFICIALS, **typed)
    assert answer.status_code == status, answer.text
    assert lines(cup, "arbiter.official.appointed.v2") == before
    assert comes("arbiter").fills(OFFICIALS, **typed).status_code in (403, 422)


def test_the_office_page_leads_to_its_forms_in_both_languages(cup: Call, comes: Comes):
    person = comes("organiser")
    for language, words in (("en", "Check-in"), ("zh-CN", "签到")):
        person.client.set_cookie("arbiter_language", language)
        page = person.sees("/t/<t>/office").text
        assert words in page and all(
            f"/{form}" in page
            for form in ("entries", "check-in", "officials", "sessions", "prizes", "rounds/1/pairing", "closing")
        )


def test_venue_notice_is_typed_in_the_time_of_the_venue_and_shown_on_the_screen(cup: Call, comes: Comes):
    form, person = "/t/<t>/venue-notice", comes("arbiter")
    assert person.fills(form, text="Lunch <b>now</b>", round_begins="2099-05-01T14:30").status_code == 303
    (written,) = lines(cup, "arbiter.venue-notice.set.v1")
    assert written["round_begins"] == "2099-05-01T14:30:00Z", "the venue is in UTC"
    again = person.sees(form).text
    assert "Lunch &lt;b&gt;now&lt;/b&gt;</textarea>" in again and 'value="2099-05-01T14:30"' in again
    assert "Lunch &lt;b&gt;now&lt;/b&gt;" in comes().sees("/t/<t>/screen").text
    assert person.fills(form, round_begins="half past two").status_code == 422
    for year in ("0001", "9999"):
        at = {"round_begins": {"0001": "0001-01-01T00:00:00+12:00", "9999": "9999-12-31T23:59:59-12:00"}[year]}
        assert cup("POST", "/v1/tournaments/<t>/venue-notice", at).status_code == 201
        assert person.sees(form).status_code == comes().sees("/t/<t>/screen").status_code == 200
    assert comes("auditor").fills(form, text="x").status_code == 403
    assert person.fills(form).status_code == 303 and "Lunch" not in comes().sees("/t/<t>/screen").text
    assert cup("GET", "/v1/tournaments/<t>/audit").json["verdict"] == "agrees"


def test_details_are_previewed_then_corrected_and_shown_on_pages_and_papers(cup: Call, comes: Comes):
    form, person = "/t/<t>/details", comes("organiser")
    fields = person.opens(form)
    typed = {"name": "Hall <Open>", "place": "Room 2", "rounds": "7", "reason": "typo"}
    preview = person.sends(form, fields | typed)
    assert preview.status_code == 200 and not lines(cup, "arbiter.tournament.corrected.v1")
    rows = re.findall(r"<del>(.*?)</del></td><td><ins>(.*?)</ins>", preview.text)
    assert rows == [("Hall", "Hall &lt;Open&gt;"), ("–", "Room 2"), ("5", "7")]
    confirmed = {
        name: html.unescape(value) for name, value in FIELD.findall(preview.text.partition('id="form"')[2])
    } | {"confirm": "yes"}
    assert person.sends(form, confirmed).status_code == 303
    (written,) = lines(cup, "arbiter.tournament.corrected.v1")
    assert {name: value for name, value in written.items() if name != "reason" and value is not None} == {
        "name": "Hall <Open>",
        "place": "Room 2",
        "rounds": 7,
    }
    for page in ("/t/<t>", "/t/<t>/standings", "/t/<t>/log"):
        assert "Hall &lt;Open&gt;" in person.sees(page).text
    assert person.fills(form, name="", reason="x").status_code == 422
    unchanged = person.fills(form, name="Hall <Open>", place="Room 2", rounds="7", reason="x")
    assert unchanged.status_code == 409 and "nothing would change" in unchanged.text
    assert comes("board").fills(form, **typed).status_code == 403
    assert cup("GET", "/v1/tournaments/<t>/audit").json["verdict"] == "agrees"
