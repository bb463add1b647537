"""Programs that share no code with the product derive its tables from the bare log, and find a table that was altered."""

import json
import re
import runpy
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from deploy.cli.files.log_files import replay_of
from services.standings.rules.table.table import standings
from shared.core.event_types.registry import OFFICIAL
from shared.core.state.tournament import Tournament
from tests.foreign import build
from tests.foreign.signing import service_keys, signed_log
from tests.golden.recorded import load_tournaments
from tests.verifiers.event import files, pack, unpack
from tests.verifiers.tables import RANKED, compare_tables, go_tables, is_derived, product_table

pytestmark = pytest.mark.xdist_group("go")
ROOT = Path(__file__).parents[2]
FIRST = ROOT / "tests" / "golden" / "log-1.0.0"
READER = ROOT / "deploy" / "docs" / "second-reader.py"
HISTORIES = 160


@pytest.fixture(scope="module")
def verifier(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build.verifier(tmp_path_factory.mktemp("verifier"))


@pytest.fixture(scope="module")
def golden(tmp_path_factory: pytest.TempPathFactory) -> dict[Path, Tournament]:
    """Return the logs of both golden sets, each with its state."""
    folder = tmp_path_factory.mktemp("golden")
    logs = [*FIRST.glob("spring-cup.ndjson"), *FIRST.glob("hall.ndjson"), ROOT / "tests/golden/py4swiss-0.3.1.ndjson"]
    for name, held in load_tournaments().items():
        logs.append(folder / f"{name.replace('/', '_')}.ndjson")
        logs[-1].write_bytes(held["log.ndjson"])
    replayed = {log: replay_of(str(log)) for log in logs}
    return {log: state for log, read in replayed.items() if isinstance(state := read.at(read.size), Tournament)}


def run(verifier: Path, *arguments: object) -> tuple[int, str, str]:
    """Return exit code, output and error output of the Go program."""
    command = [str(verifier), *map(str, arguments)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    return ran.returncode, ran.stdout, ran.stderr


def resigned(change: Callable[[list[dict[str, Any]]], None], log: Path) -> bytes:
    """Return a log that its operator changed: with new keys, and all roots and signatures made again."""
    events = [json.loads(line) for line in log.read_bytes().splitlines()]
    change(events)
    lines = [json.dumps(event, ensure_ascii=False, separators=(",", ":")).encode() for event in events]
    return b"".join(line + b"\n" for line in signed_log(lines, service_keys()))


def last(events: list[dict[str, Any]], kind: str) -> dict[str, Any]:
    """Return the data of the last event of a type."""
    data: dict[str, Any] = next(e["data"] for e in reversed(events) if e["type"].startswith(f"arbiter.{kind}.v"))
    return data


def test_go_program_derives_the_tables_of_golden_logs(verifier, golden):
    derived = 0
    for (log, t), table in zip(golden.items(), go_tables(verifier, [*golden]), strict=True):
        if is_derived(log.read_bytes()):
            derived += 1
            assert table == {"derived": True, "rows": product_table(t)["rows"]}, log.name
        else:
            assert table.keys() == {"derived", "reason"} and table["derived"] is False, log.name
            assert re.search("team event|stages|knockout|groups|match", table["reason"]), table
    assert derived > 50


def test_go_program_accepts_the_published_tables_of_golden_logs(verifier, golden):
    published = {log: t for log, t in golden.items() if t.publications and is_derived(log.read_bytes())}
    for log, t in published.items():
        number = len(t.publications)
        code, out, _ = run(verifier, log)
        assert code != 1 and f" {number} of {number} published tables are equal" in out, (log.name, out)
    assert len(published) > 10


def test_go_program_and_page_derive_the_tables_of_random_events(verifier, tmp_path):
    outcome = compare_tables(range(1, 1 + HISTORIES), verifier, tmp_path)
    assert outcome.differences == []
    assert [one for one in RANKED if not outcome.counts[one]] == []
    assert outcome.tables > 3 * HISTORIES


def test_changed_digest_of_a_published_table_is_found(verifier, tmp_path):
    log = tmp_path / "log.ndjson"
    log.write_bytes(
        resigned(lambda events: last(events, "standings.published").update(digest="0" * 64), FIRST / "hall.ndjson")
    )
    code, out, _ = run(verifier, log)
    faults = [line for line in out.splitlines() if line.startswith("FAULT")]
    assert (code, len(faults)) == (1, 1), out
    number = next(n for n, line in enumerate(log.read_bytes().splitlines(), 1) if b'"digest":"00000000' in line)
    assert faults[0].startswith(f"FAULT: line {number}: the table published after round 2 is not the one that"), out


def test_changed_result_before_a_published_table_is_found(verifier, tmp_path):
    def drawn(events: list[dict[str, Any]]) -> None:
        last(events, "result.reported").update(
            {side: {"points": 1, "played": True, "counted": True} for side in ("white", "black")}
        )

    log = tmp_path / "log.ndjson"
    log.write_bytes(resigned(drawn, FIRST / "spring-cup.ndjson"))
    code, out, _ = run(verifier, log)
    assert (code, out.count("FAULT")) == (1, 1) and "the table published after round" in out, out


def test_log_signed_again_without_a_change_agrees(verifier, tmp_path):
    log = tmp_path / "log.ndjson"
    log.write_bytes(resigned(lambda events: None, FIRST / "spring-cup.ndjson"))
    assert run(verifier, log)[0] == 0


def test_changed_row_of_an_archive_is_named(verifier, tmp_path):
    members = unpack(files()["event.zip"])
    table = json.loads(members["standings.json"])
    table["players"][1]["points"] += 0.5
    (tmp_path / "event.zip").write_bytes(pack(members | {"standings.json": json.dumps(table).encode()}))
    code, out, _ = run(verifier, tmp_path / "event.zip")
    row = table["players"][1]
    assert code == 1, out
    assert re.search(rf'^FAULT: standings.json: row 2 is .*"id":{row["id"]},"points":{row["points"]:g},', out, re.M), (
        out
    )
    assert out.count("FAULT") == 1, out


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda table: table["players"].pop(), "row 9 is nobody"),
        (lambda table: table["players"][0].update(rank=2), "row 1 is "),
        (lambda table: table["players"][3]["tb"].update(BH=9), "row 4 is "),
        (lambda table: table.update(seq=44), "the table after 44 lines"),
        (lambda table: table["tiebreaks"].reverse(), 'the table after 45 lines, 4 rounds, by ["WIN" '),
    ],
)
def test_changed_table_beside_a_log_is_found(verifier, tmp_path, change, said):
    table, log = json.loads((FIRST / "spring-cup.standings.json").read_bytes()), FIRST / "spring-cup.ndjson"
    (tmp_path / "table.json").write_text(json.dumps(table))
    assert run(verifier, log, tmp_path / "table.json")[0] == 0
    change(table)
    (tmp_path / "table.json").write_text(json.dumps(table))
    code, out, _ = run(verifier, log, tmp_path / "table.json")
    assert code == 1 and f"table.json: {said}" in out, out


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda events: events[0]["data"].update(tiebreaks=["BH", "ARO"]), 'the tie-break "ARO"'),
        (lambda events: events[0]["data"].update(tiebreaks=["BH/F"]), 'the tie-break "BH/F"'),
        (lambda events: events[0]["data"].update(format="ladder"), 'the format "ladder"'),
        (
            lambda events: events[9].update(type="arbiter.prize.given.v1"),
            'line 10: unknown type of event "arbiter.prize.given.v1"',
        ),
        (lambda events: events[9].update(type=events[9]["type"][:-1] + "7"), "line 10: unknown type of event"),
        (lambda events: last(events, "result.reported").update(white=None), "a result without two sides"),
    ],
)
def test_unknown_part_of_a_log_is_named(verifier, tmp_path, change, reason):
    log = tmp_path / "log.ndjson"
    log.write_bytes(resigned(change, FIRST / "spring-cup.ndjson"))
    _, out, said = run(verifier, "-table", log)
    assert json.loads(out)["derived"] is False and reason in json.loads(out)["reason"], out
    assert (
        f"Table not derived: {json.loads(out)['reason']}\n" in said
        and "Not checked here: decisions, roles, texts, tables" in said
    )


def test_go_program_knows_the_newest_version_of_each_event_type():
    source = (ROOT / "deploy/docs/verify-go/facts.go").read_text()
    known = re.findall(r"([a-z-]+\.[a-z-]+)/(\d)", source)
    official = [row.name for row in OFFICIAL]
    assert sorted(f"arbiter.{kind}.v{version}" for kind, version in known) == sorted(official)


def test_second_reader_computes_the_points_of_golden_logs(golden):
    reader, compared = runpy.run_path(str(READER)), 0
    for log, t in golden.items():
        left = any(player.departures for player in t.players.values()) or t.removals
        if is_derived(log.read_bytes()) and not left:
            points = {row.player: row.points for row in standings(t).rows}
            assert reader["half_points"](reader["read_file"](log)) == points, log.name
            compared += 1
    assert compared > 50


def test_second_reader_prints_the_points_of_a_log_file():
    ran = subprocess.run([sys.executable, READER, FIRST / "hall.ndjson"], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines() == ["   1  2", "   2  1.5", "   5  1", "   6  1", "   4  0.5", "   3  0"]
    ran = subprocess.run([sys.executable, READER], capture_output=True, text=True, check=False)
    assert ran.returncode == 1 and "second-reader.py LOG.ndjson" in ran.stderr
