"""Files of teams, imported and exported: what teams were given without a game is kept, and their totals say it."""

import pytest

from services.standings.formats import read
from services.standings.formats.trf.comparison import differences
from shared.regulations import load
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
        ["802", "2", "2", "2.0", "1", "b", "0.5", "3", "w", "1.5", "ZPB", "0.0"],
        MADE[2].split(),
    ]


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
