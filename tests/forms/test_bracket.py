"""The bracket of a knock-out, on its page and on paper: byes, matches of two games, places, and annulled results."""

import re
from pathlib import Path

import pytest
from flask import Flask

from tests.forms.conftest import Comes
from tests.forms.test_round_counts import play, words
from tests.http.calls import Call
from tests.http.forms import entered

TWO_GAMES = {"format": "knockout", "rounds": None, "conditions": {"games": 2, "extra": 1, "places": True}}
LOST = {"kind": "set_marks", "white": {"points": 0}, "black": {"points": 1}}


def matches(comes: Comes, path: str = "/t/<t>/bracket") -> dict[int, str]:
    """Return each match of the bracket as it is read, by its number."""
    page = comes(None).sees(path)
    assert page.status_code == 200, page.text
    boxes = re.findall(r'<li id="match-(\d+)">(.*?)</li>', page.text, re.S)
    texts = {int(n): re.sub(r"<[^>]+>|[\u2066-\u2069]", " ", box) for n, box in boxes}
    return {n: re.sub(r"\s+", " ", text).strip() for n, text in texts.items()}


@pytest.fixture
def six(app: Flask, data: Path, t: str) -> Call:
    """Return a call on a xiangqi knock-out of six, with matches of two games for all places."""
    call = entered(app, data, t, 6, **TWO_GAMES)
    correction = {"club": "北京队", "reason": "x"}
    assert call("POST", "/v1/tournaments/<t>/entries/1/correction", correction).status_code == 201
    return call


def test_bracket_shows_byes_games_sums_places_and_the_sides_that_go_on(six: Call, t: str, comes: Comes):
    assert "No bracket has been paired yet." in words(comes, "/t/<t>/bracket", role=None)
    assert comes(None).sees("/t/<t>/papers/bracket").status_code == 404
    paired = six("POST", f"/v1/tournaments/{t}/rounds", {}, If_Match=six("GET", f"/v1/tournaments/{t}").headers["ETag"])
    assert paired.status_code == 201, paired.text
    first = matches(comes)
    assert first[1] == "1 Player 1 北京队 goes on Match 1 · bye"
    assert first[2].startswith("4 Player 4 * 5 Player 5 *") and first[2].endswith("in progress")
    assert first[5] == "Player 1 北京队 winner of match 2 Match 5"
    assert first[9] == "winner of match 5 winner of match 6 Match 9"
    assert "loser" not in first[6] and "preliminary" in words(comes, "/t/<t>/bracket")

    # when the higher seed wins the first game of each match and draws the second
    boards = {b["board"]: b for b in paired.json["boards"]}
    wins = [{"board": n, "result": "1-0" if b["white"] < b["black"] else "0-1"} for n, b in boards.items()]
    assert six("POST", f"/v1/tournaments/{t}/results", {"round": 1, "results": wins}).status_code == 201
    play(six, t, "1/2-1/2")
    shown = matches(comes)
    assert shown[2] == "4 Player 4 goes on 1 ½ 1.5 5 Player 5 0 ½ 0.5 Match 2"
    assert shown[5] == "Player 1 北京队 Player 4 Match 5"

    # then the sheet of paper has the same matches
    assert matches(comes, "/t/<t>/papers/bracket") == shown


def test_bracket_follows_an_annulled_result_until_the_next_match_is_paired(six: Call, t: str, comes: Comes):
    play(six, t, "1-0")
    play(six, t, "1/2-1/2")
    loser = next(n for n in (4, 5) if f"Player {n} goes on" not in matches(comes)[2])
    winner = 9 - loser
    game = next(
        g for g in six("GET", f"/v1/tournaments/{t}/rounds/1").json["boards"] if winner in (g["white"], g["black"])
    )
    lost = LOST if game["white"] == winner else {"kind": "set_marks", "white": {"points": 1}, "black": {"points": 0}}
    ruling = {"player": winner, "round": 1, "infraction": "grave_misconduct", "effect": lost}
    assert six("POST", f"/v1/tournaments/{t}/rulings", ruling).status_code == 201
    assert f"Player {loser} goes on" in matches(comes)[2]
    assert f"Player {loser} Match 5" in matches(comes)[5] or f"Player {loser} " in matches(comes)[5]

    # when the ruling is retracted after the next round was paired, the seated side still goes on
    play(six, t, "1-0")
    answer = six("POST", f"/v1/tournaments/{t}/rulings/r1/annulment", {"reason": "the film"}, "appeals")
    assert answer.status_code == 201, answer.text
    assert f"Player {loser} goes on" in matches(comes)[2]


def test_places_below_the_final_have_a_tree_of_their_own(six: Call, t: str, comes: Comes):
    for n in range(6):
        play(six, t, "1/2-1/2" if n % 2 else "1-0")
    page = words(comes, "/t/<t>/bracket")
    assert "Places 3 and 4" in page and "Places 5 and 6" in page and "Places 7 and 8" not in page
    final, third = matches(comes)[9], matches(comes)[10]
    assert (final.count("winner"), third.count("winner")) == (1, 1)
    assert len(set(re.findall(r"Player \d", final + third))) == 4


def test_bracket_of_another_format_is_not_offered(app: Flask, data: Path, t: str, comes: Comes):
    entered(app, data, t, 4)
    assert "/bracket" not in comes(None).sees("/t/<t>").text
    assert "No bracket has been paired yet." in words(comes, "/t/<t>/bracket", role=None)
