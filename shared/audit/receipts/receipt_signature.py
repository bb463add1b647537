"""The signer of a receipt's event: the signature of its record, checked with the service keys that the caller has.

A record's signature is in its last event and covers all of them. A single receipt proves it only if its event is the whole
record. For a longer record, the receipts of its other events are needed too.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from shared.audit.receipts.receipt import Receipt
from shared.core.language.messages import say
from shared.core.terms import service_of
from shared.core.trust.service_keys import ServiceKey
from shared.signing.log_keys import Unsigned
from shared.signing.service_keys import holds
from shared.wire.envelope import Line, Unreadable, read, split_signature


class ReceivedLine(NamedTuple):
    """A line proved by a receipt, and its event."""

    content: bytes
    event: Line


def received_lines(receipts: Sequence[Receipt], origin: str) -> dict[int, ReceivedLine]:
    """Return the events of one log among receipts, by number, without unreadable ones and those with a failed proof."""
    lines: dict[int, ReceivedLine] = {}
    for one in receipts:
        if one.checkpoint.origin != origin or not one.holds:
            continue
        try:
            lines[one.seq] = ReceivedLine(one.line, read(one.line, one.seq))
        except Unreadable:
            continue
    return lines


def signer_of(seq: int, lines: Mapping[int, ReceivedLine], keys: Sequence[ServiceKey]) -> ServiceKey | Unsigned:
    """Return the key that signed the record of event ``seq``, which is among ``lines``, or why none of the given keys did.

    ``missing``: these events are not enough to decide. ``bad``: none of the given keys made the signature.
    """
    source = lines[seq].event.source
    service, own = service_of(source), [key for key in keys if key.source == source]
    if not own:
        return Unsigned(
            "missing", say("signature of {service} not checked: no key of {service} is given", service=service)
        )
    first, last = _first(seq, lines), _last(seq, lines)
    signature = split_signature(lines[last].content)[1]
    if not signature:
        return Unsigned(
            "missing",
            say(
                "event {seq} has no signature of its record: {service} signs the last event of a record. Give the "
                "receipts of that event and of those between too",
                seq=seq,
                service=service,
            ),
        )
    by = next((key for key in own if signature.startswith(key.hash)), None)
    if by is None:
        return Unsigned(
            "bad",
            say(
                "the signature ({signature}) in line {last} is by no given key of {service}",
                signature=signature[:8],
                last=last,
                service=service,
            ),
        )
    for start in range(first, seq + 1):
        if holds([lines[n].content for n in range(start, last + 1)], by):
            return by
    if _begins(first, lines):
        return Unsigned(
            "bad", say("the signature of {service} in line {last} does not hold", service=service, last=last)
        )
    return Unsigned(
        "missing",
        say(
            "the signature of {service} in line {last} is not over this line alone: the receipts of the lines of its record "
            "before line {first} are to be given too",
            service=service,
            last=last,
            first=first,
        ),
    )


def _same_record(one: ReceivedLine, other: ReceivedLine) -> bool:
    return (one.event.source, one.event.command) == (other.event.source, other.event.command)


def _first(seq: int, lines: Mapping[int, ReceivedLine]) -> int:
    """Return the number of the record's first given event: the event before it is not given, or ends another record."""
    first = seq
    while (
        (before := lines.get(first - 1)) and _same_record(before, lines[seq]) and not split_signature(before.content)[1]
    ):
        first -= 1
    return first


def _last(seq: int, lines: Mapping[int, ReceivedLine]) -> int:
    """Return the number of the record's last given event, which contains the signature if it was given."""
    last = seq
    while (
        not split_signature(lines[last].content)[1]
        and (after := lines.get(last + 1))
        and _same_record(after, lines[seq])
    ):
        last += 1
    return last


def _begins(first: int, lines: Mapping[int, ReceivedLine]) -> bool:
    """Return whether a record certainly begins with this event.

    It does if it was written on all events before it, or if the event before belongs to another record.
    """
    return lines[first].event.basis == first - 1 or first - 1 in lines
