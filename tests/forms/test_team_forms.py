"""Forms of teams: pasted as cells, line-ups by board, a team that leaves."""

from html import unescape
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from services.standings.previews.changed_rows import ChangedRow
from services.standings.rules.answers import TeamRowAnswer
from shared.core.language.messages import say
from tests.forms.conftest import Comes
from tests.forms.test_pairing_by_hand import does, rows, started
from tests.http.calls import Call
from tests.http.forms import entered

NEW, LINEUPS = "/t/<t>/teams/new", "/t/<t>/lineups"
PASTED = "红队\t1\t2\tPlayer 3\n黑队\t4\tPlayer 5\t6\n"
TWO = ("红队\t1\t2", "黑队\t3\t4", "白队\t5\t6", "蓝队\t7\t8")


@pytest.fixture
def event(app: Flask, data: Path, t: str) -> Call:
    """Six players, and teams of two with a substitute to come."""
    team = {"kind": "lineup", "boards": 2, "substitutes": 1}
    return entered(app, data, t, 6, rounds=1, conditions={"team": team}, regulations="xiangqi-1999")


def length(call: Call) -> int:
    return int(call("GET", "/v1/tournaments/<t>").headers["ETag"].strip('"'))


def paired(call: Call) -> Any:
    seen = call("GET", "/v1/tournaments/<t>").headers["ETag"]
    answer = call("POST", "/v1/tournaments/<t>/rounds", {}, If_Match=seen)
    assert answer.status_code == 201, answer.json
    return answer.json["boards"]


def test_teams_are_pasted_as_cells_by_numbers_and_names(event: Call, comes: Comes, t: str):
    chief = comes("chief_arbiter")
    assert chief.sees(NEW).text.partition('id="free"')[2].count("<li>") == 6
    answer = chief.fills(NEW, teams=PASTED)
    assert answer.headers["Location"] == f"/t/{t}/teams?after={length(event)}"
    page = chief.sees("/t/<t>/teams").text
    assert "红队" in page and f"/t/{t}/lineups" in page
    assert 'id="free"' not in chief.sees(NEW).text


def test_teams_are_entered_though_others_were_and_not_once_a_member_was(event: Call, comes: Comes):
    chief = comes("chief_arbiter")
    first, second, third = (chief.opens(NEW) for _ in range(3))
    assert chief.sends(NEW, first | {"teams": "红队\t1\t2"}).status_code == 303
    assert chief.sends(NEW, second | {"teams": "黑队\t3\t4"}).status_code == 303, "a team of others"
    answer = chief.sends(NEW, third | {"teams": "白队\t2\t5"})
    assert answer.status_code == 409 and "a team entered" in unescape(answer.text) and "白队" in answer.text
    assert "白队" not in chief.sees("/t/<t>/teams").text


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("红队\t1\t99", "line 1: number 99 does not belong to a player or team of this tournament"),
        ("红队\t1\t2\n黑队\tZhao\t4", "line 2: Zhao is not the name of a player or team of this tournament"),
        ("\t1\t2\t3", "line 1: a team must have a name"),
        ("红队\t1\t1", "a player is listed twice"),
        ("红队\t1\t2\n黑队\t2\t3", "is already a member of team"),
        ("红队\t1", "but must have 2 to 3"),
        ("红队", "but must have 2 to 3"),
        ("红队" * 101 + "\t1\t2", "line 1: a team must have a name of at most 200"),
    ],
)
def test_a_wrong_cell_is_named_by_its_line_and_nothing_is_entered(event: Call, comes: Comes, typed: str, said: str):
    before = length(event)
    answer = comes("chief_arbiter").fills(NEW, teams=typed)
    assert answer.status_code in (409, 422) and said in unescape(answer.text)
    assert typed in unescape(answer.text), "what was pasted is still there"
    assert length(event) == before


def test_an_event_of_players_enters_no_teams(app: Flask, data: Path, t: str, comes: Comes):
    entered(app, data, t, 4)
    chief = comes("chief_arbiter")
    assert "tournament without teams" in chief.sees(NEW).text and "<textarea" not in chief.sees(NEW).text
    assert "fixed boards, or none" in chief.sees(LINEUPS).text
    assert chief.fills(NEW, teams="a\t1\t2").status_code == 409


def test_a_line_up_is_handed_in_by_board_and_seated(event: Call, comes: Comes, t: str):
    chief = comes("chief_arbiter")
    chief.fills(NEW, teams=PASTED)
    assert chief.sees(LINEUPS).text.count("not handed in") == 2
    path = f"{LINEUPS}?round=1&team=1"
    answer = chief.fills(path, team="1", round="1", p1="3", p2="1")
    assert answer.headers["Location"] == f"/t/{t}/lineups?round=1&after={length(event)}"
    assert chief.sees(LINEUPS).text.count("not handed in") == 1
    assert {3, 1} <= {p for b in paired(event) for p in (b["white"], b["black"])}


@pytest.mark.parametrize(
    ("typed", "status", "said"),
    [
        (
            {"team": "1", "round": "1", "p1": "4", "p2": "1"},
            409,
            "these players must be members of team 1, but are not: 4",
        ),
        ({"team": "1", "round": "1", "p1": "1", "p2": "1"}, 422, "on two boards: 1"),
        ({"team": "1", "round": "1"}, 422, "Players: "),
        ({"team": "1", "round": "1", "p1": "x"}, 422, "Players: "),
        ({"team": "1", "round": "9", "p1": "1"}, 422, "the tournament has only 1 rounds"),
        ({"team": "9", "round": "1", "p1": "1"}, 404, "team 9 does not exist"),
        ({"team": "1", "round": "1", "p1": "1", "p9999": "1"}, 422, "p9999: Unknown field"),
    ],
)
def test_who_cannot_play_there_is_said(event: Call, comes: Comes, typed: dict[str, str], status: int, said: str):
    chief = comes("chief_arbiter")
    chief.fills(NEW, teams=PASTED)
    before = length(event)
    answer = chief.fills(f"{LINEUPS}?round=1&team=1", **typed)
    assert answer.status_code == status and said in unescape(answer.text)
    assert length(event) == before


def test_a_team_leaves_with_all_who_are_there(event: Call, comes: Comes, t: str):
    chief, path = comes("chief_arbiter"), "/t/<t>/teams/2/withdrawal"
    chief.fills(NEW, teams=PASTED)
    assert f"/t/{t}/teams/2/withdrawal" in chief.sees("/t/<t>/teams/2").text
    assert "Player 5" in chief.sees(path).text
    assert comes("arbiter").fills(path, reason="bus").status_code == 403
    assert chief.fills(path).status_code == 422, "a reason is asked for"
    assert chief.fills(path, reason="the bus is late").status_code == 303
    assert "all members of the team have withdrawn" in chief.sees(path).text
    assert chief.fills(path, reason="the bus is late").status_code in (409, 422)
    assert chief.sees("/t/<t>/teams/9/withdrawal").status_code == 404


def test_teams_are_paired_by_hand_as_sides(app: Flask, data: Path, t: str, comes: Comes):
    team = {"kind": "lineup", "boards": 2}
    call, chief = (
        entered(app, data, t, 8, conditions={"team": team}, regulations="xiangqi-1999"),
        comes("chief_arbiter"),
    )
    assert chief.fills(NEW, teams="\n".join(TWO)).status_code == 303
    path = "/t/<t>/rounds/1/pairing"
    fields = started(chief, path)
    assert len(rows(fields)) == 2, "a row a match"
    fields, said = does(chief, path, fields | {"w1": "1", "b1": "2", "w2": "白队", "b2": "4"}, "check")
    assert "No rule is broken." in said
    assert chief.sends(path, fields | {"do": "publish", "reason": "drawn in the hall"}).status_code == 303
    matches = call("GET", "/v1/tournaments/<t>/rounds/1").json["matches"]
    assert [(m["first"], m["second"]) for m in matches] == [(1, 2), (3, 4)]


def test_a_preview_shows_what_it_brings_to_the_table_of_teams(event: Call, comes: Comes, t: str):
    chief, arbiter = comes("chief_arbiter"), comes()
    chief.fills(NEW, teams=PASTED)
    first = paired(event)[0]
    for _ in range(2):
        foul = {"player": first["white"], "round": 1, "infraction": "foul"}
        assert event("POST", "/v1/tournaments/<t>/rulings", foul).status_code == 201
    path = "/t/<t>/rounds/1/boards/1/ruling"
    fields = arbiter.opens(f"{path}?infraction=foul") | {"player": str(first["white"]), "infraction": "foul"}
    answer = arbiter.sends(path, fields)
    assert answer.status_code == 307, unescape(answer.text)
    preview = arbiter.sends(answer.headers["Location"], fields).text
    changed = preview.partition('id="team-changes"')[2].partition("</table>")[0]
    assert "红队" in changed and "黑队" in changed and "0 → 1" in changed
    assert 'id="teams-moved"' not in preview, "both teams are concerned"


def test_team_that_only_moves_is_folded_in_a_preview():
    def row(rank: int, points: float, fouls: int) -> TeamRowAnswer:
        return TeamRowAnswer(
            id=1, rank=rank, name="红队", points=points, game_points=1, members=[], tb={"FOULS": fouls}
        )

    def folded(was: TeamRowAnswer, now: TeamRowAnswer) -> bool:
        tiebreaks = [("FOULS", say("Fouls"))] if was.tb != now.tb else []
        return not ChangedRow(1, "红队", was, now, tiebreaks, own=bool(tiebreaks)).concerned

    assert folded(row(1, 2, 0), row(2, 2, 0))
    assert not folded(row(1, 2, 0), row(2, 2, 1))
    assert not folded(row(2, 0, 0), row(1, 2, 0))


def test_publication_form_shows_and_publishes_the_teams(event: Call, comes: Comes):
    chief = comes("chief_arbiter")
    assert chief.fills(NEW, teams="红队\t1\t2\n黑队\t3\t4").status_code == 303
    paired(event)
    page = unescape(chief.sees("/t/<t>/publication").text)
    assert "After round 1: 2 teams." in page and "红队" in page and "Player 1" not in page
    assert chief.fills("/t/<t>/publication", final="no").status_code == 303
    (one,) = event("GET", "/v1/tournaments/<t>/publications").json["publications"]
    assert (one["table"], one["tiebreaks"][:2]) == ("teams", ["BH", "GPTS"])
