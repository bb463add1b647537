"""Tables out of bare logs: those of the product, and of the page's program, in one form.

``python -m tests.verifiers.page_tables N SEED`` (`make campaign NAME=tables`) compares them on N random events of each kind.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import msgspec

from deploy.cli.files.log_files import replay_of
from services.standings.rules.table.table import standings, table_answer
from shared.core import events as ev
from shared.core.state.tournament import Tournament
from shared.core.terms import Seq, Source
from shared.wire import envelope
from tests.golden.recorded import load_tournaments
from tests.metamorphic.history import History
from tests.tiebreaks.compare import IN_ROUND_ROBINS, OF_PLAYERS
from tests.tiebreaks.events import Players
from tests.verifiers.programs import page_answers

Table = dict[str, Any]
BATCH, STEPS, CODES = 400, 24, 12
RELEASE = Path(__file__).parents[1] / "golden" / "log-1.0.0"
DERIVED_FORMATS = ("swiss", "round_robin", "double_round_robin", "manual")


class Log(NamedTuple):
    """A log by the name of its origin. ``table``: the JSON of the table that the product recorded with it, if it did."""

    name: str
    content: bytes
    table: bytes | None = None


def golden_logs() -> Iterator[Log]:
    """Yield every log that a release left."""
    for file in sorted(RELEASE.glob("*.ndjson")):
        if file.name.count(".") == 1:
            yield Log(file.stem, file.read_bytes())
    for name, files in load_tournaments().items():
        yield Log(name, files["log.ndjson"], files["replay.json"])


def history_log(seed: int) -> Log:
    """Return a random competition of the newest edition: rulings, annulments, corrections, withdrawals, voided rounds."""
    history = History(seed)
    for _ in range(STEPS):
        if not history.step():
            break
    history.publish()
    return Log(f"history {seed}", _written(history.events))


def tiebreak_log(seed: int) -> Log:
    """Return a random event of players, ranked by some of all tie-breaks: byes, forfeits, late entries, unrated players."""
    told = _Recorded(seed)
    codes = ["DE", *(IN_ROUND_ROBINS if told.round_robin else OF_PLAYERS), "DE/P", "DE/A"]
    told.rng.shuffle(codes)
    events = []
    for event in told.events:
        data = event.data
        if isinstance(data, ev.TournamentAnnounced):
            data = replace(data, tiebreaks=tuple(codes[:CODES]))
        elif isinstance(data, ev.RegulationsAdopted):
            ranking = replace(data.regulations.ranking, rules=told.rng.choice(("2024", "2026")))
            data = ev.RegulationsAdopted(replace(data.regulations, ranking=ranking))
        events.append(event._replace(data=data))
    return Log(f"tie-breaks {seed}", _written(events))


class _Recorded(Players):
    """An event of players whose events are kept."""

    def tell(self, source: Source, data: Any) -> Seq:
        seq = super().tell(source, data)
        made = ev.NewEvent(
            seq, source, self.t.counts[source], Seq(seq - 1), f"c{seq}", "chief", "chief_arbiter", "", data, ""
        )
        vars(self).setdefault("events", []).append(made)
        return seq


def _written(events: Iterable[ev.NewEvent]) -> bytes:
    """Return the lines of events, without roots and signatures: the verdict on such a log is not "agrees"."""
    lines = []
    for e in events:
        header = envelope.Header("tournaments/T", e.source, e.basis, b"", e.command, e.tokenid, "2.0.0")
        id, time = f"0190aaaa-bbbb-7ccc-8ddd-{e.seq:012x}", e.time or "2026-11-21T09:30:00Z"
        lines.append(envelope.write(header, id, time, e.sourceseq, e.actor, e.role, e.data) + b"\n")
    return b"".join(lines)


def product_table(log: Log, file: Path) -> Table | None:
    """Return the product's table of a log, or None for competitions whose table the page does not derive."""
    events = [json.loads(line) for line in log.content.splitlines()]
    announced = events[0]["data"]
    stages = [e["data"]["regulations"].get("stages") for e in events if e["type"].startswith("arbiter.regulations.")]
    if (
        announced["format"] not in DERIVED_FORMATS
        or announced.get("conditions", {}).get("team")
        or not stages
        or stages[-1]
    ):
        return None
    answer = json.loads(log.table) if log.table else _replayed(file)
    rows = [
        {"id": row["id"], "rank": row["rank"], "points_half": round(2 * row["points"]), "tiebreaks": row["tb"]}
        for row in answer["players"]
    ]
    head = {"derived": True, "seq": answer["seq"], "rounds": answer["rounds"], "tiebreaks": [*answer["tiebreaks"]]}
    return head | {"rows": rows}


def _replayed(file: Path) -> Table:
    read = replay_of(str(file))
    t = read.at(read.size)
    assert isinstance(t, Tournament)
    answer: Table = msgspec.to_builtins(table_answer(standings(t)))
    return answer


class Compared(NamedTuple):
    """The number of tables that are equal, and of logs without a table by the reason; and the logs with different tables."""

    counts: Counter[str]
    differences: list[str]


def compare(logs: Sequence[Log], folder: Path) -> Compared:
    """Compare the page's table of each log, and its published tables, with the product's."""
    counts: Counter[str] = Counter()
    differences = []
    files = []
    for n, log in enumerate(logs):
        files.append(folder / f"{n}.ndjson")
        files[-1].write_bytes(log.content)
    for log, file, answer in zip(logs, files, page_answers([[file] for file in files]), strict=True):
        table, must = answer["table"], product_table(log, file)
        if must is None and not table["derived"]:
            counts[f"not derived: {table['reason']}"] += 1
        elif table == must:
            counts["equal"] += 1
            counts["published"] += answer["counts"].get("published", 0)
        else:
            differences.append(f"{log.name}: {_difference(table, must)}")
        differences += [f"{log.name}: {said}" for said in answer["said"] if said[0] == "published"]
    return Compared(counts, differences)


def _difference(table: Table, must: Table | None) -> str:
    if must is None or not table["derived"]:
        return f"page {table.get('reason')} {table.get('said')}, product {must and 'a table'}"
    rows = zip(table["rows"], must["rows"], strict=False)
    return next((f"page {one}, product {other}" for one, other in rows if one != other), "different heads or sizes")


def main(number: int, seed: int) -> int:
    counts: Counter[str] = Counter()
    differences = []
    with TemporaryDirectory() as folder:
        for first in range(seed, seed + number, BATCH):
            seeds = range(first, min(first + BATCH, seed + number))
            logs = [make(n) for n in seeds for make in (history_log, tiebreak_log)]
            compared = compare(logs, Path(folder))
            counts += compared.counts
            differences += compared.differences
    print("\n".join(differences))
    print(f"{', '.join(f'{n} {what}' for what, n in sorted(counts.items()))}; {len(differences)} different")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
