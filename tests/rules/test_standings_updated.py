"""One more line changes the table without the past being reckoned again, and gives what a replay gives."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.standings.queries import Tables
from services.standings.rules.explanation import explanation
from services.standings.rules.records import Field
from services.standings.rules.table.incremental import changed_scores, later_field
from services.standings.rules.table.table import Table, standings, update_table
from services.standings.rules.tiebreaks.registry import TIEBREAKS
from services.standings.rules.tiebreaks.tiebreak import Edition, Single
from services.standings.rules.tiebreaks.value import Value, count_value
from shared import regulations
from shared.core import events as ev
from shared.core.language.messages import say
from shared.core.rulebook.ranking_rules import Discipline
from shared.core.terms import GAMES, PAIRING, PlayerId
from shared.desk.replay import View
from tests.rules.standings_field import Hall, marks, step
from tests.tiers import examples

NAMES = ("BH/C1", "DE", "SB", "FB", "DE/A", "PS", "WIN", "KS", "ARO", "TPR", "FOULS", "BH/M1", "REP")


def told(table: Table) -> list[object]:
    """Every row with every part of every value, and the lines they came from."""
    return [explanation(table, row.player) for row in table.rows]


def same(table: Table, hall: Hall) -> Table:
    """The table brought up to date, which must be that of a replay."""
    t = hall.t.fork()
    now, anew = update_table(table, t), standings(t, NAMES, unrated=1200)
    assert [(r.player, r.rank, r.points, r.values) for r in now.rows] == [
        (r.player, r.rank, r.points, r.values) for r in anew.rows
    ]
    assert told(now) == told(anew)
    return now


@settings(max_examples=examples(60), deadline=None)
@given(st.integers(0, 2**32), st.integers(2, 9))
def test_a_table_brought_up_to_date_is_that_of_a_replay(seed: int, players: int) -> None:
    rng = Random(seed)
    hall = Hall(players, ratings={n: 2000 - 7 * n for n in range(1, players)})
    table = standings(hall.t.fork(), NAMES, unrated=1200)
    for _ in range(30):
        for _ in range(rng.choice((1, 1, 1, 3))):
            step(hall, rng)
        table = same(table, hall)


OTHERWISE = replace(
    regulations.load("xiangqi-1999"),
    ranking=replace(
        regulations.load("xiangqi-1999").ranking,
        bye_wins=False,
        forfeit_wins=False,
        unmet="nothing",
        encounter="shared",
        annulled_fouls=False,
        discipline=Discipline(("foul",), equally_punished="shared"),
    ),
    leaving=replace(regulations.load("xiangqi-1999").leaving, annulled_place="points"),
)
"""Every reading that is not the usual one; a foul is misconduct here."""


@settings(max_examples=examples(60), deadline=None)
@given(st.integers(0, 2**32), st.integers(2, 9))
def test_so_is_one_by_the_other_readings_of_the_regulations(seed: int, players: int) -> None:
    rng = Random(seed)
    hall = Hall(players, ratings={n: 2000 - 7 * n for n in range(1, players)})
    hall.tell(PAIRING, ev.RegulationsAdopted(OTHERWISE))
    table = standings(hall.t.fork(), NAMES, unrated=1200)
    assert table.tiebreaks == ("BARRED", "WARNED", *NAMES, "PO")
    for _ in range(30):
        for _ in range(rng.choice((1, 1, 1, 3))):
            step(hall, rng)
        table = same(table, hall)


def test_a_result_changes_the_records_of_its_two_players_only():
    hall = Hall(4).round("1-2", "3-4")
    table = standings(hall.t.fork(), NAMES, unrated=1200)
    hall.tell(GAMES, ev.ResultReported(hall.t.pairings[0].event.boards[0].game, *marks("1")))
    changed = changed_scores(table.field, hall.t)
    assert changed is not None and changed.keys() == {1, 2}
    now = update_table(table, hall.t)
    kept = {row.player: row.values for row in table.rows}
    assert now.memory.values[PlayerId(3)] is table.memory.values[PlayerId(3)] and 3 in kept


def test_a_tie_break_that_does_not_say_what_it_depends_on_is_computed_anew(monkeypatch: pytest.MonkeyPatch):
    """1 has met 3, and 3 has met 4: the game of 4 and 6 is in nobody's record that 1 has met."""

    def second(field: Field, player: PlayerId, edition: Edition) -> Value:
        met = [r.opponent for r in field.scores[player].rounds]
        return count_value(sum(field.own[r.opponent] for p in met for r in field.scores[p].rounds))

    row: Single[Field] = Single("XX", say("Points of the opponents' opponents"), "", say(""), make=lambda code: second)
    monkeypatch.setitem(TIEBREAKS._rows, "XX", row)
    monkeypatch.setitem(TIEBREAKS._by_capitals, "XX", "XX")
    monkeypatch.setattr(TIEBREAKS, "_tiebreaks", {})
    hall = Hall(6).round("1-2 1", "3-4 1", "5-6 1").round("1-3 1", "2-5 1", "4-6")
    table = standings(hall.t.fork(), ("XX",))
    hall.tell(GAMES, ev.ResultReported(hall.t.pairings[1].event.boards[2].game, *marks("1")))
    now, anew = update_table(table, hall.t), standings(hall.t, ("XX",))
    assert values(now) == values(anew)
    assert values(now)[PlayerId(1)] != values(table)[PlayerId(1)]


def values(table: Table) -> dict[PlayerId, object]:
    return {row.player: row.values["XX"].quarters for row in table.rows}


def test_a_table_of_an_earlier_state_is_made_anew():
    hall = Hall(2).round("1-2")
    early = hall.t.fork()
    hall.tell(GAMES, ev.ResultReported(hall.t.pairings[0].event.boards[0].game, *marks("1")))
    later = standings(hall.t, NAMES, unrated=1200)
    assert told(update_table(later, early)) == told(standings(early, NAMES, unrated=1200))


def test_a_table_in_which_a_ruling_is_thought_away_is_made_anew():
    """No line tells the two states apart: only that the ruling does not stand in one of them."""
    hall = Hall(4).round("1-2 1", "3-4 =")
    ruling = hall.rule(1, 1, ev.Effect("set_marks", *marks("0")), "T.1.1")
    table, without = standings(hall.t.fork(), NAMES), hall.t.without_rulings([ruling])
    assert changed_scores(table.field, without) is None
    assert told(update_table(table, without)) == told(standings(without, NAMES)) != told(table)
    assert told(update_table(standings(without, NAMES), hall.t.fork())) == told(table)


def test_another_round_makes_the_table_anew():
    hall = Hall(2).round("1-2 1")
    table = standings(hall.t.fork(), NAMES, unrated=1200)
    hall.round("2-1")
    assert changed_scores(table.field, hall.t) is None


@settings(max_examples=examples(60), deadline=None)
@given(st.integers(0, 2**32), st.integers(2, 9))
def test_a_table_after_any_round_that_begins_with_an_earlier_field_is_that_of_a_replay(seed: int, players: int) -> None:
    rng = Random(seed)
    hall = Hall(players, ratings={n: 2000 - 7 * n for n in range(1, players)})
    before = standings(hall.t.fork(), NAMES, unrated=1200)
    for _ in range(12):
        for _ in range(rng.choice((1, 3, 9))):
            step(hall, rng)
        t = hall.t.fork()
        after = rng.choice((None, before.field.rounds, before.field.rounds + 1, t.rounds_paired()))
        later = standings(t, NAMES, unrated=1200, after_round=after, before=before.field)
        anew = standings(t, NAMES, unrated=1200, after_round=after)
        assert (later.field.scores, later.field.own, later.field.adjusted) == (
            anew.field.scores,
            anew.field.own,
            anew.field.adjusted,
        )
        assert (later.rounds, told(later)) == (anew.rounds, told(anew))
        before = later


def test_a_later_round_takes_the_rounds_before_it_as_they_were():
    hall = Hall(4).round("1-2 1", "3-4 1")
    first = standings(hall.t.fork(), NAMES).field
    hall.round("1-3 1", "2-4")
    later = later_field(first, hall.t, None)
    assert later is not None and later.rounds == 2
    assert all(later.scores[p].rounds[0] is first.scores[p].rounds[0] for p in first.scores)
    # but not where a bye was granted in one of them
    hall.tell(PAIRING, ev.ByeGranted(PlayerId(4), 1, "H"))
    assert later_field(first, hall.t, None) is None


# ---------------------------------------------------------------- as readers get it


def view(hall: Hall) -> View:
    t = hall.t.fork()
    return View(t, t.seq, b"")


def test_readers_get_the_table_of_what_they_read_whatever_was_read_before():
    kept, hall = Tables(), Hall(4).round("1-2 1", "3-4 =")
    early = view(hall)
    assert told(kept.table(early, None, None, None)) == told(standings(early.tournament))
    ruling = hall.rule(1, 1, ev.Effect("set_marks", *marks("0")), "T.1.1")
    late = view(hall)
    assert told(kept.table(late, None, None, None)) == told(standings(late.tournament))
    without = View(late.tournament.without_rulings([ruling]), late.seq, b"")
    assert told(kept.table(without, None, None, None)) == told(standings(without.tournament))
    assert told(kept.table(late, None, None, None)) == told(standings(late.tournament))
    assert told(kept.table(early, None, None, None)) == told(standings(early.tournament))


def test_regulations_adopted_since_decide_what_is_not_asked_for():
    kept, hall = Tables(), Hall(2).round("1-2 1")
    hall.t.announced = replace(hall.t.announced, tiebreaks=()) if hall.t.announced else None
    assert kept.table(view(hall), None, None, None).tiebreaks == ("BH/C1", "BH", "DE", "WIN")
    hall.tell(PAIRING, ev.RegulationsAdopted(regulations.load("campus")))
    assert kept.table(view(hall), None, None, None).tiebreaks == ("BH", "PS", "DE/A", "WIN")
