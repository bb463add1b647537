"""Judges what callers were told while things failed against the log that was left, as Jepsen judges queues.

Pure: it knows of operations with a beginning and an end, of reads, and of lines; not of HTTP, Kafka or databases.
Moments are numbers that grow by one, taken from one counter by everybody.

==========  ============================================================================================
lost        what was acknowledged is not in the log
doubled     an event, or what one operation wrote, stands there more than once
reordered   what was over before another began stands behind it; an operation's lines are torn apart
aborted     what was refused is in the log, or what somebody read is not
unexpected  a line that no operation wrote
changed     a repeat got another answer, or the log holds something else than was answered
forked      two that hold the log hold different ones
==========  ============================================================================================
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

Kind = Literal["lost", "doubled", "reordered", "aborted", "unexpected", "changed", "forked"]
Outcome = Literal["ok", "refused", "unknown"]


class Anomaly(NamedTuple):
    kind: Kind
    what: str


class Line(NamedTuple):
    """A line of the log as the checker sees it; ``mark`` is what its operation is called, where the line says so."""

    id: str
    command: str
    source: str
    content: str
    mark: str | None = None


@dataclass(frozen=True, slots=True)
class Operation:
    """One command from its first sending to its last answer.

    ``unknown``: no answer came, so it may be in the log, at most once. ``events`` are the ids that an
    acknowledgement told, with their contents; ``seq`` the number of the last official one, where it was told.
    ``answers`` are all bodies of acknowledgements: the first one, and those of repeats.
    """

    mark: str
    stream: str
    source: str
    began: int
    ended: int
    outcome: Outcome
    events: Mapping[str, str]
    seq: int | None = None
    answers: tuple[bytes, ...] = ()


class Read(NamedTuple):
    """The ids that somebody saw as the first lines of a stream."""

    reader: str
    stream: str
    ids: tuple[str, ...]


Log = Mapping[str, Sequence[Line]]
"""Stream (``tournaments/T``, ``games/G``) -> its lines."""


def check(history: Sequence[Operation], reads: Sequence[Read], log: Log) -> list[Anomaly]:
    """Everything that is wrong; empty where the log is one that the callers may have been told of."""
    index = _Index(log)
    found = [*_doubled(log), *_unexpected(history, index)]
    for operation in history:
        found += _one(operation, index)
    return [*found, *_reordered(history, index), *_read(reads, log)]


class _Index:
    """Where things stand. A line's place is its stream and its number in it, from 1."""

    def __init__(self, log: Log) -> None:
        self.log = log
        self.places: dict[str, tuple[str, int]] = {}
        self.lines: dict[str, Line] = {}
        self.commands: dict[str, dict[str, Line]] = defaultdict(dict)
        self.marked: dict[str, dict[str, Line]] = defaultdict(dict)
        for stream, lines in log.items():
            for number, line in enumerate(lines, 1):
                self.places.setdefault(line.id, (stream, number))
                self.lines.setdefault(line.id, line)
                self.commands[line.command][line.id] = line
                if line.mark is not None:
                    self.marked[line.mark][line.id] = line

    def written_by(self, operation: Operation) -> dict[str, Line]:
        """Every line of the commands that are this operation's, by what it was told or by its mark."""
        own = [self.lines[id] for id in operation.events if id in self.lines]
        own += self.marked.get(operation.mark, {}).values()
        return {id: line for command in {line.command for line in own} for id, line in self.commands[command].items()}

    def span(self, operation: Operation) -> tuple[int, int] | None:
        """First and last number of its official lines; None where there are none."""
        placed = [self.places[id] for id in self.written_by(operation)]
        numbers = [number for stream, number in placed if stream == operation.stream]
        return (min(numbers), max(numbers)) if numbers else None


def _doubled(log: Log) -> Iterable[Anomaly]:
    counts = Counter(line.id for lines in log.values() for line in lines)
    return [Anomaly("doubled", f"event {id} stands {n} times") for id, n in counts.items() if n > 1]


def _unexpected(history: Sequence[Operation], index: _Index) -> Iterable[Anomaly]:
    explained = {id for operation in history for id in index.written_by(operation)}
    return [
        Anomaly("unexpected", f"{stream} {number}: {line.content}")
        for stream, lines in index.log.items()
        for number, line in enumerate(lines, 1)
        if line.id not in explained
    ]


def _one(operation: Operation, index: _Index) -> Iterable[Anomaly]:
    """What is wrong with one operation by itself."""
    written = index.written_by(operation)
    name = f"{operation.mark} ({operation.outcome})"
    if operation.outcome == "refused" and written:
        yield Anomaly("aborted", f"{name} was refused, and wrote {', '.join(written)}")
    if len({line.command for line in written.values()}) > 1:
        yield Anomaly("doubled", f"{name} was followed more than once: {', '.join(written)}")
    for id, content in operation.events.items():
        if id not in index.lines:
            yield Anomaly("lost", f"{name}: event {id}")
        elif index.lines[id].content != content:
            yield Anomaly("changed", f"{name}: event {id} is not what was answered")
    if operation.outcome == "ok" and set(written) - set(operation.events):
        yield Anomaly("unexpected", f"{name} wrote more than was answered")
    if len(set(operation.answers)) > 1:
        yield Anomaly("changed", f"{name} got different answers to one key")
    yield from _places(operation, name, index)


def _places(operation: Operation, name: str, index: _Index) -> Iterable[Anomaly]:
    """Lines of one operation stand together, in the order in which they were answered, where its answer said."""
    for streams in _by_stream(operation.events, index).values():
        if streams != list(range(streams[0], streams[0] + len(streams))):
            yield Anomaly("reordered", f"{name}: its lines stand at {streams}")
    span = index.span(operation)
    if operation.seq is not None and span is not None and span[1] != operation.seq:
        yield Anomaly("changed", f"{name} was told {operation.seq}, and stands at {span[1]}")


def _by_stream(ids: Iterable[str], index: _Index) -> dict[str, list[int]]:
    found: dict[str, list[int]] = defaultdict(list)
    for id in ids:
        if id in index.places:
            stream, number = index.places[id]
            found[stream].append(number)
    return found


def _reordered(history: Sequence[Operation], index: _Index) -> Iterable[Anomaly]:
    """Whatever was acknowledged before another operation began stands before it in the log.

    So it is for operations of one service. What another service wrote before counts once its place was
    told (``seq``): an acknowledgement without one says that it is durable, not that it is in the log yet.
    """
    begins = {operation.began: operation for operation in history}
    ends = {operation.ended: operation for operation in history if operation.outcome == "ok"}
    highest: dict[tuple[str, str], tuple[int, str]] = {}
    floors: dict[str, tuple[int, str]] = {}
    for moment in sorted({*begins, *ends}):
        if moment in begins:
            one = begins[moment]
            none = (0, "")
            floors[one.mark] = max(highest.get((one.stream, one.source), none), highest.get((one.stream, ""), none))
        if moment in ends:
            one = ends[moment]
            span = index.span(one)
            if span is not None:
                place = (span[1], one.mark)
                for key in ((one.stream, one.source), *([(one.stream, "")] if one.seq is not None else [])):
                    highest[key] = max(highest.get(key, place), place)
    for one in history:
        span = index.span(one)
        if span is not None and span[0] <= floors[one.mark][0]:
            floor, earlier = floors[one.mark]
            yield Anomaly("reordered", f"{one.mark} began after {earlier} had ended at {floor}, and is at {span[0]}")


def _read(reads: Sequence[Read], log: Log) -> Iterable[Anomaly]:
    """Whatever was read is the beginning of what was left."""
    for reader, stream, ids in reads:
        there = [line.id for line in log.get(stream, ())]
        if list(ids) == there[: len(ids)]:
            continue
        gone = set(ids) - set(there)
        if gone:
            yield Anomaly("aborted", f"{reader} read {', '.join(sorted(gone))} in {stream}, which are not there")
        elif len(set(ids)) < len(ids):
            yield Anomaly("doubled", f"{reader} read a line of {stream} twice")
        else:
            yield Anomaly("reordered", f"{reader} read {stream} in another order, or with lines left out")


# ---------------------------------------------------------------- who holds the log


def compare(holders: Mapping[str, Mapping[str, Sequence[bytes]]]) -> list[Anomaly]:
    """Holder -> stream -> lines: all hold the same bytes in the same order."""
    names = list(holders)
    first, found = names[0], []
    for name in names[1:]:
        for stream in sorted({*holders[first], *holders[name]}):
            one, other = holders[first].get(stream, ()), holders[name].get(stream, ())
            if list(one) != list(other):
                at = next((i for i, (a, b) in enumerate(zip(one, other, strict=False), 1) if a != b), None)
                where = f"differ at line {at}" if at else f"hold {len(one)} and {len(other)} lines"
                found.append(Anomaly("forked", f"{stream}: {first} and {name} {where}"))
    return found


class Taken(NamedTuple):
    """What a topic's records come to: the log, how many records were repeats, how many came too early."""

    log: dict[str, list[bytes]]
    repeats: int
    ahead: int
    anomalies: list[Anomaly]


def take(records: Iterable[bytes]) -> Taken:
    """The records of a topic, those of a partition in order, as a plain reader makes a log of them.

    A record counts where its first number is its source's next; a used one with the same bytes is a repeat.
    """
    log: dict[str, list[bytes]] = defaultdict(list)
    held: dict[tuple[str, str], list[bytes]] = defaultdict(list)
    repeats, ahead, anomalies = 0, 0, []
    for record in records:
        lines = record.split(b"\n")
        head = json.loads(lines[0])
        own = held[head["subject"], head["source"]]
        number = head["sourceseq"]
        if number == len(own) + 1:
            own += lines
            log[head["subject"]] += lines
        elif number > len(own):
            ahead += 1
        elif own[number - 1 : number - 1 + len(lines)] == lines:
            repeats += 1
        else:
            anomalies.append(Anomaly("forked", f"{head['subject']}: {head['source']} used {number} twice"))
    return Taken(dict(log), repeats, ahead, anomalies)
