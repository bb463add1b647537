"""Annulments: rulings that take away another, or another annulment."""

from services.penalties.rules import rulebook
from services.penalties.rules.commands import AnnulRuling
from shared.core.events import Decision, RulingAnnulled
from shared.core.language.messages import say
from shared.core.readings.authority import ANNUL, authority_rule
from shared.core.state.entities import Ruling
from shared.core.state.tournament import Tournament
from shared.core.terms import Refusal, RulingId, TextRef


def annul_ruling(t: Tournament, c: AnnulRuling) -> Decision | Refusal:
    """Take away a ruling that stands; annulling an annulment restores what it took away."""
    refusal = refuse_fallen(t, c.annuls)
    if refusal is not None:
        return refusal
    return Decision(events=(annulment(t, c.annuls, c.article or article(t), c.reason),))


def refuse_fallen(t: Tournament, ruling: RulingId) -> Refusal | None:
    """None for a ruling or an annulment that stands, else what is wrong with it."""
    if ruling not in t.rulings and ruling not in t.annulments:
        return unknown_ruling(ruling)
    if t.stands(ruling):
        return None
    see = f"/v1/tournaments/{t.id}/rulings/{ruling}"
    return Refusal(
        "rule", "not-standing", say("ruling {ruling} is not in force", ruling=ruling), where="ruling", see=see
    )


def unknown_ruling(ruling: RulingId) -> Refusal:
    """The refusal for an id that no ruling and no annulment has."""
    return Refusal("unknown", "unknown-ruling", say("no ruling {ruling}", ruling=ruling[:40]), where="ruling")


def base_ruling(t: Tournament, ruling: RulingId) -> Ruling:
    """The ruling itself, or the one that an annulment, perhaps of an annulment, is about."""
    while ruling in t.annulments:
        ruling = t.annulments[ruling].event.annuls
    return t.rulings[ruling]


def annulment(
    t: Tournament,
    ruling: RulingId,
    article: str,
    reason: TextRef | None,
    appeal: str | None = None,
    ahead: int = 0,
    retracted: bool = False,
) -> RulingAnnulled:
    """The event that takes ``ruling`` away, ``ahead`` events after the next one."""
    return RulingAnnulled(rulebook.next_ruling(t, ahead), ruling, article, reason, appeal, retracted)


def annulled(t: Tournament, ruling: RulingId) -> bool:
    """Whether a standing annulment names this very ruling (and not only what it rests on)."""
    return bool(t.annulments_in_force(ruling))


def article(t: Tournament) -> str:
    """The article by which rulings are annulled, where none is named."""
    row = authority_rule(t, ANNUL)
    assert row is not None, "who annuls was let by this row"
    return row.article
