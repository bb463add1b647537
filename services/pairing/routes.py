"""Pairing over HTTP: what is asked of a tournament's office."""

import secrets
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
from shared.core.events import StartingNumber
from shared.core.language.messages import say
from shared.core.state.tournament import Tournament
from shared.core.terms import PAIRING, Actor, PlayerId, TextRef
from shared.core.trust.checkpoint_origin import origin
from shared.desk.desk import Desk
from shared.http.commands.command_pipeline import new_id, run
from shared.http.commands.locations import location
from shared.http.operations import Operation
from shared.http.problems import Problem
from shared.http.requests.bodies import body
from shared.log.texts import Texts

T = "/v1/tournaments/<t>"
TOURNAMENT = "/v1/tournaments/{t}"


def reason(texts: Texts) -> TextRef | None:
    """The reason, where the caller gives one: all that the body may hold."""
    return texts.ref(body()["reason"])


def seed() -> int:
    """Lots for a command: 0 says that nothing was drawn; 48 bits are exact in every JSON reader."""
    return 1 + secrets.randbits(48)


def office(bp: Blueprint, desk: Desk, tiebreaks: TieBreakCodes, house: str) -> None:
    """Announcing, regulations, officials, erasure."""
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

        return run(desk, PAIRING, t, make, answer=lambda events: {"id": t})

    @bp.post(f"{T}/regulations")
    @Operation(
        "Adopt other regulations, with a reason", name="adoptRegulations", body=adoption_schema(tiebreaks), status=201
    )
    def adopt(t: str) -> Response:
        def make(actor: Actor, texts: Texts) -> co.AdoptRegulations:
            sent = body()
            adopted, view = sent["regulations"], desk.view(t)
            now = None if view is None else view.state
            if isinstance(now, Tournament):
                adopted = announcement_requests.regulations_for(sent, now.announced, now.regulations)
            return co.AdoptRegulations(actor, adopted, texts.ref(sent["reason"]))

        return run(desk, PAIRING, t, make)

    @bp.post(f"{T}/officials")
    @Operation(
        "Appoint an official, beside the offices that he holds",
        name="appointOfficial",
        makes=TOURNAMENT,
        body=schemas.OfficialSchema,
        answer=answers.AppointmentWrittenAnswer,
        status=201,
    )
    def appoint(t: str) -> Response:
        def make(actor: Actor, texts: Texts) -> co.AppointOfficial:
            sent = body()
            appointed, called = requests.appointment(sent, texts), sent["person"]
            view = None if called is None else desk.view(t)
            held = None if view is None else view.state.officials.get(appointed.official)
            if held is not None and held.person is not None:
                known = desk.texts([held.person.text]).get(held.person.text)
                if known is not None and known.text == called:  # The same name again is no new text.
                    texts.all.clear()
                    appointed = replace(appointed, person=held.person)
            return co.AppointOfficial(actor, appointed)

        answer = run(desk, PAIRING, t, make, answer=lambda events: {"held_before": not events})
        answer.headers.setdefault("Location", location(TOURNAMENT, b"", t=t))
        if answer.status_code == HTTPStatus.OK:  # He holds the office, although no line had to say so.
            answer.status_code = HTTPStatus.CREATED
        return answer

    @bp.post(f"{T}/officials/<name>/dismissal")
    @Operation("Dismiss an official", name="dismissOfficial", body=schemas.ReasonSchema, optional_body=True, status=201)
    def dismiss(t: str, name: str) -> Response:
        def make(actor: Actor, texts: Texts) -> co.DismissOfficial:
            return co.DismissOfficial(actor, requests.handle_in_path(name), reason(texts))

        return run(desk, PAIRING, t, make)

    @bp.delete(f"{T}/texts/<hash>")
    @Operation("Erase a text everywhere; its hash stays", name="eraseText")
    def erase(t: str, hash: str) -> Response:
        def make(actor: Actor, texts: Texts) -> co.EraseText:
            # No rule reads a text, so whether there is one is asked here.
            view = desk.view(t)
            decided_by_rules = view is None or hash in view.state.erased
            if not decided_by_rules and all(text.hash != hash for text in desk.tournament_texts(t)):
                raise Problem(404, "unknown-text", say("No such text"), say("{t} has no text of this hash", t=t))
            return co.EraseText(actor, hash)

        return run(desk, PAIRING, t, make)


def entries(bp: Blueprint, desk: Desk) -> None:
    """Players: entering, numbering, leaving, byes asked for."""

    @bp.post(f"{T}/entries")
    @Operation(
        "Enter players, all or none; late ones are paired from the next round on",
        name="enterPlayers",
        answer=answers.EnteredAnswer,
        body=schemas.EntriesSchema,
        status=201,
    )
    def enter(t: str) -> Response:
        def make(actor: Actor, texts: Texts) -> co.EnterPlayers:
            sent = body()
            return co.EnterPlayers(actor, tuple(requests.entry(p, texts) for p in sent["players"]))

        return run(desk, PAIRING, t, make, answer=responses.players_entered)

    @bp.post(f"{T}/starting-numbers")
    @Operation(
        "Assign starting numbers by strength or by lot, or correct those named",
        name="assignStartingNumbers",
        body=schemas.NumbersSchema,
        optional_body=True,
        status=201,
    )
    def number(t: str) -> Response:
        def make(actor: Actor, texts: Texts) -> co.AssignNumbers:
            sent = body()
            numbers = sent["numbers"]
            if numbers is None:
                return co.AssignNumbers(actor, seed=seed() if sent["lot"] else 0)
            return co.AssignNumbers(actor, tuple(StartingNumber(n["player"], n["number"]) for n in numbers))

        return run(desk, PAIRING, t, make)

    @bp.post(f"{T}/entries/<int:p>/correction")
    @Operation(
        "Correct what an entry says, at any time; what was paired stays paired",
        name="correctEntry",
        body=schemas.EntryCorrectionSchema,
        status=201,
    )
    def correct(t: str, p: int) -> Response:
        def make(actor: Actor, texts: Texts) -> co.CorrectEntry:
            view = desk.view(t)
            return entry_correction(desk, None if view is None else view.state, actor, PlayerId(p), body(), texts)

        return run(desk, PAIRING, t, make)

    @bp.post(f"{T}/entries/<int:p>/withdrawal")
    @Operation(
        "Take a player out of the rounds to come",
        name="withdrawPlayer",
        body=schemas.ReasonSchema,
        optional_body=True,
        status=201,
    )
    def withdraw(t: str, p: int) -> Response:
        def make(actor: Actor, texts: Texts) -> co.WithdrawPlayer:
            return co.WithdrawPlayer(actor, PlayerId(p), reason(texts))

        return run(desk, PAIRING, t, make)

    @bp.post(f"{T}/entries/<int:p>/return")
    @Operation(
        "Let a player who left play again",
        name="returnPlayer",
        body=schemas.ReasonSchema,
        optional_body=True,
        status=201,
    )
    def come_back(t: str, p: int) -> Response:
        def make(actor: Actor, texts: Texts) -> co.ReturnPlayer:
            return co.ReturnPlayer(actor, PlayerId(p), reason(texts))

        return run(desk, PAIRING, t, make)

    @bp.post(f"{T}/check-in")
    @Operation("Note who has come, before anybody is paired", name="checkIn", body=schemas.CheckInSchema, status=201)
    def check_in(t: str) -> Response:
        def make(actor: Actor, texts: Texts) -> co.CheckInPlayers:
            sent = body()
            return co.CheckInPlayers(actor, tuple(map(PlayerId, sent["came"])), tuple(map(PlayerId, sent["absent"])))

        return run(desk, PAIRING, t, make)

    @bp.post(f"{T}/byes")
    @Operation("Grant a bye asked for a round to come", name="grantBye", body=schemas.ByeSchema, status=201)
    def bye(t: str) -> Response:
        def make(actor: Actor, texts: Texts) -> co.GrantBye:
            sent = body()
            return co.GrantBye(actor, PlayerId(sent["player"]), sent["round"], sent["kind"])

        return run(desk, PAIRING, t, make)
