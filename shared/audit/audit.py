"""The audit: every event of a log is read, chained and re-evaluated, from its bytes alone.

First the lines (they can be read, are in order, and their roots are right), then the decisions
(`shared.audit.redecision`), then checkpoints from other sources.
"""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from shared.audit.checkpoints.checkpoint import Checkpoint, Verifies
from shared.audit.checkpoints.cosignature import Witness
from shared.audit.evidence.held_evidence import HeldEvidence, SheetEvidence
from shared.audit.evidence.text_evidence import check_erasures, compare_texts
from shared.audit.receipts.receipt_check import Receipt
from shared.audit.redecision import Redecision
from shared.audit.report import AuditFinding, Crossing, OnProgress, Report, silent, with_progress
from shared.audit.signature_check import check_envelopes, check_named, check_sheets, check_signatures
from shared.core.event_types.gc_pause import pause_collector
from shared.core.event_types.registry import WRITERS
from shared.core.events import CheckpointRestarted, Event, RegulationsAdopted, TournamentAnnounced
from shared.core.language.messages import Message, say
from shared.core.readings.settlement import describe, open_bases
from shared.core.readings.value_gate import value_fault
from shared.core.rulebook.regulations import DECISIONS, Regulations
from shared.core.state.tournament import Tournament, TournamentState
from shared.core.terms import BOUNDED_OFFICES, Source
from shared.core.trust.checkpoint_origin import origin
from shared.core.trust.merkle import Tree, leaf_hash
from shared.core.trust.service_keys import ServiceKey
from shared.desk.rules_port import Rules
from shared.desk.views import stream_of
from shared.regulations.editions import NO_CHANGE, against_shipped, beyond_comparison, own_fault
from shared.regulations.lookalike import lookalike
from shared.wire import canonical
from shared.wire.canonical import OFFICES
from shared.wire.envelope import Line, Unreadable, read


@dataclass(frozen=True, slots=True)
class Evidence:
    """The evidence that the auditor supplies in addition to the log.

    ``sheets``: game -> its score sheet's lines (None: not given). ``checkpoints`` with ``keys`` to verify them. ``digests``:
    short digests from printed sheets. ``receipts``: receipts of events that must be in the log. ``quorum`` of the ``witnesses``
    must have cosigned the newest checkpoint. ``services``: keys of services; if they include a key of a service, the log may
    contain only given keys of that service. ``texts``: hashes of the erasable texts (None: not given). ``engines``: whether
    pairings by an engine are re-evaluated; False if another process does it.
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


@pause_collector()
def audit(
    lines: Sequence[bytes],
    rules: Mapping[Source, Rules],
    evidence: Evidence | None = None,
    on_progress: OnProgress = silent,
) -> Report:
    """Audit one tournament's log and return the report, which contains every finding.

    ``lines``: its events as bytes, without LF. ``rules``: the rules of each service that re-evaluate its commands.
    ``on_progress`` is called with the progress. No exception is raised for a bad log.
    """
    evidence = evidence or Evidence()
    chain = _Chain()
    for line in with_progress(on_progress, "lines", lines):
        if not chain.take(line):
            break
    report = chain.report
    report.size, report.root = len(lines), chain.tree.root(chain.tree.size)
    if chain.events:
        report.tournament = chain.stream.partition("/")[2]
        announced = next((e.data for e in chain.events if isinstance(e.data, TournamentAnnounced)), None)
        report.origin = (announced and announced.origin) or origin(report.tournament)
        read_switches(report, chain.events)
        sheets = SheetEvidence.read(report, evidence.sheets, on_progress)
        log_keys = check_signatures(report, lines, chain.events, on_progress)
        check_named(report, log_keys, evidence.services)
        check_sheets(report, log_keys, sheets.lines, sheets.events)
        check_envelopes(report, chain.events, sheets)
        redecision = Redecision(report, chain.events, chain.tree, rules, sheets, evidence.keys)
        redecision.run(evidence.engines, on_progress)
        note_outdated(report, redecision.fold)
        check_erasures(report, chain.events, sheets.events if sheets.given else None)
        if evidence.texts is not None:
            compare_texts(report, chain.events, evidence.texts, sheets.events if sheets.given else None)
    left = len(lines) - len(chain.events)
    if left:
        report.leave_out(say("an event before it cannot be read"), left)
    comparison = HeldEvidence(report, chain.tree, lines, chain.covered)
    checkpoints = [*evidence.checkpoints, *(receipt.checkpoint for receipt in evidence.receipts)]
    comparison.checkpoints(checkpoints, evidence.keys)
    comparison.receipts(evidence.receipts)
    if evidence.witnesses:
        comparison.witnesses(checkpoints, evidence.witnesses, evidence.quorum)
    comparison.digests(evidence.digests)
    for event in chain.events:
        if isinstance(event.data, CheckpointRestarted):
            report.remark(
                say(
                    "event {seq}: checkpoints started again; this log does not continue the log signed at {size}",
                    seq=event.seq,
                    size=event.data.size,
                )
            )
    report.uncovered = len(lines) - comparison.covered
    return report


class _Chain:
    """The check of a log's events in their order. It ends at the first event that cannot be read."""

    def __init__(self) -> None:
        self.report = Report()
        self.events: list[Line] = []
        self.tree = Tree()
        """The tree over the events so far. Each is hashed when it is read."""
        self.stream = ""
        self.covered = 0
        """Number of events that a root has confirmed."""
        self._ids: set[str] = set()
        self._counts: dict[str, int] = {}
        self._bases: dict[str, int] = {}
        self._commands: dict[str, int] = {}
        self._checked = ("", -1)
        self._offices = 1

    def take(self, line: bytes) -> bool:
        """Check the next line and report its faults. Return False if it cannot be read: the check ends there."""
        seq = len(self.events) + 1
        try:
            event = read(line, seq)
        except Unreadable as problem:
            self.report.add(seq, seq, "line", problem.detail)
            return False
        why = canonical.why_not(line, event)
        if why is not None:
            self.report.add(seq, seq, "line", say("not canonical: {why}", why=why))
        if isinstance(event.data, TournamentAnnounced):
            self._offices = max(self._offices, event.data.offices)
        unfit = canonical.unfit(event, self._offices)
        if unfit is not None:
            self.report.add(seq, seq, "line", unfit)
        elif self._offices < BOUNDED_OFFICES and value_fault(event.data) is not None:
            self.report.remark(say("values are outside the bounds, which do not bind logs before offices 3"))
        self._order(seq, event)
        self._root(seq, event.basis, event.basisroot)
        self.events.append(event)
        self.tree.append(leaf_hash(line))
        return True

    def _order(self, seq: int, event: Line) -> None:
        problems, stream, id = [], event.stream, event.id
        if not self.stream:
            self.stream = stream
        if stream != self.stream or not stream.startswith("tournaments/"):
            problems.append(say("the event belongs to {stream}, not to {own}", stream=stream, own=self.stream))
        if id in self._ids:
            problems.append(say("its ID {id} is also that of an earlier event", id=id))
        if event.source not in WRITERS[type(event.data)] or event.official is not None:
            problems.append(
                say("an event of this type is unexpected here: {source} does not write it", source=event.source)
            )
        expected = self._counts.get(event.source, 0) + 1
        if event.sourceseq != expected:
            problems.append(
                say(
                    "{source} has sourceseq {sourceseq}, but the next number must be {expected}",
                    source=event.source,
                    sourceseq=event.sourceseq,
                    expected=expected,
                )
            )
        if event.basis < self._bases.get(event.source, 0):
            problems.append(
                say(
                    "the basis {basis} of {source} must not be before that of its last event",
                    source=event.source,
                    basis=event.basis,
                )
            )
        if not 0 <= event.basis < seq:
            problems.append(say("its basis {basis} must be an event before it, but is not", basis=event.basis))
        if self._commands.get(event.command, seq - 1) != seq - 1:
            problems.append(say("the event belongs to a command that had already ended"))
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
            why = say("its basisroot is not the root hash of the first {basis} events", basis=basis)
            self.report.add(min(self.covered + 1, seq), seq, "root", why)


__all__ = ["AuditFinding", "Crossing", "Evidence", "Report", "audit", "stream_of"]


def note_outdated(report: Report, t: TournamentState) -> None:
    """Report each pairing and table that is outdated and not settled in the last state ``t``.

    If the search fails, as it may on a log of another program, the report is incomplete.
    """
    if not isinstance(t, Tournament):
        return
    try:
        for basis in open_bases(t):
            report.note_outdated(basis.because, describe(t, basis))
    except Exception as failure:
        name = type(failure).__name__
        report.lack(
            say(
                "the search for pairings and tables based on outdated results failed: {failure}",
                failure=f"{name}: {failure}".replace("\n", " ")[:200],
            )
        )


DIGESTS_SINCE = 2
"""The first decision edition whose adopted regulations contain the digest of their own edition."""


def read_switches(report: Report, events: Sequence[Event]) -> None:
    """Store the log's editions in the report and check adopted rulesets. A lower edition is a finding, an old one a remark."""
    for event in events:
        data = event.data
        if isinstance(data, TournamentAnnounced):
            _refuse_decrease(report, event, say("the edition of the role rules"), report.offices, data.offices)
            report.offices = max(report.offices, data.offices)
        elif isinstance(data, RegulationsAdopted):
            _refuse_decrease(report, event, say("the decision edition"), report.decisions, data.regulations.decisions)
            if not 1 <= data.regulations.decisions <= DECISIONS:
                why = say(
                    "decision edition {decisions} is unknown to this version of Arbiter",
                    decisions=data.regulations.decisions,
                )
                report.add(event.seq, event.seq, "decision", why)
            report.decisions = max(report.decisions, data.regulations.decisions)
            _compare_adopted(report, event.seq, data.regulations)
    if report.offices < OFFICES:
        report.remark(
            say(
                "edition {offices} of the role rules: such a log need not contain roles and signatures, "
                "so they were not checked",
                offices=report.offices,
            )
        )
    if report.decisions < DECISIONS:
        report.remark(
            say(
                "decision edition {decisions}: the log was re-evaluated by it; later editions decide some differently",
                decisions=report.decisions,
            )
        )


def _refuse_decrease(report: Report, event: Event, name: Message, before: int, now: int) -> None:
    if now < before:
        report.add(
            event.seq,
            event.seq,
            "order",
            say("{name} must never decrease, but changes from {before} to {now}", name=name, before=before, now=now),
        )


def _compare_adopted(report: Report, seq: int, adopted: Regulations) -> None:
    """Report adopted regulations that differ from the shipped edition that they name in more than their declared changes."""
    if adopted.decisions < DIGESTS_SINCE and not adopted.digest:
        report.remark(say("the regulations have no digest of their edition, so they were not compared with it"))
        return
    why = against_shipped(adopted) or (own_fault(adopted) if report.offices >= BOUNDED_OFFICES else None)
    if why is not None:
        report.add(seq, seq, "decision", say("regulations with {why}", why=why))
        return
    if (alike := lookalike(adopted.name)) is not None:
        report.remark(say("the regulations are the organiser's own ruleset: {alike}", alike=alike))
    if beyond_comparison(adopted):
        report.remark(say("{name}, {edition}: {why}", name=adopted.name, edition=adopted.edition, why=NO_CHANGE))
