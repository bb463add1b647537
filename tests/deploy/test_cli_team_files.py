"""Files of teams, imported and exported: what teams were given without a game is kept, and their totals say it."""

from pathlib import Path

import pytest

from shared.regulations import load
from shared.trf.comparison import differences
from shared.trf.reader import read
from tests.rules.test_trf_comparison import of_team

PLAYERS = """012 Team Cup
001    1      A1                                2400                             2.0    1     4 w 1  0000 - Z  0000 - +
001    2      A2                                2300                             1.5    2     3 b =  0000 - Z  0000 - +
001    3      B1                                2200                             1.5    2     2 w =     6 w 1
001    4      B2                                2100                             0.5    4     1 b 0     5 b =
001    5      C1                                2000                             0.5    4  0000 - Z     4 w =  0000 - -
001    6      C2                                1900                             0.0    6  0000 - Z     3 b 0  0000 - -
XXR 4
352 WB
"""
GIVEN = """320  1.0  1.0   3
240 F   2    1
330 +-   3   1   3
299    -1.0   0.0   2    1
"""
MADE = (
    "802   1 A        5.0    5.5    2 w  1.5   FPB    2.0     3 w  2.0f",
    "802   2 B        2.0    2.0    1 b  0.5     3 w  1.5    ZPB    0.0",
    "802   3 C        1.0    1.5   PAB    1.0     2 b  0.5     1 b  0.0f",
)
TEAMS = (of_team(1, "A", 5, 5.5, 1, 1, 2), of_team(2, "B", 2, 2, 2, 3, 4), of_team(3, "C", 1, 1.5, 3, 5, 6))
FILE = PLAYERS + "\n".join((*TEAMS, "QQQ of another program", *MADE)) + "\n" + GIVEN


@pytest.fixture
def exported(arbiter, tmp_path):
    """Imports a file's text and exports the tournament: its lines."""

    def go(text: str, *options: str) -> list[str]:
        file = tmp_path / "cup.trf"
        file.write_text(text)
        code, _, err = arbiter("import", file, "--data", tmp_path / "data")
        assert code == 0, err
        code, out, err = arbiter("export", "cup", "--data", tmp_path / "data", *options)
        assert code == 0, err
        return out.splitlines()

    return go


@pytest.mark.parametrize("edition", [(), ("--trf26",)], ids=["16", "26"])
def test_what_teams_were_given_is_exported_as_it_came(exported, edition):
    """240, 299, 320, 330, and the 310 and 802 that count them: all in their order, as long as they hold."""
    told = exported(FILE, *edition)
    sent = [line for line in FILE.splitlines() if line[:3] != "001"]
    assert [line for line in told if line in sent] == sent
    trf = read("\n".join(told).encode(), "cup.trf")
    assert not [d for d in differences(trf, load("fide-2026").points) if d.line > len(PLAYERS.splitlines())]


def test_a_total_of_a_team_that_does_not_hold_is_written_anew(exported):
    told = exported(FILE.replace("802   2 B        2.0    2.0", "802   2 B        9.0    2.0"), "--trf26")
    assert [line.split() for line in told if line.startswith("802")] == [
        MADE[0].split(),
        ["802", "2", "B", "2", "2.0", "1", "b", "0.5", "3", "w", "1.5", "ZPB", "0.0"],
        MADE[2].split(),
    ]


@pytest.mark.parametrize(
    ("column", "field", "left"), [(69, "  1", "   "), (55, "   9.0", "   2.0")], ids=["rank", "points"]
)
def test_what_a_team_is_called_and_rated_stands_where_its_rank_or_its_total_does_not(exported, column, field, left):
    """Given a federation and a rating in a 310; when its rank or its points cannot be, then the rest of it stays."""
    row = TEAMS[1][:41] + "DEN     2085" + TEAMS[1][53:]

    def with_field(text: str) -> str:
        return row[: column - 1] + text + row[column - 1 + len(text) :]

    told = exported(FILE.replace(TEAMS[1], with_field(field)), "--trf26")
    assert [line for line in told if line.startswith("310   2")] == [with_field(left)]


def test_team_numbers_take_three_columns(exported):
    """A file may have a thousand teams, less one."""
    many = FILE.replace("310   3 C", "310 999 C").replace("802   3 C", "802 999 C")
    many = many.replace("320  1.0  1.0   3", "320  1.0  1.0 999").replace("330 +-   3   1   3", "330 +-   3   1 999")
    many = many.replace("    3 w  2.0f", "  999 w  2.0f").replace("    3 w  1.5 ", "  999 w  1.5 ")
    told = exported(many, "--trf26")
    sent = [line for line in many.splitlines() if line[:3] != "001"]
    assert [line for line in told if line in sent] == sent


def test_teams_whose_games_are_no_matches_are_kept_as_they_stand(exported):
    alone = FILE.replace("     4 w 1  0000", "     2 w 1  0000").replace("     3 b =  0000", "     1 b 0  0000")
    alone = alone.replace("     2 w =     6", "     4 w 1     6").replace("     1 b 0     5", "     3 b 0     5")
    told = exported(alone)
    sent = [line for line in alone.splitlines() if line[:3] != "001"]
    assert [line for line in told if line in sent] == sent


def test_half_point_bye_is_kept_where_the_games_of_teams_are_no_matches(arbiter, tmp_path):
    alone = PLAYERS.replace("     4 w 1  0000 - Z", "     2 w 1  0000 - H").replace(
        "     3 b =  0000", "     1 b 0  0000"
    )
    alone = alone.replace("     2 w =     6", "     4 w 1     6").replace("     1 b 0     5", "     3 b 0     5")
    file = tmp_path / "cup.trf"
    file.write_text(alone + "\n".join(TEAMS) + "\n")
    code, _, err = arbiter("import", file, "--data", tmp_path / "data")
    assert code == 0 and "zero-point byes" not in err, err
    code, out, _ = arbiter("export", "cup", "--data", tmp_path / "data")
    (first,) = [line for line in out.splitlines() if line.startswith("001    1")]
    assert code == 0 and "0000 - H" in first


def test_records_of_teams_are_kept_together_however_many_stand_before_them(exported):
    """A call with half of the teams would name some that are not there."""
    comments = "".join(f"### {n}\n" for n in range(499))
    many = (comments + FILE).splitlines()
    told = exported("\n".join(many) + "\n", "--trf26")
    sent = [line for line in many if line[:3] != "001"]
    assert [line for line in told if line in sent] == sent


BOARDS = (
    "801   1 A      5.0  5.5   2 w 1= 12        FF       3 w ++ 12",
    "801   2 B      2.0  2.0   1 b 0= 21   3 w 1= 12        ZZ",
    "801   3 C      1.0  1.5        UU      2 b 0= 21   1 b --",
)


def test_matches_board_by_board_are_exported_as_they_came(exported):
    told = exported(FILE + "\n".join(BOARDS) + "\n", "--trf26")
    assert [line for line in told if line.startswith("801")] == [*BOARDS]


@pytest.mark.parametrize(
    ("team", "said", "column", "what"),
    [
        (
            0,
            BOARDS[0].replace("1= 12", "=1 12"),
            27,
            "team 1: the boards stated in round 1 differ from those of its games",
        ),
        (0, BOARDS[0].replace("2 w", "2 b"), 27, "team 1: the boards stated in round 1 differ from those of its games"),
        (
            1,
            BOARDS[1].replace("0= 21", "0= 20"),
            27,
            "team 2: the boards stated in round 1 differ from those of its games",
        ),
        (1, BOARDS[1].replace("3 w", "1 w"), 39, "team 2: the boards stated in round 2 differ from those of its games"),
        (2, BOARDS[2].replace("--", "++"), 52, "team 3: the boards stated in round 3 differ from those of its games"),
        (2, BOARDS[2].replace("1.5", "2.5"), 14, "team 3: the stated totals differ from those of its results"),
        (2, BOARDS[2] + "  1 b --", 58, "team 3: the boards stated in round 4 differ from those of its games"),
    ],
)
def test_boards_that_are_not_those_of_the_games_are_named_and_come_out_no_more(
    arbiter, tmp_path, team, said, column, what
):
    lines = [*FILE.splitlines(), *BOARDS[:team], said, *BOARDS[team + 1 :]]
    file = tmp_path / "cup.trf"
    file.write_text("\n".join(lines) + "\n")
    code, _, err = arbiter("import", file, "--data", tmp_path / "data")
    assert code == 0 and f"{file}:{lines.index(said) + 1}:{column}: {what}" in err
    told = arbiter("export", "cup", "--data", tmp_path / "data", "--trf26")[1].splitlines()
    assert [line for line in told if line.startswith("801")] == [one for one in BOARDS if one != BOARDS[team]]


SAMPLE = Path(__file__).parents[3] / "shared" / "cases" / "real" / "example_trf26.trf"


@pytest.mark.skipif(not SAMPLE.exists(), reason="FIDE's sample is not beside the project")
def test_the_sample_of_fide_comes_out_again_but_for_the_teams_lines_that_its_results_contradict(arbiter, tmp_path):
    assert arbiter("import", SAMPLE, "--id", "sample", "--data", tmp_path / "data")[0] == 0
    out = arbiter("export", "sample", "--data", tmp_path / "data", "--trf26")[1]
    told, sample = {line.rstrip() for line in out.splitlines()}, read(SAMPLE.read_bytes(), "sample")
    missing = {r.line for r in sample.records if not r.player and r.text.rstrip() not in told}
    named = {d.line for d in differences(sample, load("fide-2024").points)}
    assert missing <= named and len(missing) == 12
    results = [
        {p.id: [e and (e.opponent, e.side, e.letter) for e in p.rounds] for p in file.players}
        for file in (sample, read(out.encode(), "again"))
    ]
    assert results[0] == results[1]
