"""``arbiter regulations``: the shipped sets for people and machines, and a federation's own file checked."""

import json

import pytest
from msgspec import to_builtins
from msgspec.json import encode

from services.pairing.announcement.regulation_routes import listed, whole
from shared.regulations import load, names
from shared.regulations.editions import LONGEST_LINE, MOST_BYTES
from tests.federation import OWN, own_set


@pytest.fixture
def own(tmp_path):
    """Writes a text into a file and gives its path."""

    def write(text: str | bytes) -> str:
        file = tmp_path / "own.toml"
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        return str(file)

    return write


def test_every_shipped_set_is_listed_with_its_games(arbiter):
    code, out, _ = arbiter("regulations", "list")
    assert code == 0 and all(name in out for name in names())
    code, out, _ = arbiter("regulations", "list", "--json")
    assert code == 0 and [json.loads(line) for line in out.splitlines()] == to_builtins(listed().regulations)


@pytest.mark.parametrize("name", names())
def test_a_set_is_shown_whole_as_over_http(arbiter, name):
    code, out, _ = arbiter("regulations", "show", name, "--json")
    assert code == 0 and json.loads(out) == json.loads(encode(whole(name)))


def test_a_set_is_shown_with_path_value_unit_bounds_article_and_readings(arbiter):
    code, out, _ = arbiter("regulations", "show", "xiangqi-1999")
    (row,) = [line for line in out.splitlines() if "natural_limit_rounds" in line]
    assert code == 0
    for part in ("60", "rounds", "1 to 60", "002-X 4.2.4", "*60: 002-X 4.2.4", "40: 000-A 2, 和 4"):
        assert part in row


def test_a_file_is_shown_as_a_shipped_set_is(arbiter, own):
    code, out, _ = arbiter("regulations", "show", own(own_set()), "--json")
    shown = json.loads(out)
    assert (code, shown["name"], shown["games"]) == (0, OWN, ["xiangqi"])
    assert shown["values"] == json.loads(encode(whole("xiangqi-1999").values))


def test_a_name_that_is_neither_a_set_nor_a_file_is_refused_with_the_sets(arbiter):
    code, _, err = arbiter("regulations", "show", "fide-1924")
    assert code == 2 and "unknown ruleset 'fide-1924'" in err and "xiangqi-1999" in err


def test_a_file_that_would_be_taken_is_told_with_its_digest(arbiter, own):
    file = own(own_set())
    code, out, _ = arbiter("regulations", "check", file)
    assert code == 0 and out.startswith(f"{file}: {OWN} (1999) for xiangqi; digest ")
    code, out, _ = arbiter("regulations", "check", file, "--json")
    told = json.loads(out)
    assert (code, told["name"], told["games"], len(told["digest"])) == (0, OWN, ["xiangqi"], 64)
    assert told["digest"] != load("xiangqi-1999").digest


@pytest.mark.parametrize("name", names())
def test_a_shipped_file_is_as_it_is_shipped(arbiter, own, name):
    assert arbiter("regulations", "check", own(own_set(name, name=name)))[0] == 0


BAD = [
    ("name = ?", 2, "Invalid value (at line 1, column 8)"),
    (b'name = "\xff"', 2, "not UTF-8 at byte 8"),
    ('name = "a\\u0000b"', 2, "name holds NUL"),
    ("x = " + "[" * 900 + "]" * 900, 2, "its tables are nested too deep"),
    ("a" + ".a" * LONGEST_LINE + " = 1", 1, f"line 1 has 4005 characters; there are {LONGEST_LINE} at most"),
    ("# 棋\n" * 11_000, 1, f"66000 bytes; a set has {MOST_BYTES} at most"),
    ("", 1, "name: a line of 1 to 100 characters"),
    ("name = 3", 1, "name: a line of 1 to 100 characters"),
    ('name = " "', 1, "name: a line of 1 to 100 characters"),
    ('name = "a\\nb"', 1, "name: a line of 1 to 100 characters"),
    (f'name = "{101 * "a"}"', 1, "name: a line of 1 to 100 characters"),
    ('name = "mine"', 1, "Object missing required field `edition`"),
    (own_set("xiangqi-1999", ("win = 2", "win = 4"), name="xiangqi-1999"), 1, "name: 'xiangqi-1999' is shipped"),
    (
        own_set("xiangqi-1999", ("win = 2", "wim = 2\nwin = 2")),
        1,
        "points has an unknown key 'wim'; is 'win' meant?",
    ),
    (
        own_set("xiangqi-1999", ('counter = "foul"', 'counter = "fuol"')),
        1,
        "rulebook.infractions (foul): no rule of the ladder reads the counter 'fuol'",
    ),
    (own_set("xiangqi-1999", ("win = 2", "win = -2")), 1, "points.win: must be 0 to 2000"),
    (
        own_set("xiangqi-1999", ('"PO"', '"BOO"')),
        2,
        "ranking: tiebreaks of players: unknown tie-break 'BOO'; available: PTS, ",
    ),
    (own_set("xiangqi-1999", ('"PO"', '"BH"')), 2, "ranking: tiebreaks of players: BH is listed twice"),
    (
        own_set("xiangqi-1999", ('engine = "rustworkx"', 'engine = "gacrux"')),
        1,
        "pairing: engine: the system 'campus' is paired by 'rustworkx', not 'gacrux'",
    ),
]


@pytest.mark.parametrize(("text", "code", "told"), BAD, ids=[told for _, _, told in BAD])
def test_a_file_that_would_not_be_taken_is_told_in_one_line_that_names_file_table_and_key(
    arbiter, own, text, code, told
):
    file = own(text)
    answer = arbiter("regulations", "check", file)
    assert (answer[0], answer[1]) == (code, "")
    assert answer[2].startswith(f"arbiter: {file}: ") and answer[2].count("\n") == 1
    assert told in answer[2]


def test_a_file_that_is_not_there_is_bad_input(arbiter, tmp_path):
    assert arbiter("regulations", "check", tmp_path / "none.toml")[0] == 2


def test_a_table_of_a_trf_file_is_made_by_a_file_too(arbiter, own, tmp_path):
    trf = tmp_path / "two.trf"
    trf.write_text(
        "012 Two\n"
        "001    1      Albrecht,Nora                     2400                             1.0    1     2 w 1\n"
        "001    2      Bruun,Ole                         2300                             0.0    2     1 b 0\n"
    )
    worth_three = own(own_set("fide-2026", ("win = 2", "win = 6")))
    table = json.loads(arbiter("standings", trf, "--regulations", worth_three, "--json")[1])
    assert [row["points"] for row in table["players"]] == [3.0, 0.0]
    code, _, err = arbiter("standings", trf, "--regulations", "fide-1924")
    assert code == 2 and "unknown ruleset 'fide-1924'" in err
