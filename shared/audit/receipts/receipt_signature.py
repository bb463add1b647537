"""Who wrote the line of a receipt: the signature of its record, by the keys that whoever checks it has of the services.

A record's signature stands in its last line and is over all of them. So a receipt alone shows it where its line is the whole
record; for a longer one the receipts of its other lines are taken beside it.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from shared.audit.receipts.receipt import Receipt
from shared.core.language.messages import say
from shared.core.terms import service_of
from shared.core.trust.service_keys import ServiceKey
from shared.signing.log_keys import Unsigned
from shared.signing.records import holds
from shared.wire.envelope import Line, Unreadable, read
from shared.wire.signature import split


class ReceivedLine(NamedTuple):
    """A line that a receipt's proof leads from, and what it says."""

    content: bytes
    event: Line


def received(receipts: Sequence[Receipt], origin: str) -> dict[int, ReceivedLine]:
    """The lines of one log among receipts, by their number; those that cannot be read, or whose proof fails, are left out."""
    found: dict[int, ReceivedLine] = {}
    for one in receipts:
        if one.checkpoint.origin != origin or not one.holds:
            continue
        try:
            found[one.seq] = ReceivedLine(one.line, read(one.line, one.seq))
        except Unreadable:
            continue
    return found


def signer_of(seq: int, lines: Mapping[int, ReceivedLine], keys: Sequence[ServiceKey]) -> ServiceKey | Unsigned:
    """The key that signed the record of line ``seq``, which is among ``lines``; else why none of the given ones is known to.

    ``missing``: it cannot be told from these lines; ``bad``: the signature is by none of the given keys.
    """
    source = lines[seq].event.source
    service, own = service_of(source), [key for key in keys if key.source == source]
    if not own:
        return Unsigned(
            "missing", say("signature of {service} not checked: no key of {service} is given", service=service)
        )
    first, last = _first(seq, lines), _last(seq, lines)
    signature = split(lines[last].content)[1]
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


def _same(one: ReceivedLine, other: ReceivedLine) -> bool:
    return (one.event.source, one.event.command) == (other.event.source, other.event.command)


def _first(seq: int, lines: Mapping[int, ReceivedLine]) -> int:
    """The number of the first line at hand of the record of ``seq``: the line before it is not, or ends another record."""
    first = seq
    while (before := lines.get(first - 1)) and _same(before, lines[seq]) and not split(before.content)[1]:
        first -= 1
    return first


def _last(seq: int, lines: Mapping[int, ReceivedLine]) -> int:
    """The number of the last line at hand of the record of ``seq``, the one that bears the signature where that is there."""
    last = seq
    while not split(lines[last].content)[1] and (after := lines.get(last + 1)) and _same(after, lines[seq]):
        last += 1
    return last


def _begins(first: int, lines: Mapping[int, ReceivedLine]) -> bool:
    """Whether a record certainly begins with this line: it was written on all before it, or the one before is of another."""
    return lines[first].event.basis == first - 1 or first - 1 in lines
