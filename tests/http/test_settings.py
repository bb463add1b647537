"""What an operator may set."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from deploy.server.settings import BadSetting, settings
from shared.http.limits.rate_limits import Limits

ROOT = Path(__file__).parents[2]


def test_nothing_set_is_the_usual():
    usual = settings({})
    assert (usual.data, usual.host, usual.port, usual.limits) == (Path("data"), "127.0.0.1", 8000, Limits())


def test_what_is_set_counts():
    said = {
        "ARBITER_DATA": "/x",
        "ARBITER_PORT": "80",
        "ARBITER_MAX_BODY": "9",
        "ARBITER_RATE": "0",
        "ARBITER_STREAMS": "0",
    }
    chosen = settings(said)
    assert (chosen.data, chosen.port) == (Path("/x"), 80)
    assert chosen.limits == Limits(body=9, rate=0.0, streams=0)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ARBITER_PORT", "x"),
        ("ARBITER_CROSS_ORIGIN", "writes"),
        ("ARBITER_WEBHOOK_NETWORKS", "10.0.0.0/8,club"),
        ("ARBITER_TIMEZONE", "Shanghai"),
        ("ARBITER_TIMEZONE", "../../etc/passwd"),
        ("ARBITER_TIMEZONE", "a/\0"),
        ("ARBITER_PORT", "-1"),
        ("ARBITER_MAX_BODY", "0"),
        ("ARBITER_RATE", "nan"),
        ("ARBITER_RATE", "inf"),
    ],
)
def test_what_cannot_be_is_refused_by_name(name, value):
    with pytest.raises(BadSetting, match=name):
        settings({name: value})


def test_gunicorn_ends_with_one_line_that_names_a_bad_setting():
    command = [sys.executable, "-m", "gunicorn", "-c", "deploy/gunicorn.conf.py", "deploy.server.wsgi:app"]
    environment = os.environ | {"ARBITER_PORT": "abc"}
    ended = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=False, timeout=60)
    assert (ended.returncode, ended.stderr) == (1, "arbiter: ARBITER_PORT='abc' is not a number\n")
