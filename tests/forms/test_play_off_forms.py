"""Forms that part equals: a play-off offered to those who share a place, and lots."""

import re
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from shared.core.terms import Role
from tests.forms.conftest import Comes
from tests.forms.test_pairing_by_hand import broken, does, editor, rows
from tests.http.calls import Call
from tests.http.forms import entered, hall

PLAY_OFFS, LOTS = "/t/<t>/play-offs", "/t/<t>/lots"
Shares = Callable[..., Call]


@pytest.fixture
def shares(app: Flask, data: Path, t: str, comes: Comes) -> Shares:
    """An event of one round whose six players are all equal: every game was drawn."""

    def event(**more: Any) -> Call:
        call = hall(app, data, t, rounds=1, regulations="xiangqi-1999", **more)
        for board in (1, 2, 3):
            assert comes().fills(f"/t/<t>/rounds/1/boards/{board}/result", result="1/2-1/2").status_code == 303
        return call

    return event


def length(call: Call) -> int:
    return int(call("GET", "/v1/tournaments/<t>").headers["ETag"].strip('"'))


def offered(person: Any) -> str:
    """Where the table leads who may part those who share its first place."""
    page = person.sees("/t/<t>/standings").text
    return unescape(re.findall(r'class="next-round">[^<]*<a href="([^"]*)"', page)[0])


def test_who_share_the_first_place_are_offered_by_name_and_play_it_off(shares: Shares, comes: Comes, t: str):
    call, chief = shares(), comes("chief_arbiter")
    path = offered(chief)
    assert path.startswith(f"/t/{t}/play-offs?equals=")
    page = chief.sees(path).text
    fields = editor(page)
    assert len(rows(fields)) == 3 and {n for row in rows(fields) for n in row} == {"1", "2", "3", "4", "5", "6"}
    assert "Player 1" in page.partition('id="broken"')[2]
    one, said = does(chief, path, fields, "remove 3")
    one, said = does(chief, path, one, "remove 2")
    assert "be seated once" not in said
    answer = chief.sends(path, one | {"do": "publish", "reason": "one cup"})
    assert answer.status_code == 303, broken(answer.text)
    assert answer.headers["Location"] == f"/t/{t}/rounds/2?after={length(call)}"
    assert call("GET", "/v1/tournaments/<t>/rounds/2").json["stage"] == "play_off"


def shared_below(person: Any) -> list[str]:
    """The shared places that the table leads on to part, beside those that are not to be shared."""
    page = person.sees("/t/<t>/standings").text.partition('class="partings"')[2].partition("</details>")[0]
    return re.findall(r"<li>(Place \d+, shared by \d+): <a href=[^>]*>([^<]*)", page)


@pytest.mark.parametrize(
    ("announced", "offered"),
    [
        ({"regulations": "xiangqi-1999"}, [("Place 2, shared by 4", "Pair a play-off")]),
        ({"regulations": "campus", "tiebreaks": ["WON", "LOT"]}, [("Place 2, shared by 4", "Draw lots")]),
        ({"regulations": "campus", "tiebreaks": ["WON"]}, []),
    ],
)
def test_every_shared_place_is_offered_to_be_parted_where_the_table_counts_what_parts_it(
    app: Flask, data: Path, t: str, comes: Comes, announced: dict[str, Any], offered: list[tuple[str, str]]
):
    call = hall(app, data, t, rounds=1, **announced)
    results = [{"board": n, "result": r} for n, r in enumerate(("1-0", "1/2-1/2", "1/2-1/2"), 1)]
    assert shared_below(comes("chief_arbiter")) == [], "the round is played"
    assert call("POST", "/v1/tournaments/<t>/results", {"round": 1, "results": results}).status_code == 201
    assert shared_below(comes("chief_arbiter")) == offered
    assert "next-round" not in comes("chief_arbiter").sees("/t/<t>/standings").text, "the first is one player's"
    assert shared_below(comes()) == [], "who may not is not led there"


@pytest.mark.parametrize(
    ("typed", "status", "said"),
    [
        ({"w1": "1", "b1": "1"}, 409, "must be present and be seated once"),
        ({"w1": "99"}, 422, "number 99 does not belong to a player or team of this tournament"),
        ({"reason": ""}, 422, "a play-off requires a reason"),
        ({"bye": "1", "colour": "white"}, 422, "colour: Unknown field"),
    ],
)
def test_what_is_no_play_off_is_shown_again(
    shares: Shares, comes: Comes, typed: dict[str, str], status: int, said: str
):
    call, chief = shares(), comes("chief_arbiter")
    path, before = offered(chief), length(call)
    fields, _ = does(chief, path, editor(chief.sees(path).text) | typed, "check")
    answer = chief.sends(path, fields | {"do": "publish", "reason": "one cup"} | typed)
    assert answer.status_code == status and said in unescape(answer.text)
    assert rows(editor(answer.text)) == rows(fields)
    assert length(call) == before


def test_while_rounds_are_left_there_is_no_play_off(call: Call, comes: Comes):
    chief = comes("chief_arbiter")
    page = chief.sees(PLAY_OFFS)
    assert (
        page.status_code == 200
        and "all rounds of the tournament must be paired first; 1 of 5 have been" in page.text
        and 'id="hand"' not in page.text
    )
    assert "next-round" not in chief.sees("/t/<t>/standings").text


@pytest.mark.parametrize(("role", "status"), [(None, 401), ("player", 403), ("arbiter", 403)])
def test_who_may_not_pair_pairs_no_play_off(shares: Shares, comes: Comes, role: Role | None, status: int):
    call, chief = shares(), comes("chief_arbiter")
    path, before = offered(chief), length(call)
    fields = editor(chief.sees(path).text) | {"do": "publish", "reason": "one cup"}
    person = comes(role, "1" if role == "player" else None)
    assert person.sends(path, fields).status_code == status
    assert "next-round" not in person.sees("/t/<t>/standings").text, "who may not is not led there"
    assert length(call) == before


def test_lots_part_those_who_share_a_place_and_are_shown_by_name(shares: Shares, comes: Comes, t: str):
    call, chief = shares(changes={"ranking.parted_by": "lot"}, tiebreaks=["WON"]), comes("chief_arbiter")
    path = offered(chief)
    assert path.startswith(f"/t/{t}/lots?equals=")
    page = chief.sees(path).text
    typed = unescape(page.partition('name="equals"')[2].partition(">")[2].partition("</textarea>")[0])
    assert sorted(typed.split()) == ["1", "2", "3", "4", "5", "6"]
    fields = dict(re.findall(r'name="(seq|once)" value="([^"]*)"', page.partition('id="equals"')[2]))
    answer = chief.sends(path, fields | {"equals": typed})
    assert answer.headers["Location"] == f"/t/{t}/lots?after={length(call)}"
    drawn = chief.sees(answer.headers["Location"]).text.partition('id="drawn"')[2].partition("</ul>")[0]
    assert drawn.count("Player") == 6
    assert chief.sends(path, fields | {"equals": typed}).status_code == 303, "sent twice, they are drawn once"
    assert length(call) == int(answer.headers["Location"].partition("after=")[2])


def test_lots_are_drawn_if_the_announced_tie_breaks_end_with_them(app: Flask, data: Path, t: str, comes: Comes):
    call = hall(app, data, t, rounds=1, regulations="campus", tiebreaks=["WON", "LOT"])
    results = [{"board": n, "result": "1/2-1/2"} for n in (1, 2, 3)]
    assert call("POST", "/v1/tournaments/<t>/results", {"round": 1, "results": results}).status_code == 201
    answer = comes("chief_arbiter").fills(LOTS, equals="1\n2\n3\n4\n5\n6")
    assert answer.status_code == 303, answer.text
    ranks = [row["rank"] for row in call("GET", "/v1/tournaments/<t>/standings").json["players"]]
    assert ranks == [1, 2, 3, 4, 5, 6]


def test_a_play_off_is_published_though_others_were_ruled_on_and_not_once_one_of_its_own_was(
    shares: Shares, comes: Comes, t: str
):
    call, chief = shares(), comes("chief_arbiter")
    path = f"{PLAY_OFFS}?equals=1,2"
    fields = editor(chief.sees(path).text) | {"do": "publish", "reason": "one cup"}
    foul(call, 3)
    assert chief.sends(path, fields | {"once": "other"}).status_code == 303, "a line about another player"
    seen = call("GET", "/v1/tournaments/<t>").headers["ETag"]
    taken = call("POST", "/v1/tournaments/<t>/rounds/2/withdrawal", {"reason": "one more plays"}, If_Match=seen)
    assert taken.status_code == 201, taken.json
    answer = chief.sends(path, fields | {"once": "later"})
    assert answer.status_code == 409 and "a pairing withdrawn" in unescape(answer.text)
    fields = editor(chief.sees(path).text) | {"do": "publish", "reason": "one cup"}
    foul(call, 2)
    answer = chief.sends(path, fields)
    assert answer.status_code == 409 and "a ruling" in unescape(answer.text)
    assert chief.sends(path, editor(answer.text) | {"do": "publish", "reason": "one cup"}).status_code == 303


def test_lots_are_drawn_though_others_were_ruled_on_and_not_once_they_were_drawn_by_another(
    shares: Shares, comes: Comes, t: str
):
    call, chief = shares(changes={"ranking.parted_by": "lot"}, tiebreaks=["WON"]), comes("chief_arbiter")
    first, second = chief.opens(LOTS), comes("chief_arbiter").opens(LOTS)
    foul(call, 3)
    assert chief.sends(LOTS, first | {"equals": "1\n2"}).status_code == 303, "a line about another player"
    answer = chief.sends(LOTS, second | {"equals": "2\n5"})
    assert answer.status_code == 409 and "a lot drawn" in unescape(answer.text)
    assert chief.sends(LOTS, second | {"once": "x", "equals": "5\n6"}).status_code == 303, "lots of others"


def foul(call: Call, player: int) -> None:
    """A foul of a player in the first round."""
    body = {"player": player, "round": 1, "infraction": "foul"}
    assert call("POST", "/v1/tournaments/<t>/rulings", body, "arbiter").status_code == 201


@pytest.mark.parametrize(
    ("typed", "status", "said"),
    [
        ({"equals": "1\n99"}, 422, "number 99 does not belong to a player or team of this tournament"),
        ({"equals": "1\n1"}, 422, "each listed once"),
        ({"equals": "1"}, 422, "each listed once"),
        ({"equals": "Zhao"}, 422, "Zhao is not the name of a player or team of this tournament"),
        ({}, 422, "give either match or equals"),
        ({"equals": "1\n2", "match": "1"}, 422, "give either match or equals"),
        ({"match": "x"}, 422, "Match: "),
        ({"match": "7"}, 409, "a match may end drawn"),
    ],
)
def test_what_lots_cannot_part_is_said(shares: Shares, comes: Comes, typed: dict[str, str], status: int, said: str):
    call, chief = shares(changes={"ranking.parted_by": "lot"}, tiebreaks=["WON"]), comes("chief_arbiter")
    before = length(call)
    answer = chief.fills(LOTS, **typed)
    assert answer.status_code == status and said in unescape(answer.text)
    assert length(call) == before


def test_a_match_that_stayed_drawn_is_decided_by_a_button(app: Flask, data: Path, t: str, comes: Comes):
    call, chief = (
        entered(app, data, t, 2, format="knockout", rounds=1, regulations="xiangqi-1999"),
        comes("chief_arbiter"),
    )
    seen = call("GET", "/v1/tournaments/<t>").headers["ETag"]
    assert call("POST", "/v1/tournaments/<t>/rounds", {}, If_Match=seen).status_code == 201
    assert "No match is decided by lot." in chief.sees(LOTS).text
    assert comes().fills("/t/<t>/rounds/1/boards/1/result", result="1/2-1/2").status_code == 303
    page = chief.sees(LOTS).text
    assert "Player 1" in page and 'name="match" value="1"' in page
    assert chief.fills(LOTS, match="1").status_code == 303
    assert "No match is decided by lot." in chief.sees(LOTS).text


@pytest.mark.parametrize("path", [PLAY_OFFS, LOTS])
def test_an_unknown_tournament_is_a_page(app: Flask, comes: Comes, path: str):
    answer = comes().sees(path.replace("<t>", "nowhere"))
    assert (answer.status_code, answer.mimetype) == (404, "text/html")
