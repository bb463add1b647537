"""A file read, imported, exported and read again is the same tournament."""

import json
import random
import re

import pytest

from deploy.cli.client import local
from deploy.cli.demo.simulation import Shares, simulated
from deploy.server.data_folder import data_folder
from services.standings.files.trf.export import trf_of
from services.standings.files.trf.to_events import tournament_of
from shared.http.app import close
from shared.trf.reader import read
from shared.trf.writer import write
from tests.deploy.test_cli_logs import FILE
from tests.rules.test_trf_export import entries, record
from tests.teams import played

SETTINGS = ("name", "rounds", "initial_colour", "points", "tiebreaks")
OF_PLAYERS = """012 Harbour Open
092 Individual: Swiss-System
001    1      Albrecht,Nora                     2400                             3.0    1     3 w 1     2 b =  0000 - H            0000 - H
001    2      Bruun,Ole                         2300                             3.0    2     4 b 1     1 w =     3 b =
001    3      Castro,Ines                       2200                             1.5    3     1 b 0     5 w 1     2 w =
001    4      Duval,Lea                         2100                             0.0    4     2 w 0  0000 - Z  0000 - Z  0000 - Z  0000 - Z
001    5      Eriksen,Kai                       2000                             2.0    5               3 b 0     6 w -
001    6      Falk,Eva                          1900                             1.0    6                         5 b +
XXR 5
XXC white1
XXP 1 6
XXP 2 5
212 PTS,SB,WIN
"""  # noqa: E501 - as wide as files are


@pytest.fixture
def around(arbiter, tmp_path):
    """Imports a file's text and exports the tournament; both as they are read."""

    def go(text: str, name: str, *options: object):
        file = tmp_path / f"{name}.trf"
        file.write_text(text)
        code, _, err = arbiter("import", file, "--data", tmp_path / "data")
        assert code == 0, err
        code, out, err = arbiter("export", name, "--data", tmp_path / "data", *options)
        assert code == 0, err
        return read(text.encode(), name), read(out.encode(), "exported")

    return go


@pytest.mark.parametrize("edition", [(), ("--trf26",)], ids=["16", "26"])
def test_late_and_left_players_byes_and_forbidden_pairs_survive(around, edition):
    before, after = around(OF_PLAYERS, "harbour", *edition)
    assert entries(after) == entries(before)
    assert [getattr(after.settings, s) for s in SETTINGS] == [getattr(before.settings, s) for s in SETTINGS]
    assert after.settings.forbidden_pairs(4) == before.settings.forbidden_pairs(4) == {(1, 6), (2, 5)}
    assert [(p.name, p.rating) for p in after.players] == [(p.name, p.rating) for p in before.players]


def test_the_hall_hears_of_late_entries_withdrawals_and_forbidden_pairs(around, arbiter, tmp_path):
    around(OF_PLAYERS, "harbour")
    lines = [json.loads(x) for x in arbiter("log", "harbour", "--data", tmp_path / "data")[1].splitlines()]
    of = {kind: [x["data"] for x in lines if x["type"].startswith(f"arbiter.{kind}.")] for kind in
          ("player.entered", "player.withdrew", "pairs.forbidden", "bye.granted")}  # fmt: skip
    assert {d["player"]: d["first_round"] for d in of["player.entered"]} == {1: 1, 2: 1, 3: 1, 4: 1, 5: 2, 6: 3}
    assert [(d["player"], d["after_round"]) for d in of["player.withdrew"]] == [(4, 1)]
    assert of["pairs.forbidden"][-1]["pairs"] == [[1, 6], [2, 5]]
    assert sorted((d["player"], d["round"], d["kind"]) for d in of["bye.granted"]) == [(1, 3, "H"), (1, 5, "H")]


@pytest.mark.parametrize("seed", range(6))
def test_a_simulated_tournament_survives(around, seed):
    rough = Shares(forfeits=0.15, byes=0.15, withdrawals=0.25, late=0.25)
    t, names = simulated(8 + seed, 4, random.Random(seed), rough)
    before, after = around(write(trf_of(t, names)).decode(), "simulated")
    assert entries(after) == entries(before)
    assert record(tournament_of(after)) == record(t)


@pytest.mark.parametrize(("system", "players"), [("round-robin", 5), ("double-round-robin", 4)])
def test_a_round_robin_stays_one(around, system, players):
    t, names = simulated(players, 0, random.Random(7), Shares(forfeits=0.2), system)
    before, after = around(write(trf_of(t, names)).decode(), "table")
    assert entries(after) == entries(before)
    assert after.settings.system.format == before.settings.system.format == system.replace("-", "_")


def test_an_exported_file_is_imported_to_the_same_file(around):
    _, once = around(FILE, "harbour", "--trf26")
    _, twice = around(write(once).decode(), "again", "--trf26")
    assert write(twice) == write(once)


def test_what_no_log_holds_is_kept_from_the_file_it_came_from(around, tmp_path):
    text = FILE.replace("012 Harbour Open\n", "012 Harbour Open\n022 Bergen\n042 2026/11/21\n") + "XYZ unknown\n"
    (tmp_path / "like.trf").write_text(text)
    _, after = around(text, "harbour", "--like", tmp_path / "like.trf")
    assert {"022 Bergen", "042 2026/11/21", "XYZ unknown"} <= {r.text for r in after.records}


def test_persons_are_spelled_as_in_the_file_they_came_from(around, tmp_path):
    """Small letters of a federation, zeros before a FIDE id, a year alone on the right, the older titles, no name at all."""
    lines = (
        "001    1 w WG Albrecht,Nora                     2400 esp     0022222       1999  1.0    1     2 w 1",
        "001    2 f  g                                   2300 NOR         ABC 03.05.1998  0.0    2     1 b 0",
    )
    text = "012 Harbour Open\n" + "\n".join(lines) + "\nXXR 3\n"
    (tmp_path / "like.trf").write_text(text)
    _, after = around(text, "harbour", "--like", tmp_path / "like.trf")
    assert {*lines} <= {*write(after).decode().splitlines()}


def test_teams_and_their_matches_survive(around, arbiter, tmp_path):
    players = "".join(
        f"001 {n:4d}      {f'P{n}':33s} {2400 - n:4d}{'':37s}{line}\n"
        for n, line in enumerate(("     4 w 1     5 w 1", "     3 b =     6 b 0", "     2 w =  0000 - U",
                                  "     1 b 0  0000 - U", "  0000 - U     1 b 0", "  0000 - U     2 w 1"), 1)
    )  # fmt: skip
    names = ("Red", "Black", "Green")
    members = (("   1    2"), ("   4    3"), ("   5    6"))
    teams = "".join(f"013 {n:32s} {m}\n" for n, m in zip(names, members, strict=True))
    before, after = around(f"012 Cup\n{players}{teams}XXR 2\n", "cup")
    assert [(t.id, t.name, t.members) for t in after.settings.teams] == [
        (t.id, t.name, t.members) for t in before.settings.teams
    ]
    assert entries(after) == entries(before)
    log = tmp_path / "log.ndjson"
    log.write_bytes(arbiter("log", "cup", "--data", tmp_path / "data")[1].encode())
    table = json.loads(arbiter("replay", log, "--teams", "--json")[1])
    # Black and Green had the bye once: a match point and half of the boards.
    assert {t["id"]: (t["points"], t["game_points"]) for t in table["teams"]} == {1: (3, 2.5), 2: (1, 1.5), 3: (2, 2)}
    assert arbiter("verify", log)[0] == 0


def test_an_event_of_teams_is_exported_with_its_matches(arbiter, tmp_path):
    close(played(tmp_path / "data"))
    code, out, _ = arbiter("export", "cup", "--data", tmp_path / "data", "--trf26")
    assert code == 0
    assert [(t.id, t.name, t.members) for t in read(out.encode(), "cup").settings.teams] == [
        (1, "=红队", (11, 12)),
        (2, "黑队", (21, 22)),
    ]
    assert re.search(r"^802   1          2    1.5    2 [wb]  1.5$", out, re.MULTILINE)


def test_a_tournament_that_is_not_there_is_one_line(arbiter, tmp_path):
    (tmp_path / "data").mkdir()
    code, out, err = arbiter("export", "nobody", "--data", tmp_path / "data")
    assert code == 2 and out == "" and "tournament nobody does not exist" in err


@pytest.mark.parametrize(
    ("said", "announced"),
    [
        ("40/6000+30:20/3000+30:1500+30", [(6000, 40, 30), (3000, 20, 30), (1500, 0, 30)]),
        ("90 minutes", None),
        ("600:300", None),
    ],
)
def test_the_time_control_of_a_file_is_announced_and_written_again(around, arbiter, tmp_path, capfd, said, announced):
    """222; what is none is told, and not passed over."""
    before, after = around(OF_PLAYERS + f"222 {said}\n", "timed", "--trf26")
    first = json.loads(arbiter("log", "timed", "--data", tmp_path / "data")[1].splitlines()[0])
    time = first["data"]["conditions"]["time"]
    if announced is None:
        assert time is None
        return
    assert [(p["seconds"], p["moves"], p["increment"]) for p in time["periods"]] == announced
    assert after.settings.time == before.settings.time == said


ACCELERATED = """012 Accelerated Open
022 Harbour
132                                                                                        26/03/01  26/03/02
102 Nora Arbiter
001    1      Albrecht,Nora                     2400                             1.0    1     3 w 1
001    2      Bruun,Ole                         2300                             1.0    2     4 b 1
GER    2      Bruun,Ole                         2315
001    3      Castro,Ines                       2200                             0.0    3     1 b 0
001    4      Duval,Lea                         2100                             0.0    4     2 w 0
XXR 5
XXC white1
XXA    4   0.0  2.0
250       1.0   3   4    1    2
QQQ something of another program
"""


def test_acceleration_and_records_that_nothing_reads_are_exported_as_they_came(around, arbiter, tmp_path):
    """An import keeps them in the log, as texts; the export is paired as the file was."""
    around(ACCELERATED, "fast")
    out = arbiter("export", "fast", "--data", tmp_path / "data")[1]
    sent, told = ([line for line in text.splitlines() if line[:3] != "001"] for text in (ACCELERATED, out))
    assert [line for line in told if line in sent] == sent, "all of them, in their order"
    assert {line[:3] for line in told if line not in sent} <= {"062", "072", "082", "092", "###", "212"}, (
        "the log's own"
    )
    places = [line[:8] for line in out.splitlines()]
    assert places.index("001    2") + 1 == places.index("GER    2") == places.index("001    3") - 1
    again = tmp_path / "again.trf"
    again.write_text(out)
    pairings = [arbiter("pair", file)[1] for file in (tmp_path / "fast.trf", again)]
    assert pairings[0] == pairings[1] == "2\n1 4\n2 3\n"
    assert "Nora Arbiter" not in arbiter("log", "fast", "--data", tmp_path / "data")[1]


def test_an_export_imported_again_and_exported_is_the_same_file(around, arbiter, tmp_path):
    around(ACCELERATED, "fast")
    first = arbiter("export", "fast", "--data", tmp_path / "data")[1]
    around(first, "again")
    assert arbiter("export", "again", "--data", tmp_path / "data")[1] == first


SPELLED = """012 Spelled Open
001    1      Albrecht,Nora                     2400                             2.0    1     2 w W     3 b 1
001    2      Bruun,Ole                         2300                             0.0    4     1 b L  0000 - -
001    3      Castro,Ines                       2200                             1.0    2     4 - +     1 w 0
001    4      Duval,Lea                         2100                             0.5    3     3 - -  0000 - =
XXR 2
XXC white1
"""


def test_unrated_games_forfeits_without_colours_and_older_byes_come_out_as_they_came(around, arbiter, tmp_path):
    around(SPELLED, "spelled")
    out = arbiter("export", "spelled", "--data", tmp_path / "data")[1]
    assert set(SPELLED.splitlines()) <= set(out.splitlines())
    assert "Albrecht" not in arbiter("log", "spelled", "--data", tmp_path / "data")[1]


@pytest.mark.parametrize("seed", range(8))
def test_no_file_that_is_simulated_is_refused(arbiter, tmp_path, seed):
    """The ends of every option: nobody or everybody forfeits, asks for byes, leaves, comes late."""
    chance = random.Random(seed)
    system = ("swiss", "campus", "round-robin", "double-round-robin")[seed % 4]
    options = {"--players": chance.choice((2, 3, 5, 8)), "--seed": seed, "--format": system}
    names = ("--forfeits", "--fouls", "--byes", "--withdrawals", "--late")
    if "robin" not in system:
        options |= {"--rounds": chance.choice((1, 2, 3))} | {name: chance.choice((0, 0.3, 1)) for name in names}
    else:
        options |= {name: chance.choice((0, 0.3, 1)) for name in names[:2]}
    code, out, err = arbiter("simulate", *(part for option in options.items() for part in option))
    assert code == 0 or "round" in err, err  # so few may have nobody left to meet
    if code == 0:
        file = tmp_path / "simulated.trf"
        file.write_text(out)
        assert arbiter("check", file)[0] == 0, out
        code, _, err = arbiter("import", file, "--data", tmp_path / "data")
        assert code == 0 and "more points and ranks" not in err and "`arbiter check` lists them" not in err, err


def test_an_imported_tournament_is_paired_with_the_virtual_points_of_its_file(around, arbiter, tmp_path):
    """The next round of the tournament is the one that `pair` makes of the file: 1-4 and 2-3, where 1-2 and 3-4 met else."""
    around(ACCELERATED, "fast")
    with local(data_folder(tmp_path / "data"), "import") as client:
        seen = client.get("/v1/tournaments/fast")
        made = client.post("/v1/tournaments/fast/rounds", {}, if_match=seen.etag).json
    assert [[b["white"], b["black"]] for b in made["boards"]] == [[1, 4], [2, 3]]


def test_a_baku_file_without_virtual_points_is_refused_where_a_round_is_to_come(arbiter, tmp_path):
    file = tmp_path / "baku.trf"
    text = "".join(line for line in ACCELERATED.splitlines(keepends=True) if line[:3] not in ("XXA", "250"))
    file.write_text(text + "192 FIDE_DUTCH_2026_BAKU\n")
    why = f"{file}:{len(text.splitlines()) + 1}:5: FIDE_DUTCH_2026_BAKU without the virtual points of its players"
    for verb, code in (("pair", 1), ("import", 2)):
        found, _, err = arbiter(verb, file, *(("--data", tmp_path / "data") if verb == "import" else ()))
        assert (found, why in err) == (code, True), (verb, err)
    code, out, _ = arbiter("check", file)
    assert code == 0 and "the engine makes no pairing" in out, "the absolute rules are checked all the same"
    file.write_text(text.replace("XXR 5", "XXR 1") + "192 FIDE_DUTCH_2026_BAKU\n")
    assert arbiter("import", file, "--data", tmp_path / "data")[0] == 0


def test_a_round_without_a_game_before_one_with_games_is_refused_before_anything_is_stored(arbiter, tmp_path):
    """Given a file whose second round has byes alone; then its place is named, and no tournament is begun."""
    file = tmp_path / "gap.trf"
    rows = ("     2 w 1  0000 - H     2 b 1", "     1 b 0  0000 - H     1 w 0")
    file.write_text("".join(f"001 {n:4d}      {f'P{n}':33s} 2000{'':37s}{row}\n" for n, row in enumerate(rows, 1)))
    code, _, err = arbiter("import", file, "--data", tmp_path / "data", "--id", "gap")
    assert code == 2 and f"{file}:1:102: round 2 has no pairing, but the file contains games of later rounds" in err
    assert not (tmp_path / "data").exists()


def test_exported_xiangqi_event_imports_as_the_same_event(arbiter, tmp_path):
    data, file = ("--data", tmp_path / "data"), tmp_path / "again.trf"
    (tmp_path / "first.trf").write_text(OF_PLAYERS.replace("212 PTS,SB,WIN\n", ""))
    wanted = ("--regulations", "xiangqi-1999", "--game", "xiangqi")
    assert arbiter("import", tmp_path / "first.trf", *data, *wanted)[0] == 0
    file.write_text(arbiter("export", "first", *data)[1])
    assert "### game: xiangqi\n### ruleset: xiangqi-1999 " in file.read_text()
    code, _, err = arbiter("import", file, *data)
    assert code == 0 and "differs" not in err, err
    own = [set(arbiter("export", name, *data)[1].splitlines()) for name in ("first", "again")]
    assert own[0] == own[1]


def test_column_that_differs_from_the_exported_table_is_named(arbiter, tmp_path):
    data, file = ("--data", tmp_path / "data"), tmp_path / "again.trf"
    (tmp_path / "first.trf").write_text(OF_PLAYERS)
    assert arbiter("import", tmp_path / "first.trf", *data)[0] == 0
    file.write_text(re.sub(r" SB [0-9a-f]{12}", " SB 0123456789ab", arbiter("export", "first", *data)[1]))
    code, _, err = arbiter("import", file, *data)
    assert code == 0
    assert [line for line in err.splitlines() if "differs" in line] == [
        f"{file}: the column SB differs from the exported table"
    ]


@pytest.mark.parametrize("verb", ["import", "check"])
def test_game_that_the_ruleset_does_not_have_is_refused(arbiter, tmp_path, verb):
    file = tmp_path / "cup.trf"
    file.write_text(OF_PLAYERS)
    assert arbiter(verb, file, "--game", "xiangqi") == (
        2, "",
        f"arbiter: {file}: the ruleset fide-2026 does not have the game 'xiangqi'; its games: chess. Choose a ruleset with "
        "--regulations, or a game with --game\n",
    )  # fmt: skip
