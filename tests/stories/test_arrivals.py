"""Arrivals and breaks as they are noted, corrected and checked in (000-A 8; 002-X 21; 000-B 注意 3, 9, 12)."""

from typing import Any

from tests.stories.conftest import Story, T

G1, G2 = "/v1/games/T.1.1", "/v1/games/T.1.2"


def arrive(story: Story, player: int, **how: Any) -> Any:
    return story.tell(f"{T}/arrivals", {"player": player, "round": 1} | how, "arbiter")


def correct(story: Story, arrival: str, role: str = "arbiter", **how: Any) -> Any:
    return story.tell(f"{T}/arrivals/{arrival}/correction", {"reason": "the wrong row"} | how, role)


def paired(story: Story, **cup: Any) -> None:
    story.announced(**cup)
    story.paired([1, 2], [3, 4])


def result(story: Story, game: str = G1) -> str | None:
    setting = story.get(game)["result"]
    return None if setting is None else setting["notation"]


def test_a_forfeit_by_an_arrival_in_the_wrong_row_lapses_with_its_correction(story: Story) -> None:
    # given a player who lost the game unplayed, as he was noted 1,000 seconds late
    paired(story)
    noted = arrive(story, 2, late=1000)
    (loss,) = noted["rulings"]
    assert (noted["arrival"], noted["brought"], result(story)) == ("a1", [loss], "+/-")
    told = story.get(f"{T}/rulings/{loss}")
    assert (told["arrival"], told["late"], told["limit"], told["article"]) == ("a1", 1000, 900, "000-A 8.1")

    # when what was noted is corrected, nobody annuls anything
    corrected = correct(story, "a1", late=100)
    assert (corrected["arrival"], corrected["rulings"]) == ("a3", [])

    # then the game is open, may be played, and the table tells why
    assert (result(story), story.points()[1]) == (None, 0.0)
    assert story.get(f"{T}/rulings/{loss}")["why"] == "depends on a record that a3 corrects"
    assert "the record it depends on was corrected," in story.get("/t/T/rulings")
    listed = {a["arrival"]: a for a in story.get(f"{T}/arrivals?round=1")["arrivals"]}
    assert (listed["a1"]["in_force"], listed["a1"]["corrected_by"], listed["a1"]["rulings"]) == (False, "a3", [loss])
    assert (listed["a3"]["in_force"], listed["a3"]["corrects"], listed["a3"]["late"]) == (True, "a1", 100)
    story.report("1/2-1/2")
    assert story.points()[2] == 0.5


def test_a_lateness_that_was_an_absence_is_ruled_anew_and_both_forfeit_in_either_order(story: Story) -> None:
    paired(story)
    arrive(story, 1, late=1000)
    second = arrive(story, 2, absent=True)
    assert story.get(f"{T}/rulings/{second['rulings'][0]}")["because"] == ["r2"]
    assert result(story) == "-/-"

    # one of them was in time: the other's loss, which rested on his, is made again and gives him the game
    again = correct(story, "a1", late=60)
    (loss,) = again["rulings"]
    told = story.get(f"{T}/rulings/{loss}")
    assert (told["player"], told["infraction"], told["late"], told["because"]) == (2, "absence", None, [])
    assert (result(story), story.standing()) == ("+/-", [loss])

    # and the other came after all, too late
    late = correct(story, second["arrival"], late=901)
    assert story.get(f"{T}/rulings/{late['rulings'][0]}")["infraction"] == "lateness"
    assert result(story) == "+/-"
    assert story.standing() == late["rulings"]


def test_who_came_into_the_hall_has_not_come_to_the_seat(story: Story) -> None:
    """000-A 8.2: 以到达比赛座位为准."""
    paired(story, regulations="xiangqi-1999")
    hall = arrive(story, 1, late=1000, place="hall")
    assert (hall["rulings"], result(story)) == ([], None)
    assert story.get(f"{T}/arrivals/{hall['arrival']}")["place"] == "hall"
    seat = arrive(story, 1, late=1100)
    assert (len(seat["rulings"]), result(story)) == (1, "-/+")
    # what was noted at the seat was the hall again
    assert story.refused(
        f"{T}/arrivals/{seat['arrival']}/correction", {"late": 1100, "place": "hall", "reason": "x"}, "arbiter"
    ) == (409, "arrival-noted")  # fmt: skip


def test_a_round_is_checked_in_by_its_boards_in_one_request_or_not_at_all(story: Story) -> None:
    paired(story)
    boards = [
        {"board": 1, "white": {"late": 0}, "black": {"late": 901}},
        {"board": 2, "white": {"late": 30, "place": "hall"}},
    ]
    path, checked = f"{T}/arrivals", {"round": 1, "boards": boards}
    assert story.refused(path, {"round": 1, "boards": [*boards, {"board": 9, "white": {"late": 0}}]}, "arbiter") == (
        404,
        "unknown-board",
    )
    assert story.get(f"{T}/arrivals")["arrivals"] == []

    answer = story.tell(path, checked, "arbiter")
    assert (answer["arrivals"], answer["rulings"], result(story)) == (["a1", "a2", "a3"], ["r4"], "+/-")
    first, second = story.get(f"{T}/arrivals?round=1")["boards"]
    assert (first["white"], first["black"]["absent"], first["black"]["late"]) == (
        {"player": 1, "arrival": "a1", "late": 0, "absent": False, "place": "seat"},
        False,
        901,
    )
    assert (second["white"]["place"], second["black"]["arrival"]) == ("hall", None)
    # who was not there yet is noted later, the others are corrected
    assert story.refused(path, checked, "arbiter") == (409, "arrival-noted")
    story.tell(
        path, {"round": 1, "boards": [{"board": 2, "white": {"late": 40}, "black": {"absent": True}}]}, "arbiter"
    )
    assert result(story, G2) == "+/-"


def test_an_arrival_is_corrected_after_the_next_round_is_paired_and_not_after_the_final_table(story: Story) -> None:
    paired(story, rounds=2)
    arrive(story, 2, late=1000)
    story.report("*", "1-0")
    story.paired([1, 3], [4, 2])
    correct(story, "a1", "chief_arbiter", late=10)
    assert (result(story), story.points()[1]) == (None, 0.0)
    # and the chief arbiter sees that a round was paired by what was noted
    late = {"seq": story.seq, "game": "T.1.1", "corrects": "a1", "by": "a3"}
    assert story.integrity() == {"arrivals": [late]}
    story.report("0-1")
    story.report("1/2-1/2", "1-0", round=2)
    story.tell(f"{T}/publications", {"final": True})
    sent = {"late": 20, "reason": "x"}
    assert story.refused(f"{T}/arrivals/a3/correction", sent, "arbiter") == (409, "tournament-closed")


def test_an_annulled_loss_stays_annulled_until_the_arrival_is_another(story: Story) -> None:
    paired(story)
    (loss,) = arrive(story, 1, late=1000)["rulings"]
    story.annul(loss)
    arrive(story, 2, absent=True)
    assert result(story) == "+/-"
    again = correct(story, "a1", absent=True)
    assert (len(again["rulings"]), result(story)) == (1, "-/-")
    # the annulment of what is no longer in force gives nothing back
    assert story.refused(f"{T}/rulings/{loss}/annulment", {"reason": "x"}, "appeals") == (409, "not-standing")


def test_a_break_noted_wrongly_is_corrected_or_void_and_those_after_it_are_counted_anew(story: Story) -> None:
    """000-B 注意 9, 12: one break of five minutes; one more is leaving the game."""
    story.announced(game="gomoku", regulations="gomoku-campus")
    story.paired([1, 2], [3, 4])
    tell = lambda seconds: story.tell(f"{G1}/breaks", {"player": 1, "seconds": seconds}, "arbiter")  # noqa: E731
    assert (tell(200)["break"], tell(100)["rulings"], result(story)) == ("b1", ["r3"], "0-1")
    assert story.get(f"{T}/rulings/r3")["breaks"] == ["b1", "b2"]

    # the first was another player's: the second is the only one, and allowed
    void = story.tell(f"{G1}/breaks/b1/correction", {"void": True, "reason": "player 3"}, "arbiter")
    assert (void["break"], void["rulings"], result(story)) == ("b4", [], None)
    # and when the second was longer, it loses again
    longer = story.tell(f"{G1}/breaks/b2/correction", {"seconds": 301, "reason": "seen on the film"}, "arbiter")
    (loss,) = longer["rulings"]
    assert (story.get(f"{T}/rulings/{loss}")["infraction"], result(story)) == ("long_break", "0-1")
    listed = {b["break"]: b for b in story.get(f"{G1}/breaks")["breaks"]}
    assert {id: (b["seconds"], b["in_force"]) for id, b in listed.items()} == {
        "b1": (200, False),
        "b2": (100, False),
        "b4": (None, True),
        "b5": (301, True),
    }
    assert story.get(f"{G1}/breaks/b5") == listed["b5"]
    assert story.refused(f"{G1}/breaks/b2/correction", {"void": True, "reason": "x"}, "arbiter") == (
        409,
        "not-in-force",
    )
