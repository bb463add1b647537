"""Who is at work in a tournament: the people in office, and the sessions that are open."""

import time
from typing import NamedTuple, cast

from services.pairing.access.invitations import boards_of_row
from services.pairing.access.login_pages import session_of
from services.pairing.rules.invitations import may_grant
from shared.core.language.messages import message_of, say
from shared.core.readings.token_boards import Boards
from shared.core.state.tournament import TournamentState
from shared.core.terms import ROLES, Role
from shared.core.trust.token_revocations import Revocation
from shared.desk.desk import Desk
from shared.desk.keys.revocations import NoKey
from shared.http.identity.tokens import Identity
from shared.http.problems import Problem, log_full, unavailable
from shared.log.invitations import Session
from shared.log.port import LogFull


class Person(NamedTuple):
    """One in office: what he is ``called`` where that is known, his roles."""

    handle: str
    called: str | None
    roles: tuple[Role, ...]


class Open(NamedTuple):
    """A session as the page shows it; ``own``: this browser's; ``ends``: whether who looks may end it."""

    session: Session
    role: Role
    boards: Boards | None
    own: bool
    ends: bool


def people(desk: Desk, t: TournamentState) -> list[Person]:
    """Those in office, by their handles."""
    called = desk.texts({one.person.text for one in t.officials.values() if one.person is not None})
    return [
        Person(
            name,
            called[held.person.text].text if held.person is not None and held.person.text in called else None,
            tuple(role for role in ROLES if role in held.roles),
        )
        for name, held in sorted(t.officials.items())
    ]


def open_sessions(desk: Desk, t: TournamentState, who: Identity, office: bool) -> list[Open]:
    """The sessions that ``who`` sees, the own one first."""
    rows = sessions_in(desk, t.id, who)
    shown = [
        Open(
            row,
            cast(Role, row.role),
            boards_of_row(row.first, row.last),
            row.jti == who.actor.tokenid,
            row.jti == who.actor.tokenid or may_end(who, row),
        )
        for row in rows
        if office or row.jti == who.actor.tokenid
    ]
    return sorted(shown, key=lambda one: not one.own)


def may_end(sender: Identity, found: Session) -> bool:
    """A session of all tournaments is ended by who has such a token himself, and is no less than an organiser."""
    if found.tournament is None:
        return sender.tournament is None and sender.actor.role == "organiser"
    return may_grant(sender.actor.role, cast(Role, found.role))


def sessions_in(desk: Desk, t: str, who: Identity) -> list[Session]:
    """Those that are open in a tournament, and that of ``who``, wherever it began; none that was taken back."""
    desk.revocations.refresh()
    rows = {row.jti: row for row in desk.log.invitations.sessions(t, int(time.time()))}
    if who.actor.tokenid not in rows:
        rows[who.actor.tokenid] = session_of(who)._replace(since=who.issued)
    covers = desk.revocations.covers
    return [row for row in rows.values() if not covers(row.jti, row.name, row.tournament, row.issued)]


def not_theirs_to_end() -> Problem:
    """Return the problem of an official who may not end a login or revoke a token."""
    detail = say("only an organiser can end logins and revoke tokens of an organiser, or those for all tournaments")
    return Problem(403, "not-theirs-to-end", say("Not within this authority"), detail)


def revoke(desk: Desk, revocation: Revocation) -> None:
    """Revoke tokens in every service. Raises `Problem` if this process cannot, or if the log is full."""
    try:
        desk.revocations.revoke(revocation)
    except NoKey as problem:
        raise unavailable("no-key", message_of(problem)) from None
    except LogFull as problem:
        raise log_full(message_of(problem)) from None
