"""The audit: every line of a log read, chained and decided again, from its bytes alone.

First the lines (they parse, they stand in order, their roots hold), then the
decisions (`shared.audit.redecision`), then the checkpoints that are held elsewhere.
"""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from shared.audit import envelopes
from shared.audit.checkpoints.checkpoint import Checkpoint, Verifies
from shared.audit.checkpoints.cosignature import Witness
from shared.audit.evidence.held_evidence import Held
from shared.audit.evidence.sheet_evidence import SheetEvidence
from shared.audit.evidence.text_evidence import compare, erasures
from shared.audit.progress import Tell, silent, told
from shared.audit.receipts.receipt import Receipt
from shared.audit.redecision import Redecision
from shared.audit.report import AuditFinding, Crossing, Report
from shared.audit.signature_check import check_named, check_sheets, check_signatures
from shared.audit.switches import switches
from shared.core.event_types.gc_pause import no_collector
from shared.core.event_types.registry import WRITERS
from shared.core.events import CheckpointRestarted, TournamentAnnounced
from shared.core.language.messages import say
from shared.core.readings.settlement import describe, open_bases
from shared.core.state.tournament import Tournament, TournamentState
from shared.core.terms import Source
from shared.core.trust.checkpoint_origin import origin
from shared.core.trust.merkle import Tree
from shared.core.trust.service_keys import ServiceKey
from shared.desk.rules_port import Rules
from shared.desk.views import stream_of
from shared.wire import canonical
from shared.wire.envelope import Line, Unreadable, read


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the auditor brings beside the log.

    ``sheets``: game -> its score sheet's lines (None: not given). ``checkpoints``
    with ``keys`` to verify them by; ``digests``: short digests from printed sheets;
    ``receipts`` are of lines that must stand in the log; ``quorum`` of the ``witnesses`` must have cosigned the newest
    checkpoint. ``services``: keys of services; the log may name no other key of a service that has one among them.
    ``texts``: hashes of the texts beside the log (None: not given).
    ``engines`` false leaves pairings by an engine to be decided again elsewhere.
    """

    sheets: Mapping[str, Sequence[bytes]] | None = None
    checkpoints: Sequence[Checkpoint] = ()
    keys: Sequence[Verifies] = ()
    digests: Sequence[str] = ()
    receipts: Sequence[Receipt] = ()
    witnesses: Sequence[Witness] = ()
    quorum: int = 0
    services: Sequence[ServiceKey] = ()
    texts: Sequence[str] | None = None
    engines: bool = True


@no_collector()
def audit(
    lines: Sequence[bytes], rules: Mapping[Source, Rules], evidence: Evidence | None = None, tell: Tell = silent
) -> Report:
    """Audit one tournament's log (lines without LF), and ``tell`` how far it is. The report names every finding; nothing is
    raised."""
    evidence = evidence or Evidence()
    chain = _Chain(lines)
    for line in told(tell, "lines", lines):
        if not chain.take(line):
            break
    report = chain.report
    report.size, report.root = len(lines), chain.tree.root(chain.tree.size)
    if chain.events:
        report.tournament = chain.stream.partition("/")[2]
        announced = next((e.data for e in chain.events if isinstance(e.data, TournamentAnnounced)), None)
        report.origin = (announced and announced.origin) or origin(report.tournament)
        switches(report, chain.events)
        sheets = SheetEvidence.read(report, evidence.sheets, tell)
        named = check_signatures(report, lines, chain.events, tell)
        check_named(report, named, evidence.services)
        check_sheets(report, named, sheets.lines, sheets.events)
        envelopes.compare(report, chain.events, sheets)
        redecision = Redecision(report, chain.events, chain.tree, rules, sheets, evidence.keys)
        redecision.run(evidence.engines, tell)
        note_outdated(report, redecision.fold)
        erasures(report, chain.events, sheets.events if sheets.given else None)
        if evidence.texts is not None:
            compare(report, chain.events, evidence.texts, sheets.events if sheets.given else None)
    left = len(lines) - len(chain.events)
    if left:
        report.leave_out(say("after a line that cannot be read"), left)
    held = Held(report, chain.tree, lines, chain.covered)
    given = [*evidence.checkpoints, *(receipt.checkpoint for receipt in evidence.receipts)]
    held.checkpoints(given, evidence.keys)
    held.receipts(evidence.receipts)
    if evidence.witnesses:
        held.witnesses(given, evidence.witnesses, evidence.quorum)
    held.digests(evidence.digests)
    for event in chain.events:
        if isinstance(event.data, CheckpointRestarted):
            report.remark(
                say(
                    "event {seq}: checkpoints started again; this log does not continue the log signed at {size}",
                    seq=event.seq,
                    size=event.data.size,
                )
            )
    report.uncovered = len(lines) - held.covered
    return report


class _Chain:
    """The lines one after the other, until one cannot be read."""

    def __init__(self, lines: Sequence[bytes]) -> None:
        self.report = Report()
        self.events: list[Line] = []
        self.tree = Tree.of(lines)
        """Over all lines; where one cannot be read, over those before it."""
        self.stream = ""
        self.covered = 0
        """Lines that a root has confirmed."""
        self._ids: set[str] = set()
        self._counts: dict[str, int] = {}
        self._bases: dict[str, int] = {}
        self._commands: dict[str, int] = {}
        self._checked = ("", -1)
        self._offices = 1

    def take(self, line: bytes) -> bool:
        """The next line; False where the log cannot be read any further."""
        seq = len(self.events) + 1
        try:
            event = read(line, seq)
        except Unreadable as problem:
            self.report.add(seq, seq, "line", problem.detail)
            self.tree = self.tree.of_first(len(self.events))
            return False
        why = canonical.why_not(line, event)
        if why is not None:
            self.report.add(seq, seq, "line", say("not canonical: {why}", why=why))
        if isinstance(event.data, TournamentAnnounced):
            self._offices = max(self._offices, event.data.offices)
        unfit = canonical.unfit(event, self._offices)
        if unfit is not None:
            self.report.add(seq, seq, "line", unfit)
        self._order(seq, event)
        self._root(seq, event.basis, event.basisroot)
        self.events.append(event)
        return True

    def _order(self, seq: int, event: Line) -> None:
        problems, stream, id = [], event.stream, event.id
        if not self.stream:
            self.stream = stream
        if stream != self.stream or not stream.startswith("tournaments/"):
            problems.append(say("it belongs to {stream}, not to {own}", stream=stream, own=self.stream))
        if id in self._ids:
            problems.append(say("its id {id} stands before", id=id))
        if event.source not in WRITERS[type(event.data)] or event.official is not None:
            problems.append(say("{source} does not write such a line here", source=event.source))
        expected = self._counts.get(event.source, 0) + 1
        if event.sourceseq != expected:
            problems.append(
                say(
                    "{source} has sourceseq {sourceseq} where {expected} is next",
                    source=event.source,
                    sourceseq=event.sourceseq,
                    expected=expected,
                )
            )
        if event.basis < self._bases.get(event.source, 0):
            problems.append(say("the basis of {source} goes back to {basis}", source=event.source, basis=event.basis))
        if not 0 <= event.basis < seq:
            problems.append(say("its basis {basis} is not before it", basis=event.basis))
        if self._commands.get(event.command, seq - 1) != seq - 1:
            problems.append(say("its command began and ended before"))
        self._ids.add(id)
        self._commands[event.command] = seq
        self._counts[event.source] = event.sourceseq
        self._bases[event.source] = event.basis
        for problem in problems:
            self.report.add(seq, seq, "order", problem)

    def _root(self, seq: int, basis: int, root: str) -> None:
        if not 0 <= basis < seq or self._checked == (root, basis):
            return
        if b64encode(self.tree.root(basis)).decode() == root:
            self.covered = max(self.covered, basis)
            self._checked = (root, basis)
        else:
            why = say("its basisroot is not the root of the first {basis} lines", basis=basis)
            self.report.add(min(self.covered + 1, seq), seq, "root", why)


__all__ = ["AuditFinding", "Crossing", "Evidence", "Report", "audit", "stream_of"]


def note_outdated(report: Report, t: TournamentState) -> None:
    """Add each open basis to the report. A log written by other programs may break the search, which is then incomplete."""
    if not isinstance(t, Tournament):
        return
    try:
        for basis in open_bases(t):
            report.note_outdated(basis.because, describe(t, basis))
    except Exception as failure:
        name = type(failure).__name__
        report.lack(
            say("outdated bases cannot be found: {failure}", failure=f"{name}: {failure}".replace("\n", " ")[:200])
        )
