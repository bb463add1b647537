"""What a log says of itself: that it is whole, that publications hold, and that its times have been."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from deploy.cli.doctor.finding import Finding
from deploy.server.numbers.clock_ahead import latest_time
from shared.audit.checkpoints.checkpoint import Checkpoint, Verifier
from shared.audit.checkpoints.publications import published_checkpoints
from shared.audit.evidence.named_texts import NamedTexts
from shared.core.language.messages import Message, and_more, say
from shared.core.trust.merkle import Tree
from shared.log.port import Log, Row

_PREFIX = "tournaments/"
_TEXTS = say(
    "put back a backup that holds them, or `{command}` where another service does", command="arbiter rebuild topics"
)
_CLOCKS_DIFFER = timedelta(seconds=5)


@dataclass(slots=True)
class _Counts:
    tournaments: int = 0
    lines: int = 0
    signed: int = 0
    foreign: int = 0
    wrong: list[Finding] = field(default_factory=list)


def look_at_log(name: Message, log: Log, keys: Collection[bytes], remedy: Message, now: datetime) -> Iterator[Finding]:
    """Every tournament of a log. ``keys`` are the public keys of checkpoints at hand, ``remedy`` what mends lines that are
    not what they were."""
    counts = _Counts()
    sheets = _sheets(log)
    for stream in log.streams(_PREFIX):
        rows, t = log.lines(stream), stream.removeprefix(_PREFIX)
        _look_at_tournament(counts, t, rows, keys, remedy, now)
        if missing := missing_texts(log, t, rows, sheets.get(t, ())):
            counts.wrong.append(Finding(say("texts of {t}", t=t), missing, _TEXTS))
    told = say(
        "{lines} lines of {tournaments} tournaments, {signed} signed publications hold",
        lines=counts.lines,
        tournaments=counts.tournaments,
        signed=counts.signed,
    )
    if counts.foreign:
        others = say("{count} are signed by keys that are not at hand", count=counts.foreign)
        told = say("{first}; {second}", first=told, second=others)
    yield Finding(name, told)
    yield from counts.wrong


def _sheets(log: Log) -> Mapping[str, Sequence[str]]:
    """Tournament → the streams of its score sheets that are kept here."""
    found: dict[str, list[str]] = {}
    for stream in log.streams("games/"):
        found.setdefault(stream.removeprefix("games/").rsplit(".", 2)[0], []).append(stream)
    return found


def _look_at_tournament(
    counts: _Counts, t: str, rows: Sequence[Row], keys: Collection[bytes], remedy: Message, now: datetime
) -> None:
    what, lines = say("log of {t}", t=t), [row.line for row in rows]
    counts.tournaments, counts.lines = counts.tournaments + 1, counts.lines + len(lines)
    gap = next((n for n, row in enumerate(rows, 1) if row.seq != n), None)
    if gap is not None:
        counts.wrong.append(Finding(what, say("line {gap} is missing", gap=gap), remedy))
        return
    tree = Tree.of(lines)
    for note in published_checkpoints(lines):
        ours = _verifiers(note, keys)
        if not ours:
            counts.foreign += 1
        elif (why := _wrong(note, tree, ours)) is not None:
            counts.wrong.append(Finding(what, why, remedy))
        else:
            counts.signed += 1
    late = latest_time(lines)
    if late is not None and late > now + _CLOCKS_DIFFER:
        mend = say("set the clock by NTP; it is over at {late} UTC", late=f"{late:%Y-%m-%d %H:%M}")
        counts.wrong.append(
            Finding(what, say("a line is from {late} UTC, which is to come", late=f"{late:%Y-%m-%d %H:%M}"), mend)
        )


def _verifiers(note: Checkpoint, keys: Collection[bytes]) -> list[Verifier]:
    """The keys at hand by which a publication's checkpoint says that it is signed."""
    ours = [Verifier(s.name, key) for s in note.signatures for key in keys]
    return [v for v in ours if any((s.name, s.keyhash) == (v.name, v.keyhash) for s in note.signatures)]


def _wrong(note: Checkpoint, tree: Tree, ours: Sequence[Verifier]) -> Message | None:
    """What is wrong with a publication's checkpoint; None if it holds."""
    if not any(verifier.verifies(note) for verifier in ours):
        return say("the signature of its publication at {size} does not hold", size=note.size)
    if note.size > tree.size or tree.root(note.size) != note.root:
        return say("its first {size} lines are not those that its publication signed", size=note.size)
    return None


_TOLD = 3


def missing_texts(log: Log, tournament: str, rows: Sequence[Row], sheets: Iterable[str]) -> Message | None:
    """Which texts that the lines of one tournament, and of its score sheets (streams) kept here, name are not held, in words;
    None where none is missing."""
    named = NamedTexts()
    named.read(rows)
    for sheet in sheets:
        named.read(log.lines(sheet))
    missing = named.missing({text.hash for text in log.tournament_texts(tournament)})
    if not missing:
        return None
    told = and_more((say("{hash}… of {place}", hash=text.hash[:16], place=text.place) for text in missing), _TOLD)
    return say(
        "{count} texts are named by lines, were not erased, and are not there: {texts}", count=len(missing), texts=told
    )
