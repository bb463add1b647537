"""The form of officials: who is appointed to which office, and who is dismissed."""

import re
from typing import Any

from flask import Blueprint, Response, request
from marshmallow import Schema, fields, validate

from services.pairing import requests
from services.pairing.layout import LAYOUT
from services.pairing.rules import RULES
from services.pairing.rules import commands as co
from services.pairing.rules.officials import is_held
from services.pairing.schemas import OfficialSchema
from shared.core.events import OfficialDismissed
from shared.core.language.messages import say
from shared.core.readings.concern import Concern
from shared.core.state.tournament import Tournament
from shared.core.terms import ROLES, Actor
from shared.desk.desk import Desk
from shared.http.problems import Problem
from shared.http.reads import tournament_query
from shared.http.requests.request_parts import load
from shared.log.texts import Texts
from shared.web.form import Form, back_to


class AppointmentForm(Schema):
    """``name``: the handle; ``boards`` of a device: numbers, with commas or spaces between them."""

    name = fields.String(required=True)
    role = fields.String(required=True)
    person = fields.String()
    boards = fields.String(validate=validate.Length(0, 2000))


class DismissalForm(Schema):
    dismiss = fields.String(required=True)
    reason = fields.String(load_default=None, validate=validate.Length(1, 2000))


def officials(bp: Blueprint, desk: Desk) -> None:
    """Appointing and dismissing."""

    @LAYOUT.serves(bp, "/t/<t>/officials", form=True)
    def officials_form(t: str) -> Response:
        view = tournament_query.latest(desk, t)
        state = view.tournament

        def context() -> dict[str, Any]:
            refs = {one.person.text for one in state.officials.values() if one.person is not None}
            called = desk.called(refs)
            held = [
                (handle, sorted(one.roles), called.get(one.person.text) if one.person else None, one.boards)
                for handle, one in sorted(state.officials.items())
            ]
            return {"held": held, "roles": [role for role in ROLES if role != "rulebook"]}

        permit, back = RULES.permit(co.AppointOfficial), back_to("officials_form", "office_page", t=t)
        form = Form(desk, LAYOUT, permit, view, "officials.html", Concern(), back, context)
        if "dismiss" in request.form:
            return form.respond(DismissalForm, _dismissed)
        return form.respond(AppointmentForm, lambda actor, texts, typed: _appointed(state, actor, texts, typed))


def _dismissed(actor: Actor, texts: Texts, typed: dict[str, Any]) -> co.DismissOfficial:
    return co.DismissOfficial(
        actor, OfficialDismissed(requests.handle_in_path(typed["dismiss"]), texts.ref(typed["reason"]))
    )


def _appointed(t: Tournament, actor: Actor, texts: Texts, typed: dict[str, Any]) -> co.AppointOfficial:
    """Raises `Problem`: 422 as `OfficialSchema` says, 409 for an office that he holds, where nothing else is said of him."""
    numbers = re.split(r"[\s,，]+", typed.pop("boards", "").strip())
    boards = [int(n) if n.isascii() and n.isdigit() and len(n) < 7 else 0 for n in numbers if n]
    sent = load(OfficialSchema, typed | {"boards": boards})
    appointed = requests.appointment(sent, texts)
    if sent["person"] is None and is_held(t, appointed):
        raise Problem(409, "office-held", say("This person already holds the role"), say("nothing was written"))
    return co.AppointOfficial(actor, appointed)
