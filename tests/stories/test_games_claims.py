"""Claims at the board, right and wrong, and what follows from them without a person."""

from typing import Any

import msgspec

from shared.core.events import Ground
from shared.core.state.grounds import english_text
from tests.rows.marks import row
from tests.stories.conftest import Story, T
from tests.stories.test_games_kinds import G, opened, played, step, won


def claimed(story: Story, side: str | None, claim: str, move: str | None = None, role: Any = "player") -> Any:
    """The decision on a claim, as the sheet has it."""
    said = {"claim": claim} | ({} if side is None else {"side": side}) | ({} if move is None else {"move": move})
    events = story.tell(f"{G}/claims", said, role)["events"]
    return _read_out(events)


def _read_out(events: list[dict[str, Any]]) -> dict[str, Any]:
    """The decision, with its grounds in words."""
    decided = next(e["data"] for e in events if e["type"].startswith("arbiter.claim.decided"))
    return decided | {"grounds": english_text(msgspec.convert(decided["grounds"], tuple[Ground, ...]))}


def answered(story: Story) -> list[tuple[str, str, int | None]]:
    """What the rulebook made of a finding, without a person: infraction, effect, seconds on the clock."""
    story.until(lambda: story.ask("GET", f"{T}/rulings").json["rulings"] != [])
    story.hall.settled()
    story.seq = len(story.hall.lines("T"))
    rulings = story.get(f"{T}/rulings")["rulings"]
    assert {r["role"] for r in rulings} == {"rulebook"}
    return [(r["infraction"], r["effect"]["kind"], r["effect"].get("clock")) for r in rulings]


def touched(story: Story, *squares: str, role: Any = "arbiter") -> Any:
    """The decision on a touch of the side to move, as the sheet has it."""
    events = story.tell(f"{G}/claims", {"claim": "touch", "squares": list(squares)}, role)["events"]
    return _read_out(events)


def three_three(story: Story) -> None:
    """Black makes 三三 with the stone on i8, at ply 9."""
    opened(story, "renju")
    played(story, 1, "h8 a1 g8 c1")
    step(story, "black", "offer_fifth", "i9", "k12")
    step(story, "white", "choose_fifth", "i9")
    played(story, 6, "e1 i10 g1 i8")
    assert story.get(G)["status"] == "playing", "a forbidden stone ends nothing by itself (H)"


def test_a_wrong_claim_costs_time_and_the_announced_move_must_be_played(story: Story) -> None:
    opened(story, "chess")
    played(story, 1, "e4 e5")
    decided = claimed(story, "white", "threefold_repetition", "Nf3")
    assert (decided["upheld"], "对局结束 13" in decided["article"]) == (False, True)
    assert answered(story) == [("false_claim", "adjust_clock", -300)], "five minutes, 13(2)"
    assert story.refused(f"{G}/moves", {"ply": 3, "moves": ["d4"]}, "board")[0] == 409
    played(story, 3, "Nf3")
    assert story.get(G)["status"] == "playing"


def test_the_third_occurrence_draws_by_the_claim_of_the_side_to_move(story: Story) -> None:
    opened(story, "chess")
    played(story, 1, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1")
    decided = claimed(story, "black", "threefold_repetition", "Ng8")
    assert (decided["upheld"], "对局结束 10" in decided["article"]) == (True, True)
    won(story, "1/2-1/2")


def test_a_false_natural_limit_is_a_foul_and_the_game_goes_on(story: Story) -> None:
    opened(story, "xiangqi")
    played(story, 1, "炮二平五 马8进7")
    decided = claimed(story, "white", "natural_limit")
    assert (decided["upheld"], "23.3" in decided["article"]) == (False, True)
    assert "1 rounds without a capture" in decided["grounds"]
    one, five_minutes = ("false_natural_limit", "foul", None), ("false_natural_limit", "adjust_clock", -300)
    assert answered(story) == [one, five_minutes], "one 犯规 and five minutes, 23.3"
    played(story, 3, "马二进三")
    assert story.get(G)["status"] == "playing"


def test_a_repetition_of_idle_moves_is_drawn_by_the_arbiter_unasked(story: Story) -> None:
    """002-X 24.2: both sides allowed, 不变作和."""
    opened(story, "xiangqi")
    played(story, 1, " ".join(["a0a1 a9a8 a1a0 a8a9"] * 2))
    decided = claimed(story, None, "repetition", role="arbiter")
    assert (decided["upheld"], "24.2" in decided["article"]) == (True, True)
    won(story, "1/2-1/2")


def test_a_renju_three_three_pointed_out_in_time_loses(story: Story) -> None:
    three_three(story)
    decided = claimed(story, "white", "forbidden_point", "i8")
    assert (decided["upheld"], "五子棋, H" in decided["article"]) == (True, True)
    won(story, "1-0")


def test_a_renju_three_three_pointed_out_too_late_loses_nothing(story: Story) -> None:
    three_three(story)
    played(story, 10, "a15")
    decided = claimed(story, "white", "forbidden_point", "i8")
    assert not decided["upheld"]
    assert "White has answered it" in decided["grounds"]
    assert story.get(G)["status"] == "playing"
    assert story.points() == {1: 0, 2: 0, 3: 0, 4: 0}


@row("C1", under="xiangqi-1999")
@row("C10", under="xiangqi-1999")
def test_a_piece_touched_must_move_and_the_third_futile_touch_loses(story: Story) -> None:
    """002-X 5.1, 9.1.5, 9.1.6, 4.1.8."""
    opened(story, "xiangqi", "xiangqi-1999")
    played(story, 1, "炮二平五")
    asked = story.tell(f"{G}/claims", {"claim": "touch", "side": "white", "squares": ["b9"]}, "player")
    assert asked["state"] == "pending" and story.get(G)["due"] == [], "a player alone binds nobody (5.6)"
    assert story.tell(f"{G}/claims/{asked['claim']}/decision", {"upheld": True}, "arbiter")["due"] == ["b9a7", "b9c7"]
    assert story.get(G)["due"] == ["b9a7", "b9c7"]
    assert story.refused(f"{G}/moves", {"ply": 2, "moves": ["马8进7"]}, "board") == (409, "touched-piece")
    played(story, 2, "马2进3")
    assert story.get(G)["due"] == []
    played(story, 3, "马二进三 将5进1 马三退二")
    assert touched(story, "e0", "a0")["due"] == [], "no piece of Black's takes either"
    story.until(lambda: len(story.ask("GET", f"{T}/rulings").json["rulings"]) == 2)
    fouls = [("touching_an_uncapturable_piece", "foul", None)] * 2
    assert answered(story) == fouls and story.get(G)["status"] == "playing"
    assert "d9: cannot move" in touched(story, "e0", "a0", "d9")["grounds"], (
        "what is stated anew replaces what was stated"
    )
    story.until(lambda: story.ask("GET", G).json["status"] == "decided")
    assert answered(story) == [*fouls, ("touching_an_unmovable_piece", "foul", None), ("third_foul", "set_marks", None)]
    won(story, "1-0")


def test_an_accusation_waits_for_an_arbiter_and_a_final_table_waits_for_it(story: Story) -> None:
    """002-X 4.1.6."""
    opened(story, "xiangqi", "xiangqi-1999")
    played(story, 1, "a0a1 a9a8 a1a0 a8a9")
    body = {"claim": "illegal_move", "side": "black", "move": "b0b2"}
    made = story.tell(f"{G}/claims", body, "player")
    assert (made["claim"], made["state"]) == ("c1", "pending")
    (listed,) = story.get(f"{T}/claims?state=pending")["claims"]
    assert (listed["player"], listed["accused"], listed["ply"]) == (2, 1, 4)
    assert story.integrity() == {"claims": [{"seq": listed["seq"], "claim": "c1", "game": "T.1.1"}]}
    assert "Claims that wait for an arbiter" in story.get("/t/T/rulings")
    assert story.refused(f"{T}/publications", {"final": True}) == (409, "claims-pending")
    assert story.refused(f"{G}/claims", body, "board") == (409, "claim-made")
    assert story.refused(f"{G}/claims/c1/decision", {"upheld": True}, "player") == (403, "role-may-not")
    played(story, 5, "a0a1")
    upheld = story.tell(f"{G}/claims/c1/decision", {"upheld": True, "note": "李伟 saw it"}, "arbiter")
    assert upheld["state"] == "upheld" and "has continued since then" in upheld["grounds"]
    assert answered(story) == [("illegal_move", "set_marks", None)]
    won(story, "0-1")
    story.report("*", "1-0")
    story.tell(f"{T}/publications", {"final": True})


def withdrawn(events: list[Any]) -> list[tuple[str, str]]:
    """The findings that hold no longer by these events, each with the reason."""
    data = [e["data"] for e in events if e["type"].startswith("arbiter.finding.withdrawn")]
    return [(one["finding"], one["why"]) for one in data]


def test_a_touch_stated_anew_takes_the_foul_away_and_moves_taken_back_what_was_found_on_them(story: Story) -> None:
    """002-X 5.6, 9.1.6: an obvious accident 明显误碰 is no touch; house: what never counted is no foul."""
    opened(story, "xiangqi")
    played(story, 1, "炮二平五")

    # given a foul for touching what nobody can take
    touched(story, "a0")
    assert answered(story) == [("touching_an_uncapturable_piece", "foul", None)]
    (first,) = story.standing()

    # when the arbiter states that it was an accident, then finding and foul fall
    again = story.tell(f"{G}/claims", {"claim": "touch", "squares": []}, "arbiter")["events"]
    assert withdrawn(again) == [("f2", "stated_anew")]
    assert story.standing() == []
    ruling = story.get(f"{T}/rulings/{first}")
    assert (ruling["standing"], ruling["why"]) == (False, f"finding f2 was withdrawn (event {story.seq})")

    # when another is found, and the moves are taken back to before it, then that one falls too
    played(story, 2, "马8进7")
    touched(story, "i9")
    story.until(lambda: len(story.ask("GET", f"{T}/rulings").json["rulings"]) == 2)
    story.hall.settled()
    story.seq = len(story.hall.lines("T"))
    assert len(story.standing()) == 1
    back = story.tell(f"{G}/take-back", {"to_ply": 1, "reason": "agreement"}, "arbiter")["events"]
    assert withdrawn(back) == [("f4", "taken_back")]
    assert story.standing() == [] and "findings" not in story.integrity()
    assert "withdrawn by event" in story.get("/games/T.1.1") and "because finding f4" in story.get("/t/T/rulings")
