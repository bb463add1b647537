"""``arbiter topics``, ``rebuild``, ``resume``, ``doctor`` and ``keys`` where something is missing or wrong."""

import json

import pytest

from shared.audit.keys import service_key_files
from shared.core.terms import GAMES, PAIRING
from shared.http.identity.tokens import Keyring
from shared.http.problems import Problem
from shared.log.distributed import DistributedLog
from shared.log.kafka import topics
from shared.log.kafka.broker import TOPICS, Broker
from shared.signing.recovery import vouches
from tests.deploy.servers import STACK, kafka
from tests.stack.process import free_port


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch):
    for name in ("ARBITER_KAFKA", "ARBITER_DATABASES", "ARBITER_SERVICE", "ARBITER_DATABASE_URL", "ARBITER_DATA"):
        monkeypatch.delenv(name, raising=False)


def test_keys_are_made_once_and_then_kept(arbiter, tmp_path):
    assert arbiter("keys", "--data", tmp_path)[0] == 0
    before = {p.name: p.read_bytes() for p in tmp_path.iterdir() if p.is_file()}
    assert set(before) == {"token.key", "arbiter.key", "arbiter.vkey", "recovery.key", "new-log"}
    assert arbiter("keys", "--data", tmp_path)[0] == 0
    assert {name: (tmp_path / name).read_bytes() for name in before} == before


def test_offline_recovery_key_signs_the_request_for_a_lost_key(arbiter, tmp_path):
    code, _, err = arbiter("keys", "--data", tmp_path / "cup")
    assert code == 0 and f"{tmp_path / 'cup' / 'recovery.key'} replaces the key of a service that is lost" in err
    offline = (tmp_path / "cup" / "recovery.key").rename(tmp_path / "offline.key")
    (tmp_path / "cup" / "keys" / "games.key").unlink()
    assert "recovery.key" not in arbiter("keys", "--data", tmp_path / "cup")[2]
    assert not (tmp_path / "cup" / "recovery.key").exists(), "it is not made again"
    recover = ("keys", "--recover", "games", "--tournament", "T", "--data", tmp_path / "cup")
    assert arbiter(*recover)[0] == 2
    assert arbiter(*recover, "--reason", "gone")[0] == 2
    code, out, _ = arbiter(*recover, "--reason", "gone", "--recovery-key", offline)
    body = json.loads(out)
    recovery = (tmp_path / "cup" / "keys" / "recovery.vkey").read_text().strip()
    assert code == 0 and body["reason"] == "gone"
    assert body["key"] == (tmp_path / "cup" / "keys" / "games.vkey").read_text().split("\n")[0]
    assert vouches(recovery, "arbiter/T", body["key"], body["recovery"])
    wrong = arbiter(*recover, "--reason", "gone", "--recovery-key", tmp_path / "cup" / "arbiter.key")
    assert wrong[0] == 2 and "recovery.vkey" in wrong[2]


def test_keys_are_rotated_and_tokens_of_the_last_two_count(arbiter, tmp_path):
    def token() -> str:
        return arbiter("token", "--role", "arbiter", "--name", "li", "--data", tmp_path)[1].strip()

    def good() -> list[bool]:
        ring = Keyring(tmp_path / "token-keys")
        return [_taken(ring, one) for one in tokens]

    arbiter("keys", "--data", tmp_path)
    tokens, checkpoints = [token()], (tmp_path / "arbiter.key").read_bytes()
    for counting in ([True, True], [False, True, True], [False, False, True, True]):
        code, _, err = arbiter("keys", "--rotate", "--data", tmp_path)
        assert (code, "stay valid" in err) == (0, True)
        tokens.append(token())
        assert good() == counting
    assert (tmp_path / "arbiter.key").read_bytes() == checkpoints
    assert (tmp_path / "token.key").stat().st_mode & 0o077 == 0


def test_a_services_key_is_rotated_and_the_one_before_kept_behind_it(arbiter, tmp_path):
    arbiter("keys", "--data", tmp_path)
    public, private = tmp_path / "keys" / "pairing.vkey", tmp_path / "keys" / "pairing.key"
    others = {p.name: p.read_bytes() for p in (tmp_path / "keys").iterdir() if not p.name.startswith("pairing")}
    (first,) = service_key_files.load(tmp_path).own(PAIRING)
    code, _, err = arbiter("keys", "--rotate", "pairing", "--data", tmp_path)
    assert (code, "signed with the previous key" in err) == (0, True)
    newest, before = service_key_files.load(tmp_path).own(PAIRING)
    assert before == first and newest != before
    assert public.read_text() == f"{newest}\n{before}\n"
    assert private.stat().st_mode & 0o077 == 0
    assert {name: (tmp_path / "keys" / name).read_bytes() for name in others} == others
    code, _, err = arbiter("keys", "--rotate", "kitchen", "--data", tmp_path)
    assert code == 2 and "kitchen" in err
    private.write_text("nothing")
    code, _, err = arbiter("keys", "--rotate", "pairing", "--data", tmp_path)
    assert (code, f"{private} is not a private key" in err) == (2, True)


def _taken(ring: Keyring, token: str) -> bool:
    try:
        return ring.identify(token).actor.name == "li"
    except Problem as refused:
        assert refused.code == "token-key-unknown"
        return False


def test_doctor_names_what_is_missing_with_its_remedy(arbiter, tmp_path):
    code, out, _ = arbiter("doctor", "--data", tmp_path / "none", "--json")
    told = json.loads(out)
    assert (code, told["well"]) == (1, False)
    (wrong,) = [f for f in told["findings"] if f["remedy"]]
    assert wrong["remedy"].startswith("arbiter keys --data")


def test_doctor_is_content_with_a_house_in_order(arbiter, tmp_path):
    arbiter("keys", "--data", tmp_path)
    code, out, _ = arbiter("doctor", "--data", tmp_path)
    assert (code, "wrong" in out) == (0, False)


def test_doctor_sees_a_key_that_others_may_read(arbiter, tmp_path):
    arbiter("keys", "--data", tmp_path)
    (tmp_path / "token.key").chmod(0o644)
    code, out, _ = arbiter("doctor", "--data", tmp_path)
    assert code == 1
    assert "chmod 600" in out


@pytest.mark.usefixtures("impatient")
def test_doctor_names_a_broker_that_does_not_answer_and_a_worker_never_seen(arbiter, tmp_path, monkeypatch):
    arbiter("keys", "--data", tmp_path)
    monkeypatch.setenv("ARBITER_KAFKA", f"127.0.0.1:{free_port()}")
    url = f"sqlite:///{tmp_path / 'g.db'}"
    DistributedLog(url, GAMES).close()
    code, out, _ = arbiter("doctor", "--data", tmp_path, "--json", "--database", f"games={url}")
    remedies = {f["what"]: f["remedy"] for f in json.loads(out)["findings"]}
    assert code == 1
    assert remedies["Kafka"]
    assert "python -m deploy.server.worker.worker" in remedies["worker of games"]


@pytest.mark.parametrize("verb", [("topics",), ("rebuild", "topics", "--database", "games=sqlite://")])
def test_without_the_address_of_kafka_the_command_says_which_variable_is_missing(arbiter, verb):
    code, _, err = arbiter(*verb)
    assert (code, "ARBITER_KAFKA" in err) == (2, True)


@pytest.mark.parametrize(
    "args", [("rebuild", "ledger", "games"), ("resume", "T"), ("resume", "T", "--database", "kitchen=sqlite://")]
)
def test_a_database_that_is_not_named_is_asked_for(arbiter, args):
    code, _, err = arbiter(*args)
    assert code == 2
    assert "SERVICE=URL" in err


@pytest.mark.usefixtures("impatient")
def test_a_broker_that_does_not_answer_is_one_line(arbiter, monkeypatch):
    monkeypatch.setenv("ARBITER_KAFKA", f"127.0.0.1:{free_port()}")
    code, _, err = arbiter("topics")
    assert code == 2
    assert err.startswith("arbiter: Kafka at 127.0.0.1")


def test_nothing_is_resumed_where_nothing_is_stopped(arbiter, tmp_path):
    database = f"games=sqlite:///{tmp_path / 'games.db'}"
    code, _, err = arbiter("resume", "T", "--database", database)
    assert (code, "no service has suspended T" in err) == (1, True)


def test_a_stopped_tournament_goes_on_and_the_reason_is_told(arbiter, tmp_path):
    url = f"sqlite:///{tmp_path / 'games.db'}"
    log = DistributedLog(url, GAMES)
    from shared.log.sql.tables import STOPPED

    with log.begin() as connection:
        row = {"stream": "tournaments/T", "seq": 3, "why": "number 3 came back with other bytes", "resumed": -1}
        connection.execute(STOPPED.insert(), row)
    code, _, err = arbiter("resume", "T", "--database", f"games={url}")
    assert (code, "other bytes" in err) == (0, True)
    assert log.parked() == {}
    log.close()


@STACK
def test_topics_are_made_with_their_settings_and_what_is_wrong_with_them_is_told(
    arbiter, tmp_path_factory, monkeypatch
):
    with kafka(tmp_path_factory.mktemp("topics")) as bootstrap:
        monkeypatch.setenv("ARBITER_KAFKA", bootstrap)
        monkeypatch.setenv("ARBITER_PARTITIONS", "3")
        code, _, err = arbiter("topics")
        assert code == 0
        assert all(f"topic {topic} was created" in err for topic in TOPICS)
        assert arbiter("topics")[0] == 0
        monkeypatch.setenv("ARBITER_PARTITIONS", "4")
        code, out, _ = arbiter("topics")
        assert code == 1
        assert "has 3 partitions, not the 4" in out
        assert topics.check(Broker(bootstrap, partitions=3)) == []
