"""The command line around the server: tokens, the sample, and a file imported over HTTP."""

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import urllib.request

import httpx
import pytest

from shared.core.terms import ROLES
from tests.deploy.test_cli_logs import FILE
from tests.http.forms import FIELD, HIDDEN


@pytest.mark.parametrize("role", ROLES)
def test_a_token_is_one_line(arbiter, tmp_path, role):
    code, out, _ = arbiter("token", "--new", "--role", role, "--name", "Li Wei", "--data", tmp_path)
    assert code == 0 and len(out.split()) == 1 and out.count(".") == 2


def test_a_folder_without_keys_issues_no_token(arbiter, tmp_path):
    call = ("token", "--role", "arbiter", "--name", "li", "--data", tmp_path / "cup")
    code, out, err = arbiter(*call)
    assert (code, out) == (2, "") and str(tmp_path / "cup" / "token.key") in err and "--new" in err
    assert not (tmp_path / "cup").exists()
    assert arbiter(*call, "--new")[0] == 0
    assert arbiter(*call)[0] == 0


@pytest.mark.parametrize("wrong", [("--role", "king", "--name", "x"), ("--role", "arbiter", "--name", "a\nb")])
def test_a_token_says_nothing_unusual(arbiter, tmp_path, wrong):
    assert arbiter("token", "--new", *wrong, "--data", tmp_path)[0] == 2


STORY = """\
春日杯 Spring Cup: xiangqi, swiss, 4 rounds, 9 players
Round 2, board 4: 周子涵 commits three fouls, rulings r3, r4, r5.
The third foul loses the game: ruling r6, which depends on all three.
The appeals committee annuls the second foul, r4. The loss r6 lapses with it, and the game continues.
The annulment changed these rows of the standings:
  赵一鸣: rank 2 → 1, points 2
  Amélie Girard: rank 1 → 2, points 2
  周子涵: rank 8 → 7, points 0.5
  陈思远: rank 9 → 8, points 0
  李文轩: rank 7 → 9, points 1 → 0
All 45 events were re-evaluated and match. A signed checkpoint covers them.
"""


def test_the_demo_prints_the_annulment_and_its_consequences(arbiter, tmp_path):
    assert arbiter("demo", "--data", tmp_path) == (0, STORY, "")


def test_the_demo_speaks_chinese(arbiter, tmp_path, monkeypatch):
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    code, out, _ = arbiter("demo", "--data", tmp_path)
    assert code == 0 and "李文轩：第 7 → 9 名，积分 1 → 0" in out and "全部 45 个事件已重新判定，结果相符" in out


def test_the_demo_is_not_played_twice_in_one_folder(arbiter, tmp_path):
    arbiter("demo", "--data", tmp_path)
    code, out, _ = arbiter("demo", "--data", tmp_path)
    head, *story = STORY.splitlines()
    played = f"It has already been played in {tmp_path}."
    assert (code, out.splitlines()) == (0, [head, played, *story])


class Visitor:
    """A browser that follows a link of the demo, and presses the button of an invitation."""

    def __init__(self, link: str) -> None:
        site = "/".join(link.split("/")[:3])
        self.http = httpx.Client(
            base_url=site, follow_redirects=True, timeout=120, headers={"Origin": site, "Accept-Language": "en"}
        )
        self.shown = self.http.post(link) if "/invitations/" in link else self.http.get(link)

    @property
    def path(self) -> str:
        """The path of the page that is shown, without its query."""
        return self.shown.url.path

    def opens(self, path: str) -> str:
        self.shown = self.http.get(path)
        assert self.shown.status_code == 200, self.shown.text
        return self.shown.text

    def confirms(self, path: str, **typed: str) -> None:
        """Fill in a form, look at its preview and confirm it."""
        fields = dict(HIDDEN.findall(self.opens(path))) | typed
        preview = self.http.post(path, data=fields).text
        assert 'id="changes"' in preview
        self.shown = self.http.post(path, data=dict(FIELD.findall(preview.partition('id="decided"')[2])))

    def points(self, player: int) -> float:
        """The points of a player in the table."""
        rows = self.http.get("/v1/tournaments/autumn-open/standings").json()["players"]
        return next(row["points"] for row in rows if row["id"] == player)


def _uphold_the_appeal(committee: Visitor, guest: Visitor) -> None:
    """Uphold the appeal that the committee's page lists; the opponent's point for the third foul is gone."""
    (decision,) = re.findall(r'href="([^"]+/decision)">decide it</a>', committee.shown.text)
    board = next(b for b in guest.http.get("/v1/tournaments/autumn-open/rounds/2").json()["boards"] if b["white"] == 8)
    before = guest.points(board["black"])
    committee.confirms(decision, upheld="yes", grounds="the video shows it")
    assert committee.path == "/t/autumn-open/rounds/2", committee.shown.text
    assert guest.points(board["black"]) == before - 1


def test_the_links_of_the_demo_open_the_page_of_each_role(tmp_path):
    command = [sys.executable, "-m", "deploy.cli.main", "demo", "--serve"]
    scratch = {**os.environ, "TMPDIR": str(tmp_path), "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=scratch) as server:
        try:
            told = []
            while not told or "Ctrl-C" not in told[-1]:
                told.append(server.stdout.readline())
                assert told[-1], "the demo ended"
            assert "".join(told).startswith(STORY)
            links = dict(re.findall(r"^  ([\w ]+): (http\S+)$", "".join(told), re.M))
            guest, chief, committee, player = (Visitor(link) for link in links.values())
            assert guest.path == "/t/autumn-open" and "second round" in told[len(STORY.splitlines()) + 1]
            assert chief.path == "/t/autumn-open/rounds/2" and "entry-form" in chief.shown.text
            assert player.path == "/t/autumn-open/me" and "<span>8 <small>player" in player.shown.text
            assert committee.path == "/t/autumn-open" and "solheim <small>appeals committee" in committee.shown.text
            _uphold_the_appeal(committee, guest)
            server.send_signal(signal.SIGINT)
            assert server.wait(20) == 0
            assert "Traceback" not in server.stderr.read()
            assert not list(tmp_path.glob("arbiter-*")), "its folder is left behind"
        finally:
            server.kill()


def test_ctrl_c_ends_a_demo_that_still_loads(tmp_path):
    command = [sys.executable, "-m", "deploy.cli.main", "demo", "--serve"]
    scratch = {**os.environ, "TMPDIR": str(tmp_path), "PYTHONUNBUFFERED": "1"}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, **pipes, env=scratch, start_new_session=True) as server:
        try:
            assert any("Ctrl-C" in line for line in server.stdout), "the demo ended"
            os.killpg(server.pid, signal.SIGINT)  # as a terminal does
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
    assert "file is not a database; restore its last backup" in line
