"""One competition of every format over HTTP, from its announcement to the last round; each is audited at the end."""

from collections.abc import Callable
from typing import Any

from tests.rows.marks import row
from tests.stories.conftest import Story, T

Board = dict[str, Any]
Says = Callable[[Board], str]


def smaller(board: Board) -> str:
    """The smaller number wins."""
    return "1-0" if board["white"] < board["black"] else "0-1"


def announced(
    story: Story,
    format: str,
    players: int,
    rounds: int | None = None,
    regulations: str = "campus",
    **conditions: Any,
) -> None:
    cup = {"id": "T", "name": "Cup", "game": "gomoku", "format": format, "regulations": regulations}
    cup["results_only"] = True
    story.tell("/v1/tournaments", cup | ({"rounds": rounds} if rounds else {}) | {"conditions": conditions})
    entered = [{"id": n, "name": f"选手 {n}", "rating": 2000 - 10 * n} for n in range(1, players + 1)]
    story.tell(f"{T}/entries", {"players": entered})


def played(story: Story, says: Says = smaller) -> Any:
    """The next round, with a result on every board."""
    paired = story.tell(f"{T}/rounds", {})
    said = [{"board": b["board"], "result": says(b)} for b in paired["boards"]]
    story.tell(f"{T}/results", {"round": paired["round"], "results": said}, "arbiter")
    return paired


def pairs(*rounds: Any) -> list[tuple[int, int]]:
    return sorted(tuple(sorted((b["white"], b["black"]))) for r in rounds for b in r["boards"])  # type: ignore[misc]


def test_a_campus_swiss(story: Story) -> None:
    # given seven players and five rounds, of whom two may not meet and one cannot move from board 2
    announced(story, "swiss", 7, 4)
    story.tell(f"{T}/forbidden-pairs", {"pairs": [[1, 2]], "reason": "sisters"})
    story.tell(f"{T}/entries/3/board", {"board": 2, "reason": "a wheelchair"})

    # when all rounds are played
    rounds = [played(story) for _ in range(4)]

    # then nobody met twice, the sisters not at all, everybody had a seat, and nobody two byes
    assert len(set(pairs(*rounds))) == 12
    assert (1, 2) not in pairs(*rounds)
    assert len({s["player"] for r in rounds for s in r["byes"]}) == 4
    seats = [b["board"] for r in rounds for b in r["boards"] if 3 in (b["white"], b["black"])]
    assert set(seats) <= {2}
    assert rounds[0]["events"][0]["data"]["engine"]["name"] == "rustworkx"
    assert rounds[0]["events"][0]["data"]["seed"] > 0
    assert story.refused(f"{T}/rounds", {}) == (409, "no-round-left")


def test_a_round_robin(story: Story) -> None:
    # given five players, of whom one leaves before the start, so that lots are drawn again
    announced(story, "round_robin", 5)
    story.tell(f"{T}/entries/5/withdrawal", {"reason": "ill"})
    story.tell(f"{T}/starting-numbers", {"lot": True})

    # when everybody has met everybody
    rounds = [played(story) for _ in range(3)]

    # then the table is full, and there is no further round
    assert pairs(*rounds) == [(1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)]
    assert story.points() == {1: 3.0, 2: 2.0, 3: 1.0, 4: 0.0, 5: 0.0}
    assert story.refused(f"{T}/rounds", {}) == (409, "no-round-left")
    assert story.refused(f"{T}/entries", {"players": [{"name": "late"}]}) == (409, "too-late")


def test_a_double_round_robin(story: Story) -> None:
    announced(story, "double_round_robin", 3)
    rounds = [played(story, lambda b: "1/2-1/2") for _ in range(6)]
    games = [(b["white"], b["black"]) for r in rounds for b in r["boards"]]
    assert sorted(games) == [(1, 2), (1, 3), (2, 1), (2, 3), (3, 1), (3, 2)]
    assert story.points() == {1: 2.0, 2: 2.0, 3: 2.0}


def test_groups_and_finals(story: Story) -> None:
    # given two groups of four whose best two go on with what they made against each other
    announced(story, "groups", 8, groups=2, qualifiers=2, carried=True)
    first = played(story)
    assert first["groups"] == [[1, 4, 5, 8], [2, 3, 6, 7]]
    for _ in range(2):
        played(story)

    # when the table has been published
    assert story.refused(f"{T}/rounds", {}) == (409, "standings-not-published")
    story.tell(f"{T}/publications", {}, "organiser")
    finals = [played(story) for _ in range(2)]

    # then those who go on meet those of the other group
    assert finals[0]["groups"] == [[1, 2, 3, 4]]
    assert [r["stage"] for r in finals] == ["finals", "finals"]
    assert pairs(*finals) == [(1, 2), (1, 3), (2, 4), (3, 4)]
    assert story.refused(f"{T}/rounds", {}) == (409, "no-round-left")


def test_a_knock_out_with_matches_for_places(story: Story) -> None:
    announced(story, "knockout", 6, places=True)
    first = played(story)
    assert (first["stage"], pairs(first)) == ("preliminary", [(3, 6), (4, 5)])
    assert sorted(s["player"] for s in first["byes"]) == [1, 2]
    semi = played(story)
    assert pairs(semi) == [(1, 4), (2, 3)]
    last = played(story)
    assert (last["stage"], pairs(last)) == ("final", [(1, 2), (3, 4), (5, 6)])
    assert story.refused(f"{T}/rounds", {}) == (409, "no-round-left")


def test_a_double_knock_out(story: Story) -> None:
    announced(story, "double_knockout", 4)
    rounds = [played(story) for _ in range(3)]
    final = played(story, lambda b: smaller(b)[::-1])
    again = played(story)
    assert [pairs(r) for r in (*rounds, final, again)] == [
        [(1, 4), (2, 3)], [(1, 2), (3, 4)], [(2, 3)], [(1, 2)], [(1, 2)],
    ]  # fmt: skip
    assert story.refused(f"{T}/rounds", {}) == (409, "no-round-left")


@row("M5", under="gomoku-campus")
def test_a_match_of_three_that_stays_drawn(story: Story) -> None:
    # given a match of two, best of three, with one extra game
    announced(story, "match", 2, regulations="gomoku-campus", games=3, best=True, extra=1)
    legs = [played(story, lambda b: "1/2-1/2") for _ in range(4)]
    assert [r["matches"][0]["leg"] for r in legs] == [1, 2, 3, 4]
    assert [r["boards"][0]["white"] for r in legs[::2]] == [legs[0]["boards"][0]["white"]] * 2

    # when it is still drawn, lots decide
    assert story.refused(f"{T}/rounds", {}) == (409, "match-drawn")
    assert story.refused(f"{T}/lots", {"match": 2}) == (404, "unknown-match")
    drawn = story.tell(f"{T}/lots", {"match": 1})
    assert drawn["winner"] in (1, 2)
    assert story.refused(f"{T}/lots", {"match": 1}) == (409, "match-decided")
    assert story.refused(f"{T}/rounds", {}) == (409, "no-round-left")


@row("M6", under="gomoku-campus")
def test_a_knock_out_of_matches_with_one_decided_early(story: Story) -> None:
    announced(story, "knockout", 4, regulations="gomoku-campus", games=3, best=True)
    for _ in range(2):
        played(story, lambda b: smaller(b) if 1 in (b["white"], b["black"]) else "1/2-1/2")
    third = played(story)
    assert pairs(third) == [(2, 3)]
    assert pairs(played(story)) == [(1, 2)]


def test_a_swiss_of_two_game_rounds(story: Story) -> None:
    announced(story, "swiss", 4, 4, games=2)
    first, second, third, fourth = (played(story) for _ in range(4))
    assert pairs(first) == pairs(second) != pairs(third) == pairs(fourth)
    assert [(b["black"], b["white"]) for b in first["boards"]] == [(b["white"], b["black"]) for b in second["boards"]]


def test_every_round_by_hand(story: Story) -> None:
    # given a competition that is paired by hand
    announced(story, "manual", 4, 3)
    assert story.refused(f"{T}/rounds", {}) == (409, "no-engine")
    story.paired([1, 2], [3, 4])
    story.report("1-0", "1-0")

    # when a pairing repeats a game
    again = {"boards": [[2, 1], [4, 3]], "reason": "the others have gone home"}
    assert story.refused(f"{T}/rounds", again) == (409, "absolute-rule")
    assert story.refused(f"{T}/rounds", again | {"overrides": ["rematch"]}, "organiser") == (403, "role-may-not")

    # then only the chief arbiter has it, and the integrity list shows it
    story.tell(f"{T}/rounds", again | {"overrides": ["rematch"]})
    (listed,) = story.integrity()["overrides"]
    assert (listed["round"], listed["rules"]) == (2, ["rematch"])


def test_an_odd_field_where_nobody_may_have_the_bye(story: Story) -> None:
    # given three players who had a full-point bye each, and two who have left since
    announced(story, "swiss", 5, 3)
    for player in (1, 2, 3):
        story.tell(f"{T}/byes", {"player": player, "round": 1, "kind": "F"})
    assert pairs(played(story)) == [(4, 5)]
    for player in (4, 5):
        story.tell(f"{T}/entries/{player}/withdrawal", {"reason": "gone home"})

    # when the next round is paired, then it is said why there is none
    story.near("POST", f"{T}/rounds")
    refused = story.ask("POST", f"{T}/rounds", {}, "chief_arbiter", If_Match=f'"{story.seq}"')
    assert (refused.status_code, refused.json["type"]) == (409, "urn:arbiter:problem:no-legal-pairing")
    assert refused.json["detail"] == "3 players are present, so one must have the bye, but all have had one"
    by_hand = {"boards": [[1, 2]], "bye": 3, "reason": "one has to rest"}
    assert story.refused(f"{T}/rounds", by_hand) == (409, "absolute-rule")
    story.tell(f"{T}/rounds", by_hand | {"overrides": ["bye-eligibility"]})
