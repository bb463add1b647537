"""The logs that releases left: audited for ever, under several hash seeds, to the same tables."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from shared.core.event_types.registry import BY_NAME, UPCASTERS

FOLDER = Path(__file__).parent
RELEASES = sorted(FOLDER.glob("log-*"))
LOGS = [f for release in RELEASES for f in sorted(release.glob("*.ndjson")) if f.name.count(".") == 1]
SEEDS = ("0", "1", "20261121")


def name(log: Path) -> str:
    return f"{log.parent.name}/{log.stem}"


def beside(log: Path, suffix: str) -> Path:
    return log.with_name(f"{log.stem}.{suffix}")


def arbiter(seed: str, *args: object) -> tuple[int, str]:
    """The command line in a process of its own, with that hash seed: exit code and standard output."""
    command = [sys.executable, "-m", "deploy.cli.main", *map(str, args)]
    ran = subprocess.run(
        command, check=False, capture_output=True, text=True, env={**os.environ, "PYTHONHASHSEED": seed}
    )
    assert "Traceback" not in ran.stderr
    return ran.returncode, ran.stdout


def evidence(log: Path) -> list[object]:
    given: list[object] = ["--checkpoint", beside(log, "checkpoint"), "--key", log.parent / "arbiter.vkey"]
    given += ["--texts", beside(log, "texts.ndjson")]
    return given + (["--sheets", beside(log, "sheets.ndjson")] if beside(log, "sheets.ndjson").exists() else [])


def test_the_first_release_left_two_logs():
    assert [name(log) for log in LOGS][:2] == ["log-1.0.0/hall", "log-1.0.0/spring-cup"]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("log", LOGS, ids=name)
def test_every_decision_of_a_past_release_is_made_again(log, seed):
    code, out = arbiter(seed, "verify", log, *evidence(log), "--json")
    report = json.loads(out)
    assert (code, report["verdict"], report["first"]) == (0, "agrees", None)
    assert report["checked"] == report["size"] == log.read_bytes().count(b"\n")
    assert (report["differ"], report["unchecked"], report["uncovered"]) == (0, 0, 0)
    assert (report["offices"], report["decisions"], report["incomplete"]) == (1, 1, {})
    assert any(remark.startswith("edition 1 of the role rules") for remark in report["remarks"])


@pytest.mark.parametrize("log", LOGS, ids=name)
def test_an_auditor_who_is_strict_does_not_take_what_a_past_release_never_promised(log):
    code, out = arbiter("0", "verify", log, *evidence(log), "--strict")
    assert code == 1 and "edition 1 of the rules about roles" in out and "decision edition 1" in out


def test_without_its_score_sheets_a_past_log_is_left_undecided():
    log = FOLDER / "log-1.0.0" / "hall.ndjson"
    code, out = arbiter("0", "verify", log, "--json")
    report = json.loads(out)
    assert (code, report["verdict"]) == (3, "incomplete") and report["incomplete"]["the score sheets are not given"] > 0


@pytest.mark.parametrize("log", LOGS, ids=name)
def test_a_past_log_gives_the_table_that_it_gave(log):
    must = json.loads(beside(log, "standings.json").read_bytes())
    for seed in SEEDS:
        code, out = arbiter(seed, "replay", log, "--texts", beside(log, "texts.ndjson"), "--json")
        assert code == 0 and json.loads(out) == must


def test_a_changed_ruling_in_a_past_log_is_found(tmp_path):
    log = FOLDER / "log-1.0.0" / "spring-cup.ndjson"
    forged = tmp_path / log.name
    forged.write_bytes(log.read_bytes().replace(b'"player":5,"round":2', b'"player":4,"round":2', 1))
    assert forged.read_bytes() != log.read_bytes()
    code, out = arbiter("0", "verify", forged, *evidence(log), "--json")
    assert code == 1 and json.loads(out)["verdict"] == "differs"


def test_the_first_release_left_an_event_of_every_type_that_it_knew():
    files = [f for f in (FOLDER / "log-1.0.0").glob("*.ndjson") if not f.name.endswith("texts.ndjson")]
    written = {json.loads(line)["type"] for f in files for line in f.read_bytes().splitlines()}
    assert len(written) == 29
    assert written <= {*BY_NAME, *UPCASTERS}
