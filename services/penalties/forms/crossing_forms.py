"""The form by which the chief arbiter notes a crossing."""

from typing import Any

from flask import Blueprint, Response

from services.penalties.forms.form_schemas import NoteForm
from services.penalties.layout import LAYOUT
from services.penalties.rules import RULES
from services.penalties.rules import commands as co
from shared.core.events import CrossingNoted
from shared.core.readings.concern import Concern
from shared.core.terms import Actor, Seq
from shared.desk.desk import Desk
from shared.http.reads import tournament_query
from shared.log.texts import Texts
from shared.web.form import Form, back_to


def crossings(bp: Blueprint, desk: Desk) -> None:
    """Crossings, noted."""

    @LAYOUT.serves(bp, "/t/<t>/crossings/<int:seq>", form=True)
    def crossing_form(t: str, seq: int) -> Response:
        view = tournament_query.view_at(desk, t)

        def make(actor: Actor, texts: Texts, fields: dict[str, Any]) -> co.NoteCrossing:
            return co.NoteCrossing(actor, CrossingNoted(Seq(seq), texts.ref(fields["note"])))

        permit, back = RULES.permit(co.NoteCrossing), back_to("tournament_page", t=t)
        form = Form(desk, LAYOUT, permit, view, "crossing.html", Concern(), back, {"crossing": seq})
        return form.respond(NoteForm, make)
