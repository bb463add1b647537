"""What a ruling rests on: its facts and its ply, under the sets that are shipped."""

from typing import Any

import pytest

from tests.rows.marks import row
from tests.stories.conftest import Story, T, in_one_process


def tell(story: Story, player: int, infraction: str, **more: Any) -> Any:
    return story.tell(f"{T}/rulings", {"player": player, "round": 1, "infraction": infraction} | more, "arbiter")


def problem(story: Story, player: int, infraction: str, **more: Any) -> dict[str, Any]:
    """What is answered to a ruling that is not taken; its preview is refused alike."""
    told = {"player": player, "round": 1, "infraction": infraction} | more
    previewed = story.refused(f"{T}/rulings?preview=true", told, "arbiter")
    assert previewed == story.refused(f"{T}/rulings", told, "arbiter")
    answer: dict[str, Any] = story.ask("POST", f"{T}/rulings", told, "arbiter").json
    return answer | {"code": answer["type"].rpartition(":")[2]}


def begun(story: Story, regulations: str, game: str) -> None:
    story.announced(game=game, regulations=regulations)
    story.paired([1, 2], [3, 4])


@row("C8", under="xiangqi-1999")
def test_a_gap_in_the_record_is_a_foul_from_four_moves_on_and_three_minutes(story: Story) -> None:
    """002-X 7.1, 7.2."""
    begun(story, "xiangqi-1999", "xiangqi")
    missing = problem(story, 1, "missing_records")
    assert (missing["status"], missing["code"], missing["article"]) == (422, "fact-missing", "002-X 7.1")
    late = problem(story, 1, "missing_records", facts={"missed_in_a_row": 4, "seconds_left": 179})
    assert (late["status"], late["code"], late["article"]) == (409, "no-infraction", "002-X 7.2")
    few = problem(story, 1, "missing_records", facts={"missed_in_a_row": 3, "seconds_left": 1000})
    assert (few["status"], few["code"], few["article"]) == (409, "no-infraction", "002-X 7.1")

    facts = {"missed_in_a_row": 4, "seconds_left": 180}
    made = tell(story, 1, "missing_records", facts=facts, ply=24)
    assert (made["events"][0]["data"]["facts"], made["events"][0]["data"]["ply"]) == (facts, 24)
    shown = story.get(f"{T}/rulings/{made['ruling']}")
    assert (shown["facts"], shown["ply"]) == (facts, 24)
    told = "missed in a row: 4, seconds left: 180"
    assert f"at ply 24, {told}" in story.get("/t/T/rulings") and f">ply 24</a>, {told}" in story.get("/games/T.1.1")
    assert told in story.get(f"/t/T/log/{story.seq}")


def test_the_same_act_is_ruled_once_and_a_wrong_one_after_its_annulment(story: Story) -> None:
    begun(story, "campus", "xiangqi")
    first = tell(story, 2, "disturbing", ply=8)
    again = problem(story, 2, "disturbing", ply=8)
    assert (again["status"], again["code"]) == (409, "same-act")
    assert again["see"] == f"{T}/rulings/{first['ruling']}"
    assert first["ruling"] in again["detail"] and again["article"] == "000-A 4.1"
    story.annul(first["ruling"])
    assert tell(story, 2, "disturbing", ply=8)["brought"] == []


@row("C11", under="go-campus")
def test_who_repeats_after_advice_is_in_violation_and_the_third_loses(story: Story) -> None:
    """000-A 7.1, 7.10."""
    begun(story, "go-campus", "go")
    advice = tell(story, 2, "advice", facts={"grave": False})
    assert advice["brought"] == []
    assert tell(story, 2, "obstructing", facts={"grave": True})["brought"] == []
    (violation,) = tell(story, 2, "advice", facts={"grave": False})["brought"]
    third, loss = tell(story, 2, "advice", facts={"repeated": True})["brought"]
    assert story.get(f"{T}/rulings/{violation}")["counter"] == "violation"
    assert story.get(f"{T}/rulings/{loss}")["because"] == ["r2", violation, third]
    assert story.points()[1] == 1.0

    # the first advice falls: what was left are one repetition and the grave case
    story.annul(advice["ruling"])
    assert story.points()[1] == 0.0
    assert story.get(f"{T}/rulings/{loss}")["standing"] is False


@pytest.mark.parametrize(
    ("regulations", "game", "infraction", "facts", "status", "code"),
    [
        ("campus", "xiangqi", "two_moves_in_a_row", {"opponent_passed": True}, 409, "no-infraction"),
        ("campus", "xiangqi", "adjusting", {"own_time": True, "consent": True}, 409, "no-infraction"),
        ("campus", "xiangqi", "advice", {"grave": True}, 409, "no-infraction"),
        ("campus", "xiangqi", "advice", {"repeated": True}, 409, "fact-contradicts"),
        ("campus", "xiangqi", "obstructing", {}, 422, "fact-missing"),
        ("campus", "xiangqi", "advice", {"seconds_left": 4}, 422, "fact-not-asked"),
        ("campus", "xiangqi", "advice", {"colour": "red"}, 422, "unknown-fact"),
        ("campus", "xiangqi", "advice", {"grave": "yes"}, 422, "bad-fact"),
        ("campus", "chess", "ko_without_a_threat", {}, 422, "unknown-infraction"),
        ("campus", "go", "taking_back", {"opponent_moved": True}, 409, "no-infraction"),
        ("go-campus", "go", "scattering_the_board", {"by": "outsider"}, 409, "no-infraction"),
        ("go-campus", "go", "scattering_the_board", {"by": 9}, 422, "bad-fact"),
        ("renju", "renju", "obstructing", {"grave": False}, 409, "no-infraction"),
        ("gomoku-campus", "gomoku", "two_moves_in_a_row", {"opponent_passed": True}, 409, "no-infraction"),
    ],
)
@in_one_process
def test_facts_that_do_not_carry_the_ruling_are_refused_with_article_and_what_is_taken(
    story: Story, regulations: str, game: str, infraction: str, facts: dict[str, Any], status: int, code: str
) -> None:
    begun(story, regulations, game)
    refused = problem(story, 1, infraction, facts=facts)
    assert (refused["status"], refused["code"]) == (status, code)
    assert refused["detail"] and (refused.get("article") or code == "unknown-infraction")
    assert story.standing() == []


@pytest.mark.parametrize("more", [{"facts": None}, {"facts": ["grave"]}, {"ply": 0}, {"ply": "12"}, {"fact": {}}])
@in_one_process
def test_a_body_that_is_none_names_its_field(story: Story, more: dict[str, Any]) -> None:
    begun(story, "campus", "xiangqi")
    refused = problem(story, 1, "disturbing", **more)
    assert (refused["status"], refused["code"], list(refused["errors"])) == (422, "bad-fields", list(more))
