"""Invitations over HTTP: a link for an official, a player or a tablet, created by a user who may appoint officials."""

import time
from collections.abc import Mapping
from typing import Annotated, Any
from uuid import uuid4

from flask import Blueprint, Response, request
from marshmallow import Schema, fields, validate

from services.pairing.access.invitations import DAYS, DAYS_AT_MOST, Invited, Inviter, invitation
from services.pairing.rules.invitations import refuse_narrowed
from shared.core.language.handles import InvalidLoginName, new_login_name
from shared.core.language.messages import message_of, say
from shared.core.readings.authority import APPOINT
from shared.core.readings.token_boards import Boards, parse_boards
from shared.core.terms import PAIRING, ROLES, Refusal
from shared.desk.desk import Desk, View
from shared.http.common_problems import bad_fields
from shared.http.identity.tokens import LEEWAY_SECONDS, Identity
from shared.http.operations import Creation
from shared.http.problems import Problem, refused
from shared.http.reads import tournament_query
from shared.http.reads.tournament_query import permitted, private_answer
from shared.http.requests import auth
from shared.http.requests.request_parts import body, idempotency_key
from shared.http.requests.site_address import site_address
from shared.log.invitations import Invitation
from shared.web.page import link
from shared.web.times import at_second
from shared.wire.answer import Answer, said

_ID_CHARACTERS = 32


class InvitationSchema(Schema):
    """The invited name, its role, the boards of a tablet (``5-8``), and the duration of the session in days."""

    role = fields.String(required=True, validate=validate.OneOf(ROLES))
    name = fields.String(required=True, validate=validate.Length(1, 100))
    boards = fields.String(load_default="", validate=validate.Length(0, 40))
    days = fields.Integer(load_default=DAYS, validate=validate.Range(1, DAYS_AT_MOST))


class InvitationAnswer(Answer):
    """A login link. It is returned only once."""

    expires: Annotated[str, said(format="date-time")]
    invitation: str
    link: Annotated[str, said(format="uri")]
    until: Annotated[str, said(format="date-time")]


def invitations(bp: Blueprint, desk: Desk) -> None:
    """Register the route that creates an invitation."""

    @bp.post("/v1/tournaments/<t>/invitations")
    @Creation(
        "Create a login link",
        name="invite",
        description=(
            "Returns a link that opens a session for a person or a device. The link works once, within 30 "
            "minutes. It is returned only in this response. A link for a tablet can be limited to a range of "
            "boards."
        ),
        acts=(APPOINT,),
        body=InvitationSchema,
        answer=InvitationAnswer,
        tagged=False,
        makes="{link}",
    )
    def invite(t: str) -> Response:
        view = tournament_query.view_at(desk, t)
        auth.require(view.state.id)
        sender = auth.required_identity()
        require_office(desk, view, sender)
        address, row = invited(desk, view, sender, body(), idempotency_key(request, sender.actor) or str(uuid4()))
        answer = InvitationAnswer(at_second(row.expires), row.id, address, at_second(row.until))
        return private_answer(answer, 201, address)


def invited(desk: Desk, view: View, sender: Identity, sent: Mapping[str, Any], once: str) -> tuple[str, Invitation]:
    """Return the link and the row of a new invitation with the fields of `InvitationSchema`.

    Raises `Problem` if the invitation is refused, or 409 if the same ``once`` has already created one.
    """
    person = Invited(handle_typed(sent["name"]), sent["role"], _boards(sent["boards"]), sent["days"])
    (made,) = all_invited(desk, view, sender, {once: person})
    return made


def all_invited(
    desk: Desk, view: View, sender: Identity, people: Mapping[str, Invited]
) -> list[tuple[str, Invitation]]:
    """Return the link and the row of a new invitation for each person. The keys of ``people`` make each request unique.

    Raises `Problem` if one is refused, or 409 if the same request has already created them.
    """
    inviter = Inviter(sender.actor.name, sender.actor.role, sender.actor.tokenid, sender.expires - LEEWAY_SECONDS)
    now, links = int(time.time()), []
    for once, one in people.items():
        id = desk.keys.keyed_digest(PAIRING, once.encode())[:_ID_CHARACTERS]
        made = invitation(desk.keys, view.state, inviter, one, id, now)
        if isinstance(made, Refusal):
            raise refused(made)
        code, row = made
        links.append((site_address() + link("invitation_page", code=code, at=None, without=None), row))
    if not desk.log.invitations.invite(*(row for _, row in links)):
        raise Problem(
            409,
            "invited-already",
            say("This command has already created its invitation"),
            say("its link was shown once and cannot be shown again: withdraw the invitation and make a new one"),
        )
    return links


def require_office(desk: Desk, view: View, sender: Identity) -> None:
    """Raise `Problem` 403 if the sender may not create invitations and end others' sessions."""
    refusal = refuse_narrowed(sender.boards)
    if refusal is not None:
        raise refused(refusal)
    permitted(desk, view.state.id, sender.actor, APPOINT)


def handle_typed(typed: str) -> str:
    """Return the typed login name. Raises `Problem` 422 if it is invalid."""
    try:
        return new_login_name(typed)
    except InvalidLoginName as problem:
        raise Problem(
            422, "bad-name", say("Not a login name"), message_of(problem), errors={"name": [message_of(problem)]}
        ) from None


def _boards(typed: str) -> Boards | None:
    boards = parse_boards(typed) if typed else None
    if typed and boards is None:
        wrong = say("must be the numbers of the first and the last board, as in 5-8")
        raise bad_fields({"boards": [wrong]}, wrong)
    return boards
