"""What games says of findings and facts, followed without a person."""

from collections.abc import Sequence

from services.penalties.rules.commands import AnswerFinding, DrawConsequences
from services.penalties.rules.consequences import next_consequence
from shared.core.events import Decision, FindingAnswered
from shared.core.language.messages import Message, say
from shared.core.state.tournament import Tournament, TournamentState
from shared.core.terms import RULEBOOK, Refusal


def answer_finding(t: Tournament, c: AnswerFinding) -> Decision | Refusal:
    """Close the finding; the ruling on it is due from then on (`due`), where no other decides the game."""
    finding = t.findings.get(c.event.finding)
    if finding is None:
        return Refusal(
            "unknown", "unknown-finding", say("no finding {finding}", finding=c.event.finding[:40]), where="finding"
        )
    if finding.answered is not None:
        return Refusal(
            "rule",
            "finding-answered",
            say("finding {finding} was answered already", finding=c.event.finding),
            where="finding",
        )
    if finding.withdrawn is not None:
        return Refusal(
            "rule",
            "finding-withdrawn",
            say("finding {finding} was withdrawn", finding=c.event.finding),
            where="finding",
        )
    return Decision(events=(c.event,))


def draw_consequences(t: Tournament, c: DrawConsequences) -> Decision | Refusal:
    """What is due now that grounds of rulings have fallen, or refusal ``nothing-due``."""
    if next_consequence(t) is None:
        return Refusal("rule", "nothing-due", say("all consequences are already in force"))
    return Decision()


def following_games(t: TournamentState) -> Sequence[AnswerFinding | DrawConsequences]:
    """A command for each finding that waits for its answer, in the log's order; and one where games has taken grounds of
    rulings away, and others follow from what is left."""
    answers = [AnswerFinding(RULEBOOK, FindingAnswered(id)) for id, finding in t.findings.items() if finding.open]
    if answers or not isinstance(t, Tournament) or not _grounds_fell(t) or next_consequence(t) is None:
        return answers
    return (DrawConsequences(RULEBOOK),)


def undecided(c: AnswerFinding | DrawConsequences) -> Message:
    """What is not decided while such a command is due."""
    if isinstance(c, AnswerFinding):
        return say("finding {finding} was not answered", finding=c.event.finding)
    return say("grounds of rulings lapsed, and the consequences of the remaining grounds are not ruled yet")


def _grounds_fell(t: Tournament) -> bool:
    return any(f.withdrawn is not None for f in t.findings.values()) or any(map(t.contradiction, t.facts_checks))
