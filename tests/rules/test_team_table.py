"""The table of teams: K4 to K6 (002-X 15.3-15.5), and the team tie-breaks of C.07."""

import csv
from dataclasses import replace

import pytest
from msgspec import to_builtins

from services.standings.files.csv_tables import team_csv
from services.standings.rules.diff import team_diff
from services.standings.rules.teams.explanation import add_team_encounters, crosstable, explanation
from services.standings.rules.teams.table import TeamTable, default_tiebreaks, team_standings, team_table_answer
from services.standings.rules.teams.tiebreaks import TEAM_TIEBREAKS
from shared.core import events as ev
from shared.core.terms import GAMES, PAIRING, PENALTIES, PLAY_OFF, Mark, PlayerId, RulingId
from tests.rules.team_hall import TeamHall


def four(format: str = "round_robin") -> TeamHall:
    """Four teams of two, everybody against everybody.

    |   | 1   | 2   | 3   | 4   | match points | game points |
    |---|-----|-----|-----|-----|--------------|-------------|
    | 1 |     | ½   | 1   | 2   | 3            | 3½          |
    | 2 | 1½  |     | 1½  | 1   | 5            | 4           |
    | 3 | 1   | ½   |     | 1   | 2            | 2½          |
    | 4 | 0   | 1   | 1   |     | 2            | 2           |
    """
    hall = TeamHall(4, format=format)
    return hall.round("1-4 11", "2-3 1=").round("4-3 ==", "1-2 0=").round("2-4 01", "1-3 10")


def values(table: TeamTable, name: str) -> list[float | None]:
    """A tie-break of the teams, by number."""
    rows = sorted(to_builtins(team_table_answer(table))["teams"], key=lambda row: row["id"])
    return [row["tb"][name] for row in rows]


def ranks(table: TeamTable) -> dict[int, int]:
    return {row.team: row.rank for row in table.rows}


def test_match_points_rank_then_game_points():
    table = team_standings(four().t, ("GPTS",))
    rows = to_builtins(team_table_answer(table))["teams"]
    assert [(r["id"], r["rank"], r["points"], r["game_points"]) for r in rows] == [
        (2, 1, 5, 4),
        (1, 2, 3, 3.5),
        (3, 3, 2, 2.5),
        (4, 4, 2, 2),
    ]
    assert rows[0]["members"] == (21, 22)


@pytest.mark.parametrize(
    ("name", "expected", "article"),
    [
        ("PTS", [3, 5, 2, 2], "11.1"),
        ("MPTS", [3, 5, 2, 2], "11.1"),
        ("GPTS", [3.5, 4, 2.5, 2], "11.1"),
        ("MPvGP", [3.5, 4, 2.5, 2], "13.1"),
        ("BH", [9, 7, 10, 10], "8.1 and 13"),
        ("BH:MP", [9, 7, 10, 10], "8.1 and 13"),
        ("BH:GP", [8.5, 8, 9.5, 10], "8.1 and 13"),
        ("BH:GP/C1", [6.5, 6, 7.5, 7.5], "14.1"),
        ("BH/M1", [2, 2, 3, 3], "14.3"),
        ("SB", [6, 12, 5, 7], "9.1"),
        ("EMMSB", [6, 12, 5, 7], "13.2.1"),
        ("EMGSB", [8.5, 9.5, 7.5, 7], "13.2.2"),
        ("EGMSB", [6.5, 14, 5.5, 6.5], "13.2.3"),
        ("EGGSB", [8.5, 11, 7.5, 6.5], "13.2.4"),
        ("SB:GP", [8.5, 11, 7.5, 6.5], "13.2.4"),
        ("EMMSB/C1", [4, 10, 3, 5], "14.1.2: the lowest total, of equals the lowest product"),
        ("PS", [7, 11, 3, 3], "7.5"),
        ("PS:GP", [8, 8.5, 4.5, 3], "7.5"),
        ("WIN", [1, 2, 0, 0], "7.1"),
        ("WIN:GP", [3, 3, 1, 1], "002-X 15.3: 全队胜局"),
        ("WON:GP", [3, 3, 1, 1], "7.2"),
        ("BPG", [0, 1, 3, 2], "7.3: matches named second"),
        ("BPG:GP", [3, 3, 3, 3], "7.3"),
        ("BWG:GP", [1, 2, 0, 1], "7.4"),
        ("REP", [3, 3, 3, 3], "7.6"),
        ("KS", [0, 2, 1, 1], "9.2"),
        ("BC", [5, 6, 4.5, 2.5], "12.1"),
    ],
)
def test_the_values_of_a_round_robin(name, expected, article):
    table = team_standings(four().t, (name,))
    assert values(table, name) == expected, article


def test_every_name_has_a_value_or_none_and_a_title():
    table = team_standings(four().t, TEAM_TIEBREAKS.codes)
    assert all(set(row.values) == set(TEAM_TIEBREAKS.codes) for row in table.rows)
    assert all(TEAM_TIEBREAKS.titles.values())


def test_each_of_the_22_names_has_its_form_for_teams():
    single = "PTS DE BH BH/C1 BH/C2 BH/M1 BH/M2 FB SB SB/C1 PS PS/C1 WIN WON BPG BWG REP ARO ARO/C1 TPR PTP KS"
    assert set(single.split()) <= set(TEAM_TIEBREAKS.codes)
    assert TEAM_TIEBREAKS.invalid_codes(("BH:GP", "bh", "BH:GP", "KS:MP")) == ["bh", "BH:GP"]


# ---------------------------------------------------------------- Swiss


def test_a_teams_bye_and_a_forfeited_match_are_rounds_unplayed():
    """Team 3 has the bye, and in round 2 wins unplayed against team 1, which has four match points' worth of nothing."""
    hall = TeamHall(3).round("1-2 11", bye=3).round("3-1 ++", bye=2)
    table = team_standings(hall.t, ("BH", "WIN", "WON", "REP"), rules="2026")
    assert [(r.team, r.rank) for r in table.rows] == [(3, 1), (1, 2), (2, 3)]
    assert values(table, "WIN") == [1, 0, 1]
    assert values(table, "WON") == [1, 0, 0]
    assert values(table, "REP") == [1, 2, 2], "a forfeited match is no round elected to play (C.07 7.6)"
    assert values(table, "BH") == [4, 4, 4], "team 1: 2 of team 2, its own 2; 2: 2 and 2; 3: draws throughout, and 2"


def test_fewer_fouls_of_all_members_rank_before_a_shared_place():
    """K5: the last criterion before a shared place (002-X 15.4)."""
    hall = TeamHall(4).round("1-2 ==", "3-4 ==")
    hall.foul(11, 1)
    hall.foul(12, 1)
    ruling = hall.foul(21, 1)
    hall.foul(31, 1)
    table = team_standings(hall.t, ("BH", "GPTS", "WIN", "FOULS"))
    assert values(table, "FOULS") == [2, 1, 1, 0]
    assert ranks(table) == {4: 1, 2: 2, 3: 2, 1: 4}
    hall.tell(PENALTIES, ev.RulingAnnulled(RulingId("r9"), ruling, "8.5"))
    table = team_standings(hall.t, ("FOULS",))
    assert ranks(table) == {2: 1, 4: 1, 3: 3, 1: 4}


@pytest.mark.parametrize(
    ("name", "first", "second", "article"),
    [
        ("DE", 1, 1, "6: the match between them was drawn"),
        ("EDE", 1, 1, "13.3: drawn in match points and in game points"),
        ("TBR", 1, 2, "12.2: team 1 made more on the first board"),
        ("BBE", 1, 2, "12.3: without the last board"),
    ],
)
def test_two_teams_level_on_match_points_and_game_points(name, first, second, article):
    table = team_standings(TeamHall(2).round("1-2 10").t, (name,))
    assert values(table, name) == [first, second], article


def test_direct_encounter_of_teams_is_told_as_points_among_the_tied_with_its_opponents():
    """The ring of the test below; team 4 is tied with nobody."""
    hall = TeamHall(4, boards=3, format="round_robin").round("1-2 111", "3-4 111").round("2-3 1==", "1-4 111")
    table = team_standings(hall.round("3-1 110", "2-4 111").t, ("DE", "EDE"))
    told = {row["id"]: row.get("encounters") for row in to_builtins(add_team_encounters(table))["teams"]}
    points = {"points": 2, "opponents": [2, 3]}
    assert told[1] == {"DE": {**points, "place": 1}, "EDE": {**points, "place": 1, "game_points": 4}}
    assert told[2]["EDE"] == {"points": 2, "opponents": [1, 3], "place": 3, "game_points": 2}
    assert told[4] is None

    first, *_, last = csv.DictReader(team_csv(table).splitlines())
    assert [first[c] for c in ("DE", "DE against", "EDE", "EDE game points", "EDE against")] == [
        "2",
        "2 3",
        "2",
        "4",
        "2 3",
    ]
    assert [last[c] for c in ("DE", "DE against", "EDE game points")] == ["", "", ""]
    de, ede = to_builtins(explanation(table, 2))["tiebreaks"]
    assert (de["encounter"], ede["encounter"]) == (told[2]["DE"], told[2]["EDE"])


def test_the_points_of_a_direct_encounter_by_game_points_are_game_points():
    hall = TeamHall(2, boards=3).round("1-2 1=0")
    (row, _) = to_builtins(add_team_encounters(team_standings(hall.t, ("DE:GP",))))["teams"]
    assert row["encounters"] == {"DE:GP": {"points": 1.5, "opponents": [2], "place": 1}}


def test_a_change_of_teams_tells_direct_encounter_before_and_after():
    hall = TeamHall(4).round("1-2 11", "3-4 11").round("1-3 ==", "2-4 ==")
    hall.t.announced = replace(hall.t.announced, tiebreaks=("DE",))
    before = hall.t.fork()
    after = hall.round("1-3 11").t
    changes = {row.after.id: to_builtins(row) for row in team_diff(before, after)}
    assert changes[1][0]["encounters"] == {"DE": {"points": 1, "opponents": [3], "place": 1}}
    assert "encounters" not in changes[1][1], "tied with nobody any more"
    assert set(changes) == {1, 3}


def test_the_extended_direct_encounter_goes_on_with_game_points():
    """1, 2 and 3 beat each other in a ring, 1 by the most game points."""
    hall = TeamHall(3, boards=3, format="round_robin").round("1-2 111").round("2-3 1==").round("3-1 110")
    table = team_standings(hall.t, ("DE", "EDE"))
    assert values(table, "DE") == [1, 1, 1], "the ring parts nobody by match points"
    assert values(table, "EDE") == [1, 3, 2], "game points 4, 2, 3 (C.07 13.3)"


def test_a_board_by_forfeit_counts_for_the_team():
    table = team_standings(TeamHall(2).round("1-2 a=").t, ("GPTS", "WIN:GP", "WON:GP"))
    assert values(table, "GPTS") == [1.5, 0.5]
    assert values(table, "WIN:GP") == [1, 0]
    assert values(table, "WON:GP") == [0, 0]


def test_ratings_are_those_of_the_opponents_on_the_boards():
    hall = TeamHall(2).round("1-2 1=")
    table = team_standings(hall.t, ("ARO", "TPR"))
    assert values(table, "ARO") == [2479, 2489], "2479 and 2478 half up; 2489 and 2488"
    assert values(table, "TPR") == [2479 + 193, 2489 - 193], "three quarters of the points (C.07 10.2)"


# ---------------------------------------------------------------- knock-out, after a round


def test_who_went_on_in_a_knock_out_stands_before_who_did_not():
    hall = TeamHall(4, format="knockout")
    hall.round("1-2 01", "3-4 00")
    paired = hall.t.pairings[0].event
    placed = tuple(replace(m, places=(1, 3)) for m in paired.matches)
    hall.t.pairings[0] = hall.t.pairings[0]._replace(event=replace(paired, matches=placed))
    hall.tell(PAIRING, ev.LotDrawn(1, 2, 7))
    table = team_standings(hall.t, ())
    assert ranks(table) == {2: 1, 4: 1, 1: 3, 3: 3}, (
        "2 went on by lot; who lost in one round share a place (002-X 11.1)"
    )
    assert ranks(team_standings(hall.t, ("MPTS",))) == {4: 1, 2: 2, 1: 3, 3: 4}


def test_a_play_off_of_teams_parts_only_equals():
    """加赛 gives no points (002-X 15.6)."""
    hall = TeamHall(3, format="round_robin", rounds=1).round("1-2 ==", bye=3)
    before = to_builtins(team_table_answer(team_standings(hall.t, ("GPTS",))))["teams"]
    hall.round("1-2 00")
    hall.t.pairings[-1] = hall.t.pairings[-1]._replace(event=replace(hall.t.pairings[-1].event, stage=PLAY_OFF))
    assert to_builtins(team_table_answer(team_standings(hall.t, ("GPTS",))))["teams"] == before
    table = team_standings(hall.t, ("GPTS", "PO"))
    assert values(table, "PO") == [0, 2, None]
    assert ranks(table) == {3: 1, 2: 2, 1: 3}
    told = to_builtins(explanation(table, 2))
    assert told is not None
    assert [len(p["events"]) for p in told["tiebreaks"][1]["parts"]] == [3], "its pairing and both results"


def test_the_table_after_an_earlier_round():
    table = team_standings(four().t, ("GPTS",), after_round=1)
    assert {r["id"]: (r["points"], r["game_points"]) for r in to_builtins(team_table_answer(table))["teams"]} == {
        1: (2, 2),
        2: (2, 1.5),
        3: (0, 0.5),
        4: (0, 0),
    }


def test_an_unknown_name_or_edition_is_an_error():
    with pytest.raises(ValueError, match="XX"):
        team_standings(four().t, ("XX",))
    with pytest.raises(ValueError, match="1999"):
        team_standings(four().t, ("BH",), rules="1999")


# ---------------------------------------------------------------- 队员总分


def members() -> TeamHall:
    """Two teams of two in a Swiss of single players: 11 beats 21, 22 beats 12, then 11 beats 22, 21 and 12 draw."""
    hall = TeamHall(2, kind="members")
    for number, games in enumerate((((11, 21, 2), (22, 12, 2)), ((11, 22, 2), (21, 12, 1))), 1):
        boards = tuple(ev.Board(n, f"T.{number}.{n}", PlayerId(w), PlayerId(b)) for n, (w, b, _) in enumerate(games, 1))
        hall.tell(PAIRING, ev.RoundPaired(number, number, boards))
        for board, (_, _, made) in zip(boards, games, strict=True):
            hall.tell(GAMES, ev.ResultReported(board.game, Mark(made, True), Mark(2 - made, True)))
    hall.t.announced = replace(hall.t.announced, tiebreaks=("PTS",))
    return hall


def test_the_sum_of_the_members_places_ranks():
    """Places: 11 (2 points) first, 22 second, 12 and 21 (½ each) share the third."""
    table = team_standings(members().t, ("PLACE1", "PLACE2", "FOULS"))
    rows = to_builtins(team_table_answer(table))["teams"]
    assert [(r["id"], r["rank"], r["places"]) for r in rows] == [(1, 1, 4), (2, 2, 5)], "002-X 15.5: the lower sum"
    assert rows[0]["tb"] == {"PLACES": 4, "PLACE1": 1, "PLACE2": 3, "FOULS": 0}
    assert rows[1]["tb"] == {"PLACES": 5, "PLACE1": 2, "PLACE2": 3, "FOULS": 0}


def test_the_places_explain_themselves_by_the_members():
    told = to_builtins(explanation(team_standings(members().t, ("PLACE1",)), 1))
    assert told is not None
    assert [(m["id"], m["place"]) for m in told["members"]] == [(11, 1), (12, 3)]
    assert told["tiebreaks"][0]["name"] == "PLACES"
    assert [(p["player"], p["value"]) for p in told["tiebreaks"][0]["parts"]] == [(11, 1), (12, 3)]
    assert set(told["members"][0]["events"]) <= set(told["events"])


# ---------------------------------------------------------------- explanations


def test_a_row_explains_itself_by_its_matches_boards_and_lines():
    hall = four()
    told = to_builtins(explanation(team_standings(hall.t, ("BH", "WIN:GP", "ARO")), 1))
    assert told is not None
    assert (told["rank"], told["points"], told["game_points"]) == (2, 3, 3.5)
    first = told["matches"][0]
    assert (first["opponent"], first["rank"], first["side"], first["points"], first["game_points"]) == (
        4,
        3,
        "white",
        2,
        2,
    )
    assert [(b["board"], b["player"], b["opponent"], b["side"], b["points"]) for b in first["boards"]] == [
        (1, 11, 41, "white", 1),
        (2, 12, 42, "black", 1),
    ]
    assert set(first["boards"][0]["events"]) < set(first["events"]) < set(told["events"])
    buchholz, won, ratings = told["tiebreaks"]
    assert [(p["opponent"], p["value"]) for p in buchholz["parts"]] == [(4, 2), (2, 5), (3, 2)]
    assert [(p["round"], p["player"], p["opponent"]) for p in won["parts"]] == [(1, 11, 41), (1, 12, 42), (3, 11, 31)]
    assert len(ratings["parts"]) == 6
    assert hall.t.players[PlayerId(41)].seq in ratings["events"]
    assert all(1 <= seq <= hall.t.seq for seq in told["events"])
    assert to_builtins(explanation(team_standings(hall.t, ()), 9)) is None


def test_the_cross_table_shows_each_match_by_rank():
    told = to_builtins(crosstable(team_standings(four().t, ("GPTS",))))
    assert [row["id"] for row in told["teams"]] == [2, 1, 3, 4]
    assert [(c["opponent"], c["rank"], c["points"], c["game_points"]) for c in told["teams"][0]["matches"]] == [
        (3, 3, 2, 1.5),
        (1, 2, 2, 1.5),
        (4, 4, 1, 1),
    ]


# ---------------------------------------------------------------- the regulations' orders


@pytest.mark.parametrize(
    ("format", "kind", "order", "article"),
    [
        (
            "round_robin",
            "fixed",
            ("GPTS", "WIN:GP", "DE/A", "FOULS"),
            "002-X 15.3: 全队总局分, 全队胜局, 直胜, 全队犯规",
        ),
        ("swiss", "fixed", ("BH", "GPTS", "WIN", "FOULS"), "002-X 15.4: 团体对手分, 全队总局分, 全队胜场, 全队犯规"),
        ("swiss", "members", ("PLACE1", "PLACE2", "FOULS"), "002-X 15.5: 最高个人名次, 次高个人名次, 全队犯规"),
        ("knockout", "fixed", (), "002-X 11.1: places are played for"),
    ],
)
def test_the_orders_of_1999(format, kind, order, article):
    assert default_tiebreaks(TeamHall(2, format=format, kind=kind, book="xiangqi-1999").t) == order, article


def test_announced_tiebreaks_are_those_of_the_teams():
    hall = four()
    hall.t.announced = replace(hall.t.announced, tiebreaks=("GPTS", "EDE"))
    assert default_tiebreaks(hall.t) == ("GPTS", "EDE")


@pytest.mark.parametrize(("carried", "points"), [(False, {1: 2, 2: 0, 3: 0, 4: 0}), (True, {1: 4, 2: 0, 3: 0, 4: 0})])
def test_in_the_finals_only_what_is_carried_over_counts_beside_them(carried, points):
    """1 has beaten 2 in the group, and 4 in the finals; 2 and 3 have not met (002-X 11.3)."""
    hall = TeamHall(4, format="groups", groups=2, qualifiers=1, carried=carried)
    hall.round("1-2 11", "3-4 00")
    hall.round("1-4 11")
    for n, groups in enumerate((((1, 2), (3, 4)), ((1, 2, 4),))):
        pairing = hall.t.pairings[n]
        hall.t.pairings[n] = pairing._replace(event=replace(pairing.event, groups=groups))
    table = team_standings(hall.t, ("GPTS",))
    assert {r["id"]: r["points"] for r in to_builtins(team_table_answer(table))["teams"]} == points
    assert [row.team for row in table.rows] == [1, 2, 4, 3], "the finals stand before the groups"
