"""A pairing by hand on its page: each change is checked at once, and what is published is what was looked at."""

import re
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from shared.core.terms import Role
from tests.forms.conftest import Comes
from tests.http.calls import Call
from tests.http.forms import Person, entered, hall

ONE, TWO = "/t/<t>/rounds/1/pairing", "/t/<t>/rounds/2/pairing"
INPUT = re.compile(r"<input ([^>]*)>")
Enters = Callable[..., Call]


@pytest.fixture
def enters(app: Flask, data: Path, t: str) -> Enters:
    def players(number: int = 6, **more: Any) -> Call:
        return entered(app, data, t, number, **more)

    return players


@pytest.fixture
def second(app: Flask, data: Path, t: str, comes: Comes) -> Call:
    """Six players of whom 1, 3 and 5 have won the first round, against 2, 4 and 6."""
    call = hall(app, data, t)
    for board in (1, 2, 3):
        assert comes().fills(f"/t/<t>/rounds/1/boards/{board}/result", result="1-0").status_code == 303
    return call


def editor(text: str) -> dict[str, str]:
    """The fields of the sheet, as a browser would send them: ticks are not set."""
    fields = {}
    for attributes in INPUT.findall(text.partition('id="hand"')[2].partition("</form>")[0]):
        told = dict(re.findall(r'([a-z-]+)="([^"]*)"', attributes))
        if told.get("type") != "checkbox" or " checked" in attributes:
            fields[told["name"]] = unescape(told["value"])
    return fields


def started(person: Person, path: str) -> dict[str, str]:
    """The sheet of the pairing that is proposed."""
    page = person.sees(path).text
    form = page.partition('name="by" value="hand"')[2].partition("</form>")[0]
    shown = {name: unescape(value) for name, value in re.findall(r'name="(boards|byes)" value="([^"]*)"', form)}
    answer = person.sends(path, {"by": "hand", "do": "start", **shown})
    assert answer.status_code == 200, answer.text
    return editor(answer.text)


def does(person: Person, path: str, fields: dict[str, str], do: str, **more: Any) -> tuple[dict[str, str], str]:
    """The sheet after a button, and the part of it that says what is broken."""
    answer = person.sends(path, fields | {"do": do} | more)
    assert answer.status_code == 200, answer.text
    return editor(answer.text), broken(answer.text)


def broken(text: str) -> str:
    return unescape(text.partition('id="broken"')[2].partition('<div class="scroll"')[0])


def rows(fields: dict[str, str]) -> list[tuple[str, str]]:
    numbers = range(1, 1 + sum(name[0] == "w" and name[1:].isdigit() for name in fields))
    return [(fields[f"w{n}"], fields[f"b{n}"]) for n in numbers]


def seated(call: Call, round: int) -> list[tuple[int, int]]:
    boards = call("GET", f"/v1/tournaments/<t>/rounds/{round}").json["boards"]
    return [(b["white"], b["black"]) for b in boards]


def length(call: Call) -> int:
    return int(call("GET", "/v1/tournaments/<t>").headers["ETag"].strip('"'))


def test_a_proposed_pairing_is_changed_by_two_ticks_and_published(second: Call, comes: Comes, t: str):
    chief = comes("chief_arbiter")
    fields = started(chief, TWO)
    before = rows(fields)
    assert len(before) == 3
    fields, said = does(chief, TWO, fields, "colours 1")
    assert rows(fields)[0] == before[0][::-1]
    assert "Row 1" in said and "<del>" in said and "<ins>" in said
    fields, _ = does(chief, TWO, fields, "swap", pick=["b2", "b3"])
    assert rows(fields) == [before[0][::-1], (before[1][0], before[2][1]), (before[2][0], before[1][1])]
    answer = chief.sends(TWO, fields | {"do": "publish", "reason": "two of one school"})
    if answer.status_code == 409:
        pytest.fail(broken(answer.text))
    assert answer.headers["Location"] == f"/t/{t}/rounds/2?after={length(second)}"
    assert [(str(one), str(other)) for one, other in seated(second, 2)] == rows(fields)


def test_a_broken_rule_is_named_with_its_article_and_its_board_as_soon_as_it_is_typed(second: Call, comes: Comes):
    chief, before = comes("chief_arbiter"), length(second)
    fields = started(chief, TWO) | {"w1": "1", "b1": "2", "w2": "3", "b2": "5", "w3": "4", "b3": "6"}
    fields, said = does(chief, TWO, fields, "check")
    assert 'data-rule="rematch"' in said and "Board 1" in said and "C1" in said
    assert "1 Player 1 and 2 Player 2 have already met as often as this stage allows" in said
    answer = chief.sends(TWO, fields | {"do": "publish", "reason": "by lot"})
    assert answer.status_code == 409 and 'data-rule="rematch"' in answer.text
    assert editor(answer.text)["w1"] == "1" and ">by lot</textarea>" in answer.text, "what was typed is still there"
    assert length(second) == before


def test_a_rule_is_set_aside_by_who_may_and_with_a_reason(second: Call, comes: Comes):
    fields = {"w1": "1", "b1": "2", "w2": "3", "b2": "5", "w3": "4", "b3": "6"}
    organiser, chief = comes("organiser"), comes("chief_arbiter")
    assert 'name="overrides"' not in does(organiser, TWO, started(organiser, TWO) | fields, "check")[1]
    sheet, said = does(chief, TWO, started(chief, TWO) | fields, "check")
    assert 'name="overrides" value="rematch"' in said
    publish = {"do": "publish", "overrides": "rematch"}
    assert chief.sends(TWO, sheet | publish).status_code == 422, "without a reason"
    assert organiser.sends(TWO, sheet | publish | {"reason": "sponsor"}).status_code == 403
    assert chief.sends(TWO, sheet | publish | {"reason": "nobody else is left"}).status_code == 303
    assert seated(second, 2)[0] == (1, 2)


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({"w1": "99"}, "number 99 does not belong to a player or team of this tournament"),
        ({"w1": "Zhao"}, "Zhao is not the name of a player or team of this tournament"),
        ({"w1": "Player"}, "6 are called Player"),
        ({"w1": ""}, "one seat is empty"),
        ({"bye": "0"}, "number 0 does not belong to a player or team of this tournament"),
        ({"w1": "<b>"}, "<b> is not the name of a player or team of this tournament"),
    ],
)
def test_what_is_nobody_is_said_of_its_row(second: Call, comes: Comes, typed: dict[str, str], said: str):
    chief, before = comes("chief_arbiter"), length(second)
    fields, told = does(chief, TWO, started(chief, TWO) | typed, "check")
    assert said in told and ("Row 1" in told or "Bye" in told)
    answer = chief.sends(TWO, fields | {"do": "publish", "reason": "by lot"})
    assert answer.status_code == 422 and said in unescape(answer.text)
    assert length(second) == before


def test_somebody_twice_and_somebody_without_a_seat_are_told_by_name(second: Call, comes: Comes):
    chief = comes("chief_arbiter")
    _, said = does(chief, TWO, started(chief, TWO) | {"w1": "1", "b1": "3", "w2": "1", "b2": "5"}, "check")
    assert "1 Player 1 has 2 seats" in said and 'data-rule="seated-once"' in said
    assert 'data-rule="unseated"' in said and 'name="pick" value="out' in said
    assert 'name="overrides" value="seated-once"' not in said, "nobody sets that aside"


def test_who_has_no_seat_changes_places_with_who_has_one(enters: Enters, comes: Comes):
    call, chief = enters(5), comes("chief_arbiter")
    fields = started(chief, ONE)
    free = fields["bye"]
    fields, _ = does(chief, ONE, fields, "swap", pick=["bye", "w1"])
    assert fields["w1"] == free, "the bye goes to who sat there"
    fields, said = does(chief, ONE, fields | {"w2": ""}, "check")
    outside = re.findall(r'value="(out\d+)"', said)[0]
    fields, _ = does(chief, ONE, fields, "swap", pick=["w2", outside])
    assert fields["w2"] == outside.removeprefix("out")
    assert chief.sends(ONE, fields | {"do": "publish", "reason": "came late"}).status_code == 303
    assert call("GET", "/v1/tournaments/<t>/rounds/1").json["byes"] == [{"player": int(fields["bye"]), "kind": "U"}]


@pytest.mark.parametrize("pick", [[], ["w1"], ["w1", "w1"], ["w1", "b1", "w2"], ["w99", "b99"], ["x", "y"]])
def test_a_swap_takes_two(second: Call, comes: Comes, pick: list[str]):
    chief = comes("chief_arbiter")
    before = started(chief, TWO)
    fields, said = does(chief, TWO, before, "swap", pick=pick)
    assert "tick exactly two seats to swap them" in said and rows(fields) == rows(before)


@pytest.mark.parametrize("do", ["colours 0", "colours 9", "colours x", "remove 99999", "remove", "nonsense", ""])
def test_a_button_of_no_row_changes_nothing(second: Call, comes: Comes, do: str):
    chief = comes("chief_arbiter")
    before = started(chief, TWO)
    assert rows(does(chief, TWO, before, do)[0]) == rows(before)


def test_rows_are_added_and_taken_away(second: Call, comes: Comes):
    chief = comes("chief_arbiter")
    before = started(chief, TWO)
    more, _ = does(chief, TWO, before, "add")
    assert rows(more) == [*rows(before), ("", "")]
    fewer, _ = does(chief, TWO, more, "remove 1")
    assert rows(fewer) == [*rows(before)[1:], ("", "")]


def test_what_was_typed_after_the_check_is_looked_at_before_it_is_published(second: Call, comes: Comes):
    chief, before = comes("chief_arbiter"), length(second)
    fields = started(chief, TWO)
    other = fields | {"w1": fields["b1"], "b1": fields["w1"], "do": "publish", "reason": "by lot"}
    answer = chief.sends(TWO, other)
    assert answer.status_code == 409 and "The pairing was changed after it was checked" in answer.text
    assert length(second) == before
    assert chief.sends(TWO, editor(answer.text) | {"do": "publish", "reason": "by lot"}).status_code == 303


def test_a_log_that_went_on_is_shown_with_what_was_typed(second: Call, comes: Comes):
    chief = comes("chief_arbiter")
    fields = started(chief, TWO) | {"do": "publish", "reason": "by lot"}
    bye = {"player": 6, "round": 2, "kind": "H"}
    assert second("POST", "/v1/tournaments/<t>/byes", bye).status_code == 201
    answer = chief.sends(TWO, fields)
    assert answer.status_code == 412
    assert (
        "6 Player 6 must not be seated, because they are not present in round 2" in broken(answer.text)
        and ">by lot</textarea>" in answer.text
    )
    assert rows(editor(answer.text)) == rows(fields)


def test_a_form_sent_twice_pairs_once(second: Call, comes: Comes):
    chief = comes("chief_arbiter")
    fields = started(chief, TWO) | {"do": "publish", "reason": "by lot"}
    first, again = chief.sends(TWO, fields), chief.sends(TWO, fields)
    assert (first.status_code, again.status_code) == (303, 303)
    assert first.headers["Location"] == again.headers["Location"]
    late = chief.sends(TWO, fields | {"once": "another"})
    assert late.status_code == 412 and "Round 2 is already paired." in late.text


@pytest.mark.parametrize(("role", "status"), [(None, 401), ("player", 403), ("arbiter", 403), ("auditor", 403)])
def test_who_may_not_pair_publishes_nothing_by_hand(second: Call, comes: Comes, role: Role | None, status: int):
    fields = started(comes("chief_arbiter"), TWO) | {"do": "publish", "reason": "by lot"}
    before = length(second)
    assert comes(role, "1" if role == "player" else None).sends(TWO, fields).status_code == status
    assert length(second) == before


@pytest.mark.parametrize("wrong", [{"overrides": "gravity"}, {"white": "1"}, {"seq": "x"}, {"reason": "x" * 2001}])
def test_a_field_that_is_wrong_is_refused_and_the_seats_stay(second: Call, comes: Comes, wrong: dict[str, str]):
    chief, before = comes("chief_arbiter"), length(second)
    fields = started(chief, TWO) | {"do": "publish", "reason": "by lot"} | wrong
    answer = chief.sends(TWO, fields)
    assert answer.status_code == 422 and rows(editor(answer.text)) == rows(fields)
    assert length(second) == before


def test_a_format_that_is_paired_by_hand_begins_with_empty_rows(enters: Enters, comes: Comes, t: str):
    call, chief = enters(5, format="manual"), comes("chief_arbiter")
    page = chief.sees(ONE)
    fields = editor(page.text)
    assert rows(fields) == [("", ""), ("", "")] and fields["bye"] == ""
    fields, said = does(
        chief, ONE, fields | {"w1": "Player 3", "b1": "１", "w2": "4 x", "b2": "2", "bye": "5"}, "check"
    )
    assert "No rule is broken." in said
    assert chief.sends(ONE, fields | {"do": "publish", "reason": "drawn in the hall"}).status_code == 303
    assert seated(call, 1) == [(3, 1), (4, 2)]


@pytest.mark.parametrize(
    ("lines", "meant", "bye"),
    [
        ("3 1\n4 2\n5", [("3", "1"), ("4", "2")], "5"),
        ("3-1\n\n4 – 2\n", [("3", "1"), ("4", "2")], ""),
        ("Player 3\tPlayer 1", [("Player 3", "Player 1")], ""),
        ("3:1\n4：2", [("3", "1"), ("4", "2")], ""),
    ],
)
def test_whole_boards_are_typed_as_lines(
    enters: Enters, comes: Comes, lines: str, meant: list[tuple[str, str]], bye: str
):
    enters(5, format="manual")
    chief = comes("chief_arbiter")
    fields, _ = does(chief, ONE, editor(chief.sees(ONE).text), "lines", lines=lines)
    assert (rows(fields), fields["bye"]) == (meant, bye)


def test_a_sheet_has_no_more_rows_than_players_and_strangers_have_no_names_looked_up(enters: Enters, comes: Comes):
    enters(5, format="manual")
    many = {"by": "hand", "do": "lines", "lines": "Player 1\tPlayer 2\n" * 4_000}
    own = comes("chief_arbiter").sends(ONE, many).text
    assert own.count('value="Player 1"') == 5 and "1 Player 1 has 5 seats" in own
    stranger = comes(None).sends(ONE, many).text
    assert stranger.count("is not the name of a player or team") == 10 and "has 5 seats" not in stranger


def test_an_empty_sheet_pairs_nobody(enters: Enters, comes: Comes):
    call, chief = enters(4, format="manual"), comes("chief_arbiter")
    before = length(call)
    answer = chief.sends(ONE, editor(chief.sees(ONE).text) | {"do": "publish", "reason": "by lot"})
    assert answer.status_code == 422 and "a pairing seats somebody" in answer.text
    assert length(call) == before


def test_a_bracket_lets_colours_change_and_nobody_else_meet(enters: Enters, comes: Comes):
    call, chief = enters(4, format="knockout", rounds=2), comes("chief_arbiter")
    fields = started(chief, ONE)
    wrong, said = does(chief, ONE, fields, "swap", pick=["b1", "b2"])
    assert "the matches of this round must be between" in said
    assert chief.sends(ONE, wrong | {"do": "publish", "reason": "seeds"}).status_code == 409
    right, _ = does(chief, ONE, fields, "colours 1")
    assert chief.sends(ONE, right | {"do": "publish", "reason": "drawn in the hall"}).status_code == 303
    assert [(str(one), str(other)) for one, other in seated(call, 1)] == rows(right)


def test_missing_results_bar_the_pairing_and_are_named_so(call: Call, comes: Comes, t: str):
    page = comes("chief_arbiter").sees(f"{TWO}?by=hand").text
    waiting = page.partition('id="waiting"')[2].partition("</ul>")[0]
    assert waiting.count("required before pairing") == 3
    assert f"/t/{t}/rounds/1/boards/2/result" in waiting
    assert f"/t/{t}/crossings" in page
