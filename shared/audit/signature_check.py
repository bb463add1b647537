"""The signatures of records: each by the key that its service had announced before it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from shared.audit.progress import Tell, silent, told
from shared.audit.report import Report, on_sheet
from shared.core.events import KeyAnnounced
from shared.core.language.messages import say
from shared.core.terms import service_of
from shared.core.trust.service_keys import ServiceKey
from shared.signing.log_keys import LogKeys, Unsigned
from shared.wire.canonical import OFFICES
from shared.wire.envelope import Line

MISSING = say("signature missing")


def check_signatures(report: Report, lines: Sequence[bytes], events: Sequence[Line], tell: Tell = silent) -> LogKeys:
    """Check a log's records, and tell of keys that another service announced; the keys that the log names."""
    keys, records = LogKeys(), list(_records(events))
    for start, end in told(tell, "signatures", records):
        first = events[start]
        record = lines[start:end]
        refusal = keys.refusal(first.source, first.basis, record)
        _tell(report, refusal, (start + 1, end), "")
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
            whose = event.data.key.partition("+")[0]
            report.remark(
                say(
                    "line {seq}: {actor} announced a new key of {whose}, whose own was lost",
                    seq=event.seq,
                    actor=event.actor,
                    whose=whose,
                )
            )
    return keys


def check_named(report: Report, keys: LogKeys, given: Sequence[ServiceKey]) -> None:
    """Whether the keys that a log names are those that were ``given``; of a service of which none is given, any is taken."""
    if given and not keys.signed:
        report.lack(say("keys of services are given, and the log names none"))
    sources = {key.source for key in given}
    for one in (one for named in keys.named.values() for one in named):
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
    """Check the records of the score sheets beside a log, by the keys that it names."""
    for game, sheet in events.items():
        for start, end in _records(sheet):
            first = sheet[start]
            refusal = keys.sheet_refusal(first.source, first.basis, first.official or 0, sheets[game][start:end])
            _tell(report, refusal, (start + 1, end), game)


def _records(events: Iterable[Line]) -> Iterator[tuple[int, int]]:
    """Where each record begins, and behind its end: what one command wrote."""
    start = 0
    for _, record in groupby(events, key=lambda event: (event.source, event.command)):
        end = start + sum(1 for _ in record)
        yield start, end
        start = end


def _tell(report: Report, refusal: Unsigned | None, record: tuple[int, int], game: str) -> None:
    """What is wrong with the signature of a record, the first and the last line of which are given: it covers them all."""
    if refusal is None:
        return
    if refusal.kind == "missing":
        report.lack(MISSING)
    else:
        report.add(*record, "sheet" if game else "signature", on_sheet(game, refusal.why))
