"""Annulments: rulings that annul another ruling, or another annulment."""

from services.penalties.rules import rulebook
from services.penalties.rules.commands import AnnulRuling
from services.penalties.rules.rulings.cited_article import refuse_article
from shared.core.events import Decision, RulingAnnulled
from shared.core.language.messages import Message, either, say, term
from shared.core.readings.authority import ANNUL, authority_rule
from shared.core.state.entities import Ruling
from shared.core.state.tournament import Tournament
from shared.core.terms import Refusal, RulingId, TextRef


def annul_ruling(t: Tournament, c: AnnulRuling) -> Decision | Refusal:
    """Decide to annul a ruling in force. Annulling an annulment restores the ruling it annulled.

    Refusals: those of `refuse_lapsed`, ``unknown-article``.
    """
    made = annulment(t, c.annuls, c.article or article(t), c.reason)
    return refuse_lapsed(t, c.annuls) or refuse_article(t, c.article) or Decision(events=(made,))


def refuse_lapsed(t: Tournament, ruling: RulingId) -> Refusal | None:
    """Return why a ruling or an annulment is not in force, or None if it is.

    Refusals: ``unknown-ruling``, ``not-standing``.
    """
    if ruling not in t.rulings and ruling not in t.annulments:
        return unknown_ruling(ruling)
    if t.is_in_force(ruling):
        return None
    see, detail = f"/v1/tournaments/{t.id}/rulings/{ruling}", say("ruling {ruling} is not in force", ruling=ruling)
    return Refusal("rule", "not-standing", detail, where="ruling", see=see)


def unknown_ruling(ruling: RulingId) -> Refusal:
    """Return the refusal ``unknown-ruling`` for an ID that no ruling and no annulment has."""
    return Refusal(
        "unknown", "unknown-ruling", say("ruling {ruling} does not exist", ruling=ruling[:40]), where="ruling"
    )


def base_ruling(t: Tournament, ruling: RulingId) -> Ruling:
    """Return the ruling itself, or the one at the end of a chain of annulments."""
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
    """Return the event that annuls ``ruling``, ``ahead`` events after the next one of penalties.

    ``appeal``: the ID of the appeal that is upheld by it, or None. ``retracted``: whether the ruling was made by
    mistake.
    """
    return RulingAnnulled(rulebook.next_ruling(t, ahead), ruling, article, reason, appeal, retracted)


def is_annulled(t: Tournament, ruling: RulingId) -> bool:
    """Return whether an annulment in force annuls this very ruling, and not only one that it depends on."""
    return bool(t.annulments_in_force(ruling))


def annullers(t: Tournament) -> Message:
    """Return the roles that may annul a ruling."""
    row = authority_rule(t, ANNUL)
    return say("nobody") if row is None else either(map(term, row.roles))


def article(t: Tournament) -> str:
    """Return the article by which rulings are annulled if no other is given."""
    row = authority_rule(t, ANNUL)
    assert row is not None, "this row permits the annulment"
    return row.article
