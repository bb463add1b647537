"""Appeals against rulings, and what the appeals committee says."""

from services.penalties.rules import rulebook
from services.penalties.rules.annulments import annulment, refuse_fallen
from services.penalties.rules.commands import DecideAppeal, LodgeAppeal
from shared.core.authority import DECIDE_APPEAL
from shared.core.events import AppealDecided, AppealLodged, Decision, Official
from shared.core.terms import Refusal
from shared.core.tournament import Tournament


def lodge_appeal(t: Tournament, c: LodgeAppeal) -> Decision | Refusal:
    """An appeal against a ruling that stands; one player has one open appeal against it."""
    refusal = refuse_fallen(t, c.ruling)
    if refusal is not None:
        return refusal
    if c.by not in t.players:
        return Refusal("unknown", "unknown-player", f"no player {c.by} has entered", where="by")
    for id, appeal in t.appeals.items():
        if appeal.decision is None and (appeal.event.ruling, appeal.event.by) == (c.ruling, c.by):
            return Refusal("rule", "appeal-open", f"appeal {id} against {c.ruling} is not decided yet", where="ruling")
    return Decision(events=(AppealLodged(f"a{rulebook.next_number(t)}", c.ruling, c.by, c.grounds),))


def decide_appeal(t: Tournament, c: DecideAppeal) -> Decision | Refusal:
    """The committee's word. Upheld: the ruling is annulled with it, unless it has fallen meanwhile."""
    appeal = t.appeals.get(c.appeal)
    if appeal is None:
        return Refusal("unknown", "unknown-appeal", f"no appeal {c.appeal[:40]}", where="appeal")
    if appeal.decision is not None:
        return Refusal("rule", "appeal-decided", f"appeal {c.appeal} was decided already", where="appeal")
    row = rulebook.authority_rule(t, DECIDE_APPEAL)
    assert row is not None, "who decides appeals was let by this row"
    article = c.article or row.article
    events: tuple[Official, ...] = (AppealDecided(c.appeal, c.upheld, article, c.grounds),)
    if c.upheld and t.stands(appeal.event.ruling):
        events += (annulment(t, appeal.event.ruling, article, c.grounds, c.appeal, ahead=1),)
    return Decision(events=events)
