"""The rules for inviting people and for creating integration tokens: officials cannot grant more rights than they hold."""

from collections.abc import Collection
from dataclasses import replace

from shared.core.language.messages import say, term
from shared.core.readings.authority import OFFICE_NOT_HELD, refuse_dismissed, refuse_without_office
from shared.core.readings.token_boards import NARROWED_ROLE, Boards
from shared.core.state.tournament import TournamentState
from shared.core.terms import OFFICES, ROLES, Actor, Refusal, Role

INTEGRATION_ROLES: tuple[Role, ...] = tuple(role for role in ROLES if role != "player")
"""The roles of integration tokens. A player has an entry, and is invited."""
_GIVEN_BY_ITS_HOLDER: tuple[Role, ...] = ("organiser",)
"""Roles that only their holders grant: an organiser erases texts and is responsible for the keys."""


def may_grant(inviter: Role, role: Role) -> bool:
    """Return whether an official in the role ``inviter`` may open and end sessions of people in the role ``role``."""
    return role not in _GIVEN_BY_ITS_HOLDER or inviter == role


def refuse_narrowed(boards: Boards | None) -> Refusal | None:
    """Return the refusal ``session-narrowed`` if the caller's session is limited to ``boards``, or None.

    Such a session cannot open or end others.
    """
    if boards is None:
        return None
    detail = say("this login is for boards {boards} only; it cannot start or end other logins", boards=str(boards))
    return Refusal("authority", "session-narrowed", detail)


def refuse_invited(t: TournamentState, inviter: Role, invited: Actor, boards: Boards | None) -> Refusal | None:
    """Return why an official in the role ``inviter`` may not invite ``invited``, or None.

    ``boards``: the only boards that the invited session may write about (None: all).

    Refusals: ``not-theirs-to-give``, ``boards-of-arbiters``, ``official-dismissed``, ``office-not-held``.
    """
    if not may_grant(inviter, invited.role):
        detail = say("only the {role} may invite the {role}", role=term(invited.role))
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


def refuse_integration_token(t: TournamentState, creator: Role, holder: Actor) -> Refusal | None:
    """Return why an official in the role ``creator`` may not appoint ``holder`` and create an integration token, or None.

    A dismissed official is not reinstated by a token. Refusals: ``not-theirs-to-give``, ``roles-not-in-log``,
    ``official-dismissed``.
    """
    if not may_grant(creator, holder.role):
        detail = say("only the {role} may create a token for the {role}", role=term(holder.role))
        return Refusal("authority", "not-theirs-to-give", detail, where="roles")
    if t.offices < 2:
        detail = say(
            "the log of {id} does not state who holds a role, because version 1.0.0 created it: ask the operator for a token",
            id=t.id,
        )
        return Refusal("rule", "roles-not-in-log", detail)
    return refuse_dismissed(t, holder)


def refuse_taken_name(t: TournamentState, name: str, users: Collection[str]) -> Refusal | None:
    """Return the refusal ``name-taken`` if an official of the tournament or one of its ``users`` has the login name, or None.

    A device may have it: it is not a person.
    """
    held = t.officials.get(name)
    if name not in users and (held is None or held.roles <= {"board"}):
        return None
    detail = say(
        "{name} is already a login name in {id}; a program needs a login name of its own: choose another one",
        name=name,
        id=t.id,
    )
    return Refusal("rule", "name-taken", detail, where="name")
