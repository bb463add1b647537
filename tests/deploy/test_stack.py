"""The distributed system as docker-compose.yml starts it: real Kafka, PostgreSQL and nginx, each service a process."""

import io
import json
import os
import re
import secrets
import shlex
import signal
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import httpx
import psycopg
import pytest
from kafka import KafkaProducer
from kafka.errors import KafkaError, TopicAuthorizationFailedError

from deploy.server.settings import SERVICES
from shared.client import Client
from shared.http.identity.tokens import issue
from shared.log.kafka.broker import MOVES, TOKENS, TOURNAMENTS
from tests import warm
from tests.conditional_writes import outcome, post_with_if_match
from tests.deploy.operating import WORKERS
from tests.deploy.servers import STACK, enterable, whole_stack
from tests.deploy.test_alert_rules import metrics_of_alerts
from tests.log.distributed import until

pytestmark = STACK
ROOT = Path(__file__).parents[2]
ACCEPT = ROOT.parent / "shared" / "checks" / "accept.py"


def told(address: str, path: str) -> str:
    with urlopen(address + path, timeout=10) as answer:
        return answer.read().decode()


def logged_imports(stack) -> list[str]:
    """Return how each import of the cup ended, by pairing's own log."""
    lines = map(json.loads, (stack.folder / "pairing.log").read_text().splitlines())
    return [line["state"] for line in lines if line["event"] == "import" and line["tournament"] == "cup"]


@pytest.fixture(scope="module")
def chief(stack):
    return Client(stack.url, issue(stack.data, "chief_arbiter", "hou", None, 1))


@pytest.fixture(scope="module")
def cup(stack, chief, tmp_path_factory):
    """A simulated tournament, imported through the gateway: the file, and its tournament's id."""
    file = tmp_path_factory.mktemp("cup") / "cup.trf"
    made = subprocess.run(
        [warm.programs() / "arbiter", "simulate", "--players", "10", "--rounds", "4", "--seed", "3"],
        capture_output=True, check=True, cwd=ROOT,
    )  # fmt: skip
    file.write_bytes(made.stdout)
    token = issue(stack.data, "chief_arbiter", "hou", None, 1)
    imported = subprocess.run(
        [warm.programs() / "arbiter", "import", file, "--url", stack.url, "--token", token, "--id", "cup"],
        capture_output=True, text=True, cwd=ROOT, check=False,
    )  # fmt: skip
    assert imported.returncode == 0, imported.stderr
    sent = 'arbiter_http_requests_total{method="POST",route="/v1/imports",status="202"} 1.0'
    assert sent in told(stack.address("pairing"), "/metrics")
    until(lambda: logged_imports(stack) == ["done"])
    return file, "cup"


if ACCEPT.exists():

    def test_the_story_that_outsiders_accept_is_played_through_the_gateway(stack):
        command = [sys.executable, ACCEPT, "story", "-v", "--url", stack.url, "--data", stack.data]
        ran = subprocess.run(
            command, cwd=ROOT, env={"ARBITER": str(warm.programs() / "arbiter"), "PATH": "/usr/bin:/bin"},
            capture_output=True, text=True, timeout=300, check=False,
        )  # fmt: skip
        assert ran.returncode == 0, ran.stdout + ran.stderr
        passed, total = re.search(r"story (\d+)/(\d+)", ran.stdout).groups()
        assert passed == total


def test_an_imported_tournament_is_exported_and_verified_from_outside(stack, cup, arbiter, tmp_path):
    _, t = cup
    log, note = tmp_path / "log.ndjson", tmp_path / "note"
    code, lines, _ = arbiter("log", t, "--url", stack.url)
    assert code == 0
    log.write_text(lines)
    code, checkpoint, _ = arbiter("checkpoint", t, "--url", stack.url)
    note.write_text(checkpoint)
    key = stack.data / "arbiter.vkey"
    code, out, _ = arbiter("verify", log, "--checkpoint", note, "--key", key, "--json")
    report = json.loads(out)
    assert (code, report["verdict"]) == (0, "agrees")
    assert report["unchecked"] == 0
    assert report["checked"] == len(lines.splitlines())


def test_the_services_table_is_that_of_the_replay_at_every_prefix(stack, chief, cup, arbiter, tmp_path):
    log = tmp_path / "log.ndjson"
    log.write_text(arbiter("log", "cup", "--url", stack.url)[1])
    size = len(log.read_bytes().splitlines())
    first = 2  # The regulations, by which points are counted.
    assert outcome(lambda: chief.get(f"/v1/tournaments/cup/standings?at={first - 1}")).status == 409
    for seq in range(first, size + 1):
        answer = chief.get(f"/v1/tournaments/cup/standings?at={seq}")
        code, out, _ = arbiter("replay", log, "--at", seq, "--json")
        assert code == 0
        theirs, ours = answer.json, json.loads(out)
        for row in (*theirs["players"], *ours["players"]):
            row.pop("name", None)
            row.pop("encounters", None)  # which the names of opponents are told with
        assert {k: theirs[k] for k in ours} == ours
    assert size > 30


def test_the_table_is_that_of_the_file_embedded(stack, cup, arbiter, tmp_path):
    file, _ = cup
    assert arbiter("import", file, "--data", tmp_path, "--id", "cup")[0] == 0
    tables = []
    for where in (("--data", tmp_path), ("--url", stack.url)):
        log = tmp_path / "log.ndjson"
        log.write_text(arbiter("log", "cup", *where)[1])
        tables.append(json.loads(arbiter("replay", log, "--json")[1])["players"])
    assert tables[0] == tables[1]
    assert len(tables[0]) == 10


@pytest.fixture(scope="module")
def chess(chief):
    """A tournament with one game that was played move by move; its id."""
    announced = {"id": "chess", "name": "Chess", "game": "chess", "format": "swiss", "rounds": 3}
    seats = {"players": [{"name": "Anna"}, {"name": "Berta"}]}
    chief.post("/v1/tournaments", {**announced, "regulations": "campus"})
    chief.post("/v1/tournaments/chess/entries", seats)
    paired = post_with_if_match(chief, "/v1/tournaments/chess", "/v1/tournaments/chess/rounds", {})
    game = f"/v1/games/{paired.json['boards'][0]['game']}"
    moves = {"ply": 1, "moves": ["f2f3", "e7e5", "g2g4", "d8h4"]}
    until(lambda: outcome(lambda: chief.post(f"{game}/moves", moves)).status in (200, 201))
    return "chess"


def test_audit_archive_and_table_are_whole_while_games_is_stopped(stack, chief, chess):
    at = f"/v1/tournaments/{chess}"

    def seen() -> tuple[dict, dict, dict]:
        with zipfile.ZipFile(io.BytesIO(chief.get(f"{at}/archive", accept="application/zip").content)) as archive:
            files = {name: archive.read(name) for name in archive.namelist()}
        return chief.get(f"{at}/audit").json, files, chief.get(f"{at}/standings").json

    until(lambda: chief.get(f"{at}/audit").json["verdict"] == "agrees" and chief.get(f"{at}/audit").json["size"] > 4)
    before = seen()
    audit, files, table = before
    assert (audit["unchecked"], audit["incomplete"]) == (0, {})
    assert len(files["sheets.ndjson"].splitlines()) == 4
    assert b"sheets.ndjson" not in files.get("missing.txt", b"")
    assert [row["points"] for row in table["players"]] == [1, 0]
    stack.stop("games", "games-worker")
    try:
        with Client(stack.url, patience=0) as guest:
            assert outcome(lambda: guest.get(f"/v1/games/{chess}.1.1")).status >= 500
        assert seen() == before
        # an installation of an older release has no score sheets yet, and reads the topic from its beginning
        stack.stop("standings-worker")
        with psycopg.connect(stack.database("standings").replace("+psycopg", "")) as database:
            database.execute("DELETE FROM sheets")
            for table in ("positions", "numbers"):
                database.execute(f"DELETE FROM {table} WHERE reader = 'follower' AND topic = %s", (MOVES,))
        audit = chief.get(f"{at}/audit").json
        assert audit["verdict"] == "incomplete" and "records of arbiter.moves are not read yet" in str(audit)
        stack.restart("standings-worker")
        until(lambda: chief.get(f"{at}/audit").json["verdict"] == "agrees")
        assert seen() == before
    finally:
        stack.restart("games-worker", "games")


def test_standings_follows_the_score_sheets_and_decides_the_moves_again(stack, chief, chess, arbiter, tmp_path):
    def audit() -> dict:
        return chief.get(f"/v1/tournaments/{chess}/audit").json

    until(lambda: audit()["verdict"] == "agrees" and audit()["size"] > 4)
    assert (audit()["unchecked"], audit()["incomplete"]) == (0, {})
    assert 'data-verdict="agrees"' in told(stack.url, f"/t/{chess}/audit")
    log, sheets = tmp_path / "log", tmp_path / "sheets"
    log.write_text(arbiter("log", chess, "--url", stack.url)[1])
    sheets.write_text(arbiter("log", chess, "--url", stack.url, "--sheets")[1])
    assert len(sheets.read_text().splitlines()) == 4
    code, out, _ = arbiter("verify", log, "--sheets", sheets, "--json")
    assert (code, json.loads(out)["unchecked"]) == (0, 0)


def test_the_page_of_a_game_is_reached_from_its_tournaments_and_has_the_style_of_all(stack, chess):
    until(lambda: f'href="/games/{chess}.1.1"' in told(stack.url, f"/t/{chess}"))
    page = told(stack.url, f"/games/{chess}.1.1")
    assert (
        "Qh4#" in page
        and "<svg" in page
        and {"Anna", "Berta"} <= set(re.findall(r"<bdi lang=\"und\">(\w+)</bdi>", page))
    )
    assert "svg.board" in told(stack.url, re.findall(r'href="(/web/style.css[^"]*)"', page)[0])


def test_who_is_invited_comes_in_through_the_gateway_to_every_service_and_no_log_tells_the_code(stack, cup, arbiter):
    _, t = cup
    where = (f"--database=pairing={stack.database('pairing')}", "--data", stack.data, "--address", stack.url)
    code, link, err = arbiter("invite", t, "--role", "chief_arbiter", "--name", "hou", *where)
    assert code == 0, err
    browser, own = httpx.Client(follow_redirects=True, timeout=20), {"Origin": stack.url}
    assert "hou" in browser.get(link.strip()).text
    begun = browser.post(link.strip(), headers=own)
    assert re.fullmatch(rf"{stack.url}/t/{t}/rounds/\d+", str(begun.url)), begun.text
    for path in (f"/t/{t}", f"/t/{t}/sessions", "/games/cup.1.1", f"/t/{t}/rounds/1/boards/1/ruling"):
        assert "<span>hou <small>" in browser.get(stack.url + path).text, path
    again = httpx.post(link.strip(), headers=own)
    assert again.status_code == 410
    assert "Guest (read only)" in browser.post(f"{stack.url}/logout", headers=own).text
    secret = link.strip().rpartition("/")[2]
    logs = {file.name: file.read_text() for file in stack.folder.glob("*.log")}
    assert "/invitations/" in logs["gateway.log"] and [name for name, text in logs.items() if secret in text] == []


def test_a_fallen_flag_that_games_has_found_is_answered_by_the_worker_of_penalties(stack, chief):
    # given a game in which a flag has fallen, while the worker of penalties is away
    cup = {"id": "flag", "name": "Flag", "game": "chess", "format": "swiss", "rounds": 3, "regulations": "campus"}
    chief.post("/v1/tournaments", cup)
    seats = {"players": [{"name": "Anna"}, {"name": "Berta"}]}
    chief.post("/v1/tournaments/flag/entries", seats)
    paired = post_with_if_match(chief, "/v1/tournaments/flag", "/v1/tournaments/flag/rounds", {})
    game = f"/v1/games/{paired.json['boards'][0]['game']}"
    until(
        lambda: outcome(lambda: chief.post(f"{game}/moves", {"ply": 1, "moves": ["e2e4", "e7e5"]})).status in (200, 201)
    )

    def types() -> list[str]:
        lines = chief.get("/v1/tournaments/flag/events", accept="application/x-ndjson").content.splitlines()
        return [json.loads(line)["type"].rpartition(".v")[0] for line in lines]

    stack.stop("penalties-worker")
    try:
        chief.post(f"{game}/claims", {"claim": "flag", "side": "black"})
        assert types()[-1] == "arbiter.finding.made"
    finally:
        stack.restart("penalties-worker")
    # then it answers by a ruling of the rulebook's when it is there again, and games has the game lost
    until(lambda: types()[-2:] == ["arbiter.finding.answered", "arbiter.ruling.made"])
    until(lambda: chief.get(game).json["status"] == "decided")
    told = chief.get(game).json
    assert (told["result"]["notation"], told["ruling"]) == ("0-1", "r2")


@pytest.mark.parametrize("service", SERVICES)
def test_each_service_and_worker_says_how_far_behind_it_is(stack, cup, service):
    def caught_up():
        web = json.loads(told(stack.url, f"/services/{service}/readyz"))
        return web["lag"] == 0 and web["worker"]["lag"] == 0 and web["worker"]["waiting"] == 0 and web["parked"] == []

    until(caught_up)
    worker = json.loads(told(stack.address(f"{service}-worker"), "/readyz"))
    assert (worker["status"], worker["service"]) == ("ready", service)
    assert worker["relay"] is worker["follower"] is True


@pytest.mark.parametrize("name", [*SERVICES, *WORKERS])
def test_prometheus_is_told_what_waits_and_what_stands_still(stack, cup, name):
    numbers = told(stack.address(name), "/metrics")
    for metric in ("arbiter_outbox_records", "arbiter_relay_age_seconds", "arbiter_parked_tournaments 0.0"):
        assert f"\n{metric}" in numbers
    if name in WORKERS:
        lines = re.search(r"\narbiter_follower_lines_total (\S+)", numbers)
        assert float(lines[1]) > 0
        assert "\narbiter_forks_total 0.0" in numbers


def test_each_metric_of_the_alert_rules_is_exposed(stack, cup):
    exposed = {
        name.removesuffix("_total")
        for process in (*SERVICES, *WORKERS)
        for name in re.findall(r"\n# TYPE (\S+)", told(stack.address(process), "/metrics"))
    }
    assert {name.removesuffix("_total") for name in metrics_of_alerts()} - exposed == set()


def test_the_trace_of_a_request_is_in_the_logs_of_its_service_and_of_all_workers(stack):
    trace = f"00-{secrets.token_hex(16)}-{secrets.token_hex(8)}-01"
    announced = {"id": "traced", "name": "Traced", "game": "chess", "format": "swiss", "rounds": 3}
    token = issue(stack.data, "chief_arbiter", "hou", None, 1)
    with Client(stack.url, token, headers={"traceparent": trace}) as client:
        client.post("/v1/tournaments", {**announced, "regulations": "campus"})

    def logged():
        logs = {name: (stack.folder / f"{name}.log").read_text() for name in ("pairing", *WORKERS)}
        return all(trace in log for log in logs.values())

    until(logged)


@pytest.mark.parametrize("name", [*SERVICES, *WORKERS])
def test_logs_are_lines_of_json(stack, cup, name):
    lines = (stack.folder / f"{name}.log").read_text().splitlines()
    assert all("event" in json.loads(line) for line in lines)


def producer(stack, user: str, password: str) -> KafkaProducer:
    return KafkaProducer(
        bootstrap_servers=stack.kafka,
        security_protocol="SASL_PLAINTEXT",
        sasl_mechanism="SCRAM-SHA-512",
        sasl_plain_username=user,
        sasl_plain_password=password,
        bootstrap_timeout_ms=5000,
        max_block_ms=10_000,
    )


@pytest.mark.parametrize(("service", "topic"), [("standings", TOKENS), ("standings", MOVES), ("pairing", MOVES)])
def test_in_production_nobody_writes_what_is_not_his(stack, service, topic):
    one = producer(stack, service, stack.passwords[f"{service}.kafka"])
    try:
        with pytest.raises(TopicAuthorizationFailedError):
            one.send(topic, value=b"not mine").get(timeout=20)
    finally:
        one.close(timeout=1)


def test_in_production_nobody_speaks_to_kafka_without_the_password(stack):
    with pytest.raises(KafkaError):
        producer(stack, "games", "guessed").send(TOURNAMENTS, value=b"x").get(timeout=10)


def test_no_service_enters_another_s_database(stack):
    url = stack.postgres.url("games", "pairing", stack.passwords["pairing.db"]).replace("+psycopg", "")
    with pytest.raises(psycopg.OperationalError, match="permission denied"):
        psycopg.connect(url)


def test_what_is_written_while_a_worker_is_dead_comes_when_it_lives_again(stack, chief):
    announced = {"id": "dead", "name": "Dead worker", "game": "chess", "format": "swiss", "rounds": 3}
    chief.post("/v1/tournaments", {**announced, "regulations": "campus"})
    stack.processes["pairing-worker"].kill()
    try:
        entered = chief.post("/v1/tournaments/dead/entries", {"players": [{"name": "Anna"}]})
        before = chief.get("/v1/tournaments/dead").json["players"]
    finally:
        stack.restart("pairing-worker")
    assert (entered.status, before) == (201, 0)
    assert "etag" not in entered.headers
    until(lambda: chief.get("/v1/tournaments/dead").json["players"] == 1)


def test_doctor_finds_everything_well(stack, arbiter, monkeypatch):
    monkeypatch.setenv("ARBITER_KAFKA", stack.kafka)
    monkeypatch.setenv("ARBITER_KAFKA_USER", "admin")
    monkeypatch.setenv("ARBITER_KAFKA_PASSWORD", stack.passwords["admin.kafka"])
    databases = [f"--database={name}={stack.database(name)}" for name in SERVICES]
    code, out, _ = arbiter("doctor", "--data", stack.data, "--json", *databases)
    findings = json.loads(out)["findings"]
    assert code == 0, [f for f in findings if f["remedy"]]
    assert {"Kafka", "topics", "database of games", "worker of games", "lag of games"} <= {f["what"] for f in findings}


def test_one_command_starts_it_and_ctrl_c_ends_it(tmp_path, arbiter, monkeypatch):
    whole_stack()
    folder = enterable(tmp_path)
    with _started(folder) as (url, settings):
        assert json.loads(told(url, "/readyz"))["status"] == "ready"
        assert (Path(settings["ARBITER_DATA"]) / "arbiter.vkey").exists()
        for name, value in settings.items():
            monkeypatch.setenv(name, value)
        code, out, err = arbiter("doctor")
        assert code == 0 and "database of games" in out, out + err
        assert arbiter("topics")[0] == 0
    ends = [json.loads((folder / f"{name}.log").read_text().splitlines()[-1]) for name in WORKERS]
    assert [(end["event"], end["code"]) for end in ends] == [("ended", 0)] * 4


@contextmanager
def _started(folder: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """The address of a stack that one command started, and the settings that it prints for other commands."""
    started = subprocess.Popen(
        [sys.executable, "-m", "tests.stack.stack", "--folder", folder], cwd=ROOT, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        url = started.stdout.readline().strip().removeprefix("URL=")
        assert url, started.stderr.read()
        lines = [started.stdout.readline() for _ in range(6)]
        words = [word for line in lines for word in shlex.split(line) if word != "export"]
        yield url, dict(word.split("=", 1) for word in words)
    finally:
        started.send_signal(signal.SIGINT)
        _, errors = started.communicate(timeout=120)
    assert started.returncode == 0, errors


def test_root_is_told_of_a_folder_that_postgresql_cannot_enter(tmp_path):
    if os.geteuid() != 0:
        pytest.skip("this user runs PostgreSQL itself")
    tmp_path.chmod(0o700)
    ran = subprocess.run(
        [sys.executable, "-m", "tests.stack.stack", "--folder", tmp_path], cwd=ROOT, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert ran.returncode == 2 and "cannot enter this folder" in ran.stderr
