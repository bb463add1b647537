"""Results from the hall, corrections, starts: what is reported, and what must be corrected instead."""

from dataclasses import replace

import pytest

from services.games.rules import RULES
from services.games.rules.commands import Correct, Place, ReportResults, Result, StartGame
from shared.core.events import (
    GameStarted,
    OfficialDismissed,
    PairingWithdrawn,
    RegulationsAdopted,
    ResultCorrected,
    ResultReported,
)
from shared.core.state.outcomes import NOTATION, Share, mark_of, marks_of, most_together, notation_of
from shared.core.state.tournament import TournamentState
from shared.core.terms import PAIRING, Actor, Mark, TextRef
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
    WALKOVER,
    WIN,
    Hall,
)

REASON = TextRef("a" * 64)
POINTS = load("campus").points


def report(*results: tuple[object, ...], by: Actor = ARBITER) -> ReportResults:
    return ReportResults(by, tuple(Result(*r) for r in results))


def correct(*results: tuple[object, ...], by: Actor = ARBITER) -> Correct:
    return Correct(by, tuple(Result(*r) for r in results), REASON)


@pytest.mark.parametrize(
    "written, marks",
    [
        ("1-0", (WIN, LOSS)),
        ("0-1", (LOSS, WIN)),
        ("1/2-1/2", (DRAW, DRAW)),
        ("0-0", (LOSS, LOSS)),
        ("+/-", (WALKOVER, FORFEIT)),
        ("-/+", (FORFEIT, WALKOVER)),
        ("-/-", (FORFEIT, FORFEIT)),
    ],
)
def test_a_notation_is_two_marks_and_two_marks_are_a_notation(written, marks):
    assert tuple(mark_of(POINTS, share) for share in NOTATION[written]) == marks
    assert notation_of(POINTS, *marks) == written


def test_marks_that_no_notation_says_have_none():
    assert notation_of(POINTS, DRAW, LOSS) is None


def test_points_come_from_the_regulations():
    three = replace(POINTS, win=6, draw=2)
    assert marks_of(three, "white") == (Mark(6, True), Mark(0, True))
    assert marks_of(three, None) == (Mark(2, True), Mark(2, True))


def test_the_hall_reports_a_round_by_boards_in_one_command():
    hall = Hall()
    said = report((Place(1, 1), Share.WIN, Share.LOSS), (Place(1, 2), Share.WALKOVER, Share.FORFEIT))
    assert hall.do(said) == [ResultReported(G1, WIN, LOSS), ResultReported(G2, WALKOVER, FORFEIT)]
    assert hall.marks(G1) == (WIN, LOSS)


def test_a_result_is_said_of_the_pairing_that_stands():
    hall = Hall()
    hall.said(PAIRING, PairingWithdrawn(1, 1))
    hall.pair(1)
    assert hall.do(report((Place(1, 1), Share.DRAW, Share.DRAW))) == [ResultReported("T.2.1", DRAW, DRAW)]
    assert hall.refused(report((G1, DRAW, DRAW))).code == "pairing-withdrawn"


def test_a_second_result_for_a_board_is_refused_and_the_correction_pointed_to():
    hall = Hall()
    hall.do(report((G1, WIN, LOSS)))
    refusal = hall.refused(report((G2, WIN, LOSS), (G1, LOSS, WIN)))
    assert (refusal.kind, refusal.code, refusal.where) == ("rule", "result-exists", "results[1]")
    assert refusal.see == "/v1/tournaments/T/corrections"
    assert hall.marks(G2) is None, "all or nothing"


def test_a_board_decided_by_a_ruling_takes_a_result_only_once_the_ruling_falls():
    hall = Hall()
    ruling = hall.ruled(G1, LOSS, WIN)
    refusal = hall.refused(report((G1, DRAW, DRAW)))
    assert refusal.code == "result-exists" and ruling in str(refusal.detail)
    hall.annulled(ruling)
    hall.do(report((G1, DRAW, DRAW)))
    assert hall.marks(G1) == (DRAW, DRAW)


@pytest.mark.parametrize(
    "results, kind, code",
    [
        ((), "invalid", "no-results"),
        (((Place(9, 1), WIN, LOSS),), "unknown", "unknown-round"),
        (((Place(1, 9), WIN, LOSS),), "unknown", "unknown-board"),
        ((("T.7.1", WIN, LOSS),), "unknown", "unknown-game"),
        (((G1, WIN, LOSS), (Place(1, 1), WIN, LOSS)), "invalid", "board-twice"),
        (((G1, Mark(3, True), LOSS),), "invalid", "points-out-of-range"),
        (((G1, Mark(-1, True), LOSS),), "invalid", "points-out-of-range"),
        (((G1, WIN, FORFEIT),), "invalid", "half-played"),
    ],
)
def test_what_cannot_be_reported(results, kind, code):
    refusal = Hall().refused(report(*results))
    assert (refusal.kind, refusal.code) == (kind, code)


def test_that_both_sides_lose_a_game_that_was_played_is_the_chief_arbiters_to_say():
    hall = Hall()
    refusal = hall.refused(report((G1, LOSS, LOSS)))
    assert (refusal.kind, refusal.code, refusal.see) == ("authority", "role-may-not", f"/v1/games/{G1}/decision")
    assert "行棋 3" in refusal.article
    hall.do(report((G1, LOSS, LOSS), by=CHIEF))
    assert hall.marks(G1) == (LOSS, LOSS)


@pytest.mark.parametrize("white, black", [(WIN, WIN), (WIN, DRAW), (DRAW, WIN), (WALKOVER, WALKOVER)])
def test_no_article_gives_both_sides_more_than_a_game_is_worth(white, black):
    hall = Hall()
    refusal = hall.refused(report((G1, white, black), by=CHIEF))
    assert (refusal.code, refusal.where) == ("marks-together", "results[0]")
    assert "not have more than 1 points" in str(refusal.detail) and "胜得1分" in refusal.article
    hall.do(report((G1, WIN, LOSS)))
    assert hall.refused(correct((G1, white, black), by=CHIEF)).code == "marks-together"


def test_half_a_win_for_one_side_alone_is_within_what_a_game_is_worth():
    hall = Hall()
    hall.do(report((G1, DRAW, LOSS)))
    assert hall.marks(G1) == (DRAW, LOSS)


def test_logs_of_the_first_edition_are_decided_as_they_were():
    hall = Hall()
    hall.said(PAIRING, RegulationsAdopted(replace(load("campus"), decisions=1)))
    hall.do(report((G1, LOSS, LOSS), (G2, WIN, WIN)))
    assert (hall.marks(G1), hall.marks(G2)) == ((LOSS, LOSS), (WIN, WIN))


@pytest.mark.parametrize(
    "win, draw, loss, most",
    [(2, 1, 0, 2), (6, 2, 0, 6), (2, 2, 0, 4), (4, 2, 2, 6)],
    ids=["1", "3-1-0", "1-1-0", "2-1-1"],
)
def test_a_game_is_worth_a_win_and_a_loss_or_two_draws(win, draw, loss, most):
    assert most_together(replace(POINTS, win=win, draw=draw, loss=loss)) == most


def test_a_correction_replaces_the_result_and_says_why():
    hall = Hall()
    hall.do(report((G1, WIN, LOSS)))
    assert hall.do(correct((Place(1, 1), Share.DRAW, Share.DRAW))) == [ResultCorrected(G1, DRAW, DRAW, REASON, None)]
    assert hall.marks(G1) == (DRAW, DRAW)


def test_a_correction_waits_beneath_a_standing_ruling_and_counts_when_it_falls():
    hall = Hall()
    hall.do(report((G1, WIN, LOSS)))
    ruling = hall.ruled(G1, LOSS, WIN)
    assert hall.do(correct((G1, DRAW, DRAW))) == [ResultCorrected(G1, DRAW, DRAW, REASON, ruling)]
    assert hall.marks(G1) == (LOSS, WIN)
    hall.annulled(ruling)
    assert hall.marks(G1) == (DRAW, DRAW)


def test_a_board_that_only_a_ruling_decided_can_be_corrected_beneath_it():
    hall = Hall()
    ruling = hall.ruled(G1, LOSS, WIN)
    assert hall.do(correct((G1, DRAW, DRAW)))[0].beneath == ruling
    hall.annulled(ruling)
    assert hall.marks(G1) == (DRAW, DRAW)


def test_a_correction_under_an_annulled_ruling_lies_beneath_nothing():
    hall = Hall()
    hall.do(report((G1, WIN, LOSS)))
    hall.annulled(hall.ruled(G1, LOSS, WIN))
    assert hall.do(correct((G1, DRAW, DRAW)))[0].beneath is None


def test_a_board_without_a_result_has_nothing_to_correct():
    refusal = Hall().refused(correct((G1, DRAW, DRAW)))
    assert (refusal.code, refusal.see) == ("no-result", "/v1/tournaments/T/results")


def test_a_correction_without_a_reason_is_none():
    hall = Hall()
    hall.do(report((G1, WIN, LOSS)))
    assert hall.refused(Correct(ARBITER, (Result(G1, DRAW, DRAW),), None)).code == "reason-missing"


@pytest.mark.parametrize("by", [AUDITOR, BOARD, Actor("o", "organiser")])
def test_results_are_reported_and_corrected_by_arbiters(by):
    assert Hall().refused(report((G1, WIN, LOSS), by=by)).kind == "authority"
    assert Hall().refused(correct((G1, WIN, LOSS), by=by)).kind == "authority"
    Hall().do(report((G1, WIN, LOSS), by=CHIEF))


def test_a_dismissed_arbiter_reports_nothing():
    hall = Hall()
    hall.said(PAIRING, OfficialDismissed(ARBITER.name))
    assert hall.refused(report((G1, WIN, LOSS))).code == "official-dismissed"


def test_after_the_final_table_nothing_is_reported_corrected_or_started():
    hall = Hall()
    hall.do(report((G1, WIN, LOSS)))
    hall.published_final()
    for command in (report((G2, WIN, LOSS)), correct((G1, DRAW, DRAW)), StartGame(ARBITER, G2)):
        assert hall.refused(command).code == "tournament-closed"


def test_an_unknown_tournament_takes_no_results():
    refusal = RULES.decide(TournamentState("U"), report(("U.1.1", WIN, LOSS)), None)
    assert (refusal.kind, refusal.code) == ("unknown", "unknown-tournament")


def test_a_game_is_started_once():
    hall = Hall(game="xiangqi")
    assert hall.do(StartGame(ARBITER, G1)) == [GameStarted(G1)]
    assert hall.refused(StartGame(ARBITER, G1)).code == "already-started"
    assert hall.refused(StartGame(ARBITER, "T.9.9")).code == "unknown-game"


def test_a_decided_game_is_not_started():
    hall = Hall()
    hall.do(report((G1, WALKOVER, FORFEIT)))
    assert hall.refused(StartGame(ARBITER, G1)).code == "game-over"
