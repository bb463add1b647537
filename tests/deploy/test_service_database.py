"""A service of the distributed system refuses a database that another service or another house wrote, and says what to do."""

import json
import re
import sqlite3
from pathlib import Path

import pytest

from deploy.server import distributed, embedded, embedded_desk
from deploy.server.keys.signing_key import permits
from deploy.server.settings import settings
from deploy.server.worker.worker import Worker
from shared.audit.keys import service_key_files
from shared.core.terms import PAIRING, SOURCES
from shared.http.app import close
from shared.http.identity.tokens import issue
from shared.http.limits.rate_limits import Limits
from shared.log.port import BadDatabase
from tests.deploy.test_distributed import BODY, environment
from tests.deploy.test_doctor import ledger_of
from tests.http.conftest import Caller
from tests.stack.process import free_port


def announced(folder: Path) -> Path:
    """A house in which one tournament was announced, and the database of each service beside it."""
    app = embedded.make_app(folder, Limits(rate=0))
    organiser = Caller(app.test_client(), issue(folder, "organiser", "hou"))
    assert organiser("POST", "/v1/tournaments", BODY).status_code == 201
    close(app)
    for source in SOURCES:
        ledger_of(folder, folder / f"{source.rpartition('/')[2]}.db", source)
    return folder


@pytest.fixture
def house(tmp_path):
    return announced(tmp_path / "house")


@pytest.fixture
def other(tmp_path):
    return announced(tmp_path / "other")


def chosen(house: Path, database: Path, service: str = "games"):
    """The settings of a service that has the keys of one house and a database."""
    return settings(environment(house, ARBITER_SERVICE=service, ARBITER_DATABASE_URL=f"sqlite:///{database}"))


def opens(house: Path, database: Path, service: str = "games") -> None:
    close(distributed.make_app(chosen(house, database, service)), 1)


def refusal(house: Path, database: Path, service: str = "games") -> str:
    """What web process and worker both say; the database stays as it is."""
    before = database.read_bytes()
    said = set()
    for start in (distributed.make_app, Worker):
        with pytest.raises(BadDatabase) as refused:
            start(chosen(house, database, service))
        said.add(str(refused.value))
    assert database.read_bytes() == before
    (one,) = said
    return one


def wrote(path: Path, source: str) -> None:
    """A service wrote a line into a database."""
    connection = sqlite3.connect(path)
    row = ("tournaments/T", 0, source, 1, "c", 0, b"{}")
    columns = "stream, seq, source, sourceseq, command, n, line"
    connection.execute(f"INSERT INTO events ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?)", row)
    connection.commit()
    connection.close()


@pytest.mark.parametrize("service", ["pairing", "games", "penalties", "standings"])
def test_a_service_takes_its_own_database_and_an_empty_one_that_its_worker_fills(house, tmp_path, service):
    opens(house, house / f"{service}.db", service)
    opens(house, tmp_path / "none.db", service)


@pytest.mark.parametrize("service", ["pairing", "games"])
def test_the_database_of_another_house_is_refused(house, other, service):
    line = refusal(house, other / f"{service}.db", service)
    assert (
        "contains tournaments created with the key services/pairing+" in line
        and "restore the keys of its operator" in line
    )


def test_an_operator_who_wants_to_goes_on_with_it_by_the_key_that_is_named(house, other):
    line = refusal(house, other / "games.db")
    (key,) = re.findall(r"created with the key (\S+?)[,:;]", line)
    (path,) = re.findall(r"append that key to (\S+)", line)
    with Path(path).open("a") as file:
        file.write(f"{key}\n")
    opens(house, other / "games.db")


def test_an_announcement_that_a_stranger_wrote_and_that_was_stopped_keeps_no_service_from_starting(house, other):
    connection = sqlite3.connect(other / "games.db")
    connection.execute("INSERT INTO stopped (stream, seq, why, resumed) VALUES ('tournaments/T', 0, 'a stranger', -1)")
    connection.commit()
    connection.close()
    opens(house, other / "games.db")


def test_the_database_of_another_service_is_refused(house):
    wrote(house / "pairing.db", PAIRING)
    assert refusal(house, house / "pairing.db").endswith(
        "contains the events of pairing; set ARBITER_DATABASE_URL to the database of games"
    )
    opens(house, house / "pairing.db", "pairing")


def test_no_command_goes_near_the_database_of_another_house_or_another_service(arbiter, house, other, monkeypatch):
    monkeypatch.setenv("ARBITER_DATA", str(house))
    monkeypatch.setenv("ARBITER_KAFKA", f"127.0.0.1:{free_port()}")
    own = [
        f"--database={source.rpartition('/')[2]}=sqlite:///{house}/{source.rpartition('/')[2]}.db" for source in SOURCES
    ]
    foreign = f"--database=games=sqlite:///{other / 'games.db'}"
    for verb in (["resume", "T"], ["topics", "findings"], ["resubmit", "T"], ["rebuild", "ledger", "games"]):
        code, _, line = arbiter(*verb, foreign)
        assert code == 2 and "restore the keys of its operator" in line and line.count("\n") == 1, (verb, line)
    code, _, line = arbiter("rebuild", "topics", *own[:1], foreign, *own[2:])
    assert code == 2 and "contains tournaments created with" in line
    wrote(house / "pairing.db", PAIRING)
    code, _, line = arbiter("resume", "T", f"--database=games=sqlite:///{house / 'pairing.db'}")
    assert code == 2 and line.endswith("contains the events of pairing; name that of games\n")
    assert arbiter("topics", "findings", *own)[0] == 0
    monkeypatch.delenv("ARBITER_DATA")  # nobody says whose keys count
    assert arbiter("topics", "findings", foreign)[0] == 0


def test_doctor_names_the_database_of_another_house_or_another_service_with_the_remedy(arbiter, house, other):
    wrote(house / "pairing.db", PAIRING)
    for path, state, remedy in (
        (other / "games.db", "contains tournaments created with", "restore the keys of its operator"),
        (house / "pairing.db", "contains the events of pairing", "name that of games"),
    ):
        code, out, _ = arbiter("doctor", "--json", "--data", house, f"--database=games=sqlite:///{path}")
        (said,) = [f for f in json.loads(out)["findings"] if f["what"] == "database of games" and f["remedy"]]
        assert code == 1 and state in said["found"] and remedy in said["remedy"], said


def test_new_keys_and_an_operator_permit_a_new_log_and_a_server_of_the_same_folder_takes_that_back(arbiter, tmp_path):
    def given() -> set[bool]:
        return {permit.given() for permit in permits(tmp_path)}

    assert arbiter("keys", "--data", tmp_path)[0] == 0 and given() == {True}
    for permit in permits(tmp_path):
        permit.spend()
        permit.spend()
    for more in ([], ["--rotate", "games"], ["--rotate", "checkpoint"]):
        assert arbiter("keys", "--data", tmp_path, *more)[0] == 0 and given() == {False}
    assert arbiter("keys", "--new-log", "--data", tmp_path)[0] == 0 and given() == {True}
    embedded_desk.open_log(tmp_path).close()
    assert given() == {False}


def test_doctor_says_of_an_empty_database_whether_a_log_may_be_begun_there(arbiter, tmp_path):
    arbiter("keys", "--data", tmp_path)
    (tmp_path / "games.db").touch()

    def said() -> dict[str, str]:
        ended = arbiter("doctor", "--json", "--data", tmp_path, f"--database=games=sqlite:///{tmp_path}/games.db")
        return next(f for f in json.loads(ended[1])["findings"] if f["what"] == "database of games")

    assert said()["found"] == "it is empty" and said()["remedy"].startswith("start its worker")
    for permit in permits(tmp_path):
        permit.spend()
    assert (
        said()["found"].endswith("the keys have already been used") and "`arbiter keys --new-log`" in said()["remedy"]
    )


@pytest.mark.parametrize("lost", ["games", "pairing"])
def test_a_service_that_lost_its_key_starts_so_that_the_organiser_can_announce_the_new_one(house, lost):
    for file in (house / "keys").glob(f"{lost}.*"):
        file.unlink()
    service_key_files.ensure(house)
    opens(house, house / f"{lost}.db", lost)


def test_a_key_that_was_rotated_is_still_that_of_the_house(house):
    for source in SOURCES:
        service_key_files.rotate(house, source)
    opens(house, house / "standings.db", "standings")
