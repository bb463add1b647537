"""A shared first place is told before the table is final, and played off (002-X 15.6)."""

from typing import Any

from tests.rows.marks import plays
from tests.stories.conftest import Story, T, in_one_process
from tests.stories.readings import WARNED, announced, played, ranks


def refusal(story: Story) -> Any:
    """Why the table cannot be final yet."""
    story.near("POST", f"{T}/publications")
    answer = story.ask("POST", f"{T}/publications", {"final": True}, "chief_arbiter", If_Match=f'"{story.seq}"')
    assert (answer.status_code, answer.json["type"]) == (409, "urn:arbiter:problem:place-shared")
    return answer.json


def played_off(story: Story, *boards: list[int]) -> None:
    story.tell(f"{T}/play-offs", {"boards": list(boards), "reason": "the first place is not shared"})


@plays("ranking.unshared", 0, 1)
def test_what_is_still_equal_shares_the_first_place_or_is_played_off(story: Story) -> None:
    # 000-A names no play-off, and an organiser may ask for one (002-X 15.6)
    announced(story, "campus", {}, rounds=1)
    played(story, "1-2 1/2-1/2", "3-4 1/2-1/2")
    assert set(ranks(story).values()) == {1}
    body = {"regulations": "campus", "changes": {"ranking.unshared": 1}, "reason": "one cup"}
    story.tell(f"{T}/regulations", body, "organiser")
    assert story.get(T)["tiebreaks"] == ["BH", "PS", "DE/A", "WIN", "PO"]
    assert story.refused(f"{T}/publications", {"final": True}) == (409, "place-shared")
    played_off(story, [1, 2], [3, 4])
    story.report("1-0", "1/2-1/2", round=2)
    assert ranks(story) == {1: 1, 3: 2, 4: 2, 2: 4}
    story.tell(f"{T}/publications", {"final": True})


def test_who_shares_the_first_place_is_told_before_the_table_is_final(story: Story) -> None:
    announced(story, "xiangqi-1999", {}, rounds=1)
    played(story, "1-2 1/2-1/2", "3-4 1/2-1/2")
    shared = {"seq": story.seq, "rank": 1, "players": [1, 2, 3, 4]}
    assert story.integrity()["shared"] == [shared]
    problem = refusal(story)
    assert (
        problem["detail"]
        == "players 1, 2, 3, 4 share place 1: it must be decided by a play-off before the table can be final"
    )
    assert (problem["article"], problem["see"]) == ("002-X 15.6", f"{T}/play-offs")
    # a table that is not final says what there is
    story.tell(f"{T}/publications", {"final": False})
    # and whoever is drawn again plays on
    played_off(story, [1, 2], [3, 4])
    story.report("1/2-1/2", "1/2-1/2", round=2)
    assert story.refused(f"{T}/publications", {"final": True}) == (409, "place-shared")
    played_off(story, [3, 1])
    story.report("1-0", round=3)
    story.tell(f"{T}/publications", {"final": True})
    assert "shared" not in story.integrity()


@plays("ranking.parted_by", "lot")
@in_one_process
def test_lots_part_who_shares_the_first_place_where_the_announcement_says_so(story: Story) -> None:
    # 002-X 15.6: 或在赛前补充细则中作出明确规定
    announced(story, "xiangqi-1999", {"ranking.parted_by": "lot"}, rounds=1, tiebreaks=["WON"])
    lots = {"equals": [1, 2, 3, 4]}
    assert story.refused(f"{T}/lots", lots) == (409, "rounds-left")
    played(story, "1-2 1/2-1/2", "3-4 1/2-1/2")
    shared = {"seq": story.seq, "rank": 1, "players": [1, 2, 3, 4]}
    assert story.integrity()["shared"] == [shared]
    problem = refusal(story)
    assert (
        problem["detail"]
        == "players 1, 2, 3, 4 share place 1: it must be decided by a lot before the table can be final"
    )
    assert problem["see"] == f"{T}/lots"
    for equals in ([1], [1, 1], [1, 9]):
        status, code = story.refused(f"{T}/lots", {"equals": equals})
        assert (status, code) == (422, "bad-fields" if len(equals) == 1 else "not-equals")
    for body in ({}, {"match": 1, "equals": [1, 2]}):
        assert story.refused(f"{T}/lots", body) == (422, "bad-fields")
    drawn = story.tell(f"{T}/lots", lots)
    assert (drawn["match"], drawn["winner"], sorted(drawn["order"])) == (None, drawn["order"][0], [1, 2, 3, 4])
    table = story.get(f"{T}/standings")
    assert (table["tiebreaks"][-1], [row["id"] for row in table["players"]]) == ("LOT", drawn["order"])
    assert [row["rank"] for row in table["players"]] == [1, 2, 3, 4]
    explained = {row["name"]: row for row in story.get(f"{T}/standings/{drawn['winner']}")["tiebreaks"]}["LOT"]
    assert (explained["value"], explained["events"]) == (1, [story.seq])
    assert "Lots decide a shared place" in story.get("/t/T/log")
    story.tell(f"{T}/publications", {"final": True})


@plays("ranking.parted_by", "play_off")
@in_one_process
def test_a_place_that_is_played_off_is_not_drawn_for(story: Story) -> None:
    announced(story, "xiangqi-1999", {}, rounds=1)
    played(story, "1-2 1/2-1/2", "3-4 1/2-1/2")
    assert story.refused(f"{T}/lots", {"equals": [1, 2, 3, 4]}) == (409, "no-lots")


@plays("ranking.unshared", 0)
@in_one_process
def test_a_first_place_that_may_be_shared_is_final_as_it_is(story: Story) -> None:
    announced(story, "xiangqi-1999", {"ranking.unshared": 0}, rounds=1)
    played(story, "1-2 1/2-1/2", "3-4 1/2-1/2")
    story.tell(f"{T}/publications", {"final": True})
    assert "shared" not in story.integrity()


def test_a_first_place_that_a_ruling_shares_after_the_final_table_is_listed(story: Story) -> None:
    # closed: nothing is paired any more
    announced(story, "xiangqi-1999", {}, rounds=1)
    played(story, "1-2 1-0", "3-4 1/2-1/2")
    story.tell(f"{T}/publications", {"final": True})
    for _ in range(3):
        story.foul(1)
    story.tell(f"{T}/publications", {"final": True})
    assert story.integrity().get("shared", []) == []
    half = {"points": 0.5, "played": True}
    marks = {"kind": "set_marks", "white": half, "black": half}
    story.tell(f"{T}/rulings", WARNED | {"player": 2, "effect": marks, "infraction": "grave_misconduct"})
    story.tell(f"{T}/publications", {"final": True})
    assert [row["rank"] for row in story.integrity()["shared"]] == [1]


@in_one_process
def test_a_table_before_the_last_round_may_be_final_with_a_shared_place(story: Story) -> None:
    # an event that ends early has no play-off
    announced(story, "xiangqi-1999", {}, rounds=2)
    played(story, "1-2 1/2-1/2", "3-4 1/2-1/2")
    story.tell(f"{T}/publications", {"final": True})
    assert story.integrity() == {"shared": [{"seq": story.seq, "rank": 1, "players": [1, 2, 3, 4]}]}


def test_teams_that_share_the_first_place_play_off_by_the_regulations_own_order(story: Story) -> None:
    # 002-X 15.3 names no play-off, 15.6 does
    team = {"kind": "fixed", "boards": 2, "substitutes": 0}
    announced(story, "xiangqi-1999", {}, format="round_robin", conditions={"team": team})
    story.tell(f"{T}/teams", {"teams": [{"name": "甲队", "members": [1, 2]}, {"name": "乙队", "members": [3, 4]}]})
    story.tell(f"{T}/rounds")
    story.report("1/2-1/2", "1/2-1/2")
    assert refusal(story)["detail"].startswith("teams 1, 2 share place 1: it must be decided by a play-off")
    played_off(story, [1, 3], [4, 2])
    story.report("1-0", "1/2-1/2", round=2)
    assert [(r["id"], r["rank"]) for r in story.get(f"{T}/standings/teams")["teams"]] == [(1, 1), (2, 2)]
    story.tell(f"{T}/publications", {"final": True})
