"""Go 围棋: the contest on the board given up, and settled by the chief arbiter (000-E 围棋, 5(4))."""

import pytest

from services.games.rules.boards.go.position import GIVEN_UP, KOMI
from services.games.rules.commands import Move, PlayMoves, TakeBack, TakeStep
from services.games.rules.judge.registry import answer
from shared.core.events import ClaimDecided, StepTaken
from tests.rules.games_court import Court, decided, findings
from tests.rules.games_hall import ARBITER, BOARD, CHIEF, G1, LOSS, WIN, Hall, after, play, step

GO = ("go", "go-campus")
WALLS = " ".join(f"J{row} L{row}" for row in range(1, 20))
"""Black has nine files, White nine, and between them the file K can still be contested: 180.5 to 180.5 where it is shared."""


def settle(*dead: str, by=CHIEF) -> TakeStep:
    return TakeStep(by, G1, "white", "settle", dead)


def given_up(side: str, *more: str) -> Hall:
    """The walls, further moves, and who is then to move gives up."""
    return after(*GO, play(" ".join((WALLS, *more))), step(side, "give_up"))


def test_where_nobody_gives_up_the_contested_points_are_shared():
    hall = after(*GO, play(f"{WALLS} PASS PASS"), step("black", "dead"))
    *_, ended = hall.do(step("white", "dead"))
    assert (ended.termination, ended.white, ended.black, ended.article) == ("counted", WIN, LOSS, KOMI)


def test_every_point_that_can_be_contested_goes_to_the_other_side():
    """190 to 171."""
    hall = given_up("white", "A1")
    *_, ended = hall.do(settle())
    assert (ended.termination, ended.white, ended.black) == ("counted", LOSS, WIN)
    assert ended.article == f"{GIVEN_UP}; {KOMI}"


@pytest.mark.parametrize(("dead", "marks"), [(("B2",), (LOSS, WIN)), ((), (WIN, LOSS))])
def test_the_chief_arbiter_says_which_stones_are_dead(dead, marks):
    """Black, who gives up, has 209 points with White's stone off; while it lives his whole side of the board is open."""
    wide = " ".join(f"L{row} N{row}" for row in range(1, 20))
    hall = after(*GO, play(f"{wide} A1 B2"), step("black", "give_up"))
    assert hall.do(settle(*dead))[0] == StepTaken(40, "white", "settle", dead)
    assert hall.marks(G1) == marks


def test_a_stone_named_dead_stands_for_its_group():
    hall = given_up("white", "A1")
    line, *_ = hall.do(settle("L7"))
    assert set(line.values) == {f"L{row}" for row in range(1, 20)}


def test_it_goes_by_the_seat_that_holds_the_stones():
    hall = after(*GO, play("J1 L1"), TakeStep(ARBITER, G1, "white", "correct_colours"))
    hall.do(play(f"{WALLS.removeprefix('J1 L1 ')} A1", 3))
    assert (
        str(hall.refused(step("white", "give_up")).detail)
        == "give_up: only black may do this, not white: giving up the contest"
    )
    hall.do(step("black", "give_up"))
    assert hall.state().position.facts() == {"black": "white", "given_up": "black"}
    hall.do(settle())
    assert hall.marks(G1) == (WIN, LOSS), "White's seat has the black stones, and the open points"


@pytest.mark.parametrize(
    "command",
    [
        play("K10", 40),
        play("PASS", 40),
        step("black", "confirm_end"),
        step("black", "dead"),
        step("white", "dead", "J1"),
        step("white", "dispute", "J1"),
        step("white", "give_up"),
        TakeStep(ARBITER, G1, "white", "correct_colours"),
    ],
)
def test_nothing_more_is_played_or_called(command):
    refusal = given_up("white", "A1").refused(command)
    assert refusal.code in ("illegal-step", "illegal-move") and refusal.article == GIVEN_UP
    assert "white has given up the contest" in str(refusal.detail)


@pytest.mark.parametrize("by", [ARBITER, BOARD])
def test_the_boundaries_are_the_chief_arbiters_to_settle(by):
    refusal = given_up("white", "A1").refused(settle(by=by))
    assert (refusal.code, "chief_arbiter" in str(refusal.detail)) == ("role-may-not", True)


@pytest.mark.parametrize(
    ("before", "command", "said"),
    [
        ((), settle(), "settle requires that a side has given up the contest"),
        ((play("Q16 D4"), step("black", "give_up")), settle("A1"), "A1 is empty"),
        ((play("Q16 D4"),), step("white", "give_up"), "only black may do this, not white: giving up"),
        ((play("Q16 D4"),), step("black", "give_up", "Q16"), "the step give_up must not have values"),
        ((play("Q16 D4 PASS PASS"),), step("black", "give_up"), "both sides have confirmed the end"),
    ],
)
def test_what_cannot_be_given_up_or_settled(before, command, said):
    refusal = after(*GO, *before).refused(command)
    assert refusal.code == "illegal-step" and said in str(refusal.detail) and refusal.article.startswith("000-")


def test_once_settled_the_game_is_over():
    hall = given_up("white", "A1")
    hall.do(settle())
    assert hall.refused(settle()).code == "game-over"


def test_moves_taken_back_take_the_word_with_them():
    hall = given_up("white", "A1")
    hall.do(TakeBack(ARBITER, G1, 38, "scattered"))
    assert hall.state().position.facts() == {"black": "black"}
    assert hall.do(PlayMoves(BOARD, G1, 39, (Move("K1"),)))


def test_colours_that_were_put_right_stay_so_when_moves_are_taken_back():
    hall = after(*GO, play("Q16 D4 Q4"), TakeStep(ARBITER, G1, "white", "correct_colours"))
    hall.do(TakeBack(ARBITER, G1, 1, "takes_back"))
    assert hall.state().position.facts() == {"black": "white"}


def test_a_stone_claimed_after_that_is_nobodys_foul():
    court = Court(*GO)
    court.play("Q16 D4")
    court.do(step("black", "give_up"))
    written = court.claims("illegal_move", "white", "K10", by=ARBITER)
    assert isinstance(decided(written), ClaimDecided) and findings(written) == []


# ---------------------------------------------------------------- the judge

OPEN = {"game": "go", "ask": "area", "size": 5, "moves": [[c, f"{f}{n}"] for n in range(1, 6) for c, f in ("bB", "wD")]}


@pytest.mark.parametrize(
    ("said", "counted"),
    [({}, (10, 10, 5)), ({"given_up": "w"}, (15, 10, 0)), ({"given_up": "b"}, (10, 15, 0))],
)
def test_the_judge_counts_the_open_points_for_the_other_side(said, counted):
    result = answer(OPEN | said)["answer"]
    assert (result["black"], result["white"], result["neutral"]) == counted


def test_the_judge_is_told_who_gave_up_by_colour():
    assert answer(OPEN | {"given_up": "white"})["error"]["where"] == "given_up"
