"""Officials: who is in office, and who no longer is."""

from collections.abc import Iterable

from services.pairing.rules.commands import Appointment, AppointOfficial, DismissOfficial
from shared.core.events import Decision, OfficialAppointed
from shared.core.language.handles import NoHandle, handle
from shared.core.language.messages import message_of, say, term
from shared.core.state.tournament import Tournament, TournamentState
from shared.core.terms import ROLES, Refusal, Role


def appoint(t: Tournament, c: AppointOfficial) -> Decision | Refusal:
    """Put someone in office, beside those that he holds; a dismissed official is back in it.

    To an office already held nothing is added. Refusals: those of `refuse_appointment`; ``already-appointed`` where the
    tournament was announced before offices counted, and an appointment takes the place of the one before.
    """
    refusal = refuse_appointment(c.appointed, t.offices)
    if refusal is not None:
        return refusal
    if t.offices < 2:
        held = t.officials.get(c.appointed.official)
        if held is not None and c.appointed.role in held.roles:
            return Refusal(
                "rule",
                "already-appointed",
                say("{official} is {role} already", official=c.appointed.official, role=term(c.appointed.role)),
            )
    elif is_held(t, c.appointed):
        return Decision()
    return Decision((appointment(c.appointed),))


def appointments(actor: str, role: Role, officials: Iterable[Appointment]) -> tuple[OfficialAppointed, ...]:
    """The events of an announcement's appointments: of each office once; of that which the announcer has by it, only where
    it says what he is called."""
    wanted = {(one.official, one.role): one for one in officials}
    announcers = wanted.get((actor, role))
    if announcers is not None and announcers.person is None:
        del wanted[actor, role]
    return tuple(appointment(one) for one in wanted.values())


def appointment(c: Appointment) -> OfficialAppointed:
    return OfficialAppointed(c.official, c.role, c.person, c.boards)


def is_held(t: TournamentState, c: Appointment) -> bool:
    """Whether the official has this office already, is called so, and feeds these boards."""
    held = t.officials.get(c.official)
    if held is None or c.role not in held.roles:
        return False
    return c.person in (None, held.person) and (c.role != "board" or c.boards == held.boards)


def refuse_appointment(c: Appointment, offices: int) -> Refusal | None:
    """Why nobody can be appointed so. Refusals: ``unknown-role``, ``no-handle``, ``boards-without-device``."""
    if c.role not in ROLES:
        return Refusal(
            "invalid", "unknown-role", say("{role} is not a role for a person", role=term(c.role)), where="role"
        )
    if c.boards and c.role != "board":
        detail = say("boards are named for a device (role board), not for a {role}", role=term(c.role))
        return Refusal("invalid", "boards-without-device", detail, where="boards")
    return _no_handle(c.official) if offices >= 2 else None


def dismiss(t: Tournament, c: DismissOfficial) -> Decision | Refusal:
    """Dismiss anyone who holds a token, appointed here or not, from all offices that he has.

    Refusals: ``already-dismissed``; since offices count also ``no-handle``, ``own-dismissal``, ``announcer-stays`` and
    ``last-chief-arbiter``.
    """
    official = c.event.official
    if official in t.dismissed:
        return Refusal(
            "rule",
            "already-dismissed",
            say("{official} was dismissed by event {dismissed}", official=official, dismissed=t.dismissed[official]),
        )
    refusal = _no_handle(official) or _stays(t, c) if t.offices >= 2 else None
    return refusal or Decision((c.event,))


def _stays(t: Tournament, c: DismissOfficial) -> Refusal | None:
    """Who cannot be dismissed: else a tournament could be left with nobody who may appoint."""
    official = c.event.official
    if official == c.actor.name:
        return Refusal(
            "rule",
            "own-dismissal",
            say("{official} cannot dismiss themselves; another official must do it", official=official),
            where="name",
        )
    if official == t.announcer:
        return Refusal(
            "rule",
            "announcer-stays",
            say("{official} announced {id} and stays in office", official=official, id=t.id),
            where="name",
        )
    if t.holders("chief_arbiter") == [official]:
        detail = say("{official} is the last chief arbiter of {id}; appoint another first", official=official, id=t.id)
        return Refusal("rule", "last-chief-arbiter", detail, "002-X 16.2", "name", f"/v1/tournaments/{t.id}/officials")
    return None


def _no_handle(name: str) -> Refusal | None:
    """Refusal ``no-handle``: it is not written as handles are."""
    try:
        written = handle(name)
    except NoHandle as problem:
        return Refusal(
            "invalid", "no-handle", say("{name}: {problem}", name=repr(name), problem=message_of(problem)), where="name"
        )
    return (
        None
        if written == name
        else Refusal(
            "invalid",
            "no-handle",
            say("{name} is written {written}", name=repr(name), written=repr(written)),
            where="name",
        )
    )
