"""The result of an audit: findings with the range of events that the roots allow, open points, and remarks."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar

from shared.audit.report_answer import AuditAnswer, CrossingAnswer, FindingAnswer, UnsettledAnswer
from shared.core.language.messages import Message, say
from shared.core.terms import AuditKind, Verdict

Translate: TypeAlias = Callable[[Message], str]
"""Returns a sentence in a language; ``str`` returns English."""
EXIT_CODES: dict[Verdict, int] = {"agrees": 0, "differs": 1, "incomplete": 3}
"""Exit codes of ``arbiter verify``. Code 2 means bad usage or unreadable evidence."""

AFTER_THE_LAST_ROOT = say("events not yet sealed by a root hash")


@dataclass(frozen=True, slots=True)
class AuditFinding:
    """A contradiction in the log. The change is in the events ``first`` to ``last`` (from 1, equal if the place is known)."""

    first: int
    last: int
    kind: AuditKind
    why: Message

    def answer(self, translate: Translate = str) -> FindingAnswer:
        """Return the finding as part of an answer, with its sentence translated. ``line`` is the last event."""
        return FindingAnswer(self.last, self.first, self.last, self.kind, translate(self.why))

    def __str__(self) -> str:
        where = f"line {self.last}" if self.first == self.last else f"lines {self.first} to {self.last}"
        return f"{where} ({self.kind}): {self.why}"


@dataclass(frozen=True, slots=True)
class Crossing:
    """A command that is right for the state that its service saw, but not for the whole log before it."""

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
    """The result of an audit.

    The log of ``tournament`` has ``size`` events and the root ``root``, and its checkpoints have the ``origin``. ``decided``
    events were re-evaluated and agree, ``differ`` differ, and ``unchecked`` were not re-evaluated, by reason. No root covers the
    last ``uncovered`` events. ``lacking``: required evidence that is missing or could not be used, with its number.
    ``offices`` and ``decisions`` are the log's two editions, 0 before it states them.
    """

    tournament: str = ""
    origin: str = ""
    size: int = 0
    root: bytes = b""
    decided: int = 0
    differ: int = 0
    unchecked: dict[Message, int] = field(default_factory=dict)
    lacking: dict[Message, int] = field(default_factory=dict)
    remark_counts: dict[Message, int] = field(default_factory=dict)
    """Remarks, for example on guarantees that this log's editions never made, with their number."""
    uncovered: int = 0
    offices: int = 0
    decisions: int = 0
    findings: list[AuditFinding] = field(default_factory=list)
    crossings: list[Crossing] = field(default_factory=list)
    outdated: list[Unsettled] = field(default_factory=list)

    @property
    def verdict(self) -> Verdict:
        """Return ``differs`` if there is a finding, else ``incomplete`` if evidence is missing or unusable, else ``agrees``."""
        if self.findings:
            return "differs"
        return "incomplete" if self.incomplete else "agrees"

    @property
    def incomplete(self) -> dict[Message, int]:
        """Return the reasons why the audit is incomplete, each with the number of cases."""
        return self.unchecked | self.lacking

    @property
    def remarks(self) -> dict[Message, int]:
        """Return the remarks, which do not change the verdict, with their number."""
        return self.remark_counts | ({AFTER_THE_LAST_ROOT: self.uncovered} if self.uncovered else {})

    def exit_code(self, *, strict: bool) -> int:
        """Return the exit code: 0 agrees, 1 differs, 3 incomplete. With ``strict``, remarks and incompleteness give 1."""
        if strict and (self.verdict != "agrees" or self.remarks):
            return EXIT_CODES["differs"]
        return EXIT_CODES[self.verdict]

    @property
    def first(self) -> AuditFinding | None:
        """Return the first finding in the log, or None. If two are on one event, the narrower one is first.

        A score sheet has numbers of its own, so its findings come first only if the log has none.
        """
        return next(iter(self.in_order()), None)

    def in_order(self) -> list[AuditFinding]:
        """Return all findings in the order of the log, those of score sheets last."""
        return sorted(self.findings, key=lambda f: (f.kind == "sheet", f.last, f.last - f.first))

    @property
    def between(self) -> tuple[int, int] | None:
        """Return the first and last number of the events among which one was changed, by the first wrong root, or None."""
        roots = [f for f in self.findings if f.kind in ("root", "checkpoint")]
        worst = min(roots, key=lambda f: f.last, default=None)
        return (worst.first, worst.last) if worst else None

    def add(self, first: int, last: int, kind: Any, why: Message) -> None:
        """Add a finding in the events ``first`` to ``last``."""
        self.findings.append(AuditFinding(first, last, kind, why))

    def leave_out(self, reason: Message, lines: int) -> None:
        """Count ``lines`` events that are not re-evaluated, with the reason."""
        self.unchecked[reason] = self.unchecked.get(reason, 0) + lines

    def note_outdated(self, seq: int, why: Message) -> None:
        """Add a pairing or table that event ``seq`` contradicts and that nobody has settled, and a remark about it.

        ``why``: the message that describes both.
        """
        self.outdated.append(Unsettled(seq, why))
        self.remark(say("outdated and not settled: {why}", why=why))

    def lack(self, what: Message, times: int = 1) -> None:
        """Count required evidence (``what``) that is missing or could not be used. The report is then incomplete."""
        self.lacking[what] = self.lacking.get(what, 0) + times

    def remark(self, what: Message, times: int = 1) -> None:
        """Count a remark, which does not change the verdict."""
        self.remark_counts[what] = self.remark_counts.get(what, 0) + times

    def answer(self, translate: Translate = str) -> AuditAnswer:
        """Return the report with its sentences translated by ``translate``.

        ``checked``: the number of re-evaluated events that agree. ``found``: all findings.
        """
        found = [finding.answer(translate) for finding in self.in_order()]
        return AuditAnswer(
            tournament=self.tournament,
            verdict=self.verdict,
            size=self.size,
            root=self.root.hex(),
            offices=self.offices,
            decisions=self.decisions,
            checked=self.decided,
            differ=self.differ,
            unchecked=sum(self.unchecked.values()),
            unchecked_why=_counted(self.unchecked, translate),
            uncovered=self.uncovered,
            first=next(iter(found), None),
            between=self.between,
            findings=len(found),
            found=found,
            incomplete=_counted(self.incomplete, translate),
            remarks=_counted(self.remarks, translate),
            crossings=[CrossingAnswer(c.seq, translate(c.why), c.noted) for c in self.crossings],
            outdated=[UnsettledAnswer(one.seq, translate(one.why)) for one in self.outdated],
        )


def _counted(sentences: Mapping[Message, int], translate: Translate) -> dict[str, int]:
    return {translate(sentence): count for sentence, count in sentences.items()}


def on_sheet(game: str, why: Message) -> Message:
    """Return a message about a game's score sheet, or about the log if ``game`` is empty."""
    return say("sheet of {game}: {why}", game=game, why=why) if game else why


Item = TypeVar("Item")

Stage = Literal["lines", "sheets", "signatures", "decisions"]
"""The stages of an audit, in order: events are read and chained, score sheets read, signatures checked, commands re-evaluated."""


class Progress(NamedTuple):
    """``done`` of ``total`` events, games or commands of a stage."""

    stage: Stage
    done: int
    total: int


OnProgress = Callable[[Progress], None]


def silent(_: Progress) -> None:
    """Ignore the progress."""


def with_progress(on_progress: OnProgress, stage: Stage, items: Sequence[Item]) -> Iterator[Item]:
    """Yield the items of a stage, and call ``on_progress`` before the first, after the last and about 100 times between."""
    total = len(items)
    step = max(1, total // 100)
    for done, item in enumerate(items):
        if done % step == 0:
            on_progress(Progress(stage, done, total))
        yield item
    on_progress(Progress(stage, total, total))
