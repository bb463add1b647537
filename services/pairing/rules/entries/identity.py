"""The identity of a player across tournaments: the national ID, and the consent that results are public."""

from services.pairing.rules.commands import StateIdentity
from services.pairing.rules.entries.entry_lookup import entry_of
from shared.core.events import Decision
from shared.core.language.messages import say
from shared.core.state.tournament import Tournament
from shared.core.terms import Refusal, TextRef

IDENTITY = ("national_id", "public_history")
"""The members of an entry that state its identity."""


def state_identity(t: Tournament, c: StateIdentity) -> Decision | Refusal:
    """Decide an identity, at any time: consent can be given and withdrawn after the final table too.

    Refusals: ``unknown-player``, ``nothing-corrected``, ``national-id-without-federation``.
    """
    entry = entry_of(t, c.event.player)
    if isinstance(entry, Refusal):
        return entry
    if all(getattr(c.event, name) == getattr(entry, name) for name in IDENTITY):
        return Refusal("rule", "nothing-corrected", say("the entry already has these values"), where="player")
    return refuse_unnamed_federation(c.event.national_id, entry.federation) or Decision((c.event,))


def refuse_unnamed_federation(national_id: TextRef | None, federation: str | None) -> Refusal | None:
    """Return the refusal ``national-id-without-federation`` if no federation is known that gave the ID, or None."""
    if national_id is None or federation is not None:
        return None
    detail = say("a national ID requires the federation that gave it")
    return Refusal("invalid", "national-id-without-federation", detail, where="federation")
