"""Checking a single receipt, without the log and without the installation."""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from shared.audit.checkpoints.checkpoint import Checkpoint, Verifies, parse
from shared.audit.checkpoints.cosignature import Witness, cosigners, quorum_missing
from shared.audit.checkpoints.note import BadCheckpoint, read_base64, read_number
from shared.audit.report import EXIT_CODES
from shared.core.language.messages import Message, say
from shared.core.terms import Verdict, service_of
from shared.core.trust.checkpoint_origin import is_origin
from shared.core.trust.merkle import leaf_hash, verify_inclusion
from shared.core.trust.service_keys import ServiceKey
from shared.signing.log_keys import Unsigned
from shared.signing.service_keys import holds
from shared.wire.envelope import Line, Unreadable, read, split_signature

_FORMAT = "c2sp.org/tlog-proof@v1"
MEDIA = "text/plain"
SUFFIX = ".tlog-proof"
MAX_BYTES = 1 << 25


@dataclass(frozen=True, slots=True)
class Receipt:
    """A proof that ``line`` (bytes without LF) is event ``seq`` (from 1) of a log.

    ``hashes``: the inclusion proof, which leads from the event to the root of the signed ``checkpoint``. ``note`` is the
    checkpoint byte for byte.
    """

    line: bytes
    seq: int
    hashes: tuple[bytes, ...]
    checkpoint: Checkpoint
    note: str

    @property
    def holds(self) -> bool:
        """Return whether the proof leads from the event to the checkpoint's root."""
        checkpoint = self.checkpoint
        return verify_inclusion(
            leaf_hash(self.line), self.seq - 1, checkpoint.size, self.hashes, checkpoint.root
        )  # fmt: skip

    def __str__(self) -> str:
        lines = [_FORMAT, f"extra {b64encode(self.line).decode()}", f"index {self.seq - 1}"]
        lines += [b64encode(one).decode() for one in self.hashes]
        return "\n".join(lines) + f"\n\n{self.note}"


def receipt(line: bytes, seq: int, hashes: tuple[bytes, ...], note: str) -> Receipt:
    """Return the receipt of event ``seq`` (its ``line``) with its inclusion proof (``hashes``) and a signed note.

    Raises `BadCheckpoint` if the note is not a checkpoint.
    """
    return Receipt(line, seq, hashes, parse(note), note)


def parse_receipt(text: str) -> Receipt:
    """Read a receipt. Raises `BadCheckpoint` with the fault of its form. `Receipt.holds` checks the proof."""
    head, separator, note = text.partition("\n\n")
    lines = head.split("\n")
    if lines[0] != _FORMAT:
        raise BadCheckpoint(say("a receipt must begin with {format}", format=repr(_FORMAT)))
    if len(lines) < 2 or not lines[1].startswith("extra "):
        raise BadCheckpoint(say("line 2: the receipt does not contain its event (extra)"))
    line = read_base64(lines[1].removeprefix("extra "), "line 2: the line")
    if len(lines) < 3 or not lines[2].startswith("index "):
        raise BadCheckpoint(say("line 3: the index is missing"))
    index = read_number(lines[2].removeprefix("index "), "line 3: the index")
    hashes = tuple(read_base64(one, f"line {n}: a hash") for n, one in enumerate(lines[3:], 4))
    if len(hashes) > 63 or any(len(one) != 32 for one in hashes):
        raise BadCheckpoint(say("a proof must have at most 63 hashes of 32 bytes"))
    if not separator:
        raise BadCheckpoint(say("the receipt does not contain a checkpoint"))
    return Receipt(line, index + 1, hashes, parse(note), note)


class ReceivedLine(NamedTuple):
    """A line proved by a receipt, and its event."""

    content: bytes
    event: Line


def received_lines(receipts: Sequence[Receipt], origin: str) -> dict[int, ReceivedLine]:
    """Return the events of the log ``origin`` in receipts, by number, without unreadable events and those with a false proof."""
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

    A record contains the events of one command, and its last event has the signature. The kind of `Unsigned` is ``missing`` if
    these events are not enough to decide, or ``bad`` if none of the given keys made the signature.
    """
    source = lines[seq].event.source
    service, own = service_of(source), [key for key in keys if key.source == source]
    if not own:
        return Unsigned(
            "missing",
            say("the signature of {service} was not checked: a key of {service} is not given", service=service),
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
                "the signature ({signature}) of event {last} is not by any given key of {service}",
                signature=signature[:8],
                last=last,
                service=service,
            ),
        )
    for start in range(first, seq + 1):
        if holds([lines[n].content for n in range(start, last + 1)], by):
            return by
    if _begins(first, lines):
        return Unsigned("bad", say("the signature of {service} on event {last} is invalid", service=service, last=last))
    return Unsigned(
        "missing",
        say(
            "the signature of {service} in line {last} is not over this line alone: the receipts of the lines of its record "
            "before line {first} must be given too",
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

    It does if its service had read the event just before it, or if that event belongs to another record.
    """
    return lines[first].event.basis == first - 1 or first - 1 in lines


@dataclass(slots=True)
class ReceiptReport:
    """The result of checking a ``receipt``. ``event``: its event (None: unreadable).

    ``findings`` contradict the receipt, ``lacking`` is missing evidence. ``cosigned``: names of the witnesses that cosigned.
    """

    receipt: Receipt
    event: Line | None = None
    findings: list[Message] = field(default_factory=list)
    lacking: list[Message] = field(default_factory=list)
    remarks: list[Message] = field(default_factory=list)
    cosigned: list[str] = field(default_factory=list)
    written_by: ServiceKey | None = None
    """The service's key, among the given ones, that signed the event's record."""

    @property
    def verdict(self) -> Verdict:
        if self.findings:
            return "differs"
        return "incomplete" if self.lacking else "agrees"

    def exit_code(self, *, strict: bool) -> int:
        """Return the exit code: 0 agrees, 1 differs, 3 incomplete. With ``strict``, incomplete is 1 too."""
        return EXIT_CODES["differs" if strict and self.lacking else self.verdict]

    def as_json(self) -> dict[str, Any]:
        """Return the report as JSON.

        ``origin``: the name of the log. ``seq``: the sequence number of the event in this log. ``size``: the number of events
        that the checkpoint covers.
        """
        checkpoint = self.receipt.checkpoint
        return {
            "verdict": self.verdict,
            "origin": checkpoint.origin,
            "seq": self.receipt.seq,
            "size": checkpoint.size,
            "root": checkpoint.root.hex(),
            "line": self.receipt.line.decode("utf-8", "replace"),
            "written_by": None if self.written_by is None else str(self.written_by),
            "cosigned": self.cosigned,
            "findings": [str(one) for one in self.findings],
            "incomplete": [str(one) for one in self.lacking],
            "remarks": [str(one) for one in self.remarks],
        }


def check(
    receipt: Receipt,
    keys: Sequence[Verifies],
    witnesses: Sequence[Witness] = (),
    quorum: int = 0,
    services: Sequence[ServiceKey] = (),
    further: Sequence[Receipt] = (),
) -> ReceiptReport:
    """Check that a receipt's event is in the log of its checkpoint, who signed the checkpoint, and who wrote the event.

    One of the ``keys`` must have signed the checkpoint, ``quorum`` of the ``witnesses`` must have cosigned it, and a key of
    ``services`` must have signed the event's record. ``further``: receipts of other events of this record.
    """
    report, checkpoint = ReceiptReport(receipt), receipt.checkpoint
    if not receipt.holds:
        report.findings.append(
            say("the proof does not lead from line {seq} to the root of the checkpoint", seq=receipt.seq)
        )
    try:
        report.event = read(receipt.line, receipt.seq)
    except Unreadable as problem:
        report.findings.append(say("the line cannot be read: {detail}", detail=problem.detail))
    else:
        stream = report.event.stream
        if not is_origin(checkpoint.origin, stream.partition("/")[2]) or not stream.startswith("tournaments/"):
            report.findings.append(
                say(
                    "the event belongs to {stream}, but the checkpoint to {origin}",
                    stream=stream,
                    origin=checkpoint.origin,
                )
            )
        _written_by(report, services, further)
    if not keys:
        report.lacking.append(say("the signature was not checked: a key is not given"))
    elif not any(key.verifies(checkpoint) for key in keys):
        names = ", ".join(sorted({one.name for one in checkpoint.signatures}))
        report.findings.append(
            say("none of the given keys verifies the checkpoint, which is signed by {names}", names=names)
        )
    elif all(key.verifies_formerly(checkpoint) for key in keys if key.verifies(checkpoint)):
        report.remarks.append(say("the checkpoint at {size} is signed with a former key", size=checkpoint.size))
    report.cosigned = [witness.name for witness in cosigners(checkpoint, witnesses)]
    why = quorum_missing(checkpoint, witnesses, quorum) if witnesses else None
    if why is not None:
        report.findings.append(why)
    return report


def _written_by(report: ReceiptReport, services: Sequence[ServiceKey], further: Sequence[Receipt]) -> None:
    """Store which of the ``services``' keys signed the event's record, or report why that is not known."""
    receipt = report.receipt
    if not services:
        report.remarks.append(say("the writer of the event was not checked: no service key is given"))
    elif receipt.holds:
        lines = received_lines([*further, receipt], receipt.checkpoint.origin)
        signer = signer_of(receipt.seq, lines, services)
        if isinstance(signer, ServiceKey):
            report.written_by = signer
        else:
            (report.lacking if signer.kind == "missing" else report.findings).append(signer.why)
