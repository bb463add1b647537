"""``arbiter verify`` of a folder: every log audited, and a summary that names each that does not agree."""

import json
import shutil
from pathlib import Path

import pytest

from tests.bench.federation_year import make_year

LOGS = 4


@pytest.fixture(scope="module")
def year(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("year")
    make_year(folder, LOGS)
    return folder


@pytest.fixture
def folder(year, tmp_path):
    return Path(shutil.copytree(year, tmp_path / "year"))


def forge(log: Path) -> None:
    """Change the result of a game, as somebody would who wants another winner."""
    content = log.read_bytes()
    assert b'"points":2' in content
    log.write_bytes(content.replace(b'"points":2', b'"points":1', 1))


def test_folder_of_honest_logs_agrees(arbiter, folder):
    code, out, err = arbiter("verify", folder)
    assert (code, err) == (0, "")
    events = sum(log.read_bytes().count(b"\n") for log in folder.iterdir())
    assert out == (
        f"agrees: {LOGS} of {LOGS} logs in {folder} agree; "
        f"{events} of all {events} events were re-evaluated and match\n"
    )


def test_forged_log_in_a_folder_is_named(arbiter, folder):
    forge(folder / "t00002.ndjson")
    code, out, _ = arbiter("verify", folder)
    assert code == 1
    assert out.startswith(f"differs: {LOGS - 1} of {LOGS} logs in {folder} agree;")
    assert [line.split(": ")[:2] for line in out.splitlines() if ".ndjson" in line] == [["  t00002.ndjson", "differs"]]


def test_json_of_a_folder_has_the_report_of_each_other_log(arbiter, folder):
    forge(folder / "t00001.ndjson")
    code, out, _ = arbiter("verify", folder, "--json")
    answer = json.loads(out)
    assert code == 1
    assert {name: answer[name] for name in ("verdict", "logs", "agrees", "differs", "incomplete", "unreadable")} == {
        "verdict": "differs", "logs": LOGS, "agrees": LOGS - 1, "differs": 1, "incomplete": 0, "unreadable": 0,
    }  # fmt: skip
    (other,) = answer["others"]
    alone = json.loads(arbiter("verify", folder / "t00001.ndjson", "--json")[1])
    assert other["file"] == "t00001.ndjson" and other["report"]["first"] == alone["first"]
    assert other["report"]["findings"] == alone["findings"]


def test_file_that_is_not_a_log_does_not_hide_the_others(arbiter, folder):
    (folder / "a-list.ndjson").write_text('{"revoked": "x"}\n')
    code, out, _ = arbiter("verify", folder)
    assert code == 2 and out.startswith(f"incomplete: {LOGS} of {LOGS + 1} logs")
    assert "  a-list.ndjson: unreadable: " in out
    forge(folder / "t00000.ndjson")
    assert arbiter("verify", folder)[0] == 1


def test_evidence_next_to_a_log_is_compared_with_it(arbiter, folder):
    (folder / "t00003.texts.ndjson").write_text("")
    code, out, _ = arbiter("verify", folder)
    alone = arbiter("verify", folder / "t00003.ndjson", "--texts", folder / "t00003.texts.ndjson")
    assert code == alone[0] != 0
    assert "  t00003.ndjson: " in out and out.count(".ndjson") == 1


def test_strict_names_the_logs_with_a_remark(arbiter, folder):
    code, out, _ = arbiter("verify", folder, "--strict")
    alone = [arbiter("verify", log, "--strict")[0] for log in sorted(folder.iterdir())]
    assert code == max(alone) == 1
    assert out.count(".ndjson: agrees: ") == sum(alone)


def test_evidence_of_one_log_is_rejected_for_a_folder(arbiter, folder):
    code, out, err = arbiter("verify", folder, "--digest", "3:" + "0" * 40)
    assert (code, out) == (2, "") and "NAME.checkpoint next to NAME.ndjson" in err


def test_folder_without_logs_is_rejected(arbiter, tmp_path):
    code, out, err = arbiter("verify", tmp_path)
    assert (code, out) == (2, "") and "contains no log (*.ndjson)" in err


def test_summary_of_one_process_is_the_same(arbiter, folder, monkeypatch):
    forge(folder / "t00002.ndjson")
    shared = arbiter("verify", folder)
    monkeypatch.setattr("deploy.cli.files.log_folder._cores", lambda: 1)
    assert arbiter("verify", folder) == shared
