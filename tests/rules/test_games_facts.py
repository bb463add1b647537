"""Facts of rulings, checked with the score sheet: clocks, passes, moves made since, and whose turn it was."""

from dataclasses import replace
from typing import Any

import pytest

from services.games.rules import RULES
from services.games.rules.commands import CheckFacts, Move, PlayMoves, StartGame, TakeBack
from services.penalties import responses
from services.standings.rules.integrity import listing
from shared import regulations
from shared.core import events as ev
from shared.core.rulebook.effects import FactRule
from shared.core.rulebook.regulations import InfractionRule
from shared.core.terms import PAIRING, PENALTIES, RULEBOOK
from tests.rules.games_hall import ARBITER, BOARD, FORFEIT, G1, G2, WALKOVER, Hall, moves, play

RECORD = FactRule("seconds_left", "002-X 7.2", least=180)
TWO_MOVES = FactRule("opponent_passed", "000-A 围棋, 违例 4", holds=False)
TAKES_BACK = FactRule("opponent_moved", "000-A 围棋, 行棋 2", holds=False)
ADJUSTING = FactRule("own_time", "000-A 7.8", holds=False)
CONSENT = FactRule("consent", "000-A 7.8", holds=False)


def hall_with(*rules: FactRule, game: str = "chess", book: str = "campus") -> Hall:
    """A hall whose book has one infraction, ``act``, that asks for these facts."""
    hall = Hall(game, regulations=book)
    base = regulations.load(book)
    row = InfractionRule("act", "行为", "000-A 7", "foul", "foul", facts=rules)
    rulebook = replace(base.rulebook, infractions=(*base.rulebook.infractions, row))
    hall.said(PAIRING, ev.RegulationsAdopted(replace(base, rulebook=rulebook)))
    return hall


def ruled(hall: Hall, player: int = 1, ply: int | None = None, game: str = G1, **facts: Any) -> str:
    """A ruling by an arbiter for the act, with the facts that he states; its id."""
    ruling = f"r{hall.t.counts.get(PENALTIES, 0) + 1}"
    effect = ev.Effect("foul")
    event = ev.RulingMade(ruling, player, 1, "act", "000-A 7", effect, game, "foul", ply=ply, facts=facts)
    hall.said(PENALTIES, event)
    return ruling


def checked(hall: Hall) -> ev.FactsChecked:
    """The one check that is due, decided and rebuilt."""
    (command,) = RULES.due(hall.t)
    (check,) = hall.do(command)
    assert isinstance(check, ev.FactsChecked) and (check.ruling, check.game) == (command.ruling, command.game)
    assert check.sheet is not None and RULES.due(hall.t) == []
    return check


def with_clocks(rule: FactRule, *readings: int | None) -> Hall:
    """White's and Black's clocks by turns."""
    hall = hall_with(rule)
    line = ("e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "f8c5")
    hall.do(PlayMoves(BOARD, G1, 1, tuple(Move(m, r) for m, r in zip(line, readings, strict=False))))
    return hall


@pytest.mark.parametrize(
    ("readings", "ply", "stated", "shown"),
    [
        ((300, 400, 179, 390), None, 200, 179),
        ((300, 400, 180, 390), None, 200, None),
        ((300, 400, 179, 390), None, 179, None),
        ((300, 400, 179, 390), 2, 200, None),
        ((300, 400, 179, 390), 3, 200, 179),
        ((300, 400, 179, 390), 90, 200, 179),
        ((179, 400, None, 390), None, 200, 179),
        ((None, 400, None, 390), None, 200, None),
        ((300, 400, 250, 390), None, 400, None),
        ((300, 179, 300, 179), None, 200, None),
    ],
)
def test_a_clock_that_is_read_shows_that_no_record_was_due(readings, ply, stated, shown):
    """002-X 7.2: with less than three minutes nothing need be recorded. A clock runs down after it is read."""
    hall = with_clocks(RECORD, *readings)
    ruling = ruled(hall, ply=ply, seconds_left=stated)
    check = checked(hall)
    assert check.contradicted == ({} if shown is None else {"seconds_left": shown})
    assert check.article == (None if shown is None else "002-X 7.2")
    assert hall.t.is_in_force(ruling) is (shown is None)


def test_seconds_that_rulings_added_since_the_reading_are_the_players():
    hall = with_clocks(RECORD, 300, 400, 100, 390)
    hall.said(PENALTIES, ev.RulingMade("r1", 2, 1, "foul", "a", ev.Effect("adjust_clock", clock=120), G1))
    ruling = ruled(hall, seconds_left=200)
    assert checked(hall).contradicted == {} and hall.t.is_in_force(ruling)


def test_a_report_that_leaves_out_the_clock_is_told_it_by_the_sheet():
    hall = with_clocks(RECORD, 300, 400, 179, 390)
    ruling = ruled(hall)
    assert checked(hall).contradicted == {"seconds_left": 179} and not hall.t.is_in_force(ruling)


def test_whose_turn_it_was_is_checked_only_where_it_is_stated():
    hall = hall_with(ADJUSTING)
    hall.do(play("e2e4 e7e5"))
    ruled(hall)
    assert RULES.due(hall.t) == []


@pytest.mark.parametrize(("consent", "stands"), [(True, False), (False, True), (None, True)])
def test_what_one_of_two_facts_excuses_only_with_the_other_falls_only_with_it(consent, stands):
    """000-A 7.8: straightening on the own time and told before."""
    hall = hall_with(replace(ADJUSTING, either=True), replace(CONSENT, either=True))
    hall.do(play("e2e4 e7e5"))
    facts = {"own_time": False} | ({} if consent is None else {"consent": consent})
    ruling = ruled(hall, **facts)
    assert checked(hall).contradicted == ({} if stands else {"own_time": True})
    assert hall.t.is_in_force(ruling) is stands


@pytest.mark.parametrize(
    ("line", "player", "ply", "shown"),
    [
        ("D4 PASS Q16", 1, None, True),
        ("D4 PASS", 1, None, True),
        ("D4 PASS", 1, 3, True),
        ("D4 PASS Q16", 1, 3, True),
        ("D4 PASS Q16", 1, 4, None),
        ("D4 Q16 D16", 1, None, None),
        ("D4", 1, None, None),
        ("D4 PASS Q16 D16", 1, None, None),
        ("D4 PASS Q16 D16", 2, None, None),
    ],
)
def test_a_stone_after_the_opponents_pass_is_no_second_move(line, player, ply, shown):
    """000-A 围棋, 违例 4: 连续走两着; not where the opponent has passed. Black is the player of the white seat's opponent."""
    hall = hall_with(TWO_MOVES, game="go", book="go-campus")
    hall.do(play(line))
    black, white = 2, 1
    ruling = ruled(hall, black if player == 1 else white, ply, opponent_passed=False)
    assert checked(hall).contradicted == ({} if shown is None else {"opponent_passed": True})
    assert hall.t.is_in_force(ruling) is (shown is None)


def test_where_nobody_passes_no_sheet_tells_of_a_pass():
    hall = hall_with(TWO_MOVES)
    hall.do(play("e2e4 e7e5"))
    ruled(hall, opponent_passed=False)
    assert checked(hall).contradicted == {}


@pytest.mark.parametrize(
    ("line", "ply", "shown"),
    [
        ("D4 Q16 D16", 1, True),
        ("D4 Q16 D16", 3, None),
        ("D4 Q16 D16", None, None),
        ("D4 Q16", None, True),
        ("D4 Q16", 9, None),
    ],
)
def test_a_move_taken_back_counts_only_before_the_opponents_next(line, ply, shown):
    """000-A 围棋, 行棋 2: 悔棋, pointed out by the opponent before his next move."""
    hall = hall_with(TAKES_BACK, game="go", book="go-campus")
    hall.do(play(line))
    ruling = ruled(hall, 2, ply, opponent_moved=False)
    assert checked(hall).contradicted == ({} if shown is None else {"opponent_moved": True})
    assert hall.t.is_in_force(ruling) is (shown is None)


@pytest.mark.parametrize(
    ("ply", "player", "shown"),
    [(None, 1, True), (None, 2, None), (0, 1, True), (1, 1, None), (1, 2, True), (7, 1, None)],
)
def test_pieces_adjusted_in_the_players_own_turn(ply, player, shown):
    """000-A 7.8: on the opponent's time."""
    hall = hall_with(ADJUSTING)
    hall.do(play("e2e4 e7e5"))
    ruling = ruled(hall, player, ply, own_time=False)
    assert checked(hall).contradicted == ({} if shown is None else {"own_time": True})
    assert hall.t.is_in_force(ruling) is (shown is None)


# ---------------------------------------------------------------- when, and what then


def test_only_what_stood_on_the_sheet_by_the_ruling_counts():
    """The opponent who moves after the ruling contradicts nobody."""
    hall = hall_with(TAKES_BACK, game="go", book="go-campus")
    hall.do(play("D4 Q16 D16"))
    ruling = ruled(hall, 2, opponent_moved=False)
    hall.do(PlayMoves(BOARD, G1, 4, moves("Q4")))
    assert hall.t.facts_checks[ruling].event.contradicted == {}


def test_a_sheet_that_went_back_since_tells_nothing():
    hall = hall_with(TAKES_BACK, game="go", book="go-campus")
    hall.do(play("D4 Q16 D16 Q4"))
    ruling = ruled(hall, 2, opponent_moved=False)
    hall.do(TakeBack(ARBITER, G1, 2, "agreement"))
    assert hall.t.facts_checks[ruling].event.contradicted == {}


def test_moves_that_went_back_before_the_ruling_are_none():
    hall = hall_with(TAKES_BACK, game="go", book="go-campus")
    hall.do(play("D4 Q16 D16 Q4"))
    hall.do(TakeBack(ARBITER, G1, 3, "takes_back"))
    ruled(hall, 2, opponent_moved=False)
    assert checked(hall).contradicted == {}


def test_a_contradicted_ruling_has_no_effect_and_says_why():
    hall = with_clocks(RECORD, 300, 400, 179, 390)
    ruling = ruled(hall, seconds_left=200)
    assert responses.ruling(hall.t, ruling).why is None
    checked(hall)
    answer = responses.ruling(hall.t, ruling)
    assert (answer.standing, answer.effective) == (False, False)
    assert answer.why == "the score sheet contradicts the ruling: it shows seconds left: 179 (article 002-X 7.2)"
    listed = listing(hall.t, ()).contradicted
    assert [(one.ruling, one.facts) for one in listed] == [(ruling, {"seconds_left": 179})]


@pytest.mark.parametrize(
    "ruling",
    [
        lambda hall: ruled(hall, seconds_left=200, player=3),
        lambda hall: hall.warned(G1),
        lambda hall: ruled(hall, game=G2, player=3, seconds_left=200),
        lambda hall: hall.annulled(ruled(hall, seconds_left=200)),
    ],
)
def test_nothing_is_checked_that_a_sheet_cannot_tell(ruling):
    """Of one who does not play it, by an article that asks for nothing, of a game not begun, by a ruling that fell."""
    hall = with_clocks(RECORD, 300)
    ruling(hall)
    assert RULES.due(hall.t) == []


def test_a_game_without_a_sheet_is_not_checked():
    hall = hall_with(RECORD, game="go", book="xiangqi-1999")
    hall.do(StartGame(BOARD, G1))
    ruled(hall, seconds_left=200)
    assert RULES.due(hall.t) == []


def test_a_ruling_that_stands_again_is_checked_then():
    hall = with_clocks(RECORD, 300, 400, 179)
    ruling = ruled(hall, seconds_left=200)
    hall.annulled(ruling)
    assert RULES.due(hall.t) == []
    hall.annulled(f"r{hall.t.counts[PENALTIES]}")
    assert checked(hall).contradicted == {"seconds_left": 179} and not hall.t.is_in_force(ruling)


def test_it_is_checked_by_the_regulations_in_force_when_it_was_made():
    hall = with_clocks(RECORD, 300, 400, 179)
    ruled(hall, seconds_left=200)
    hall.said(PAIRING, ev.RegulationsAdopted(regulations.load("campus")))
    assert checked(hall).contradicted == {"seconds_left": 179}


def test_after_a_game_and_after_the_final_table_rulings_are_checked_too():
    hall = with_clocks(RECORD, 300, 400, 179)
    hall.said(PENALTIES, ev.RulingMade("r1", 2, 1, "foul", "a", ev.Effect("set_marks", WALKOVER, FORFEIT), G1))
    hall.published_final()
    ruled(hall, seconds_left=200)
    assert checked(hall).contradicted == {"seconds_left": 179}


def test_a_ruling_is_checked_once_and_by_nobody_else():
    hall = with_clocks(RECORD, 300, 400, 179)
    ruling = ruled(hall, seconds_left=200)
    assert hall.refused(CheckFacts(ARBITER, G1, ruling)).code == "role-may-not"
    checked(hall)
    for wrong in (CheckFacts(RULEBOOK, G1, ruling), CheckFacts(RULEBOOK, G1, "r99"), CheckFacts(RULEBOOK, G2, ruling)):
        assert hall.refused(wrong).code == "nothing-to-check"
