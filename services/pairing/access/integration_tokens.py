"""Integration tokens: tokens for programs, created by officials who may appoint. Each is for one role in one tournament."""

import time
from collections.abc import Sequence
from hashlib import sha256
from typing import Literal, NamedTuple, cast
from uuid import UUID

import msgspec

from services.pairing.access.invitation_routes import require_office
from services.pairing.access.invitations import DAY, Invited, Inviter, Issue, invitation, invited_of
from services.pairing.access.sessions import not_theirs_to_end, revoke
from services.pairing.rules.commands import AppointOfficial
from services.pairing.rules.invitations import may_grant, refuse_integration_token
from shared.audit.keys.key_files import BadKeys
from shared.core.events import OfficialAppointed
from shared.core.language.messages import message_of, say
from shared.core.readings.authority import refuse_dismissed, refuse_without_office
from shared.core.state.tournament import TournamentState
from shared.core.terms import PAIRING, Actor, Refusal, Role
from shared.core.trust.token_revocations import Revocation
from shared.desk.desk import Desk, Request
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


class Created(NamedTuple):
    """A new token and what is kept of it. ``token`` is the secret."""

    token: str
    row: Invitation


def create_tokens(desk: Desk, issue: Issue, sender: Identity, wanted: Wanted) -> list[Created]:
    """Appoint the name to each role in each tournament, then return the new tokens.

    Nothing is written unless every appointment and every token is permitted. No token exists before the log states its role.

    Raises `Problem`: those of `require_office`, 403 for a role that the sender cannot give, 409 for a tournament with too many
    tokens and for a request whose tokens were created before.
    """
    for t in wanted.tournaments:
        _require_permitted(desk, sender, t, wanted)
    pairs = [(t, role) for t in wanted.tournaments for role in wanted.roles]
    digest = desk.keys.keyed_digest(PAIRING, msgspec.json.encode(wanted._replace(once="")))
    for n, (t, role) in enumerate(pairs):
        key = sha256(f"{wanted.once}\0{n}".encode()).hexdigest() if wanted.repeatable else None
        appointment = _appointment(desk, sender.actor, t, wanted.name, role)
        submitted(desk, PAIRING, t, appointment, Request(key=key, body=digest))
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
    active = sum(state == "active" for _, state in tokens_of(desk, view.state))
    if active + len(wanted.roles) > ACTIVE_AT_MOST:
        detail = say("{t} has {active} active tokens; at most {most}", t=t, active=active, most=ACTIVE_AT_MOST)
        raise Problem(409, "too-many-tokens", say("Too many integration tokens"), detail)


def _appointment(desk: Desk, actor: Actor, t: str, name: str, role: Role) -> AppointOfficial:
    """Return the command that appoints a name. A device keeps the boards that it was appointed to."""
    held = tournament_query.view_at(desk, t).state.officials.get(name)
    boards = held.boards if held is not None and role == "board" else ()
    return AppointOfficial(actor, OfficialAppointed(name, role, boards=tuple(boards)))


def _created(desk: Desk, issue: Issue, sender: Identity, wanted: Wanted, t: str, role: Role) -> Created:
    """Return a token whose role the log states, and what must be kept of it before anyone gets the token.

    Its ID depends on the request, so that a repeated request has the same one.
    """
    inviter = Inviter(sender.actor.name, sender.actor.role, sender.actor.tokenid, sender.expires - LEEWAY_SECONDS)
    holder, now = Invited(wanted.name, role, None, wanted.days), int(time.time())
    id = _token_id(desk.keys.keyed_digest(PAIRING, f"integration token\0{wanted.once}\0{t}\0{role}".encode()))
    made = invitation(desk.keys, tournament_query.view_at(desk, t).state, inviter, holder, id, now)
    if isinstance(made, Refusal):
        raise refused(made)
    row = made[1]._replace(code=id, expires=made[1].until, used=now)
    try:
        token = issue(role, wanted.name, t, (row.until - now) / DAY, now=now, boards=None, id=id)
    except BadKeys as problem:
        raise unavailable("no-key", message_of(problem)) from None
    return Created(token, row)


def _token_id(digest: str) -> str:
    """Return a UUID of version 8 (RFC 9562) with the first bits of a digest in hexadecimal digits."""
    return str(UUID(f"{digest[:12]}8{digest[13:16]}a{digest[17:32]}"))


def tokens_of(desk: Desk, t: TournamentState) -> list[tuple[Invitation, TokenState]]:
    """Return the integration tokens of a tournament with their states, oldest first.

    Expired ones are included until the next token or invitation is created.
    """
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
        detail = say("{t} has no integration token {id}", t=t.id, id=id[:64])
        raise Problem(404, "unknown-token", say("No such token"), detail)
    if not may_grant(sender.actor.role, cast(Role, row.role)):
        raise not_theirs_to_end()
    revocation = Revocation(int(time.time()), sender.actor.name, jti=id)
    revoke(desk, revocation)
    return revocation
