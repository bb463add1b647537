"""The report of an audit as it is answered and printed, its sentences in one language."""

from collections.abc import Mapping, Sequence

from msgspec import field

from shared.core.terms import Verdict
from shared.wire.answer import Answer


class FindingAnswer(Answer):
    """A fault that the audit found."""

    line: int
    from_: int = field(name="from")
    to: int
    kind: str
    why: str


class CrossingAnswer(Answer):
    """Concurrent decisions: a command that was decided without an event that another service was writing."""

    seq: int
    why: str
    noted: bool


class UnsettledAnswer(Answer):
    """A pairing or standings that a later event contradicts and that nobody has settled."""

    seq: int
    why: str


class AuditAnswer(Answer, kw_only=True):
    """The report of an audit."""

    tournament: str
    verdict: Verdict
    size: int
    root: str
    offices: int
    decisions: int
    checked: int
    differ: int
    unchecked: int
    unchecked_why: Mapping[str, int]
    uncovered: int
    first: FindingAnswer | None
    between: Sequence[int] | None
    findings: int
    found: Sequence[FindingAnswer]
    incomplete: Mapping[str, int]
    remarks: Mapping[str, int]
    crossings: Sequence[CrossingAnswer]
    outdated: Sequence[UnsettledAnswer]
