"""What a file says of points and ranks, against its own results; what of it is not understood is named."""

from time import process_time

import pytest

from services.standings.files.trf.to_events import tournament_of
from shared.core.readings.scoring import scores
from shared.regulations import load
from shared.trf.comparison import differences, not_understood
from shared.trf.teams.team_records import team_rounds, totals
from tests.rules.test_trf import THREE_ROUNDS, line_of, refused_at, trf

POINTS = load("fide-2026").points


def told(text: str) -> list[tuple[int, int, str]]:
    return [(d.line, d.column, str(d.detail)) for d in differences(trf(text), POINTS)]


def test_points_after_one_lost_game_are_those_of_one_lost_game():
    said = THREE_ROUNDS.replace("  1.0    3     1 b 0", "  9.5    3     1 b 0")
    assert told(THREE_ROUNDS) == []
    assert told(said) == [(3, 81, "2 has 9.5 points in the file, but the results give 1.0")]


def test_a_rank_that_no_tie_break_makes_is_named():
    said = THREE_ROUNDS.replace("  1.0    3     1 b 0", "  1.0    1     1 b 0")
    assert told(said) == [(3, 86, "player 2 has rank 1, but with 1.0 points it must be from 3 to 4")]


def test_points_may_count_the_byes_of_rounds_to_come():
    entries = "     2 w 1  0000 - H", "     1 b 0  0000 - Z"
    lines = [line_of(n, e) for n, e in enumerate(entries, 1)]
    for first in (" 1.0", " 1.5"):
        assert told("\n".join([lines[0][:80] + first + lines[0][84:], lines[1]])) == []


def test_points_by_the_files_own_system_agree():
    lines = [line_of(1, "     2 w 1  0000 - U"), line_of(2, "     1 b 0     3 w ="), line_of(3, "  0000 - Z     2 b =")]
    points = ("6.0", "1.0", "1.0")
    text = "\n".join(line[:81] + said + line[84:] for line, said in zip(lines, points, strict=True))
    assert told(f"{text}\nBBW  3.0\nBBD  1.0\n") == [] != told(text)
    assert told(f"{text}\n162  W 3.0    D 1.0    L 0.0\n") == []


def test_the_codes_of_bbppairings_are_a_point_system():
    t = tournament_of(trf(THREE_ROUNDS + "BBW  3.0\nBBD  1.0\nBBL  0.5\nBBU  2.0\nBBF  0.0\nBBZ  0.0\n"))
    assert {p: s.points for p, s in scores(t).items()} == {1: 10, 2: 5, 3: 10, 4: 7}
    refused_at(THREE_ROUNDS + "BBW  x\n", 9, 6, "not a number")


def test_a_symbol_of_points_that_nobody_knows_is_refused():
    refused_at(THREE_ROUNDS + "162  Q 1.0\n", 9, 6, "unknown point code Q")
    assert trf(THREE_ROUNDS + "162  X 0.5\n").settings.points == ()


def test_a_blank_in_a_round_that_was_paired_is_an_absence():
    entries = ("     2 w 1     3 b 1", "     1 b 0", "               1 w 0")
    t = tournament_of(trf("\n".join(line_of(n, e) for n, e in enumerate(entries, 1))))
    assert t.byes[2, 2].kind == "Z" and (3, 1) not in t.byes, "who came late was not there yet"


def test_a_result_that_nobody_knows_yet_leaves_the_game_open():
    t = tournament_of(trf("\n".join((line_of(1, "     2 w *"), line_of(2, "     1 b *"), line_of(3, "  0000 - *")))))
    assert t.setting(t.game_at(1, 1)) is None


def test_what_is_no_known_record_is_named_and_a_national_rating_is_none():
    kept = THREE_ROUNDS + "GER    1      Albrecht,Nora                     2410\n101    7      Lost\nQQQ a\nQQQ b\n"
    assert not_understood(trf(THREE_ROUNDS)) is None
    assert str(not_understood(trf(kept))).endswith("unchanged: '101' (line 10), 'QQQ' (line 11 and 1 more)")


TEAMS = """001    1      A1                                2400                             2.0    1     4 w 1  0000 - Z  0000 - Z  0000 - +
001    2      A2                                2300                             1.5    2     3 b =  0000 - Z  0000 - Z  0000 - +
001    3      B1                                2200                             1.5    3     2 w =  0000 - Z     6 w 1  0000 - -
001    4      B2                                2100                             0.5    4     1 b 0  0000 - Z     5 b =  0000 - -
001    5      C1                                2000                             0.5    5  0000 - Z  0000 - Z     4 w =  0000 - Z
001    6      C2                                1900                             0.0    6  0000 - Z  0000 - Z     3 b 0  0000 - Z
XXR 4
352 WB
{a}
{b}
{c}
320  1.0  1.0   3   0   0   3
240 F   3    1
240 H   2    2    3
330 +-   4   1   2
299    -1.0   0.0   2    1
"""  # noqa: E501 - as wide as files are


def of_team(id: int, name: str, match: float, game: float, rank: int, *members: int) -> str:
    """A record 310."""
    numbers = "".join(f" {m:4d}" for m in members)
    return f"310 {id:3d} {name:32s} {'':5s} {'':6s} {match:6.1f} {game:6.1f} {rank:3d} {numbers}"


TEAMS = TEAMS.format(
    a=of_team(1, "A", 5, 5.5, 1, 1, 2), b=of_team(2, "B", 3, 3, 2, 3, 4), c=of_team(3, "C", 3, 3.5, 2, 5, 6)
)


def test_what_a_team_made_follows_from_games_byes_forfeits_and_penalties():
    file = trf(TEAMS)
    rounds = team_rounds(file, POINTS)
    assert rounds is not None
    assert [(r.opponent, r.bye, r.match_points, r.game_points) for r in rounds[1]] == [
        (2, "", 4, 3), (0, "ZPB", 0, 0), (0, "FPB", 4, 4), (2, "", 4, 4)
    ]  # fmt: skip
    assert totals(file, rounds)[1] == (4 + 4 + 4 - 2, 3 + 4 + 4)
    assert [(r.opponent, r.bye, r.match_points) for r in rounds[3]] == [
        (0, "PAB", 2), (0, "HPB", 2), (2, "", 0), (0, "PAB", 2)
    ]  # fmt: skip
    assert told(TEAMS) == []


def test_points_ranks_and_rounds_of_teams_are_compared_too():
    said = TEAMS.replace(of_team(3, "C", 3, 3.5, 2, 5, 6), of_team(3, "C", 4, 3.5, 1, 5, 6))
    said += "802   1 A        5.0    5.5    2 w  1.5   ZPB    0.0   HPB    1.0     2 w  2.0f\n"
    assert [detail for _, _, detail in told(said)] == [
        "team 3 has 4.0 match points, but its results give 3.0",
        "team 3 has rank 1, but with 3.0 points it must be from 2 to 3",
        "team 1 has HPB 1.0 in round 3, but its results give FPB 2.0",
    ]


def test_a_record_that_names_all_of_a_large_field_is_read_in_a_moment():
    players = "".join(f"001 {n:4d}      P{n}\n" for n in range(1, 4001))
    named = "XXZ " + " ".join(map(str, range(1, 4001)))
    begun = process_time()
    assert len(trf(f"{players}{named}\n").settings.absent) == 4000
    assert process_time() - begun < 1
    refused_at(
        f"{players}XXP {named[4:]}\n",
        4001,
        named.index(" 301 ") + 2,
        "a list of forbidden pairs must not have more than 300 players",
    )


@pytest.mark.parametrize("said", ["1/0", "3/2", "1e9", "1_0", "½"])
def test_what_is_no_decimal_number_is_no_number_of_points(said):
    refused_at(THREE_ROUNDS.replace("  1.0    3     1 b 0", f"{said:>5}    3     1 b 0"), 3, 81, "not a number")
    refused_at(THREE_ROUNDS + f"BBW  {said}\n", 9, 6, "not a number")


def test_a_total_that_would_have_a_thousand_million_digits_is_none():
    said = TEAMS + "802   1 A        1e999999999    1e999999999\n"
    begun = process_time()
    assert [detail for _, _, detail in told(said)] == [
        "team 1 has '1e999999999' match points, but its results give 5.0",
        "team 1 has '1e999999999' game points, but its results give 5.5",
        "team 1: the record has no entry for round 1, but its results give 2 w 1.5",
    ]
    assert process_time() - begun < 1


@pytest.mark.parametrize("columns", ["299    -1.0   0.0   2    1", "299   -1.0  0.0   2    1"])
def test_abnormal_points_are_read_in_fides_columns_and_in_those_of_its_sample(columns):
    file = trf(TEAMS.replace("299    -1.0   0.0   2    1", columns))
    [given] = file.settings.abnormal
    assert (given.sign, given.match_points, given.game_points, given.round, given.of) == (" ", -2, 0, 2, (1,))
