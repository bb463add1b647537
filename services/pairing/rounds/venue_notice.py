"""The venue notice: the route and the form that set it, and the route that returns it."""

from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from flask import Blueprint, Response
from marshmallow import Schema, fields

from services.pairing.layout import LAYOUT
from services.pairing.list_answers import VenueNoticeAnswer
from services.pairing.rules import RULES
from services.pairing.rules import commands as co
from shared.core.events import VenueNoticeSet
from shared.core.readings.concern import Concern
from shared.core.state.tournament import TournamentState
from shared.core.terms import PAIRING, Actor
from shared.core.values.bounds import NOTICE
from shared.desk.desk import Desk
from shared.http.addresses import T
from shared.http.commands.write_routes import Submission, WriteRoute
from shared.http.operations import Creation, Operation
from shared.http.reads import tournament_query
from shared.http.requests.schema_fields import text_field
from shared.log.texts import Texts
from shared.web.form import Form, back_to
from shared.web.texts import text_of
from shared.web.times import local_time, zone_of

_TYPED = "%Y-%m-%dT%H:%M"
"""A time as browsers send it from a field of date and time."""


class VenueNoticeSchema(Schema):
    """The notice that replaces the one before. Without a text and a time, the screens show none."""

    text = text_field(
        NOTICE, load_default=None, allow_none=True, metadata={"description": "Text for everybody at the venue."}
    )
    round_begins = fields.AwareDateTime(
        format="iso",
        load_default=None,
        allow_none=True,
        metadata={"description": "Time at which the next round begins (RFC 3339). The screens count down to it."},
    )


class VenueNoticeForm(Schema):
    """The notice as it was typed: the time is that of the venue."""

    text = text_field(NOTICE, load_default=None)
    round_begins = fields.NaiveDateTime(format=_TYPED, load_default=None)


def set_venue_notice(sent: Submission, t: str) -> co.SetVenueNotice:
    """Return the command of a request."""
    return co.SetVenueNotice(sent.actor, VenueNoticeSet(sent.text("text"), _in_log(sent["round_begins"])))


def _in_log(time: datetime | None) -> str:
    """Return a time as the log writes it: to the second, in UTC unless no calendar has it there. Empty without a time."""
    if time is None:
        return ""
    with suppress(OverflowError):
        time = time.astimezone(UTC)
    return time.isoformat(timespec="seconds").replace("+00:00", "Z")


def _typed(begins: str, t: TournamentState) -> str:
    """Return a time of the log as the form shows it, or an empty text without one."""
    with suppress(OverflowError):
        return local_time(begins, t).strftime(_TYPED) if begins else ""
    return ""


WRITES = (
    WriteRoute(
        PAIRING,
        f"{T}/venue-notice",
        set_venue_notice,
        Creation(
            "Set the venue notice",
            name="setVenueNotice",
            description=(
                "Replaces the text that the screens of the venue and the page of the event show, and the time to which the "
                "screens count down. Everybody can read both. The text is erasable."
            ),
            body=VenueNoticeSchema,
            optional_body=True,
        ),
    ),
)


def venue_notice(bp: Blueprint, desk: Desk) -> None:
    """Register the route that returns the notice, and the form that sets it."""

    @bp.get(f"{T}/venue-notice")
    @Operation(
        "Get the venue notice",
        name="getVenueNotice",
        description="Returns the text and the time that the screens of the venue show now.",
        answer=VenueNoticeAnswer,
        query=tournament_query.POINT,
    )
    def current_venue_notice(t: str) -> Response:
        view = tournament_query.view(desk, t)
        ref, begins, seq = view.state.venue_notice
        notice = VenueNoticeAnswer(tournament=t, text=text_of(desk, ref), round_begins=begins or None, seq=seq)
        return tournament_query.answer(view, notice)

    @LAYOUT.serves(bp, "/t/<t>/venue-notice", form=True)
    def venue_notice_form(t: str) -> Response:
        view = tournament_query.latest(desk, t)
        ref, begins, _ = view.state.venue_notice
        zone = zone_of(view.state)

        def make(actor: Actor, texts: Texts, typed: dict[str, Any]) -> co.SetVenueNotice:
            at = typed["round_begins"]
            time = "" if at is None else _in_log(at.replace(tzinfo=zone))
            return co.SetVenueNotice(actor, VenueNoticeSet(texts.ref(typed["text"]), time))

        context = {
            "text": text_of(desk, ref) or "",
            "round_begins": _typed(begins, view.state),
            "zone": str(zone),
        }
        permit, back = RULES.permit(co.SetVenueNotice), back_to("venue_notice_form", "office_page", t=t)
        return Form(desk, LAYOUT, permit, view, "venue_notice.html", Concern(), back, context).respond(
            VenueNoticeForm, make
        )
