"""Findings that hold no longer, with the rulings on them: a touch stated anew, and moves taken back."""

from dataclasses import replace
from itertools import permutations
from typing import Any

import pytest

from services.games.rules.commands import MakeClaim, PlayMoves, TakeBack
from services.penalties import responses
from services.penalties.rules import RULES as PENALTY_RULES
from services.penalties.rules import commands as penalties
from shared import regulations
from shared.core import events as ev
from shared.core.event_types.evolve import fold
from shared.core.events import FindingAnswered
from shared.core.terms import GAMES, PAIRING, PENALTIES, RULEBOOK
from tests.rules.games_court import Court, findings
from tests.rules.games_hall import ARBITER, BOARD, G1, LOSS, WIN, Hall, moves, play
from tests.rules.hall import APPEALS


def after(game: str, said: str, book: str = "campus") -> Court:
    hall = Court(game, book)
    hall.play(said)
    return hall


def touched(hall: Hall, *squares: str) -> list[Any]:
    return hall.do(MakeClaim(ARBITER, G1, None, "touch", squares=squares))


def taken_back(hall: Hall, to_ply: int, reason: str = "agreement", ruling: str | None = None) -> list[Any]:
    return hall.do(TakeBack(ARBITER, G1, to_ply, reason, ruling))


def withdrawn(written: list[Any]) -> list[tuple[str, str]]:
    return [(d.finding, d.why) for d in written if isinstance(d, ev.FindingWithdrawn)]


def standing(hall: Court) -> list[str]:
    """The infractions of the rulings that stand."""
    return [r.event.infraction for r in hall.t.rulings_with_effect()]


# ---------------------------------------------------------------- a touch stated anew


def test_an_arbiter_who_states_that_nothing_was_touched_takes_the_foul_away():
    """002-X 5.6: 明显误碰."""
    hall = after("xiangqi", "h2e2", "xiangqi-1999")
    assert findings(touched(hall, "a0")) == [("uncapturable_touch", 2)]
    assert standing(hall) == ["touching_an_uncapturable_piece"]
    assert withdrawn(touched(hall)) == [("f2", "stated_anew")]
    assert standing(hall) == [] and hall.counted(2, "foul") == 0
    (ruling,) = responses.rulings(hall.t)
    assert (ruling.standing, ruling.why) == (False, f"finding f2 was withdrawn (event {hall.t.seq})")


@pytest.mark.parametrize(
    ("first", "second", "out", "new"),
    [
        (("a8", "e7"), ("a8", "d7"), [], []),
        (("a8",), ("a1",), ["f2"], ["uncapturable_touch"]),
        (("a8", "h8"), ("a8",), ["f3"], []),
        (("a8",), ("a8", "h8"), [], ["unmovable_touch"]),
        (("a8", "a1"), ("e7",), ["f2", "f3"], []),
        (("e7",), ("a8",), [], ["unmovable_touch"]),
    ],
)
def test_what_he_states_replaces_what_he_stated(first, second, out, new):
    """000-A 国际象棋, 犯规 4, 5: each piece touched in vain is found once, and no longer than he says so."""
    hall = after("chess", "e2e4")
    touched(hall, *first)
    again = touched(hall, *second)
    assert ([id for id, _ in withdrawn(again)], [kind for kind, _ in findings(again)]) == (out, new)
    assert hall.counted(2, "foul") == len(set(second) - {"e7", "d7"})


def test_a_touch_that_was_withdrawn_can_be_stated_again():
    hall = after("chess", "e2e4")
    touched(hall, "a8")
    touched(hall)
    assert findings(touched(hall, "a8")) == [("unmovable_touch", 2)] and hall.counted(2, "foul") == 1


def test_the_statement_for_another_move_stays():
    hall = after("chess", "e2e4")
    touched(hall, "a8")
    hall.play("e7e5 g1f3")
    assert withdrawn(touched(hall)) == [] and hall.counted(2, "foul") == 1


def test_the_loss_by_a_third_foul_falls_with_the_touch():
    """002-X 4.1.8; the game is open again."""
    hall = after("xiangqi", "h2e2", "xiangqi-1999")
    touched(hall, "a0", "i0")
    hall.said(PENALTIES, ev.RulingMade("r5", 2, 1, "foul", "002-X 9.1.1", ev.Effect("foul"), G1, "foul"))
    assert hall.counted(2, "foul") == 3
    touched(hall)
    assert hall.counted(2, "foul") == 1 and hall.marks(G1) is None


def test_who_loses_by_a_touch_that_is_stated_anew_has_not_lost_but_the_game_is_over_until_then():
    hall = after("xiangqi", "h2e2", "xiangqi-1999")
    touched(hall, "a0", "i0", "e0")
    assert hall.marks(G1) == (WIN, LOSS)
    refusal = hall.refused(MakeClaim(ARBITER, G1, None, "touch"))
    assert refusal.code == "game-over", "a ruling on a decided game is annulled, not stated anew"


# ---------------------------------------------------------------- moves taken back


OFFENCES = {
    "consecutive_offer": lambda hall: (hall.offers("white"), hall.offers("white"))[1],
    "unmovable_touch": lambda hall: touched(hall, "a8"),
    "uncapturable_touch": lambda hall: touched(hall, "a1"),
    "false_claim": lambda hall: hall.claims("threefold_repetition", "black"),
    "illegal_move": lambda hall: hall.claims("illegal_move", None, "e7e2", ARBITER),
}
"""By Black or White after White's second move."""


@pytest.mark.parametrize("kind", OFFENCES)
@pytest.mark.parametrize(
    ("to_ply", "reason", "falls"),
    [(2, "agreement", True), (2, "misrecorded", True), (3, "agreement", False), (0, "initial_position", True)],
)
def test_what_was_found_on_moves_that_are_taken_back_falls(kind, to_ply, reason, falls):
    """A finding after ply 3; 000-A 国际象棋, 不合规则 4 for a game that is played anew."""
    hall = after("chess", "e2e4 e7e5 g1f3")
    assert [k for k, _ in findings(OFFENCES[kind](hall))] == [kind]
    rulings = len(hall.rulings())
    hall.play("b8c6" if kind != "unmovable_touch" else "g8f6")
    written = taken_back(hall, to_ply, reason)
    assert withdrawn(written) == ([("f2", "taken_back")] if falls else [])
    assert len(standing(hall)) == (0 if falls else rulings)
    again = hall.play("a2a3" if to_ply != 3 else "f8c5")
    assert again, "the game goes on"


@pytest.mark.parametrize(("kind", "stays"), [("illegal_move", True), ("unmovable_touch", False)])
def test_moves_taken_back_for_an_illegal_move_leave_what_was_found_of_it(kind, stays):
    """000-A 国际象棋, 不合规则 1; Laws 7.5.1: the position before it is restored, the two minutes (7.5.5) stay."""
    hall = after("chess", "e2e4 e7e5 g1f3", "fide-2026")
    OFFENCES[kind](hall)
    written = taken_back(hall, 1, "illegal_move")
    assert withdrawn(written) == ([] if stays else [("f2", "taken_back")])
    assert standing(hall) == (["illegal_move", "illegal_move"] if stays else []), "a foul, and the time"


def test_moves_taken_back_because_of_a_ruling_leave_what_it_answers():
    """It is the ruling's own ground."""
    hall = after("chess", "e2e4 e7e5 g1f3")
    OFFENCES["consecutive_offer"](hall)
    touched(hall, "a8")
    offer = next(r.event for r in hall.t.rulings.values())
    assert withdrawn(taken_back(hall, 2, "ruling", offer.ruling)) == [("f3", "taken_back")]
    assert hall.t.is_in_force(offer.ruling)


def test_after_moves_are_taken_back_the_same_act_counts_anew():
    hall = after("chess", "e2e4 e7e5 g1f3")
    OFFENCES["consecutive_offer"](hall)
    taken_back(hall, 2)
    hall.play("g1f3")
    assert findings(OFFENCES["consecutive_offer"](hall)) == [("consecutive_offer", 1)]
    assert hall.counted(1, "foul") + hall.counted(1, "violation") == 1


def test_a_withdrawn_finding_is_withdrawn_once():
    hall = after("chess", "e2e4 e7e5 g1f3")
    OFFENCES["consecutive_offer"](hall)
    taken_back(hall, 2)
    assert withdrawn(taken_back(hall, 1)) == []


# ---------------------------------------------------------------- crossings


def test_an_open_finding_that_is_withdrawn_stops_no_game_and_is_answered_no_more():
    hall = Hall("chess")
    hall.do(play("e2e4 e7e5 g1f3"))
    hall.do(MakeClaim(ARBITER, G1, None, "illegal_move", "e7e2"))
    assert hall.refused(PlayMoves(BOARD, G1, 4, moves("b8c6"))).code == "finding-open"
    assert len(PENALTY_RULES.due(hall.t)) == 1
    hall.said(GAMES, ev.FindingWithdrawn("f2", G1, "taken_back"))
    hall.do(PlayMoves(BOARD, G1, 4, moves("b8c6")))
    assert PENALTY_RULES.due(hall.t) == []
    refusal = PENALTY_RULES.decide(hall.t, penalties.AnswerFinding(RULEBOOK, FindingAnswered("f2")), None)
    assert refusal.code == "finding-withdrawn"


def test_whoever_is_first_in_the_log_a_ruling_on_a_withdrawn_finding_never_stands():
    """Games and penalties do not wait for each other."""
    hall = after("chess", "e2e4")
    touched(hall, "a8")
    made = hall.world.events[-1]
    assert isinstance(made.data, ev.RulingMade)
    start = [e for e in hall.world.events if e.seq < made.seq and e.source == GAMES]
    withdrawal = start[-1]._replace(
        sourceseq=start[-1].sourceseq + 1, data=ev.FindingWithdrawn("f2", G1, "stated_anew")
    )
    answer = [e for e in hall.world.events if e.source == PENALTIES]
    before = _log_before(hall)
    for order in permutations(("answer", "withdrawal")):
        lines = {"answer": answer, "withdrawal": [withdrawal]}
        t = fold("T", _numbered([*before, *start, *(e for name in order for e in lines[name])]))
        assert not t.is_in_force(made.data.ruling) and t.rulings_with_effect() == [], order
        assert t.findings["f2"].open is False


def _log_before(hall: Court) -> list[ev.NewEvent]:
    """The lines of pairing, which the hall only folds."""
    announced, book = ev.TournamentAnnounced("Cup", "chess", "swiss", 9), ev.RegulationsAdopted(hall.t.regulations)
    paired = hall.t.pairings[0].event
    return [
        ev.NewEvent(0, PAIRING, n, 0, f"x{n}", "x", "rulebook", "", data, "")
        for n, data in enumerate((announced, book, paired), 1)
    ]


def _numbered(events: list[Any]) -> list[Any]:
    return [e._replace(seq=n) for n, e in enumerate(events, 1)]


def test_what_others_still_bring_is_made_again_without_a_person():
    """Of four fouls one falls: the loss by three is made again on the others (000-A 2.7)."""
    hall = after("xiangqi", "h2e2")
    touched(hall, "a0")
    for _ in range(3):
        hall.world.do(PENALTIES, penalties.MakeRuling(ARBITER, 2, 1, "foul"))
    assert hall.marks(G1) == (WIN, LOSS)
    hall.said(GAMES, ev.FindingWithdrawn("f2", G1, "stated_anew"))
    assert hall.marks(G1) is None
    (command,) = PENALTY_RULES.due(hall.t)
    written = hall.world.do(PENALTIES, command)
    assert [e.data.infraction for e in written] == ["third_foul"] and hall.marks(G1) == (WIN, LOSS)
    assert PENALTY_RULES.command_of(written) == command and PENALTY_RULES.due(hall.t) == []
    assert PENALTY_RULES.decide(hall.t, command, None).code == "nothing-due"


def test_a_person_never_draws_consequences():
    hall = after("chess", "e2e4")
    refusal = PENALTY_RULES.decide(hall.t, penalties.DrawConsequences(APPEALS), None)
    assert refusal.code == "role-may-not"


# ---------------------------------------------------------------- the first edition


def test_by_the_first_edition_of_decisions_what_was_found_stays_found():
    hall = Hall("chess")
    old = replace(regulations.load("campus"), decisions=1)
    hall.t.regulations = old
    hall.do(play("e2e4"))
    touched(hall, "a8")
    assert withdrawn(touched(hall)) == [] and findings(touched(hall, "a8")) == []
    hall.do(PlayMoves(BOARD, G1, 2, moves("g8f6")))
    assert withdrawn(taken_back(hall, 0)) == []
    assert hall.t.findings["f2"].withdrawn is None
