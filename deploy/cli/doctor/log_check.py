"""Checks of a log: whether it is complete, its publications are valid, its times are past, and its webhooks work."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import groupby
from pathlib import Path
from urllib.parse import urlsplit

import sqlalchemy as sa

from deploy.cli.doctor.finding import Finding
from deploy.cli.terminal.verb import counted
from deploy.server.numbers.metrics import latest_time
from shared.audit.checkpoints.checkpoint import Checkpoint, Verifier
from shared.audit.checkpoints.publications import published_checkpoints
from shared.audit.evidence.named_texts import NamedTexts
from shared.audit.keys import service_key_files
from shared.audit.keys.key_files import BadKeys
from shared.core.language.messages import Message, and_more, in_turn, message_of, say
from shared.core.terms import SOURCES, Source, service_of
from shared.core.trust.merkle import Tree
from shared.log.distributed import DistributedLog
from shared.log.port import DamagedStream, Log, Row
from shared.log.sql.tables import WEBHOOKS
from shared.log.sqlite import SqliteLog
from shared.log.webhooks import Webhook
from shared.signing.log_keys import LogKeys
from shared.wire.envelope import Unreadable, read

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
        read = say("the log has {events} of {tournaments}", events=events, tournaments=tournaments)
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
    """Every tournament of a log. ``keys``: the available public keys of checkpoints. ``remedy``: the fix for
    changed events."""
    counts = _Counts()
    sheets = _sheets(log)
    for stream in log.streams(_PREFIX):
        t = stream.removeprefix(_PREFIX)
        try:
            rows = log.lines(stream)
            _look_at_tournament(counts, t, rows, keys, remedy, now)
            if missing := missing_texts(log, t, rows, sheets.get(t, ())):
                counts.wrong.append(Finding(say("texts of {t}", t=t), missing, _TEXTS))
        except DamagedStream as problem:
            counts.wrong.append(Finding(say("log of {t}", t=t), message_of(problem), remedy))
    yield Finding(name, counts.summary())
    yield from counts.wrong


def undamaged_lines(log: Log, stream: str) -> Sequence[Row]:
    """Return the events of a stream, or nothing if they are compressed and damaged, which `look_at_log` reports."""
    try:
        return log.lines(stream)
    except DamagedStream:
        return ()


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
        mend = say(
            "set the server's clock by NTP; if it is right already, wait: the error ends at {late} "
            "UTC, the time of the last event",
            late=f"{late:%Y-%m-%d %H:%M}",
        )
        counts.wrong.append(
            Finding(
                what,
                say("an event has the time {late} UTC, which is in the future", late=f"{late:%Y-%m-%d %H:%M}"),
                mend,
            )
        )


def _verifiers(note: Checkpoint, keys: Collection[bytes]) -> list[Verifier]:
    """Return the available keys that a publication's checkpoint names as its signers."""
    ours = [Verifier(s.name, key) for s in note.signatures for key in keys]
    return [v for v in ours if any((s.name, s.keyhash) == (v.name, v.keyhash) for s in note.signatures)]


def _wrong(note: Checkpoint, tree: Tree, ours: Sequence[Verifier]) -> Message | None:
    """Return the fault of a publication's checkpoint, or None if it is valid."""
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


def look_at_webhooks(log: SqliteLog | DistributedLog) -> Iterator[Finding]:
    """Yield the state of each webhook, unless the database is too old for them. Only the host of an address is printed."""
    if not sa.inspect(log.reader).has_table(WEBHOOKS.name):
        return
    hooks = log.webhooks.every()
    if hooks:
        yield Finding(
            say("webhooks"),
            counted(len(hooks), say("1 is registered"), say("{count} are registered", count=len(hooks))),
        )
    for hook in hooks:
        if hook.tries:
            yield _in_vain(hook)


def _in_vain(hook: Webhook) -> Finding:
    what = say("webhook {id}", id=hook.id)
    facts: dict[str, str | int] = {
        "host": urlsplit(hook.url).hostname or "",
        "seq": hook.seq,
        "t": hook.failing,
        "why": hook.why,
    }
    if not hook.stopped:
        due = f"{datetime.fromtimestamp(hook.due, UTC):%Y-%m-%d %H:%M}"
        state = say(
            "{host} did not accept event {seq} of {t} ({why}); the next attempt is at {due} UTC", due=due, **facts
        )
        return Finding(what, state)
    path = f"/v1/tournaments/{hook.tournament}" if hook.tournament else "/v1"
    state = say("{host} did not accept event {seq} of {t} ({why}); delivery has stopped", **facts)
    remedy = say(
        "make sure that the receiver accepts it, then send POST {path}", path=f"{path}/webhooks/{hook.id}/resume"
    )
    return Finding(what, state, remedy)


def look_at_service_keys(folder: Path, log: Log, sources: Sequence[Source] = SOURCES) -> Iterator[Finding]:
    """Yield each tournament whose valid key of a service is not among that service's private keys.

    ``sources``: the services whose keys are checked, which are those that write the log. A tournament suspended at its first
    event belongs to another operator, and is reported as suspended.
    """
    what = say("keys of services") if len(sources) > 1 else say("key of {service}", service=service_of(sources[0]))
    try:
        own = service_key_files.load(folder, sources)
    except BadKeys as problem:
        yield Finding(
            what,
            message_of(problem),
            say("restore {path} from the backup of the keys", path=str(folder / service_key_files.FOLDER)),
        )
        return
    held = {source: set(own.own(source)) for source in sources}
    signed = 0
    wrong = []
    strangers = {stream for stream, stop in log.stops().items() if stop.seq < 1}
    for stream in sorted(set(log.streams(_PREFIX)) - strangers):
        keys = _keys_of(log, stream)
        signed += bool(keys.signed)
        for source in sources if keys.signed else ():
            named = keys.named.get(source)
            if named and named[-1].key in held[source]:
                continue
            service, t = service_of(source), stream.removeprefix(_PREFIX)
            key = str(named[-1].key) if named else say("no key")
            mend = say(
                "restore keys/{service}.key, or ask the organiser to announce the new key with a reason",
                service=service,
            )
            wrong.append(
                Finding(
                    say("keys of {t}", t=t),
                    say(
                        "{service} signs with {key}, which is not in {folder}",
                        service=service,
                        key=key,
                        folder=str(folder),
                    ),
                    mend,
                )
            )
    yield Finding(
        what,
        counted(
            signed,
            say("they exist; 1 tournament is signed with them"),
            say("they exist; {count} tournaments are signed with them", count=signed),
        ),
    )
    yield from wrong


def _keys_of(log: Log, stream: str) -> LogKeys:
    """The keys that a log names, as far as it can be read."""
    keys = LogKeys()
    for _, group in groupby(undamaged_lines(log, stream), key=lambda row: (row.source, row.command)):
        rows = list(group)
        lines = [row.line for row in rows]
        try:
            basis = read(lines[0], rows[0].seq).basis if keys.names_keys(lines) else 0
        except Unreadable:
            return keys
        if not keys.names_keys(lines) or keys.signed is None or keys.refusal(rows[0].source, basis, lines) is None:
            keys.take(rows[0].source, rows[0].sourceseq, lines)
        else:
            keys.size += len(lines)
    return keys
