"""A report file imported over HTTP: checked as a whole, played by a job with its caller's token, followed to its end."""

import re
import time
from io import BytesIO
from pathlib import Path

import pytest

from deploy.server import embedded
from deploy.server.jobs import import_job
from services.pairing.imports.import_jobs import step_words
from shared.http.app import close
from shared.http.identity import tokens
from shared.http.limits.rate_limits import Limits
from tests.random_trf import random_trf

BYTES = "application/octet-stream"
WAITED = 120.0


class Office:
    """A chief arbiter at a server."""

    def __init__(
        self, app, folder: Path, *, name: str = "office", role: str = "chief_arbiter", days: float = 1
    ) -> None:
        self._client = app.test_client()
        self.token = tokens.issue(folder, role, name, None, days)

    def sends(self, content: bytes, name: str = "cup.trf", *, mimetype: str = BYTES, query: str = "", **headers: str):
        sent = {"Authorization": f"Bearer {self.token}"} | {k.replace("_", "-"): v for k, v in headers.items()}
        path = f"/v1/imports?name={name}{query}"
        return self._client.post(path, data=content, content_type=mimetype, headers=sent)

    def gets(self, path: str):
        return self._client.get(path, headers={"Authorization": f"Bearer {self.token}"})

    def waits(self, answer) -> dict:
        assert answer.status_code == 202, answer.text
        until = time.monotonic() + WAITED
        while time.monotonic() < until:
            report = self.gets(answer.headers["Location"]).get_json()
            if report["state"] != "running":
                return report
            time.sleep(0.02)
        raise AssertionError(f"still running: {report}")


@pytest.fixture
def app(tmp_path):
    made = embedded.make_app(tmp_path, Limits(rate=0, reads=0))
    yield made
    close(made)


@pytest.fixture
def office(app, tmp_path):
    return Office(app, tmp_path)


def points_of(text: str) -> dict[int, float]:
    return {int(line[4:8]): float(line[80:84]) for line in text.splitlines() if line.startswith("001")}


def ranks_of(points: dict[int, float]) -> dict[int, int]:
    return {p: 1 + sum(other > own for other in points.values()) for p, own in points.items()}


def test_table_of_an_imported_file_is_the_files(office):
    text = random_trf(7, 300, 5)
    report = office.waits(office.sends(text.encode()))
    assert (report["state"], report["players"], report["rounds_done"], report["problem"]) == ("done", 300, 5, None)
    assert report["remarks"][-1] == "cup: 300 players, 5 rounds"
    rows = office.gets("/v1/tournaments/cup/standings").get_json()["players"]
    made = {row["id"]: row["points"] for row in rows}
    assert made == points_of(text)
    # The file ranks by points alone; the table parts equal points further, and never against them.
    order = [row["points"] for row in rows]
    assert order == sorted(order, reverse=True)
    assert all(row["rank"] >= ranks_of(made)[row["id"]] for row in rows)
    assert office.gets("/v1/tournaments/cup/audit").get_json()["verdict"] == "agrees"


def test_faulty_file_is_refused_by_line_and_column(office):
    lines = random_trf(7, 300, 5).splitlines()
    at = next(n for n, line in enumerate(lines) if line.startswith("001  150"))
    lines[at] = lines[at][:91] + "9999" + lines[at][95:]
    answer = office.sends("\n".join(lines).encode())
    problem = answer.get_json()
    assert answer.status_code == 422 and problem["type"].endswith(":bad-report-file")
    line, column = map(int, problem["where"].split(":"))
    assert (line, 92 <= column <= 95) == (at + 1, True), problem
    assert problem["detail"].startswith(f"cup.trf:{line}:{column}: ")
    assert office.gets("/v1/tournaments").get_json()["tournaments"] == []
    assert office.gets("/v1/tournaments/cup").status_code == 404


def test_half_a_megabyte_is_checked_within_a_second(office):
    text = random_trf(3, 3000, 9).encode()
    assert len(text) > 500_000
    broken = text + b"\n001 9999 \x00\n"
    began = time.thread_time(), time.monotonic()
    answer = office.sends(broken)
    assert answer.status_code == 422, answer.text
    assert time.thread_time() - began[0] < 1.0


def test_sending_a_file_again_repeats_nothing(office):
    text = random_trf(1, 10, 3).encode()
    office.waits(office.sends(text))
    seq = office.gets("/v1/tournaments/cup").headers["ETag"]
    assert office.waits(office.sends(text))["state"] == "done"
    assert office.gets("/v1/tournaments/cup").headers["ETag"] == seq


def test_file_is_imported_with_its_discipline(office):
    text = random_trf(1, 10, 3).encode()
    report = office.waits(office.sends(text, query="&discipline=xiangqi&regulations=campus"))
    assert (report["state"], report["rounds_in_file"]) == ("done", report["rounds"])
    assert office.gets("/v1/tournaments/cup").get_json()["discipline"] == "xiangqi"
    refused = office.sends(text, query="&discipline=xiangqi&game=go")
    assert refused.status_code == 422 and [*refused.get_json()["errors"]] == ["discipline"]


def test_another_file_under_the_same_id_is_refused_by_name(office):
    office.waits(office.sends(random_trf(1, 10, 3).encode()))
    report = office.waits(office.sends(random_trf(2, 12, 3).encode()))
    assert report["state"] == "refused" and "cup.trf, create the tournament: another file was" in report["problem"]


def test_one_key_starts_one_import(office):
    text = random_trf(1, 10, 3).encode()
    first = office.sends(text, Idempotency_Key="k1")
    again = office.sends(text, Idempotency_Key="k1")
    assert first.get_json()["id"] == again.get_json()["id"]
    office.waits(first)
    changed = office.sends(random_trf(2, 10, 3).encode(), Idempotency_Key="k1")
    assert changed.get_json()["type"].endswith(":idempotency-key-reused")


def test_one_import_of_a_caller_runs_at_a_time(office, app, tmp_path):
    running = office.sends(random_trf(7, 200, 9).encode())
    refused = office.sends(random_trf(1, 10, 3).encode(), "second.trf")
    assert refused.status_code == 409, refused.text
    assert refused.get_json()["see"] == running.headers["Location"]
    other = Office(app, tmp_path, name="other")
    assert other.gets(running.headers["Location"]).status_code == 404, "an import is its caller's alone"
    assert other.waits(other.sends(random_trf(1, 10, 3).encode(), "second.trf"))["state"] == "done"
    office.waits(running)


def test_without_identity_or_role_nothing_is_read(app, office, tmp_path):
    content, client = random_trf(1, 10, 3).encode(), app.test_client()
    forged = {"X-Forwarded-For": "127.0.0.1", "Forwarded": "for=127.0.0.1"}
    assert client.post("/v1/imports", data=content, content_type=BYTES, headers=forged).status_code == 401
    assert client.get("/v1/imports/1", headers=forged).status_code == 401
    for role in ("organiser", "arbiter", "player", "auditor", "appeals"):
        answer = Office(app, tmp_path, name="li", role=role).sends(content)
        assert (answer.status_code, answer.get_json()["type"][-12:]) == (403, "role-may-not"), role
    narrowed = tokens.issue(tmp_path, "chief_arbiter", "zhang", "other", 1)
    office.token = narrowed
    assert office.sends(content).get_json()["type"].endswith(":token-scope")


def test_ten_megabytes_of_one_line_are_refused_unread(office):
    assert office.sends(b"012 " + b"x" * 10_000_000).status_code == 413


@pytest.mark.parametrize(
    "content",
    [
        b"012 " + b"x" * 1_000_000,
        b"001    1      " + b"9" * 1_000_000,
        b"012 Cup\n" + b"001    1      A" + b"  0000 - U" * 90_000,
        b"\n" * 1_000_000,
        b"\xff\xfe" + b"\x00" * 1_000_000,
        b"XXP " + b"1 " * 500_000,
        b"",
    ],
    ids=("title", "number", "rounds", "blank", "utf16", "pairs", "empty"),
)
def test_a_hostile_file_is_refused_in_time(office, content):
    began = time.thread_time()
    answer = office.sends(content)
    assert answer.status_code in (202, 422), answer.text
    if answer.status_code == 202:
        office.waits(answer)
    assert time.thread_time() - began < 5.0


def test_expired_token_stops_an_import_and_a_new_one_continues(office, app, tmp_path, monkeypatch):
    text = random_trf(7, 60, 9)
    identify, calls = app.extensions["arbiter"].keyring.identify, []

    def expires(token):
        calls.append(token)
        if len(calls) > 40 and token == short:
            from shared.core.language.messages import say
            from shared.http.identity.tokens import bad_token

            raise bad_token("token-expired", say("this token has expired"))
        return identify(token)

    short = office.token
    monkeypatch.setattr(app.extensions["arbiter"].keyring, "identify", expires)
    started = office.sends(text.encode())
    office.token = tokens.issue(tmp_path, "chief_arbiter", "office", None, 2)
    report = office.waits(started)
    assert report["state"] == "stopped" and 0 < report["rounds_done"] < 9, report
    assert str(step_words(report["step"])) in report["problem"] and "expired" in report["problem"]
    assert short not in str(report)
    assert office.waits(office.sends(text.encode()))["state"] == "done"
    rows = office.gets("/v1/tournaments/cup/standings").get_json()["players"]
    assert {row["id"]: row["points"] for row in rows} == points_of(text)


def test_an_import_past_its_time_stops_and_says_where(office, monkeypatch):
    monkeypatch.setattr(import_job, "SECONDS", 0.05)
    report = office.waits(office.sends(random_trf(7, 60, 9).encode()))
    assert report["state"] == "stopped" and re.search(
        r"cup\.trf, .+: the import exceeded its time limit of", report["problem"]
    )


def test_a_server_that_ends_stops_an_import_before_its_next_step(app, office):
    started = office.sends(random_trf(7, 200, 9).encode())
    app.extensions["arbiter"].closers[0]()
    report = office.waits(started)
    assert report["state"] == "stopped" and report["problem"].endswith(": the server is shutting down")


def test_the_token_is_neither_logged_nor_stored(office, tmp_path, capfd):
    office.waits(office.sends(random_trf(1, 10, 3).encode()))
    logged = "".join(capfd.readouterr())
    assert office.token not in logged
    signature = office.token.rpartition(".")[2].encode()
    assert not any(signature in file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())


def test_form_imports_a_file_and_leads_to_its_progress(office, app):
    client = app.test_client()
    client.set_cookie("arbiter_token", office.token, domain="localhost")
    origin = {"Origin": "http://localhost"}
    page = client.get("/tournaments/import")
    once = re.search(r'name="once" value="([^"]+)"', page.text)[1]

    def sent(text: str):
        file = (BytesIO(text.encode()), "cup.trf")
        return client.post("/tournaments/import", data={"once": once, "file": file}, headers=origin)

    faulty = sent("012 Cup\n001    x\n")
    assert faulty.status_code == 422 and "cup.trf:2:" in faulty.text
    assert "choose a report file" in client.post("/tournaments/import", data={"once": once}, headers=origin).text
    foreign = client.post("/tournaments/import", data={"once": once}, headers={"Origin": "http://evil.example"})
    assert foreign.status_code == 403
    good = sent(random_trf(1, 10, 3))
    assert good.status_code == 303, good.text
    until = time.monotonic() + WAITED
    while 'data-state="running"' in (page := client.get(good.headers["Location"])).text and time.monotonic() < until:
        time.sleep(0.02)
    assert 'data-state="done"' in page.text and 'href="/t/cup"' in page.text
    assert sent(random_trf(1, 10, 3)).headers["Location"] == good.headers["Location"]


def test_form_imports_a_file_with_its_game_and_ruleset(office, app):
    client = app.test_client()
    client.set_cookie("arbiter_token", office.token, domain="localhost")
    page = client.get("/tournaments/import").text
    once = re.search(r'name="once" value="([^"]+)"', page)[1]
    for field, value in (("regulations", "campus"), ("game", "xiangqi")):
        select = re.search(rf'<select id="{field}".+?</select>', page, re.DOTALL)[0]
        assert '<option value="">as the file says</option>' in select and f'<option value="{value}">' in select

    def sent(**chosen: str):
        fields = {"once": once, "file": (BytesIO(random_trf(1, 10, 3).encode()), "cup.trf")} | chosen
        return client.post("/tournaments/import", data=fields, headers={"Origin": "http://localhost"})

    wrong = sent(regulations="fide-2026", game="go")
    assert wrong.status_code == 422 and "the ruleset fide-2026 does not have the game" in wrong.text
    assert '<option value="go" selected>' in wrong.text, "what was chosen stays"
    started = sent(regulations="campus", game="xiangqi")
    assert started.status_code == 303, started.text
    until = time.monotonic() + WAITED
    while 'data-state="running"' in (page := client.get(started.headers["Location"]).text) and time.monotonic() < until:
        time.sleep(0.02)
    assert 'data-state="done"' in page
    cup = office.gets("/v1/tournaments/cup").get_json()
    assert (cup["discipline"], cup["regulations"]["name"]) == ("xiangqi", "campus")


@pytest.mark.parametrize("language", ["en", "zh-CN"])
def test_file_with_a_broken_rule_is_imported_in_every_language(office, language: str):
    """The breaches are read from the refusal, whose words and colons are those of the language."""
    report = office.waits(office.sends(random_trf(7, 24, 3).encode(), Accept_Language=language))
    assert (report["state"], report["rounds_done"], report["problem"]) == ("done", 3, None)
    assert any("imported as played, waiving" in remark for remark in report["remarks"]), report["remarks"]
