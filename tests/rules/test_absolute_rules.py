"""The absolute rules of a pairing, one by one (C.04.1, C.04.3 C1-C3)."""

import pytest

from services.pairing.rules.absolute_criteria import violations
from services.pairing.rules.pairing_input import input_of
from shared.core.events import Board, ByeSeat
from shared.core.terms import GameId, PlayerId
from tests.rules.pairing_story import Office


def broken(office: Office, *boards: tuple[int, int], byes: tuple[int, ...] = ()) -> list[tuple[str, tuple[int, ...]]]:
    """What the next round would break, so paired."""
    made = tuple(Board(n, GameId(f"x.{n}"), PlayerId(w), PlayerId(b)) for n, (w, b) in enumerate(boards, 1))
    allocated = tuple(ByeSeat(PlayerId(p), "U") for p in byes)
    found = violations(office.t, office.t.rounds_paired() + 1, made, allocated)
    return [(v.rule, v.players) for v in found]


def test_a_proper_pairing_breaks_nothing():
    assert broken(Office(5), (1, 3), (4, 2), byes=(5,)) == []


def test_who_has_played_each_other_does_not_meet_again():
    office = Office(4)
    office.play((1, 2), (3, 4))
    assert broken(office, (2, 1), (3, 4)) == [("rematch", (2, 1)), ("rematch", (3, 4))]


@pytest.mark.parametrize("forfeit", ["+/-", "-/+", "-/-"])
def test_a_forfeited_game_was_no_meeting(forfeit):
    office = Office(4)
    office.play((1, 2), (3, 4), said=forfeit)
    assert broken(office, (1, 2), (3, 4)) == []


def test_a_second_pairing_allocated_bye_is_one_too_many():
    office = Office(3)
    office.play((1, 2), bye=3)
    assert broken(office, (2, 1), byes=(3,)) == [("bye-eligibility", (3,)), ("rematch", (2, 1))]


@pytest.mark.parametrize(("kind", "barred"), [("F", True), ("H", False), ("Z", False)])
def test_a_win_unplayed_bars_from_the_bye_and_less_does_not(kind, barred):
    office = Office(5)
    office.do(office.bye(5, 1, kind))
    office.play((1, 2), (3, 4))
    found = broken(office, (1, 3), (4, 2), byes=(5,))
    assert found == ([("bye-eligibility", (5,))] if barred else [])


def test_a_win_by_forfeit_bars_from_the_bye_and_a_loss_by_forfeit_does_not():
    office = Office(5)
    office.play((1, 2), (3, 4), bye=5, said="+/-")
    assert broken(office, (2, 3), (4, 5), byes=(1,)) == [("bye-eligibility", (1,))]
    assert broken(office, (1, 3), (4, 5), byes=(2,)) == []


def test_there_is_one_bye_for_an_odd_number_and_none_for_an_even():
    assert broken(Office(4), (1, 2), byes=(3, 4)) == [("bye-count", (3, 4))]
    assert broken(Office(4), (1, 2), byes=(3,)) == [("unseated", (4,)), ("bye-count", (3,))]
    assert broken(Office(3), (1, 2), byes=(3,)) == []
    assert broken(Office(5), (1, 2), byes=(3, 4, 5)) == [("bye-count", (3, 4, 5))]


def test_everybody_present_has_a_seat():
    assert broken(Office(5), (1, 2)) == [("unseated", (3,)), ("unseated", (4,)), ("unseated", (5,))]


def test_nobody_has_two_seats():
    assert ("seated-once", (1,)) in broken(Office(4), (1, 2), (3, 1))
    assert ("seated-once", (1,)) in broken(Office(4), (1, 1), (2, 3))
    assert ("seated-once", (1,)) in broken(Office(5), (1, 2), (3, 4), byes=(1,))


def test_nobody_unknown_or_absent_has_a_seat():
    office = Office(6)
    office.do(office.leave(5))
    office.do(office.bye(6, 1))
    assert broken(office, (1, 5), (2, 6), (3, 99)) == [
        ("seated-once", (5,)), ("seated-once", (6,)), ("seated-once", (99,)), ("unseated", (4,)),
    ]  # fmt: skip


def test_nobody_has_three_times_the_same_colour_in_a_row():
    office = Office(6)
    office.play((6, 1), (3, 2), (5, 4))
    office.play((1, 2), (4, 3), (6, 5))
    office.play((1, 4), (2, 6), (3, 5))
    assert broken(office, (1, 3), (5, 2), (6, 4)) == [("colours", (1,))]
    assert broken(office, (3, 1), (5, 2), (6, 4)) == []


def test_a_game_by_forfeit_has_no_colour():
    office = Office(6)
    office.play((1, 2), (3, 4), (5, 6))
    office.play((1, 4), (6, 3), (2, 5), said="+/-")
    assert broken(office, (1, 6), (2, 3), (4, 5)) == []


def test_the_colour_difference_stays_within_two():
    office = Office(8)
    office.play((1, 2), (3, 4), (5, 6), (7, 8))
    office.play((1, 4), (6, 3), (2, 7), (8, 5))
    office.play((6, 1), (4, 2), (3, 8), (5, 7))
    office.play((1, 8), (7, 3), (2, 6), (4, 5))
    assert {s.player: s.colour_difference for s in input_of(office.t, 5, "white").players}[1] == 2
    assert ("colours", (1,)) in broken(office, (1, 3), (2, 5), (4, 7), (6, 8))
    assert ("colours", (1,)) not in broken(office, (3, 1), (2, 5), (4, 7), (6, 8))


def test_in_the_last_round_a_topscorers_board_is_excused():
    """C.04.3, 1.8: topscorers have more than half of what could be had."""
    for rounds, said in ((4, [("colours", (1,)), ("colours", (1,))]), (3, [])):
        office = Office(6, rounds=rounds)
        office.play((1, 2), (3, 4), (5, 6), said="1-0")
        office.play((1, 4), (6, 3), (2, 5), said="1-0")
        assert broken(office, (1, 6), (2, 3), (4, 5)) == said


def test_a_topscorer_has_more_than_half_of_the_points_and_who_has_just_half_is_none():
    """C.04.3, 1.8: over 50 % of the maximum when the last round is paired."""
    office = Office(6, rounds=3)
    office.play((1, 2), (3, 4), (5, 6), said="=")
    office.play((1, 4), (6, 3), (2, 5), said="=")
    assert {(s.score, s.topscorer) for s in input_of(office.t, 3, "white").players} == {(2, False)}
    assert broken(office, (1, 6), (2, 3), (4, 5)) == [("colours", (1,)), ("colours", (1,))]


def test_the_engine_pairs_two_with_just_half_of_the_points_by_their_colours():
    """C.04.3, 1.8 and C3: 3 and 4 alone have one point of two, both had White twice, and are no topscorers."""
    office = Office(8, rounds=3)
    office.pair((3, 1), (4, 2), (5, 6), (7, 8))
    office.results("0-1", "0-1", "-/-")
    office.pair((3, 5), (4, 6), (7, 1), (8, 2))
    office.results("1-0", "1-0", "0-1")
    pairs = {frozenset((b.white, b.black)) for b in office.pair().boards}
    assert {1, 2} in pairs, "topscorers, though both had Black twice"
    assert {3, 4} not in pairs


def test_other_formats_are_held_to_their_seats_only():
    office = Office(4, format="double_round_robin")
    office.play((1, 2))
    assert broken(office, (1, 2)) == []
    assert broken(office, (1, 1)) == [("seated-once", (1,))]


def test_floats_are_of_the_last_two_rounds():
    """C.04.3, 1.4: down against a lower score or for points unplayed, up against a higher; no float for nothing."""
    office = Office(6)
    office.do(office.bye(6, 1, "H"))
    office.do(office.bye(5, 1, "Z"))
    office.play((1, 2), (3, 4), said="1-0")
    office.play((6, 1), (5, 3), (2, 4))
    floats = {s.player: s.floats for s in input_of(office.t, 3, "white").players}
    assert floats[1] == ("down", None)
    assert floats[2] == (None, None)
    assert floats[5] == ("up", None)
    assert floats[6] == ("up", "down")
