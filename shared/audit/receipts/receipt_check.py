"""Checking a single receipt, without the log and without the installation."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from shared.audit.checkpoints.checkpoint import Verifies
from shared.audit.checkpoints.cosignature import Witness, cosigners, quorum_missing
from shared.audit.receipts.receipt import Receipt
from shared.audit.receipts.receipt_signature import received_lines, signer_of
from shared.audit.report import EXIT_CODES, Verdict
from shared.core.language.messages import Message, say
from shared.core.trust.checkpoint_origin import is_origin
from shared.core.trust.service_keys import ServiceKey
from shared.wire.envelope import Line, Unreadable, read


@dataclass(slots=True)
class ReceiptReport:
    """The result of a check. ``findings`` contradict the receipt; ``lacking``: missing evidence; ``event``: its event."""

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
        """Return the exit code, as for an audit."""
        return EXIT_CODES["differs" if strict and self.lacking else self.verdict]

    def as_json(self) -> dict[str, Any]:
        """Return the report as JSON. ``seq``: the event's number in the log of ``origin``. ``size``: that of the checkpoint."""
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
    """Check that the event is in the checkpoint's log, the signatures of the checkpoint, and that its service wrote it.

    ``services``: keys of services. ``further``: receipts of other events of its record.
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
                say("the line is of {stream}, the checkpoint of {origin}", stream=stream, origin=checkpoint.origin)
            )
        _written_by(report, services, further)
    if not keys:
        report.lacking.append(say("signature not checked: no key is given"))
    elif not any(key.verifies(checkpoint) for key in keys):
        names = ", ".join(sorted({one.name for one in checkpoint.signatures}))
        report.findings.append(say("no given key verifies the checkpoint, which is signed by {names}", names=names))
    report.cosigned = [witness.name for witness in cosigners(checkpoint, witnesses)]
    why = quorum_missing(checkpoint, witnesses, quorum) if witnesses else None
    if why is not None:
        report.findings.append(why)
    return report


def _written_by(report: ReceiptReport, services: Sequence[ServiceKey], further: Sequence[Receipt]) -> None:
    """Store which key signed the event's record, or why that is not known."""
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
