"""The office over HTTP: tournaments created, rulesets adopted, officials appointed."""

from collections.abc import Sequence
from dataclasses import replace
from http import HTTPStatus

from flask import Blueprint, Response

from services.pairing import answers, requests, schemas
from services.pairing.announcement import announcement_requests
from services.pairing.announcement.announcement_schemas import tournament_schema
from services.pairing.announcement.regulation_fields import adoption_schema
from services.pairing.announcement.tiebreak_codes import TieBreakCodes
from services.pairing.rules import commands as co
from shared.core.events import Event, RegulationsAdopted
from shared.core.readings.authority import ANNOUNCE, APPOINT
from shared.core.state.tournament import Tournament
from shared.core.terms import PAIRING, Actor
from shared.core.trust.checkpoint_origin import origin
from shared.desk.desk import Desk
from shared.http.addresses import T
from shared.http.commands.command_pipeline import location, new_id, run
from shared.http.commands.write_routes import Submission, WriteRoute, submit
from shared.http.operations import Creation
from shared.http.requests.request_parts import body
from shared.log.texts import Texts

TOURNAMENT = "/v1/tournaments/{t}"


def adoption(sent: Submission, t: str) -> co.AdoptRegulations:
    adopted, view = sent["regulations"], sent.desk.view(t)
    now = None if view is None else view.state
    if isinstance(now, Tournament):
        adopted = announcement_requests.regulations_for(sent.fields, now.announced, now.regulations)
    return co.AdoptRegulations(sent.actor, RegulationsAdopted(adopted, sent.text("reason")))


def appointment(sent: Submission, t: str) -> co.AppointOfficial:
    appointed, called = requests.appointment(sent.fields, sent.texts), sent["person"]
    view = None if called is None else sent.desk.view(t)
    held = None if view is None else view.state.officials.get(appointed.official)
    if held is not None and held.person is not None:
        known = sent.desk.texts([held.person.text]).get(held.person.text)
        if known is not None and known.text == called:  # The same name needs no new text.
            sent.texts.all.clear()
            appointed = replace(appointed, person=held.person)
    return co.AppointOfficial(sent.actor, appointed)


def appointed(events: Sequence[Event], sent: Submission) -> answers.AppointmentWrittenAnswer:
    return answers.AppointmentWrittenAnswer(not events)


APPOINTMENT = WriteRoute(
    PAIRING,
    f"{T}/officials",
    appointment,
    Creation(
        "Appoint an official",
        name="appointOfficial",
        description=(
            "Adds a role to the roles that the official already holds. A dismissed official is appointed again. "
            "If the official already holds the role, nothing is written and `held_before` is true. "
            "Only in tournaments created before roles had to be in the log, this is an error (409, `already-appointed`)."
        ),
        acts=(APPOINT,),
        makes=TOURNAMENT,
        body=schemas.OfficialSchema,
        answer=answers.AppointmentWrittenAnswer,
    ),
    appointed,
)


def adoption_route(tiebreaks: TieBreakCodes) -> WriteRoute:
    """Return the route by which regulations are adopted that rank by these ``tiebreaks``."""
    return WriteRoute(
        PAIRING,
        f"{T}/regulations",
        adoption,
        Creation(
            "Adopt another ruleset",
            name="adoptRegulations",
            description=(
                "The new ruleset is in force from this event on. A reason is required. Stages that the request does "
                "not list stay as they are. A stage that has begun cannot be changed."
            ),
            body=adoption_schema(tiebreaks),
        ),
    )


def office(bp: Blueprint, desk: Desk, tiebreaks: TieBreakCodes, house: str) -> None:
    """Announcements, which name their own tournament, and appointments, which answer 201 even if nothing was written."""
    announcement = tournament_schema(tiebreaks)

    @bp.post("/v1/tournaments")
    @Creation(
        "Create a tournament",
        name="announceTournament",
        description=(
            "Creates the event log of a tournament, with its ruleset and its officials. The ruleset is stored in "
            "the log and stays as it is until another one is adopted. If `id` is omitted, the server makes one. "
            "The caller holds the role of their token in the new tournament."
        ),
        acts=(ANNOUNCE,),
        makes=TOURNAMENT,
        answer=answers.AnnouncedAnswer,
        body=announcement,
    )
    def announce() -> Response:
        sent = body()
        t = sent.get("id") or new_id()

        def make(actor: Actor, texts: Texts) -> co.AnnounceTournament:
            return announcement_requests.announcement(actor, sent, texts, origin(t, house), desk.keys)

        return run(desk, PAIRING, t, make, answer=lambda events: answers.AnnouncedAnswer(t))

    @bp.post(APPOINTMENT.address)
    @APPOINTMENT.operation
    def appoint(t: str) -> Response:
        answer = submit(desk, APPOINTMENT, {"t": t})
        answer.headers.setdefault("Location", location(TOURNAMENT, b"", t=t))
        if answer.status_code == HTTPStatus.OK:  # The official has the role, although no event had to say so.
            answer.status_code = HTTPStatus.CREATED
        return answer
