"""The dearest question, file, table and page of each kind, but for pairing and audits: at most a second of CPU and 200 MB.

A command line may take two seconds.

Each is in a process of its own, and the memory is all that its program has; ``python -m tests.bench.dearest`` is these alone.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from functools import partial
from pathlib import Path

from deploy.cli.main import run
from deploy.server import embedded, embedded_desk
from services.games.rules.judge.registry import answer
from services.standings.files.trf.to_events import tournament_of
from services.standings.rules.table.table import standings
from services.standings.rules.tiebreaks.registry import TIEBREAKS
from services.standings.tables.prize_pages import MOST_PLACES
from shared.http import app as http_app
from shared.http.identity import tokens
from shared.http.limits.rate_limits import Limits
from shared.trf.reader import read
from tests.bench.dearest_inputs import FILES, QUESTIONS
from tests.bench.measure import HEAD, Ratio
from tests.great_hall import great_hall
from tests.http.boards import G, board
from tests.random_trf import random_trf

SECONDS, MEGABYTES = 1.0, 200.0
COMMAND_SECONDS = 2.0
"""For a command line, which nobody else waits for."""
PLAYERS, ROUNDS = 999, 9
MEGABYTE = 5200, 11
"""Players and rounds of a report file as large as a gateway lets one through."""
T, PAGE = "/v1/tournaments/great", "/t/great"
ALL = "BH/C1,BH,BH/M1,FB,SB,DE,PS,WIN,WON,BPG,REP,ARO,AOB,TPR,PTP,APRO,APPO,KS"
ALL_TIEBREAKS, COMMAND = "report file of another, all tie-breaks", "standings of a report file of a megabyte"
ASKED = {
    "table": (f"{T}/standings", "application/json"),
    "table by many tie-breaks": (f"{T}/standings?tiebreaks={ALL}", "application/json"),
    "table as CSV": (f"{T}/standings", "text/csv"),
    "table of the past": (f"{T}/standings?at=4000", "application/json"),
    "table without a ruling": (f"{T}/standings?without=r1", "application/json"),
    "changes": (f"{T}/diff?from=1010&to=4000", "application/json"),
    "row explained": (f"{T}/standings/1", "application/json"),
    "cross table": (f"{T}/crosstable", "application/json"),
    "cross table as CSV": (f"{T}/crosstable", "text/csv"),
    "report file": (f"{T}/trf", "*/*"),
    "log": (f"{T}/events", "application/x-ndjson"),
    "search in the log": (f"{T}/events?player=999&limit=500", "application/json"),
    "texts": (f"{T}/texts", "application/json"),
    "page of the event": (PAGE, "text/html"),
    "page of the table": (f"{PAGE}/standings", "text/html"),
    "page of the cross table": (f"{PAGE}/crosstable", "text/html"),
    "page of a round": (f"{PAGE}/rounds/1", "text/html"),
    "page of the log": (f"{PAGE}/log", "text/html"),
    "page of the table of the past": (f"{PAGE}/standings?at=4000", "text/html"),
    "page of a line": (f"{PAGE}/log/4000", "text/html"),
    "prizes by all sections": (
        f"{PAGE}/prizes?places={MOST_PLACES}&each={MOST_PLACES}&unit=yes&sex=yes&title=yes&best=4",
        "text/html",
    ),
    "prizes as CSV": (f"{PAGE}/prizes.csv?places={MOST_PLACES}", "text/csv"),
    "cross table of the past": (f"{T}/crosstable?at=4000", "application/json"),
    "report file of the past": (f"{T}/trf?at=4000", "*/*"),
}
"""What is asked of an event of `PLAYERS` in its seventh round."""


def benchmarks() -> Iterator[Ratio]:
    with tempfile.TemporaryDirectory(prefix="arbiter-dearest-") as name:
        _play(Path(name))
        for kind in (*QUESTIONS, *FILES, ALL_TIEBREAKS, COMMAND, *ASKED):
            told = subprocess.run(
                [sys.executable, "-m", "tests.bench.dearest", kind, name], check=True, stdout=subprocess.PIPE
            ).stdout
            seconds, megabytes = json.loads(told)
            bound = COMMAND_SECONDS if kind == COMMAND else SECONDS
            kept = min(bound / seconds, MEGABYTES / megabytes)
            yield Ratio(f"dearest: {kind}", seconds, bound, f"s of CPU, {megabytes:.0f} MB", 1, (kept,))


def _play(folder: Path) -> None:
    tokens.ensure_keys(folder)
    desk = embedded_desk.open_desk(folder)
    great_hall(desk, "great", PLAYERS).foul(5, 1)
    desk.close()
    # The first start also builds the records of people.
    http_app.close(embedded.make_app(folder, Limits(rate=0, reads=0)))


@contextmanager
def prepared(kind: str, folder: Path) -> Iterator[Callable[[], bool]]:
    """The work alone, which says whether it was done."""
    if kind in QUESTIONS:
        question = {"id": 1} | QUESTIONS[kind]()
        yield lambda: "error" not in answer(question)
    elif kind in FILES:
        file = FILES[kind]
        content, path = file.make(), f"{G}/moves?number={file.number}"
        with board(folder / kind, file.game, file.regulations) as b:
            yield lambda: b.call("POST", path, data=content, Content_Type=file.media).status_code == 201
    elif kind == COMMAND:
        report = folder / "megabyte.trf"
        report.write_text(random_trf(1, *MEGABYTE), encoding="utf-8")
        yield partial(_run_quietly, "standings", str(report))
    elif kind in ASKED:
        path, media = ASKED[kind]
        app = embedded.make_app(folder, Limits(rate=0, reads=0))
        headers = {"Authorization": f"Bearer {tokens.issue(folder, 'chief_arbiter', 'zhou.min')}", "Accept": media}
        app.test_client().get(T)
        yield lambda: app.test_client().get(path, headers=headers).status_code == 200
        http_app.close(app)
    else:
        text = random_trf(1, PLAYERS, ROUNDS).encode()
        yield lambda: bool(standings(tournament_of(read(text, "f")), TIEBREAKS.codes).rows)


def _run_quietly(*args: str) -> bool:
    with Path(os.devnull).open("w") as nowhere, redirect_stdout(nowhere), redirect_stderr(nowhere):
        return run(args) == 0


def _megabytes_at_most() -> float:
    """What this program held at most. Its parent's share, which a child inherits in ``ru_maxrss``, is not in it."""
    status = Path("/proc/self/status").read_text()
    return next(int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmHWM:"))


def main() -> int:
    if len(sys.argv) == 3:
        with prepared(sys.argv[1], Path(sys.argv[2])) as work:
            began = time.process_time()
            assert work(), "it was refused"
            seconds = time.process_time() - began
            print(json.dumps((seconds, _megabytes_at_most())))
        return 0
    print(HEAD)
    kept = True
    for ratio in benchmarks():
        print(ratio, flush=True)
        kept = kept and ratio.ratio >= 1
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
