"""What standings answers of audits and of the integrity list."""

from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec import UNSET, UnsetType, field

from shared.core.terms import Role
from shared.http.answers import Answer, Facts, OutdatedBasisAnswer


class FindingAnswer(Answer):
    """What does not follow, in the lines ``from`` to ``to``."""

    line: int
    from_: int = field(name="from")
    to: int
    kind: str
    why: str


class CrossingAnswer(Answer):
    """A command right on what its service saw, that the whole log before it would have decided otherwise."""

    seq: int
    why: str
    noted: bool


class UnsettledAnswer(Answer):
    """A pairing or table that event ``seq`` contradicts, and that is not settled; `GET …/integrity` has more of it."""

    seq: int
    why: str


class AuditAnswer(Answer):
    """``incomplete`` and ``remarks``: what was left open, and what is told, each with how often."""

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
    """An entry of the integrity list, by its line."""

    seq: int


class ChangedRegulationsAnswer(ListedAnswer):
    """Regulations changed after play began: the ``values`` that are others now; ``reason``: the hash of its text."""

    actor: str
    role: Literal[Role, "rulebook"]
    reason: str | None
    values: Sequence[str]


class OverrideAnswer(ListedAnswer):
    """Absolute rules that a pairing set aside."""

    round: int
    actor: str
    rules: Sequence[str]
    reason: str | None


class SharedPlaceAnswer(ListedAnswer, kw_only=True):
    """A place that may not be shared, and is: by these players or teams."""

    rank: int
    players: Sequence[int] | UnsetType = UNSET
    teams: Sequence[int] | UnsetType = UNSET


class OrphanAnswer(ListedAnswer):
    game: str


class BeneathAnswer(ListedAnswer):
    game: str
    ruling: str


class LateCorrectionAnswer(ListedAnswer):
    """An arrival or a break corrected, ``by`` another, after a later round was paired."""

    game: str
    corrects: str
    by: str


class WaitingClaimAnswer(ListedAnswer):
    claim: str
    game: str


class OpenFindingAnswer(ListedAnswer):
    finding: str
    game: str


class ContradictedAnswer(ListedAnswer):
    """A ruling that a score sheet contradicts, with the ``facts`` that it shows."""

    ruling: str
    game: str
    article: str | None
    facts: Facts


class LostTextAnswer(ListedAnswer, kw_only=True):
    """A text, by its hash, that a line names and that is neither held nor erased; where a ``line`` of the score sheet of
    ``game`` names it, ``seq`` began the game."""

    text: str
    game: str | UnsetType = UNSET
    line: int | UnsetType = UNSET


class IntegrityAnswer(Answer):
    """Each entry names the line (``seq``) that it is about."""

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
