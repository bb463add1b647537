"""Findings of games, answered without a person."""

from collections.abc import Sequence

from services.penalties.rules.commands import AnswerFinding
from shared.core.events import Decision, FindingAnswered
from shared.core.terms import RULEBOOK, Refusal
from shared.core.tournament import Tournament, TournamentState


def answer_finding(t: Tournament, c: AnswerFinding) -> Decision | Refusal:
    """Close the finding; the ruling on it is due from then on (`due`), where no other decides the game."""
    finding = t.findings.get(c.finding)
    if finding is None:
        return Refusal("unknown", "unknown-finding", f"no finding {c.finding[:40]}", where="finding")
    if finding.answered is not None:
        return Refusal("rule", "finding-answered", f"finding {c.finding} was answered already", where="finding")
    return Decision(events=(FindingAnswered(c.finding),))


def open_findings(t: TournamentState) -> Sequence[AnswerFinding]:
    """A command for each finding that is not answered, in the log's order."""
    return [AnswerFinding(RULEBOOK, id) for id, finding in t.findings.items() if finding.answered is None]
