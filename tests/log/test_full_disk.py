"""A PostgreSQL whose disk is really full: a tablespace on a small file system in memory."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from deploy.server.rules import RULES
from services.pairing.rules import commands as pairing
from shared.core.terms import PAIRING, PlayerId
from shared.desk.desk import Desk, Receipt
from shared.log.port import LogFull
from tests.deploy.servers import SERVERS
from tests.histories import CHIEF, NAME, OFFICIALS, begin
from tests.log.distributed import Servers, World, until
from tests.stack.disk import Disk
from tests.stack.process import unprivileged

pytestmark = SERVERS
_MIB = 18
_AT_ONCE = 1000


@pytest.fixture
def small(servers: Servers, tmp_path: Path) -> Iterator[Disk]:
    """A disk of a few MiB that PostgreSQL may write to, and a tablespace there."""
    disk = Disk(servers.postgres.data.parent / "small", _MIB)
    if not disk.mounted:
        pytest.skip("NOT TESTED HERE: only root may mount a small disk, and not everywhere")
    try:
        inside = disk.place / "space"
        inside.mkdir()
        subprocess.run(["chown", str(unprivileged()), inside], check=True)
        servers.postgres.run(f"CREATE TABLESPACE small LOCATION '{inside}'")
        yield disk
        servers.postgres.run("DROP TABLESPACE small")
    finally:
        disk.end()


def test_on_a_full_disk_nothing_is_written_in_part_and_with_room_again_everything_goes_on(servers, small, tmp_path):
    # given a service whose database lies on a disk that fills up
    world = World(servers, tmp_path, (PAIRING,))
    name = world.urls[PAIRING].rpartition("/")[2]
    servers.postgres.run(f"ALTER DATABASE {name} SET TABLESPACE small")
    log = world.open(PAIRING)
    desk = Desk(log, {PAIRING: RULES[PAIRING]}, lambda *_: "", back_seconds=0)
    until(lambda: log.unready() is None)
    begin(desk, "T")
    entered = 8

    def enter() -> bool:
        entries = tuple(pairing.Entry(PlayerId(entered + n), NAME, 1500) for n in range(1, _AT_ONCE + 1))
        return isinstance(desk.submit(PAIRING, "T", pairing.EnterPlayers(CHIEF, entries)), Receipt)

    def written() -> list[int]:
        with log.begin() as connection:
            own = connection.exec_driver_sql("SELECT sourceseq FROM events WHERE stream = 'tournaments/T' ORDER BY 1")
            return list(own.scalars())

    with pytest.raises(LogFull):
        while enter():
            entered += _AT_ONCE
            assert entered < 100 * _AT_ONCE
    # then the command that found it full has left nothing, and those before it all
    assert entered > 8
    assert written() == list(range(1, 2 + len(OFFICIALS) + entered + 1))
    # when there is room again, then the same command is taken, and all of it comes back through the log
    small.clear(256)
    assert enter()
    entered += _AT_ONCE
    world.settle()
    assert [row.sourceseq for row in log.lines("tournaments/T")] == list(range(1, 2 + len(OFFICIALS) + entered + 1))
    desk.close()
    world.close()
