"""Chess begun wrongly: another initial position, or the colours reversed (000-A 国际象棋, 不合规则 4, 5; Laws 7.2.1, 7.3)."""

from dataclasses import replace
from typing import Any

import chess
import pytest

from services.games.rules.boards.chess.position import COLOURS, INITIAL, ChessPosition
from services.games.rules.commands import (
    EndByAgreement,
    MakeClaim,
    MakeOffer,
    Move,
    PlayMoves,
    StartGame,
    TakeBack,
    TakeStep,
)
from services.pairing.rules.pairing_input import input_of
from shared.core.events import ColoursCorrected, GameStarted, MovesTakenBack, RegulationsAdopted, StepTaken
from shared.core.readings.scoring import scores_of_seated
from shared.core.state.grounds import english_text
from shared.core.terms import PAIRING, Actor, Period, Seconds, TimeControl
from shared.regulations import load
from tests.rules.games_court import Court, end, findings
from tests.rules.games_hall import ARBITER, BOARD, CHIEF, DRAW, G1, LOSS, PLAYER, WIN

ANNA, BORIS = Actor("1", "player", "t6"), Actor("2", "player", "t7")
"""Tokens on the numbers of the entries on White's and on Black's seat."""
QUIET = "a2a3 a7a6 b2b3 b7b6 c2c3 c7c6 d2d3 d7d6 e2e3 e7e6 f2f3 f7f6 g2g3 g7g6 h2h3 h7h6 a3a4 a6a5 b3b4 b6b5"
CORRECT = TakeStep(ARBITER, G1, "white", "correct_colours")
ANEW = TakeBack(ARBITER, G1, 0, "wrong_colours")
HOUR = TimeControl(
    "chess", (Period(Seconds(3600), 40), Period(Seconds(1800), 0)), Seconds(0), Seconds(0), "claimed", "6.1"
)


def court(regulations: str = "fide-2024", time: TimeControl | None = None) -> Court:
    hall = Court("chess", regulations)
    if time is not None:
        rules = load(regulations)
        hall.said(PAIRING, RegulationsAdopted(replace(rules, game=replace(rules.game, times=(time,)))))
    return hall


def begun(plies: int, *rest: Any) -> Court:
    """So many plies by FIDE's Laws."""
    hall = court()
    hall.play(" ".join(QUIET.split()[:plies]))
    for command in rest:
        hall.do(command)
    return hall


def read(hall: Court, white: int | None, black: int | None) -> Court:
    """A move of each side, with what their clocks then show."""
    hall.do(PlayMoves(BOARD, G1, 1, (Move("e2e4", white), Move("e7e5", black))))
    return hall


# ---------------------------------------------------------------- 不合规则 4: another initial position


@pytest.mark.parametrize("regulations", ["campus", "fide-2024", "fide-2026"])
def test_a_game_begun_from_another_position_is_void_and_played_anew(regulations):
    hall = court(regulations)
    hall.do(StartGame(BOARD, G1))
    hall.claims("flag", "black")
    read(hall, 3500, 3400)
    hall.offers("black")
    back = TakeBack(ARBITER, G1, 0, "initial_position")
    assert hall.do(back) == [MovesTakenBack(0, "initial_position")]
    assert hall.sheet().entries == [], "readings, offers and claims go with the moves, also those before the first one"
    assert (hall.state().clock("white"), hall.state().clock("black"), hall.state().pending.offer) == (None, None, None)
    assert hall.sheet().lines == 5, "and all of them stay on the sheet"
    assert hall.play("d2d4 d7d5", 3600)


@pytest.mark.parametrize(("reason", "article"), [("initial_position", INITIAL), ("wrong_colours", COLOURS)])
def test_a_game_that_is_void_has_no_moves_left(reason, article):
    refusal = begun(4).refused(TakeBack(ARBITER, G1, 2, reason))
    assert (refusal.code, refusal.where, refusal.article) == ("back-to-the-start", "to_ply", article)


def test_no_other_game_is_void_for_its_beginning():
    hall = Court("xiangqi", "xiangqi-1999")
    hall.play("h2e2")
    assert hall.refused(TakeBack(ARBITER, G1, 0, "initial_position")).code == "unknown-reason"


# ---------------------------------------------------------------- 不合规则 5: which way it goes


@pytest.mark.parametrize(("plies", "on"), [(1, False), (18, False), (19, False), (20, True)])
def test_before_ten_moves_of_both_sides_a_new_game_is_played_and_from_then_on_it_goes_on(plies, on):
    """Laws 7.3."""
    hall = begun(plies)
    if on:
        refusal = hall.refused(ANEW)
        assert (refusal.code, refusal.article) == ("colours-stand", COLOURS)
        assert hall.do(CORRECT) == [StepTaken(20, "white", "correct_colours"), ColoursCorrected(G1, True)]
    else:
        refusal = hall.refused(CORRECT)
        assert (refusal.code, refusal.article) == ("illegal-step", COLOURS)
        assert "unless both sides have made 10 moves, a new game must be played" in str(refusal.detail)
        assert hall.do(ANEW) == [MovesTakenBack(0, "wrong_colours")]


BLITZ = TimeControl("chess", (Period(Seconds(100), 0),), Seconds(10), Seconds(0), "claimed", "6.1")
A_MOVE = TimeControl("chess", (), Seconds(0), Seconds(30), "claimed", "6.1")


@pytest.mark.parametrize(
    ("what", "time", "white", "black", "anew"),
    [
        ("1800 of both hours' 7200 seconds are a quarter, and not over it", HOUR, 2700, 2700, True),
        ("1801 are", HOUR, 2699, 2700, False),
        ("one clock alone may have run so long", HOUR, 3599, 1500, False),
        ("a clock that was not read may have run for no time", HOUR, 1900, None, True),
        ("but the other alone is over it", HOUR, None, 1799, False),
        ("no clock was read: the arbiter's word", HOUR, None, None, True),
        ("no time control: the arbiter's word", None, 1, 1, True),
        ("no first limit, seconds a move: the arbiter's word", A_MOVE, 1, 1, True),
        ("what a move adds is used too: 51 of 200", BLITZ, 85, 84, False),
        ("50 of 200 are not over it", BLITZ, 85, 85, True),
    ],
)
def test_over_a_quarter_of_the_first_limit_the_game_goes_on_and_before_it_the_arbiter_may_begin_anew(
    what, time, white, black, anew
):
    """000-A 国际象棋, 不合规则 5."""
    assert read(court("campus", time), white, black).do(CORRECT), "it may go on at any time"
    hall = read(court("campus", time), white, black)
    if anew:
        assert hall.do(ANEW) == [MovesTakenBack(0, "wrong_colours")], what
    else:
        assert hall.refused(ANEW).code == "colours-stand", what


def test_before_the_first_move_the_pieces_are_changed_and_nothing_is_written():
    hall = court("campus")
    assert hall.refused(CORRECT).code == "illegal-step"
    assert hall.do(PlayMoves(BOARD, G1, 1, (Move("e2e4"),)))[-1] == GameStarted(G1)


def test_reversed_colours_are_an_arbiters_to_note():
    assert begun(20).refused(TakeStep(BOARD, G1, "white", "correct_colours")).code == "role-may-not"
    assert begun(20).refused(TakeStep(ARBITER, G1, "white", "correct_colours", ("e4",))).code == "illegal-step"


# ---------------------------------------------------------------- played on: everything is the right player's


def test_a_mate_by_whites_pieces_wins_for_blacks_seat():
    hall = court("campus")
    hall.play("e2e4 e7e5")
    hall.do(CORRECT)
    written = hall.play("d1h5 b8c6 f1c4 g8f6 h5f7")
    assert (end(written).termination, hall.marks(G1)) == ("checkmate", (LOSS, WIN))


def test_clocks_that_were_read_before_are_those_of_who_sat_there():
    hall = read(court("campus", HOUR), 3500, 3400)
    hall.do(CORRECT)
    reached = hall.state()
    assert (reached.clock("white"), reached.clock("black")) == (3400, 3500)
    assert (reached.position.to_move(), reached.movers) == ("black", ["black", "white"])
    *_, gained = hall.do(PlayMoves(BOARD, G1, 3, (Move("g1f3", 3501),)))
    assert (gained.kind, gained.player, english_text(gained.grounds)) == (
        "clock_gained", 2, "Black's clock shows 3501 seconds, 1 more than the 3500 it can",
    )  # fmt: skip
    assert len(hall.do(PlayMoves(BOARD, G1, 4, (Move("g8f6", 3400), Move("b1c3", 3499))))) == 2


def test_a_players_token_moves_the_pieces_that_he_has():
    hall = begun(20, CORRECT)
    assert hall.refused(PlayMoves(ANNA, G1, 21, (Move("b1d2"),))).code == "other-side"
    hall.do(PlayMoves(BORIS, G1, 21, (Move("b1d2", None, "black"),)))
    assert hall.do(PlayMoves(ANNA, G1, 22, (Move("b8d7", None, "white"),)))


def test_an_offer_made_before_is_that_of_who_made_it():
    hall = begun(20)
    hall.do(MakeOffer(PLAYER, G1, "black", "draw"))
    hall.do(CORRECT)
    assert hall.state().pending.offer == "white"
    hall.do(MakeOffer(PLAYER, G1, "black", "accept"))
    assert hall.marks(G1) == (DRAW, DRAW)


def test_a_wrong_claim_made_before_is_that_of_who_made_it():
    hall = begun(20)
    hall.claims("threefold_repetition", "white")
    hall.do(CORRECT)
    assert hall.state().pending.wrong == ("black",)


@pytest.mark.parametrize(("claim", "move", "found"), [("flag", None, "flag"), ("illegal_move", "e1e5", "illegal_move")])
def test_what_whites_pieces_did_is_found_on_black_s_seat(claim, move, found):
    hall = begun(20, CORRECT)
    written = hall.do(MakeClaim(ARBITER, G1, "white", claim, move))
    assert findings(written) == [(found, 2)]


def test_a_resignation_is_the_seats_own():
    hall = begun(20, CORRECT)
    hall.do(MakeClaim(PLAYER, G1, "white", "resignation"))
    assert hall.marks(G1) == (LOSS, WIN)


def test_who_can_win_and_whose_the_pieces_are_goes_by_seats():
    game = ChessPosition(chess.Board("4k3/8/8/8/8/8/8/4K2R w K - 0 1"))
    assert (game.can_win("white"), game.men()["h1"], game.facts()) == (True, "white", {})
    game.step("white", "correct_colours", ())
    assert (game.can_win("white"), game.can_win("black"), game.men()["h1"]) == (False, True, "black")
    assert game.facts() == {"black": "white"} and game.holder("white") == "black"
    assert game.fork().to_move() == game.to_move() == "black"
    assert game.text() == "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "the FEN stays one that every program reads"


# ---------------------------------------------------------------- the correction itself


def test_a_correction_stands_when_moves_are_taken_back():
    hall = begun(20, CORRECT)
    hall.play("b1d2")
    hall.do(TakeBack(ARBITER, G1, 4, "displaced_pieces"))
    assert hall.state().movers == ["black", "white"] * 2
    assert hall.do(TakeBack(CHIEF, G1, 0, "illegal_move"))
    assert hall.state().position.to_move() == "black"


def test_a_game_that_is_played_anew_begins_as_it_was_paired():
    hall = read(court("campus"), None, None)
    hall.do(CORRECT)
    hall.do(ANEW)
    assert hall.state().position.to_move() == "white"


def test_a_correction_that_was_wrong_is_corrected():
    hall = begun(20, CORRECT, CORRECT)
    assert hall.state().position.facts() == {}
    assert hall.state().movers == ["white", "black"] * 10


def sides_played(hall: Court) -> tuple[str | None, str | None]:
    """The colours of the first board's players, as tables and pairings count them."""
    round = scores_of_seated(hall.t, 1)
    game = hall.t.games[G1]
    return round[game.white].side, round[game.black].side


def test_the_colours_that_were_played_count_for_tables_and_pairings_to_come():
    hall = begun(20)
    assert sides_played(hall) == ("white", "black")
    assert hall.do(CORRECT) == [StepTaken(20, "white", "correct_colours"), ColoursCorrected(G1, True)]
    line = hall.t.seq
    assert sides_played(hall) == ("black", "white")
    hall.play("f1g2 f8g7")
    hall.do(EndByAgreement(ARBITER, G1))
    assert sides_played(hall) == ("black", "white")
    round = scores_of_seated(hall.t, 1)
    assert all(line in round[player].events for player in (hall.t.games[G1].white, hall.t.games[G1].black))
    colours = {seat.player: seat.colours for seat in input_of(hall.t, 2, "white").players}
    assert (colours[hall.t.games[G1].white], colours[hall.t.games[G1].black]) == ("b", "w")


@pytest.mark.parametrize("again", [ANEW, CORRECT])
def test_colours_put_back_are_those_of_the_pairing(again):
    hall = read(court("campus"), None, None)
    hall.do(CORRECT)
    assert sides_played(hall) == ("black", "white")
    written = hall.do(again)
    assert written[1:] == [ColoursCorrected(G1, False)]
    assert sides_played(hall) == ("white", "black")


def test_a_game_that_was_not_reversed_is_played_anew_without_a_word_on_its_colours():
    hall = read(court("campus"), None, None)
    assert hall.do(ANEW) == [MovesTakenBack(0, "wrong_colours")]


def test_a_batch_sent_again_across_a_correction_is_recognised():
    hall = begun(20, CORRECT)
    again = PlayMoves(BOARD, G1, 1, tuple(Move(move) for move in QUIET.split()))
    assert hall.do(again) == []


def test_regulations_from_before_leave_it_to_the_arbiter():
    for command in (CORRECT, ANEW):
        hall = court()
        rules = load("fide-2024")
        old = replace(rules.game, rules={"chess": replace(rules.game.rules["chess"], colours_until_moves=None)})
        hall.said(PAIRING, RegulationsAdopted(replace(rules, game=old)))
        hall.play("e2e4 e7e5")
        assert hall.do(command)
