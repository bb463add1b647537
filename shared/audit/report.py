"""What an audit answers: findings by line or by the range that the roots allow, and three honest counts."""

from dataclasses import dataclass, field
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class AuditFinding:
    """One thing that does not follow. The change lies in the lines ``first`` to ``last`` (1-based, equal if known)."""

    first: int
    last: int
    kind: Literal["line", "order", "root", "decision", "digest", "checkpoint", "sheet", "text"]
    why: str


@dataclass(frozen=True, slots=True)
class Crossing:
    """A command right on what its service saw, that the whole log before it would have decided otherwise."""

    seq: int
    why: str
    noted: bool


@dataclass(slots=True)
class Report:
    """The audit's verdict.

    ``size`` lines of ``tournament`` with root ``root``; ``decided`` of them were
    decided again and agree; ``differ`` do not follow; ``unchecked`` were not decided
    again, by reason. ``uncovered`` last lines are covered by no root.
    """

    tournament: str = ""
    size: int = 0
    root: bytes = b""
    decided: int = 0
    differ: int = 0
    unchecked: dict[str, int] = field(default_factory=dict)
    uncovered: int = 0
    findings: list[AuditFinding] = field(default_factory=list)
    crossings: list[Crossing] = field(default_factory=list)

    @property
    def verdict(self) -> Literal["agrees", "differs"]:
        return "differs" if self.findings else "agrees"

    @property
    def first(self) -> AuditFinding | None:
        """The finding that lies furthest forward in the log; of two on one line the narrower.

        A score sheet's lines have numbers of their own: they come first only where the log has no finding.
        """
        return min(self.findings, key=lambda f: (f.kind == "sheet", f.last, f.last - f.first), default=None)

    @property
    def between(self) -> tuple[int, int] | None:
        """First and last line between which a change lies, by the first root that does not hold."""
        roots = [f for f in self.findings if f.kind in ("root", "checkpoint")]
        worst = min(roots, key=lambda f: f.last, default=None)
        return (worst.first, worst.last) if worst else None

    def add(self, first: int, last: int, kind: Any, why: str) -> None:
        """A finding in the lines ``first`` to ``last``."""
        self.findings.append(AuditFinding(first, last, kind, why))

    def leave_out(self, reason: str, lines: int) -> None:
        """So many lines that are not decided again, and why."""
        self.unchecked[reason] = self.unchecked.get(reason, 0) + lines

    def as_json(self) -> dict[str, Any]:
        """The report as one JSON object (``checked``: lines decided again that agree)."""
        first = self.first
        return {
            "tournament": self.tournament,
            "verdict": self.verdict,
            "size": self.size,
            "root": self.root.hex(),
            "checked": self.decided,
            "differ": self.differ,
            "unchecked": sum(self.unchecked.values()),
            "unchecked_why": dict(self.unchecked),
            "uncovered": self.uncovered,
            "first": None
            if first is None
            else {"line": first.last, "from": first.first, "to": first.last, "kind": first.kind, "why": first.why},
            "between": self.between,
            "findings": len(self.findings),
            "crossings": [{"seq": c.seq, "why": c.why, "noted": c.noted} for c in self.crossings],
        }
