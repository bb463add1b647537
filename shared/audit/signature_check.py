"""Checks of the envelopes and of the signatures of events."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, groupby
from operator import attrgetter

from shared.audit.evidence.held_evidence import SheetEvidence
from shared.audit.report import OnProgress, Report, on_sheet, silent, with_progress
from shared.core.events import KeyAnnounced
from shared.core.language.messages import Message, say
from shared.core.terms import GAMES, RULEBOOK, Source, service_of
from shared.core.trust.service_keys import ServiceKey
from shared.signing.log_keys import LogKeys, Unsigned
from shared.wire.canonical import OFFICES
from shared.wire.envelope import Line

_SHARED = ("source", "time", "basis", "basisroot", "tokenid", "software")
"""Attributes that are the same in all events of one command."""
_shared_of = attrgetter(*_SHARED)


def command_problem(lines: Sequence[Line]) -> Message | None:
    """Return a fault in the envelopes of one command's events (those on the score sheet first), or None.

    The events of the command itself carry the person. All consequences carry the rulebook, without a person.
    """
    first = lines[0]
    if len(set(map(_shared_of, lines))) > 1:
        name = next(name for name in _SHARED if any(getattr(line, name) != getattr(first, name) for line in lines))
        return say("the lines of one command differ in their {name}", name=name)
    authors = [(line.actor, line.role) for line in lines]
    rulebook = (RULEBOOK.name, RULEBOOK.role)
    persons = [one for one in authors if one != rulebook]
    if authors != persons + [rulebook] * (len(authors) - len(persons)):
        return say("an event of the rulebook precedes the event of the command")
    if len(set(persons)) > 1:
        return say("the events of one command have two different actors")
    if persons and RULEBOOK.role == persons[0][1]:
        return say("an event of the rulebook has the name of a person as its actor")
    return None


def check_envelopes(report: Report, events: Sequence[Line], sheets: SheetEvidence) -> None:
    """Check every command's events, every token, and the clocks of the log and of each score sheet."""
    ids = {event.id for event in events}
    tokens: dict[str, tuple[str, str]] = {}
    for (_, command), group in groupby(events, key=lambda event: (event.source, event.command)):
        lines = [*group]
        _, sheet_lines = sheets.commands.get(command, ("", []))
        why = command_problem([*sheet_lines, *lines]) or _token_problem(report, tokens, lines[0])
        if why is not None:
            report.add(lines[0].seq, lines[-1].seq, "order", why)
    _clocks(report, events, "order", "")
    official = {event.command for event in events}
    own = list(accumulate((event.source == GAMES for event in events), initial=0))
    for game, lines in sheets.events.items():
        _clocks(report, lines, "sheet", game)
        for before, line in zip([None, *lines], lines, strict=False):
            if before is not None and (line.basis < before.basis or (line.official or 0) < (before.official or 0)):
                report.add(
                    line.seq,
                    line.seq,
                    "sheet",
                    on_sheet(
                        game, say("its basis or its official number must not be lower than that of the event before it")
                    ),
                )
            if not own[min(max(line.basis, 0), len(events))] <= (line.official or 0) <= own[-1]:
                report.add(
                    line.seq,
                    line.seq,
                    "sheet",
                    on_sheet(game, say("its official must be the number of an event that its service had written")),
                )
            if line.id in ids:
                report.add(
                    line.seq,
                    line.seq,
                    "sheet",
                    on_sheet(game, say("its ID {id} is also that of another event", id=line.id)),
                )
            ids.add(line.id)
    for command, (game, sheet_lines) in sheets.commands.items():
        if command not in official:
            why = command_problem(sheet_lines) or _token_problem(report, tokens, sheet_lines[0])
            if why is not None:
                report.add(sheet_lines[0].seq, sheet_lines[-1].seq, "sheet", on_sheet(game, why))


def _token_problem(report: Report, tokens: dict[str, tuple[str, str]], line: Line) -> Message | None:
    """Return a message if an event's token was used before by another person, or in another role, else None.

    Only checked if the log has the second edition of offices or a later one.
    """
    if report.offices < 2 or not line.tokenid or line.role == RULEBOOK.role:
        return None
    name, role = tokens.setdefault(line.tokenid, (line.actor, line.role))
    return (
        None
        if (name, role) == (line.actor, line.role)
        else say(
            "its token belongs to {name} with the role {role}, but the event has another actor or role",
            name=name,
            role=role,
        )
    )


def _clocks(report: Report, lines: Iterable[Line], kind: str, game: str) -> None:
    """Check whether the times of a stream's events go back, each compared with the previous event of its source.

    It is a finding from the second edition of offices on, whose services guarantee it, else a remark.
    """
    last: dict[Source, str] = {}
    for line in lines:
        before = last.get(line.source, "")
        if line.time < before and report.offices >= 2:
            report.add(
                line.seq,
                line.seq,
                kind,
                on_sheet(
                    game,
                    say(
                        "the time {time} of {source} is before that of its last event",
                        source=line.source,
                        time=line.time,
                    ),
                ),
            )
        elif line.time < before:
            report.remark(
                say("the time of an event is before that of the event before it; logs of this edition may contain this")
            )
        last[line.source] = max(line.time, before)


MISSING = say("signature missing")


def check_signatures(
    report: Report, lines: Sequence[bytes], events: Sequence[Line], on_progress: OnProgress = silent
) -> LogKeys:
    """Check the signatures of a log's records, and return its keys. Keys announced by another service get a remark."""
    keys, records = LogKeys(), list(_records(events))
    for start, end in with_progress(on_progress, "signatures", records):
        first = events[start]
        record = lines[start:end]
        refusal = keys.refusal(first.source, first.basis, record)
        _report_refusal(report, refusal, (start + 1, end), "")
        if refusal is None or keys.signed is None:
            keys.take(first.source, first.sourceseq, record)
        else:
            keys.size += len(record)
    if keys.signed is False and report.offices >= OFFICES:
        report.lack(MISSING, len(records))
    elif keys.signed is False:
        report.remark(
            say("the tournament was created without keys, so signatures cannot show which service wrote a record")
        )
    for event in events:
        if isinstance(event.data, KeyAnnounced) and event.source[1:] != event.data.key.partition("+")[0]:
            owner = event.data.key.partition("+")[0]
            report.remark(
                say(
                    "line {seq}: {actor} announced a new key of {whose}, whose own was lost",
                    seq=event.seq,
                    actor=event.actor,
                    whose=owner,
                )
            )
    return keys


def check_named(report: Report, keys: LogKeys, given: Sequence[ServiceKey]) -> None:
    """Check that the keys in a log are among those ``given``. A service without a given key may have any key."""
    if given and not keys.signed:
        report.lack(say("keys of services are given, but the log lists no keys to compare them with"))
    sources = {key.source for key in given}
    for one in (one for log_keys in keys.named.values() for one in log_keys):
        if one.key.source in sources and one.key not in given:
            why = say(
                "it contains a key of {service} ({hash}) that is not among the given keys",
                service=service_of(one.key.source),
                hash=one.key.hash,
            )
            report.add(one.seq, one.seq, "signature", why)


def check_sheets(
    report: Report, keys: LogKeys, sheets: Mapping[str, Sequence[bytes]], events: Mapping[str, Sequence[Line]]
) -> None:
    """Check the signatures of the score sheets' records with the keys in the log.

    ``sheets``: the lines of each game's sheet. ``events``: the same lines as parsed events, by game.
    """
    for game, sheet in events.items():
        for start, end in _records(sheet):
            first = sheet[start]
            refusal = keys.sheet_refusal(first.source, first.basis, first.official or 0, sheets[game][start:end])
            _report_refusal(report, refusal, (start + 1, end), game)


def _records(events: Iterable[Line]) -> Iterator[tuple[int, int]]:
    """Yield the start and the end (exclusive) of each record, which contains the events of one command."""
    start = 0
    for _, record in groupby(events, key=lambda event: (event.source, event.command)):
        end = start + sum(1 for _ in record)
        yield start, end
        start = end


def _report_refusal(report: Report, refusal: Unsigned | None, record: tuple[int, int], game: str) -> None:
    """Report the ``refusal`` of a record's signature, or nothing if it is None because the signature is valid.

    ``record``: the numbers of its first and last event. ``game``: the game of its score sheet, or empty for the log.
    """
    if refusal is None:
        return
    if refusal.kind == "missing":
        report.lack(MISSING)
    else:
        report.add(*record, "sheet" if game else "signature", on_sheet(game, refusal.why))
