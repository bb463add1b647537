"""What an audit answers: findings by line or by the range that the roots allow, what was left open, and what is told."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from shared.core.language.messages import Message, say

Verdict = Literal["agrees", "differs", "incomplete"]

AuditKind = Literal["line", "order", "root", "decision", "digest", "checkpoint", "sheet", "text", "signature", "file"]
"""What a finding of the audit is about."""
Said: TypeAlias = Callable[[Message], str]
"""A sentence in the words of a language; ``str``: in English."""
EXIT_CODES: dict[Verdict, int] = {"agrees": 0, "differs": 1, "incomplete": 3}
"""How ``arbiter verify`` ends; 2 is bad usage and evidence that cannot be read."""

AFTER_THE_LAST_ROOT = say("events after the last root, not yet sealed")


@dataclass(frozen=True, slots=True)
class AuditFinding:
    """One thing that does not follow. The change lies in the lines ``first`` to ``last`` (1-based, equal if known)."""

    first: int
    last: int
    kind: AuditKind
    why: Message

    def as_json(self, said: Said = str) -> dict[str, Any]:
        """``line`` (the last), ``from`` and ``to``, ``kind``, ``why``."""
        return {"line": self.last, "from": self.first, "to": self.last, "kind": self.kind, "why": said(self.why)}

    def __str__(self) -> str:
        where = f"line {self.last}" if self.first == self.last else f"lines {self.first} to {self.last}"
        return f"{where} ({self.kind}): {self.why}"


@dataclass(frozen=True, slots=True)
class Crossing:
    """A command right on what its service saw, that the whole log before it would have decided otherwise."""

    seq: int
    why: Message
    noted: bool


@dataclass(frozen=True, slots=True)
class Unsettled:
    """A pairing or table at the end of the log that event ``seq`` contradicts, and that was not settled."""

    seq: int
    why: Message


@dataclass(slots=True)
class Report:
    """The audit's verdict.

    ``size`` lines of ``tournament`` with root ``root``, whose checkpoints name ``origin``; ``decided`` of them were
    decided again and agree; ``differ`` do not follow; ``unchecked`` were not decided
    again, by reason. ``uncovered`` last lines are covered by no root. ``lacking``: what
    must have been there, or was given and could not be used, and how often; ``told``:
    what this log's editions never promised, and how often. ``offices`` and ``decisions``
    are the log's two switches, 0 before it says them.
    """

    tournament: str = ""
    origin: str = ""
    size: int = 0
    root: bytes = b""
    decided: int = 0
    differ: int = 0
    unchecked: dict[Message, int] = field(default_factory=dict)
    lacking: dict[Message, int] = field(default_factory=dict)
    told: dict[Message, int] = field(default_factory=dict)
    uncovered: int = 0
    offices: int = 0
    decisions: int = 0
    findings: list[AuditFinding] = field(default_factory=list)
    crossings: list[Crossing] = field(default_factory=list)
    outdated: list[Unsettled] = field(default_factory=list)

    @property
    def verdict(self) -> Verdict:
        """``differs`` goes before all; ``incomplete`` where something could not be decided or used."""
        if self.findings:
            return "differs"
        return "incomplete" if self.incomplete else "agrees"

    @property
    def incomplete(self) -> dict[Message, int]:
        """What was left open, and how often."""
        return self.unchecked | self.lacking

    @property
    def remarks(self) -> dict[Message, int]:
        """What is counted and told, and leaves the verdict as it is."""
        return self.told | ({AFTER_THE_LAST_ROOT: self.uncovered} if self.uncovered else {})

    def exit_code(self, *, strict: bool) -> int:
        """How a command that audits ends; ``strict`` takes nothing but a log that agrees without a remark."""
        if strict and (self.verdict != "agrees" or self.remarks):
            return EXIT_CODES["differs"]
        return EXIT_CODES[self.verdict]

    @property
    def first(self) -> AuditFinding | None:
        """The finding that lies furthest forward in the log; of two on one line the narrower.

        A score sheet's lines have numbers of their own: they come first only where the log has no finding.
        """
        return next(iter(self.in_order()), None)

    def in_order(self) -> list[AuditFinding]:
        """All findings, furthest forward first."""
        return sorted(self.findings, key=lambda f: (f.kind == "sheet", f.last, f.last - f.first))

    @property
    def between(self) -> tuple[int, int] | None:
        """First and last line between which a change lies, by the first root that does not hold."""
        roots = [f for f in self.findings if f.kind in ("root", "checkpoint")]
        worst = min(roots, key=lambda f: f.last, default=None)
        return (worst.first, worst.last) if worst else None

    def add(self, first: int, last: int, kind: Any, why: Message) -> None:
        """A finding in the lines ``first`` to ``last``."""
        self.findings.append(AuditFinding(first, last, kind, why))

    def leave_out(self, reason: Message, lines: int) -> None:
        """So many lines that are not decided again, and why."""
        self.unchecked[reason] = self.unchecked.get(reason, 0) + lines

    def note_outdated(self, seq: int, why: Message) -> None:
        """Add a basis that is outdated at the end of the log."""
        self.outdated.append(Unsettled(seq, why))
        self.remark(say("outdated and not settled: {why}", why=why))

    def lack(self, what: Message, times: int = 1) -> None:
        """Something that must have been there, or evidence that could not be used."""
        self.lacking[what] = self.lacking.get(what, 0) + times

    def remark(self, what: Message, times: int = 1) -> None:
        """Something to be told that leaves the verdict as it is."""
        self.told[what] = self.told.get(what, 0) + times

    def as_json(self, said: Said = str) -> dict[str, Any]:
        """The report as one JSON object (``checked``: lines decided again that agree; ``found``: all findings), its sentences
        as ``said`` says them."""
        first = self.first
        return {
            "tournament": self.tournament,
            "verdict": self.verdict,
            "size": self.size,
            "root": self.root.hex(),
            "offices": self.offices,
            "decisions": self.decisions,
            "checked": self.decided,
            "differ": self.differ,
            "unchecked": sum(self.unchecked.values()),
            "unchecked_why": _counted(self.unchecked, said),
            "uncovered": self.uncovered,
            "first": None if first is None else first.as_json(said),
            "between": self.between,
            "findings": len(self.findings),
            "found": [finding.as_json(said) for finding in self.in_order()],
            "incomplete": _counted(self.incomplete, said),
            "remarks": _counted(self.remarks, said),
            "crossings": [{"seq": c.seq, "why": said(c.why), "noted": c.noted} for c in self.crossings],
            "outdated": [{"seq": one.seq, "why": said(one.why)} for one in self.outdated],
        }


def _counted(sentences: Mapping[Message, int], said: Said) -> dict[str, int]:
    return {said(sentence): count for sentence, count in sentences.items()}


def on_sheet(game: str, why: Message) -> Message:
    """What is said of a game's score sheet; ``game`` is empty for what is said of the log."""
    return say("sheet of {game}: {why}", game=game, why=why) if game else why
