"""FIDE's own examples: the exercise on tie-breaking of its Technical Commission, and one of the Arbiters' Manual."""

import pytest

from services.standings.rules.records import Field
from services.standings.rules.table.table import numbers_of, standings
from services.standings.rules.tiebreaks.buchholz import buchholz, sonneborn_berger
from services.standings.rules.tiebreaks.tiebreak import Edition
from services.standings.rules.tiebreaks.value import number
from shared.core.readings.scoring import RoundScore, Score
from shared.core.rulebook.regulations import Points
from shared.core.state.tournament import TournamentState
from shared.core.terms import HalfPoints, PlayerId
from shared.regulations import load
from tests.rules.standings_field import Hall

# ---------------------------------------------------------------- the exercise: 16 players, 5 rounds


def exercise() -> Hall:
    """4 and 9 had half-point byes; 6, 9 and 12 allocated ones; 9 and 14 forfeited a game; 12 and 14 stayed away."""
    hall = Hall(16, {n: 2250 - 50 * n for n in range(1, 17)})
    hall.round("1-9 1", "3-11 =", "5-13 0", "7-15 1", "10-2 0", "12-4 0", "14-6 1", "16-8 =")
    hall.round("2-7 1", "6-3 0", "8-14 1", "9-10 0", "11-16 0", "13-1 =", "15-5 1", H="4", U="12")
    hall.round("1-2 =", "3-8 1", "4-13 1", "5-11 1", "10-15 0", "14-12 -", "16-7 1", U="6", H="9")
    hall.round("2-16 1", "4-3 =", "6-10 1", "7-5 =", "8-13 1", "11-9 +", "15-1 0", Z="12 14")
    hall.round("1-4 =", "3-2 =", "5-10 1", "8-6 0", "11-7 1", "13-14 0", "16-15 1", U="9", Z="12")
    return hall


# Players 1 to 16; "-": the exercise does not ask for it. Of 12, who met one opponent, it says 0 for ARO/C1: nobody is
# left then, and the value is undefined.
IN_BOTH = {
    "PTS": "3.5 4 3.5 3.5 2.5 3 1.5 2.5 1.5 1 2.5 2 1.5 2 2 3.5",
    "WIN": "2 3 2 2 2 3 1 2 1 1 2 2 1 2 2 3",
    "WON": "2 3 2 2 2 2 1 2 0 1 1 0 1 2 2 3",
    "BPG": "2 3 2 2 2 2 3 2 1 3 2 0 3 2 3 2",
    "BWG": "1 1 1 1 0 1 0 0 0 1 0 0 1 1 1 1",
    "REP": "5 5 5 4 5 5 5 5 3 5 5 3 5 3 5 5",
    "PS": "11 13 11 11.5 5 6 6 8.5 2.5 4 5.5 7 7 6 7 10.5",
    "PS/C1": "10 12 10.5 10.5 5 6 5 8 2.5 4 5 7 6 5 7 10",
    "ARO": "1820 1880 1940 1888 1690 1813 1760 1730 1975 1880 1863 2050 1930 1800 1860 1820",
    "ARO/C1": "1900 1988 2000 1983 1738 1900 1838 1800 2200 1975 2000 - 2025 1900 1963 1900",
    "TPR": "1969 2120 2089 2081 1690 1813 1611 1730 1175 1640 1776 1250 1781 1925 1788 1969",
    "PTP": "2029 2216 2112 2168 1689 1810 1531 1715 950 1575 1763 1250 1744 1942 1768 2013",
}
OF_2026 = {
    "BH": "12.5 13 15.5 14 8.5 11.5 14.5 13.5 9 13 12.5 11.5 14 11 12 12.5",
    "BH/C1": "11 - 13 11.5 7.5 - 12.5 12 7.5 - 11 9.5 12 9 11 11",
    "FB": "13.5 13.5 15 14.5 10 12 13.5 12.5 9.5 12.5 12 11 13.5 10.5 12 13.5",
    "SB": "8 9.5 10.5 9.25 4.25 6 3.25 5.25 2.25 1.5 4.75 4 4.25 4.5 3.5 7.25",
    "SB/C1": "7.25 8.5 9.25 7.75 3.25 5 1.25 3.75 2.25 0 3.25 4 4.25 3 2.5 5.75",
}
OF_2024 = {
    "BH": "12.5 13 15.5 15 8.5 12 14.5 13.5 9 13 13.5 11.5 14 11 12 12.5",
    "BH/C1": "11 - 13 11.5 7.5 - 12.5 12 7.5 - 12 9.5 12 9 11 11",
    "FB": "13.5 13.5 15 15.5 10 12 13.5 12.5 9.5 12.5 12.5 11.5 13.5 10.5 12 13.5",
    "SB": "8 9.5 10.5 9.75 4.25 6.5 3.25 5.25 2.25 1.5 5.75 4 4.25 4.5 3.5 7.25",
    "SB/C1": "7.25 8.5 9.25 8 3.25 5.5 1.25 3.75 2.25 0 4.25 4 4.25 3 2.5 5.75",
}
ASKED = [
    (rules, name, figures)
    for rules, own in (("2026", OF_2026), ("2024", OF_2024))
    for name, figures in {**IN_BOTH, **own}.items()
]


@pytest.mark.parametrize(("rules", "name", "figures"), ASKED, ids=lambda x: x if len(x) < 7 else "")
def test_the_exercise_of_the_technical_commission(rules: str, name: str, figures: str) -> None:
    table = standings(exercise().t, (), rules=rules, also=(name,))
    told = {row.player: numbers_of(row.values)[name] for row in table.rows}
    asked = {n: float(f) for n, f in enumerate(figures.split(), 1) if f != "-"}
    assert {n: told[PlayerId(n)] for n in asked} == asked


def test_who_has_met_one_opponent_has_no_average_without_the_lowest() -> None:
    row = standings(exercise().t, (), also=("ARO/C1",)).row(PlayerId(12))
    assert row is not None and row.values["ARO/C1"].quarters is None


def test_the_adjusted_scores_of_the_exercise() -> None:
    # 16.3: the last rounds of 12, a bye and two absences, count as draws.
    field = standings(exercise().t, ()).field
    adjusted = "7 8 7 7 5 6 3 5 3 2 5 6 3 4 4 7"
    in_fore = "7 8 7 7 4 5 4 6 3 3 4 6 4 3 5 6"
    assert [field.adjusted[PlayerId(n)] for n in range(1, 17)] == [int(p) for p in adjusted.split()]
    assert [field.fore.adjusted[PlayerId(n)] for n in range(1, 17)] == [int(p) for p in in_fore.split()]


# ---------------------------------------------------------------- Laxman's example (Arbiters' Manual)

POINTS = Points(*map(HalfPoints, (2, 1, 0, 2, 2, 1, 0)))
MET = ((10, 2), (10, 2), (13, 0), None, (9, 2), (12, 1), (10, 2), (13, 1), (11, 2), (12, 2))
"""Of ten rounds: the opponent's final score and the own result, in half-points; None: a zero-point bye asked for."""


def laxman() -> Field:
    """Seven points of ten: the field as the example gives it, of player 1."""
    rounds = tuple(
        RoundScore(n, "bye", HalfPoints(0), bye="Z")
        if met is None
        else RoundScore(n, "played", HalfPoints(met[1]), PlayerId(n + 1), "white")
        for n, met in enumerate(MET, 1)
    )
    own = {PlayerId(n + 1): HalfPoints(met[0]) for n, met in enumerate(MET, 1) if met is not None}
    own[PlayerId(1)] = HalfPoints(sum(met[1] for met in MET if met is not None))
    scores = {PlayerId(1): Score(PlayerId(1), rounds, ())}
    tournament = TournamentState("T")
    tournament.regulations = load("fide-2026")
    return Field(tournament, 10, 10, POINTS, False, scores, own, own, {})


@pytest.mark.parametrize(
    ("rules", "bh", "bh_cut", "sb"),
    [("2024", 57, 50, 37.25), ("2026", 55, 50, 37.25)],
)
def test_a_dummy_opponent_has_no_more_than_draws_throughout_since_2026(
    rules: Edition, bh: int, bh_cut: int, sb: float
) -> None:
    field = laxman()
    calculations = (buchholz(), buchholz(1), sonneborn_berger())
    values = [of(field, PlayerId(1), rules).quarters for of in calculations]
    assert [number(q) for q in values if q is not None] == [bh, bh_cut, sb]
