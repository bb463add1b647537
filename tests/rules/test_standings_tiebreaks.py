"""Tie-breaks of C.07, each in the words of its article."""

from typing import Any

import pytest

from services.standings.rules.encounters import encounter
from services.standings.rules.records import field
from services.standings.rules.table.table import numbers_of, standings
from services.standings.rules.tiebreaks.direct_encounter import direct_encounter, lots
from services.standings.rules.tiebreaks.rating import difference, expected_hundredths
from services.standings.rules.tiebreaks.reasons import MEAN
from services.standings.rules.tiebreaks.registry import TIEBREAKS
from shared.core import events as ev
from shared.core.state.entities import PlaceLot
from shared.core.state.tournament import TournamentState
from shared.core.terms import HalfPoints, PlayerId, Seq
from tests.rules.standings_field import Hall


def tb(hall: Hall, player: int, name: str, rules: str = "2026", **options: Any) -> Any:
    row = standings(hall.t, (), rules=rules, also=(name,), **options).row(PlayerId(player))
    assert row is not None
    return numbers_of(row.values)[name]


def cuts(hall: Hall, player: int, name: str) -> dict[int, str | None]:
    row = standings(hall.t, (), also=(name,)).row(PlayerId(player))
    assert row is not None
    return {p.round: p.cut for p in row.values[name].parts}


def four() -> Hall:
    """1 beat 2 and 3; 2 beat 4 by forfeit; 3 drew 4; 4 had a half-point bye, 1 the allocated one in the last round."""
    return (
        Hall(4, ratings={1: 2000, 2: 1900, 3: 1800, 4: 1700})
        .round("1-2 1", "3-4 =")
        .round("3-1 0", "2-4 +")
        .round("2-3 0", U="1", H="4")
    )


@pytest.mark.parametrize(
    ("name", "values", "article"),
    [
        ("PTS", [3, 1, 1.5, 1], "4"),
        ("WIN", [3, 1, 1, 0], "7.1"),
        ("WON", [2, 0, 1, 0], "7.2"),
        ("BPG", [1, 1, 1, 1], "7.3"),
        ("BWG", [1, 0, 1, 0], "7.4"),
        ("REP", [3, 3, 3, 1], "7.6"),
        ("PS", [6, 2, 2.5, 2], "7.5"),
        ("PS/C1", [5, 2, 2, 1.5], "7.5, 14"),
        ("BH", [4, 5.5, 5, 3.5], "8.1, 16"),
        ("BH/C1", [3, 4.5, 4, 2.5], "8.1, 14.1, 16.5"),
        ("SB", [4, 1, 1.5, 1.25], "9.1, 16"),
        ("KS", [1, 0, 0, 0.5], "9.2"),
        ("ARO", [1850, 1900, 1867, 1800], "10.1"),
        ("ARO/C1", [1900, 2000, 1950, None], "10.1, 14"),
        ("TPR", [2650, 1100, 1867, 1800], "10.2"),
    ],
)
def test_each_tie_break_counts_what_its_article_says(name: str, values: list[Any], article: str):
    assert [tb(four(), p, name) for p in (1, 2, 3, 4)] == values, article


def test_perfect_performance_is_the_lowest_rating_that_would_expect_the_score():
    hall = Hall(3, ratings={1: 2000, 2: 1900, 3: 1700}).round("1-2 1", U="3").round("3-1 0", U="2")
    # 1.00 is expected from 736 above (8.1b), so two wins need 1900 + 736.
    assert tb(hall, 1, "PTP") == 2636
    assert tb(hall, 2, "PTP") == 2000 - 800, "no point: 800 below the lowest opponent"


@pytest.mark.parametrize(
    ("above", "hundredths"),
    [(0, 50), (3, 50), (4, 51), (-4, 49), (391, 91), (392, 92), (735, 99), (736, 100), (-736, 0)],
)
def test_expected_scores_follow_table_8_1_b_without_a_cut_at_400(above: int, hundredths: int):
    assert expected_hundredths(above) == hundredths


@pytest.mark.parametrize(("hundredths", "above"), [(50, 0), (51, 7), (49, -7), (67, 125), (100, 800), (0, -800)])
def test_a_score_stands_for_the_difference_of_table_8_1_a(hundredths: int, above: int):
    assert difference(hundredths) == above


def test_one_unrated_player_takes_the_rating_tie_breaks_away_unless_a_rating_is_published_for_that():
    hall = Hall(2, ratings={1: 2000}).round("1-2 1")
    assert [tb(hall, 2, name) for name in ("ARO", "TPR", "PTP")] == [None, None, None]
    assert tb(hall, 1, "ARO", unrated=1200) == 1200


def test_a_bye_followed_only_by_unplayed_rounds_counts_as_a_draw_for_the_opponents():
    # 16.3: 2 beat 1, then was away twice; opponents get 1 + two draws.
    hall = Hall(4).round("2-1 1", "3-4 =").round("1-3 =", Z="2", U="4").round("1-4 =", Z="2", U="3")
    assert tb(hall, 2, "PTS") == 1
    parts = standings(hall.t, ("BH",)).row(PlayerId(1)).values["BH"].parts  # type: ignore[union-attr]
    assert parts[0].score == 4


def test_an_absence_before_a_played_round_stays_at_face_value():
    hall = Hall(4).round("2-1 1", "3-4 =").round("1-3 =", Z="2", U="4").round("2-4 0", "1-3 =")
    parts = standings(hall.t, ("BH",)).row(PlayerId(1)).values["BH"].parts  # type: ignore[union-attr]
    assert parts[0].score == 2


def leader(**last: str) -> Hall:
    """1 wins three games; the fourth round is as given."""
    return (
        Hall(5)
        .round("1-2 1", "3-4 =", U="5")
        .round("3-1 0", "2-4 =", U="5")
        .round("1-4 1", "2-3 =", U="5")
        .round(**last)
    )


@pytest.mark.parametrize(("rules", "value"), [("2024", 3), ("2026", 2)])
def test_the_dummy_of_a_bye_is_capped_at_draws_throughout_from_2026(rules: str, value: float):
    # 16.4.2: own score 3 after four rounds; four draws are 2.
    hall = leader(Z="1")
    parts = standings(hall.t, ("BH",), rules=rules).row(PlayerId(1)).values["BH"].parts  # type: ignore[union-attr]
    assert parts[3].quarters == 4 * value


@pytest.mark.parametrize(("rules", "score"), [("2024", 8), ("2026", 6)])
def test_the_dummy_of_a_forfeit_is_capped_at_the_scheduled_opponent_from_2026(rules: str, score: int):
    # 16.4.1: own score 4 after a win by forfeit against 5, who has 3.
    hall = Hall(5).round("1-2 1", U="5").round("3-1 0", U="5").round("1-4 1", U="5").round("1-5 +")
    part = standings(hall.t, ("BH",), rules=rules).row(PlayerId(1)).values["BH"].parts[3]  # type: ignore[union-attr]
    assert part.score == score
    assert part.how is not None and "dummy" in part.how


def test_the_arbiters_manuals_example_of_a_requested_bye():
    """Ten rounds, 7 points, one zero-point bye in round 4: Buchholz 57 by the former rule, 55 from 2026."""
    opponents = [10, 10, 13, None, 9, 12, 10, 13, 11, 12]
    halves = [2, 2, 0, None, 2, 1, 2, 1, 2, 2]
    hall = _against(opponents, halves)
    assert tb(hall, 1, "PTS") == 7
    assert (tb(hall, 1, "BH", "2024"), tb(hall, 1, "BH", "2026")) == (57, 55)
    assert (tb(hall, 1, "BH/C1", "2024"), tb(hall, 1, "BH/C1", "2026")) == (50, 50)
    assert (tb(hall, 1, "SB", "2024"), tb(hall, 1, "SB", "2026")) == (37.25, 37.25)


def _against(scores: list[int | None], halves: list[int | None]) -> Hall:
    """Player 1 meets one opponent a round, who ends with the given half-points by rulings on points."""
    hall = Hall(len(scores) + 1)
    for n, own in enumerate(halves, 2):
        hall.round(*([] if own is None else [f"1-{n} {'0=1'[own]}"]), Z="" if own is not None else "1")
    for n, (score, own) in enumerate(zip(scores, halves, strict=True), 2):
        if score is not None and own is not None:
            # Absences after the game count as draws for opponents (16.3), so the ruling takes them off again.
            raised = len(scores) - (n - 1)
            hall.rule(n, 10, ev.Effect("adjust_points", points=HalfPoints(score - (2 - own) - raised)))
    return hall


def test_a_cut_takes_the_value_of_an_unplayed_round_before_a_lower_one():
    # 16.5: round 2 (absence, worth 1) goes, although round 1 is worth nothing.
    hall = Hall(4).round("1-2 1", "3-4 1").round("4-2 1", Z="1").round("1-3 1", "2-4 0")
    assert cuts(hall, 1, "BH/C1") == {1: None, 2: "voluntarily unplayed round", 3: None}


def test_the_allocated_bye_is_no_voluntarily_unplayed_round_so_the_lowest_goes():
    hall = Hall(4).round("1-2 1", "3-4 1").round("4-2 1", U="1").round("1-3 1", "2-4 0")
    assert cuts(hall, 1, "BH/C1") == {1: "lowest", 2: None, 3: None}


def test_sonneborn_berger_cuts_an_unplayed_round_only_if_it_is_worth_no_less():
    # 16.5: the absence is worth 0 points, the lowest opponent 0.5 x 0.5: the lowest opponent goes.
    hall = Hall(4).round("1-2 =", "3-4 1").round("4-2 1", Z="1").round("1-3 1", "2-4 0")
    assert cuts(hall, 1, "SB/C1") == {1: "lowest", 2: None, 3: None}


def test_of_equal_values_sonneborn_berger_cuts_the_unplayed_round():
    # 16.5: the lost game and the absence are both worth nothing.
    hall = Hall(4).round("1-2 0", "3-4 1").round("4-2 1", Z="1").round("1-3 1", "2-4 0")
    assert cuts(hall, 1, "SB/C1") == {1: None, 2: "voluntarily unplayed round", 3: None}


def test_a_score_fraction_is_rounded_to_the_nearest_hundredth():
    # Half a point of three is 0.17 (8.1a: 273 below), not 0.16 (284 below).
    hall = Hall(4, ratings=dict.fromkeys(range(1, 5), 2000)).round("1-2 =").round("1-3 0").round("1-4 0")
    assert tb(hall, 1, "TPR") == 2000 - 273


def test_the_median_leaves_out_the_highest_too():
    hall = Hall(4).round("1-2 1", "3-4 1").round("4-2 1", "1-3 1").round("1-4 1", "2-3 0")
    assert set(cuts(hall, 1, "BH/M1").values()) == {"lowest", "highest", None}


def test_fore_buchholz_takes_the_paired_games_of_the_last_round_as_drawn():
    decided = Hall(4).round("1-2 1", "3-4 1").round("1-3 0", "2-4 1")
    open_games = Hall(4).round("1-2 1", "3-4 1").round("1-3", "2-4")
    forfeited = Hall(4).round("1-2 1", "3-4 1").round("1-3 -", "2-4 +")
    for hall in (decided, open_games, forfeited):
        assert [tb(hall, p, "FB") for p in (1, 2, 3, 4)] == [2, 2, 2, 2]


def test_an_open_game_gives_nothing_yet_and_is_no_unplayed_round():
    hall = Hall(4).round("1-2 1", "3-4 1").round("1-3", "2-4 1")
    assert tb(hall, 1, "BH") == tb(hall, 2, "PTS")
    assert (tb(hall, 1, "PS"), tb(hall, 1, "REP")) == (1, 2)


def test_points_taken_by_a_ruling_are_taken_until_it_falls():
    hall = Hall(2).round("1-2 1")
    ruling = hall.rule(1, 1, ev.Effect("adjust_points", points=HalfPoints(-1)))
    assert (tb(hall, 1, "PTS"), tb(hall, 2, "BH")) == (0.5, 0.5)
    hall.annul(ruling)
    assert (tb(hall, 1, "PTS"), tb(hall, 2, "BH")) == (1, 1)


def test_every_value_but_a_mean_is_a_whole_number_of_quarters_never_a_rounded_one():
    hall = four()
    for row in standings(hall.t, (), also=tuple(code for code in TIEBREAKS.codes if code[:3] != "AOB")).rows:
        for name, value in numbers_of(row.values).items():
            assert value is None or value * 4 == int(value * 4), name


@pytest.mark.parametrize(
    ("games", "points"),
    [
        (("1-2 1", "2-1 1"), (0.5, 0.5)),
        (("1-2 1", "2-1 =", "1-2 ="), (0.6667, 0.3333)),
        (("1-2 1",), (1, 0)),
    ],
)
def test_of_several_games_with_one_opponent_the_mean_counts(games: tuple[str, ...], points: tuple[float, float]):
    """C.07 6.1.2: the value is that of one game; what is shown of each adds up to it."""
    hall = Hall(2)
    for game in games:
        hall = hall.round(game)
    tied = direct_encounter(field(hall.t), [PlayerId(1), PlayerId(2)])
    for player, shown in zip((1, 2), points, strict=True):
        met = encounter(tied[PlayerId(player)])
        assert met is not None and (met.points, met.opponents) == (shown, [3 - player])
        assert {part.how for part in tied[PlayerId(player)].parts} == {MEAN if len(games) > 1 else None}


def test_last_draw_of_lots_decides_a_shared_place() -> None:
    """002-X 15.6; a draw without one of the tied players decides nothing between them."""
    t = TournamentState("T")
    t.place_lots = [PlaceLot((1, 2), Seq(7)), PlaceLot((2, 1), Seq(8)), PlaceLot((1, 3), Seq(9))]
    drawn = lots(t, [PlayerId(1), PlayerId(2)])  # type: ignore[arg-type]  # its lots are all that is asked
    assert {player: value.quarters for player, value in drawn.items()} == {2: 4, 1: 8}
