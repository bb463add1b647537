"""Openings and phases as steps of a score sheet: renju's swap and fifth stones, gomoku's guess, sealed predictions."""

from dataclasses import replace
from hashlib import sha256

import pytest

from services.games.rules.boards.port.position import IllegalMove, LegalMove, LegalStep
from services.games.rules.boards.renju.game import RenjuGame
from services.games.rules.commands import Move, PlayMoves
from shared.core.events import ColoursCorrected, GameStarted, MovePlayed, StepTaken
from shared.regulations import load
from tests.rules.games_hall import BOARD, G1, LOSS, WIN, TakeStep, after, play, step

SALTS = {"black": "salt of the black seat", "white": "salt of the white seat"}


def seal(side: str, said: str) -> TakeStep:
    return step(side, "seal", sha256((SALTS[side] + said).encode()).hexdigest())


def reveal(side: str, said: str) -> TakeStep:
    return step(side, "reveal", SALTS[side], said)


# ---------------------------------------------------------------- renju


RENJU = ("renju", "campus")
OPENED = play("h8 h9 i9")


def test_after_a_swap_the_seats_hold_each_others_stones():
    hall = after(*RENJU, OPENED)
    assert hall.do(step("white", "swap")) == [StepTaken(4, "white", "swap")]
    assert hall.state().position.to_move() == "black", "who had Black's stones now makes White's move"
    assert hall.do(play("h7", 5)) == [MovePlayed(5, "h7")]
    assert hall.state().position.facts() == {"black": "white", "opening": "花月"}


def test_a_swap_declined_is_no_ply():
    hall = after(*RENJU, OPENED)
    assert hall.do(step("white", "keep")) == [StepTaken(3, "white", "keep")]
    assert hall.refused(step("white", "swap")).code == "illegal-step"
    assert hall.do(play("h7", 4)) == [MovePlayed(4, "h7")]


def test_two_fifth_stones_on_offer_are_one_ply_and_the_choice_none():
    hall = after(*RENJU, OPENED, play("h7", 4))
    assert hall.do(step("black", "offer_fifth", "G6", "j10")) == [StepTaken(5, "black", "offer_fifth", ("g6", "j10"))]
    assert hall.do(step("white", "choose_fifth", "j10")) == [StepTaken(5, "white", "choose_fifth", ("j10",))]
    assert hall.state().position.to_move() == "white"
    assert hall.do(play("a1", 6)) == [MovePlayed(6, "a1")]


FIVE = play("h7", 4), step("black", "offer_fifth", "g6", "j10"), step("white", "choose_fifth", "g6")


def test_a_five_wins_for_the_seat_that_holds_the_stones():
    swapped = (play("h8 h9 g8"), step("white", "swap"), play("a1", 5))
    fifth = (step("white", "offer_fifth", "f8", "f7"), step("black", "choose_fifth", "f8"))
    hall = after(*RENJU, *swapped, *fifth)
    *_, ended = hall.do(play("a3 e8 a5 d8", 7))
    assert (ended.termination, ended.white, ended.black) == ("five", WIN, LOSS), "White's seat plays the black stones"


@pytest.mark.parametrize(
    ("before", "command", "said"),
    [
        ((), step("white", "swap"), "the opening does not expect the step swap now"),
        ((OPENED,), step("black", "swap"), "only white may do this, not black: swap"),
        ((OPENED,), step("white", "offer_fifth", "a1", "a2"), "the opening does not expect the step offer_fifth now"),
        (
            (OPENED, play("h7", 4)),
            step("white", "offer_fifth", "a1", "a2"),
            "only black may do this, not white: offer_fifth",
        ),
        ((OPENED, play("h7", 4)), step("black", "offer_fifth", "a1"), "exactly 2 different points must be offered"),
        ((OPENED, *FIVE[:2]), step("white", "choose_fifth", "a1"), "g6 and j10 are offered"),
        ((OPENED, *FIVE[:2]), step("white", "choose_fifth", "g6", "j10"), "must keep one"),
        (
            (),
            step("black", "dead", "h8"),
            "unknown step; games of renju have the steps "
            "byo_yomi, choose_fifth, guess, keep, offer_fifth, opening, set_clock, start_clocks, swap",
        ),
    ],
)
def test_steps_of_the_opening_are_taken_when_due_and_by_whom_they_are_due(before, command, said):
    refusal = after(*RENJU, *before).refused(command)
    assert said in str(refusal.detail) and refusal.where == "step"


def test_an_agreed_opening_is_named_first_and_then_kept_to():
    """指定打法 (004 3.2 (1))."""
    game = RenjuGame(replace(load("renju").game.rules["renju"], opening="agreed"))
    waits = game.play("h8")
    assert (
        isinstance(waits, IllegalMove)
        and str(waits.reason) == "the opening is not finished: the next step must be opening"
    )
    assert str(game.step("black", "opening", ("彗星",)).reason) == "彗星 is not allowed in professional games"
    assert str(game.step("white", "opening", ("花月",)).reason) == "only black may do this, not white: opening"
    assert game.step("black", "opening", ("花月",)) == LegalStep(("花月",))
    assert [game.play(move) for move in ("h8", "h9")] == [LegalMove("h8"), LegalMove("h9")]
    assert game.play("h10").article == "004 3.2 (1)"
    assert game.play("i9") == LegalMove("i9")
    assert game.facts() == {"black": "black", "opening": "花月"}


@pytest.mark.parametrize("fed", ["swap", "opening 花月", "g6 j10"])
def test_what_is_a_step_is_no_move(fed):
    assert after(*RENJU, OPENED).refused(PlayMoves(BOARD, G1, 4, (Move(fed),))).code == "illegal-move"


def test_the_opening_waits_for_its_fifth_stones():
    refusal = after(*RENJU, OPENED, play("h7", 4)).refused(play("g6", 5))
    assert "the opening is not finished: the next step must be offer_fifth" in str(refusal.detail)
    assert refusal.article == "000-A 五子棋, J, 2.D; 004 3.2 (3)"


def test_a_batch_sent_again_across_a_declined_swap_is_recognised():
    hall = after(*RENJU, OPENED, step("white", "keep"), play("h7", 4))
    assert hall.do(play("h8 h9 i9 h7")) == []


def test_a_move_sent_for_the_ply_of_a_swap_is_another():
    hall = after(*RENJU, OPENED, step("white", "swap"), play("h7", 5))
    refusal = hall.refused(play("i9 h7", 3))
    assert (refusal.code, str(refusal.detail)) == ("other-move", "ply 4 is swap on the sheet, not h7")


# ---------------------------------------------------------------- gomoku


GOMOKU = ("gomoku", "gomoku-campus")


@pytest.mark.parametrize(("number", "first", "exchanged"), [("7", "black", []), ("8", "white", [True])])
def test_who_guesses_right_moves_first(number, first, exchanged):
    """The pairings to come, and the table, know who had which colour."""
    hall = after(*GOMOKU)
    assert hall.do(step("black", "guess", "odd", number)) == [
        StepTaken(0, "black", "guess", ("odd", number)),
        GameStarted(G1),
        *(ColoursCorrected(G1, reversed) for reversed in exchanged),
    ]
    assert hall.state().position.to_move() == first


def test_a_five_after_a_wrong_guess_wins_for_whites_seat():
    hall = after(*GOMOKU, step("black", "guess", "even", "3"))
    *_, ended = hall.do(play("h8 h9 i8 i9 j8 j9 k8 k9 l8"))
    assert (ended.termination, ended.white.points, ended.black.points) == ("five", 4, 0)


@pytest.mark.parametrize(
    ("before", "command", "said"),
    [
        ((), step("white", "guess", "odd", "3"), "only black may do this, not white: guessing"),
        ((), step("black", "guess", "three", "3"), "a guess must be odd or even"),
        ((), step("black", "guess", "odd", "0"), "at least 1"),
        ((step("black", "guess", "odd", "3"),), step("black", "guess", "odd", "4"), "can be made only once"),
        ((play("h8"),), step("black", "guess", "odd", "4"), "before the first stone"),
    ],
)
def test_the_first_hand_is_guessed_for_once_and_first(before, command, said):
    refusal = after(*GOMOKU, *before).refused(command)
    assert said in str(refusal.detail) and refusal.article == "000-B 3"


@pytest.mark.parametrize(("fed", "said"), [("a1", "centre"), ("h8 a1", "White's half")])
def test_the_first_stones_have_their_places(fed, said):
    refusal = after(*GOMOKU).refused(play(fed))
    assert said in str(refusal.detail) and refusal.article == "000-B 2"


# ---------------------------------------------------------------- prediction


PREDICTION = ("prediction", "campus")
STONES = play("h8 i9 h9 i8")
SEALED = (STONES, seal("white", "黑子43手"), seal("black", "白子42手"))


def test_predictions_are_sealed_then_shown_and_settle_the_colours():
    hall = after(*PREDICTION, *SEALED)
    hall.do(reveal("black", "白子42手"))
    hall.do(reveal("white", "黑子43手"))
    assert hall.state().position.to_move() == "white", "the first player thinks White better and takes him"
    assert hall.do(play("a1", 5)) == [MovePlayed(5, "a1")], "the predictions are no plies"


@pytest.mark.parametrize(
    ("before", "command", "said"),
    [
        ((), seal("black", "和"), "after the four stones"),
        ((STONES,), play("a1", 5), "seal and reveal both predictions"),
        ((STONES,), step("black", "seal", "白子42手"), "SHA-256"),
        ((STONES, seal("black", "和")), seal("black", "白子42手"), "black's prediction is sealed already"),
        ((STONES, seal("black", "和")), reveal("black", "和"), "after both are sealed"),
        (SEALED, reveal("black", "白子44手"), "do not match the seal"),
        (SEALED, step("black", "reveal", "short", "白子42手"), "at least 16"),
        ((*SEALED, reveal("black", "白子42手")), reveal("black", "白子42手"), "already been revealed"),
    ],
)
def test_a_prediction_cannot_be_changed_or_seen_early(before, command, said):
    refusal = after(*PREDICTION, *before).refused(command)
    assert said in str(refusal.detail) and refusal.article == "001 第三条 3"


def test_a_forbidden_stone_of_whites_loses_at_once():
    hall = after(*PREDICTION, play("a1 c3 a3 c4"), seal("black", "和"), seal("white", "和"), reveal("black", "和"))
    hall.do(reveal("white", "和"))
    *_, ended = hall.do(play("o1 d5 o3 e5 o5 c5", 5))
    assert (ended.termination, ended.white, ended.black) == ("forbidden_move", LOSS, WIN)
