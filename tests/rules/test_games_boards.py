"""Score sheets of every game: who moves first, steps beside moves, swapped seats, and how each game ends."""

from dataclasses import replace

import pytest

from services.games.rules.boards.registry import variant_of
from services.games.rules.commands import MakeClaim, MakeOffer, Move, PlayMoves, TakeBack, TakeStep
from shared.core.events import (
    GameEnded,
    GameStarted,
    MovePlayed,
    MovesTakenBack,
    OfferMade,
    RegulationsAdopted,
    StepTaken,
)
from shared.core.rulebook.game_rules import GameRules
from shared.core.terms import PAIRING, Actor
from shared.regulations import load
from tests.rules.games_hall import ARBITER, BOARD, DRAW, G1, G2, LOSS, PLAYER, WIN, Hall, after, moves, play, step

# ---------------------------------------------------------------- which games have sheets


@pytest.mark.parametrize(
    ("game", "regulations", "first"),
    [
        ("chess", "fide-2026", "white"),
        ("xiangqi", "xiangqi-1999", "white"),
        ("go", "go-campus", "black"),
        ("renju", "renju", "black"),
        ("gomoku", "gomoku-campus", "black"),
        ("prediction", "campus", "black"),
    ],
)
def test_who_moves_first_is_the_games(game, regulations, first):
    hall = Hall(game=game, regulations=regulations)
    assert variant_of(hall.t).rules.first == hall.state().position.to_move() == first


@pytest.mark.parametrize(
    ("game", "regulations"), [("draughts", "campus"), ("chess", "go-campus"), ("twentyone", "campus")]
)
def test_a_game_that_the_regulations_have_no_rules_for_is_one_without_moves(game, regulations):
    assert variant_of(Hall(game=game, regulations=regulations).t) is None


@pytest.mark.parametrize(("game", "sheets"), [("chess", True), ("xiangqi", False)])
def test_regulations_from_before_they_held_rules_have_sheets_of_chess_alone(game, sheets):
    hall = Hall(game=game)
    hall.said(PAIRING, RegulationsAdopted(replace(load("campus"), game=GameRules("14", "chess"))))
    kind = variant_of(hall.t)
    assert (kind is not None) == sheets
    if kind is not None:
        assert hall.do(play("e4 e5"))


def test_a_game_is_played_on_by_the_regulations_that_it_was_started_by():
    small = replace(
        load("go-campus"),
        game=replace(load("go-campus").game, rules={"go": replace(load("go-campus").game.rules["go"], size=9)}),
    )
    hall = after("go", "go-campus", play("Q16 D4"))
    hall.said(PAIRING, RegulationsAdopted(small))
    assert hall.do(play("T19", 3)) == [MovePlayed(3, "T19")]
    assert "9 x 9 board" in str(hall.refused(PlayMoves(BOARD, G2, 1, moves("T19"))).detail)


# ---------------------------------------------------------------- xiangqi


def test_xiangqi_is_written_in_iccs_whichever_way_it_is_read():
    written = Hall(game="xiangqi", regulations="xiangqi-1999").do(play("炮二平五 馬８進７ h0g2"))
    assert written == [MovePlayed(1, "h2e2"), MovePlayed(2, "h9g7"), MovePlayed(3, "h0g2"), GameStarted(G1)]


def test_a_xiangqi_move_that_leaves_the_general_in_check_is_refused_with_its_article():
    refusal = after("xiangqi", "xiangqi-1999", play("h2e2 a9a8 e2e6")).refused(play("d9e8", 4))
    assert (refusal.code, refusal.article) == ("illegal-move", "002-X 3.1, 4.1.6; 000-A 2.5")


def test_a_mate_in_xiangqi_ends_the_game():
    *_, ended = Hall(game="xiangqi", regulations="xiangqi-1999").do(play("b2b5 f9e8 b5c5 b7g7 c5c9"))
    assert (ended.termination, ended.white, ended.black) == ("checkmate", WIN, LOSS)


# ---------------------------------------------------------------- turns, as whoever feeds moves names them


def named(*said: tuple[str, str], ply: int = 1) -> PlayMoves:
    return PlayMoves(BOARD, G1, ply, tuple(Move(move, None, side) for side, move in said))


@pytest.mark.parametrize(
    ("game", "regulations", "first", "wrong", "article"),
    [
        ("chess", "campus", [("white", "e4")], ("white", "d4"), "000-A 国际象棋, 违例 4; Laws 1.2"),
        ("xiangqi", "campus", [("white", "h2e2")], ("white", "h0g2"), "002-X 2.1; 000-A 7.4"),
        ("go", "campus", [("black", "Q16")], ("black", "D4"), "000-A 围棋, 违例 4"),
    ],
)
def test_two_moves_in_a_row_are_refused(game, regulations, first, wrong, article):
    refusal = Hall(game=game, regulations=regulations).refused(named(*first, wrong))
    assert (refusal.code, refusal.article, refusal.where) == ("two-in-a-row", article, "moves[1]")


def test_a_move_out_of_turn_is_refused_with_whose_turn_it_is():
    refusal = Hall(game="go", regulations="go-campus").refused(named(("white", "Q16")))
    assert (refusal.code, str(refusal.detail)) == ("out-of-turn", "black must make ply 1, not white")


def test_the_side_that_a_move_names_is_not_kept():
    assert after("go", "go-campus").do(named(("black", "q16"), ("white", "D4"))) == [
        MovePlayed(1, "Q16"),
        MovePlayed(2, "D4"),
        GameStarted(G1),
    ]


FIRST, SECOND = Actor("1", "player", "p1"), Actor("2", "player", "p2")
"""Players whose tokens are on the numbers of their entries: White's and Black's of this game."""


@pytest.mark.parametrize(
    "command",
    [
        PlayMoves(FIRST, G1, 3, moves("C3")),
        TakeStep(FIRST, G1, "black", "confirm_end"),
        MakeOffer(FIRST, G1, "black", "draw"),
        MakeClaim(FIRST, G1, "black", "resignation"),
    ],
)
def test_a_player_speaks_for_his_own_side_alone(command):
    hall = after("go", "go-campus", play("Q16 D4"))
    refusal = hall.refused(command)
    assert (refusal.kind, refusal.code) == ("authority", "other-side")
    assert str(refusal.detail) == "black of T.1.1 is player 2, but your login is that of player 1"
    assert hall.do(replace(command, actor=SECOND))


def test_after_a_swap_a_player_moves_the_other_stones():
    hall = after("renju", "campus", play("h8 h9 i9"), step("white", "swap"))
    assert hall.refused(PlayMoves(FIRST, G1, 5, moves("h7"))).code == "other-side"
    assert hall.do(PlayMoves(SECOND, G1, 5, moves("h7")))


# ---------------------------------------------------------------- go


def go(*commands: object) -> Hall:
    return after("go", "go-campus", *commands)


def test_go_ends_when_both_have_passed_and_said_what_is_dead():
    hall = go(play("Q16 D4 PASS PASS"))
    assert hall.do(step("black", "dead", "D4")) == [StepTaken(4, "black", "dead", ("D4",))]
    line, ended = hall.do(step("white", "dead", "D4"))
    assert line == StepTaken(4, "white", "dead", ("D4",))
    assert ended == GameEnded(G1, LOSS, WIN, "counted", "000-A 围棋, 贴子", ended.sheet)


def test_the_end_is_confirmed_by_word_too_and_by_both():
    hall = go(play("Q16 D4"))
    hall.do(step("white", "confirm_end"))
    assert hall.refused(step("white", "dead")).code == "illegal-step"
    hall.do(step("black", "confirm_end"))
    hall.do(step("black", "dead"))
    assert hall.do(step("white", "dead"))[-1].termination == "counted"


def test_a_stone_after_a_word_of_ending_plays_on():
    hall = go(play("Q16 D4"), step("black", "confirm_end"), play("C3", 3), step("white", "confirm_end"))
    refusal = hall.refused(step("white", "dead"))
    assert (
        str(refusal.detail) == "dead: dead stones can be listed only after both sides have passed or confirmed the end"
    )


def test_after_both_confirm_nothing_is_played_on():
    refusal = go(play("Q16 D4 PASS PASS")).refused(play("C3", 5))
    assert (refusal.code, refusal.article) == ("illegal-move", "000-A 围棋, 终局 (2)")


def test_disputed_stones_are_shared_as_seki():
    hall = go(play("Q16 D4 PASS PASS"), step("black", "dead", "D4"))
    line, ended = hall.do(step("white", "dispute", "D4"))
    assert line == StepTaken(4, "white", "dispute", ("D4",))
    assert (ended.termination, ended.white, ended.black) == ("counted", WIN, LOSS), "nothing but neutral points"


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (step("white", "dispute", "C3"), "C3 is empty"),
        (step("white", "dispute", "Q16"), "Q16 was not listed as dead"),
        (step("white", "dispute"), "name what is disputed"),
        (step("black", "dispute", "D4"), "only white may do this, not black: disputing"),
        (step("black", "dead"), "only white may do this, not black: naming dead stones"),
        (step("white", "dead", "T20"), "T20 is empty"),
        (step("white", "confirm_end"), "white has confirmed the end already"),
    ],
)
def test_what_is_no_answer_to_dead_stones(command, said):
    refusal = go(play("Q16 D4 PASS PASS"), step("black", "dead", "D4")).refused(command)
    assert refusal.code == "illegal-step" and str(refusal.detail).endswith(said)
    assert refusal.article.startswith("000-A 围棋, 终局")


def test_colours_taken_by_mistake_are_put_right_up_to_the_tenth_move():
    ten = "Q16 D4 Q4 D16 C3 C4 D3 E3 E2 F2"
    hall = go(play(ten))
    assert hall.do(TakeStep(ARBITER, G1, "white", "correct_colours")) == [StepTaken(10, "white", "correct_colours")]
    assert hall.state().position.facts() == {"black": "white"}
    assert hall.state().position.to_move() == "white"
    late = go(play(f"{ten} F3")).refused(TakeStep(ARBITER, G1, "white", "correct_colours"))
    assert (late.code, late.article) == ("illegal-step", "000-A 围棋, 行棋 1")


def test_the_colours_are_an_arbiters_to_put_right():
    assert go(play("Q16 D4")).refused(step("black", "correct_colours")).code == "role-may-not"


def test_after_a_correction_the_count_is_for_the_seat_that_holds_the_stones():
    hall = go(play("Q16 D4"), TakeStep(ARBITER, G1, "black", "correct_colours"), play("PASS PASS", 3))
    hall.do(step("white", "dead", "D4"))
    *_, ended = hall.do(step("black", "dead", "D4"))
    assert (ended.white, ended.black) == (WIN, LOSS)


def test_a_point_off_the_board_is_refused():
    assert "neither a vertex of a 19 x 19 board" in str(go().refused(play("T20")).detail)


# ---------------------------------------------------------------- offers and moves taken back, whoever moves first


def test_an_offer_lapses_when_the_other_seat_moves():
    hall = after("go", "go-campus", play("Q16 D4"), MakeOffer(PLAYER, G1, "white", "draw"), play("C3", 3))
    assert hall.refused(MakeOffer(PLAYER, G1, "black", "accept")).code == "no-offer"


def test_the_own_stone_leaves_an_offer_standing():
    hall = after("go", "go-campus", play("Q16 D4"), MakeOffer(PLAYER, G1, "black", "draw"), play("C3", 3))
    line, ended = hall.do(MakeOffer(PLAYER, G1, "white", "accept"))
    assert line == OfferMade(3, "white", "accept") and (ended.white, ended.black) == (DRAW, DRAW)


def test_what_stood_before_the_moves_taken_back_still_stands():
    hall = after("gomoku", "gomoku-campus", step("black", "guess", "odd", "8"), play("h8 h9 i8"))
    hall.do(TakeBack(ARBITER, G1, 0, "agreement"))
    assert hall.state().position.to_move() == "white", "the guess was before the first stone"


def test_a_swap_taken_back_gives_the_stones_back():
    hall = after("renju", "campus", play("h8 h9 i9"), step("white", "swap"))
    assert hall.do(TakeBack(ARBITER, G1, 3, "misrecorded")) == [MovesTakenBack(3, "misrecorded")]
    assert hall.state().position.to_move() == "white"
    assert hall.do(step("white", "keep"))


def test_each_game_takes_moves_back_for_its_own_reasons():
    refusal = after("go", "go-campus", play("Q16 D4")).refused(TakeBack(ARBITER, G1, 0, "displaced_pieces"))
    assert refusal.code == "unknown-reason"
    assert (
        str(refusal.detail)
        == "moves of go can be taken back only for these reasons: takes_back, scattered, agreement, ruling, misrecorded"
    )


def test_a_ruling_that_asks_for_it_is_named_and_stands():
    hall = after("go", "go-campus", play("Q16 D4"))
    assert hall.refused(TakeBack(ARBITER, G1, 1, "ruling")).code == "ruling-missing"
    assert hall.refused(TakeBack(ARBITER, G1, 1, "ruling", "r9")).code == "unknown-ruling"
    ruling = hall.warned(G1)
    assert hall.do(TakeBack(ARBITER, G1, 1, "ruling", ruling)) == [MovesTakenBack(1, "ruling", ruling)]
    hall.annulled(ruling)
    assert hall.refused(TakeBack(ARBITER, G1, 0, "ruling", ruling)).code == "unknown-ruling"
