"""Automatic answers to findings and facts that games reports."""

from collections.abc import Sequence

from services.penalties.rules.commands import AnswerFinding, DrawConsequences
from services.penalties.rules.consequences import next_consequence
from shared.core.events import Decision, FindingAnswered
from shared.core.language.messages import Message, say
from shared.core.state.tournament import Tournament, TournamentState
from shared.core.terms import RULEBOOK, Refusal


def answer_finding(t: Tournament, c: AnswerFinding) -> Decision | Refusal:
    """Decide the answer that closes a finding. The ruling on it is then due, unless another one decides the game.

    Refusals: ``unknown-finding``, ``finding-answered``, ``finding-withdrawn``.
    """
    id = c.event.finding
    finding = t.findings.get(id)
    if finding is None:
        return Refusal(
            "unknown", "unknown-finding", say("finding {finding} does not exist", finding=id[:40]), where="finding"
        )
    if finding.answered is not None:
        detail = say("finding {finding} was answered already", finding=id)
        return Refusal("rule", "finding-answered", detail, where="finding")
    if finding.withdrawn is not None:
        detail = say("finding {finding} was withdrawn", finding=id)
        return Refusal("rule", "finding-withdrawn", detail, where="finding")
    return Decision(events=(c.event,))


def draw_consequences(t: Tournament, c: DrawConsequences) -> Decision | Refusal:
    """Accept the command if the rulebook requires a ruling that is not in force.

    The decision has no events of its own; `add_consequences` adds the rulings. Refusal: ``nothing-due``.
    """
    if next_consequence(t) is None:
        return Refusal("rule", "nothing-due", say("all consequences are already in force"))
    return Decision()


def following_games(t: TournamentState) -> Sequence[AnswerFinding | DrawConsequences]:
    """Return the commands due after events of games.

    There is one for each open finding, in the order of the log. If none is open, and games withdrew a finding or
    contradicted the facts of a ruling, there is one command if rulings are due as a result.
    """
    answers = [AnswerFinding(RULEBOOK, FindingAnswered(id)) for id, finding in t.findings.items() if finding.open]
    if answers or not isinstance(t, Tournament) or not _has_lapsed_grounds(t) or next_consequence(t) is None:
        return answers
    return (DrawConsequences(RULEBOOK),)


def undecided(c: AnswerFinding | DrawConsequences) -> Message:
    """Return the message that states what is undecided until the command ``c`` is carried out."""
    if isinstance(c, AnswerFinding):
        return say("finding {finding} was not answered", finding=c.event.finding)
    return say("grounds of rulings lapsed, and the consequences of the remaining grounds are not ruled yet")


def _has_lapsed_grounds(t: Tournament) -> bool:
    return any(f.withdrawn is not None for f in t.findings.values()) or any(map(t.contradiction, t.facts_checks))
