"""The visibility of entries: the route and the form that set it, and the route that returns it."""

from typing import Any

from flask import Blueprint, Response
from marshmallow import Schema, fields, validate

from services.pairing.layout import LAYOUT
from services.pairing.list_answers import VisibilityAnswer
from services.pairing.rules import RULES
from services.pairing.rules import commands as co
from shared.core.events import PersonalMember, VisibilitySet
from shared.core.language.messages import Message, say
from shared.core.readings.concern import Concern
from shared.core.readings.particulars import PERSONAL
from shared.core.terms import PAIRING, Actor
from shared.desk.desk import Desk
from shared.http.addresses import T
from shared.http.commands.write_routes import Submission, WriteRoute
from shared.http.operations import Creation, Operation
from shared.http.reads import tournament_query
from shared.log.texts import Texts
from shared.web.form import Form, back_to

LABELS: dict[PersonalMember, Message] = {
    "name": say("Name"),
    "club": say("Club"),
    "sex": say("Sex"),
    "birth_year": say("Year of birth"),
    "fide_id": say("FIDE ID"),
    "national_id": say("National ID or licence"),
    "checked_in": say("Check-in"),
}
_IN_LOG = (
    "Ratings, titles, federations and check-ins are also part of the public event log, which this does not change. Officials of "
    "the tournament and auditors see everything."
)


class VisibilitySchema(Schema):
    """The members of entries that everyone sees. All others are shown only to officials and auditors."""

    public = fields.List(
        fields.String(validate=validate.OneOf(PERSONAL)),
        required=True,
        validate=validate.Length(0, len(PERSONAL)),
        metadata={"description": "Members that everyone sees. Default before the first setting: `name` and `club`."},
    )


class VisibilityForm(Schema):
    """The members that the form listed, separated by spaces, and the ticked ones: a text if it is one, else a list."""

    members = fields.String(required=True)
    public = fields.Raw(load_default=())


def set_visibility(sent: Submission, t: str) -> co.SetVisibility:
    return _command(sent.actor, sent["public"])


def _command(actor: Actor, chosen: Any) -> co.SetVisibility:
    return co.SetVisibility(actor, VisibilitySet(tuple(name for name in PERSONAL if name in chosen)))


WRITES = (
    WriteRoute(
        PAIRING,
        f"{T}/visibility",
        set_visibility,
        Creation(
            "Set what everyone sees of entries",
            name="setVisibility",
            description=(
                "Replaces the list of personal members that readers without a role in the tournament see: in responses, "
                f"pages, papers and files. It also applies to past states. {_IN_LOG}"
            ),
            body=VisibilitySchema,
        ),
    ),
)


def visibility(bp: Blueprint, desk: Desk) -> None:
    """Register the route that returns the setting, and the form that changes it."""

    @bp.get(f"{T}/visibility")
    @Operation(
        "Get what everyone sees of entries",
        name="getVisibility",
        description=f"Returns the personal members of entries that are public now. {_IN_LOG}",
        answer=VisibilityAnswer,
        query=tournament_query.POINT,
    )
    def current_visibility(t: str) -> Response:
        view = tournament_query.view(desk, t)
        public, seq = view.state.visibility
        seen, hidden = ([name for name in PERSONAL if (name in public) is shown] for shown in (True, False))
        return tournament_query.answer(view, VisibilityAnswer(tournament=t, public=seen, hidden=hidden, seq=seq))

    @LAYOUT.serves(bp, "/t/<t>/visibility", form=True)
    def visibility_form(t: str) -> Response:
        view = tournament_query.latest(desk, t)
        public = view.tournament.visibility.public

        def make(actor: Actor, texts: Texts, typed: dict[str, Any]) -> co.SetVisibility:
            ticked = {typed["public"]} if isinstance(typed["public"], str) else set(typed["public"])
            return _command(actor, ticked | (public - set(typed["members"].split())))

        permit, back = RULES.permit(co.SetVisibility), back_to("visibility_form", "office_page", t=t)
        context = {"labels": LABELS, "public": public}
        return Form(desk, LAYOUT, permit, view, "visibility.html", Concern(), back, context).respond(
            VisibilityForm, make
        )
