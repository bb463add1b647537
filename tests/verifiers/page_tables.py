"""Tables that the page derives from golden logs, and from random events that are ranked by all tie-breaks."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from deploy.cli.files.log_files import replay_of
from shared.core import events as ev
from shared.core.state.tournament import Tournament
from shared.core.terms import Seq, Source
from tests.golden.recorded import TABLE, load_tournaments
from tests.tiebreaks.compare import IN_ROUND_ROBINS, OF_PLAYERS
from tests.tiebreaks.events import Players
from tests.verifiers.programs import page_answers
from tests.verifiers.tables import Table, is_derived, log_of, product_table, stated_table

CODES = 12
RELEASE = Path(__file__).parents[1] / "golden" / "log-1.0.0"


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
        yield Log(name, files["log.ndjson"], files[TABLE])


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
    return Log(f"tie-breaks {seed}", log_of(events))


class _Recorded(Players):
    """An event of players whose events are kept."""

    def tell(self, source: Source, data: Any) -> Seq:
        seq = super().tell(source, data)
        made = ev.NewEvent(
            seq, source, self.t.counts[source], Seq(seq - 1), f"c{seq}", "chief", "chief_arbiter", "", data, ""
        )
        vars(self).setdefault("events", []).append(made)
        return seq


def recorded_table(log: Log, file: Path) -> Table | None:
    """Return the product's table of a log, or None for competitions whose table the page does not derive."""
    if not is_derived(log.content):
        return None
    if log.table is not None:
        return stated_table(json.loads(log.table))
    read = replay_of(str(file))
    t = read.at(read.size)
    assert isinstance(t, Tournament)
    return product_table(t)


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
        table, must = answer["table"], recorded_table(log, file)
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
