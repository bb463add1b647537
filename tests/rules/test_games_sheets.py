"""Score sheets: moves in batches, natural ends, offers, claims, the flag."""

import pytest

from services.games.rules import RULES
from services.games.rules.boards.registry import variant_of
from services.games.rules.commands import (
    EndByAgreement,
    MakeClaim,
    MakeOffer,
    Move,
    PlayMoves,
    ReportResults,
    Result,
    StartGame,
    TakeBack,
)
from services.games.rules.play.sheet.sheet import Sheet
from shared.core.events import (
    ClaimDecided,
    ClaimMade,
    ClaimPending,
    FindingAnswered,
    FindingMade,
    GameEnded,
    GameStarted,
    MovePlayed,
    MovesTakenBack,
    OfferMade,
    SheetRef,
)
from shared.core.terms import PENALTIES
from shared.regulations import load
from tests.rules.games_hall import (
    ARBITER,
    AUDITOR,
    BOARD,
    CHIEF,
    DRAW,
    FORFEIT,
    G1,
    G2,
    LOSS,
    PLAYER,
    WALKOVER,
    WIN,
    Hall,
    moves,
)

FOOLS_MATE = "f3 e5 g4 Qh4#"
BARE_WHITE_KING = (
    "e4 c6 Bb5 cxb5 a4 bxa4 b4 axb3 Nh3 bxc2 Ra3 cxd1=B Ra5 Qxa5 g4 Bxg4 Bb2 Bxh3 Nc3 Qxc3 f4 Qxb2 d4 Qxd4 Rg1 Qxg1+ "
    "Kd2 Qxh2+ Kc1 Qxf4+ Kc2 Qxe4+"
)
FLAG = load("campus").game.flag_article


def play(said: str, ply: int = 1, by=BOARD, game: str = G1, clock: int | None = None) -> PlayMoves:
    return PlayMoves(by, game, ply, moves(said, clock))


def after(said: str, **options) -> Hall:
    hall = Hall(**options)
    hall.do(play(said))
    return hall


# ---------------------------------------------------------------- moves


def test_the_first_moves_start_the_game_and_are_kept_in_uci():
    hall = Hall()
    written = hall.do(PlayMoves(BOARD, G1, 1, (Move("e4", 5399), Move("e7e5", None))))
    assert written == [MovePlayed(1, "e2e4", 5399), MovePlayed(2, "e7e5"), GameStarted(G1)]
    assert hall.do(play("Nf3", 3)) == [MovePlayed(3, "g1f3")]


def test_a_game_that_the_arbiter_started_is_not_started_again():
    hall = Hall()
    hall.do(StartGame(ARBITER, G1))
    assert hall.do(play("e4")) == [MovePlayed(1, "e2e4")]


def test_a_repeated_batch_writes_nothing_in_either_notation():
    hall = after("e4 e5 Nf3")
    assert hall.do(play("e4 e5 Nf3")) == []
    assert hall.do(play("e7e5 g1f3", 2)) == []


def test_a_batch_that_overlaps_the_sheet_writes_its_new_moves():
    assert after("e4 e5").do(play("e5 Nf3 Nc6", 2)) == [MovePlayed(3, "g1f3"), MovePlayed(4, "b8c6")]


def test_the_last_batch_of_an_ended_game_is_still_recognised():
    hall = after(FOOLS_MATE)
    assert hall.do(play("g4 Qh4", 3)) == []


def test_a_gap_is_refused_with_the_ply_expected():
    refusal = after("e4 e5").refused(play("Nc6", 4))
    assert refusal.code == "gap" and "but must begin at ply 3" in str(refusal.detail)


def test_another_move_for_a_ply_on_the_sheet_is_refused():
    refusal = after("e4 e5").refused(play("e4 c5 Nf3"))
    assert (refusal.code, refusal.where) == ("other-move", "moves[1]")
    assert "ply 2 is e7e5" in str(refusal.detail)


def test_an_illegal_move_refuses_the_whole_batch_and_names_ply_reason_and_article():
    hall = after("e4 e5")
    refusal = hall.refused(play("Nf3 Ke6 d4", 3))
    assert (refusal.kind, refusal.code, refusal.where) == ("rule", "illegal-move", "moves[1]")
    assert str(refusal.detail) == "ply 4, Ke6: none of the pieces can make this move"
    assert refusal.article == "000-A 国际象棋, 不合规则 1; Laws 3.10"
    assert len(hall.sheet().moves) == 2


@pytest.mark.parametrize(
    "command, code",
    [
        (PlayMoves(BOARD, G1, 1, ()), "empty-batch"),
        (PlayMoves(BOARD, G1, 0, moves("e4")), "empty-batch"),
        (PlayMoves(BOARD, G1, 1, moves("e4 " * 5_001)), "game-too-long"),
        (PlayMoves(BOARD, G1, 5000, moves("e4 e5")), "game-too-long"),
        (play("e4", game="T.3.1"), "unknown-game"),
        (play("e4", by=AUDITOR), "role-may-not"),
    ],
)
def test_batches_that_are_not_taken(command, code):
    assert Hall().refused(command).code == code


@pytest.mark.parametrize("by", [BOARD, PLAYER, ARBITER, CHIEF])
def test_devices_players_and_arbiters_feed_moves(by):
    assert Hall().do(play("e4", by=by))


def test_games_without_score_sheets_take_results_alone():
    hall = Hall(game="halma")
    for command in (play("e4"), MakeClaim(ARBITER, G1, "white", "resignation"), EndByAgreement(ARBITER, G1)):
        refusal = hall.refused(command)
        assert (refusal.code, refusal.see) == ("no-score-sheet", "/v1/tournaments/T/results")


def test_nothing_is_played_in_a_game_whose_result_was_reported():
    hall = after("e4")
    hall.do(ReportResults(ARBITER, (Result(G1, DRAW, DRAW),)))
    assert hall.refused(play("e5", 2)).code == "game-over"


def test_a_game_lost_by_ruling_stands_still_and_goes_on_when_the_ruling_falls():
    hall = after("e4")
    ruling = hall.ruled(G1, LOSS, WIN)
    assert ruling in str(hall.refused(play("e5", 2)).detail)
    hall.annulled(ruling)
    assert hall.do(play("e5", 2)) == [MovePlayed(2, "e7e5")]


def test_after_the_final_table_nothing_is_played():
    hall = after("e4")
    hall.published_final()
    assert hall.refused(play("e5", 2)).code == "tournament-closed"


# ---------------------------------------------------------------- natural ends


def test_checkmate_ends_the_game_within_the_command_that_brought_it():
    hall = Hall()
    *lines, started, ended = hall.do(play(FOOLS_MATE))
    assert [m.move for m in lines] == ["f2f3", "e7e5", "g2g4", "d8h4"]
    assert started == GameStarted(G1)
    assert ended == GameEnded(
        G1, LOSS, WIN, "checkmate", "000-A 国际象棋, 对局结束 1; Laws 5.1.1", SheetRef(4, "0" * 64)
    )
    assert hall.marks(G1) == (LOSS, WIN)


def test_moves_after_a_natural_end_refuse_the_batch():
    refusal = Hall().refused(play(FOOLS_MATE + " a3"))
    assert (refusal.code, refusal.where) == ("game-over", "moves[4]")


def test_nothing_is_played_after_mate():
    assert after(FOOLS_MATE).refused(play("a3", 5)).code == "game-over"


def test_stalemate_draws_with_the_points_of_the_regulations():
    # Sam Loyd's ten-move stalemate
    said = "e3 a5 Qh5 Ra6 Qxa5 h5 Qxc7 Rah6 h4 f6 Qxd7+ Kf7 Qxb7 Qd3 Qxb8 Qh7 Qxc8 Kg6 Qe6"
    *_, ended = Hall().do(play(said))
    assert (ended.termination, ended.white, ended.black) == ("stalemate", DRAW, DRAW)


def test_an_ended_game_takes_no_result_from_the_hall():
    refusal = after(FOOLS_MATE).refused(ReportResults(ARBITER, (Result(G1, DRAW, DRAW),)))
    assert refusal.code == "result-exists"


# ---------------------------------------------------------------- offers


def test_an_accepted_offer_draws_the_game():
    hall = after("e4 e5")
    assert hall.do(MakeOffer(PLAYER, G1, "black", "draw")) == [OfferMade(2, "black", "draw")]
    line, ended = hall.do(MakeOffer(PLAYER, G1, "white", "accept"))
    assert line == OfferMade(2, "white", "accept")
    assert (ended.termination, ended.white, ended.black) == ("agreement", DRAW, DRAW)
    assert ended.article.startswith("000-A 国际象棋, 对局结束 6")


@pytest.mark.parametrize(
    "answered, how", [("by word", MakeOffer(PLAYER, G1, "white", "decline")), ("by a move", play("Nf3", 3))]
)
def test_an_offer_is_refused_by_word_or_by_a_move(answered, how):
    hall = after("e4 e5")
    hall.do(MakeOffer(PLAYER, G1, "black", "draw"))
    hall.do(how)
    assert hall.refused(MakeOffer(PLAYER, G1, "white", "accept")).code == "no-offer", answered


def test_the_offering_sides_own_move_leaves_the_offer_standing():
    hall = after("e4 e5")
    hall.do(MakeOffer(PLAYER, G1, "white", "draw"))
    hall.do(play("Nf3", 3))
    assert hall.do(MakeOffer(PLAYER, G1, "black", "accept"))[-1].termination == "agreement"


@pytest.mark.parametrize("side", ["white", "black"])
def test_nobody_offers_while_an_offer_stands(side):
    hall = after("e4 e5", regulations="fide-2026")
    hall.do(MakeOffer(PLAYER, G1, "black", "draw"))
    assert hall.refused(MakeOffer(PLAYER, G1, side, "draw")).code == "offer-stands"


def test_nobody_accepts_or_declines_the_own_offer():
    hall = after("e4 e5")
    hall.do(MakeOffer(PLAYER, G1, "black", "draw"))
    for answer in ("accept", "decline"):
        assert hall.refused(MakeOffer(PLAYER, G1, "black", answer)).code == "no-offer"


def test_the_arbiter_notes_a_draw_agreed_at_the_board():
    hall = after("e4 e5")
    assert hall.refused(EndByAgreement(PLAYER, G1)).kind == "authority"
    (ended,) = hall.do(EndByAgreement(ARBITER, G1))
    assert ended.termination == "agreement" and ended.sheet.lines == 2


@pytest.mark.parametrize(
    "command",
    [
        MakeOffer(PLAYER, G1, "white", "draw"),
        MakeClaim(PLAYER, G1, "white", "resignation"),
        MakeClaim(ARBITER, G1, "white", "flag"),
        EndByAgreement(ARBITER, G1),
        TakeBack(ARBITER, G1, 0, "misrecorded"),
    ],
)
def test_a_game_that_has_not_been_started_is_neither_drawn_nor_resigned(command):
    assert Hall().refused(command).code == "not-started"


# ---------------------------------------------------------------- resignation and the flag


def test_resignation_loses_the_game():
    hall = after("e4 e5")
    made, decided, ended = hall.do(MakeClaim(PLAYER, G1, "white", "resignation"))
    assert made == ClaimMade(2, "white", "resignation", id="c1")
    assert decided == ClaimDecided(2, "resignation", True, "000-A 国际象棋, 对局结束 2; Laws 5.1.2", id="c1")
    assert (ended.termination, ended.white, ended.black, ended.sheet.lines) == ("resignation", LOSS, WIN, 4)


def test_a_flag_called_by_the_arbiter_is_a_finding_and_no_end():
    hall = after("e4 e5")
    made, decided, found = hall.do(MakeClaim(ARBITER, G1, "white", "flag"))
    assert (made, decided) == (ClaimMade(2, "white", "flag", id="c1"), ClaimDecided(2, "flag", True, FLAG, id="c1"))
    assert found == FindingMade("f2", G1, "flag", 2, FLAG, 2, True, SheetRef(4, "0" * 64))
    assert hall.marks(G1) is None, "penalties answers with the loss"


def test_the_finding_bears_the_number_of_its_event():
    hall = after("e4 e5")
    hall.do(play("d4 d5", game=G2))
    found = hall.do(MakeClaim(ARBITER, G1, "black", "flag"))[-1]
    assert (found.finding, found.player) == ("f3", 1)


def test_a_player_may_claim_a_flag_that_the_sheet_shows():
    hall = after("e4")
    hall.do(play("e5", 2, clock=0))
    assert isinstance(hall.do(MakeClaim(PLAYER, G1, "white", "flag"))[-1], FindingMade)


@pytest.mark.parametrize("clock", [None, 1])
@pytest.mark.parametrize("by", [PLAYER, BOARD])
def test_a_flag_that_the_sheet_does_not_show_waits_for_an_arbiter_and_the_game_goes_on(by, clock):
    hall = after("e4")
    hall.do(play("e5", 2, clock=clock))
    assert hall.do(MakeClaim(by, G1, "white", "flag")) == [
        ClaimMade(2, "white", "flag", id="c1"),
        ClaimPending("c1", G1, "flag", 2, "white", 1, 2, FLAG),
    ]
    assert hall.do(play("Nf3", 3))


def test_the_own_empty_clock_is_no_claim_on_the_opponents():
    hall = Hall()
    hall.do(play("e4", clock=0))
    assert isinstance(hall.do(MakeClaim(PLAYER, G1, "white", "flag"))[-1], ClaimPending)


def test_nothing_is_played_between_a_flag_and_its_ruling():
    hall = after("e4 e5")
    hall.do(MakeClaim(ARBITER, G1, "white", "flag"))
    for command in (play("Nf3", 3), MakeClaim(ARBITER, G1, "white", "flag"), EndByAgreement(ARBITER, G1)):
        assert hall.refused(command).code == "flag-found"
    hall.said(PENALTIES, FindingAnswered("f2"))
    assert hall.do(play("Nf3", 3))


def test_a_lone_king_does_not_win_by_the_opponents_flag():
    hall = after(BARE_WHITE_KING)
    assert hall.do(MakeClaim(ARBITER, G1, "white", "flag"))[-1].opponent_can_win is False


def test_the_flag_rule_is_that_of_the_regulations_in_force():
    hall = after("e4 e5", regulations="fide-2026")
    assert hall.do(MakeClaim(ARBITER, G1, "white", "flag"))[-1].article == "Laws 6.9"


# ---------------------------------------------------------------- moves taken back


def test_moves_taken_back_stay_on_the_sheet_and_no_longer_count():
    hall = after("e4 e5 Nf3")
    assert hall.do(TakeBack(ARBITER, G1, 1, "illegal_move")) == [MovesTakenBack(1, "illegal_move")]
    assert [m.move for m in hall.sheet().moves] == ["e2e4"]
    assert hall.sheet().lines == 4
    assert hall.do(play("c5", 2)) == [MovePlayed(2, "c7c5")]


def test_readings_and_offers_go_with_the_moves_taken_back():
    hall = after("e4")
    hall.do(play("e5", 2, clock=0))
    hall.do(MakeOffer(PLAYER, G1, "black", "draw"))
    hall.do(TakeBack(CHIEF, G1, 1, "misrecorded"))
    assert (hall.state().clock("black"), hall.state().pending.offer) == (None, None)


@pytest.mark.parametrize(
    "command, code",
    [
        (TakeBack(ARBITER, G1, 3, "illegal_move"), "nothing-to-take-back"),
        (TakeBack(ARBITER, G1, -1, "illegal_move"), "nothing-to-take-back"),
        (TakeBack(ARBITER, G1, 1, "because"), "unknown-reason"),
        (TakeBack(BOARD, G1, 1, "illegal_move"), "role-may-not"),
        (TakeBack(PLAYER, G1, 1, "illegal_move"), "role-may-not"),
    ],
)
def test_what_is_not_taken_back(command, code):
    assert after("e4 e5 Nf3").refused(command).code == code


# ---------------------------------------------------------------- the fold


def test_a_fork_of_a_sheet_goes_its_own_way():
    hall = after("e4 e5")
    fork: Sheet = RULES.fork_sheet(hall.sheet())
    fork.evolve(MovePlayed(3, "g1f3"))
    assert len(hall.sheet().moves) == 2
    assert fork.position(variant_of(hall.t)).text() != hall.state().position.text()


def test_deciding_changes_nothing_of_the_sheet():
    hall = after("e4 e5")
    before = hall.state().position.text()
    hall.world.decide("/services/games", play("Nf3 Nc6", 3))
    hall.world.decide("/services/games", play("Nf3 Nf3", 3))
    assert hall.state().position.text() == before


def test_a_sheet_folded_at_once_is_the_one_folded_line_by_line():
    hall = after("e4 e5 Nf3")
    hall.do(TakeBack(ARBITER, G1, 1, "misrecorded"))
    hall.do(play("c5 Nf3 d6", 2))
    again = RULES.new_sheet(G1)
    for line in hall.world.sheet_lines[G1]:
        RULES.evolve_sheet(again, line)
    assert again.moves == hall.sheet().moves
    assert again.position(variant_of(hall.t)).text() == hall.state().position.text()


def test_walkovers_need_no_sheet():
    hall = Hall()
    hall.do(ReportResults(ARBITER, (Result(G1, WALKOVER, FORFEIT),)))
    assert hall.refused(play("e4")).code == "game-over"
