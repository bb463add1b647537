"""The values of a decision: in a tournament with the third edition of offices, nothing outside of the bounds is written."""

from shared.core.events import Decision, TournamentAnnounced
from shared.core.language.handles import handle_fault
from shared.core.language.messages import say
from shared.core.readings.value_gate import OFFICES, value_fault
from shared.core.state.tournament import TournamentState
from shared.core.terms import RULEBOOK, Actor, Refusal


def refuse_values(t: TournamentState, actor: Actor, decision: Decision) -> Refusal | None:
    """Return why a decision cannot be written, or None.

    Refusals: ``value-out-of-bounds`` with the path of the value, ``no-handle`` for an actor without a login name.
    """
    if max([t.offices, *(e.offices for e in decision.events if isinstance(e, TournamentAnnounced))]) < OFFICES:
        return None
    why = None if actor == RULEBOOK else handle_fault(actor.name)
    if why is not None:
        return Refusal("invalid", "no-handle", say("{name}: {why}", name=ascii(actor.name), why=why))
    for data in (*decision.lines, *decision.events, *decision.brought):
        fault = value_fault(data)
        if fault is not None:
            return Refusal("invalid", "value-out-of-bounds", fault.message, where=fault.where)
    return None
