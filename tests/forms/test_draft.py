"""The draft of a round: absent players with the choices about them, units, reasons, and what is published after each choice."""

import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from tests.forms.conftest import Comes
from tests.http.calls import Call, calls_on
from tests.http.forms import FIELD, Person

ONE, TWO = "/t/<t>/rounds/1/pairing", "/t/<t>/rounds/2/pairing"
NAMES = ("王伟", "李娜", "张三", "赵四", "刘欢")
CLUBS = ("北京", "上海", "北京", "上海", "广州")
"""The first round by strength is 1-3 and 2-4: both boards of one unit."""


@pytest.fixture
def cup(app: Flask, data: Path, t: str) -> Call:
    """Return calls on a Swiss of five players of three units. Nobody has checked in."""
    on = calls_on(app, data, "chief_arbiter")

    def call(method: str, path: str, *rest: Any, **named: Any) -> Any:
        return on(method, path.replace("<t>", t), *rest, **named)

    cup = {"id": t, "name": "Cup", "game": "chess", "format": "swiss", "rounds": 4, "regulations": "fide-2026"}
    assert call("POST", "/v1/tournaments", cup).status_code == 201
    players = [
        {"id": n, "name": name, "club": club, "rating": 2100 - n}
        for n, (name, club) in enumerate(zip(NAMES, CLUBS, strict=True), 1)
    ]
    assert call("POST", "/v1/tournaments/<t>/entries", {"players": players}).status_code == 201
    return call


def check_in(call: Call, *came: int) -> None:
    assert call("POST", "/v1/tournaments/<t>/check-in", {"came": came}).status_code == 201


def plays(call: Call, boards: list[list[int]], *results: str) -> None:
    """Pair round 1 by hand with a bye for player 5, and report its results."""
    seen = call("GET", "/v1/tournaments/<t>").headers["ETag"]
    paired = {"boards": boards, "bye": 5, "reason": "by lot"}
    assert call("POST", "/v1/tournaments/<t>/rounds", paired, If_Match=seen).status_code == 201
    sent = {"round": 1, "results": [{"board": n, "result": one} for n, one in enumerate(results, 1)]}
    assert call("POST", "/v1/tournaments/<t>/results", sent).status_code == 201


def part(page: str, id: str, end: str) -> str:
    """Return the text of a part of the page, in one line."""
    found = unescape(re.sub(r"<[^>]+>", " ", page.partition(f'id="{id}"')[2].partition(end)[0]))
    return re.sub(r"\s+", " ", re.sub("[\u2066-\u2069]", "", found))


def absent(page: str) -> list[int]:
    return [int(n) for n in re.findall(r'<li data-player="(\d+)"', page)]


def boards(page: str) -> str:
    """Return the pairing that the draft shows, from its hidden field."""
    return dict(FIELD.findall(page))["boards"]


def chooses(person: Person, choice: str, *players: int, path: str = ONE) -> str:
    """Make a choice about absent players, and return the draft that it leads to."""
    answer = person.fills(path, absent=[str(player) for player in players], choice=choice)
    assert answer.status_code == 303, unescape(answer.text)
    return str(person.sees(answer.headers["Location"]).text)


def publishes(person: Person, path: str, page: str) -> None:
    shown = dict(FIELD.findall(page.partition('id="proposed"')[2].partition("</form>")[0]))
    answer = person.sends(path, shown)
    assert answer.status_code == 303, unescape(answer.text)


def seated(call: Call, round: int) -> set[int]:
    answer = call("GET", f"/v1/tournaments/<t>/rounds/{round}").json["boards"]
    return {player for board in answer for player in (board["white"], board["black"])}


def written(call: Call, type: str) -> list[dict[str, Any]]:
    return [one["event"]["data"] for one in call("GET", f"/v1/tournaments/<t>/events?type={type}").json["events"]]


def test_draft_without_check_in_lists_nobody_as_absent(cup: Call, comes: Comes):
    page = comes("chief_arbiter").sees(ONE).text
    assert "no player counts as absent" in page and absent(page) == [] and "not checked in" not in page


def test_absent_player_with_a_bye_is_not_paired(cup: Call, comes: Comes):
    check_in(cup, 1, 2, 3, 4)
    chief = comes("chief_arbiter")
    page = chief.sees(ONE).text
    assert absent(page) == [5] and "5 刘欢 0 广州" in part(page, "absent", "</li>")
    assert "1 player of this draft has not checked in." in page
    assert "刘欢 0 广州 · 2095 not checked in" in part(page, "proposed", "</form>")
    after = chooses(chief, "bye", 5)
    assert "5 刘欢 : a zero-point bye" in part(after, "done", "</ul>") and absent(after) == []
    assert "刘欢" in part(after, "byes", "</ul>") and "刘欢" not in part(after, "proposed", "</table>")
    publishes(chief, ONE, after)
    assert seated(cup, 1) == {1, 2, 3, 4}
    assert written(cup, "arbiter.bye.granted.v1") == [{"player": 5, "round": 1, "kind": "Z"}]
    assert cup("GET", "/v1/tournaments/<t>/audit").json["verdict"] == "agrees"


def test_absent_player_paired_anyway_stays_marked_until_published(cup: Call, comes: Comes):
    check_in(cup, 1, 2, 3)
    chief = comes("chief_arbiter")
    page = chief.sees(f"{ONE}?anyway=4&done=4").text
    assert "4 赵四 : paired anyway" in part(page, "done", "</ul>") and absent(page) == [4, 5]
    rows = re.findall(r'<li data-player="\d">.*?</li>', page, re.S)
    assert ["paired anyway" in row for row in rows] == [True, False]
    assert 'name="anyway" value="4"' in rows[1], "the next choice keeps the one before"
    assert "赵四 0 上海 · 2096 not checked in" in part(page, "proposed", "</form>")
    by_hand = chief.sends(ONE, {"by": "hand", "do": "start", "boards": boards(page)}).text
    assert by_hand.count("<mark>not checked in</mark>") == 2 and "上海" in by_hand
    after = chooses(chief, "bye", 5, path=f"{ONE}?anyway=4")
    assert "刘欢" in part(after, "done", "</ul>") and "paired anyway" in part(after, "absent", "</details>")
    publishes(chief, ONE, after)
    assert seated(cup, 1) == {1, 2, 3, 4}


def test_absent_player_withdraws_or_has_come(cup: Call, comes: Comes):
    check_in(cup, 1, 2, 3)
    chief = comes("organiser")
    after = chooses(chief, "withdrawal", 5)
    assert "刘欢 : withdrawn from the tournament" in part(after, "done", "</ul>") and absent(after) == [4]
    after = chooses(chief, "here", 4)
    assert "赵四 : has checked in" in part(after, "done", "</ul>") and absent(after) == []
    publishes(chief, ONE, after)
    assert seated(cup, 1) == {1, 2, 3, 4}
    assert cup("GET", "/v1/tournaments/<t>/audit").json["verdict"] == "agrees"


def test_all_absent_players_get_a_bye_at_once(cup: Call, comes: Comes):
    check_in(cup, 1, 2)
    after = chooses(comes("chief_arbiter"), "bye", 3, 4, 5)
    assert part(after, "done", "</ul>").count("a zero-point bye") == 3
    assert boards(after) in ("1:1-2", "1:2-1")


def test_player_who_has_played_is_present_and_late_entry_is_not(cup: Call, comes: Comes):
    check_in(cup, 1, 2, 3)
    plays(cup, [[1, 4], [2, 3]], "1-0", "+/-")
    late = {"players": [{"id": 6, "name": "孙六"}]}
    assert cup("POST", "/v1/tournaments/<t>/entries", late).status_code == 201
    page = comes("chief_arbiter").sees(TWO).text
    assert absent(page) == [5, 6], "4 played in round 1"


def test_choice_on_a_stale_draft_writes_nothing(cup: Call, comes: Comes):
    check_in(cup, 1, 2, 3)
    chief, other = comes("chief_arbiter"), comes("organiser")
    stale = chief.opens(ONE)
    chooses(other, "here", 5)
    assert chief.sends(ONE, stale | {"absent": "4", "choice": "bye", "once": "a"}).status_code == 303, "about another"
    late = chief.sends(ONE, stale | {"absent": "5", "choice": "withdrawal", "once": "b"})
    assert late.status_code == 409 and "a player checked in" in unescape(late.text)
    publishes(other, ONE, other.sees(ONE).text)
    for choice in ("here", "bye", "withdrawal"):
        late = chief.sends(ONE, stale | {"absent": "4", "choice": choice, "once": f"c{choice}"})
        assert late.status_code == 409 and "Round 1 is already paired" in late.text
    assert written(cup, "arbiter.player.withdrew.v2") == []
    assert [one["player"] for one in written(cup, "arbiter.bye.granted.v1")] == [4]


def test_absent_players_are_shown_to_officials_and_decided_by_the_office(cup: Call, comes: Comes):
    check_in(cup, 1, 2, 3, 4)
    guest = comes(None).sees(ONE).text
    assert absent(guest) == [] and "刘欢" not in guest
    assert comes("arbiter").fills(ONE, absent="5", choice="bye").status_code == 403
    assert comes(None).fills(ONE, absent="5", choice="bye").status_code == 401
    chief = comes("chief_arbiter")
    assert chief.fills(ONE, absent="5", choice="nothing").status_code == 422
    assert chief.fills(ONE, choice="bye").status_code == 422
    assert chief.fills(ONE, absent="77", choice="bye").status_code == 404
    assert written(cup, "arbiter.bye.granted.v1") == []


def test_draft_says_a_common_reason_once_and_marks_floats_and_one_unit(cup: Call, comes: Comes):
    chief = comes("chief_arbiter")
    first = part(chief.sees(ONE).text, "proposed", "</form>")
    assert first.count("the upper half meets the lower half") == 1
    assert "On 2 boards, both players are from the same unit: 1, 2" in first and "same unit: 北京" in first
    plays(cup, [[1, 3], [4, 2]], "1-0", "0-1")
    page = chief.sees(TWO).text
    table = part(page, "proposed", "</table>")
    assert re.search("王伟 1 · W 北京 · 2099", table) and re.search("张三 0 · B 北京 · 2097", table)
    floats = page.count("<mark>floats between points</mark>")
    assert floats == table.count("floats between points") == 1 and table.count("same points") == 1


def test_team_draft_has_a_heading_for_each_match(app: Flask, data: Path, t: str, comes: Comes):
    on = calls_on(app, data, "chief_arbiter")
    more = {"game": "xiangqi", "regulations": "campus", "conditions": {"team": {"kind": "lineup", "boards": 2}}}
    cup = {"id": t, "name": "Cup", "format": "swiss", "rounds": 3, **more}
    assert on("POST", "/v1/tournaments", cup).status_code == 201
    entries = [{"id": n, "name": f"Player {n}"} for n in range(1, 9)]
    assert on("POST", f"/v1/tournaments/{t}/entries", {"players": entries}).status_code == 201
    teams = [{"id": n, "name": f"Team {n}", "members": [2 * n - 1, 2 * n]} for n in (1, 2, 3, 4)]
    assert on("POST", f"/v1/tournaments/{t}/teams", {"teams": teams}).status_code == 201
    page = comes("chief_arbiter").sees(ONE).text
    groups = [
        re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", one))
        for one in re.findall(r'<tr class="match">.*?</tbody>', page, re.S)
    ]
    assert len(groups) == 2
    for group in groups:
        one, other = re.findall(r"Team \d", group)[:2]
        assert re.findall(r"Team \d", group)[2:] in ([one, other, other, one], [other, one, one, other]), group


PAIRS = "/t/<t>/forbidden-pairs"


def sets(person: Person, path: str, **typed: Any) -> None:
    """Preview a list, then set it as it was previewed."""
    preview = person.fills(path, do="preview", **typed)
    assert preview.status_code == 200 and "Nothing is written yet" in preview.text, unescape(preview.text)
    form = preview.text.partition('<form method="post" action="">')[2]
    fields: dict[str, Any] = dict(FIELD.findall(form))
    for name in ("unit", "pair"):
        fields[name] = re.findall(rf'name="{name}" value="([^"]+)" checked', form)
    lines = unescape(form.partition('name="lines"')[2].partition(">")[2].partition("</textarea>")[0])
    answer = person.sends(path, fields | {"lines": lines, "do": "set"})
    assert answer.status_code == 303, unescape(answer.text)


def test_players_of_a_unit_are_not_paired_once_the_form_has_forbidden_their_pairs(cup: Call, comes: Comes):
    chief = comes("chief_arbiter")
    assert boards(chief.sees(ONE).text).count("-") == 2 and "same unit" in chief.sees(ONE).text
    page = chief.sees(PAIRS).text
    assert "北京" in page and "2 players, 1 pair" in page and "广州" not in part(page, "form", "</form>")
    preview = chief.fills(PAIRS, unit=["1", "2"], lines="刘欢 - 1", do="preview")
    assert preview.status_code == 200 and "3 pairs will be forbidden" in preview.text
    assert "1 王伟 北京 – 3 张三 北京" in part(preview.text, "preview", "</div>")
    assert written(cup, "arbiter.pairs.forbidden.v1") == [], "a preview writes nothing"
    sets(chief, PAIRS, unit=["1", "2"], lines="刘欢 - 1", reason="same units")
    assert [one["pairs"] for one in written(cup, "arbiter.pairs.forbidden.v1")] == [[[1, 3], [1, 5], [2, 4]]]
    page = chief.sees(ONE).text
    assert "same unit" not in page and {frozenset(one) for one in re.findall("([1-5])-([1-5])", boards(page))} == {
        frozenset("14"),
        frozenset("23"),
    }
    page = chief.sees(PAIRS).text
    assert page.count(" checked>") == 3, "two units, and one single pair"
    sets(chief, PAIRS, unit=["2"])
    assert [one["pairs"] for one in written(cup, "arbiter.pairs.forbidden.v1")][1:] == [[[2, 4]]]
    assert cup("GET", "/v1/tournaments/<t>/audit").json["verdict"] == "agrees"


def test_forbidden_pairs_are_set_only_as_previewed_and_on_the_list_that_was_shown(cup: Call, comes: Comes):
    chief = comes("chief_arbiter")
    unseen = chief.fills(PAIRS, unit="1", do="set")
    assert unseen.status_code == 422 and "preview it" in unseen.text
    stale = chief.opens(PAIRS) | {"before": "0", "seen": dict(FIELD.findall(unseen.text))["seen"]}
    refused = chief.sends(PAIRS, stale | {"unit": "1", "do": "set"})
    assert refused.status_code == 409 and "written in the meantime" in refused.text
    for lines, told in (("1 77", "number 77 does not belong"), ("王伟", "type the two players of a pair")):
        wrong = chief.fills(PAIRS, lines=lines, do="preview")
        assert wrong.status_code == 422 and told in wrong.text and f"{lines}</textarea>" in wrong.text
    assert comes("arbiter").fills(PAIRS, unit="1", do="preview").status_code == 403
    assert written(cup, "arbiter.pairs.forbidden.v1") == []


def test_unit_with_most_players_is_named_and_a_late_entry_makes_it_incomplete(cup: Call, comes: Comes):
    chief = comes("chief_arbiter")
    late = {"players": [{"id": n, "name": f"新{n}", "club": "北京"} for n in (6, 7)]}
    sets(chief, PAIRS, unit="1")
    assert cup("POST", "/v1/tournaments/<t>/entries", late).status_code == 201
    assert "4 players, 6 pairs; forbidden now: 1" in part(chief.sees(PAIRS).text, "form", "</form>")
    both = {"players": [{"id": 8, "name": "新8", "club": "北京"}]}
    assert cup("POST", "/v1/tournaments/<t>/entries", both).status_code == 201
    told = unescape(chief.fills(PAIRS, unit="1", do="preview").text)
    assert "北京 has 5 of 8 players, so some of them must meet" in told


def test_byes_are_granted_to_several_players_by_number_and_name(cup: Call, comes: Comes):
    form, chief = "/t/<t>/byes", comes("organiser")
    assert "No bye was requested" in chief.sees(form).text
    assert chief.fills(form, players="1， 李娜\n3 4", round="2", kind="H").status_code == 303
    granted = [(one["player"], one["round"], one["kind"]) for one in written(cup, "arbiter.bye.granted.v1")]
    assert granted == [(1, 2, "H"), (2, 2, "H"), (3, 2, "H"), (4, 2, "H")]
    assert "2 1 王伟 北京 a half-point bye" in part(chief.sees(form).text, "granted", "</table>")
    wrong = chief.fills(form, players="1, nobody", round="3", kind="H")
    assert wrong.status_code == 422 and "nobody is not the name of a player" in unescape(wrong.text)
    assert chief.fills(form, players="1", round="2", kind="H").status_code == 409
    assert comes("arbiter").fills(form, players="1", round="3", kind="H").status_code == 403
    assert len(written(cup, "arbiter.bye.granted.v1")) == 4


def test_virtual_points_are_typed_in_lines_previewed_and_set(cup: Call, comes: Comes):
    form, chief = "/t/<t>/virtual-points", comes("chief_arbiter")
    preview = chief.fills(form, lines="1-2 1-2 1\n1-3 3 0.5", do="preview").text
    assert (
        "1 王伟 1 2 1" in part(preview, "given", "</table>") and written(cup, "arbiter.virtual-points.given.v1") == []
    )
    sets(chief, form, lines="1-2 1-2 1\n1-3 3 0.5", reason="Baku")
    (event,) = written(cup, "arbiter.virtual-points.given.v1")
    assert [tuple(one.values()) for one in event["given"]] == [
        (1, 1, 2, 2),
        (2, 1, 2, 2),
        (1, 3, 3, 1),
        (2, 3, 3, 1),
        (3, 3, 3, 1),
    ]
    assert "1-2 1-2 1\n1-3 3 0.5</textarea>" in chief.sees(form).text, "as they would be typed again"
    for lines, told in (("x", "is not understood"), ("8-9 1 1", "does not name players"), ("1 1 1\n1 1 2", "twice")):
        wrong = chief.fills(form, lines=lines, do="preview")
        assert wrong.status_code in (409, 422) and told in wrong.text
    sets(chief, form, lines="")
    assert "No player has virtual points" in chief.sees(form).text
    assert cup("GET", "/v1/tournaments/<t>/audit").json["verdict"] == "agrees"


def test_choices_of_a_chinese_draft_are_to_leave_the_event_and_not_to_take_something_back(cup: Call, comes: Comes):
    check_in(cup, 1, 2, 3, 4)
    chief = comes("chief_arbiter")
    chief.client.set_cookie("arbiter_language", "zh-CN")
    offered = part(chief.sees(ONE).text, "absent", "</details>")
    assert "1 名棋手未签到" in offered and "缺席（0 分） 退赛 仍然编排" in offered and "撤回" not in offered
