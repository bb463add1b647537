"""Retractions: a slip is taken back by who made it, or by the chief arbiter, until others go by it."""

from services.penalties.rules.commands import RetractRuling
from services.penalties.rules.rulings.annulments import annulment, base_ruling, refuse_fallen, unknown_ruling
from shared.core.events import Decision, RulingMade
from shared.core.language.handles import is_named
from shared.core.language.messages import Message, MessageFact, either, in_turn, say, term
from shared.core.readings.authority import ANNUL, RETRACT, authority_rule
from shared.core.state.entities import Annulment, Ruling
from shared.core.state.tournament import Tournament
from shared.core.terms import Refusal, Role


def retract_ruling(t: Tournament, c: RetractRuling) -> Decision | Refusal:
    """Take back a ruling, or an annulment, that was a slip. It pardons nothing: the same act may be ruled again.

    Refusals: ``no-retraction`` by a rulebook that does not grant it (those of decisions 1 do not), ``unknown-ruling``,
    ``rulebook-decided`` and ``appeal-decided`` for what is nobody's slip, ``not-the-maker``, ``not-standing``,
    ``round-paired`` and ``table-published`` once others have gone by it.
    """
    row = authority_rule(t, RETRACT)
    if row is None:
        return _refused(
            t, c, "no-retraction", say("the rulebook {name} knows no retraction", name=t.regulations.rulebook.name)
        )
    entry = t.rulings.get(c.annuls) or t.annulments.get(c.annuls)
    if entry is None:
        return unknown_ruling(c.annuls)
    refusal = _nobodys_slip(t, c, entry) or _not_the_maker(c, entry, row.roles, row.article)
    refusal = refusal or refuse_fallen(t, c.annuls) or _too_late(t, c, entry)
    return refusal or Decision(events=(annulment(t, c.annuls, row.article, c.reason, retracted=True),))


def _nobodys_slip(t: Tournament, c: RetractRuling, entry: Ruling | Annulment) -> Refusal | None:
    """Why what the rulebook made, or an appeal brought, is nobody's slip; it names what that rests on."""
    if isinstance(entry, Annulment) and entry.event.appeal is not None:
        return _refused(
            t,
            c,
            "appeal-decided",
            say("{ruling} was decided by appeal {appeal}", ruling=c.annuls, appeal=entry.event.appeal),
        )
    if entry.role != "rulebook":
        return None
    rests = _grounds(entry.event) if isinstance(entry, Ruling) else ()
    facts = {"ruling": c.annuls, "article": entry.event.article}
    if not rests:
        detail = say("{ruling} was made by the rulebook (article {article}) and cannot be retracted", **facts)
        return _refused(t, c, "rulebook-decided", detail)
    detail = say(
        "{ruling} was made by the rulebook (article {article}) and cannot be retracted; it depends on "
        "{rests}: retract or correct that instead",
        **facts,
        rests=rests,
    )
    return _refused(t, c, "rulebook-decided", detail)


def _grounds(event: RulingMade) -> tuple[MessageFact, ...]:
    """What a ruling of the rulebook rests on."""
    finding = () if event.finding is None else (say("finding {finding}", finding=event.finding),)
    notes = (
        say("break {note}", note=note) if event.arrival is None else say("arrival {note}", note=note)
        for note in event.notes
    )
    return (*event.because, *finding, *notes)


def _not_the_maker(
    c: RetractRuling, entry: Ruling | Annulment, roles: tuple[Role, ...], article: str
) -> Refusal | None:
    """Who made it is known by name and office: another person's slip is the chief arbiter's to see."""
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


def _too_late(t: Tournament, c: RetractRuling, entry: Ruling | Annulment) -> Refusal | None:
    """Once a later round is paired, or a table with this round published, after the ruling, it is no slip any more."""
    round = base_ruling(t, c.annuls).event.round
    for pairing in t.pairings:
        if pairing.withdrawn is None and pairing.event.round > round and pairing.seq > entry.seq:
            return _refused(
                t,
                c,
                "round-paired",
                say("round {round} was paired after it (event {seq})", round=pairing.event.round, seq=pairing.seq),
            )
    for table in t.publications:
        if table.event.round >= round and table.basis >= entry.seq:
            detail = say(
                "the standings after round {round} were published with it (event {seq})",
                round=table.event.round,
                seq=table.seq,
            )
            return _refused(t, c, "table-published", detail)
    return None


def _refused(t: Tournament, c: RetractRuling, code: str, detail: Message) -> Refusal:
    """A refusal by the rules that names the way left: an annulment, or an appeal."""
    row = authority_rule(t, ANNUL)
    who = say("nobody") if row is None else either(map(term, row.roles))
    left = say("it can still be annulled by {who}, or appealed against", who=who)
    see = f"/v1/tournaments/{t.id}/rulings/{c.annuls}/annulment"
    return Refusal(
        "rule",
        code,
        in_turn((detail, left)),
        None if row is None else row.article,
        "ruling",
        see,
    )
