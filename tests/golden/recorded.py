"""The golden set with ``decisions: 2``: its files, and the verdicts, marks and tables that a version computes from them.

The README of the folder describes the files. The export and the tests share these functions.
"""

import hashlib
import io
import json
import tarfile
import zipfile
from collections.abc import Iterable, Mapping
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path
from typing import Any

from deploy.cli.files.log_files import replay_of
from deploy.cli.main import run
from deploy.server.rules import RULES
from services.pairing.rules.commands import PairRound, WithdrawPairing
from services.standings.files.archive import contents as c
from services.standings.rules.publication import own_table
from services.standings.rules.table.table import standings
from shared.core import events as ev
from shared.core.state.tournament import Tournament
from shared.core.terms import PAIRING, STANDINGS, Actor, Mark, Refusal, Source

FOLDER = Path(__file__).parent / "log-1.0.0-decisions-2"
TOURNAMENTS, EXPECTED, DATA = FOLDER / "tournaments.tar.xz", FOLDER / "expected.json", FOLDER / "data.tar.xz"
DECISIONS = FOLDER / "decisions.json"
RECEIPT = "receipt."
"""The prefix of a receipt's file name; the event's ``seq`` follows."""
TABLE, TEAMS = "replay.json", "replay-teams.json"
COUNTED = ("verdict", "size", "root", "offices", "decisions", "checked", "differ", "unchecked", "uncovered", "findings")
Files = Mapping[str, bytes]
CHANGES = (
    *(ev.ResultCorrected, ev.RulingMade, ev.RulingAnnulled, ev.PlayerWithdrew, ev.PlayerReturned, ev.PairingWithdrawn),
    *(
        ev.StandingsPublished,
        ev.LotDrawn,
        ev.FindingWithdrawn,
        ev.ArrivalCorrected,
        ev.BreakCorrected,
        ev.ResultReported,
    ),
)
"""Events after which decisions are recorded."""


@cache
def load_tournaments() -> dict[str, dict[str, bytes]]:
    """Return the recorded files of each tournament, by name."""
    found: dict[str, dict[str, bytes]] = {}
    with tarfile.open(TOURNAMENTS) as tar:
        for member in tar:
            tournament, _, name = member.name.rpartition("/")
            content = tar.extractfile(member)
            assert content is not None
            found.setdefault(tournament, {})[name] = content.read()
    return found


@cache
def load_expected() -> dict[str, dict[str, Any]]:
    """Return the recorded counts and marks of each tournament, by name."""
    found: dict[str, dict[str, Any]] = json.loads(EXPECTED.read_bytes())
    return found


def run_arbiter(*args: object) -> tuple[int, bytes]:
    """Run a command line in this process and return its exit code and output. Exit code 2 is an AssertionError."""
    out, complaint = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
    with redirect_stdout(out), redirect_stderr(complaint):
        code = run([str(arg) for arg in args])
    assert code in (0, 1, 3), complaint.getvalue()
    out.flush()
    content: bytes = out.buffer.getvalue()  # type: ignore[attr-defined]
    return code, content


def unpack(files: Files, names: Iterable[str], into: Path) -> list[Path]:
    """Write the named files that exist into a folder and return their paths."""
    paths = [into / name for name in names if name in files]
    for path in paths:
        path.write_bytes(files[path.name])
    return paths


def pack(files: Files) -> bytes:
    """Return the files of an archive as a zip file again."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name in filter(files.__contains__, c.FILES):
            archive.writestr(name, files[name])
    return content.getvalue()


def verify(files: Files, into: Path) -> dict[str, Any]:
    """Return the counts of ``arbiter verify`` for the log with and without evidence, the archive, and the receipts."""
    unpack(files, c.EVIDENCE, into)
    options = {"sheets": c.SHEETS, "texts": c.TEXTS, "checkpoint": c.CHECKPOINT, "key": c.HOUSE_KEYS}
    evidence = [f"--{option}={into / name}" for option, name in options.items() if name in files]
    said = {"log": _counted(into / c.LOG, *evidence), "alone": _counted(into / c.LOG)}
    if c.ABOUT not in files:
        return said
    (into / "archive.zip").write_bytes(pack(files))
    receipts = [f"--receipt={path}" for path in unpack(files, (n for n in files if n.startswith(RECEIPT)), into)]
    keys = [f"--key={into / c.HOUSE_KEYS}", f"--service-key={into / c.SERVICE_KEYS}"]
    each = run_arbiter("verify", *receipts, *keys, "--json")[1].splitlines()
    return said | {
        "archive": _counted(into / "archive.zip", *receipts),
        "receipts": [json.loads(line)["verdict"] for line in each],
    }


def _counted(*args: object) -> dict[str, Any]:
    """Return the verdict and the counts of a report, without its sentences."""
    report = json.loads(run_arbiter("verify", *args, "--json")[1])
    crossings = [crossing["seq"] for crossing in report["crossings"]]
    return {name: report[name] for name in COUNTED} | {
        "incomplete": sum(report["incomplete"].values()),
        "crossings": crossings,
    }


def tables(files: Files, into: Path) -> dict[str, bytes]:
    """Return the output of ``arbiter replay --json``: the table, and the table of teams if teams meet."""
    log, *texts = unpack(files, (c.LOG, c.TEXTS), into)
    names = [f"--texts={path}" for path in texts]
    made = {TABLE: run_arbiter("replay", log, *names, "--json")[1]}
    code, teams = run_arbiter("replay", log, *names, "--json", "--teams")
    return made | ({TEAMS: teams} if code == 0 else {})


def unpack_data(into: Path) -> Path:
    """Unpack a copy of the data folder and return its path."""
    with tarfile.open(DATA) as tar:
        tar.extractall(into)  # Debian 12's Python 3.11.2 has no filters yet
    return into / "data"


def decisions(files: Files, into: Path) -> list[list[Any]]:
    """Return what is decided after each event that changes a result, a player or a ruling.

    Each row: ``seq``, the next pairing, the withdrawal of the last one, a final publication, ranks, and a digest of the marks.
    """
    (log,) = unpack(files, (c.LOG,), into)
    read = replay_of(str(log))
    rows: list[list[Any]] = []
    for event in read.events:
        t = read.at(event.seq) if isinstance(event.data, CHANGES) else None
        if not isinstance(t, Tournament):
            continue
        chief = Actor(t.holders("chief_arbiter")[0], "chief_arbiter", "0190aaaa-bbbb-7ccc-8ddd-eeeeffff0001")
        ranks = [[row.player, row.rank] for row in standings(t).rows]
        marks = hashlib.sha256(json.dumps(_marks(t)).encode()).hexdigest()[:12]
        decided = (
            _decide(t, PAIRING, PairRound(chief, seed=1)),
            _decide(t, PAIRING, WithdrawPairing(chief, t.rounds_paired())),
            _decide(t, STANDINGS, own_table(t, chief, final=True)),
        )
        rows.append([event.seq, *decided, ranks, marks])
    return rows


def _decide(t: Tournament, source: Source, command: Any) -> Any:
    """Return the code of the refusal, or the boards of the decision."""
    decision = RULES[source].follow(t, command, None)
    if isinstance(decision, Refusal):
        return decision.code
    return [
        [seat.white, seat.black] for one in decision.events if isinstance(one, ev.RoundPaired) for seat in one.boards
    ]


def state(files: Files, into: Path) -> dict[str, Any]:
    """Return the marks of every game of a pairing in force, the rulings in force, and the players who have left."""
    (log,) = unpack(files, (c.LOG,), into)
    read = replay_of(str(log))
    t = read.at(read.size)
    if not isinstance(t, Tournament):
        return {}
    return {
        "marks": _marks(t),
        "rulings": [ruling for ruling in (*t.rulings, *t.annulments) if t.is_in_force(ruling)],
        "left": [player.player for player in t.players.values() if player.withdrawal is not None],
    }


def _marks(t: Tournament) -> dict[str, Any]:
    set_by = {game.game: t.setting(game) for game in t.games_in_force()}
    return {game: None if s is None else [_plain(s.white), _plain(s.black)] for game, s in set_by.items()}


def _plain(mark: Mark) -> list[Any]:
    return [mark.points, mark.played, mark.counted]
