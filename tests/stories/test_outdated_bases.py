"""Results that change behind a bracket or a published table: named, refused until settled, and settled (002-X 11.1, 11.3)."""

from typing import Any

import pytest

from tests.stories.conftest import Story, T
from tests.stories.test_formats import announced, pairs, played

FINAL = {"match": 3, "seated": [1, 2], "due": [2, 4]}


def larger(board: dict[str, Any]) -> str:
    """The larger number wins."""
    return "0-1" if board["white"] < board["black"] else "1-0"


def corrected(story: Story, round: int, *players: int) -> Any:
    """The answer to a correction by which the larger number of two players wins."""
    boards = story.get(f"{T}/rounds/{round}")["boards"]
    board = next(b for b in boards if {b["white"], b["black"]} == set(players))
    change = {"round": round, "results": [{"board": board["board"], "result": larger(board)}], "reason": "misread"}
    return story.tell(f"{T}/corrections", change, "arbiter")


def final_on_a_correction(story: Story) -> Any:
    """A knock-out of four whose final is paired before 4 turns out to have beaten 1; the answer to the correction."""
    announced(story, "knockout", 4)
    assert pairs(played(story)) == [(1, 4), (2, 3)]
    assert pairs(story.tell(f"{T}/rounds", {})) == [(1, 2)]
    return corrected(story, 1, 1, 4)


def final_result(story: Story, *, winner: int) -> None:
    (board,) = story.get(f"{T}/rounds/2")["boards"]
    result = "1-0" if board["white"] == winner else "0-1"
    story.tell(f"{T}/results", {"round": 2, "results": [{"board": board["board"], "result": result}]}, "arbiter")


def ranks(story: Story) -> dict[int, int]:
    return {row["id"]: row["rank"] for row in story.get(f"{T}/standings")["players"]}


def assert_final_table(story: Story, champion: int) -> None:
    """Nothing is open; the champion alone is first, and the final table is published."""
    assert story.get(f"{T}/integrity")["outdated"] == []
    assert [side for side, rank in ranks(story).items() if rank == 1] == [champion]
    story.tell(f"{T}/publications", {"final": True}, "organiser")


def test_a_correction_behind_a_bracket_names_the_pairing_it_contradicts(story: Story) -> None:
    answer = final_on_a_correction(story)

    (basis,) = answer["outdated"]
    assert {name: basis[name] for name in FINAL} == FINAL
    assert (basis["kind"], basis["round"], basis["boards"], basis["article"]) == ("match", 2, [1], "002-X 11.1")
    assert basis["message"] == "round 2, match 3: players 1, 2 are seated, but players 2, 4 would be seated now"
    assert [(way["act"], way["href"]) for way in basis["settle"]] == [
        ("withdraw", f"{T}/rounds/2/withdrawal"),
        ("uphold", f"{T}/rounds/2/upholding"),
    ]
    assert story.get(f"{T}/integrity")["outdated"] == [basis]
    assert [one["why"] for one in story.get(f"{T}/audit")["outdated"]] == [basis["message"]]

    # and the log agrees, with a remark
    report = story.audited()
    assert report.verdict == "agrees" and any("not settled" in str(remark) for remark in report.remarks)


def test_a_final_table_waits_for_what_is_outdated(story: Story) -> None:
    final_on_a_correction(story)
    final_result(story, winner=1)
    assert ranks(story)[1] == 1 and ranks(story)[4] > 2
    answer = story.ask("POST", f"{T}/publications", {"final": True}, "organiser", If_Match=f'"{story.seq}"')
    assert (answer.status_code, answer.json["type"].rpartition(":")[2]) == (409, "basis-outdated")
    assert (answer.json["article"], answer.json["where"]) == ("002-X 11.1", "final")
    assert "void the pairing of round 2" in answer.json["detail"]
    story.tell(f"{T}/rounds/2/upholding", FINAL | {"reason": "agreed by all three"})
    assert_final_table(story, champion=1)


def test_a_withdrawn_final_is_paired_with_the_new_winner(story: Story) -> None:
    final_on_a_correction(story)
    story.tell(f"{T}/rounds/2/withdrawal", {"reason": "4 won"})
    assert pairs(story.tell(f"{T}/rounds", {})) == [(2, 4)]
    final_result(story, winner=4)
    assert_final_table(story, champion=4)
    assert ranks(story)[1] == 3


def test_a_void_final_is_played_again_with_the_new_winner(story: Story) -> None:
    final_on_a_correction(story)
    final_result(story, winner=1)
    assert story.refused(f"{T}/rounds/2/withdrawal", {"reason": "4 won"}) == (409, "round-begun")
    assert story.refused(f"{T}/rounds/2/withdrawal", {"played": True}) == (422, "reason-missing")
    assert story.refused(f"{T}/rounds/2/withdrawal", {"played": True, "reason": "4 won"}, "organiser")[0] == 403
    void = story.tell(f"{T}/rounds/2/withdrawal", {"played": True, "reason": "4 won"})
    assert void["events"][0]["type"] == "arbiter.pairing.withdrawn.v2" and void["events"][0]["data"]["played"]
    assert pairs(story.tell(f"{T}/rounds", {})) == [(2, 4)]
    final_result(story, winner=2)
    assert_final_table(story, champion=2)


def test_an_upheld_final_is_opened_by_another_change(story: Story) -> None:
    final_on_a_correction(story)
    assert story.refused(f"{T}/rounds/2/upholding", FINAL | {"due": [3, 4], "reason": "x"}) == (
        409,
        "basis-not-outdated",
    )
    assert story.refused(f"{T}/rounds/2/upholding", FINAL)[0] == 422
    assert story.refused(f"{T}/rounds/2/upholding", FINAL | {"reason": "x"}, "organiser")[0] == 403
    assert story.refused(f"{T}/rounds/3/upholding", FINAL | {"reason": "x"}) == (404, "unknown-round")
    story.tell(f"{T}/rounds/2/upholding", FINAL | {"reason": "agreed"})
    assert story.get(f"{T}/integrity")["outdated"] == []
    (again,) = corrected(story, 1, 2, 3)["outdated"]
    assert set(again["due"]) != {2, 4}


def test_a_ruling_and_its_annulment_are_previewed_and_named(story: Story) -> None:
    announced(story, "knockout", 4)
    played(story)
    story.tell(f"{T}/rounds", {})
    (board,) = [b for b in story.get(f"{T}/rounds/1")["boards"] if {b["white"], b["black"]} == {1, 4}]
    won, lost = {"points": 1, "played": True}, {"points": 0, "played": True}
    marks = {"white": lost, "black": won} if board["white"] == 1 else {"white": won, "black": lost}
    body = {"player": 1, "round": 1, "infraction": "grave_misconduct", "effect": {"kind": "set_marks", **marks}}

    previews = (("rulings?preview=true", body), ("preview", {"path": f"{T}/rulings", "body": body}))
    for path, _ in previews:
        story.near("POST", f"{T}/{path}")
    preview, foreseen = (story.ask("POST", f"{T}/{path}", sent, "chief_arbiter").json for path, sent in previews)
    written = story.tell(f"{T}/rulings", body)
    for answer in (preview, foreseen, written):
        (basis,) = answer["outdated"]
        assert (basis["round"], basis["match"], basis["due"]) == (2, 3, [2, 4])
        assert basis["message"].startswith("round 2, match 3")
    annulled = story.annul(written["ruling"])
    assert "outdated" not in annulled and story.get(f"{T}/integrity")["outdated"] == []


@pytest.mark.parametrize("stages", [False, True])
def test_finals_wait_until_a_changed_table_is_published_again(story: Story, stages: bool) -> None:
    """Issue 31, fault 5."""
    grouped(story, stages=stages)
    story.tell(f"{T}/publications", {}, "organiser")

    # when 4 beats 1 after all
    (round,) = (round for round, other in by_round(story, 1) if other == 4)
    (basis,) = corrected(story, round, 1, 4)["outdated"]
    assert (basis["kind"], basis["round"], basis["article"]) == ("publication", 3, "002-X 11.3")
    assert [way["href"] for way in basis["settle"]] == [f"{T}/publications"]
    assert story.refused(f"{T}/rounds", {}) == (409, "basis-outdated")

    # then the finals are paired once the table is published again
    story.tell(f"{T}/publications", {}, "organiser")
    assert story.get(f"{T}/integrity")["outdated"] == []
    story.tell(f"{T}/rounds", {})


def grouped(story: Story, *, stages: bool) -> None:
    """Two groups of four, all of whose rounds are played."""
    if stages:
        cup = {"id": "T", "name": "Cup", "game": "xiangqi", "regulations": "campus", "format": "groups"}
        first = {"name": "groups", "format": "groups", "groups": 2, "qualifiers": 2}
        story.tell("/v1/tournaments", cup | {"stages": [first, {"name": "cup", "format": "knockout"}]})
        entered = [{"id": n, "name": f"选手 {n}", "rating": 2000 - 10 * n} for n in range(1, 9)]
        story.tell(f"{T}/entries", {"players": entered})
    else:
        announced(story, "groups", 8, groups=2, qualifiers=2)
    for _ in range(3):
        played(story)


def test_qualifiers_who_changed_are_settled_one_after_the_other(story: Story) -> None:
    grouped(story, stages=True)
    story.tell(f"{T}/publications", {}, "organiser")
    semi = pairs(story.tell(f"{T}/rounds", {}))

    # when 8 beats 1 and 4 and the table says so
    for round, other in by_round(story, 8):
        corrected(story, round, other, 8)
    for round, other in by_round(story, 1):
        corrected(story, round, 1, other)
    (basis,) = story.tell(f"{T}/publications", {"round": 3}, "organiser")["outdated"]
    assert (basis["kind"], basis["round"], basis["match"]) == ("qualifiers", 4, 0)
    assert 1 in basis["seated"] and 1 not in basis["due"] and 8 in basis["due"]

    # then the stage is paired again, or stays as it is
    story.tell(f"{T}/rounds/4/withdrawal", {"reason": "8 qualified"})
    again = pairs(story.tell(f"{T}/rounds", {}))
    assert again != semi and any(8 in pair for pair in again) and not any(1 in pair for pair in again)


def by_round(story: Story, player: int) -> list[tuple[int, int]]:
    """The rounds of the groups in which a player played, and whom."""
    found = []
    for round in (1, 2, 3):
        for b in story.get(f"{T}/rounds/{round}")["boards"]:
            if player in (b["white"], b["black"]):
                found.append((round, b["white"] + b["black"] - player))
    return found
