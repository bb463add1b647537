"""What a log says of itself: that it is whole, that publications hold, and that its times have been."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from deploy.cli.doctor.finding import Finding
from deploy.cli.doctor.texts import missing_texts
from deploy.server.clock_ahead import latest_time
from shared.audit.checkpoint import Checkpoint, Verifier
from shared.audit.publications import published
from shared.core.merkle import Tree
from shared.log.port import Log, Row

_PREFIX = "tournaments/"
_TEXTS = "put back a backup that holds them, or `arbiter rebuild topics` where another service does"
_CLOCKS_DIFFER = timedelta(seconds=5)


@dataclass(slots=True)
class _Counts:
    tournaments: int = 0
    lines: int = 0
    signed: int = 0
    foreign: int = 0
    wrong: list[Finding] = field(default_factory=list)


def look_at_log(name: str, log: Log, keys: Collection[bytes], remedy: str, now: datetime) -> Iterator[Finding]:
    """Every tournament of a log. ``keys`` are the public keys of checkpoints at hand, ``remedy`` what mends lines that are
    not what they were."""
    counts = _Counts()
    for stream in log.streams(_PREFIX):
        rows, t = log.lines(stream), stream.removeprefix(_PREFIX)
        _look_at_tournament(counts, t, rows, keys, remedy, now)
        if missing := missing_texts(rows, log.tournament_texts(t)):
            counts.wrong.append(Finding(f"texts of {t}", missing, _TEXTS))
    told = f"{counts.lines} lines of {counts.tournaments} tournaments, {counts.signed} signed publications hold"
    others = f"; {counts.foreign} are signed by keys that are not at hand" if counts.foreign else ""
    yield Finding(name, told + others)
    yield from counts.wrong


def _look_at_tournament(
    counts: _Counts, t: str, rows: Sequence[Row], keys: Collection[bytes], remedy: str, now: datetime
) -> None:
    what, lines = f"log of {t}", [row.line for row in rows]
    counts.tournaments, counts.lines = counts.tournaments + 1, counts.lines + len(lines)
    gap = next((n for n, row in enumerate(rows, 1) if row.seq != n), None)
    if gap is not None:
        counts.wrong.append(Finding(what, f"line {gap} is missing", remedy))
        return
    tree = Tree.of(lines)
    for note in published(lines):
        why = _wrong(note, tree, keys)
        if why is None:
            counts.signed += 1
        elif why:
            counts.wrong.append(Finding(what, why, remedy))
        else:
            counts.foreign += 1
    late = latest_time(lines)
    if late is not None and late > now + _CLOCKS_DIFFER:
        mend = f"set the clock by NTP; it is over at {late:%Y-%m-%d %H:%M} UTC"
        counts.wrong.append(Finding(what, f"a line is from {late:%Y-%m-%d %H:%M} UTC, which is to come", mend))


def _wrong(note: Checkpoint, tree: Tree, keys: Collection[bytes]) -> str | None:
    """What is wrong with a publication's checkpoint; None if it holds, empty if its key is not at hand."""
    ours = [Verifier(s.name, key) for s in note.signatures for key in keys]
    ours = [v for v in ours if any((s.name, s.keyhash) == (v.name, v.keyhash) for s in note.signatures)]
    if not ours:
        return ""
    if not any(verifier.verifies(note) for verifier in ours):
        return f"the signature of its publication at {note.size} does not hold"
    if note.size > tree.size or tree.root(note.size) != note.root:
        return f"its first {note.size} lines are not those that its publication signed"
    return None
