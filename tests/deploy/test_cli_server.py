"""The command line around the server: tokens, the sample, and a file imported over HTTP."""

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import urllib.request

import pytest

from shared.core.terms import ROLES
from tests.deploy.test_cli_logs import FILE


@pytest.mark.parametrize("role", ROLES)
def test_a_token_is_one_line(arbiter, tmp_path, role):
    code, out, _ = arbiter("token", "--role", role, "--name", "Li Wei", "--data", tmp_path)
    assert code == 0 and len(out.split()) == 1 and out.count(".") == 2


@pytest.mark.parametrize("wrong", [("--role", "king", "--name", "x"), ("--role", "arbiter", "--name", "a\nb")])
def test_a_token_says_nothing_unusual(arbiter, tmp_path, wrong):
    assert arbiter("token", *wrong, "--data", tmp_path)[0] == 2


def test_the_demo_shows_the_ruling_that_fell_and_the_audit(arbiter, tmp_path):
    code, out, err = arbiter("demo", "--data", tmp_path)
    assert code == 0, err
    assert "after the third foul" in out and "fell with it" in out and "after the annulment" in out
    assert re.search(r"The audit agrees: \d+ lines decided again", out)
    assert "李文轩" in out and "Marta Kowalczyk" in out


def test_the_demo_is_not_played_twice_in_one_folder(arbiter, tmp_path):
    arbiter("demo", "--data", tmp_path)
    code, out, _ = arbiter("demo", "--data", tmp_path)
    assert code == 0 and "already" in out and "The audit agrees" in out


def test_the_demo_serves_with_an_invitation_and_ends_by_ctrl_c(tmp_path):
    command = [sys.executable, "-m", "deploy.cli.main", "demo", "--serve"]
    scratch = {**os.environ, "TMPDIR": str(tmp_path), "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=scratch) as server:
        try:
            told = []
            while not told or "Ctrl-C" not in told[-1]:
                told.append(server.stdout.readline())
                assert told[-1], "the demo ended"
            assert any(line.startswith("The audit agrees") for line in told)
            (link,) = [line.strip() for line in told if line.startswith("http") and "/invitations/" in line]
            visitor = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
            with visitor.open(link) as page:
                assert "he.jing" in page.read().decode()
            own = {"Origin": link.partition("/invitations/")[0]}
            with visitor.open(urllib.request.Request(link, b"", own)) as page:
                shown = page.read().decode()
                assert page.url.endswith("/rounds/2")
            assert "he.jing" in shown and "entry-form" in shown
            server.send_signal(signal.SIGINT)
            assert server.wait(20) == 0
            assert "Traceback" not in server.stderr.read()
            assert not list(tmp_path.glob("arbiter-*")), "its folder is left behind"
        finally:
            server.kill()


@pytest.fixture
def address(tmp_path):
    """The address of `arbiter serve` on a free port; it must end by Ctrl-C."""
    command = [sys.executable, "-m", "deploy.cli.main", "serve", "--data", str(tmp_path / "served"), "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        try:
            found = None
            while found is None:
                line = server.stderr.readline()
                assert line, "the server ended"
                found = re.search(r"http://\S+", line)
            yield found[0]
            server.send_signal(signal.SIGINT)
            assert server.wait(20) == 0
        finally:
            server.kill()


def test_a_file_is_imported_into_a_running_server(arbiter, tmp_path, address):
    file = tmp_path / "harbour.trf"
    file.write_text(FILE)
    token = arbiter("token", "--role", "chief_arbiter", "--name", "He Jing", "--data", tmp_path / "served")[1].strip()
    code, _, err = arbiter("import", file, "--url", address, "--token", token, "--id", "H")
    assert code == 0, err
    local = arbiter("log", "H", "--data", tmp_path / "served")[1]
    assert arbiter("log", "H", "--url", address)[1] == local and local.count("\n") > 10
    file_again = arbiter("export", "H", "--url", address, "--trf26")
    assert (
        file_again == arbiter("export", "H", "--data", tmp_path / "served", "--trf26") and "Bruun,Ole" in file_again[1]
    )
    assert arbiter("checkpoint", "H", "--url", address)[1].startswith("arbiter/H\n")
    assert "Albrecht,Nora" in arbiter("texts", "H", "--url", address, "--token", token)[1]
    with urllib.request.urlopen(f"{address}/v1/tournaments/H/standings") as answer:
        assert len(json.load(answer)["players"]) == 5


def test_no_server_is_one_line(arbiter, tmp_path):
    code, _, err = arbiter("log", "T", "--url", "http://127.0.0.1:1")
    assert code == 2 and "no answer" in err


def test_a_database_of_a_newer_version_is_one_line_before_anything_is_served(arbiter, tmp_path):
    arbiter("demo", "--data", tmp_path)
    with sqlite3.connect(tmp_path / "arbiter.db") as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
    for verb in (("serve", "--data", tmp_path, "--port", "0"), ("log", "spring-cup", "--data", tmp_path)):
        code, out, err = arbiter(*verb)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert err.startswith("arbiter: the database ") and "is at migration '9999'" in err and "`make setup`" in err


def test_gunicorn_ends_with_one_line_where_the_database_is_no_log(tmp_path):
    (tmp_path / "arbiter.db").write_text("no pages of SQLite " * 100, encoding="utf-8")
    command = [sys.executable, "-m", "gunicorn", "-c", "deploy/gunicorn.conf.py", "deploy.server.wsgi:app"]
    chosen = {**os.environ, "ARBITER_DATA": str(tmp_path), "ARBITER_PORT": "0"}
    ended = subprocess.run(command, check=False, env=chosen, capture_output=True, text=True, timeout=60)
    assert ended.returncode != 0 and "Traceback" not in ended.stderr
    (line,) = [line for line in (ended.stdout + ended.stderr).splitlines() if "not-started" in line]
    assert "file is not a database; put its last copy back" in line
