"""Integration tokens: tokens for programs, created by officials who may appoint. Each is for one role in one tournament."""

import time
from collections.abc import Sequence
from hashlib import sha256
from typing import Any, Literal, NamedTuple, cast
from uuid import UUID

import msgspec

from services.pairing.access.invitation_routes import require_office
from services.pairing.access.invitations import DAY, Invited, Inviter, Issue, invitation, invited_of
from services.pairing.access.sessions import not_theirs_to_end, revoke
from services.pairing.rules.commands import AppointOfficial
from services.pairing.rules.invitations import may_grant, refuse_integration_token, refuse_taken_name
from shared.audit.keys.key_files import BadKeys
from shared.core.events import OfficialAppointed
from shared.core.language.messages import message_of, say
from shared.core.readings.authority import refuse_dismissed, refuse_without_office
from shared.core.state.tournament import TournamentState
from shared.core.terms import PAIRING, Actor, Refusal, Role
from shared.core.trust.token_revocations import Revocation
from shared.desk.desk import Desk, Request
from shared.desk.requests import command_id, unknown_official
from shared.http.commands.command_pipeline import previewed, submitted
from shared.http.identity.tokens import LEEWAY_SECONDS, Identity
from shared.http.problems import Problem, refused, unavailable
from shared.http.reads import tournament_query
from shared.http.requests import auth
from shared.log.invitations import Invitation

DAYS, DAYS_AT_MOST = 30, 365
"""The lifetime of an integration token in days: the default, and the maximum."""
TOGETHER_AT_MOST = 20
"""Maximum number of tokens that one request creates."""
ACTIVE_AT_MOST = 100
"""Maximum number of active integration tokens of a tournament."""
TokenState = Literal["active", "expired", "revoked", "role_not_held"]


class Wanted(NamedTuple):
    """The tokens that a request asks for: one for each of ``roles`` in each of ``tournaments``.

    ``once``: the key under which the request takes effect once. ``repeatable``: the caller sent that key.
    """

    name: str
    roles: Sequence[Role]
    tournaments: Sequence[str]
    days: int
    once: str
    repeatable: bool = True

    def key(self, t: str, role: Role) -> str | None:
        """Return the idempotency key of the appointment to a role in a tournament, or None if the caller sent no key."""
        n = self.tournaments.index(t) * len(self.roles) + self.roles.index(role)
        return sha256(f"{self.once}\0{n}".encode()).hexdigest() if self.repeatable else None


class Created(NamedTuple):
    """A new token and what is kept of it. ``token`` is the secret."""

    token: str
    row: Invitation


def create_tokens(desk: Desk, issue: Issue, sender: Identity, wanted: Wanted) -> list[Created]:
    """Appoint the name to each role in each tournament, then return the new tokens.

    Nothing is written unless every appointment and every token is permitted. No token exists before the log states its role.

    Raises `Problem`: those of `require_office`, 403 for a role that the sender cannot give, 409 for a login name that somebody
    uses, for a tournament with too many tokens and for a request whose tokens were created before, 503 without the key that
    signs tokens.
    """
    for t in wanted.tournaments:
        _require_permitted(desk, sender, t, wanted)
    # This token has expired long ago. It shows that the key can sign, before anything is written.
    _signed(issue, wanted.roles[0], wanted.name, wanted.tournaments[0], 0, now=0, boards=None)
    pairs = [(t, role) for t in wanted.tournaments for role in wanted.roles]
    digest = desk.keys.keyed_digest(PAIRING, msgspec.json.encode(wanted._replace(once="")))
    for t, role in pairs:
        appointment = _appointment(desk, sender.actor, t, wanted.name, role)
        submitted(desk, PAIRING, t, appointment, Request(key=wanted.key(t, role), body=digest))
    created = [_created(desk, issue, sender, wanted, t, role) for t, role in pairs]
    if not desk.log.invitations.invite(*(one.row for one in created)):
        raise Problem(
            409,
            "token-created-already",
            say("This command has already created its tokens"),
            say("a token is shown once and cannot be shown again: revoke it and create a new one"),
        )
    return created


def _require_permitted(desk: Desk, sender: Identity, t: str, wanted: Wanted) -> None:
    """Check all of a request that concerns one tournament, without writing anything. Raises `Problem`."""
    auth.require(t)
    view = tournament_query.view_at(desk, t)
    require_office(desk, view, sender)
    for role in wanted.roles:
        refusal = refuse_integration_token(view.state, sender.actor.role, Actor(wanted.name, role))
        if refusal is not None:
            raise refused(refusal)
        previewed(desk, PAIRING, t, _appointment(desk, sender.actor, t, wanted.name, role))
    _require_free_name(desk, view.state, wanted)
    active = sum(state == "active" for _, state in tokens_of(desk, view.state))
    if active + len(wanted.roles) > ACTIVE_AT_MOST:
        detail = say("{t} has {active} active tokens; at most {most}", t=t, active=active, most=ACTIVE_AT_MOST)
        raise Problem(409, "too-many-tokens", say("Too many integration tokens"), detail)


def _require_free_name(desk: Desk, t: TournamentState, wanted: Wanted) -> None:
    """Raise `Problem` 409 if the name is in use here, except by a program or because this request was begun before."""
    kept, now = desk.log.invitations, int(time.time())
    if any(row.name == wanted.name for row in kept.integration_tokens(t.id)):
        return
    users = {row.name for row in kept.waiting(t.id, now)} | {row.name for row in kept.sessions(t.id, now)}
    refusal = refuse_taken_name(t, wanted.name, users)
    if refusal is not None and not any(_was_appointed(desk, t.id, wanted.key(t.id, role)) for role in wanted.roles):
        raise refused(refusal)


def _was_appointed(desk: Desk, t: str, key: str | None) -> bool:
    """Return whether the log contains the appointment with this idempotency key."""
    return key is not None and desk.consequences(t, command_id(Request(key=key))) is not None


def _appointment(desk: Desk, actor: Actor, t: str, name: str, role: Role) -> AppointOfficial:
    """Return the command that appoints a name, unless it was dismissed. A device keeps the boards that it was appointed to."""
    held = tournament_query.view_at(desk, t).state.officials.get(name)
    boards = held.boards if held is not None and role == "board" else ()
    return AppointOfficial(actor, OfficialAppointed(name, role, boards=tuple(boards)), reinstates=False)


def _created(desk: Desk, issue: Issue, sender: Identity, wanted: Wanted, t: str, role: Role) -> Created:
    """Return a token whose role the log states, and what must be kept of it before anyone gets the token.

    Its ID depends on the request, so that a repeated request has the same one.
    """
    inviter = Inviter(sender.actor.name, sender.actor.role, sender.actor.tokenid, sender.expires - LEEWAY_SECONDS)
    holder, now = Invited(wanted.name, role, None, wanted.days), int(time.time())
    id = _token_id(desk.keys.keyed_digest(PAIRING, f"integration token\0{wanted.once}\0{t}\0{role}".encode()))
    made = invitation(desk.keys, tournament_query.view_at(desk, t).state, inviter, holder, id, now)
    if isinstance(made, Refusal):
        # The appointment was written, so that a missing role means that it has not yet come back through the log.
        unread = unknown_official(made, current=False)
        raise refused(made) if unread is None else unavailable("behind", message_of(unread))
    row = made[1]._replace(code=id, expires=made[1].until, used=now)
    return Created(_signed(issue, role, wanted.name, t, (row.until - now) / DAY, now=now, boards=None, id=id), row)


def _signed(issue: Issue, *of: Any, **more: Any) -> str:
    """Return the token that ``issue`` returns. Raises `Problem` 503 if this process cannot sign tokens."""
    try:
        return issue(*of, **more)
    except BadKeys as problem:
        raise unavailable("no-key", message_of(problem)) from None


def _token_id(digest: str) -> str:
    """Return a UUID of version 8 (RFC 9562) with the first bits of a digest in hexadecimal digits."""
    return str(UUID(f"{digest[:12]}8{digest[13:16]}a{digest[17:32]}"))


def tokens_of(desk: Desk, t: TournamentState) -> list[tuple[Invitation, TokenState]]:
    """Return the integration tokens of a tournament with their states, oldest first."""
    desk.revocations.refresh()
    now = int(time.time())
    return [(row, _state_of(desk, t, row, now)) for row in desk.log.invitations.integration_tokens(t.id)]


def _state_of(desk: Desk, t: TournamentState, row: Invitation, now: int) -> TokenState:
    if desk.revocations.covers(row.id, row.name, row.tournament, row.made):
        return "revoked"
    if row.until <= now:
        return "expired"
    holder = invited_of(row)
    held = refuse_dismissed(t, holder) is None and refuse_without_office(t, holder) is None
    return "active" if held else "role_not_held"


def revoke_token(desk: Desk, sender: Identity, t: TournamentState, id: str) -> Revocation:
    """Revoke an integration token of a tournament. Raises `Problem`: 404 without such a token, 403 for that of an organiser."""
    row = next((one for one in desk.log.invitations.integration_tokens(t.id) if one.id == id), None)
    if row is None:
        detail = say(
            "{id} is not the ID of an integration token of {t}; see the list of its tokens", t=t.id, id=id[:64]
        )
        raise Problem(404, "unknown-token", say("Integration token not found"), detail)
    if not may_grant(sender.actor.role, cast(Role, row.role)):
        raise not_theirs_to_end()
    revocation = Revocation(int(time.time()), sender.actor.name, jti=id)
    revoke(desk, revocation)
    return revocation
