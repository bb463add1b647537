"""The details of a tournament: the route and the form that correct its name, place, days, time zone and rounds."""

from typing import Any

from flask import Blueprint, Response, request
from marshmallow import Schema, fields, validate

from services.pairing.announcement.announcement_schemas import check_zone
from services.pairing.layout import LAYOUT
from services.pairing.rules import RULES
from services.pairing.rules import commands as co
from services.pairing.rules.announcement.announcement_correction import rounds_corrigible
from shared.core.events import TournamentCorrected
from shared.core.language.messages import Message, say
from shared.core.readings.concern import Concern
from shared.core.state.tournament import Tournament
from shared.core.terms import PAIRING, Actor
from shared.core.values.bounds import PLACE, REASON, ROUND, TITLE_OF_EVENT
from shared.desk.desk import Desk
from shared.http.addresses import T
from shared.http.commands.write_routes import Submission, WriteRoute
from shared.http.operations import Creation
from shared.http.reads import tournament_query
from shared.http.requests.schema_fields import line_field, number_field, text_field
from shared.log.texts import Texts
from shared.web.form import Form, back_to

DETAILS: dict[str, Message] = {
    "name": say("Name of the tournament"),
    "place": say("Place"),
    "begins": say("First day"),
    "ends": say("Last day"),
    "time_zone": say("Time zone"),
    "rounds": say("Number of rounds"),
}


class DetailsSchema(Schema):
    """A correction of the announcement, with a reason. Omitted fields keep their value; an empty text removes it."""

    name = line_field(TITLE_OF_EVENT, load_default=None)
    place = line_field(PLACE, load_default=None)
    begins = fields.String(load_default=None, metadata={"description": "First day, such as 2026-03-07."})
    ends = fields.String(load_default=None, metadata={"description": "Last day, such as 2026-03-08."})
    time_zone = fields.String(load_default=None, validate=check_zone)
    rounds_planned = number_field(
        ROUND, load_default=None, metadata={"description": "Number of rounds, not less than the rounds already paired."}
    )
    reason = text_field(REASON, required=True)


class DetailsForm(Schema):
    """The details as typed. An empty field other than the name and the rounds removes the value."""

    name = line_field(TITLE_OF_EVENT, required=True)
    place = line_field(PLACE, load_default="")
    begins = ends = fields.String(load_default="")
    time_zone = fields.String(load_default="", validate=check_zone)
    rounds = fields.Integer(load_default=None, validate=validate.Range(ROUND.low, ROUND.high))
    reason = text_field(REASON, required=True)
    confirm = fields.String()


def correct_tournament(sent: Submission, t: str) -> co.CorrectTournament:
    """Return the command of a request."""
    stated = {name: sent["rounds_planned" if name == "rounds" else name] for name in DETAILS}
    return co.CorrectTournament(sent.actor, TournamentCorrected(sent.required_text("reason"), **stated))


WRITES = (
    WriteRoute(
        PAIRING,
        f"{T}/details",
        correct_tournament,
        Creation(
            "Correct the details of a tournament",
            name="correctTournament",
            description=(
                "Corrects the announcement: name, place, days, time zone or number of rounds. Pages, papers and lists show the "
                "corrected values; the log keeps the earlier ones. Published pairings stay, so the number of rounds cannot be "
                "less than the rounds already paired. Rejected after the final publication."
            ),
            body=DetailsSchema,
        ),
    ),
)


def details(bp: Blueprint, desk: Desk) -> None:
    """Register the form that corrects the details of a tournament, with a preview."""

    @LAYOUT.serves(bp, "/t/<t>/details", form=True)
    def details_form(t: str) -> Response:
        view = tournament_query.latest(desk, t)
        state = view.tournament
        now = {name: getattr(state.announced, name) for name in DETAILS}

        def make(actor: Actor, texts: Texts, typed: dict[str, Any]) -> co.CorrectTournament:
            changed = {name: typed[name] for name in DETAILS if typed[name] is not None and typed[name] != now[name]}
            return co.CorrectTournament(actor, TournamentCorrected(texts.required(typed["reason"]), **changed))

        permit, back = RULES.permit(co.CorrectTournament), back_to("details_form", "office_page", t=t)
        context = {"now": now, "paired": state.rounds_paired(), "corrigible": rounds_corrigible(state), "changes": None}
        form = Form(desk, LAYOUT, permit, view, "details.html", Concern(), back, context)
        if request.method == "POST" and "confirm" not in request.form:
            return form.tried(DetailsForm, make, lambda: form.shown(changes=_changes(state)))
        return form.respond(DetailsForm, make)


def _changes(state: Tournament) -> list[tuple[Message, str, str]]:
    """Return what the typed details would change: the label, the value now and the value after it."""
    rows = ((label, str(getattr(state.announced, name)), request.form.get(name)) for name, label in DETAILS.items())
    return [(label, now, typed.strip()) for label, now, typed in rows if typed is not None and typed.strip() != now]
