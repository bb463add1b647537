"""Pairing over HTTP: the tournament's office and its entries."""

from collections.abc import Sequence
from dataclasses import replace
from http import HTTPStatus

from flask import Blueprint, Response

from services.pairing import answers, requests, responses, schemas
from services.pairing.announcement import announcement_requests
from services.pairing.announcement.announcement_schemas import tournament_schema
from services.pairing.announcement.regulation_fields import adoption_schema
from services.pairing.announcement.tiebreak_codes import TieBreakCodes
from services.pairing.entries.entry_correction_requests import entry_correction
from services.pairing.rules import commands as co
from shared.core.events import ByeGranted, Event, OfficialDismissed, RegulationsAdopted, StartingNumber, TextErased
from shared.core.language.messages import say
from shared.core.state.tournament import Tournament
from shared.core.terms import PAIRING, Actor, PlayerId
from shared.core.trust.checkpoint_origin import origin
from shared.desk.desk import Desk
from shared.http.addresses import T
from shared.http.commands.command_pipeline import location, new_id, run
from shared.http.commands.write_routes import Submission, WriteRoute, seed, submit
from shared.http.operations import Operation
from shared.http.problems import Problem
from shared.http.requests.bodies import body
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
        if known is not None and known.text == called:  # The same name again is no new text.
            sent.texts.all.clear()
            appointed = replace(appointed, person=held.person)
    return co.AppointOfficial(sent.actor, appointed)


def appointed(events: Sequence[Event], sent: Submission) -> answers.AppointmentWrittenAnswer:
    return answers.AppointmentWrittenAnswer(not events)


def dismissal(sent: Submission, t: str, name: str) -> co.DismissOfficial:
    return co.DismissOfficial(sent.actor, OfficialDismissed(requests.handle_in_path(name), sent.text("reason")))


def erasure(sent: Submission, t: str, hash: str) -> co.EraseText:
    """Raises `Problem` 404 for an unknown text: no rule reads texts, so that this is checked here."""
    view = sent.desk.view(t)
    decided_by_rules = view is None or hash in view.state.erased
    if not decided_by_rules and all(text.hash != hash for text in sent.desk.tournament_texts(t)):
        raise Problem(404, "unknown-text", say("No such text"), say("{t} has no text of this hash", t=t))
    return co.EraseText(sent.actor, TextErased(hash))


def entries(sent: Submission, t: str) -> co.EnterPlayers:
    return co.EnterPlayers(sent.actor, tuple(requests.entry(p, sent.texts) for p in sent["players"]))


def starting_numbers(sent: Submission, t: str) -> co.AssignNumbers:
    if sent["numbers"] is None:
        return co.AssignNumbers(sent.actor, seed=seed() if sent["lot"] else 0)
    return co.AssignNumbers(sent.actor, tuple(StartingNumber(n["player"], n["number"]) for n in sent["numbers"]))


def correction(sent: Submission, t: str, p: int) -> co.CorrectEntry:
    view = sent.desk.view(t)
    return entry_correction(
        sent.desk, None if view is None else view.state, sent.actor, PlayerId(p), sent.fields, sent.texts
    )


def withdrawal(sent: Submission, t: str, p: int) -> co.WithdrawPlayer:
    return co.WithdrawPlayer(sent.actor, PlayerId(p), sent.text("reason"))


def return_(sent: Submission, t: str, p: int) -> co.ReturnPlayer:
    return co.ReturnPlayer(sent.actor, PlayerId(p), sent.text("reason"))


def check_in(sent: Submission, t: str) -> co.CheckInPlayers:
    return co.CheckInPlayers(sent.actor, tuple(map(PlayerId, sent["came"])), tuple(map(PlayerId, sent["absent"])))


def bye(sent: Submission, t: str) -> co.GrantBye:
    return co.GrantBye(sent.actor, ByeGranted(PlayerId(sent["player"]), sent["round"], sent["kind"]))


APPOINTMENT = WriteRoute(
    PAIRING,
    f"{T}/officials",
    appointment,
    Operation(
        "Appoint an official, beside the offices that he holds",
        name="appointOfficial",
        makes=TOURNAMENT,
        body=schemas.OfficialSchema,
        answer=answers.AppointmentWrittenAnswer,
        status=201,
    ),
    appointed,
)
WRITES = (
    WriteRoute(
        PAIRING,
        f"{T}/officials/<name>/dismissal",
        dismissal,
        Operation(
            "Dismiss an official", name="dismissOfficial", body=schemas.ReasonSchema, optional_body=True, status=201
        ),
    ),
    WriteRoute(
        PAIRING,
        f"{T}/texts/<hash>",
        erasure,
        Operation("Erase a text everywhere; its hash stays", name="eraseText"),
        method="DELETE",
    ),
    WriteRoute(
        PAIRING,
        f"{T}/entries",
        entries,
        Operation(
            "Enter players, all or none; late ones are paired from the next round on",
            name="enterPlayers",
            answer=answers.EnteredAnswer,
            body=schemas.EntriesSchema,
            status=201,
        ),
        responses.players_entered,
    ),
    WriteRoute(
        PAIRING,
        f"{T}/starting-numbers",
        starting_numbers,
        Operation(
            "Assign starting numbers by strength or by lot, or correct those named",
            name="assignStartingNumbers",
            body=schemas.NumbersSchema,
            optional_body=True,
            status=201,
        ),
    ),
    WriteRoute(
        PAIRING,
        f"{T}/entries/<int:p>/correction",
        correction,
        Operation(
            "Correct what an entry says, at any time; what was paired stays paired",
            name="correctEntry",
            body=schemas.EntryCorrectionSchema,
            status=201,
        ),
    ),
    WriteRoute(
        PAIRING,
        f"{T}/entries/<int:p>/withdrawal",
        withdrawal,
        Operation(
            "Take a player out of the rounds to come",
            name="withdrawPlayer",
            body=schemas.ReasonSchema,
            optional_body=True,
            status=201,
        ),
    ),
    WriteRoute(
        PAIRING,
        f"{T}/entries/<int:p>/return",
        return_,
        Operation(
            "Let a player who left play again",
            name="returnPlayer",
            body=schemas.ReasonSchema,
            optional_body=True,
            status=201,
        ),
    ),
    WriteRoute(
        PAIRING,
        f"{T}/check-in",
        check_in,
        Operation(
            "Note who has come, before anybody is paired", name="checkIn", body=schemas.CheckInSchema, status=201
        ),
    ),
    WriteRoute(
        PAIRING,
        f"{T}/byes",
        bye,
        Operation("Grant a bye asked for a round to come", name="grantBye", body=schemas.ByeSchema, status=201),
    ),
)


def adoption_route(tiebreaks: TieBreakCodes) -> WriteRoute:
    """Return the route by which regulations are adopted that rank by these ``tiebreaks``."""
    return WriteRoute(
        PAIRING,
        f"{T}/regulations",
        adoption,
        Operation(
            "Adopt other regulations, with a reason",
            name="adoptRegulations",
            body=adoption_schema(tiebreaks),
            status=201,
        ),
    )


def office(bp: Blueprint, desk: Desk, tiebreaks: TieBreakCodes, house: str) -> None:
    """Announcements, which name their own tournament, and appointments, which answer 201 even if nothing was written."""
    announcement = tournament_schema(tiebreaks)

    @bp.post("/v1/tournaments")
    @Operation(
        "Announce a tournament",
        name="announceTournament",
        makes=TOURNAMENT,
        answer=answers.AnnouncedAnswer,
        body=announcement,
        status=201,
    )
    def announce() -> Response:
        sent = body()
        t = sent.get("id") or new_id()

        def make(actor: Actor, texts: Texts) -> co.AnnounceTournament:
            return announcement_requests.announcement(actor, sent, texts, origin(t, house), desk.keys.announced)

        return run(desk, PAIRING, t, make, answer=lambda events: answers.AnnouncedAnswer(t))

    @bp.post(APPOINTMENT.address)
    @APPOINTMENT.operation
    def appoint(t: str) -> Response:
        answer = submit(desk, APPOINTMENT, {"t": t})
        answer.headers.setdefault("Location", location(TOURNAMENT, b"", t=t))
        if answer.status_code == HTTPStatus.OK:  # The official has the role, although no event had to say so.
            answer.status_code = HTTPStatus.CREATED
        return answer
