"""Tests that share a real server run on one of the test processes, whatever pytest and its plugin for them do."""

import os
import signal
import subprocess
import sys
from contextlib import suppress

GROUPED = """
import os, pathlib, pytest
@pytest.mark.parametrize("n", [pytest.param(n, marks=pytest.mark.xdist_group("ab"[n % 2])) for n in range(16)])
def test_where(n):
    (pathlib.Path(__file__).parent / f"{n}.ran").write_text(os.environ["PYTEST_XDIST_WORKER"])
"""


def test_a_group_of_tests_stays_on_one_process(tmp_path):
    # given eight tests of each of two groups, in turn
    (tmp_path / "test_grouped.py").write_text(GROUPED)
    # when two processes run them as `make test` does
    others = ("-p", "no:schemathesis", "-p", "no:hypothesispytest", "-p", "no:cacheprovider")
    command = [sys.executable, "-m", "pytest", "-q", "-n", "2", "--dist", "loadgroup", *others, str(tmp_path)]
    with (tmp_path / "told").open("wb") as told:
        ran = subprocess.Popen(command, cwd=tmp_path, stdout=told, stderr=told, start_new_session=True)
    # On a busy machine, a process of xdist that has run its tests may not end. The files of the tests are enough.
    with suppress(subprocess.TimeoutExpired):
        ran.wait(60)
    with suppress(ProcessLookupError):
        os.killpg(ran.pid, signal.SIGKILL)
    ran.wait()
    # then each group has run, on one of the two
    where = {int(file.stem): file.read_text() for file in tmp_path.glob("*.ran")}
    assert sorted(where) == list(range(16)), (tmp_path / "told").read_text()
    assert [len({where[n] for n in range(first, 16, 2)}) for first in (0, 1)] == [1, 1]
