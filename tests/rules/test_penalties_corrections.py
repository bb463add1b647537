"""Arrivals and breaks that are corrected, whatever was annulled meanwhile: the marks of a game follow from what is in force."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.penalties.rules import RULES
from services.penalties.rules import commands as co
from services.penalties.rules.consequences import next_consequence
from shared.core.event_types.evolve import fold
from shared.core.terms import Refusal, TextRef
from tests.faults.standing import outcome
from tests.histories import state
from tests.rules.hall import APPEALS, ARBITER, G1, Hall
from tests.tiers import examples

REASON = TextRef("7" * 64)


def corrected(hall: Hall, arrival: str, late: int | None, **more: Any) -> list[Any]:
    return hall.told(co.CorrectArrival(ARBITER, arrival, late, REASON, **more))


@pytest.mark.parametrize(
    ("regulations", "noted", "late", "result", "infractions"),
    [
        ("campus", 1000, 900, None, []),  # 000-A 8.1: 愈后15分钟
        ("campus", 60, 901, "-/+", ["lateness"]),
        ("campus", 1000, None, "-/+", ["absence"]),  # 002-X 21.4
        ("campus", None, 1000, "-/+", ["lateness"]),
        ("campus", None, 0, None, []),
        ("xiangqi-1999", 901, 900, None, []),  # 002-X 21.1: 超过
        ("go-campus", 901, 900, None, []),  # 000-A 围棋, 迟到问题
        ("gomoku-campus", 601, 600, "-/+", ["lateness"]),  # 000-B 注意 3: 迟到10分钟
        ("gomoku-campus", 600, 599, None, []),
        ("renju", 901, 1, None, []),  # 004 3.1 (8)
        ("fide-2026", 1, 0, None, []),  # Laws 6.7.1
    ],
)
def test_what_a_correction_leaves(
    regulations: str, noted: int | None, late: int | None, result: str | None, infractions: list[str]
) -> None:
    hall = Hall(regulations)
    hall.arrival(1, noted)
    corrected(hall, "a1", late)
    assert hall.result() == result
    assert [r.event.infraction for r in hall.tournament.rulings_with_effect()] == infractions


@pytest.mark.parametrize("first", [1, 2])
def test_both_too_late_both_forfeit_and_one_of_them_corrected_gives_the_other_the_loss(first: int) -> None:
    """000-A 8.3: 若都超过时限,双方弃权."""
    hall = Hall()
    hall.arrival(first, 1000)
    hall.arrival(3 - first, None)
    assert hall.result() == "-/-"
    one = next(a.arrival for a in hall.tournament.arrivals.values() if a.player == 1)
    corrected(hall, one, 10)
    assert hall.result() == "+/-"
    assert len(hall.standing()) == 1


def test_a_loss_that_is_restored_after_the_opponents_was_made_alone_loses_for_both() -> None:
    hall = Hall()
    (_, loss) = hall.arrival(1, 1000)
    (annulment,) = hall.annul(loss.ruling)
    hall.arrival(2, 1000)
    assert hall.result() == "+/-"
    hall.annul(annulment.ruling)
    assert hall.result() == "-/-"


def test_a_pardon_holds_when_the_loss_that_it_rested_on_comes_back() -> None:
    """Whichever ruling on an arrival was annulled, nothing more follows from that arrival."""
    hall = Hall()
    (_, first) = hall.arrival(1, 1000)
    hall.arrival(2, None)
    annulment, again = hall.annul(first.ruling)
    hall.annul(again.ruling)
    assert hall.result() is None
    hall.annul(annulment.ruling)
    assert hall.result() == "-/+"


def test_a_loss_at_the_board_and_a_corrected_arrival() -> None:
    """The third foul (000-A 2.7) of a player whose opponent had forfeited: both have lost, until the arrival is another."""
    hall = Hall()
    hall.arrival(1, 1000)
    for _ in range(3):
        hall.ruling(2)
    assert hall.result() == "-/-"
    corrected(hall, "a1", 10)
    assert hall.result() == "2-0"


def test_by_the_first_edition_of_decisions_nothing_is_corrected_checked_in_or_noted_in_the_hall() -> None:
    hall = Hall(decisions=1)
    noted, loss = hall.arrival(1, 1000)
    assert (noted.arrival, loss.arrival) == ("", None)
    assert hall.no(co.CorrectArrival(ARBITER, "a1", 10, REASON)).code == "earlier-edition"
    in_hall = co.NoteArrival(ARBITER, 2, 10, round=1, place="hall")
    assert hall.no(in_hall).code == "earlier-edition"
    assert hall.no(co.CheckIn(ARBITER, (in_hall,))).code == "earlier-edition"
    hall.arrival(2, None)
    assert hall.result() == "-/-"
    hall.annul(loss.ruling)
    assert hall.result() == "+/-"


# ---------------------------------------------------------------- whatever happens

LATE = st.sampled_from((0, 900, 901, None))
STEPS = st.lists(
    st.tuples(st.sampled_from(("note", "hall", "correct", "annul")), st.integers(0, 99), LATE), max_size=24
)


def take(hall: Hall, step: tuple[str, int, int | None]) -> None:
    """One step, where it can be taken: the number chooses a player, an arrival in force or a ruling that stands."""
    act, number, late = step
    t = hall.tournament
    in_force = [a for a in t.arrivals if a not in t.corrections]
    standing = [r for r in (*t.rulings, *t.annulments) if t.is_in_force(r)]
    command: Any = co.NoteArrival(ARBITER, 1 + number % 2, late, round=1)
    if act == "hall":
        command = co.NoteArrival(ARBITER, 1 + number % 2, late or 0, round=1, place="hall")
    elif act == "correct":
        command = co.CorrectArrival(ARBITER, in_force[number % len(in_force)], late, REASON) if in_force else command
    elif act == "annul":
        command = co.AnnulRuling(APPEALS, standing[number % len(standing)]) if standing else command
    if not isinstance(RULES.decide(t, command, None), Refusal):
        hall.told(command)


def expected(hall: Hall) -> str | None:
    """The marks by the articles alone: who is at the seat too late, and was not pardoned, has lost."""
    t = hall.tournament
    standing = [a.event.annuls for id, a in t.annulments.items() if t.is_in_force(id)]
    pardoned = {t.rulings[r].event.arrival for r in standing if r in t.rulings}
    lost = []
    for player in (1, 2):
        arrival = t.arrival_of(G1, player)
        too_late = arrival is not None and (arrival.late is None or arrival.late > 900)
        lost.append(too_late and arrival.arrival not in pardoned)
    return {(False, False): None, (True, False): "-/+", (False, True): "+/-", (True, True): "-/-"}[tuple(lost)]


@given(STEPS)
@settings(max_examples=examples(150), deadline=None)
def test_the_marks_are_those_of_what_is_in_force_and_nothing_stands_on_what_has_fallen(steps: list[Any]) -> None:
    hall = Hall()
    for step in steps:
        take(hall, step)
        t = hall.tournament
        assert hall.result() == expected(hall)
        assert next_consequence(t) is None
        for ruling in t.rulings_with_effect():
            assert all(map(t.is_in_force, ruling.event.because))
            assert ruling.event.arrival not in t.corrections
    assert state(fold("T", hall.events)) == state(hall.tournament)
    for event in hall.events:
        own = [e for e in hall.events if e.command == event.command]
        if event.source == "/services/penalties" and event is own[0]:
            saw = fold("T", (e for e in hall.events if e.seq < event.seq))
            again = RULES.decide(saw, RULES.command_of(own, ()), None)
            assert [*again.events, *again.brought] == [e.data for e in own]


@given(st.permutations([(1, 0), (2, 1), (3, 2), (4, 3)]), st.lists(LATE, min_size=4, max_size=4), st.booleans())
@settings(max_examples=examples(80), deadline=None)
def test_the_order_in_which_arrivals_are_noted_does_not_matter(
    order: list[tuple[int, int]], late: list[int | None], at_once: bool
) -> None:
    one, other = Hall(), Hall()
    for player in range(1, 5):
        one.arrival(player, late[player - 1])
    notes = tuple(co.NoteArrival(ARBITER, player, late[n], round=1) for player, n in order)
    if at_once:
        other.told(co.CheckIn(ARBITER, notes))
    else:
        for note in notes:
            other.told(note)
    for game in ("T.1.1", "T.1.2"):
        assert one.result(game) == other.result(game)
    assert outcome(one.tournament)["marks"] == outcome(other.tournament)["marks"]
