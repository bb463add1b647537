"""The page of a tournament's webhooks: what is sent where, which one stopped at which line, and what is done about it."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from flask import Blueprint, Response
from marshmallow import Schema, fields, validate

from services.standings.page_context import LAYOUT
from services.standings.webhooks.webhooks import Wanted, registered, remove, resumed
from shared.core.readings.authority import WEBHOOKS, permit_any
from shared.core.terms import Actor
from shared.desk.desk import Desk, View
from shared.http.identity.proxies import Network
from shared.http.problems import Problem
from shared.http.reads import tournament_query
from shared.http.reads.tournament_query import permitted
from shared.http.requests import auth
from shared.http.requests.request_parts import load
from shared.http.webhook_address import LONGEST
from shared.log.webhooks import Webhook
from shared.web import acts
from shared.web.page import leads_to, link
from shared.web.times import at_second


class NewWebhookForm(Schema):
    """``begin`` all: the log from its first line; else what comes from now on."""

    url = fields.String(required=True, validate=validate.Length(1, LONGEST))
    begin = fields.String(load_default="now", validate=validate.OneOf(("now", "all")))


class WebhookForm(Schema):
    webhook = fields.String(required=True, validate=validate.Length(1, 64))


class Asked(NamedTuple):
    """A form that was sent: in which tournament, by whom, what was typed into it."""

    desk: Desk
    view: View
    actor: Actor
    fields: Mapping[str, Any]
    allowed: Sequence[Network]

    @property
    def t(self) -> str:
        return self.view.state.id


Act = tuple[type[Schema], Callable[[Asked], Response]]


class Shown(NamedTuple):
    """A webhook and the last line that its receiver has taken."""

    hook: Webhook
    taken: int


def webhook_pages(bp: Blueprint, desk: Desk, allowed: Sequence[Network]) -> None:
    """The page, and what is done there: each form names its ``act``. ``allowed`` as of the routes."""

    @LAYOUT.serves(bp, "/t/<t>/webhooks", form=True)
    def webhooks_page(t: str) -> Response:
        view = tournament_query.view_at(desk, t)

        def followed(act: Act, sent: dict[str, Any]) -> Response:
            actor = auth.require(t)
            permitted(desk, t, actor, WEBHOOKS)
            schema, follow = act
            return follow(Asked(desk, view, actor, load(schema, sent), allowed))

        return acts.respond(_ACTS, followed, lambda problem: _page(desk, view, problem))


def _add(asked: Asked) -> Response:
    """A page that shows the secret once."""
    after = 0 if asked.fields["begin"] == "all" else None
    wanted = Wanted(asked.actor.name, asked.fields["url"], after)
    hook = registered(asked.desk, asked.t, wanted, asked.allowed).hook
    response = LAYOUT.page("webhook_added.html", 201, t=asked.view.state, hook=hook, back=_address(asked.t))
    response.headers["Cache-Control"] = "no-store"
    return response


def _done(act: Callable[[Desk, str, str], object], asked: Asked) -> Response:
    act(asked.desk, asked.t, asked.fields["webhook"])
    return leads_to(_address(asked.t))


_ACTS: dict[str, Act] = {
    "add": (NewWebhookForm, _add),
    "resume": (WebhookForm, partial(_done, resumed)),
    "remove": (WebhookForm, partial(_done, remove)),
}
"""What is done: its fields, and how."""


def _page(desk: Desk, view: View, problem: Problem | None) -> Response:
    """The page: for the office alone; an address may be a secret between two."""
    t = view.state
    who = auth.visitor_of(t.id)
    may = who is not None and who.boards is None and permit_any(WEBHOOKS)(t, who.actor) is None
    kept = desk.log.webhooks
    return acts.page(
        LAYOUT,
        "webhooks.html",
        problem,
        t=t,
        office=may,
        shown=[Shown(hook, kept.sent(hook.id).get(t.id, 0)) for hook in kept.of(t.id)] if may else (),
        end=view.seq,
        at=at_second,
    )


def _address(t: str) -> str:
    return link("webhooks_page", t=t, at=None, without=None)
