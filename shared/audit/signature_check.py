"""The signatures of records, each checked with the key that its service had announced before it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from shared.audit.report import OnProgress, Report, on_sheet, silent, with_progress
from shared.core.events import KeyAnnounced
from shared.core.language.messages import say
from shared.core.terms import service_of
from shared.core.trust.service_keys import ServiceKey
from shared.signing.log_keys import LogKeys, Unsigned
from shared.wire.canonical import OFFICES
from shared.wire.envelope import Line

MISSING = say("signature missing")


def check_signatures(
    report: Report, lines: Sequence[bytes], events: Sequence[Line], on_progress: OnProgress = silent
) -> LogKeys:
    """Check a log's records, report keys that another service announced, and return the keys of the log."""
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
        report.remark(say("announced without keys: no signature says who wrote a record"))
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
        report.lack(say("keys of services are given, and the log names none"))
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
    """Check the records of the score sheets with the keys in the log."""
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
    """Report the fault of a record's signature. ``record``: the numbers of its first and last event."""
    if refusal is None:
        return
    if refusal.kind == "missing":
        report.lack(MISSING)
    else:
        report.add(*record, "sheet" if game else "signature", on_sheet(game, refusal.why))
