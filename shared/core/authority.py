"""Who may do what: pure, checked by every service's ``decide`` so that the audit can check it too.

Who may do what a rulebook leaves to its authorities (effects, annulments) stands in the regulations, here only what these
acts are called; and here stand the acts of the office, as our roles have them.
"""

from shared.core.effects import CHOSEN
from shared.core.terms import Actor, Refusal, Role
from shared.core.tournament import TournamentState

_OFFICE: tuple[Role, ...] = ("organiser", "chief_arbiter")
_HALL: tuple[Role, ...] = ("chief_arbiter", "arbiter")

APPLY = "apply"
"""The act of imposing what the rulebook fixes for an infraction."""
ANNUL = "annul"
LODGE_APPEAL = "lodge an appeal"
DECIDE_APPEAL = "decide an appeal"
RULING_ACTS: tuple[str, ...] = (APPLY, *CHOSEN)
RULEBOOK_ACTS = (*RULING_ACTS, ANNUL, LODGE_APPEAL, DECIDE_APPEAL)
"""The acts that a rulebook grants to roles."""

ACTS: dict[str, tuple[Role, ...]] = {
    "announce": _OFFICE,
    "adopt regulations": _OFFICE,
    "appoint or dismiss officials": _OFFICE,
    "enter players": _OFFICE,
    "enter teams": _OFFICE,
    "hand in a line-up": ("organiser", "chief_arbiter", "arbiter"),
    "assign starting numbers": _OFFICE,
    "withdraw a player": (*_OFFICE, "rulebook"),
    "let a player return": (*_OFFICE, "rulebook"),
    "grant a bye": _OFFICE,
    "forbid pairs": _OFFICE,
    "fix a board": _OFFICE,
    "draw lots": _OFFICE,
    "pair a round": _OFFICE,
    "override an absolute rule": ("chief_arbiter",),
    "withdraw a pairing": ("chief_arbiter",),
    "erase a text": ("organiser",),
    "report results": _HALL,
    "correct results": _HALL,
    "feed moves": ("board", "arbiter", "chief_arbiter", "player"),
    "take moves back": _HALL,
    "settle boundaries": ("chief_arbiter",),
    "note arrivals": _HALL,
    "note breaks": _HALL,
    "note a crossing": ("chief_arbiter",),
    "publish": _OFFICE,
    "answer a finding": ("rulebook",),
}


def permit(t: TournamentState, actor: Actor, act: str) -> Refusal | None:
    """None if ``actor`` may do ``act`` in this tournament, else why not."""
    refusal = refuse_dismissed(t, actor)
    if refusal is None and actor.role not in ACTS[act]:
        roles = " or ".join(ACTS[act])
        refusal = Refusal("authority", "role-may-not", f"the role {actor.role} may not {act}; it takes {roles}")
    return refusal


def refuse_dismissed(t: TournamentState, actor: Actor) -> Refusal | None:
    """The refusal of a dismissed official, who may do nothing more here: ``official-dismissed``; None for everyone else."""
    if actor.name in t.dismissed and actor.role != "rulebook":
        return Refusal(
            "authority",
            "official-dismissed",
            f"{actor.name} was dismissed from {t.id} (line {t.dismissed[actor.name]})",
        )
    return None
