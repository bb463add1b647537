"""The clock as a state: lateness 迟到, rulings, what a reading shows of them, clocks that are set."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.games.rules.boards.registry import variant_of
from services.games.rules.commands import MakeClaim, Move, PlayMoves, TakeBack, TakeStep
from services.games.rules.play.clock_state import ClockState, clock_state
from shared.core import events as ev
from shared.core.state.grounds import english_text
from shared.core.terms import GAMES, PENALTIES, Refusal
from tests.rules.games_hall import ARBITER, BOARD, CHIEF, G1, PLAYER, Hall
from tests.tiers import examples

LIMIT = 5400
SHUFFLE = ("a0a1", "a9a8", "a1a0", "a8a9")
"""Moves there and back, Red's and Black's by turns."""


class Clocks(Hall):
    """A xiangqi game of 1999 with 90 minutes for 40 moves (002-X 6.1): player 1 has Red, on White's seat."""

    def __init__(self, regulations: str = "xiangqi-1999") -> None:
        super().__init__(game="xiangqi", regulations=regulations)

    def arrived(self, player: int, late: int, place: Any = "seat") -> None:
        id = f"a{self.t.counts.get(PENALTIES, 0) + 1}"
        self.said(PENALTIES, ev.ArrivalNoted(player, G1, late, id, place))

    def ruled_clock(self, player: int, seconds: int, finding: str | None = None) -> str:
        """Seconds taken from the player (below 0), or given to the opponent."""
        ruling = f"r{self.t.counts.get(PENALTIES, 0) + 1}"
        effect = ev.Effect("adjust_clock", clock=seconds)
        self.said(PENALTIES, ev.RulingMade(ruling, player, 1, "foul", "002-X 23.3", effect, G1, finding=finding))
        return ruling

    def read(self, *clocks: int | None) -> list[Any]:
        """The next moves, with these readings."""
        ply = len(self.sheet().plies)
        moves = tuple(Move(SHUFFLE[(ply + n) % 4], clock) for n, clock in enumerate(clocks))
        return self.do(PlayMoves(BOARD, G1, ply + 1, moves))

    def set(self, side: str, *values: object) -> list[Any]:
        return self.do(TakeStep(ARBITER, G1, side, "set_clock", tuple(map(str, values))))

    def granted(self, side: str) -> int:
        """What rulings gave and no reading has shown by now: the next one may."""
        reading = self.sheet().state(variant_of(self.t)).readings.get(side)
        return 0 if reading is None else max(0, reading.credit)

    def clock(self, side: str) -> ClockState:
        return clock_state(self.t, self.t.games[G1], self.sheet().state(variant_of(self.t)), side)


def shown(hall: Clocks) -> tuple[int | None, int | None]:
    return hall.clock("white").clock, hall.clock("black").clock


# ---------------------------------------------------------------- lateness, 000-A 8.1-8.3; 002-X 21.1-21.3


@pytest.mark.parametrize(
    ("article", "late", "readings", "clocks"),
    [
        ("8.1: Red's clock ran from the start", {1: 600}, (), (4800, 5400)),
        ("8.1: Black's runs from his turn, which has not come", {2: 600}, (), (5400, 5400)),
        ("8.1: Black's runs from his turn, 30 seconds after the start", {2: 600}, (5370,), (5370, 4830)),
        ("8.1: he came before it was his turn", {2: 600}, (4700,), (4700, 5400)),
        ("8.2: the first reading has the lateness in it", {1: 600}, (4790,), (4790, 5400)),
        ("8.2: Black's too", {2: 600}, (5370, 4820), (5370, 4820)),
        ("8.2: a clock that was not started still has to lose it", {1: 600}, (5390,), (4790, 5400)),
        ("8.3: both are deducted 扣除双方迟到时间", {1: 300, 2: 420}, (), (5100, 4980)),
        ("8.3: both clocks were set back by hand", {1: 300, 2: 420}, (5080, 4970), (5080, 4970)),
        (
            "8.3: Black's clock ran from his turn at 320, the rest is deducted",
            {1: 300, 2: 420},
            (5080, 5290),
            (5080, 4970),
        ),
        ("21.2: in time loses nothing", {1: 0, 2: 0}, (5390, 5380), (5390, 5380)),
    ],
)
def test_lateness_is_taken_from_the_clock(article, late, readings, clocks):
    hall = Clocks()
    for player, seconds in late.items():
        hall.arrived(player, seconds)
    if readings:
        hall.read(*readings)
    assert shown(hall) == clocks, article


def test_an_arrival_that_is_noted_after_the_first_reading_is_in_it_already():
    hall = Clocks()
    hall.read(5370, 4820)
    hall.arrived(2, 570)
    assert shown(hall) == (5370, 4820), "8.1: his clock ran from his turn"


def test_who_comes_into_the_hall_alone_has_not_come_to_his_seat():
    hall = Clocks()
    hall.arrived(1, 600, "hall")
    assert shown(hall) == (5400, 5400), "002-X 21.2: 以到达比赛座位为准"


def test_by_the_laws_of_chess_a_clock_counts_by_turns_though_both_are_late():
    hall = Hall(game="chess", regulations="fide-2026")
    for n, (player, late) in enumerate(((1, 300), (2, 420)), 1):
        hall.said(PENALTIES, ev.ArrivalNoted(player, G1, late, f"a{n}"))
    state = clock_state(hall.t, hall.t.games[G1], hall.sheet().state(variant_of(hall.t)), "black")
    assert state.lateness == 0, "Laws 6.6: White loses the time until he arrives"


# ---------------------------------------------------------------- rulings, and what a reading shows of them


@pytest.mark.parametrize(
    ("what", "reading", "parts"),
    [
        ("not set yet: outstanding (23.3)", 5290, ClockState(5290, 0, -300, 0)),
        ("set: shown once", 4990, ClockState(4990, 0, 0, 0)),
        ("exactly what it should show", 5000, ClockState(5000, 0, 0, 0)),
        ("one second more is not it", 5001, ClockState(5001, 0, -300, 0)),
    ],
)
def test_seconds_that_a_ruling_takes_are_taken_once(what, reading, parts):
    hall = Clocks()
    hall.read(5300, 5300)
    hall.ruled_clock(1, -300)
    assert hall.clock("white") == ClockState(5300, 0, -300, 0)
    hall.read(reading)
    assert hall.clock("white") == parts, what


def test_a_finding_that_waits_for_its_ruling_takes_its_seconds_and_the_ruling_takes_no_more():
    hall = Clocks()
    hall.read(5300, 5300)
    found = hall.do(MakeClaim(PLAYER, G1, "white", "natural_limit"))[-1]
    assert hall.clock("white") == ClockState(5300, 0, -300, 0), "002-X 23.3: 加计5分钟"
    hall.said(PENALTIES, ev.FindingAnswered(found.finding))
    hall.ruled_clock(1, -300, found.finding)
    assert hall.clock("white") == ClockState(5300, 0, -300, 0)
    hall.read(4990)
    assert hall.clock("white") == ClockState(4990, 0, 0, 0)


def test_an_annulled_ruling_falls_away_while_it_is_outstanding():
    hall = Clocks()
    hall.read(5300, 5300)
    ruling = hall.ruled_clock(1, -300)
    hall.read(5290)
    hall.annulled(ruling)
    assert hall.clock("white") == ClockState(5290, 0, 0, 0)


@pytest.mark.parametrize(("player", "seconds", "reading", "back"), [(1, -300, 4990, 300), (2, 120, 5410, -120)])
def test_what_a_reading_shows_of_an_annulled_ruling_is_set_right_by_the_arbiter_alone(player, seconds, reading, back):
    hall = Clocks()
    hall.read(5300, 5300)
    ruling = hall.ruled_clock(player, seconds)
    hall.read(reading)
    hall.annulled(ruling)
    assert hall.clock("white") == ClockState(reading, 0, 0, back)
    hall.read(None)
    hall.set("white", reading + back)
    assert hall.clock("white") == ClockState(reading + back, 0, 0, 0)


def test_a_gift_may_show_once_and_what_is_above_it_is_found():
    hall = Clocks()
    hall.read(5300, 5300)
    hall.ruled_clock(2, 120)
    assert hall.clock("white").clock == 5420
    assert [line.step for line in hall.read(5290)[1:]] == ["clock_shows"], "it was not set yet, or is used"
    hall.read(5300)
    assert len(hall.read(5410)) == 1, "now the 120 seconds show"
    hall.read(5300)
    assert hall.read(5411)[-1].kind == "clock_gained"


def test_no_ruling_and_no_lateness_is_settled_by_a_clock_that_gained():
    hall = Clocks()
    hall.read(5300, 5300)
    hall.ruled_clock(1, -300)
    gained = hall.read(5301)[-1]
    assert (gained.kind, english_text(gained.grounds)) == (
        "clock_gained",
        "White's clock shows 5301 seconds, 1 more than the 5300 it can",
    )
    assert hall.clock("white") == ClockState(5301, 0, -300, 0)


def test_moves_taken_back_take_their_readings_along_and_leave_a_clock_that_was_set():
    hall = Clocks()
    hall.read(5300, 5300)
    hall.ruled_clock(1, -300)
    hall.read(4990, 5200)
    hall.do(TakeBack(ARBITER, G1, 2, "agreement"))
    assert hall.clock("white") == ClockState(5300, 0, -300, 0)
    hall.read(4990)
    hall.set("white", 4985)
    hall.do(TakeBack(ARBITER, G1, 2, "agreement"))
    assert hall.clock("white") == ClockState(4985, 0, 0, 0)


# ---------------------------------------------------------------- a flag by what rulings take


@pytest.mark.parametrize(("left", "late", "flag"), [(601, 0, False), (600, 0, True), (5000, 4500, True)])
def test_a_wrong_claim_that_overruns_what_is_left_is_a_flag(left, late, flag):
    """002-X 23.3: 若因此而超时,即判负. What is outstanding counts."""
    hall = Clocks()
    if late:
        hall.arrived(1, late)
    else:
        hall.read(left, 5300)
        hall.ruled_clock(1, -300)
    if late:
        hall.read(left, 5300)
        hall.ruled_clock(1, -300)
    kinds = [
        one.kind for one in hall.do(MakeClaim(PLAYER, G1, "white", "natural_limit")) if isinstance(one, ev.FindingMade)
    ]
    assert kinds == ["false_natural_limit"] + ["flag"] * flag


def test_a_clock_that_lateness_has_used_up_is_no_flag_by_itself():
    hall = Clocks()
    hall.arrived(1, 5400)
    assert hall.clock("white").clock == 0
    assert not any(isinstance(one, ev.FindingMade) for one in hall.read(5399))


# ---------------------------------------------------------------- clocks that are set


def test_a_faulty_clock_is_set_without_an_accused():
    """002-X 22.4; 000-E 围棋 5(5)."""
    hall = Clocks()
    hall.read(5300, 100)
    (line,) = hall.set("black", 5200, "fault")
    assert line == ev.StepTaken(2, "black", "set_clock", ("5200", "fault"))
    assert shown(hall) == (5300, 5200)
    assert len(hall.read(5290, 5190)) == 2, "nothing is found"
    assert not hall.t.rulings


def test_a_clock_that_was_set_shows_what_stands_by_then():
    hall = Clocks()
    hall.arrived(1, 600)
    hall.read(5390, 5300)
    ruling = hall.ruled_clock(1, -300)
    (line,) = hall.set("white", 4490)
    assert line.values == ("4490", "lateness=-600", f"{ruling}=-300")
    assert hall.clock("white") == ClockState(4490, 0, 0, 0)
    hall.annulled(ruling)
    assert hall.clock("white") == ClockState(4490, 0, 0, 300)


@pytest.mark.parametrize(
    "values", [(), ("-1",), ("86401",), ("5m",), ("60", "why"), ("60", "r1=-300"), ("60", "fault", "1")]
)
def test_a_clock_is_set_to_seconds_and_nothing_else(values):
    hall = Clocks()
    hall.read(5300)
    refusal = hall.refused(TakeStep(CHIEF, G1, "white", "set_clock", values))
    assert (refusal.code, refusal.article, refusal.where) == ("bad-seconds", "002-X 22.4", "values")


def test_only_an_arbiter_sets_a_clock_and_only_of_a_game_that_was_started():
    hall = Clocks()
    assert hall.refused(TakeStep(ARBITER, G1, "white", "set_clock", ("60",))).code == "not-started"
    hall.read(5300)
    for actor in (BOARD, PLAYER):
        refusal = hall.refused(TakeStep(actor, G1, "white", "set_clock", ("60",)))
        assert (refusal.kind, refusal.code) == ("authority", "role-may-not")


def test_what_a_clock_shows_is_nobodys_to_say():
    hall = Clocks()
    hall.read(5300)
    assert hall.refused(TakeStep(CHIEF, G1, "white", "clock_shows", ("r1=-300",))).code == "no-such-step"


def test_by_the_first_edition_of_decisions_no_clock_is_set():
    hall = Hall(game="xiangqi", regulations="xiangqi-1999", decisions=1)
    hall.do(PlayMoves(BOARD, G1, 1, (Move("a0a1", 5300),)))
    assert hall.refused(TakeStep(CHIEF, G1, "white", "set_clock", ("60",))).code == "no-such-step"


# ---------------------------------------------------------------- no clock gains time without a ruling

ACTS = st.one_of(
    st.tuples(st.just("read"), st.integers(0, LIMIT + 400)),
    st.tuples(st.just("move"), st.none()),
    st.tuples(st.just("take"), st.integers(1, 700)),
    st.tuples(st.just("give"), st.integers(1, 700)),
    st.tuples(st.just("annul"), st.integers(0, 30)),
    st.tuples(st.just("late"), st.integers(0, 900)),
    st.tuples(st.just("set"), st.integers(0, LIMIT)),
    st.tuples(st.just("back"), st.integers(1, 4)),
)


def _act(hall: Clocks, act: str, value: Any) -> tuple[str, list[Any]]:
    """What was done, and what it wrote; nothing where it could not be done."""
    ply = len(hall.sheet().plies)
    match act:
        case "read" | "move":
            command = PlayMoves(BOARD, G1, ply + 1, (Move(SHUFFLE[ply % 4], value),))
            if isinstance(hall.world.decide(GAMES, command), Refusal):
                return "", []
            return act, hall.do(command)
        case "take" | "give":
            hall.ruled_clock(1 if act == "take" else 2, -value if act == "take" else value)
        case "annul":
            standing = [id for id in (*hall.t.rulings, *hall.t.annulments) if hall.t.is_in_force(id)]
            if not standing:
                return "", []
            hall.annulled(standing[value % len(standing)])
        case "late":
            hall.arrived(1 + value % 2, value)
        case "set" | "back":
            command = (
                TakeStep(ARBITER, G1, "white", "set_clock", (str(value),))
                if act == "set"
                else TakeBack(ARBITER, G1, max(0, ply - value), "agreement")
            )
            if isinstance(hall.world.decide(GAMES, command), Refusal):
                return "", []
            return act, hall.do(command)
    return act, []


@settings(max_examples=examples(120), deadline=None)
@given(st.lists(ACTS, max_size=30))
def test_no_clock_gains_time_without_a_ruling(acts):
    """Moves and readings alone never raise a clock above what rulings gave and no reading showed, unless it is found;
    every command is rebuilt and decided again."""
    hall = Clocks()
    for act, value in acts:
        before, granted = hall.clock("white"), hall.granted("white")
        done, written = _act(hall, act, value)
        after = hall.clock("white")
        assert before.left is not None and after.left is not None
        if done in ("read", "move") and not any(isinstance(one, ev.FindingMade) for one in written):
            assert after.left <= before.left + granted + (900 if len(hall.sheet().plies) % 20 == 19 else 0)
        if done == "set":
            assert (after.left, after.lateness, after.rulings, after.given_back) == (value, 0, 0, 0)
        assert after.clock == max(0, after.left)
