"""The listing of a tournament that was unlisted while it was prepared: the route and the form."""

from typing import Any

from flask import Blueprint, Response
from marshmallow import Schema, fields

from services.pairing.layout import LAYOUT
from services.pairing.rules import RULES
from services.pairing.rules import commands as co
from shared.core.events import ListingSet
from shared.core.readings.concern import Concern
from shared.core.terms import PAIRING, Actor
from shared.desk.desk import Desk
from shared.http.addresses import T
from shared.http.commands.write_routes import Submission, WriteRoute
from shared.http.operations import Creation
from shared.http.reads import tournament_query
from shared.log.texts import Texts
from shared.web.form import Form, back_to


class ListingSchema(Schema):
    """``listed``: true. A tournament that everybody has seen cannot be unlisted."""

    listed = fields.Boolean(
        truthy={True},
        falsy={False},
        required=True,
        metadata={"description": "Must be true: everybody finds and reads it from now on."},
    )


class ListingForm(Schema):
    """The button of the form."""

    listed = fields.String(required=True)


def set_listing(sent: Submission, t: str) -> co.SetListing:
    """Return the command of a request."""
    return co.SetListing(sent.actor, ListingSet(sent["listed"]))


WRITES = (
    WriteRoute(
        PAIRING,
        f"{T}/listing",
        set_listing,
        Creation(
            "List a tournament",
            name="setListing",
            description=(
                "Lists a tournament that was created with `unlisted`. Until then, requests without a token get 404 for "
                "everything of it, and lists, calendars and people do not contain it. It cannot be unlisted again."
            ),
            body=ListingSchema,
        ),
    ),
)


def public_access(bp: Blueprint, desk: Desk) -> None:
    """Register the form that lists a tournament."""

    @LAYOUT.serves(bp, "/t/<t>/listing", form=True)
    def listing_form(t: str) -> Response:
        view = tournament_query.latest(desk, t)

        def make(actor: Actor, texts: Texts, typed: dict[str, Any]) -> co.SetListing:
            return co.SetListing(actor, ListingSet(listed=True))

        permit, back = RULES.permit(co.SetListing), back_to("tournament_page", t=t)
        context = {"unlisted": view.tournament.unlisted}
        return Form(desk, LAYOUT, permit, view, "listing.html", Concern(), back, context).respond(ListingForm, make)
