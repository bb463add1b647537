"""Score sheets of every game: who moves first, steps beside moves, swapped seats, and how each game ends."""

from hashlib import sha256

import pytest

from services.games.rules.commands import MakeOffer, Move, PlayMoves, TakeBack, TakeStep
from services.games.rules.kinds import ROWS, kind_of
from shared.events import GameEnded, GameStarted, MovePlayed, MovesTakenBack, OfferMade, StepTaken
from tests.rules.games_hall import ARBITER, BOARD, DRAW, G1, LOSS, PLAYER, WIN, Hall, moves

SALTS = {"black": "salt of the black seat", "white": "salt of the white seat"}


def play(said: str, ply: int = 1) -> PlayMoves:
    return PlayMoves(BOARD, G1, ply, moves(said))


def step(side: str, name: str, *values: str) -> TakeStep:
    return TakeStep(BOARD, G1, side, name, values)


def after(game: str, regulations: str, *commands: object) -> Hall:
    hall = Hall(game=game, regulations=regulations)
    for command in commands:
        hall.do(command)
    return hall


def seal(side: str, said: str) -> TakeStep:
    return step(side, "seal", sha256((SALTS[side] + said).encode()).hexdigest())


def reveal(side: str, said: str) -> TakeStep:
    return step(side, "reveal", SALTS[side], said)


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
    assert kind_of(hall.t).row.first == hall.reached().position.to_move() == first


def test_every_game_with_sheets_is_tried_above():
    assert set(ROWS) == {"chess", "xiangqi", "go", "renju", "gomoku", "prediction"}


@pytest.mark.parametrize(
    ("game", "regulations"), [("draughts", "campus"), ("chess", "go-campus"), ("twentyone", "campus")]
)
def test_a_game_that_the_regulations_have_no_rules_for_is_one_without_moves(game, regulations):
    assert kind_of(Hall(game=game, regulations=regulations).t) is None


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
    assert (refusal.code, refusal.detail) == ("out-of-turn", "ply 1 is black's to make, not white's")


def test_the_side_that_a_move_names_is_not_kept():
    assert after("go", "go-campus").do(named(("black", "q16"), ("white", "D4"))) == [
        MovePlayed(1, "Q16"),
        MovePlayed(2, "D4"),
        GameStarted(G1),
    ]


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
    assert refusal.detail == "dead: dead stones are called after both sides have passed"


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
        (step("white", "dispute", "C3"), "there is no stone on C3"),
        (step("white", "dispute", "Q16"), "Q16 was not called dead"),
        (step("white", "dispute"), "name what is disputed"),
        (step("black", "dispute", "D4"), "disputing is white's to do, not black's"),
        (step("black", "dead"), "naming dead stones is white's to do, not black's"),
        (step("white", "dead", "T20"), "there is no stone on T20"),
        (step("white", "confirm_end"), "white has confirmed the end already"),
    ],
)
def test_what_is_no_answer_to_dead_stones(command, said):
    refusal = go(play("Q16 D4 PASS PASS"), step("black", "dead", "D4")).refused(command)
    assert refusal.code == "illegal-step" and refusal.detail.endswith(said)
    assert refusal.article.startswith("000-A 围棋, 终局")


def test_a_point_off_the_board_is_refused():
    assert "no vertex of a 19 x 19 board" in go().refused(play("T20")).detail


# ---------------------------------------------------------------- renju


RENJU = ("renju", "campus")
OPENED = play("h8 h9 i9")


def test_after_a_swap_the_seats_hold_each_others_stones():
    hall = after(*RENJU, OPENED)
    assert hall.do(step("white", "swap")) == [StepTaken(4, "white", "swap")]
    assert hall.reached().position.to_move() == "black", "who had Black's stones now makes White's move"
    assert hall.do(play("h7", 5)) == [MovePlayed(5, "h7")]


def test_a_swap_declined_is_no_ply():
    hall = after(*RENJU, OPENED)
    assert hall.do(step("white", "keep")) == [StepTaken(3, "white", "keep")]
    assert hall.refused(step("white", "swap")).code == "illegal-step"
    assert hall.do(play("h7", 4)) == [MovePlayed(4, "h7")]


def test_two_fifth_stones_on_offer_are_one_ply_and_the_choice_none():
    hall = after(*RENJU, OPENED, play("h7", 4))
    assert hall.do(step("black", "offer_fifth", "G6", "j10")) == [StepTaken(5, "black", "offer_fifth", ("g6", "j10"))]
    assert hall.do(step("white", "choose_fifth", "j10")) == [StepTaken(5, "white", "choose_fifth", ("j10",))]
    assert hall.reached().position.to_move() == "white"
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
        ((), step("white", "swap"), "swap is not what the opening waits for"),
        ((OPENED,), step("black", "swap"), "swap is white's to do, not black's"),
        ((OPENED,), step("white", "offer_fifth", "a1", "a2"), "offer_fifth is not what the opening waits for"),
        (
            (OPENED, play("h7", 4)),
            step("white", "offer_fifth", "a1", "a2"),
            "offer_fifth is black's to do, not white's",
        ),
        ((OPENED, play("h7", 4)), step("black", "offer_fifth", "a1"), "2 different points are offered"),
        ((OPENED, *FIVE[:2]), step("white", "choose_fifth", "a1"), "g6 and j10 are offered"),
        ((OPENED, *FIVE[:2]), step("white", "choose_fifth", "g6", "j10"), "keeps one"),
        ((), step("black", "dead", "h8"), "the steps of renju are choose_fifth, keep, offer_fifth, opening, swap"),
    ],
)
def test_steps_of_the_opening_are_taken_when_due_and_by_whom_they_are_due(before, command, said):
    refusal = after(*RENJU, *before).refused(command)
    assert said in refusal.detail and refusal.where == "step"


@pytest.mark.parametrize("fed", ["swap", "opening 花月", "g6 j10"])
def test_what_is_a_step_is_no_move(fed):
    assert after(*RENJU, OPENED).refused(PlayMoves(BOARD, G1, 4, (Move(fed),))).code == "illegal-move"


def test_the_opening_waits_for_its_fifth_stones():
    refusal = after(*RENJU, OPENED, play("h7", 4)).refused(play("g6", 5))
    assert "the opening waits for a step, offer_fifth" in refusal.detail
    assert refusal.article == "000-A 五子棋, J, 2.D; 004 3.2 (3)"


def test_a_batch_sent_again_across_a_declined_swap_is_recognised():
    hall = after(*RENJU, OPENED, step("white", "keep"), play("h7", 4))
    assert hall.do(play("h8 h9 i9 h7")) == []


def test_a_move_sent_for_the_ply_of_a_swap_is_another():
    hall = after(*RENJU, OPENED, step("white", "swap"), play("h7", 5))
    refusal = hall.refused(play("i9 h7", 3))
    assert (refusal.code, refusal.detail) == ("other-move", "ply 4 is swap on the sheet, not h7")


# ---------------------------------------------------------------- gomoku


GOMOKU = ("gomoku", "gomoku-campus")


@pytest.mark.parametrize(("number", "first"), [("7", "black"), ("8", "white")])
def test_who_guesses_right_moves_first(number, first):
    hall = after(*GOMOKU)
    assert hall.do(step("black", "guess", "odd", number)) == [
        StepTaken(0, "black", "guess", ("odd", number)),
        GameStarted(G1),
    ]
    assert hall.reached().position.to_move() == first


def test_a_five_after_a_wrong_guess_wins_for_whites_seat():
    hall = after(*GOMOKU, step("black", "guess", "even", "3"))
    *_, ended = hall.do(play("h8 h9 i8 i9 j8 j9 k8 k9 l8"))
    assert (ended.termination, ended.white.points, ended.black.points) == ("five", 4, 0)


@pytest.mark.parametrize(
    ("before", "command", "said"),
    [
        ((), step("white", "guess", "odd", "3"), "guessing is black's to do, not white's"),
        ((), step("black", "guess", "three", "3"), "a guess is odd or even"),
        ((), step("black", "guess", "odd", "0"), "from 1"),
        ((step("black", "guess", "odd", "3"),), step("black", "guess", "odd", "4"), "guessed for once"),
        ((play("h8"),), step("black", "guess", "odd", "4"), "before the first stone"),
    ],
)
def test_the_first_hand_is_guessed_for_once_and_first(before, command, said):
    refusal = after(*GOMOKU, *before).refused(command)
    assert said in refusal.detail and refusal.article == "000-B 3"


@pytest.mark.parametrize(("fed", "said"), [("a1", "天元"), ("h8 a1", "own half")])
def test_the_first_stones_have_their_places(fed, said):
    refusal = after(*GOMOKU).refused(play(fed))
    assert said in refusal.detail and refusal.article == "000-B 2"


# ---------------------------------------------------------------- prediction


PREDICTION = ("prediction", "campus")
STONES = play("h8 i9 h9 i8")
SEALED = (STONES, seal("white", "黑子43手"), seal("black", "白子42手"))


def test_predictions_are_sealed_then_shown_and_settle_the_colours():
    hall = after(*PREDICTION, *SEALED)
    hall.do(reveal("black", "白子42手"))
    hall.do(reveal("white", "黑子43手"))
    assert hall.reached().position.to_move() == "white", "the first player thinks White better and takes him"
    assert hall.do(play("a1", 5)) == [MovePlayed(5, "a1")], "the predictions are no plies"


@pytest.mark.parametrize(
    ("before", "command", "said"),
    [
        ((), seal("black", "和"), "after the four stones"),
        ((STONES,), play("a1", 5), "sealed and revealed first"),
        ((STONES,), step("black", "seal", "白子42手"), "SHA-256"),
        ((STONES, seal("black", "和")), seal("black", "白子42手"), "black's prediction is sealed already"),
        ((STONES, seal("black", "和")), reveal("black", "和"), "once both are sealed"),
        (SEALED, reveal("black", "白子44手"), "not those that were sealed"),
        (SEALED, step("black", "reveal", "short", "白子42手"), "at least 16"),
        ((*SEALED, reveal("black", "白子42手")), reveal("black", "白子42手"), "shown already"),
    ],
)
def test_a_prediction_cannot_be_changed_or_seen_early(before, command, said):
    refusal = after(*PREDICTION, *before).refused(command)
    assert said in refusal.detail and refusal.article == "001 第三条 3"


def test_a_forbidden_stone_of_whites_loses_at_once():
    hall = after(*PREDICTION, play("a1 c3 a3 c4"), seal("black", "和"), seal("white", "和"), reveal("black", "和"))
    hall.do(reveal("white", "和"))
    *_, ended = hall.do(play("o1 d5 o3 e5 o5 c5", 5))
    assert (ended.termination, ended.white, ended.black) == ("forbidden_move", LOSS, WIN)


# ---------------------------------------------------------------- offers and moves taken back, whoever moves first


def test_an_offer_lapses_when_the_other_seat_moves():
    hall = after("go", "go-campus", play("Q16 D4"), MakeOffer(PLAYER, G1, "white", "draw"), play("C3", 3))
    assert hall.refused(MakeOffer(PLAYER, G1, "black", "accept")).code == "no-offer"


def test_the_own_stone_leaves_an_offer_standing():
    hall = after("go", "go-campus", play("Q16 D4"), MakeOffer(PLAYER, G1, "black", "draw"), play("C3", 3))
    line, ended = hall.do(MakeOffer(PLAYER, G1, "white", "accept"))
    assert line == OfferMade(3, "white", "accept") and (ended.white, ended.black) == (DRAW, DRAW)


def test_what_stood_before_the_moves_taken_back_still_stands():
    hall = after(*GOMOKU, step("black", "guess", "odd", "8"), play("h8 h9 i8"))
    hall.do(TakeBack(ARBITER, G1, 0, "agreement"))
    assert hall.reached().position.to_move() == "white", "the guess was before the first stone"


def test_a_swap_taken_back_gives_the_stones_back():
    hall = after(*RENJU, OPENED, step("white", "swap"))
    assert hall.do(TakeBack(ARBITER, G1, 3, "misrecorded")) == [MovesTakenBack(3, "misrecorded")]
    assert hall.reached().position.to_move() == "white"
    assert hall.do(step("white", "keep"))


def test_each_game_takes_moves_back_for_its_own_reasons():
    refusal = after("go", "go-campus", play("Q16 D4")).refused(TakeBack(ARBITER, G1, 0, "displaced_pieces"))
    assert refusal.code == "unknown-reason"
    assert refusal.detail == "moves of go are taken back for takes_back, scattered, agreement, ruling, misrecorded"


def test_a_ruling_that_asks_for_it_is_named_and_stands():
    hall = after("go", "go-campus", play("Q16 D4"))
    assert hall.refused(TakeBack(ARBITER, G1, 1, "ruling")).code == "ruling-missing"
    assert hall.refused(TakeBack(ARBITER, G1, 1, "ruling", "r9")).code == "unknown-ruling"
    ruling = hall.warned(G1)
    assert hall.do(TakeBack(ARBITER, G1, 1, "ruling", ruling)) == [MovesTakenBack(1, "ruling", ruling)]
    hall.annulled(ruling)
    assert hall.refused(TakeBack(ARBITER, G1, 0, "ruling", ruling)).code == "unknown-ruling"
