"""Neither side of a match comes 双方弃权: both are out, or the lots decide (002-X 21.3; 000-A 8.3; 000-B 9), over HTTP."""

from typing import Any

from tests.rows.marks import plays
from tests.stories.conftest import Story, T
from tests.stories.test_formats import pairs, played, smaller
from tests.stories.test_stages import announced

HALLS = ("embedded",)
"""Pairing alone decides here; brackets are played over the log that lags in `test_formats`."""

ABSENT = "-/-"


def unless(*absent: tuple[int, int]) -> Any:
    """The smaller number wins, but where these should meet neither comes."""
    return lambda board: ABSENT if {board["white"], board["black"]} in map(set, absent) else smaller(board)


def knockout(story: Story, reading: str, players: int = 4, format: str = "knockout", **more: Any) -> None:
    book = {"game": "xiangqi", "regulations": "xiangqi-1999", "changes": {"pairing.both_absent": reading}}
    announced(story, players, {"format": format, **more.pop("stage", {})}, **book, **more)


@plays("pairing.both_absent", "both_out")
def test_both_are_out_and_whom_they_would_have_met_goes_on_without_a_game(story: Story) -> None:
    """Eight: 1 and 8 do not come, so that 4 is in the semi-final's place of both and plays the final."""
    knockout(story, "both_out", 8)
    played(story, unless((1, 8)))
    semi = played(story)
    assert pairs(semi) == [(2, 3)]
    assert [(s["player"], s["kind"]) for s in semi["byes"]] == [(4, "U")]
    assert pairs(played(story)) == [(2, 4)]
    assert story.refused(f"{T}/rounds", {}) == (409, "no-round-left")

    # then who did not come shares the place of those who lost then
    ranks = {p["id"]: p["rank"] for p in story.get(f"{T}/standings")["players"]}
    assert ranks == {2: 1, 4: 2, 3: 3, 1: 4, 5: 4, 6: 4, 7: 4, 8: 4}


@plays("pairing.both_absent", "lots")
def test_lots_decide_where_neither_came(story: Story) -> None:
    knockout(story, "lots", 8)
    first = played(story, unless((1, 8)))
    assert story.refused(f"{T}/rounds", {}) == (409, "match-drawn")
    (match,) = [m["match"] for m in first["matches"] if {m["first"], m["second"]} == {1, 8}]
    winner = story.tell(f"{T}/lots", {"match": match})["winner"]
    assert pairs(played(story)) == sorted([(2, 3), tuple(sorted((4, winner)))])


@plays("pairing.both_absent", "both_out")
def test_a_final_that_nobody_comes_to_has_no_winner(story: Story) -> None:
    knockout(story, "both_out")
    played(story)
    played(story, unless((1, 2)))
    assert story.refused(f"{T}/rounds", {}) == (409, "no-round-left")
    assert {p["id"]: p["rank"] for p in story.get(f"{T}/standings")["players"]} == {1: 2, 2: 2, 3: 3, 4: 3}


@plays("pairing.both_absent", "both_out")
def test_in_a_double_knock_out_neither_comes_to_the_second_bracket(story: Story) -> None:
    knockout(story, "both_out", format="double_knockout")
    played(story, unless((1, 4)))
    # 3 lost, and nobody comes down to meet it: 2 waits for it in the final
    assert pairs(played(story)) == [(2, 3)]
    assert story.refused(f"{T}/rounds", {}) == (409, "no-round-left")
    assert [p["id"] for p in story.get(f"{T}/standings")["players"]][:2] == [2, 3]
    assert {p["rank"] for p in story.get(f"{T}/standings")["players"][2:]} == {3}


@plays("pairing.both_absent", "lots")
def test_in_a_double_knock_out_the_lots_say_who_goes_down(story: Story) -> None:
    knockout(story, "lots", format="double_knockout")
    first = played(story, unless((1, 4)))
    (match,) = [m["match"] for m in first["matches"] if {m["first"], m["second"]} == {1, 4}]
    winner = story.tell(f"{T}/lots", {"match": match})["winner"]
    assert pairs(played(story)) == sorted([tuple(sorted((winner, 2))), tuple(sorted((5 - winner, 3)))])


@plays("pairing.both_absent", "both_out")
def test_who_leads_a_match_that_both_give_up_has_won_it(story: Story) -> None:
    """Best of three: 1 has won a game of 4, then neither comes; 2 and 3 do not come at all."""
    knockout(story, "both_out", stage={"games": 3, "best": True})
    played(story, unless((2, 3)))
    second = played(story, unless((1, 4)))
    assert pairs(second) == [(1, 4)]
    assert story.refused(f"{T}/rounds", {}) == (409, "no-round-left")
    assert story.get(f"{T}/standings")["players"][0]["id"] == 1


@plays("pairing.both_absent", "lots")
def test_by_lots_a_match_goes_on_after_a_game_that_nobody_came_to(story: Story) -> None:
    knockout(story, "lots", 2, stage={"games": 3, "best": True, "extra": 2})
    assert [m["leg"] for r in [played(story, unless((1, 2))) for _ in range(3)] for m in r["matches"]] == [1, 2, 3]
    # who did not come to the last game has no extra one either
    assert story.refused(f"{T}/rounds", {}) == (409, "match-drawn")


@plays("pairing.both_absent", "both_out")
def test_two_teams_of_which_nobody_came_are_both_out(story: Story) -> None:
    knockout(story, "both_out", conditions={"team": {"kind": "fixed", "boards": 2}}, players=8)
    teams = [{"id": n, "name": f"队 {n}", "members": [2 * n - 1, 2 * n]} for n in range(1, 5)]
    story.tell(f"{T}/teams", {"teams": teams})
    first = played(story, unless((1, 7), (2, 8)))
    assert sorted({m["first"], m["second"]} for m in first["matches"]) is not None
    assert story.refused(f"{T}/rounds", {}) == (409, "no-round-left")
    ranks = {row["id"]: row["rank"] for row in story.get(f"{T}/standings/teams")["teams"]}
    assert ranks == {2: 1, 1: 2, 3: 2, 4: 2}


@plays("pairing.both_absent", "both_out")
def test_a_board_that_nobody_sat_at_does_not_put_a_team_out(story: Story) -> None:
    """One board of two is given up by both, on the other a game is drawn: the match goes on to the lots."""
    knockout(story, "both_out", conditions={"team": {"kind": "fixed", "boards": 2}}, players=4)
    teams = [{"id": n, "name": f"队 {n}", "members": [2 * n - 1, 2 * n]} for n in range(1, 3)]
    story.tell(f"{T}/teams", {"teams": teams})
    played(story, lambda b: ABSENT if b["board"] == 1 else "1/2-1/2")
    assert story.refused(f"{T}/rounds", {}) == (409, "match-drawn")


@plays("pairing.drawn_match", "extra")
def test_extra_games_are_played_until_one_decides(story: Story) -> None:
    """000-B 4: 继续加赛一局直到决出胜负."""
    changes = {"pairing.drawn_match": "extra"}
    announced(story, 2, {"format": "match", "games": 3, "best": True}, changes=changes)
    rounds = [played(story, lambda b: "1/2-1/2") for _ in range(6)]
    assert rounds[-1]["matches"][0]["leg"] == 6
    assert story.refused(f"{T}/lots", {"match": 1}) == (409, "match-unfinished")
    played(story)
    assert story.refused(f"{T}/rounds", {}) == (409, "no-round-left")


@plays("pairing.drawn_match", "lots", "announced")
def test_lots_follow_at_once_or_after_the_extra_games_that_were_announced(story: Story) -> None:
    """000-B 9; 000-E 6: 加赛一局或以抽签方式分出胜负."""
    stage = {"format": "match", "extra": 1}
    announced(story, 2, stage, changes={"pairing.drawn_match": "lots"})
    played(story, lambda b: "1/2-1/2")
    assert story.refused(f"{T}/rounds", {}) == (409, "match-drawn")

    # when the office goes back to the extra game
    book = {"regulations": "gomoku-campus", "reason": "there is time"}
    story.tell(f"{T}/regulations", book | {"changes": {"pairing.drawn_match": "announced"}}, "organiser")
    assert played(story, lambda b: "1/2-1/2")["matches"][0]["leg"] == 2
    assert story.refused(f"{T}/rounds", {}) == (409, "match-drawn")
    assert story.tell(f"{T}/lots", {"match": 1})["winner"] in (1, 2)
