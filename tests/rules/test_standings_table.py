"""The order of the table, direct encounter, and what a row is explained by."""

import pytest
from msgspec import to_builtins

from services.standings.rules.crosstable import crosstable
from services.standings.rules.diff import diff
from services.standings.rules.encounters import add_encounters, tiebreak_columns
from services.standings.rules.explanation import explanation
from services.standings.rules.table.table import standings, table_answer
from services.standings.rules.tiebreaks.registry import TIEBREAKS
from shared.core import events as ev
from shared.core.terms import PAIRING, HalfPoints, Mark, PlayerId
from tests.rules.standings_field import Hall, one_stays_ahead, ranks

WIN, LOSS = Mark(HalfPoints(2), True), Mark(HalfPoints(0), True)


def test_equal_in_everything_is_equal_in_rank_and_the_next_rank_is_left_out():
    hall = Hall(4).round("1-2 =", "3-4 =").round("1-3 1", "2-4 1")
    assert ranks(standings(hall.t, ("WIN",))) == {1: 1, 2: 1, 3: 3, 4: 3}


def test_of_equal_rank_the_lower_starting_number_stands_first():
    hall = Hall(3).round("1-2 =", U="3")
    hall.tell(
        PAIRING, ev.StartingNumbersAssigned((ev.StartingNumber(PlayerId(1), 2), ev.StartingNumber(PlayerId(2), 1)))
    )
    assert [row.player for row in standings(hall.t, ()).rows] == [3, 2, 1]


def test_nobody_is_ranked_before_anybody_before_the_first_round():
    assert ranks(standings(Hall(3).t)) == {1: 1, 2: 1, 3: 1}


def test_those_who_withdrew_stay_in_the_table():
    hall = Hall(3).round("1-2 1", U="3")
    hall.tell(PAIRING, ev.PlayerWithdrew(PlayerId(2), 1, True, 1, "C.04.2"))
    assert set(ranks(standings(hall.t))) == {1, 2, 3}


def test_announced_tie_breaks_go_before_those_of_the_regulations():
    assert standings(Hall(2).t).tiebreaks == ("BH",)


def test_an_undefined_value_ranks_last():
    # No game over the board: no performance rating (10.2).
    hall = Hall(3, ratings={1: 1500, 2: 1000, 3: 2500}).round("2-1 1", U="3")
    assert ranks(standings(hall.t, ("TPR",))) == {2: 1, 3: 2, 1: 3}


@pytest.mark.parametrize("wrong", [("BX",), ("BH", "BH")])
def test_an_unknown_or_repeated_tie_break_makes_no_table(wrong: tuple[str, ...]):
    with pytest.raises(ValueError, match="tie-break"):
        standings(Hall(2).t, wrong)


# ---------------------------------------------------------------- direct encounter (C.07 6)


def test_who_beat_the_other_is_placed_first():
    hall = Hall(4).round("2-1 1", "3-4 =").round("1-3 1", "4-2 1")
    assert ranks(standings(hall.t, ("DE",))) == {4: 1, 2: 2, 1: 3, 3: 4}


def test_all_have_met_so_their_games_are_a_table_of_its_own_split_again_among_equals():
    # 6.2: 1, 2 and 3 have 2 each; 1 made 1.5 against the others, 3 made 1 and 2 made 0.5.
    hall = (
        Hall(6)
        .round("1-2 1", "3-4 1", "5-6 1")
        .round("1-3 =", "2-4 1", "5-6 =")
        .round("3-2 =", "1-6 =", "4-5 =")
        .round("2-6 =", "1-4 0", "3-5 0")
    )
    table = standings(hall.t, ("DE",))
    group = [row.player for row in table.rows if row.points == 4]
    assert group == [1, 3, 2]
    assert [row.values["DE"].quarters for row in table.rows if row.points == 4] == [4, 8, 12]


def test_not_all_have_met_so_only_a_lead_that_nothing_can_take_counts():
    # 6.3: 1 beat 2, and 3 met neither: with both games won 3 would be ahead, so nobody is placed.
    hall = Hall(6).round("1-2 1", "3-4 1", "5-6 1").round("1-5 0", "2-6 1", "3-5 0")
    table = standings(hall.t, ("DE",))
    assert {row.values["DE"].quarters for row in table.rows if row.points == 2} == {4}


def test_not_all_have_met_but_one_stays_ahead_whatever_the_missing_game_would_bring():
    # 6.3: 1 beat 2 and 3, who did not meet: even a win there gives one of them no more than 1.
    hall = one_stays_ahead()
    table = standings(hall.t, ("DE",))
    tied = {row.player: row.values["DE"].quarters for row in table.rows if row.points == 5 and row.player in (1, 2, 3)}
    assert tied == {1: 4, 2: 8, 3: 8}


def test_a_lead_that_the_missing_game_could_equal_places_nobody():
    # 6.3: 1 has 1.5 against 2 and 3; 3 has 0.5 and would have 1.5 with a win over 2.
    hall = Hall(6).round("1-2 1", "3-4 =", "5-6 1").round("1-3 =", "2-4 1", "5-6 =").round("1-5 0", "2-4 =", "3-6 =")
    table = standings(hall.t, ("DE",))
    assert {row.player: row.values["DE"].quarters for row in table.rows if row.points == 3} == {1: 4, 2: 4, 3: 4}


def test_forfeits_are_no_encounter():
    hall = Hall(2).round("1-2 +").round("2-1 +")
    assert ranks(standings(hall.t, ("DE",))) == {1: 1, 2: 1}


def test_a_player_tied_with_nobody_has_no_direct_encounter():
    hall = Hall(2).round("1-2 1")
    assert [p["tb"]["DE"] for p in to_builtins(table_answer(standings(hall.t, ("DE",))))["players"]] == [None, None]


# ---------------------------------------------------------------- as JSON, and why


def test_the_json_has_what_others_read_and_nothing_else():
    hall = Hall(2).round("1-2 =")
    names = {hall.t.players[PlayerId(1)].name.text: "王小明"}
    assert to_builtins(table_answer(standings(hall.t, ("BH",)), names)) == {
        "tournament": "T",
        "seq": 6,
        "rounds": 1,
        "tiebreaks": ("BH",),
        "players": [
            {"id": 1, "rank": 1, "name": "王小明", "points": 0.5, "tb": {"BH": 0.5}},
            {"id": 2, "rank": 1, "name": None, "points": 0.5, "tb": {"BH": 0.5}},
        ],
    }


def test_a_table_after_an_earlier_round_leaves_out_later_games_and_later_rulings_on_points():
    hall = Hall(2).round("1-2 1")
    before = to_builtins(table_answer(standings(hall.t, ("BH", "PS"))))
    hall.round("2-1 1").rule(1, 2, ev.Effect("adjust_points", points=HalfPoints(-2)))
    after = to_builtins(table_answer(standings(hall.t, ("BH", "PS"), after_round=1)))
    assert after["players"] == before["players"]


def test_a_row_cites_its_entry_its_pairing_and_its_result():
    hall = Hall(2).round("1-2 1")  # lines: 1 announced, 2 regulations, 3 and 4 entries, 5 pairing, 6 result
    told = to_builtins(explanation(standings(hall.t, ("WIN",)), PlayerId(1)))
    assert told is not None
    assert told["events"] == [3, 5, 6]
    assert told["rounds"][0]["events"] == [5, 6]
    assert told["tiebreaks"][0]["parts"] == [
        {"round": 1, "opponent": 2, "value": 1, "score": None, "cut": None, "how": None, "events": [5, 6]}
    ]


def test_buchholz_cites_the_whole_record_of_the_opponent():
    hall = Hall(4).round("1-2 1", "3-4 1").round("1-3 1", "2-4 1")  # results 8 9, pairing 10, results 11 12
    told = to_builtins(explanation(standings(hall.t, ("BH",)), PlayerId(1)))
    assert told is not None
    assert told["tiebreaks"][0]["parts"][0]["events"] == [7, 8, 10, 12]


def test_a_result_set_by_a_ruling_cites_the_ruling_and_what_felled_it():
    hall = Hall(2).round("1-2 1")
    ruling = hall.rule(1, 1, ev.Effect("set_marks", LOSS, WIN), "T.1.1")
    annulled = hall.annul(ruling)
    told = to_builtins(explanation(standings(hall.t, ()), PlayerId(1)))
    assert told is not None
    assert told["points"] == 1
    assert {7, annulled} <= set(told["rounds"][0]["events"])


def test_a_result_set_by_a_ruling_cites_the_rulings_that_it_rests_on():
    hall = Hall(2).round("1-2 1")
    foul = hall.rule(1, 1, ev.Effect("foul"))
    hall.rule(1, 1, ev.Effect("set_marks", LOSS, WIN), "T.1.1", because=(foul,))
    told = to_builtins(explanation(standings(hall.t, ()), PlayerId(1)))
    assert told is not None
    assert hall.t.rulings[foul].seq in told["rounds"][0]["events"]


def test_there_is_no_explanation_of_a_stranger():
    assert to_builtins(explanation(standings(Hall(2).t), PlayerId(9))) is None


def test_the_difference_names_the_rows_that_changed_and_the_lines_that_did_it():
    hall = Hall(4).round("1-2 1", "3-4 1")
    ruling = hall.rule(3, 1, ev.Effect("set_marks", LOSS, WIN), "T.1.2")
    before = standings(hall.t.fork(), ())
    annulled = hall.annul(ruling)
    told = to_builtins(diff(before, standings(hall.t, ())))
    assert {c["id"]: (c["before"]["points"], c["after"]["points"]) for c in told["changes"]} == {3: (0, 1), 4: (1, 0)}
    assert annulled in told["events"]
    assert (told["from"], told["to"]) == (before.seq, hall.t.seq)


def test_the_causes_of_a_change_are_the_games_the_rulings_on_points_and_the_opponents_whose_points_are_others():
    hall = Hall(4).round("1-2 1", "3-4 1").round("1-3 1", "2-4 1")
    before = standings(hall.t.fork(), ("BH",))
    lost = hall.rule(3, 1, ev.Effect("set_marks", LOSS, WIN), "T.1.2")
    fined = hall.rule(2, 2, ev.Effect("adjust_points", points=-1))
    causes = {c["id"]: c["causes"] for c in to_builtins(diff(before, standings(hall.t, ("BH",))))["changes"]}
    cause = {"kind": "opponent", "round": None, "opponent": None, "game": None, "ruling": None}
    round, ruling = cause | {"kind": "round"}, cause | {"kind": "ruling"}
    assert causes[3] == [
        round | {"round": 1, "opponent": 4, "game": "T.1.2", "before": 1, "after": 0},
        cause | {"opponent": 4, "before": 0, "after": 1},
    ]
    assert causes[2] == [
        ruling | {"ruling": fined, "before": None, "after": -0.5},
        cause | {"opponent": 4, "before": 0, "after": 1},
    ]
    assert causes[1] == [
        cause | {"opponent": 2, "before": 1, "after": 0.5},
        cause | {"opponent": 3, "before": 1, "after": 0},
    ]
    taken = to_builtins(diff(standings(hall.t, ("BH",)), standings(hall.t.without_rulings([fined, lost]), ("BH",))))
    assert (
        ruling | {"ruling": fined, "before": -0.5, "after": None} in {c["id"]: c["causes"] for c in taken["changes"]}[2]
    )


def test_who_only_moves_because_others_do_has_no_cause():
    hall = Hall(4).round("1-2 =", "3-4 1")
    before = standings(hall.t.fork(), ())
    hall.rule(3, 1, ev.Effect("set_marks", LOSS, LOSS), "T.1.2")
    assert {c["id"]: c["causes"] == [] for c in to_builtins(diff(before, standings(hall.t, ())))["changes"]} == {
        1: True,
        2: True,
        3: False,
        4: True,
    }


def test_direct_encounter_is_told_as_points_among_the_tied_with_its_opponents():
    hall = Hall(4).round("1-2 1", "3-4 1").round("1-3 0", "2-4 1").round("1-4 1", "2-3 1")
    table = standings(hall.t, ("DE",))
    told = {p["id"]: p.get("encounters", {}).get("DE") for p in to_builtins(add_encounters(table))["players"]}
    assert told == {
        1: {"points": 1, "opponents": [2, 3], "place": 1},
        2: {"points": 1, "opponents": [1, 3], "place": 1},
        3: {"points": 1, "opponents": [1, 2], "place": 1},
        4: None,
    }
    columns, rows = tiebreak_columns(["DE"], add_encounters(table).players, TIEBREAKS)
    cells = [of_row for _, of_row in rows]
    assert (columns, cells[0]) == (["DE", "DE against"], {"DE": 1, "DE against": "2 3"})
    assert cells[3] == {"DE": None, "DE against": None}
    (tiebreak,) = to_builtins(explanation(table, PlayerId(2)))["tiebreaks"]
    assert tiebreak["encounter"] == told[2]
    assert to_builtins(table_answer(table))["players"][0]["tb"] == {"DE": 1}, "what is published is as it was"


def test_what_if_a_ruling_did_not_stand_is_a_table_of_a_fork():
    hall = Hall(2).round("1-2 1")
    ruling = hall.rule(1, 1, ev.Effect("set_marks", LOSS, WIN), "T.1.1")
    assert ranks(standings(hall.t.without_rulings([ruling]), ())) == {1: 1, 2: 2}
    assert ranks(standings(hall.t, ())) == {1: 2, 2: 1}


@pytest.mark.parametrize(
    ("game", "letters"),
    [
        ("1-2 1", "10"),
        ("1-2 =", "=="),
        ("1-2 0", "01"),
        ("1-2 +", "+-"),
        ("1-2 -", "-+"),
        ("1-2 --", "--"),
        ("1-2", "**"),
    ],
)
def test_the_cross_table_writes_rounds_as_trf_does(game: str, letters: str):
    told = to_builtins(crosstable(standings(Hall(2).round(game).t, ())))
    assert {p["id"]: p["rounds"][0]["result"] for p in told["players"]} == {1: letters[0], 2: letters[1]}


@pytest.mark.parametrize("kind", ["U", "F", "H", "Z"])
def test_the_cross_table_writes_byes_by_their_letter(kind: str):
    told = to_builtins(crosstable(standings(Hall(1).round(**{kind: "1"}).t, ())))
    assert told["players"][0]["rounds"][0]["result"] == kind
