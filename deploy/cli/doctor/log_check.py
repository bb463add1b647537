"""What a log says of itself: that it is whole, that publications hold, and that its times have been."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from deploy.cli.doctor.finding import Finding
from deploy.cli.terminal.counts import counted
from deploy.server.numbers.clock_ahead import latest_time
from shared.audit.checkpoints.checkpoint import Checkpoint, Verifier
from shared.audit.checkpoints.publications import published_checkpoints
from shared.audit.evidence.named_texts import NamedTexts
from shared.core.language.messages import Message, and_more, in_turn, say
from shared.core.trust.merkle import Tree
from shared.log.port import Log, Row

_PREFIX = "tournaments/"
_TEXTS = say(
    "restore a backup that contains them, or run `{command}` if another service has them",
    command="arbiter rebuild topics",
)
_CLOCKS_DIFFER = timedelta(seconds=5)


@dataclass(slots=True)
class _Counts:
    tournaments: int = 0
    lines: int = 0
    signed: int = 0
    foreign: int = 0
    wrong: list[Finding] = field(default_factory=list)

    def summary(self) -> Message:
        """Return how many events, tournaments and signed publications were read."""
        events = counted(self.lines, say("1 event"), say("{count} events", count=self.lines))
        tournaments = counted(self.tournaments, say("1 tournament"), say("{count} tournaments", count=self.tournaments))
        read = say("it has {events} of {tournaments}", events=events, tournaments=tournaments)
        signed = counted(
            self.signed,
            say("1 signed publication is valid"),
            say("{count} signed publications are valid", count=self.signed),
        )
        if not self.foreign:
            return in_turn((read, signed))
        foreign = counted(
            self.foreign,
            say("1 is signed with an unavailable key"),
            say("{count} are signed with unavailable keys", count=self.foreign),
        )
        return in_turn((read, signed, foreign))


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
    yield Finding(name, counts.summary())
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
        counts.wrong.append(Finding(what, say("event {gap} is missing", gap=gap), remedy))
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
        mend = say("set the clock by NTP; otherwise this error disappears at {late} UTC", late=f"{late:%Y-%m-%d %H:%M}")
        counts.wrong.append(
            Finding(
                what,
                say("an event has the time {late} UTC, which is in the future", late=f"{late:%Y-%m-%d %H:%M}"),
                mend,
            )
        )


def _verifiers(note: Checkpoint, keys: Collection[bytes]) -> list[Verifier]:
    """The keys at hand by which a publication's checkpoint says that it is signed."""
    ours = [Verifier(s.name, key) for s in note.signatures for key in keys]
    return [v for v in ours if any((s.name, s.keyhash) == (v.name, v.keyhash) for s in note.signatures)]


def _wrong(note: Checkpoint, tree: Tree, ours: Sequence[Verifier]) -> Message | None:
    """What is wrong with a publication's checkpoint; None if it holds."""
    if not any(verifier.verifies(note) for verifier in ours):
        return say("the signature of its publication at event {size} is not valid", size=note.size)
    if note.size > tree.size or tree.root(note.size) != note.root:
        return say("its first {size} events differ from those that its publication signed", size=note.size)
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
    return counted(
        len(missing),
        say("1 text that an event refers to is missing, although it was not erased: {texts}", texts=told),
        say(
            "{count} texts that events refer to are missing, although they were not erased: {texts}",
            count=len(missing),
            texts=told,
        ),
    )
