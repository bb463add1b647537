"""After the commands of ``deploy/docs/backup.md`` no file of a PostgreSQL cluster holds a text that was erased."""

import os
import subprocess
from pathlib import Path

import pytest
import sqlalchemy as sa

from shared.core.terms import GAMES
from shared.log.distributed import DistributedLog
from shared.log.port import Text
from shared.log.sql.migration import migrate
from shared.log.webhooks import Webhook
from tests.deploy.operating import commands
from tests.deploy.servers import SERVERS, database
from tests.log.older_schema import upgraded
from tests.programs import needed
from tests.stack import postgres as local_postgres
from tests.stack.postgres import Postgres

pytestmark = SERVERS
ERASED = "Evgeniya Zabolotskaya-Pribyslavicka"
SECRET = "whsec_forgottenForgottenForgotten42="
OTHERS = [Text(f"{n:064x}", "00", f"Neighbour {n}", "T") for n in range(200)]


@pytest.fixture
def cluster(tmp_path):
    """As docker-compose.yml runs it, with a database ``games``."""
    needed(local_postgres.missing_client())
    with database(tmp_path, {"wal_recycle": "off"}) as made:
        made.run("CREATE DATABASE games")
        yield made


def holding(cluster: Postgres, text: str) -> set[str]:
    """The folders of the cluster with a file that holds a text."""
    files = [path for path in cluster.data.rglob("*") if path.is_file()]
    return {path.relative_to(cluster.data).parts[0] for path in files if text.encode() in path.read_bytes()}


def types(cluster: Postgres, command: str) -> None:
    """One command of the page, typed by an operator of this cluster."""
    path = os.pathsep.join((str(Path(str(local_postgres.program("postgres"))).parent), os.environ["PATH"]))
    said = {"PATH": path, "PGHOST": "127.0.0.1", "PGPORT": str(cluster.port), "PGUSER": "postgres", "SERVICE": "games"}
    ran = subprocess.run(command, shell=True, env=said, capture_output=True, text=True, check=False, timeout=60)
    assert ran.returncode == 0, (command, ran.stderr)


def test_an_erased_text_is_in_no_file_once_the_commands_of_the_page_were_typed(cluster):
    log = DistributedLog(cluster.url("games"), GAMES)
    erased = Text("f" * 64, "00", ERASED, "T")
    with log.transaction() as tx:
        tx.put_texts([*OTHERS, erased])
    cluster.run("ANALYZE texts", "games")  # as the server itself does now and then: it keeps samples of a column
    with log.transaction() as tx:
        tx.erase_text(erased.hash)
    cluster.run("CHECKPOINT")
    assert {"base", "pg_wal"} <= holding(cluster, ERASED)
    assert log.texts([erased.hash]) == {}
    for command in commands("What an erased text leaves"):
        types(cluster, command)
    assert holding(cluster, ERASED) == set()
    assert "base" in holding(cluster, OTHERS[7].text)
    assert {text.text for text in log.tournament_texts("T")} == {text.text for text in OTHERS}
    log.close()


def sampled(cluster: Postgres) -> bool:
    """Whether PostgreSQL has samples of webhooks' secrets, after it has looked at the table once more."""
    cluster.run("ANALYZE webhooks", "games")
    engine = sa.create_engine(cluster.url("games"))
    with engine.connect() as connection:
        chosen = "SELECT 1 FROM pg_stats WHERE tablename = 'webhooks' AND attname = 'secret'"
        found = connection.execute(sa.text(chosen)).first()
    engine.dispose()
    return found is not None


def test_the_secret_of_a_removed_webhook_is_in_no_file_even_where_an_older_version_let_it_be_sampled(cluster):
    upgraded(cluster.url("games"), "0008")
    hooks = [Webhook(str(n), "T", f"https://club.example/{n}", SECRET, "chief", n) for n in range(9)]
    for hook in hooks:
        columns = ", ".join(f"'{value}'" for value in hook)
        cluster.run(f"INSERT INTO webhooks VALUES ({columns})", "games")
    assert sampled(cluster)
    engine = sa.create_engine(cluster.url("games"))
    migrate(engine)
    engine.dispose()
    log = DistributedLog(cluster.url("games"), GAMES)
    assert not sampled(cluster)
    assert log.webhooks.of("T") == hooks
    for hook in hooks:
        assert log.webhooks.remove("T", hook.id)
    for command in commands("What an erased text leaves"):
        types(cluster, command)
    assert holding(cluster, SECRET) == set()
    log.close()
