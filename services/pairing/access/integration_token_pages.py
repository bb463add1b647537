"""The page of a tournament's integration tokens: create, list and revoke them."""

import re
import secrets
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

from flask import Blueprint, Response, request
from marshmallow import Schema, fields, validate

from services.pairing.access.integration_token_routes import IntegrationTokenSchema, wanted_tokens
from services.pairing.access.integration_tokens import DAYS, DAYS_AT_MOST, create_tokens, revoke_token, tokens_of
from services.pairing.access.invitation_routes import require_office
from services.pairing.access.invitations import Issue
from services.pairing.layout import LAYOUT
from services.pairing.rules.invitations import INTEGRATION_ROLES, may_grant
from shared.core.readings.authority import APPOINT, permit
from shared.desk.desk import Desk, View
from shared.http.identity.tokens import Identity
from shared.http.problems import Problem
from shared.http.reads import tournament_query
from shared.http.requests import auth
from shared.http.requests.request_parts import key_name, load
from shared.web import acts
from shared.web.form import once_of
from shared.web.page import leads_to, link
from shared.web.times import at_second


class RevocationForm(Schema):
    token = fields.String(required=True, validate=validate.Length(1, 64))


class Asked(NamedTuple):
    """A submitted form: its tournament, its sender and its fields."""

    desk: Desk
    view: View
    sender: Identity
    fields: Mapping[str, Any]


Act = tuple[type[Schema], Callable[[Asked], Response]]


def integration_tokens(bp: Blueprint, desk: Desk, issue: Issue) -> None:
    """Register the page of a tournament's integration tokens and its forms. Each form names its ``act``."""
    known: dict[str, Act] = {
        "create": (IntegrationTokenSchema, partial(_create, issue)),
        "revoke": (RevocationForm, _revoke),
    }

    @LAYOUT.serves(bp, "/t/<t>/tokens", form=True)
    def integration_tokens_page(t: str) -> Response:
        view = tournament_query.view_at(desk, t)

        def followed(act: Act, sent: dict[str, Any]) -> Response:
            auth.require(t)
            sender = auth.required_identity()
            require_office(desk, view, sender)
            schema, follow = act
            return follow(Asked(desk, view, sender, load(schema, _lists(sent))))

        return acts.respond(known, followed, lambda problem: _page(desk, view, problem))


def _lists(sent: dict[str, Any]) -> dict[str, Any]:
    """Return the fields with one chosen role as a list, and the typed tournaments as a list."""
    lists: dict[str, Any] = {}
    if isinstance(sent.get("roles"), str):
        lists["roles"] = [sent["roles"]]
    if isinstance(sent.get("other_tournaments"), str):
        lists["other_tournaments"] = [one for one in re.split(r"[\s,，、]+", sent["other_tournaments"]) if one]
    return sent | lists


def _create(issue: Issue, asked: Asked) -> Response:
    """Return a page that shows the new tokens once."""
    t, key = asked.view.state, key_name(request, asked.sender.actor, once_of(request.form))
    made = create_tokens(asked.desk, issue, asked.sender, wanted_tokens(t.id, asked.fields, key))
    return LAYOUT.private_page(
        "integration_tokens_created.html",
        201,
        t=t,
        created=made,
        name=made[0].row.name,
        at=at_second,
        back=_address(t.id),
    )


def _revoke(asked: Asked) -> Response:
    revoke_token(asked.desk, asked.sender, asked.view.state, asked.fields["token"])
    return leads_to(_address(asked.view.state.id))


def _page(desk: Desk, view: View, problem: Problem | None) -> Response:
    """Return the page. Only officials who may appoint others see the tokens and the forms."""
    t = view.state
    who = auth.visitor_of(t.id)
    office = who is not None and who.boards is None and permit(t, who.actor, APPOINT) is None
    return acts.page(
        LAYOUT,
        "integration_tokens.html",
        problem,
        t=t,
        office=office,
        tokens=tokens_of(desk, t) if office else (),
        roles=[role for role in INTEGRATION_ROLES if who is None or may_grant(who.actor.role, role)],
        chosen=request.form.getlist("roles"),
        may_revoke=lambda role: who is not None and may_grant(who.actor.role, role),
        at=at_second,
        days=DAYS,
        days_at_most=DAYS_AT_MOST,
        once=secrets.token_urlsafe(16),
    )


def _address(t: str) -> str:
    return link("integration_tokens_page", t=t, at=None, without=None)
