"""The rulebook in force: its infractions, and who it lets do what."""

from shared.core.authority import in_office
from shared.core.regulations import (
    BREAK_INFRACTIONS,
    AuthorityRule,
    Breaks,
    FindingRule,
    InfractionRule,
    Lateness,
)
from shared.core.terms import PENALTIES, Actor, Refusal, RulingId, Seconds
from shared.core.tournament import Tournament

LONG_BREAK, LEAVING_THE_GAME = BREAK_INFRACTIONS
BEFORE_ROWS = (FindingRule("flag", "flag", draws=True),)
"""What followed from findings by rulebooks that have no rows for them."""


def infraction(t: Tournament, name: str) -> InfractionRule | None:
    """The rulebook's row for a named infraction; None if it knows none."""
    return next((row for row in t.regulations.rulebook.infractions if row.name == name), None)


def follows(t: Tournament, finding: str) -> tuple[FindingRule, ...]:
    """What follows from a kind of finding in this tournament's games; a flag loses by every rulebook."""
    rows = t.regulations.rulebook.follows(finding, t.announced.game)
    return rows or tuple(row for row in BEFORE_ROWS if row.finding == finding and not t.regulations.rulebook.findings)


def beyond(rule: Lateness | Breaks, seconds: Seconds) -> bool:
    """Whether this is beyond what the rule allows: above its limit, or at it where that is not strict."""
    return seconds > rule.limit if rule.strictly else seconds >= rule.limit


def authority(t: Tournament, act: str) -> AuthorityRule | None:
    """The rulebook's row for an act; None: nobody may."""
    return next((row for row in t.regulations.rulebook.authority if row.act == act), None)


def permit(t: Tournament, actor: Actor, *acts: str) -> Refusal | None:
    """None if the rulebook lets the actor's role do one of these acts, else why not."""
    refusal = in_office(t, actor)
    if refusal is not None:
        return refusal
    rows = [row for row in (authority(t, act) for act in acts) if row is not None]
    if any(actor.role in row.roles for row in rows):
        return None
    takes = (
        " or ".join(dict.fromkeys(role for row in rows for role in row.roles)) or "nobody: the rulebook grants it not"
    )
    return Refusal(
        "authority",
        "role-may-not",
        f"the role {actor.role} may not {acts[0].replace('_', ' ')}; it takes {takes}",
        rows[0].article if rows else None,
        see=f"/v1/tournaments/{t.id}/rulebook",
    )


def next_ruling(t: Tournament, ahead: int = 0) -> RulingId:
    """The id of the ruling that stands ``ahead`` events after the next one of penalties."""
    return RulingId(f"r{next_number(t, ahead)}")


def next_number(t: Tournament, ahead: int = 0) -> int:
    """The ``sourceseq`` that penalties' next event will have, or the one ``ahead`` after it."""
    return t.counts.get(PENALTIES, 0) + 1 + ahead
