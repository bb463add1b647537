"""The orders K1 to K9: what parts equals, as the regulations have it, and how each value explains itself."""

from dataclasses import replace
from typing import Any

import pytest
from msgspec import to_builtins

from services.pairing.rules import commands as co
from services.standings.rules.explanation import explanation
from services.standings.rules.table.table import standings
from services.standings.rules.teams.member_places import PLACE_TIEBREAKS
from services.standings.rules.teams.tiebreaks import TEAM_TIEBREAKS
from services.standings.rules.tiebreaks.registry import TIEBREAKS
from shared import regulations
from shared.core import events as ev
from shared.core.rulebook.formats import Format
from shared.core.terms import PENALTIES, Conditions, PlayerId, RulingId
from tests.rules.pairing_story import CHIEF, OFFICIALS, ORGANISER, WHY, Office
from tests.rules.standings_field import Hall, one_stays_ahead, ranks


def event(name: str, format: Format, players: int = 4, rounds: int = 3, **conditions: Any) -> Office:
    office = Office(0, 0)
    rules = regulations.load(name)
    office.do(
        co.AnnounceTournament(
            ORGANISER, "Cup", "xiangqi", format, rounds, rules, (), Conditions(**conditions), officials=OFFICIALS
        )
    )
    office.enter(*range(1, players + 1))
    return office


def ruled(office: Office, player: int, infraction: str, effect: ev.Effect, counter: str | None = None) -> RulingId:
    ruling = RulingId(f"r{office.t.counts.get(PENALTIES, 0) + 1}")
    office.told(PENALTIES, ev.RulingMade(ruling, PlayerId(player), 1, infraction, "18", effect, None, counter))
    return ruling


# ---------------------------------------------------------------- orders are data


@pytest.mark.parametrize(
    ("name", "format", "of", "order"),
    [
        ("campus", "swiss", "players", ("BH", "PS", "DE/A", "WIN")),  # K1, 000-A 破同分 1-4
        ("xiangqi-1999", "round_robin", "players", ("SB", "WIN", "DE/A", "FOULS", "PO")),  # K2, 002-X 15.1
        ("xiangqi-1999", "swiss", "players", ("BH", "WIN", "FOULS", "PO")),  # K3, 002-X 15.2
        ("xiangqi-1999", "round_robin", "teams", ("GPTS", "WIN:GP", "DE/A", "FOULS")),  # K4, 002-X 15.3
        ("xiangqi-1999", "swiss", "teams", ("BH", "GPTS", "WIN", "FOULS")),  # K5, 002-X 15.4
        ("xiangqi-1999", "swiss", "members", ("PLACE1", "PLACE2", "FOULS")),  # K6, 002-X 15.5
        ("fide-2026", "swiss", "players", ("BH/C1", "BH", "DE", "WIN")),  # K9, C.07
        ("xiangqi-1999", "knockout", "players", ()),  # places are played for
    ],
)
def test_the_order_of_tie_breaks(name: str, format: Format, of: Any, order: tuple[str, ...]) -> None:
    assert regulations.load(name).ranking.order(format, of) == order


@pytest.mark.parametrize("name", regulations.names())
def test_every_tie_break_that_regulations_name_is_known(name: str) -> None:
    ranking = regulations.load(name).ranking
    assert not TIEBREAKS.invalid_codes(ranking.tiebreaks)
    for order in ranking.orders:
        known = {"players": TIEBREAKS, "teams": TEAM_TIEBREAKS, "members": PLACE_TIEBREAKS}
        assert not known[order.of].invalid_codes(order.tiebreaks), order


def test_a_round_robin_is_ranked_by_the_order_of_round_robins() -> None:
    office = event("xiangqi-1999", "round_robin")
    assert standings(office.t).tiebreaks == ("BARRED", "WARNED", "SB", "WIN", "DE/A", "FOULS", "PO")


# ---------------------------------------------------------------- K1: 直胜 only where all have met


def test_direct_encounter_counts_where_all_who_are_equal_have_met() -> None:
    hall = Hall(4).round("2-1 1", "3-4 =").round("1-3 1", "4-2 1")
    table = standings(hall.t, ("DE/A",))
    assert ranks(table) == {4: 1, 2: 2, 1: 3, 3: 4}


def test_where_one_of_them_has_not_met_another_it_parts_nobody() -> None:
    # 6.3 of C.07 would place 1 first, who stays ahead of 2 and 3 whatever their missing game brings: 000-A does not.
    hall = one_stays_ahead()
    by = {name: ranks(standings(hall.t, (name,))) for name in ("DE", "DE/A")}
    assert by["DE"][1] < by["DE"][2]
    assert by["DE/A"][1] == by["DE/A"][2] == by["DE/A"][3]


def test_drawn_or_in_a_circle_it_parts_nobody_and_the_place_is_shared() -> None:
    hall = Hall(3).round("1-2 1", Z="3").round("2-3 1", Z="1").round("3-1 1", Z="2")
    assert set(ranks(standings(hall.t, ("DE/A", "WIN"))).values()) == {1}


# ---------------------------------------------------------------- K2, K3: fewer fouls


def test_fewer_fouls_are_better_and_each_names_its_ruling() -> None:
    hall = Hall(2).round("1-2 =")
    foul = RulingId("r1")
    line = hall.tell(PENALTIES, ev.RulingMade(foul, PlayerId(1), 1, "foul", "9.1", ev.Effect("foul"), None, "foul"))
    assert ranks(standings(hall.t, ("FOULS",))) == {2: 1, 1: 2}
    told = to_builtins(explanation(standings(hall.t, ("FOULS",)), PlayerId(1)))
    assert told is not None
    assert told["tiebreaks"][0]["value"] == 1 and told["tiebreaks"][0]["events"] == [line]
    felled = hall.annul(foul)
    assert ranks(standings(hall.t, ("FOULS",))) == {1: 1, 2: 1}
    told = to_builtins(explanation(standings(hall.t, ("FOULS",)), PlayerId(1)))
    assert told is not None
    (part,) = told["tiebreaks"][0]["parts"]
    assert (told["tiebreaks"][0]["value"], part["cut"], part["events"]) == (0, "annulled", [line, felled])


# ---------------------------------------------------------------- K8: who was punished stands last among equals


def test_among_equals_in_points_the_punished_stand_last_by_gravity_then_by_number() -> None:
    # 002-X 18.4: 1 was barred once, 2 warned twice, 3 warned once; 4 was not punished.
    office = event("xiangqi-1999", "swiss")
    office.play((1, 2), (3, 4))
    ruled(office, 1, "grave_misconduct", ev.Effect("exclude", rounds=(2,)))
    for player in (2, 2, 3):
        ruled(office, player, "misconduct", ev.Effect("warn"))
    table = standings(office.t)
    assert table.tiebreaks[:2] == ("BARRED", "WARNED")
    assert [row.player for row in table.rows] == [4, 3, 2, 1]
    assert [row.rank for row in table.rows] == [1, 2, 3, 4]


def test_more_points_stand_before_fewer_whoever_was_punished() -> None:
    office = event("xiangqi-1999", "swiss")
    office.play((1, 2), (3, 4), said="1-0")
    ruled(office, 1, "grave_misconduct", ev.Effect("exclude", rounds=(2,)))
    assert ranks(standings(office.t)) == {3: 1, 1: 2, 2: 3, 4: 3}


def test_where_the_regulations_say_nothing_of_it_punishments_do_not_rank() -> None:
    office = event("campus", "swiss")
    office.play((1, 2), (3, 4))
    ruled(office, 1, "misconduct", ev.Effect("warn"))
    assert set(ranks(standings(office.t)).values()) == {1}


def test_punishments_rank_also_before_tie_breaks_that_were_announced() -> None:
    office = event("xiangqi-1999", "swiss")
    assert standings(office.t, ("WIN",)).tiebreaks == ("BARRED", "WARNED", "WIN", "PO")


# ---------------------------------------------------------------- K7: a play-off


def drawn_event() -> Office:
    office = event("xiangqi-1999", "swiss", rounds=1)
    office.play((1, 2), (3, 4))
    return office


def off(*boards: tuple[int, int]) -> co.PairPlayOff:
    return co.PairPlayOff(CHIEF, tuple((PlayerId(w), PlayerId(b)) for w, b in boards), WHY)


def test_a_play_off_parts_equals_and_gives_no_points() -> None:
    office = drawn_event()
    assert set(ranks(standings(office.t)).values()) == {1}
    office.do(off((2, 1)))
    office.results("0-1")
    table = standings(office.t)
    assert [row.points for row in table.rows] == [1, 1, 1, 1]
    assert table.rounds == 1
    first = next(row for row in table.rows if row.player == 1)
    assert first.values["PO"].quarters == 4
    told = to_builtins(explanation(table, PlayerId(1)))
    assert told is not None and [r["round"] for r in told["rounds"]] == [1, 2]
    assert ranks(table)[1] < ranks(table)[2]


def test_a_table_of_the_rounds_before_knows_no_play_off() -> None:
    office = drawn_event()
    office.do(off((2, 1)))
    office.results("0-1")
    assert set(ranks(standings(office.t, after_round=1)).values()) == {1}


@pytest.mark.parametrize(
    ("boards", "code"),
    [((), "empty-pairing"), (((1, 1),), "absolute-rule"), (((1, 9),), "absolute-rule")],
)
def test_refusals_of_a_play_off(boards: tuple[tuple[int, int], ...], code: str) -> None:
    assert drawn_event().refused(off(*boards)).code == code


def test_there_is_no_play_off_while_rounds_are_left_or_without_a_reason_or_in_a_knock_out() -> None:
    assert event("xiangqi-1999", "swiss").refused(off((1, 2))).code == "rounds-left"
    assert drawn_event().refused(replace(off((1, 2)), reason=None)).code == "reason-missing"
    assert event("xiangqi-1999", "knockout", rounds=0).refused(off((1, 2))).code == "no-play-off"


# ---------------------------------------------------------------- places that are played for


def test_a_knock_out_is_ranked_by_the_places_played_for() -> None:
    office = event("xiangqi-1999", "knockout", rounds=2)
    office.pair()
    office.results("1-0")
    winners = [b.white for b in office.t.pairings[0].event.boards]
    assert {row.player: row.rank for row in standings(office.t).rows if row.rank == 1}.keys() == set(winners)
    office.pair()
    office.results("1-0")
    table = standings(office.t)
    assert sorted(row.rank for row in table.rows) == [1, 2, 3, 3]
    assert table.rows[0].player == office.t.pairings[1].event.boards[0].white


def test_after_groups_the_finals_come_first_then_one_group_after_the_other() -> None:
    office = event("xiangqi-1999", "groups", players=6, rounds=6, groups=2, qualifiers=1)
    for _ in range(3):
        office.pair()
        office.results("1-0")
    first = standings(office.t)
    groups = office.t.pairings[0].event.groups
    sections = [next(n for n, g in enumerate(groups) if row.player in g) for row in first.rows]
    assert sections == [0, 0, 0, 1, 1, 1]
    best = [next(row.player for row in first.rows if row.player in g) for g in groups]
    order = tuple((row.player,) for row in first.rows)
    office.told("/services/standings", ev.StandingsPublished(("SB",), "2026", 3, False, order=order))
    paired = office.pair()
    assert {p for b in paired.boards for p in (b.white, b.black)} == set(best)
    office.results("0-1")
    table = standings(office.t)
    assert [row.player for row in table.rows[:2]] == [paired.boards[0].black, paired.boards[0].white]
    assert [row.points for row in table.rows[:2]] == [2, 0], "nothing is carried over"
