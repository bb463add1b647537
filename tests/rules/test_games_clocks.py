"""Readings of the hall's clocks: what a time control allows, and what a reading of nothing left means."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.games.rules.boards.registry import increments_first
from services.games.rules.commands import MakeClaim, Move, PlayMoves, TakeStep
from services.games.rules.play.sheet.clocks import initial_reading, most_shown
from shared.core.events import ClaimDecided, ClaimMade, FindingMade, GameEnded, GameStarted, MovePlayed, StepTaken
from shared.core.state.grounds import ground
from shared.core.terms import Period, TimeControl
from tests.rules.games_hall import BOARD, G1, PLAYER, Hall

FLAG = "002-X 4.1.4, 22"
CONTROL = "002-X 6.1, 22"
MATE = "b2b5 f9e8 b5c5 b7g7"


def control(*periods: tuple[int, ...], increment: int = 0, byo_yomi: int = 0) -> TimeControl:
    return TimeControl("any", tuple(Period(*one) for one in periods), increment, byo_yomi, "at_once", "6")


CLASSICAL = control((7200, 40), (3600, 20), (900, 0, 30))


def read(*said: tuple[str, int | None], ply: int = 1) -> PlayMoves:
    return PlayMoves(BOARD, G1, ply, tuple(Move(move, clock) for move, clock in said))


def xiangqi(decisions: int = 2) -> Hall:
    return Hall(game="xiangqi", regulations="xiangqi-1999", decisions=decisions)


# ---------------------------------------------------------------- what a clock can show


@pytest.mark.parametrize(
    ("what", "time", "shown", "then", "now", "at_most"),
    [
        ("sudden death 包干: never more than before", control((900, 0)), 700, 9, 10, 700),
        ("an increment for each move since", control((300, 0), increment=3), 200, 9, 11, 206),
        ("forty moves made: the second period begins (002-X 6.1)", control((5400, 40), (900, 10)), 60, 39, 40, 960),
        ("thirty-nine do not", control((5400, 40), (900, 10)), 60, 38, 39, 60),
        ("the last period comes again and again", control((5400, 40), (900, 10)), 60, 49, 50, 960),
        ("two of them between two readings", control((5400, 40), (900, 10)), 60, 39, 50, 1860),
        ("one period for so many moves each (002-X 6.4)", control((300, 30)), 5, 29, 30, 305),
        ("an increment of the last period alone: not before it (40/7200:20/3600:900+30)", CLASSICAL, 700, 40, 59, 700),
        ("it comes with its period", CLASSICAL, 700, 59, 60, 1600),
        ("and adds to each of its moves", CLASSICAL, 700, 59, 63, 1690),
        ("an increment of the first period alone", control((60, 2, 5), (10, 0)), 7, 0, 4, 27),
        ("of a period that comes again", control((300, 30, 2)), 5, 29, 31, 309),
        ("byo-yomi 读秒 after the time is used up", control((1800, 0), byo_yomi=30), 0, 70, 71, 30),
        ("byo-yomi does not add to time that is left", control((1800, 0), byo_yomi=30), 600, 7, 8, 600),
        ("seconds a move, from the first on", control(byo_yomi=15), 2, 7, 8, 15),
    ],
)
def test_a_clock_gains_what_its_control_gives(what, time, shown, then, now, at_most):
    assert most_shown(time, shown, then, now) == at_most, what


@pytest.mark.parametrize(("time", "seconds"), [(control((5400, 40), (900, 10)), 5400), (control(byo_yomi=15), 15)])
def test_a_clock_begins_with_its_first_period(time, seconds):
    assert initial_reading(time) == seconds


@pytest.mark.parametrize(
    ("time", "shown"),
    [
        (control((5400, 0), increment=30), {0: 5430, 1: 5460, 2: 5490}),
        (CLASSICAL, {0: 7200, 39: 7200, 40: 10800, 59: 10800, 60: 11730, 61: 11760}),
        (control((300, 2), (60, 2), increment=5), {0: 305, 1: 310, 2: 375, 4: 445}),
        (control((300, 2, 5), (60, 2, 10)), {0: 305, 1: 310, 2: 380, 3: 390, 4: 460, 6: 540}),
        (control((300, 2, 5)), {0: 305, 2: 615, 4: 925}),
        (control(byo_yomi=15), {0: 15, 7: 15}),
    ],
    ids=[
        "from the start",
        "from where its period begins",
        "every period",
        "another in each",
        "again and again",
        "none",
    ],
)
def test_a_clock_with_increments_first_shows_each_before_its_move(time, shown):
    clock = increments_first(time)
    assert {moves: most_shown(clock, initial_reading(clock), 0, moves) for moves in shown} == shown


periods = st.lists(st.tuples(st.integers(1, 9000), st.integers(1, 60), st.integers(0, 30)), min_size=1, max_size=3)


@given(periods, st.integers(0, 30), st.integers(0, 9000), st.integers(0, 80), st.integers(0, 80), st.integers(0, 80))
def test_what_may_be_gained_does_not_depend_on_readings_in_between(rows, increment, shown, then, a, b):
    time = control(*rows, increment=increment)
    between = most_shown(time, shown, then, then + a)
    assert most_shown(time, between, then + a, then + a + b) == most_shown(time, shown, then, then + a + b)


# ---------------------------------------------------------------- readings on a sheet


def test_by_the_first_edition_of_decisions_a_clock_that_gains_time_is_refused():
    hall = xiangqi(decisions=1)
    hall.do(read(("h2e2", 5390), ("h9g7", 5380)))
    refusal = hall.refused(read(("h0g2", 5391), ply=3))
    assert (refusal.code, refusal.article, refusal.where) == ("clock-gains", CONTROL, "moves[0]")
    assert str(refusal.detail) == "ply 3: red's clock shows 5391 seconds, and can show 5390 at most"


def test_a_clock_that_gains_time_is_read_and_found():
    hall = xiangqi()
    hall.do(read(("h2e2", 5390), ("h9g7", 5380)))
    line, gained = hall.do(read(("h0g2", 5391), ply=3))
    assert line == MovePlayed(3, "h0g2", 5391)
    assert gained == FindingMade(
        "f2", G1, "clock_gained", 1, CONTROL, 3, True, gained.sheet,
        (ground("clock_gained", side="white", shown=5391, over=1, most=5390),),
    )  # fmt: skip
    assert hall.do(read(("i9h9", 5380), ("i0h0", 5391), ply=4)), "the game goes on, and is not found again"


def test_the_first_reading_is_not_above_the_whole_time():
    started, gained = xiangqi().do(read(("h2e2", 5401)))[1:]
    assert (type(started), gained.finding, gained.kind) == (GameStarted, "f2", "clock_gained")


def test_each_side_has_its_own_clock():
    hall = xiangqi()
    assert hall.do(read(("h2e2", 60), ("h9g7", 5400), ("h0g2", 59)))


def test_minutes_that_a_ruling_gives_the_opponent_may_show_on_his_clock():
    hall = xiangqi()
    hall.do(read(("h2e2", 5390), ("h9g7", 5380)))
    hall.warned(G1, seconds=120)
    assert len(hall.do(read(("h0g2", 5395), ply=3))) == 2, "player 1 himself got none: found"
    assert hall.do(read(("i9h9", 5500), ply=4)) == [
        MovePlayed(4, "i9h9", 5500),
        StepTaken(4, "black", "clock_shows", ("r1=120",)),
    ]


def test_without_a_time_control_a_reading_is_taken_as_it_is():
    hall = Hall()
    assert hall.do(read(("e4", 10), ("e5", 5), ("d4", 5000)))


def test_moves_without_readings_are_fed_as_well():
    assert xiangqi().do(read(("h2e2", None), ("h9g7", 5000), ("h0g2", None)))


# ---------------------------------------------------------------- nothing left


def test_a_clock_at_nothing_is_a_fallen_flag_though_the_move_was_made():
    """002-X 22.5: the last move without the clock pressed is late."""
    hall = xiangqi()
    *lines, started, found = hall.do(read(("h2e2", 3), ("h9g7", 0)))
    assert lines == [MovePlayed(1, "h2e2", 3), MovePlayed(2, "h9g7", 0)] and started == GameStarted(G1)
    assert found == FindingMade("f2", G1, "flag", 2, FLAG, 2, True, found.sheet)
    assert hall.refused(read(("h0g2", 2), ply=3)).code == "flag-found"


def test_a_mate_stands_though_the_flag_fell_with_it():
    hall = xiangqi()
    hall.do(PlayMoves(BOARD, G1, 1, tuple(Move(move) for move in MATE.split())))
    assert [type(one) for one in hall.do(read(("c5c9", 0), ply=5))] == [MovePlayed, GameEnded]


def test_no_move_of_a_batch_comes_after_a_fallen_flag():
    refusal = xiangqi().refused(read(("h2e2", 0), ("h9g7", 5000)))
    assert (refusal.code, refusal.where, refusal.article) == ("flag-found", "moves[1]", FLAG)


def test_where_flags_are_claimed_a_reading_of_nothing_waits_for_the_claim():
    hall = Hall()
    assert hall.do(read(("e4", 0))) == [MovePlayed(1, "e2e4", 0), GameStarted(G1)]
    made, decided, found = hall.do(MakeClaim(PLAYER, G1, "black", "flag"))
    assert (type(made), type(decided), found.kind, found.player) == (ClaimMade, ClaimDecided, "flag", 1)


def test_whose_flag_fell_is_told_by_the_seat_after_a_wrong_guess():
    hall = Hall(game="gomoku", regulations="gomoku-campus")
    hall.do(TakeStep(BOARD, G1, "black", "guess", ("odd", "8")))
    assert hall.do(read(("h8", 0)))[-1].player == 1, "White's seat has the black stones"
