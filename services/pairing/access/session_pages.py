"""The page of sessions: the officials of a tournament, the invitations that wait, and the open sessions."""

import secrets
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, NamedTuple, cast

from flask import Blueprint, Response, request
from marshmallow import Schema, fields, validate

from services.pairing.access.invitation_routes import InvitationSchema, handle_typed, invited, require_office
from services.pairing.access.invitations import DAYS, DAYS_AT_MOST, boards_of_row
from services.pairing.access.player_cards import PlayerCardsForm, player_cards
from services.pairing.access.sessions import may_end, not_theirs_to_end, open_sessions, people, revoke, sessions_in
from services.pairing.layout import LAYOUT
from services.pairing.rules.invitations import may_grant
from shared.core.language.messages import say
from shared.core.readings.authority import APPOINT, permit
from shared.core.terms import ROLES, Role
from shared.core.trust.token_revocations import Revocation
from shared.desk.desk import Desk, View
from shared.http.addresses import is_only_here
from shared.http.identity.tokens import Identity
from shared.http.language import language
from shared.http.problems import Problem
from shared.http.reads import tournament_query
from shared.http.requests import auth
from shared.http.requests.request_parts import load
from shared.log.invitations import Session
from shared.log.port import LogFull, LogUnavailable
from shared.web import acts
from shared.web.form import once_of
from shared.web.page import leads_to, link
from shared.web.qr import qr
from shared.web.times import at_second


class WithdrawalForm(Schema):
    invitation = fields.String(required=True, validate=validate.Length(1, 64))


class EndForm(Schema):
    token = fields.String(required=True, validate=validate.Length(1, 64))


class EndAllForm(Schema):
    name = fields.String(required=True, validate=validate.Length(1, 100))


class Asked(NamedTuple):
    """A submitted form: its tournament, its sender and its fields."""

    desk: Desk
    view: View
    sender: Identity
    fields: Mapping[str, Any]


Act = tuple[type[Schema], bool, Callable[[Asked], Response]]


def sessions(bp: Blueprint, desk: Desk) -> None:
    """Register the page of a tournament's sessions and its forms. Each form names its ``act``."""

    @LAYOUT.serves(bp, "/t/<t>/sessions", form=True)
    def sessions_page(t: str) -> Response:
        view = tournament_query.view_at(desk, t)

        def followed(act: Act, sent: dict[str, Any]) -> Response:
            auth.require(t)
            sender = auth.required_identity()
            schema, of_office, follow = act
            if of_office:
                require_office(desk, view, sender)
            return follow(Asked(desk, view, sender, load(schema, sent)))

        return acts.respond(_ACTS, followed, lambda problem: _page(desk, view, problem))


# ---------------------------------------------------------------- what is done


def _invite(asked: Asked) -> Response:
    """Return a page that shows the link once, on the screen and as a code for a camera."""
    t, once = asked.view.state, f"{asked.sender.actor.tokenid} {once_of(request.form)}"
    address, row = invited(asked.desk, asked.view, asked.sender, asked.fields, once)
    boards = boards_of_row(row.first, row.last)
    title = language.words(say("QR code of the invitation"))
    return LAYOUT.private_page(
        "invited.html", 201, t=t, invitation=row, boards=boards, address=address, code=qr(address, title),
        unreachable=is_only_here(address),
        expires=at_second(row.expires), until=at_second(row.until), back=_address(t.id),
    )  # fmt: skip


def _invite_players(asked: Asked) -> Response:
    """Return a page of cards to print, with an invitation for each player."""
    once = f"{asked.sender.actor.tokenid} {once_of(request.form)}"
    return player_cards(asked.desk, asked.view, asked.sender, asked.fields["days"], once)


def _withdraw(asked: Asked) -> Response:
    t = asked.view.state.id
    if not asked.desk.log.invitations.withdraw(t, asked.fields["invitation"]):
        raise Problem(
            404,
            "unknown-invitation",
            say("No such invitation"),
            say("the invitation was used or withdrawn in the meantime"),
        )
    return leads_to(_address(t))


def _end(asked: Asked) -> Response:
    """End the sender's own session, or another one of this tournament if the sender may open such a session."""
    t, wanted = asked.view.state.id, asked.fields["token"]
    found = next((row for row in _known(asked) if row.jti == wanted), None)
    if found is None:
        raise Problem(
            404,
            "unknown-session",
            say("No such session"),
            say("the login has ended, or it belongs to another tournament"),
        )
    own = found.jti == asked.sender.actor.tokenid
    if not own:
        require_office(asked.desk, asked.view, asked.sender)
        if not may_end(asked.sender, found):
            raise not_theirs_to_end()
    revoke(asked.desk, Revocation(int(time.time()), asked.sender.actor.name, jti=found.jti))
    response = leads_to(_address(t))
    if own:
        response.delete_cookie(auth.cookie_name(), httponly=True, samesite="Strict", secure=request.is_secure)
    return response


def _end_all(asked: Asked) -> Response:
    """End all logins issued to a name for this tournament until now, and withdraw the invitations of that name."""
    t, name = asked.view.state, handle_typed(asked.fields["name"])
    held = t.officials.get(name)
    roles: set[str] = set(held.roles) if held is not None else set()
    roles |= {row.role for row in _known(asked) if row.name == name}
    if not all(may_grant(asked.sender.actor.role, cast(Role, role)) for role in roles):
        raise not_theirs_to_end()
    revoke(asked.desk, Revocation(int(time.time()), asked.sender.actor.name, name=name, tournament=t.id))
    with suppress(LogFull, LogUnavailable):  # The revocation also disables earlier invitations.
        asked.desk.log.invitations.withdraw_all(t.id, name)
    return leads_to(_address(t.id))


_ACTS: dict[str, Act] = {
    "invite": (InvitationSchema, True, _invite),
    "invite-players": (PlayerCardsForm, True, _invite_players),
    "withdraw": (WithdrawalForm, True, _withdraw),
    "end": (EndForm, False, _end),
    "end-all": (EndAllForm, True, _end_all),
}
"""The acts: their fields, whether they require the right to appoint officials, and their functions."""


# ---------------------------------------------------------------- what is shown


def _page(desk: Desk, view: View, problem: Problem | None) -> Response:
    """Return the whole page for users who appoint officials, or the page with their own session for others."""
    t = view.state
    who = auth.visitor_of(t.id)
    office = who is not None and who.boards is None and permit(t, who.actor, APPOINT) is None
    return acts.page(
        LAYOUT,
        "sessions.html",
        problem,
        t=t,
        office=office,
        people=people(desk, t) if office else (),
        waiting=desk.log.invitations.waiting(t.id, int(time.time())) if office else (),
        open=open_sessions(desk, t, who, office) if who is not None else (),
        roles=[role for role in ROLES if who is None or may_grant(who.actor.role, role)],
        boards_of=boards_of_row,
        at=at_second,
        days=DAYS,
        days_at_most=DAYS_AT_MOST,
        once=secrets.token_urlsafe(16),
    )


def _known(asked: Asked) -> list[Session]:
    return sessions_in(asked.desk, asked.view.state.id, asked.sender)


def _address(t: str) -> str:
    return link("sessions_page", t=t, at=None, without=None)
