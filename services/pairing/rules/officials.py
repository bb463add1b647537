"""Officials: their appointment and dismissal."""

from collections.abc import Iterable

from services.pairing.rules.commands import AppointOfficial, DismissOfficial
from shared.core.events import Decision, OfficialAppointed
from shared.core.language.characters import skeleton
from shared.core.language.handles import InvalidLoginName, handle_fault, login_name
from shared.core.language.messages import message_of, say, term
from shared.core.readings.alike_names import alike_official, name_looks_alike
from shared.core.readings.authority import refuse_dismissed
from shared.core.state.tournament import Tournament, TournamentState
from shared.core.terms import BOUNDED_OFFICES, ROLES, Actor, Refusal, Role


def appoint(t: Tournament, c: AppointOfficial) -> Decision | Refusal:
    """Give an official a role in addition to others. A dismissed official is reinstated with it, if the command permits that.

    If the official already has the role, no event is written. Refusals: those of `refuse_appointment` and
    `refuse_alike`, ``official-dismissed``. In tournaments created before roles had to be in the log, an appointment
    replaces the earlier one, and a role that the official already has is refused as ``already-appointed``.
    """
    official, role = c.event.official, c.event.role
    refusal = refuse_appointment(c.event, t.offices) or refuse_alike(t, official)
    if refusal is None and not c.reinstates:
        refusal = refuse_dismissed(t, Actor(official, role))
    if refusal is not None:
        return refusal
    if t.offices < 2:
        held = t.officials.get(official)
        if held is not None and role in held.roles:
            detail = say("{official} is {role} already", official=official, role=term(role))
            return Refusal("rule", "already-appointed", detail)
    elif is_held(t, c.event):
        return Decision()
    return Decision((c.event,))


def appointments(actor: str, role: Role, officials: Iterable[OfficialAppointed]) -> tuple[OfficialAppointed, ...]:
    """Return the appointments to write when a tournament is created, one per official and role.

    ``actor`` and ``role``: the official who creates it. This role is left out unless the appointment adds their real name.
    """
    wanted = {(one.official, one.role): one for one in officials}
    announcers = wanted.get((actor, role))
    if announcers is not None and announcers.person is None:
        del wanted[actor, role]
    return tuple(wanted.values())


def is_held(t: TournamentState, c: OfficialAppointed) -> bool:
    """Return whether the official already has this role, this real name (if one is given) and, as a device, these boards."""
    held = t.officials.get(c.official)
    if held is None or c.role not in held.roles:
        return False
    return c.person in (None, held.person) and (c.role != "board" or c.boards == held.boards)


def refuse_appointment(c: OfficialAppointed, offices: int) -> Refusal | None:
    """Return why this appointment is invalid, or None. ``offices``: the tournament's edition of the rules about roles.

    Refusals: ``unknown-role``, ``no-handle``, ``boards-without-device``.
    """
    if c.role not in ROLES:
        return Refusal(
            "invalid", "unknown-role", say("{role} is not a role for a person", role=term(c.role)), where="role"
        )
    if c.boards and c.role != "board":
        detail = say("boards can only be given for a device (role board), not for the role {role}", role=term(c.role))
        return Refusal("invalid", "boards-without-device", detail, where="boards")
    return _refuse_handle(c.official, offices) if offices >= 2 else None


def refuse_alike(t: TournamentState, name: str) -> Refusal | None:
    """Return the refusal ``looks-alike`` if a login name looks like that of another official, or None."""
    other = alike_official(t, name)
    return None if other is None else name_looks_alike("rule", name, other)


def refuse_alike_names(names: Iterable[str]) -> Refusal | None:
    """Return the refusal ``looks-alike`` if two of these login names look alike, or None."""
    looks: dict[str, str] = {}
    for name in names:
        other = looks.setdefault(skeleton(name), name)
        if other != name:
            return name_looks_alike("rule", name, other)
    return None


def dismiss(t: Tournament, c: DismissOfficial) -> Decision | Refusal:
    """Dismiss any token holder, appointed here or not, from all roles.

    Refusals: ``already-dismissed``. Since roles have to be in the log also ``no-handle``, ``own-dismissal``,
    ``announcer-stays`` and ``last-chief-arbiter``.
    """
    official = c.event.official
    if official in t.dismissed:
        detail = say(
            "{official} was already dismissed (event {dismissed})", official=official, dismissed=t.dismissed[official]
        )
        return Refusal("rule", "already-dismissed", detail)
    refusal = _refuse_handle(official, t.offices) or _refuse_protected(t, c) if t.offices >= 2 else None
    return refusal or Decision((c.event,))


def _refuse_protected(t: Tournament, c: DismissOfficial) -> Refusal | None:
    """Return why this official cannot be dismissed, or None. Someone who may appoint others must always remain.

    Refusals: ``own-dismissal``, ``announcer-stays``, ``last-chief-arbiter``.
    """
    official = c.event.official
    if official == c.actor.name:
        detail = say("{official} cannot dismiss themselves; another official must do it", official=official)
        return Refusal("rule", "own-dismissal", detail, where="name")
    if official == t.announcer:
        detail = say("{official} created {id} and cannot be dismissed from this role", official=official, id=t.id)
        return Refusal("rule", "announcer-stays", detail, where="name")
    if t.holders("chief_arbiter") == [official]:
        detail = say("{official} is the last chief arbiter of {id}; appoint another first", official=official, id=t.id)
        return Refusal("rule", "last-chief-arbiter", detail, "002-X 16.2", "name", f"/v1/tournaments/{t.id}/officials")
    return None


def _refuse_handle(name: str, offices: int) -> Refusal | None:
    """Return the refusal ``no-handle`` if ``name`` is not a valid login name in its canonical spelling, or None.

    ``offices``: the tournament's edition of the rules about roles.
    """
    if offices >= BOUNDED_OFFICES:
        why = handle_fault(name)
        return None if why is None else Refusal("invalid", "no-handle", why, where="name")
    try:
        written = login_name(name)
        detail = say("{name} is written {written}", name=repr(name), written=repr(written))
    except InvalidLoginName as problem:
        written, detail = "", say("{name}: {problem}", name=repr(name), problem=message_of(problem))
    return None if written == name else Refusal("invalid", "no-handle", detail, where="name")
