"""The command line on files: exit codes, output for people and for machines, and no traceback ever."""

import io
import json
import sys

import pytest

from deploy.cli.main import GROUPS
from shared.trf.reader import read

FOUR_PLAYERS = """012 Harbour Open
001    1      Albrecht,Nora                     2400                             1.0    1     3 w 1
001    2      Bruun,Ole                         2300                             1.0    2     4 b 1
001    3      Castro,Ines                       2200                             0.0    3     1 b 0
001    4      Duval,Lea                         2100                             0.0    4     2 w 0
XXR 3
XXC white1
"""
REMATCH = (
    FOUR_PLAYERS.replace("     3 w 1\n", "     3 w 1     3 b 1\n")
    .replace("     4 b 1\n", "     4 b 1     4 w 1\n")
    .replace("     1 b 0\n", "     1 b 0     1 w 0\n")
    .replace("     2 w 0\n", "     2 w 0     2 b 0\n")
)


@pytest.fixture
def four(tmp_path):
    file = tmp_path / "four.trf"
    file.write_text(FOUR_PLAYERS)
    return file


def test_pair_prints_boards_as_other_programs_do(arbiter, four):
    assert arbiter("pair", four) == (0, "2\n2 1\n3 4\n", "")


def test_pair_gives_the_odd_one_the_bye_on_the_last_line(arbiter, tmp_path):
    file = tmp_path / "odd.trf"
    file.write_text("".join(line[:90].rstrip() + "\n" for line in FOUR_PLAYERS.splitlines() if "Duval" not in line))
    code, out, _ = arbiter("pair", file)
    assert code == 0 and out == "2\n1 2\n3 0\n"


def test_pair_answers_a_json_line_a_file_in_order(arbiter, four, tmp_path):
    other = tmp_path / "other.trf"
    other.write_text(FOUR_PLAYERS)
    code, out, _ = arbiter("pair", "--json", four, other)
    assert code == 0
    assert [json.loads(line)["file"] for line in out.splitlines()] == [str(four), str(other)]


NOBODY = "".join(f"001 {n:4}      P{n:<66}0.0 {n:4}  0000 - Z\n" for n in (1, 2, 3, 4)) + "XXR 4\nXXC white1\n"


def test_pair_skips_a_round_of_byes_with_a_note(arbiter, tmp_path):
    file = tmp_path / "nobody.trf"
    file.write_text(NOBODY)
    note = f"{file}: round 1 is not paired, because every player has a bye in it\n"
    assert arbiter("pair", file) == (0, "2\n1 3\n4 2\n", note)
    code, out, _ = arbiter("pair", "--json", file)
    assert (code, json.loads(out)) == (0, {"file": str(file), "round": 2, "boards": [[1, 3], [4, 2]]})


@pytest.mark.parametrize("verb", ["pair", "check", "standings"])
def test_unused_words_of_a_file_are_named(arbiter, tmp_path, verb):
    file = tmp_path / "words.trf"
    file.write_text(FOUR_PLAYERS + "XXC blue1\n142 9\nQQQ x\n")
    code, out, err = arbiter(verb, file)
    assert code == 0
    assert [line for line in (out + err).splitlines() if line.startswith(str(file)) and line != str(file)] == [
        f"{file}:8:5: the word 'blue1' is not used; known words: white1, black1, rank",
        f"{file}:9:1: record 142 states 9, but line 6 (XXR) states 3; 9 is used",
        f"{file}: unknown records are stored unchanged: 'QQQ' (line 10)",
    ]


def test_check_says_why_the_engine_makes_no_pairing(arbiter, tmp_path):
    file = tmp_path / "baku.trf"
    file.write_text(FOUR_PLAYERS + "192 FIDE_DUTCH_2026_BAKU\n")
    code, out, _ = arbiter("check", file)
    assert (code, out) == (
        0,
        "round 1: the absolute rules are obeyed, the engine makes no pairing\n"
        f"  {file}:8:5: FIDE_DUTCH_2026_BAKU without the virtual points of its players (250, XXA): the first group is "
        "ambiguous, half of the players or that number rounded up to an even number\n",
    )


def test_pair_goes_on_after_a_file_that_cannot_be_read(arbiter, four, tmp_path):
    bad = tmp_path / "bad.trf"
    bad.write_text("012 nobody\n")
    code, out, err = arbiter("pair", "--json", bad, four)
    assert code == 2 and [json.loads(line)["file"] for line in out.splitlines()] == [str(four)]
    assert f"{bad}:1:1" in err


def test_pair_refuses_a_round_beyond_the_last(arbiter, tmp_path):
    file = tmp_path / "done.trf"
    file.write_text(FOUR_PLAYERS.replace("XXR 3", "XXR 1"))
    code, _, err = arbiter("pair", file)
    assert code == 1 and "all 1 rounds are paired" in err


def test_pair_refuses_a_round_on_open_games(arbiter, tmp_path):
    file = tmp_path / "open.trf"
    file.write_text(FOUR_PLAYERS.replace("     3 w 1", "     3 w").replace("     1 b 0", "     1 b"))
    code, _, err = arbiter("pair", file)
    assert code == 1 and "round 2" in err


def test_pair_adds_the_virtual_points_of_an_acceleration(arbiter, four, tmp_path):
    file = tmp_path / "fast.trf"
    file.write_text(FOUR_PLAYERS + "XXA    1  0.0  2.0\nXXA    4  0.0  3.0\n")
    met = [{frozenset(b) for b in json.loads(arbiter("pair", "--json", f)[1])["boards"]} for f in (file, four)]
    assert met == [{frozenset({1, 4}), frozenset({2, 3})}, {frozenset({1, 2}), frozenset({3, 4})}]


def test_pair_goes_by_the_table_where_the_file_is_a_round_robin(arbiter, tmp_path):
    file = tmp_path / "table.trf"
    players = "".join(f"001 {n:4d}      {f'P{n}':33s} 2000\n" for n in (1, 2, 3, 4, 5))
    file.write_text(f"092 Individual: Round-Robin\n{players}")
    assert arbiter("pair", file)[:2] == (0, "3\n2 5\n3 4\n1 0\n")


NOT_PAIRED_HERE = [
    ("192 FIDE_BURSTEIN\n", "8:5: unknown pairing system FIDE_BURSTEIN"),
    ("013 Harbour                             1    2\n", "8:1: this is a team file"),
]


@pytest.mark.parametrize(
    ("verb", "record", "told"),
    [("pair", *NOT_PAIRED_HERE[0]), ("check", *NOT_PAIRED_HERE[0]), ("pair", *NOT_PAIRED_HERE[1])],
    ids=["pair-system", "check-system", "pair-teams"],
)
def test_a_system_that_is_not_at_hand_is_named_by_its_line(arbiter, tmp_path, verb, record, told):
    file = tmp_path / "other.trf"
    file.write_text(FOUR_PLAYERS + record)
    code, _, err = arbiter(verb, file)
    assert code == 2 and f"{file}:{told}" in err


def test_check_lists_what_a_file_of_teams_says_otherwise_and_that_its_matches_are_not_paired(arbiter, tmp_path):
    """Other commands send there for the differences that they do not list."""
    record, told = NOT_PAIRED_HERE[1]
    file = tmp_path / "teams.trf"
    file.write_text(FOUR_PLAYERS + record)
    code, _, err = arbiter("check", file)
    assert code == 0 and f"{file}:{told}" in err
    file.write_text(FOUR_PLAYERS.replace("  0.0    4     2 w 0", "  9.5    4     2 w 0") + record)
    code, out, err = arbiter("check", file)
    assert (
        code == 1 and f"{file}:{told}" in err and "5:81: 4 has 9.5 points in the file, but the results give 0.0" in out
    )
    code, out, _ = arbiter("check", file, "--json")
    answer = json.loads(out)
    assert code == 1 and answer["rounds"] == [] and told in answer["not_paired"]
    assert [(d["line"], d["column"]) for d in answer["differences"]] == [(5, 81)]


def test_one_player_cannot_be_paired(arbiter, tmp_path):
    file = tmp_path / "alone.trf"
    file.write_text("".join(FOUR_PLAYERS.splitlines(True)[:2]).replace("     3 w 1", ""))
    code, _, err = arbiter("pair", file)
    assert code == 1 and "a pairing requires at least two" in err
    assert arbiter("standings", file)[0] == 0


def test_no_round_is_no_tournament(arbiter, tmp_path):
    file = tmp_path / "none.trf"
    file.write_text(FOUR_PLAYERS.replace("XXR 3", "XXR 0"))
    for verb in ("pair", "check", "standings"):
        code, _, err = arbiter(verb, file)
        assert code == 2 and f"{file}:6:5: the number of rounds must be 1 to 100, not 0" in err


def test_a_field_in_which_nobody_may_have_the_bye_is_refused(arbiter, tmp_path):
    """Three players after three rounds in which each had the bye (C.04.3 C2)."""
    file = tmp_path / "barred.trf"
    lines = ("  0000 - U     3 w =     2 b =", "     3 w =  0000 - U     1 w =", "     2 b =     1 b =  0000 - U")
    file.write_text("".join(f"001 {n:4d}      {f'P{n}':33s} 2000{'':37s}{line}\n" for n, line in enumerate(lines, 1)))
    code, _, err = arbiter("pair", file)
    assert code == 1 and "round 4" in err


def test_ten_thousand_players_do_not_fit_into_the_columns(arbiter, tmp_path):
    file = tmp_path / "many.trf"
    file.write_text("".join(f"001 {n:4d}      {f'P{n}':33s} 2000\n" for n in range(1, 10_001)))
    for verb in ("pair", "standings"):
        code, _, err = arbiter(verb, file)
        assert code == 2 and f"{file}:10000:" in err


def test_pair_keeps_forbidden_pairs_apart(arbiter, tmp_path):
    file = tmp_path / "apart.trf"
    file.write_text(FOUR_PLAYERS + "XXP 1 2\n")
    code, out, _ = arbiter("pair", "--json", file)
    assert code == 0 and {1, 2} not in [set(b) for b in json.loads(out)["boards"]]


def test_check_finds_a_rematch(arbiter, tmp_path):
    file = tmp_path / "again.trf"
    file.write_text(REMATCH)
    code, out, _ = arbiter("check", file, "--json")
    second = json.loads(out)["rounds"][1]
    assert code == 1 and {v["rule"] for v in second["violations"]} == {"rematch"}


def test_check_only_reports_where_the_engine_differs(arbiter, tmp_path):
    swapped = FOUR_PLAYERS.replace("3 w 1", "3 b 1").replace("1 b 0", "1 w 0")
    file = tmp_path / "colours.trf"
    file.write_text(swapped)
    code, out, _ = arbiter("check", file, "--json")
    first = json.loads(out)["rounds"][0]
    assert code == 0 and first["engine"] == "differs" and first["violations"] == []


def test_standings_rank_by_points_then_tie_breaks(arbiter, four):
    code, out, _ = arbiter("standings", four, "--tiebreaks", "WIN", "--also", "BH", "--json")
    table = json.loads(out)
    assert code == 0 and table["file"] == str(four) and table["tiebreaks"] == ["WIN"]
    assert [(p["id"], p["rank"], p["points"]) for p in table["players"]] == [(1, 1, 1), (2, 1, 1), (3, 3, 0), (4, 3, 0)]
    assert table["players"][0]["name"] == "Albrecht,Nora" and table["players"][0]["tb"].keys() == {"WIN", "BH"}


@pytest.mark.parametrize("code", ["LUCK", "BH/C", "BH/F", "BH/C1/M1", "SB/M1", "WIN:MP", "EDET", "ARO/P"])
def test_an_order_that_is_no_order_is_exit_2_and_no_table(arbiter, four, code):
    status, out, err = arbiter("standings", four, "--tiebreaks", f"BH,{code}", "--json")
    assert (status, out) == (2, "") and repr(code) in err


def test_standings_take_the_files_own_tie_breaks(arbiter, tmp_path):
    file = tmp_path / "own.trf"
    file.write_text(FOUR_PLAYERS + "212 PTS,SB,WIN\n")
    assert json.loads(arbiter("standings", file, "--json")[1])["tiebreaks"] == ["SB", "WIN"]


def test_an_order_of_a_file_is_obeyed_in_all_its_modifiers(arbiter, tmp_path):
    file = tmp_path / "own.trf"
    file.write_text(FOUR_PLAYERS + "202 bh/p/c1,Sb/C2,rtng/r\n")
    told = json.loads(arbiter("standings", file, "--json")[1])
    assert told["tiebreaks"] == ["BH/C1/P", "SB/C2", "RTNG/R"]
    assert json.loads(arbiter("standings", file, "--json", "--tiebreaks", "bh/p/c1,sb/c2,rtng/r")[1]) == told


@pytest.mark.parametrize(
    ("order", "column", "why"),
    [
        ("PTS,XYZ", 9, "unknown tie-break 'XYZ'; available: PTS, "),
        ("PTS,BH,OTHER_luck", 12, "unknown tie-break 'OTHER_LUCK'"),
        ("PTS,BH/F", 9, "'BH/F': BH cannot have /F; possible: /C1, /M1, /P"),
        ("PTS,BH/C1/M1", 9, "'BH/C1/M1': /C and /M cannot be combined"),
        ("PTS,EDET/P", 9, "unknown tie-break 'EDET/P'"),
        ("PTS,BH/C1/P,BH/P/C1", 0, "is listed twice"),
    ],
)
def test_an_order_of_a_file_that_cannot_be_obeyed_is_refused_at_its_place(arbiter, tmp_path, order, column, why):
    file = tmp_path / "own.trf"
    file.write_text(FOUR_PLAYERS + f"212 {order}\n")
    for verb in (("standings", file), ("import", file, "--data", tmp_path / "data", "--id", "cup")):
        code, out, err = arbiter(*verb)
        assert (code, out) == (2, "") and why in err and "give another order with --tiebreaks" in err
        assert f"{file}:8:{column or ''}" in err
    assert not (tmp_path / "data").exists(), "nothing is announced"
    assert arbiter("standings", file, "--tiebreaks", "BH")[0] == 0


def test_points_that_are_not_those_of_the_results_are_said_by_every_verb(arbiter, tmp_path):
    file = tmp_path / "said.trf"
    file.write_text(FOUR_PLAYERS.replace("  0.0    4     2 w 0", "  9.5    4     2 w 0") + "QQQ kept\n")
    told = f"{file}:5:81: 4 has 9.5 points in the file, but the results give 0.0"
    code, out, _ = arbiter("check", file)
    assert code == 1 and told in out.replace("\n", "") and "'QQQ' (line 8)" in out
    code, out, _ = arbiter("check", file, "--json")
    answer = json.loads(out)
    assert (
        code == 1 and [(d["line"], d["column"]) for d in answer["differences"]] == [(5, 81)] and "QQQ" in answer["kept"]
    )
    code, _, err = arbiter("standings", file, "--json")
    assert code == 0 and told in err and "'QQQ' (line 8)" in err
    code, _, err = arbiter("import", file, "--data", tmp_path / "data")
    assert code == 0 and told in err


def test_an_encoding_is_told_where_the_bytes_do_not_tell_it(arbiter, tmp_path):
    file = tmp_path / "central.trf"
    file.write_bytes(FOUR_PLAYERS.replace("Albrecht,Nora", "Müller,Jürgen").encode("cp1250"))
    code, _, err = arbiter("standings", file, "--json")
    assert code == 2 and f"{file}:2:16: its encoding cannot be detected" in err and "Müller,Jürgen" in err
    code, out, _ = arbiter("standings", file, "--json", "--encoding", "cp1250")
    assert code == 0 and json.loads(out)["players"][0]["name"] == "Müller,Jürgen"
    code, _, err = arbiter("standings", file, "--encoding", "runes")
    assert code == 2 and "cp1250" in err


def test_standings_after_a_round(arbiter, tmp_path):
    file = tmp_path / "again.trf"
    file.write_text(REMATCH)
    points = [p["points"] for p in json.loads(arbiter("standings", file, "--after", 1, "--json")[1])["players"]]
    assert points == [1, 1, 0, 0]
    assert arbiter("standings", file, "--after", 3)[0] == 2


def test_standard_input_is_a_file_too(arbiter, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(FOUR_PLAYERS.encode())))
    code, out, _ = arbiter("standings", "-", "--json")
    assert code == 0 and len(json.loads(out)["players"]) == 4


def test_tables_for_people_have_no_colours_where_nobody_looks(arbiter, four):
    code, out, _ = arbiter("standings", four)
    assert code == 0 and "Albrecht,Nora" in out and "\x1b" not in out


WRONG_USAGE = [
    ("pair",),
    ("pair", "no-such-file.trf"),
    ("pair", "."),
    ("standings", "x.trf", "--tiebreaks", "NOPE"),
    ("standings", "x.trf", "--tiebreaks", "BH,BH"),
    ("standings", "x.trf", "--regulations", "nowhere"),
    ("standings", "x.trf", "--rules", "1999"),
    ("simulate", "--players", "1"),
    ("simulate", "--forfeits", "2"),
    ("simulate", "--format", "round-robin", "--late", "0.5"),
    ("replay", "no-such-file.ndjson"),
    ("verify", "no-such-file.ndjson"),
    ("no-such-verb",),
]


@pytest.mark.parametrize("args", WRONG_USAGE, ids=" ".join)
def test_wrong_usage_is_one_line_and_exit_code_2(arbiter, args):
    code, out, err = arbiter(*args)
    assert code == 2 and out == "" and len(err.strip().splitlines()) == 1


def test_simulated_tournaments_are_the_same_for_the_same_seed(arbiter):
    first = arbiter("simulate", "--players", 9, "--rounds", 3, "--seed", 5)[1]
    assert first == arbiter("simulate", "--players", 9, "--rounds", 3, "--seed", 5)[1]
    assert first != arbiter("simulate", "--players", 9, "--rounds", 3, "--seed", 6)[1]


def test_a_simulated_tournament_keeps_every_rule(arbiter, tmp_path):
    file = tmp_path / "simulated.trf"
    file.write_text(arbiter("simulate", "--players", 11, "--rounds", 5, "--forfeits", 0.2, "--fouls", 0.2)[1])
    assert read(file.read_bytes(), "x").rounds_recorded == 5
    code, out, _ = arbiter("check", file, "--json")
    assert code == 0 and {r["engine"] for r in json.loads(out)["rounds"]} == {"agrees"}


ROUGH = ("--byes", 0.1, "--withdrawals", 0.2, "--late", 0.2, "--forfeits", 0.2)
SIMULATED = [
    ("--players", 14, "--rounds", 5, "--format", "swiss", *ROUGH),
    ("--players", 7, "--format", "round-robin", "--forfeits", 0.2),
    ("--players", 4, "--format", "double-round-robin"),
]


@pytest.mark.parametrize("options", SIMULATED, ids=["swiss", "round-robin", "double-round-robin"])
def test_every_simulated_format_is_paired_by_its_own_engine(arbiter, tmp_path, options):
    file = tmp_path / "simulated.trf"
    file.write_text(arbiter("simulate", *options)[1])
    code, out, _ = arbiter("check", file, "--json")
    assert code == 0 and {r["engine"] for r in json.loads(out)["rounds"]} == {"agrees"}


def test_a_simulated_campus_swiss_keeps_every_absolute_rule_but_those_of_colours(arbiter, tmp_path):
    file = tmp_path / "campus.trf"
    file.write_text(arbiter("simulate", "--players", 9, "--rounds", 4, "--format", "campus")[1])
    broken = [v["rule"] for r in json.loads(arbiter("check", file, "--json")[1])["rounds"] for v in r["violations"]]
    assert set(broken) <= {"colours"}


def test_some_come_late_and_some_leave(arbiter):
    out = arbiter("simulate", "--players", 20, "--rounds", 5, "--late", 0.5, "--withdrawals", 0.5)[1]
    lines = [line[91:].ljust(50) for line in out.splitlines() if line.startswith("001")]
    assert any(line.startswith(" " * 10) and line.strip() for line in lines)
    assert any("  0000 - Z" in line[30:] for line in lines)


def test_a_table_as_csv_is_no_formula(arbiter, tmp_path):
    file = tmp_path / "names.trf"
    file.write_text(FOUR_PLAYERS.replace("Albrecht,Nora", "=HYPERLINK(1)"))
    code, out, _ = arbiter("standings", file, "--csv", "--tiebreaks", "WIN", "--also", "BH")
    lines = out.splitlines()
    assert code == 0 and lines[0] == "rank,id,name,points,WIN,BH,regulations"
    assert lines[1].startswith("1,1,'=HYPERLINK(1),1,1,")
    assert arbiter("standings", file, "--csv", "--json")[0] == 2


VERBS = [name for _, _, names in GROUPS for name in names]


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_its_own_help_and_a_line_in_the_help_of_all(arbiter, verb):
    code, own, _ = arbiter(verb, "--help")
    assert code == 0 and f"Usage: arbiter {verb} " in own
    assert f"\n  {verb} " in arbiter("--help")[1]


def test_the_command_alone_prints_its_help(arbiter):
    code, out, err = arbiter()
    assert (code, err) == (2, "")
    assert out.startswith("Usage: arbiter ") and all(f"\n  {verb} " in out for verb in VERBS)


@pytest.mark.parametrize(("written", "meant"), [("verfy", "verify"), ("replays", "replay"), ("Serve", "serve")])
def test_a_verb_written_wrongly_is_answered_with_the_nearest_one(arbiter, written, meant):
    assert arbiter(written) == (2, "", f"arbiter: unknown command {written!r}; did you mean {meant!r}?\n")


def test_a_verb_that_is_like_none_is_answered_with_all(arbiter):
    code, _, err = arbiter("xyz")
    assert code == 2 and err.startswith("arbiter: unknown command 'xyz'; available: archive, check, ")


def test_a_name_is_shown_and_never_obeyed(arbiter, tmp_path):
    file = tmp_path / "names.trf"
    file.write_text(FOUR_PLAYERS.replace("Albrecht,Nora", "[/b]\x1b[31mNora"))
    code, out, _ = arbiter("standings", file)
    assert code == 0 and r"[/b]\x1b[31mNora" in out and "\x1b" not in out


@pytest.mark.parametrize("verb", [("standings",), ("check",), ("import", "--data")])
def test_a_file_that_was_played_by_other_regulations_is_read_by_fides_aloud(arbiter, four, tmp_path, verb):
    four.write_text(FOUR_PLAYERS + "### regulations: campus\n")
    where = [tmp_path / "data"] if "--data" in verb else []
    code, _, err = arbiter(*verb, *where, four)
    said = f"{four}:8:18: the file states the ruleset campus; fide-2026 is used instead"
    assert code == 0 and said in err.splitlines()
    four.write_text(FOUR_PLAYERS + "### regulations: fide-2026\n")
    assert "played by" not in arbiter("standings", four)[2]


def test_a_file_is_ranked_by_the_regulations_that_it_names_where_they_are_asked_for(arbiter, four):
    four.write_text(FOUR_PLAYERS + "### regulations: campus\n")
    assert "played by" not in arbiter("standings", four, "--regulations", "campus")[2]
