"""Evidence held by others, compared with a log: signed checkpoints, receipts, cosignatures and short digests."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from shared.audit.checkpoints.checkpoint import Checkpoint, Verifies
from shared.audit.checkpoints.cosignature import Witness, quorum_missing
from shared.audit.receipts.receipt_check import Receipt
from shared.audit.report import OnProgress, Report, on_sheet, silent, with_progress
from shared.core.event_types.registry import WRITERS
from shared.core.events import SheetLine
from shared.core.language.messages import Message, say
from shared.core.trust.merkle import FORMER_DIGITS, Tree, digest_fits, digest_size
from shared.wire import canonical
from shared.wire.envelope import Line, Unreadable, read


@dataclass
class SheetEvidence:
    """The score sheets of a tournament: their lines, events and commands, by game. ``given``: False if none were given."""

    given: bool = False
    lines: dict[str, list[bytes]] = field(default_factory=dict)
    events: dict[str, list[Line]] = field(default_factory=dict)
    commands: dict[str, tuple[str, list[Line]]] = field(default_factory=dict)
    """Causation ID -> (game, its events)."""

    @classmethod
    def read(
        cls, report: Report, sheets: Mapping[str, Sequence[bytes]] | None, on_progress: OnProgress = silent
    ) -> "SheetEvidence":
        """Read the sheets (game -> its lines). Faults are added to the report."""
        if sheets is None:
            return cls()
        evidence = cls(given=True)
        for game, lines in with_progress(on_progress, "sheets", tuple(sheets.items())):
            evidence.lines[game] = list(lines)
            evidence.events[game] = []
            for number, line in enumerate(lines, 1):
                try:
                    event = read(line, number)
                except Unreadable as problem:
                    report.add(number, number, "sheet", on_sheet(game, problem.detail))
                    break
                why = canonical.refusal(line, number, report.offices)
                if why is not None:
                    report.add(number, number, "sheet", on_sheet(game, why))
                if not isinstance(event.data, SheetLine) or event.source not in WRITERS[type(event.data)]:
                    report.add(
                        number,
                        number,
                        "sheet",
                        on_sheet(
                            game,
                            say(
                                "an event of this type is unexpected here: {source} does not write it",
                                source=event.source,
                            ),
                        ),
                    )
                if event.sourceseq != number or event.game != game:
                    report.add(
                        number,
                        number,
                        "sheet",
                        on_sheet(
                            game,
                            say(
                                "{stream} has sourceseq {sourceseq}, but the next number must be {number}",
                                stream=event.stream,
                                sourceseq=event.sourceseq,
                                number=number,
                            ),
                        ),
                    )
                evidence.events[game].append(event)
                evidence.commands.setdefault(event.command, (game, []))[1].append(event)
        return evidence


class HeldEvidence:
    """The comparison of a log with evidence from outside, with a method for each kind. Differences are added to the report.

    ``covered``: number of events that a root has confirmed so far.
    """

    def __init__(self, report: Report, tree: Tree, lines: Sequence[bytes], covered: int) -> None:
        self._report, self._tree, self._content, self.covered = report, tree, lines, covered
        self._lines = len(lines)

    def checkpoints(self, checkpoints: Sequence[Checkpoint], keys: Sequence[Verifies]) -> None:
        """Compare signed checkpoints with the log. The events of one that a key verifies and that agrees are confirmed.

        Without ``keys`` nothing is confirmed, and the report is incomplete.
        """
        used: set[Verifies] = set()
        for checkpoint in checkpoints:
            signers = {key for key in keys if key.verifies(checkpoint)}
            used |= signers
            why = self._contradiction(checkpoint)
            if why is None and keys and not signers:
                why = say(
                    "none of the given keys verifies the signature of the checkpoint of the first {size} events",
                    size=checkpoint.size,
                )
            if why is not None:
                self._differs(checkpoint.size, why)
            elif not keys:
                self._report.lack(
                    say(
                        "the signature of the checkpoint of the first {size} events was not checked: its key is "
                        "not given",
                        size=checkpoint.size,
                    )
                )
            else:
                self._covers(checkpoint.size)
                if all(key.verifies_formerly(checkpoint) for key in signers):
                    self._report.remark(
                        say("the checkpoint at {size} is signed with a former key", size=checkpoint.size)
                    )
        for key in keys if checkpoints else ():
            if key not in used:
                why = say("none of the given checkpoints is signed with the key {name}", name=key.name)
                self._report.add(1, max(self._lines, 1), "checkpoint", why)

    def receipts(self, receipts: Sequence[Receipt]) -> None:
        """Report each receipt whose proof is wrong or whose event differs from the log. Its checkpoint is not compared here."""
        for receipt in receipts:
            seq = receipt.seq
            if not receipt.holds:
                why = say("the receipt of line {seq} does not lead to the root of its own checkpoint", seq=seq)
            elif seq > self._lines or self._content[seq - 1] != receipt.line:
                why = say("event {seq} differs from the event in the receipt", seq=seq)
            else:
                continue
            self._report.add(seq, seq, "checkpoint", why)

    def witnesses(self, checkpoints: Sequence[Checkpoint], witnesses: Sequence[Witness], quorum: int) -> None:
        """Check that ``quorum`` of the witnesses cosigned the newest checkpoint."""
        newest = max(checkpoints, key=lambda checkpoint: checkpoint.size, default=None)
        if newest is None:
            self._report.lack(say("witness keys were given, but no checkpoint that they could have cosigned"))
            return
        why = quorum_missing(newest, witnesses, quorum, checkpoints)
        if why is not None:
            self._differs(newest.size, why)

    def digests(self, digests: Sequence[str]) -> None:
        """Compare short digests with the roots of the log. A digest of 80 bits gets a remark, because it can be forged."""
        for digest in digests:
            size = digest_size(digest)
            if not 0 <= size <= self._tree.size or not digest_fits(digest, self._tree.root(size)):
                self._differs(size, say("the log does not have the digest {digest}", digest=digest))
                continue
            self._covers(size)
            if len(digest.partition(":")[2]) == FORMER_DIGITS:
                self._report.remark(
                    say(
                        "the digest {digest} has 80 bits, which can be forged: it cannot prove a fraud by the operator",
                        digest=digest,
                    )
                )

    def _covers(self, size: int) -> None:
        if size <= self._tree.size:
            self.covered = max(self.covered, size)

    def _differs(self, size: int, why: Message) -> None:
        last = max(size, 1)
        self._report.add(min(self.covered + 1, last), last, "checkpoint", why)

    def _contradiction(self, checkpoint: Checkpoint) -> Message | None:
        """Return how a checkpoint contradicts the log, whoever signed it, or None."""
        size = checkpoint.size
        if checkpoint.origin != self._report.origin:
            return say(
                "a checkpoint of {origin} is given for {other}", origin=checkpoint.origin, other=self._report.origin
            )
        if size > self._lines:
            return say(
                "events are missing: a checkpoint covers {size}, the log has {lines}", size=size, lines=self._lines
            )
        if size <= self._tree.size and self._tree.root(size) != checkpoint.root:
            return say("the root of the first {size} events differs from that of the checkpoint", size=size)
        return None
