"""How far an audit is: told on a terminal, and nowhere else."""

import os
import pty
import subprocess
import sys
from pathlib import Path

from tests.deploy.terminals import shown_on

ARBITER = Path(sys.executable).parent / "arbiter"
LOG = Path(__file__).parents[1] / "golden" / "log-1.0.0" / "hall.ndjson"
STAGES = ("reading the events", "checking signatures", "re-evaluating decisions")


def verifying(error: int) -> subprocess.Popen[str]:
    """``arbiter verify`` of a log, with this as its standard error."""
    return subprocess.Popen(
        [ARBITER, "verify", LOG],
        stdout=subprocess.PIPE,
        stderr=error,
        text=True,
        env=os.environ | {"TERM": "xterm", "LC_ALL": "C.UTF-8", "COLUMNS": "120"},
    )


def test_on_a_terminal_each_stage_is_told_and_the_report_is_as_ever() -> None:
    ours, theirs = pty.openpty()
    ran = verifying(theirs)
    os.close(theirs)
    shown = shown_on(ours)
    assert [stage for stage in STAGES if stage.encode() in shown] == list(STAGES)
    assert ran.communicate()[0] == verifying(subprocess.DEVNULL).communicate()[0] != ""


def test_into_a_pipe_nothing_is_told_but_the_report() -> None:
    ran = verifying(subprocess.PIPE)
    report, told = ran.communicate()
    assert (told, ran.returncode) == ("", 3), report
    assert not any(stage in report for stage in STAGES)
