"""A machine without the programs of some tests: they are skipped, counted and explained; in CI they fail."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import programs

ROOT = Path(__file__).parents[2]


@pytest.fixture
def bare(monkeypatch):
    """A machine without any of the programs."""
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setattr(programs.shutil, "which", lambda name, path=None: None)


@pytest.mark.parametrize("name", programs.PACKAGES)
def test_a_missing_program_skips_the_test_with_its_package(bare, name):
    with pytest.raises(pytest.skip.Exception, match=f"{name} is not installed .Debian: {programs.PACKAGES[name]}"):
        programs.program(name)


def test_a_missing_program_fails_the_test_in_ci(bare, monkeypatch):
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="in CI nothing is skipped: npm is not installed"):
        programs.program("npm")


def test_the_summary_counts_tests_by_missing_program():
    lack = f"Skipped: {programs.SKIPPED}npm is not installed (Debian: npm)"
    assert programs.summary([lack, lack, "Skipped: only root mounts disks"]) == [
        "skipped 2 of the tests: npm is not installed (Debian: npm)",
        "`make test-tools` installs the missing programs (Debian, as root or with sudo)",
    ]
    assert programs.summary([]) == []


def test_a_run_ends_with_the_missing_program_and_the_command(tmp_path):
    """The run of one test on a path without Node.js, as on a fresh machine."""
    file = tmp_path / "test_bare.py"
    file.write_text(
        "import shutil\nfrom tests import programs\n\ndef test_it(monkeypatch):\n"
        "    monkeypatch.setattr(shutil, 'which', lambda *a, **k: None)\n    programs.program('node')\n"
    )
    environment = {name: value for name, value in os.environ.items() if name != "CI"}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "tests.conftest", str(file)]
    ran = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    *_, counted, command_line, _ = ran.stdout.splitlines()
    assert "1 of the tests: node is not installed (Debian: nodejs)" in counted and "make test-tools" in command_line


def test_the_verb_installs_every_package_that_a_skip_names():
    tools = (ROOT / ".ci" / "tools").read_text(encoding="utf-8")
    assert [p for p in programs.PACKAGES.values() if p not in tools and p != "nodejs"] == []
