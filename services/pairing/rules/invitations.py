"""Who may be invited to a session, and by whom: nobody gives more than he holds."""

from dataclasses import replace

from shared.core.language.messages import say, term
from shared.core.readings.authority import OFFICE_NOT_HELD, refuse_dismissed, refuse_without_office
from shared.core.readings.token_boards import NARROWED_ROLE, Boards
from shared.core.state.tournament import TournamentState
from shared.core.terms import OFFICES, Actor, Refusal, Role

_GIVEN_BY_ITS_HOLDER: tuple[Role, ...] = ("organiser",)
"""Roles that only who holds them gives: he erases texts and answers for the keys, which no other does for him."""


def gives(inviter: Role, role: Role) -> bool:
    """Whether who acts in one role opens and ends sessions in another."""
    return role not in _GIVEN_BY_ITS_HOLDER or inviter == role


def refuse_narrowed(boards: Boards | None) -> Refusal | None:
    """Why who has a session for some ``boards`` opens and ends no other's. Refusal: ``session-narrowed``."""
    if boards is None:
        return None
    detail = say("this login is for boards {boards} only; it cannot start or end other logins", boards=str(boards))
    return Refusal("authority", "session-narrowed", detail)


def refuse_invited(t: TournamentState, inviter: Role, invited: Actor, boards: Boards | None) -> Refusal | None:
    """Why ``invited`` is not invited by who holds the role ``inviter``. Refusals: ``not-theirs-to-give``,
    ``boards-of-arbiters``, ``official-dismissed``, ``office-not-held``."""
    if not gives(inviter, invited.role):
        detail = say("only the {role} invites the {role}", role=term(invited.role))
        return Refusal("authority", "not-theirs-to-give", detail, where="role")
    if boards is not None and invited.role != NARROWED_ROLE:
        detail = say("only a login as {role} can be limited to boards", role=term(NARROWED_ROLE))
        return Refusal("invalid", "boards-of-arbiters", detail, where="boards")
    refusal = refuse_dismissed(t, invited) or refuse_without_office(t, invited)
    if refusal is None or refusal.code != OFFICE_NOT_HELD or invited.role not in OFFICES:
        return refusal
    detail = say(
        "{name} is not {role} in {id}: appoint first, then invite", name=invited.name, role=term(invited.role), id=t.id
    )
    return replace(refusal, detail=detail, where="name")
