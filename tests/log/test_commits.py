"""Commits that PostgreSQL cannot make: what is known of them is said, and nothing is done twice."""

from contextlib import suppress
from threading import Thread

import pytest

from deploy.server.rules import RULES
from services.pairing.rules import commands as pairing
from shared.core.terms import PAIRING, PlayerId
from shared.desk.desk import Desk, Receipt
from shared.desk.requests import OutcomeUnknown, Request
from shared.log.port import CommitUnknown, LogUnavailable
from tests.deploy.servers import SERVERS
from tests.histories import CHIEF, NAME, begin
from tests.log.distributed import World, until

pytestmark = SERVERS
_TRIGGER = """
CREATE SEQUENCE commits;
CREATE TABLE trouble (until bigint NOT NULL, state text);
CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE now_failing trouble;
BEGIN
  SELECT * INTO now_failing FROM trouble WHERE until >= nextval('commits');
  IF NOT FOUND THEN RETURN NULL; END IF;
  IF now_failing.state IS NULL THEN PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(9); END IF;
  RAISE EXCEPTION 'not now' USING ERRCODE = now_failing.state;
END $$;
CREATE CONSTRAINT TRIGGER fail AFTER INSERT ON events DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION fail();
"""
"""The next commits fail: with a state of SQL, or (none) by the end of their connection."""


@pytest.fixture(scope="module")
def world(servers, tmp_path_factory):
    world = World(servers, tmp_path_factory.mktemp("world"), (PAIRING,))
    yield world
    world.close()


@pytest.fixture(scope="module")
def desk(world):
    log = world.open(PAIRING)
    desk = Desk(log, {PAIRING: RULES[PAIRING]}, lambda *_: "", back_seconds=0)
    until(lambda: log.unready() is None)
    begin(desk, "T")
    with log.begin() as connection:
        connection.exec_driver_sql(_TRIGGER)
    yield desk
    desk.close()


def fail(desk: Desk, times: int, state: str | None = None) -> None:
    with desk.log.begin() as connection:
        connection.exec_driver_sql("DELETE FROM trouble")
        connection.exec_driver_sql("SELECT setval('commits', 1, false)")
        connection.exec_driver_sql("INSERT INTO trouble VALUES (%s, %s)", (times, state))


def enter(desk: Desk, player: int) -> object:
    key = f"k{player}"
    entry = pairing.EnterPlayers(CHIEF, (pairing.Entry(PlayerId(player), NAME, 1500),))
    return desk.submit(PAIRING, "T", entry, Request(key=key, body=key))


def lines(desk: Desk) -> int:
    with desk.log.begin() as connection:
        count = connection.exec_driver_sql("SELECT count(*) FROM events WHERE stream = 'tournaments/T'")
        return int(count.scalar_one())


@pytest.mark.parametrize("state", ["25006", "57014", "55P03", "40001", "40P01", "53200"])
def test_what_the_database_cannot_do_now_is_not_written_and_may_be_sent_again(desk, state):
    before = lines(desk)
    fail(desk, 1, state)
    with pytest.raises(LogUnavailable, match=state) as raised:
        enter(desk, 100 + before)
    assert not isinstance(raised.value, CommitUnknown)
    assert lines(desk) == before
    assert isinstance(enter(desk, 100 + before), Receipt)
    assert lines(desk) == before + 1


def test_a_commit_whose_connection_is_lost_is_looked_for_and_made_once(desk):
    before = lines(desk)
    fail(desk, 1)
    assert isinstance(enter(desk, 201), Receipt)
    assert lines(desk) == before + 1


def test_a_commit_that_nobody_can_look_for_is_unknown_and_its_key_finds_out(desk):
    before = lines(desk)
    fail(desk, 2)
    with pytest.raises(OutcomeUnknown) as raised:
        enter(desk, 301)
    receipt = enter(desk, 301)
    assert isinstance(receipt, Receipt) and receipt.command == raised.value.command
    assert lines(desk) == before + 1


_NOT_BACK = """
CREATE FUNCTION not_now() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'not now' USING ERRCODE = '55P03'; END $$;
CREATE TRIGGER not_now BEFORE INSERT ON ledger FOR EACH ROW EXECUTE FUNCTION not_now();
"""
"""The follower cannot write: no own line comes back."""


def test_what_was_written_is_answered_so_although_the_database_is_lost_before_its_line_is_back(world, servers, desk):
    log, name, before = world.open(PAIRING), world.urls[PAIRING].rpartition("/")[2], lines(desk)
    waiting = Desk(log, {PAIRING: RULES[PAIRING]}, lambda *_: "", back_seconds=60)
    until(lambda: log.unready() is None)
    with desk.log.begin() as connection:
        connection.exec_driver_sql("DELETE FROM trouble")
        connection.exec_driver_sql(_NOT_BACK)

    def lose() -> None:
        until(lambda: lines(desk) == before + 1, "for the commit")
        servers.postgres.run(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
        servers.postgres.run(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'")

    losing = Thread(target=lose)
    losing.start()
    try:
        receipt = enter(waiting, 401)
        losing.join()
        assert isinstance(receipt, Receipt) and (receipt.status, receipt.seq) == (201, None)
    finally:
        losing.join()
        servers.postgres.run(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")
    with desk.log.begin() as connection:
        connection.exec_driver_sql("DROP TRIGGER not_now ON ledger")
    with suppress(LogUnavailable):  # The writer's connection is of before.
        enter(waiting, 401)
    again = enter(waiting, 401)
    assert isinstance(again, Receipt) and (again.body, again.repeated) == (receipt.body, True)
    assert lines(desk) == before + 1
    waiting.close()


def test_nobody_waits_for_ever_for_a_lock_or_a_statement(desk):
    with desk.log.begin() as connection:
        shown = [connection.exec_driver_sql(f"SHOW {name}_timeout").scalar_one() for name in ("lock", "statement")]
    assert shown == ["10s", "1min"]
