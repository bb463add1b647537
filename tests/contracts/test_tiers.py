"""The tiers of the tests: nothing is dropped, every name of their tables exists, and a test file starts quickly."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from flask import Flask

from tests import answer_contract, rewritten, tiers
from tests.campaigns import CAMPAIGNS, command

ROOT = Path(__file__).parents[2]
SLOW = [line.split()[1] for line in tiers.SLOW.read_text(encoding="utf-8").splitlines()]


def collected(*arguments: str) -> list[str]:
    """Return the tests that a run would play."""
    asked = [sys.executable, "-m", "pytest", "--collect-only", "-p", "no:cacheprovider", *arguments]
    ran = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=False)
    return [line for line in ran.stdout.splitlines() if "::" in line]


@pytest.mark.parametrize("name", SLOW)
def test_slow_test_exists(name):
    file, _, test = name.partition("::")
    assert re.search(rf"^ *def {test}\(", (ROOT / file).read_text(encoding="utf-8"), re.M)
    assert Path(file).parts[1] in tiers.QUICK


def test_every_folder_of_a_tier_has_tests():
    for folders in tiers.FOLDERS.values():
        assert [folder for folder in folders if not list((tiers.FOLDER / folder).rglob("test_*.py"))] == []


def test_quick_omits_slow_tests():
    file = "tests/rules/test_renju_forbidden.py"
    whole, quick = collected(file), collected("--tier", "quick", file)
    assert {line.partition("[")[0] for line in set(whole) - set(quick)} == {name for name in SLOW if file in name}
    assert len(quick) > 0


def test_tier_omits_folders_of_the_next(monkeypatch):
    folders = ("rules", "proofs", "faults")
    omitted = {}
    for tier in ("quick", "test", "all"):
        monkeypatch.setitem(tiers._CHOSEN, "tier", tier)
        omitted[tier] = [one for one in folders if tiers.omits_folder(tiers.FOLDER / one)]
    assert omitted == {"quick": ["proofs", "faults"], "test": ["faults"], "all": []}


def test_stories_on_the_lagging_log_are_in_the_last_tier_only():
    file = "tests/stories/test_keys.py"
    whole, test = collected(file), collected("--tier", "test", file)
    assert [line for line in whole if "[lagging" not in line] == test
    assert len(whole) > len(test) > 0


def test_only_the_last_tier_plays_every_example(monkeypatch):
    monkeypatch.setitem(tiers._CHOSEN, "tier", "test")
    assert (tiers.examples(300), tiers.examples(12)) == (60, 5)
    monkeypatch.setitem(tiers._CHOSEN, "tier", "all")
    assert tiers.examples(300) == 300


def test_slow_tests_are_measured_from_a_report(tmp_path, monkeypatch):
    case = '<testcase classname="tests.rules.test_go" name="test_it[{}]@go" time="{}"/>'
    report = tmp_path / "report.xml"
    report.write_text(f"<s>{case.format(1, 3)}{case.format(2, 2)}{case.replace('rules', 'log').format(3, 9)}</s>")
    monkeypatch.setattr(tiers, "SLOW", tmp_path / "slow.txt")
    tiers.measure(report)
    assert tiers.SLOW.read_text() == "   5 tests/rules/test_go.py::test_it\n"


def test_ci_runs_the_last_tier():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert "\nmake test-all\n" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert re.search(r"^test-all:.*\n\t\$\(PYTEST\)$", makefile, re.M)


def test_configuration_of_the_tests_imports_neither_product_nor_framework():
    """Importing them takes longer than a small test file."""
    script = "import sys, tests.conftest; print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    ran = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert not {"services", "deploy", "shared", "flask", "hypothesis", "httpx", "sqlalchemy"} & set(ran.stdout.split())


def test_every_answer_of_an_app_is_compared_with_its_description(monkeypatch):
    seen = []
    monkeypatch.setattr(answer_contract, "hold_flask", lambda client, response: seen.append(response.status_code))
    Flask("nobody").test_client().get("/")
    assert seen == [404]


@pytest.mark.parametrize("name", CAMPAIGNS)
def test_campaign_has_a_program(name, monkeypatch):
    monkeypatch.setenv("BBP", "bbpPairings.exe")
    arguments, environment = command(name, 3, 9)
    assert "3" in (*arguments, *environment.values()) and "9" in (*arguments, *environment.values())
    program = CAMPAIGNS[name].program.removesuffix(".py").replace(".", "/")
    assert (ROOT / f"{program}.py").exists() or (ROOT / program / "__main__.py").exists()


def test_pytest_reads_a_test_file_that_was_compiled_before(tmp_path):
    file = tmp_path / "test_it.py"
    file.write_text("def test_it():\n    assert 1 == 2\n")
    rewritten.compile_file(file)
    made = file.stat()
    # when the file becomes another of the same size and time, which nobody compiles
    file.write_text("def test_it():\n    assert 1 == 1\n")
    os.utime(file, ns=(made.st_atime_ns, made.st_mtime_ns))
    asked = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", str(file)]
    ran = subprocess.run(asked, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "assert 1 == 2" in ran.stdout
