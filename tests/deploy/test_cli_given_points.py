"""Points that a file gives beside its games, which no event says: the commands name whom the table has otherwise."""

import json

import pytest

from deploy.imports.remarks import on_points_of_players
from shared.regulations import load
from shared.trf.reader import read
from tests.deploy.test_cli_team_files import FILE

ALONE = """012 Cup
001    1      A                                 2400                             2.0    1     2 w 1
001    2      B                                 2300                             0.5    2     1 b 0
299     0.0   1.0   1    1
299     0.0   0.5   1    2
"""
TOLD = [
    "player 1 has 1.0 points in Arbiter's table, but 2.0 by the file: points of record 299 are not imported",
    "player 2 has 0.0 points in Arbiter's table, but 0.5 by the file: points of record 299 are not imported",
]


def said(err: str, file: object) -> list[str]:
    return [line.removeprefix(f"{file}: ") for line in err.splitlines() if " in Arbiter's table" in line]


@pytest.fixture
def file(tmp_path):
    def write(text: str):
        path = tmp_path / "cup.trf"
        path.write_text(text)
        return path

    return write


def test_players_whose_points_by_the_arbiter_are_not_counted_are_named(arbiter, tmp_path, file):
    path = file(ALONE)
    code, _, err = arbiter("import", path, "--data", tmp_path / "data")
    assert (code, said(err, path)) == (0, TOLD)


def test_standings_and_exports_have_the_points_by_the_arbiter(arbiter, tmp_path, file):
    """So that a file that comes out again is not at odds with itself."""
    path = file(ALONE)
    code, out, err = arbiter("standings", path, "--json")
    assert (code, said(err, path)) == (0, [])
    assert [(row["id"], row["points"]) for row in json.loads(out)["players"]] == [(1, 2.0), (2, 0.5)]
    arbiter("import", path, "--data", tmp_path / "data")
    exported = file(arbiter("export", "cup", "--data", tmp_path / "data")[1])
    assert arbiter("check", exported)[0] == 0
    assert [line for line in exported.read_text().splitlines() if line[:3] in ("001", "299")] == ALONE.splitlines()[1:]


GIVEN = """012 Cup
XXR 3
001    1      A                                 2400                             1.5    1     2 w 1
001    2      B                                 2300                             0.0    3     1 b 0
001    3      C                                 2200                             0.5    2  0000 - H
299 W   0.0   1.5   1    1
299     0.0  -0.5   0    1    2
299 H   0.0   1.0   1    3
299     0.0   0.5   1    1    2
299     0.0  -0.5   1    3
"""


def test_points_by_exception_are_those_of_the_game_or_of_the_bye_or_stand_beside_them(arbiter, file):
    """TRF26, 299: a sign says of which outcome; a blank one is a bonus or a penalty."""
    path = file(GIVEN)
    assert arbiter("check", path)[0] == 0
    rows = json.loads(arbiter("standings", path, "--json")[1])["players"]
    assert {row["id"]: row["points"] for row in rows} == {1: 1.5, 2: 0, 3: 0.5}


def test_check_counts_the_points_by_the_arbiter(arbiter, file):
    """So a total that lacks them is a difference, and one that has them is none."""
    assert arbiter("check", file(ALONE))[0] == 0
    code, out, err = arbiter("check", file(ALONE.replace(" 2.0    1 ", " 1.0    1 ")))
    assert code == 1 and "1 has 1.0 points in the file, but the results give 2.0" in out + err


def test_teams_that_the_table_has_otherwise_are_named_with_both(arbiter, tmp_path, file):
    path = file(FILE)
    code, _, err = arbiter("import", path, "--data", tmp_path / "data")
    behind = "by the file: the file has points without a game (records 240, 299, 320 or 330), which are not imported"
    assert (code, said(err, path)) == (0, [
        f"team 1 has 2.0 match points and 1.5 game points in Arbiter's table, but 5.0 and 5.5 {behind}",
        f"team 3 has 0.0 match points and 0.5 game points in Arbiter's table, but 1.0 and 1.5 {behind}",
    ])  # fmt: skip


def test_nothing_is_told_where_the_table_has_what_the_file_gives(arbiter, tmp_path, file):
    path = file(ALONE.replace("299     0.0   1.0   1    1\n", "").replace("0.0   0.5", "0.0   0.0"))
    assert said(arbiter("import", path, "--data", tmp_path / "data")[2], path) == []


def test_299_is_named_as_the_reason_only_where_it_is(arbiter, file):
    """Given a table that lacks another half point than that of 299; then both numbers are told, and no reason."""
    path = file(ALONE)
    trf = read(path.read_bytes(), "cup.trf")
    told = [str(m) for m in on_points_of_players(trf, load("fide-2026").points, {1: 2, 2: 4})]
    assert told == [f"cup.trf: {TOLD[0]}", "cup.trf: player 2 has 2.0 points in Arbiter's table, but 0.5 by the file"]


def test_points_below_nothing_are_points(arbiter, file):
    """Given a penalty that leaves a player with less than none, as an export writes it; then it is read again."""
    text = ALONE.replace(" 0.5    2 ", "-0.5    2 ").replace("299     0.0   0.5   1    2", "299     0.0  -0.5   1    2")
    assert arbiter("check", file(text))[0] == 0
