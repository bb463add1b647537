"""Responses of standings about audits and the integrity list."""

from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec import UNSET, UnsetType, field

from shared.core.terms import Role
from shared.http.answers import Answer, Facts, OutdatedBasisAnswer


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


class AuditAnswer(Answer):
    """The report of an audit."""

    tournament: str
    verdict: Literal["agrees", "differs", "incomplete"]
    size: int
    root: str
    offices: int
    decisions: int
    checked: int
    differ: int
    unchecked: int
    unchecked_why: Mapping[str, int]
    uncovered: int
    between: Sequence[int] | None
    findings: int
    crossings: Sequence[CrossingAnswer]
    outdated: Sequence[UnsettledAnswer]
    first: FindingAnswer | None
    found: Sequence[FindingAnswer]
    incomplete: Mapping[str, int]
    remarks: Mapping[str, int]


class ListedAnswer(Answer):
    """An issue that needs attention."""

    seq: int


class ChangedRegulationsAnswer(ListedAnswer):
    """A ruleset that was changed after play began."""

    actor: str
    role: Literal[Role, "rulebook"]
    reason: str | None
    values: Sequence[str]


class OverrideAnswer(ListedAnswer):
    """Absolute pairing rules that a pairing overrides."""

    round: int
    actor: str
    rules: Sequence[str]
    reason: str | None


class SharedPlaceAnswer(ListedAnswer, kw_only=True):
    """A place that must not be shared."""

    rank: int
    players: Sequence[int] | UnsetType = UNSET
    teams: Sequence[int] | UnsetType = UNSET


class OrphanAnswer(ListedAnswer):
    """An event without effect."""

    game: str


class BeneathAnswer(ListedAnswer):
    """A correction that a ruling overrides."""

    game: str
    ruling: str


class LateCorrectionAnswer(ListedAnswer):
    """A correction of an arrival or a break after a later round was paired."""

    game: str
    corrects: str
    by: str


class WaitingClaimAnswer(ListedAnswer):
    """A pending claim."""

    claim: str
    game: str


class OpenFindingAnswer(ListedAnswer):
    """A finding without an answer."""

    finding: str
    game: str


class ContradictedAnswer(ListedAnswer):
    """A ruling that a score sheet contradicts."""

    ruling: str
    game: str
    article: str | None
    facts: Facts


class LostTextAnswer(ListedAnswer, kw_only=True):
    """A text that an event refers to, and that is neither stored nor erased."""

    text: str
    game: str | UnsetType = UNSET
    line: int | UnsetType = UNSET


class IntegrityAnswer(Answer):
    """Issues that need attention, each with the event that it is about."""

    tournament: str
    seq: int
    crossings: Sequence[CrossingAnswer]
    regulations: Sequence[ChangedRegulationsAnswer]
    overrides: Sequence[OverrideAnswer]
    shared: Sequence[SharedPlaceAnswer]
    orphans: Sequence[OrphanAnswer]
    beneath: Sequence[BeneathAnswer]
    arrivals: Sequence[LateCorrectionAnswer]
    claims: Sequence[WaitingClaimAnswer]
    findings: Sequence[OpenFindingAnswer]
    contradicted: Sequence[ContradictedAnswer]
    texts: Sequence[LostTextAnswer]
    outdated: Sequence[OutdatedBasisAnswer]
