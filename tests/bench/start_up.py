"""The cost of opening a database with many tournaments: ``python -m tests.bench.start_up DATABASE``."""

import resource
import subprocess
import sys
import time
from collections.abc import Callable
from statistics import median

from services.pairing.rules.commands import AnnounceTournament, EnterPlayers, Entry
from shared import regulations
from shared.core.terms import PAIRING, PlayerId, TextRef
from shared.desk.desk import Desk
from shared.log.distributed import DistributedLog
from tests.bench import committing
from tests.bench.writing import CHIEF
from tests.log.distributed import Servers, answer_questions

_PLAYERS = 20


def start_up(servers: Servers, count: int) -> list[str]:
    """Return the output of another process that opens a database with ``count`` tournaments of 20 players."""
    from deploy.server.rules import RULES

    url = servers.fresh_database()
    log = DistributedLog(url, PAIRING)
    with log.begin() as connection:
        answer_questions(connection)
    desk = Desk(log, {PAIRING: RULES[PAIRING]}, lambda *_: "", back_seconds=0)
    announce = AnnounceTournament(CHIEF, "scale", "xiangqi", "swiss", 9, regulations.load("campus"))
    entries = tuple(Entry(PlayerId(i), TextRef("0" * 64), 2400 - i) for i in range(1, _PLAYERS + 1))
    for t in range(count):
        desk.submit(PAIRING, f"B{t}", announce)
        desk.submit(PAIRING, f"B{t}", EnterPlayers(CHIEF, entries))
    committing.come_back(log)
    desk.close()
    command = [sys.executable, "-m", "tests.bench.start_up", url]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()


def main(url: str) -> int:
    """Open a database and read every tournament once. Print seconds, MiB, and milliseconds of a table and of a view."""
    from services.standings.rules.table.table import standings, table_answer

    start = time.perf_counter()
    log = DistributedLog(url, PAIRING)
    desk = Desk(log, {}, lambda *_: "", back_seconds=0)
    ids = [stream.partition("/")[2] for stream in log.streams("tournaments/")]
    for t in ids:
        desk.view(t)
    seconds = time.perf_counter() - start

    def table() -> None:
        view = desk.view(ids[0])
        assert view is not None
        table_answer(standings(view.tournament))

    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{seconds:.2f} {memory:.0f} {_milliseconds(table):.2f} {_milliseconds(lambda: desk.view(ids[0])):.2f}")
    desk.close()
    return 0


def _milliseconds(work: Callable[[], object]) -> float:
    turns = []
    for _ in range(50):
        start = time.perf_counter()
        work()
        turns.append(1000 * (time.perf_counter() - start))
    return median(turns)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
