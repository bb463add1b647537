"""Retractions: a mistake is withdrawn by its author, or by the chief arbiter, before later decisions depend on it."""

from services.penalties.rules.commands import RetractRuling
from services.penalties.rules.rulings.annulments import annullers, annulment, base_ruling, refuse_lapsed, unknown_ruling
from shared.core.events import Decision, RulingMade
from shared.core.language.handles import is_named
from shared.core.language.messages import Message, MessageFact, either, in_turn, say, term
from shared.core.readings.authority import ANNUL, RETRACT, authority_rule
from shared.core.state.entities import Annulment, Ruling
from shared.core.state.tournament import Tournament
from shared.core.terms import Refusal, Role


def retract_ruling(t: Tournament, c: RetractRuling) -> Decision | Refusal:
    """Retract a ruling, or an annulment, made by mistake. It is not a pardon: the same act may be ruled on again.

    Refusals: ``no-retraction`` if the rulebook does not grant it (decision edition 1 does not), ``unknown-ruling``,
    ``rulebook-decided`` and ``appeal-decided`` for decisions that are not a person's mistake, ``not-the-maker``,
    ``not-standing``, ``round-paired`` and ``table-published`` once later decisions depend on it.
    """
    row = authority_rule(t, RETRACT)
    if row is None:
        detail = say("the rulebook {name} does not allow rulings to be retracted", name=t.regulations.rulebook.name)
        return _refuse(t, c, "no-retraction", detail)
    entry = t.rulings.get(c.annuls) or t.annulments.get(c.annuls)
    if entry is None:
        return unknown_ruling(c.annuls)
    refusal = _refuse_automatic(t, c, entry) or _refuse_other_maker(c, entry, row.roles, row.article)
    refusal = refusal or refuse_lapsed(t, c.annuls) or _refuse_late(t, c, entry)
    return refusal or Decision(events=(annulment(t, c.annuls, row.article, c.reason, retracted=True),))


def _refuse_automatic(t: Tournament, c: RetractRuling, entry: Ruling | Annulment) -> Refusal | None:
    """Return why a decision of the rulebook or of an appeal cannot be retracted, with its grounds, or None."""
    if isinstance(entry, Annulment) and entry.event.appeal is not None:
        detail = say("{ruling} was decided by appeal {appeal}", ruling=c.annuls, appeal=entry.event.appeal)
        return _refuse(t, c, "appeal-decided", detail)
    if entry.role != "rulebook":
        return None
    rests = _grounds(entry.event) if isinstance(entry, Ruling) else ()
    facts = {"ruling": c.annuls, "article": entry.event.article}
    detail = say("{ruling} was made by the rulebook (article {article}) and cannot be retracted", **facts)
    if rests:
        detail = say(
            "{ruling} was made by the rulebook (article {article}) and cannot be retracted; it depends on "
            "{rests}: retract or correct that instead",
            **facts,
            rests=rests,
        )
    return _refuse(t, c, "rulebook-decided", detail)


def _grounds(event: RulingMade) -> tuple[MessageFact, ...]:
    """Return the rulings, the finding, and the arrival or breaks on which a ruling of the rulebook depends."""
    finding = () if event.finding is None else (say("finding {finding}", finding=event.finding),)
    notes = (
        say("break {note}", note=note) if event.arrival is None else say("arrival {note}", note=note)
        for note in event.notes
    )
    return (*event.because, *finding, *notes)


def _refuse_other_maker(
    c: RetractRuling, entry: Ruling | Annulment, roles: tuple[Role, ...], article: str
) -> Refusal | None:
    """Return the refusal ``not-the-maker`` unless the actor made the ruling or holds one of ``roles``; otherwise None.

    Authors are identified by name and role.
    """
    if c.actor.role in roles or (c.actor.role == entry.role and is_named(c.actor.name, entry.actor)):
        return None
    others = either(term(role.replace("_", " ")) for role in roles)
    detail = say(
        "{ruling} was made by {actor} as {role}: only {actor} or the {others} can retract it",
        ruling=c.annuls,
        actor=entry.actor,
        role=term(entry.role),
        others=others,
    )
    return Refusal("authority", "not-the-maker", detail, article, where="ruling")


def _refuse_late(t: Tournament, c: RetractRuling, entry: Ruling | Annulment) -> Refusal | None:
    """Return why a mistake can no longer be retracted, or None.

    That is so once a later round was paired, or a table with this round was published, after the ruling.
    """
    round = base_ruling(t, c.annuls).event.round
    for pairing in t.pairings:
        if pairing.withdrawn is None and pairing.event.round > round and pairing.seq > entry.seq:
            detail = say(
                "round {round} was paired (event {seq}) after the ruling, so the ruling cannot be retracted",
                round=pairing.event.round,
                seq=pairing.seq,
            )
            return _refuse(t, c, "round-paired", detail)
    for table in t.publications:
        if table.event.round >= round and table.basis >= entry.seq:
            detail = say(
                "the standings after round {round} were published (event {seq}) with the ruling, so the ruling "
                "cannot be retracted",
                round=table.event.round,
                seq=table.seq,
            )
            return _refuse(t, c, "table-published", detail)
    return None


def _refuse(t: Tournament, c: RetractRuling, code: str, detail: Message) -> Refusal:
    """Return a refusal with the remaining remedies: an annulment, or an appeal."""
    row = authority_rule(t, ANNUL)
    left = say("the ruling can still be annulled by {who}, or be appealed against", who=annullers(t))
    see = f"/v1/tournaments/{t.id}/rulings/{c.annuls}/annulment"
    return Refusal("rule", code, in_turn((detail, left)), None if row is None else row.article, "ruling", see)
