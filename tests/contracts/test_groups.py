"""Tests that share a real server run on one of the test processes, whatever pytest and its plugin for them do."""

import subprocess
import sys

GROUPED = """
import os, pathlib, pytest
pytestmark = pytest.mark.xdist_group("one")
@pytest.mark.parametrize("n", range(8))
def test_where(n):
    (pathlib.Path(__file__).parent / f"{n}.ran").write_text(os.environ["PYTEST_XDIST_WORKER"])
"""


def test_a_group_of_tests_stays_on_one_process(tmp_path):
    # given eight tests of one group
    (tmp_path / "test_grouped.py").write_text(GROUPED)
    # when two processes run them as `make test` does
    others = ("-p", "no:schemathesis", "-p", "no:hypothesispytest")
    command = [sys.executable, "-m", "pytest", "-q", "-n", "2", "--dist", "loadgroup", *others, str(tmp_path)]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120)
    assert ran.returncode == 0, ran.stdout
    # then one of the two ran them all
    assert len({file.read_text() for file in tmp_path.glob("*.ran")}) == 1
