"""The page of a preview: the events to be written, the consequences for those concerned, and all others, folded."""

import re
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from flask import Flask

from deploy.server import embedded
from shared.http.app import close
from shared.http.limits.rate_limits import Limits
from tests.http.calls import Call
from tests.http.forms import FIELD, Person, hall, pair

BOARDS = 6
ROUND = "/t/<t>/rounds/1"
OTHERS = {"en": "and {n} others move", "zh-CN": "另有 {n} 人名次顺移"}
DECIDED, CONFIRM, CHANGES, MOVED = 'id="decided"', 'class="lead" autofocus', 'id="changes"', '<details id="moved">'


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Flask, Path]]:
    data = tmp_path_factory.mktemp("previews")
    app = embedded.make_app(data, Limits(rate=0, reads=0, preview_seconds=120))
    yield app, data
    close(app)


_numbers = count(1)


@pytest.fixture
def t() -> str:
    return f"event{next(_numbers)}"


@pytest.fixture
def call(app: tuple[Flask, Path], t: str) -> Call:
    """Return a call on a round with wins of the left players, and an open first board."""
    call = hall(*app, t, BOARDS)
    wins = [{"board": n, "result": "1-0"} for n in range(2, BOARDS + 1)]
    assert call("POST", "/v1/tournaments/<t>/results", {"round": 1, "results": wins}).status_code == 201
    return call


@pytest.fixture
def arbiter(app: tuple[Flask, Path], call: Call, t: str) -> Person:
    return Person(*app, "arbiter", "arbiter", t)


def previews(person: Person, path: str, tongue: str = "en", **typed: str) -> str:
    """Return the page that a form leads to."""
    person.client.set_cookie("arbiter_language", tongue)
    fields = person.opens(path) | typed
    shown = person.sends(person.sends(path, fields).headers["Location"], fields)
    assert shown.status_code == 200, shown.text
    return shown.text


def players(rows: str) -> list[int]:
    return [int(id) for id in re.findall(r'<tr id="p(\d+)">', rows)]


def result(call: Call, board: int) -> str | None:
    game = call("GET", "/v1/tournaments/<t>/rounds/1").json["boards"][board - 1]["game"]
    return (call("GET", f"/v1/games/{game}").json["result"] or {}).get("notation")


@pytest.mark.parametrize("tongue", OTHERS)
def test_preview_shows_those_concerned_before_the_others(arbiter: Person, tongue: str) -> None:
    shown = previews(arbiter, f"{ROUND}/boards/1/arrival", tongue, side="white", came="absent")
    order = [shown.index(part) for part in (DECIDED, CONFIRM, CHANGES, MOVED)]
    assert order == sorted(order)
    concerned, others = shown[order[2] :].split(MOVED)
    assert sorted(players(concerned)) == [1, 2]
    moved = players(others)
    assert moved and not {1, 2} & set(moved)
    assert OTHERS[tongue].format(n=len(moved)) in others.partition("</summary>")[0]


def test_correction_is_previewed_before_it_is_written(call: Call, arbiter: Person) -> None:
    path, typed = f"{ROUND}/boards/2/correction", {"result": "0-1", "reason": "read from the wrong side"}
    shown = previews(arbiter, path, **typed)
    decided, changes = re.split(f"{DECIDED}|{CHANGES}", shown)[1:]
    assert "board 2" in decided and "read from the wrong side" in decided
    assert sorted(players(changes.partition(MOVED)[0])) == [3, 4], "both players of the game"
    assert "0 → 1" in changes and "1 → 0" in changes
    assert result(call, 2) == "1-0", "nothing is written yet"
    answer = arbiter.sends(path, dict(FIELD.findall(decided)))
    assert (answer.status_code, result(call, 2)) == (303, "0-1")


def test_correction_without_a_reason_shows_its_form_again(call: Call, arbiter: Person) -> None:
    refused = arbiter.fills(f"{ROUND}/boards/2/correction", result="0-1")
    assert refused.status_code == 422 and 'value="0-1" required checked' in refused.text
    assert result(call, 2) == "1-0"


def test_correction_names_the_pairing_that_it_does_not_change(call: Call, arbiter: Person) -> None:
    correction = {"result": "0-1", "reason": "misread"}
    note = "This changes the standings, but not that pairing."
    assert note not in previews(arbiter, f"{ROUND}/boards/2/correction", **correction)
    arbiter.fills(f"{ROUND}/boards/1/result", result="1-0")
    pair(call, [[1, 3], [5, 7], [9, 11], [2, 4], [6, 8], [10, 12]])
    assert f"Round 2 is already paired. {note}" in previews(arbiter, f"{ROUND}/boards/2/correction", **correction)


@pytest.mark.parametrize(("tongue", "late"), [("en", "8 min late"), ("zh-CN", "迟到 8 分钟")])
def test_lateness_is_shown_in_minutes(call: Call, arbiter: Person, tongue: str, late: str) -> None:
    shown = previews(arbiter, f"{ROUND}/boards/1/arrival", tongue, side="white", came="late", minutes="8")
    assert late in shown.partition(DECIDED)[2].partition("</ul>")[0]


@pytest.mark.parametrize(
    ("form", "typed"),
    [
        ("ruling?infraction=foul", {"infraction": "foul", "player": "5"}),
        ("arrival", {"side": "white", "came": "late", "minutes": "1"}),
        ("correction", {"result": "0-1", "reason": "misread"}),
    ],
)
def test_board_after_a_ruling_or_a_correction_is_the_lowest_open_one(
    app: tuple[Flask, Path], t: str, form: str, typed: dict[str, str]
) -> None:
    hall(*app, t, 4)
    arbiter = Person(*app, "arbiter", "arbiter", t)
    if form == "correction":
        arbiter.fills(f"{ROUND}/boards/3/result", result="1-0")
    answer = arbiter.confirms(f"{ROUND}/boards/3/{form}", **typed)
    assert next_board(arbiter, answer.headers["Location"]) == "1"


def test_board_after_a_result_is_the_following_one(app: tuple[Flask, Path], t: str) -> None:
    hall(*app, t, 3)
    arbiter = Person(*app, "arbiter", "arbiter", t)
    assert next_board(arbiter, arbiter.fills(f"{ROUND}/boards/2/result", result="1-0").headers["Location"]) == "3"
    refused = arbiter.fills(f"{ROUND}/boards/2/result", result="0-1").text
    (back,) = re.findall(r'<a href="([^"]+)">Back</a>', refused)
    assert next_board(arbiter, back) == "1", "after a refusal"


def next_board(person: Person, address: str) -> str:
    """Return the board that the entry field of a round page is for."""
    shown = person.sees(address.replace("&amp;", "&"))
    assert shown.status_code == 200, shown.text
    (board,) = re.findall(r'<input type="hidden" name="board" value="(\d*)">', shown.text)
    return board
