"""Last tables of brackets and stages over HTTP: one champion, and those that dropped out behind those that went on."""

from itertools import product
from typing import Any

import pytest

from tests.stories.conftest import Story, T, in_one_process
from tests.stories.test_formats import pairs, smaller
from tests.stories.test_stages import announced

CHESS = {"game": "chess", "regulations": "campus"}
FIRST: list[dict[str, Any]] = [
    {"format": "round_robin", "qualifiers": 4},
    {"format": "groups", "groups": 2, "qualifiers": 2},
    {"format": "groups", "groups": 2, "qualifiers": 1},
    {"format": "knockout", "qualifiers": 2},
    {"format": "swiss", "rounds": 3, "qualifiers": 2},
    {"format": "swiss", "rounds": 2, "qualifiers": 4},
]
THEN = ("knockout", "match", "double_knockout", "round_robin")


def can_follow(first: dict[str, Any], then: str) -> bool:
    """Whether a stage may follow (002-X 11): a cup goes on as a cup, and after a Swiss the best are knocked out."""
    if first["format"] == "knockout":
        return then == "knockout"
    if first["format"] == "swiss" and then == "round_robin":
        return False
    return then != "match" or first["qualifiers"] * first.get("groups", 1) == 2


PAIRS = [(first, then) for first, then in product(FIRST, THEN) if can_follow(first, then)]


def next_round(story: Story, says: Any = smaller) -> Any:
    """The next round with all results, None at the end; a table is published if the next stage asks for one."""
    story.near("POST", f"{T}/rounds")
    asked = story.ask("POST", f"{T}/rounds?preview=true", {}, "chief_arbiter", If_Match=f'"{story.seq}"')
    if asked.status_code == 409:
        code = asked.json["type"].rpartition(":")[2]
        if code == "no-round-left":
            return None
        assert code == "standings-not-published", asked.text
        story.tell(f"{T}/publications", {}, "organiser")
    paired = story.tell(f"{T}/rounds", {})
    said = [{"board": b["board"], "result": says(b)} for b in paired["boards"]]
    if said:
        story.tell(f"{T}/results", {"round": paired["round"], "results": said})
    return paired


def ranks(story: Story, of: str = "players") -> dict[int, int]:
    table = story.get(f"{T}/standings{'/teams' if of == 'teams' else ''}")[of]
    return {row["id"]: row["rank"] for row in table}


def knockout(story: Story, players: int = 4, **more: Any) -> Any:
    """A knock-out whose first round was played, and whose second is paired."""
    announced(story, players, {"format": "knockout"}, **CHESS, **more)
    first = next_round(story)
    return first, story.tell(f"{T}/rounds", {})


def board_of(paired: Any, one: int, other: int) -> Any:
    return next(b for b in paired["boards"] if {b["white"], b["black"]} == {one, other})


def won(board: Any, winner: int) -> str:
    return "1-0" if board["white"] == winner else "0-1"


def correct(story: Story, round: int, board: Any, said: str) -> Any:
    results = [{"board": board["board"], "result": said}]
    return story.tell(f"{T}/corrections", {"round": round, "results": results, "reason": "misread slip"})


@pytest.mark.parametrize("hall", ["embedded"], indirect=True)
@pytest.mark.parametrize(("first", "then"), PAIRS, ids=[f"{f['format']}-{n}-{t}" for n, (f, t) in enumerate(PAIRS)])
def test_the_better_number_always_wins_and_is_first(story: Story, first: dict[str, Any], then: str) -> None:
    announced(story, 8, {"name": "a", **first}, {"name": "b", "format": then}, **CHESS)
    rounds: list[Any] = []
    tables = [ranks(story)]
    while (paired := next_round(story)) is not None:
        rounds.append(paired)
        tables.append(ranks(story))
    before = next((tables[r["round"] - 1] for r in rounds if r["stage"] == "b"), {})
    table, going = ranks(story), first["qualifiers"] * first.get("groups", 1)
    last = {p for r in rounds if r["stage"] == "b" for b in r["boards"] for p in (b["white"], b["black"])}
    assert (table[min(last)], min(last)) == (1, 1)
    assert {player for player, rank in table.items() if rank <= going} == last
    assert sorted(table.values())[:2] == [1, 2]
    dropped = sorted(set(table) - last, key=lambda player: before.get(player, 0))
    if first["format"] != "knockout":
        assert [table[player] for player in dropped] == sorted(table[player] for player in dropped), "as before"


@in_one_process
def test_a_swiss_of_one_round_then_a_cup_of_four(story: Story) -> None:
    """1 wins the cup and is first, also if 5 to 8 had as many points before it."""
    stages = [{"name": "pre", "format": "swiss", "rounds": 1, "qualifiers": 4}, {"name": "cup", "format": "knockout"}]
    announced(story, 8, *stages, **CHESS)
    rounds = []
    while (paired := next_round(story)) is not None:
        rounds.append(paired)
    assert len(rounds) == 3
    cup = {p for round in rounds[1:] for b in round["boards"] for p in (b["white"], b["black"])}
    table = ranks(story)
    finalists = pairs(rounds[2])[0]
    assert [table[p] for p in finalists] == [1, 2]
    assert {p for p, rank in table.items() if rank <= 4} == cup
    assert all(table[p] > 4 for p in set(table) - cup)
    story.tell(f"{T}/publications", {"final": True}, "organiser")


@pytest.mark.parametrize("winner", [1, 2])
def test_a_semi_final_corrected_after_the_final_was_paired_makes_no_second_champion(story: Story, winner: int) -> None:
    semi, final = knockout(story)
    assert pairs(final) == [(1, 2)]
    game = board_of(semi, 1, 4)
    correct(story, 1, game, won(game, 4))
    result = {"board": 1, "result": won(final["boards"][0], winner)}
    story.tell(f"{T}/results", {"round": 2, "results": [result]}, "arbiter")
    assert ranks(story) == {winner: 1, 3 - winner: 2, 3: 3, 4: 3}


def test_a_third_foul_annulled_after_the_final_was_paired_makes_no_second_champion(story: Story) -> None:
    """000-A: the third foul loses the semi-final of 1; 4 is seated in the final, and stays there as played."""
    announced(story, 4, {"format": "knockout"}, game="xiangqi", regulations="campus")
    semi = story.tell(f"{T}/rounds", {})
    for _ in range(3):
        story.foul(1)
    game = board_of(semi, 2, 3)
    story.tell(f"{T}/results", {"round": 1, "results": [{"board": game["board"], "result": won(game, 2)}]}, "arbiter")
    final = story.tell(f"{T}/rounds", {})
    assert pairs(final) == [(2, 4)]
    story.annul("r2")
    other = board_of(semi, 1, 4)
    story.tell(f"{T}/results", {"round": 1, "results": [{"board": other["board"], "result": won(other, 1)}]}, "arbiter")
    result = {"board": 1, "result": won(final["boards"][0], 2)}
    story.tell(f"{T}/results", {"round": 2, "results": [result]}, "arbiter")
    assert ranks(story) == {2: 1, 4: 2, 1: 3, 3: 3}


@in_one_process
def test_two_who_both_lost_are_out_and_no_lot_is_drawn(story: Story) -> None:
    """双方均负 (chess 结束 16): 2 waits in the final for nobody, and is first."""
    announced(story, 4, {"format": "knockout"}, **CHESS)
    next_round(story, lambda b: "0-0" if 1 in (b["white"], b["black"]) else smaller(b))
    assert story.refused(f"{T}/rounds", {}) == (409, "no-round-left")
    assert ranks(story) == {2: 1, 1: 2, 3: 2, 4: 2}


@in_one_process
def test_two_teams_that_lost_every_board_are_out(story: Story) -> None:
    """Eight teams: 1 and 8 lose all boards, so that 4 goes to the final without a game."""
    conditions = {"team": {"kind": "fixed", "boards": 2}}
    announced(story, 16, {"format": "knockout"}, game="xiangqi", regulations="xiangqi-1999", conditions=conditions)
    teams = [{"id": n, "name": f"队 {n}", "members": [2 * n - 1, 2 * n]} for n in range(1, 9)]
    story.tell(f"{T}/teams", {"teams": teams})
    next_round(story, lambda b: "0-0" if {b["white"], b["black"]} & {1, 2} else smaller(b))
    semi = next_round(story)
    met = sorted(tuple(sorted((m["first"], m["second"]))) for m in semi["matches"])
    assert met == [(0, 4), (2, 3)]
    while next_round(story) is not None:
        pass
    assert ranks(story, "teams") == {2: 1, 4: 2, 3: 3, 1: 4, 5: 4, 6: 4, 7: 4, 8: 4}
