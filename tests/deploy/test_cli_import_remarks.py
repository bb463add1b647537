"""What a file says of players and no entry holds is named by its place as it is imported."""

from typing import Any

import pytest

FILE = """012 Cup
001    1 w    Alpha                             2400 AUT      ABC123 1998/05/03  1.0    1     2 w 1
001    2 x    Beta                              2300 GER        1234 May         0.0    2     1 b 0
001    3 m                                      2200 GER           0 1998/00/00  0.0    3  0000 - Z
001    4      Delta                             2100                 ----        0.0    4  0000 - Z
"""


MEND = "; correct the file and import it again, or correct the entry"
BYES = """001    1      Alpha                             2400                             1.0    1     2 w 1
001    2      Beta                              2300                             0.0    3     1 b 0
001    3      Gamma                             2200                             0.5    2  0000 - H
"""


def remarks(arbiter: Any, path: Any, data: Any, text: str, *of: str) -> list[str]:
    path.write_text(text)
    code, _, err = arbiter("import", path, "--data", data)
    assert code == 0, err
    said = [line.removeprefix(str(path)) for line in err.splitlines() if line.startswith(str(path))]
    return [line for line in said if any(word in line for word in of or ("not imported", "missing", "without day"))]


def test_sex_fide_id_birth_and_a_missing_name_are_named_by_line_and_column(arbiter, tmp_path):
    assert remarks(arbiter, tmp_path / "cup.trf", tmp_path / "data", FILE) == [
        ":2:58: FIDE id 'ABC123' is not valid and was not imported" + MEND,
        ":3:10: sex 'x' is not valid and was not imported" + MEND,
        ":3:70: birth 'May' is not valid and was not imported" + MEND,
        ":4:15: the name is missing; the player is imported as No. 3",
        ": birth dates imported without day and month: 1",
    ]


def test_a_file_of_which_all_is_taken_has_no_remark(arbiter, tmp_path):
    taken = (
        FILE.splitlines()[0]
        + "\n001    1 w    Alpha                             2400 AUT        1234 1998/00/00  0.0    1\n"
    )
    assert remarks(arbiter, tmp_path / "cup.trf", tmp_path / "data", taken) == []


def test_more_than_twenty_fields_are_counted(arbiter, tmp_path):
    lines = [f"001 {n:4d} x    {f'P{n}':33s} 2000 GER{'':25s}0.0 {n:4d}\n" for n in range(1, 31)]
    said = remarks(arbiter, tmp_path / "cup.trf", tmp_path / "data", "012 Cup\n" + "".join(lines))
    assert len(said) == 21 and said[-1] == ": 10 more values of players are not imported"


@pytest.mark.parametrize(
    ("record", "words"),
    [
        ("092 Individual: Knock-Out", "Individual: Knock-Out"),
        ("092 Individual: Swiss-System\n192 FIDE_BURSTEIN", "FIDE_BURSTEIN"),
        ("092 Individual: Round-Robin", "Individual: Round-Robin"),
    ],
)
def test_what_was_no_swiss_and_comes_in_as_one_is_named(arbiter, tmp_path, record, words):
    # a round robin in which a bye gives points is none
    half = FILE.splitlines()[0] + f"\n{record}\n" + BYES
    line = half.splitlines().index(record.splitlines()[-1]) + 1
    said = (
        f":{line}:5: the format '{words}' is imported as a Swiss: games and results are those of the file, "
        "tie-breaks those of a Swiss"
    )
    assert said in remarks(arbiter, tmp_path / "cup.trf", tmp_path / "data", half, "Swiss")


@pytest.mark.parametrize(
    "record", ["092 Individual: Swiss-System", "092 Individual: Swiss-System\n192 FIDE_DUTCH_2026"]
)
def test_a_swiss_has_no_such_remark(arbiter, tmp_path, record):
    swiss = FILE.splitlines()[0] + f"\n{record}\n" + BYES
    assert remarks(arbiter, tmp_path / "cup.trf", tmp_path / "data", swiss, "Swiss") == []
