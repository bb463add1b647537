"""Databases of other versions: an old one is migrated, one that cannot be is refused in one line that says what mends it."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from shared.core.terms import GAMES
from shared.log.kafka.broker import TOURNAMENTS
from shared.log.port import BadDatabase
from shared.log.sql import migration
from shared.log.sql.engines import migrate, open_engines, open_url
from shared.log.sql.schema import MIGRATIONS
from shared.log.sql.tables import METADATA, OUTBOX, OUTBOX_NUMBERS
from shared.log.sqlite import SqliteLog
from shared.log.worker.outbox_numbers import OutboxNumbers
from tests.deploy.servers import SERVERS, database
from tests.log.conftest import Backend
from tests.log.older_schema import upgraded
from tests.stack.postgres import Postgres

SCRATCH = '''"""A table for a test."""

import sqlalchemy as sa
from alembic import op

revision = "{revision}"
down_revision = "{after}"


def upgrade() -> None:
    op.create_table("scratch", sa.Column("id", sa.Integer, primary_key=True))
    {more}
'''


def newest(folder: Path = MIGRATIONS) -> str:
    """The newest migration of a folder."""
    config = Config()
    config.set_main_option("script_location", str(folder))
    (head,) = ScriptDirectory.from_config(config).get_heads()
    return head


def with_a_scratch_migration(folder: Path, more: str = "") -> Path:
    """A copy of Arbiter's migrations with one more file, as whoever adds a table writes it."""
    copy = folder / "migrations"
    shutil.copytree(MIGRATIONS, copy, ignore=shutil.ignore_patterns("__pycache__"))
    text = SCRATCH.format(revision="9999", after=newest(), more=more)
    (copy / "versions" / "9999_scratch.py").write_text(text, encoding="utf-8")
    return copy


def older(path: Path, revision: str) -> None:
    """A database that exists, as an older version would have left it: its lines, texts and answers in the older tables."""
    new = path.with_name("newer.sqlite")
    path.rename(new)
    upgraded(f"sqlite:///{path}", revision)
    connection = sqlite3.connect(path)
    connection.execute("ATTACH ? AS newer", (str(new),))
    for table in ("events", "texts", "erased", "kept"):
        connection.execute(f"INSERT INTO {table} SELECT * FROM newer.{table}")
    connection.commit()
    connection.close()
    path.chmod(new.stat().st_mode)
    new.unlink()


def stamp(path: Path, sql: str) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute(sql)
    connection.close()


def refusal(url: str, migrations: Path = MIGRATIONS) -> str:
    """The one line by which a database is refused."""
    with pytest.raises(BadDatabase) as refused:
        open_url(url, migrations)
    assert "\n" not in str(refused.value)
    return str(refused.value)


@pytest.fixture
def path(tmp_path: Path) -> Iterator[Path]:
    """A database with a line in it, of this version."""
    backend = Backend("sqlite", tmp_path)
    backend.append(backend.open(GAMES))
    backend.close()
    yield tmp_path / "arbiter.sqlite"


def lines(path: Path) -> int:
    log = SqliteLog(path)
    try:
        return len(log.lines("tournaments/T"))
    finally:
        log.close()


def closed(engines: tuple[sa.Engine, ...]) -> None:
    for engine in engines:
        engine.dispose()


def test_a_new_migration_is_applied_to_a_database_that_exists(path: Path, tmp_path: Path) -> None:
    writer, reader = open_url(f"sqlite:///{path}", with_a_scratch_migration(tmp_path))
    assert "scratch" in sa.inspect(reader).get_table_names()
    with reader.connect() as connection:
        assert connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalars().all() == ["9999"]
        assert connection.exec_driver_sql("SELECT count(*) FROM events").scalar_one() == 1, "what was there stays"
    closed((writer, reader))


def test_two_migrations_that_follow_the_same_one_are_named(path: Path, tmp_path: Path) -> None:
    migrations = with_a_scratch_migration(tmp_path)
    text = SCRATCH.format(revision="9998", after=newest(), more="")
    (migrations / "versions" / "9998_other.py").write_text(text, encoding="utf-8")
    expected = "the migrations 9998 and 9999 both follow the same one: make one of them follow the other"
    assert refusal(f"sqlite:///{path}", migrations) == expected


def test_a_newer_database_is_refused_by_its_migration_and_with_the_command_that_mends_it(
    path: Path, tmp_path: Path
) -> None:
    closed(open_url(f"sqlite:///{path}", with_a_scratch_migration(tmp_path)))
    assert refusal(f"sqlite:///{path}") == (
        f"the database {path} is at migration '9999', unknown to this version (its newest is {newest()}); "
        "start the version of Arbiter that wrote it: check it out and run `make setup`"
    )


@pytest.mark.parametrize("revision", [s.revision for s in ScriptDirectory(str(MIGRATIONS)).walk_revisions()])
def test_a_database_of_every_older_version_is_opened(tmp_path: Path, revision: str) -> None:
    upgraded(f"sqlite:///{tmp_path / 'old.sqlite'}", revision)
    writer, reader = open_engines(tmp_path / "old.sqlite")
    with reader.connect() as connection:
        assert connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar_one() == newest()
    closed((writer, reader))


def test_records_that_wait_for_kafka_keep_the_numbers_that_an_older_version_gave_them(tmp_path: Path) -> None:
    # given a relay that numbered two of three records and was stopped before Kafka had them
    upgraded(f"sqlite:///{tmp_path / 'old.sqlite'}", "0009")
    old = sqlite3.connect(tmp_path / "old.sqlite")
    waiting = [(n, TOURNAMENTS, "T", b"{}", 0.0, number) for n, number in ((1, 7), (2, 8), (3, None))]
    old.executemany("INSERT INTO outbox (id, topic, key, record, at, number) VALUES (?, ?, ?, ?, ?, ?)", waiting)
    old.execute("INSERT INTO numbers VALUES ('relay', ?, ?, 0, 8)", (GAMES, TOURNAMENTS))
    old.commit()
    old.close()
    # when this version numbers them
    writer, reader = open_engines(tmp_path / "old.sqlite")
    numbers = OutboxNumbers(GAMES, {TOURNAMENTS: 1})
    with writer.begin() as connection:
        rows = connection.execute(sa.select(OUTBOX)).all()
        given = numbers.assign(connection, rows)
        # and Kafka has the first of the old ones, and another relay goes on
        connection.execute(sa.delete(OUTBOX).where(OUTBOX.c.id == 1))
        numbers.confirmed(connection, [1])
        another = OutboxNumbers(GAMES, {TOURNAMENTS: 1}).assign(connection, rows[1:])
        # and Kafka has all of them
        connection.execute(sa.delete(OUTBOX))
        numbers.confirmed(connection, [2, 3])
        kept = connection.execute(sa.select(sa.func.count()).select_from(OUTBOX_NUMBERS)).scalar_one()
    closed((writer, reader))
    # then each keeps its number, and nothing of it stays
    assert (given, another, kept) == ({1: 7, 2: 8, 3: 9}, {2: 8, 3: 9}, 0)


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("UPDATE alembic_version SET version_num = 'abc'", "is at migration 'abc', unknown to this version"),
        ("DELETE FROM alembic_version", "lists 0 migrations in alembic_version"),
        ("INSERT INTO alembic_version VALUES ('0001')", "lists 2 migrations in alembic_version"),
        ("DROP TABLE alembic_version", "but no migration (alembic_version): it is not a log of Arbiter"),
        ("DROP TABLE texts", f"is at migration {newest()}, but has no table texts"),
    ],
)
def test_a_damaged_database_is_refused_and_not_touched(path: Path, sql: str, said: str) -> None:
    stamp(path, sql)
    line = refusal(f"sqlite:///{path}")
    assert line.startswith(f"the database {path} ") and said in line
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT count(*) FROM events").fetchone() == (1,)
    connection.close()


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "arbiter.sqlite").write_text("these are no pages of SQLite" * 100, encoding="utf-8")
    assert "cannot be opened: file is not a database; restore its last backup, or start in another folder" in refusal(
        f"sqlite:///{tmp_path / 'arbiter.sqlite'}"
    )


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    assert "cannot be opened: unable to open database file" in refusal(f"sqlite:///{tmp_path / 'none' / 'a.sqlite'}")


def test_a_database_of_somebody_else_is_refused(tmp_path: Path) -> None:
    stamp(tmp_path / "bank.sqlite", "CREATE TABLE accounts (id INTEGER)")
    assert "has tables (accounts …) but no migration" in refusal(f"sqlite:///{tmp_path / 'bank.sqlite'}")


def test_a_migration_that_fails_is_named_and_leaves_the_database_as_it_was(path: Path, tmp_path: Path) -> None:
    broken = with_a_scratch_migration(tmp_path, 'op.execute("SELECT * FROM nowhere")')
    line = refusal(f"sqlite:///{path}", broken)
    assert f"cannot be migrated from {newest()} to 9999 and was not changed: no such table: nowhere" in line
    assert lines(path) == 1
    assert "scratch" not in sa.inspect(sa.create_engine(f"sqlite:///{path}")).get_table_names()


@pytest.fixture
def postgres(tmp_path: Path) -> Iterator[Postgres]:
    with database(tmp_path / "postgres") as postgres:
        postgres.run("CREATE DATABASE arbiter")
        yield postgres


@SERVERS
def test_postgresql_is_migrated_by_the_job_alone(postgres: Postgres, tmp_path: Path) -> None:
    # given a database that a process of the former version created in an empty one, and uses
    url, next_version = postgres.url("arbiter"), with_a_scratch_migration(tmp_path)
    former = open_url(url)
    # when a process of the next version starts before the job, then it is refused
    needed = f"is at migration {newest()}, but this version needs 9999; run `arbiter migrate` before you start it"
    assert needed in refusal(url, next_version)
    # when the job has run, then processes of both versions start
    schema = migrate(url, next_version)
    assert (schema.revision, schema.oldest) == ("9999", newest())
    for engines in (open_url(url, next_version), open_url(url)):
        assert {"scratch", "events"} <= set(sa.inspect(engines[1]).get_table_names())
        closed(engines)
    # and the former version can be shut out only after its processes have ended
    with former[1].connect(), pytest.raises(BadDatabase, match=f"of a former version .arbiter {newest()}.; replace"):
        migrate(url, next_version, contract=True)
    closed(former)
    assert migrate(url, next_version, contract=True).oldest == "9999"
    assert f"is at migration '9999', unknown to this version (its newest is {newest()})" in refusal(url)


@SERVERS
def test_migration_that_contracts_waits_for_the_former_version(postgres: Postgres, tmp_path: Path) -> None:
    url, migrations = postgres.url("arbiter"), with_a_scratch_migration(tmp_path)
    text = SCRATCH.format(revision="A000", after="9999", more="").replace('"scratch"', '"other"')
    (migrations / "versions" / "A000_other.py").write_text(f"{text}\n\ncontract = True\n", encoding="utf-8")
    closed(open_url(url))
    assert migrate(url, migrations).revision == "9999"
    closed(open_url(url, migrations))
    closed(open_url(url))
    schema = migrate(url, migrations, contract=True)
    assert (schema.revision, schema.oldest) == ("A000", "A000")


@SERVERS
def test_migration_gives_way_if_a_table_stays_locked(postgres: Postgres, tmp_path: Path, monkeypatch) -> None:
    url, more = postgres.url("arbiter"), 'op.add_column("events", sa.Column("scratch", sa.Text))'
    former = open_url(url)
    monkeypatch.setattr(migration, "_ATTEMPTS", 2)
    monkeypatch.setattr(migration, "_AGAIN_SECONDS", 0.0)
    with former[0].begin() as connection:
        connection.exec_driver_sql("LOCK TABLE events IN ACCESS SHARE MODE")
        with pytest.raises(BadDatabase, match="other transactions held its tables in 2 attempts of 2 s; end the long"):
            migrate(url, with_a_scratch_migration(tmp_path, more))
    closed(former)


@SERVERS
def test_damaged_database_of_postgresql_is_refused(postgres: Postgres) -> None:
    url = postgres.url("arbiter")
    closed(open_url(url))
    postgres.run("UPDATE alembic_version SET version_num = 'abc'", "arbiter")
    line = refusal(url)
    assert "is at migration 'abc', unknown to this version" in line
    password = sa.make_url(url).password
    assert password is None or str(password) not in line
    postgres.run("CREATE DATABASE other")
    foreign = sa.create_engine(postgres.url("other"))
    with foreign.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE accounts (id INTEGER)")
    foreign.dispose()
    assert "has tables (accounts …)" in refusal(postgres.url("other"))


def test_the_migrations_make_the_tables_that_are_declared(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'migrated.sqlite'}"
    upgraded(url, "head")
    with sa.create_engine(url).connect() as connection:
        context = MigrationContext.configure(connection)
        assert compare_metadata(context, METADATA) == [], "a table or column without a migration, or the reverse"


def test_a_new_database_has_the_tables_and_rows_of_all_migrations(tmp_path: Path) -> None:
    closed(open_engines(tmp_path / "new.sqlite"))
    upgraded(f"sqlite:///{tmp_path / 'migrated.sqlite'}", "head")
    assert contents(tmp_path / "new.sqlite") == contents(tmp_path / "migrated.sqlite")


def contents(path: Path) -> list[str]:
    """Return the SQL of a database, without the counters of its tables, which must all be 0."""
    with closing(sqlite3.connect(path)) as connection:
        assert not connection.execute("SELECT name FROM sqlite_sequence WHERE seq > 0").fetchall()
        sql = ["".join(one.split()) for one in connection.iterdump() if "sqlite_sequence" not in one]
    return sorted(sql)
