"""Web processes of standings on a copy of the database that PostgreSQL itself keeps up to date (hot standby)."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from deploy.server import distributed
from deploy.server.rules import RULES
from deploy.server.settings import BadSetting, settings
from deploy.server.worker.worker import Worker
from services.pairing.rules.commands import AnnounceTournament, AppointOfficial
from shared import regulations
from shared.audit.keys import service_key_files
from shared.core.events import OfficialAppointed
from shared.core.terms import PAIRING, STANDINGS
from shared.desk.desk import Desk, Receipt
from shared.http.app import close
from shared.http.identity.tokens import ensure_keys, issue
from tests.deploy.servers import SERVERS
from tests.histories import CHIEF
from tests.log.distributed import Servers, World, until
from tests.stack.postgres import UNSYNCED, Postgres, program
from tests.stack.process import unprivileged

pytestmark = SERVERS


@pytest.fixture
def world(servers: Servers, tmp_path: Path) -> Iterator[World]:
    """Yield pairing and standings, whose workers run."""
    made = World(servers, tmp_path, (PAIRING, STANDINGS))
    made.start()
    yield made
    made.close()


@pytest.fixture
def replica(servers: Servers, tmp_path: Path) -> Iterator[Postgres]:
    """Yield a second PostgreSQL that follows the first."""
    made = Postgres(tmp_path / "replica", options=UNSYNCED)
    backup = [str(program("pg_basebackup")), "-D", str(made.data), "-R", "-X", "stream", "-c", "fast", "--no-sync"]
    address = ["-h", "127.0.0.1", "-p", str(servers.postgres.port), "-U", "postgres"]
    subprocess.run([*backup, *address], check=True, capture_output=True, cwd="/", user=unprivileged())
    made.start()
    yield made
    made.end()


@pytest.fixture
def reader(world: World, replica: Postgres, tmp_path: Path):
    """Yield a client of a web process of standings on the replica, with the token of a chief arbiter."""
    app = distributed.make_app(settings(environment(tmp_path, world, replica)))
    client = app.test_client()
    client.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {issue(tmp_path, 'chief_arbiter', CHIEF.name)}"
    yield client
    close(app, 1)


def environment(folder: Path, world: World, replica: Postgres, service: str = "standings") -> dict[str, str]:
    ensure_keys(folder)
    service_key_files.ensure(folder)
    return {
        "PATH": os.environ["PATH"],
        "ARBITER_SERVICE": service,
        "ARBITER_REPLICA_URL": replica.url(world.urls[STANDINGS].rpartition("/")[2]),
        "ARBITER_KAFKA": world.broker.bootstrap,
        "ARBITER_PARTITIONS": str(world.broker.partitions),
        "ARBITER_DATA": str(folder),
    }


def test_reads_from_a_replica_include_what_was_answered_before(world: World, reader):
    log = world.open(PAIRING)
    until(lambda: log.unready() is None, "for pairing's worker")
    desk = Desk(log, {PAIRING: RULES[PAIRING]}, lambda *_: "", table=RULES, back_seconds=30)
    announced = AnnounceTournament(CHIEF, "Cup", "chess", "swiss", 3, regulations.load("campus"))
    commands = [announced, *(AppointOfficial(CHIEF, OfficialAppointed(f"o{n}", "arbiter")) for n in range(3))]
    for command in commands:
        written = desk.submit(PAIRING, "T", command)
        assert isinstance(written, Receipt) and written.seq is not None
        read = reader.get("/v1/tournaments/T")
        assert (read.status_code, read.json["seq"], read.headers["ETag"]) == (200, written.seq, f'"{written.seq}"')
    assert reader.get("/v1/tournaments/T/standings").status_code == 200
    assert reader.get("/t/T/standings", headers={"Accept": "text/html"}).status_code == 200
    assert (reader.get("/readyz?for=reads").status_code, reader.get("/readyz").status_code) == (200, 503)
    seq = reader.get("/v1/tournaments/T").json["seq"]
    commands = {"/v1/tournaments/T/publications": {"round": 0}, "/v1/webhooks": {"url": "https://example.org/hook"}}
    for path, body in commands.items():
        refused = reader.post(path, json=body, headers={"If-Match": f'"{seq}"'})
        assert (refused.status_code, refused.json["written"]) == (503, "no"), refused.json
        assert "ARBITER_REPLICA_URL" in refused.json["detail"]
    desk.close()


@pytest.mark.parametrize("service", ["pairing", "games", "penalties"])
def test_a_service_that_writes_is_not_started_on_a_replica(service, tmp_path):
    given = {"ARBITER_SERVICE": service, "ARBITER_KAFKA": "127.0.0.1:9092", "ARBITER_REPLICA_URL": "postgresql://r/x"}
    with pytest.raises(BadSetting, match="ARBITER_REPLICA_URL"):
        settings(given)


def test_a_worker_is_not_started_on_a_replica(tmp_path):
    given = {
        "ARBITER_SERVICE": "standings",
        "ARBITER_KAFKA": "127.0.0.1:9092",
        "ARBITER_REPLICA_URL": "postgresql://r/x",
    }
    with pytest.raises(BadSetting, match="ARBITER_REPLICA_URL"):
        Worker(settings(given))
