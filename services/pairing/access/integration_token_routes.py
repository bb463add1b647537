"""Integration tokens over HTTP: created, listed and revoked by officials who may appoint others in the tournament."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, cast
from uuid import uuid4

from flask import Blueprint, Response, request
from marshmallow import Schema, fields, validate
from msgspec.structs import asdict

from services.pairing.access.integration_tokens import (
    DAYS,
    DAYS_AT_MOST,
    TOGETHER_AT_MOST,
    TokenState,
    Wanted,
    create_tokens,
    revoke_token,
    tokens_of,
)
from services.pairing.access.invitation_routes import handle_typed, require_office
from services.pairing.access.invitations import Issue
from services.pairing.access.token_routes import RevocationAnswer
from services.pairing.announcement.announcement_schemas import ID
from services.pairing.rules.invitations import INTEGRATION_ROLES
from shared.core.language.messages import say
from shared.core.readings.authority import APPOINT
from shared.core.terms import Role
from shared.desk.desk import Desk, View
from shared.http.addresses import T
from shared.http.answers import TournamentListAnswer
from shared.http.common_problems import bad_field
from shared.http.identity.tokens import Identity
from shared.http.operations import Creation, Operation
from shared.http.reads import tournament_query
from shared.http.reads.tournament_query import private_answer
from shared.http.requests import auth
from shared.http.requests.request_parts import body, idempotency_key
from shared.log.invitations import Invitation
from shared.web.times import at_second
from shared.wire.answer import Answer, said


class IntegrationTokenSchema(Schema):
    """The login name of a program, the roles to which it is appointed, and the lifetime of its tokens."""

    name = fields.String(
        required=True, validate=validate.Length(1, 100), metadata={"description": "Login name of the program."}
    )
    roles = fields.List(
        fields.String(validate=validate.OneOf(INTEGRATION_ROLES)),
        required=True,
        validate=validate.Length(1, len(INTEGRATION_ROLES)),
        metadata={"description": "Roles of the program. Each has a token of its own."},
    )
    other_tournaments = fields.List(
        fields.String(validate=ID),
        load_default=list,
        validate=validate.Length(0, TOGETHER_AT_MOST - 1),
        metadata={"description": "IDs of further tournaments. Each has tokens of its own. Default: none."},
    )
    days = fields.Integer(
        load_default=DAYS,
        validate=validate.Range(1, DAYS_AT_MOST),
        metadata={"description": "Lifetime in days. The tokens expire at the latest with the caller's own token."},
    )


class IntegrationTokenAnswer(Answer, kw_only=True):
    """An integration token without its secret."""

    id: Annotated[str, said(format="uuid", description="ID of the token, the `tokenid` of its events.")]
    name: Annotated[str, said(description="Login name of the program.")]
    role: Role
    tournament: str
    made: Annotated[str, said(format="date-time", description="Time of creation.")]
    expires: Annotated[str, said(format="date-time", description="Time from which the token is rejected.")]
    by: Annotated[str, said(description="Login name of the official who created the token.")]
    state: Annotated[
        TokenState, said(description="`role_not_held`: the log no longer states that the name holds the role.")
    ]


class NewIntegrationTokenAnswer(IntegrationTokenAnswer, kw_only=True):
    """A new integration token."""

    token: Annotated[str, said(description="The secret: the bearer token. It is returned only once.")]


class NewIntegrationTokensAnswer(Answer):
    """New integration tokens, one for each role in each tournament."""

    tokens: Annotated[Sequence[NewIntegrationTokenAnswer], said(description="The new tokens, with their secrets.")]


class IntegrationTokensAnswer(TournamentListAnswer):
    """The integration tokens of a tournament, oldest first."""

    tokens: Annotated[Sequence[IntegrationTokenAnswer], said(description="The tokens, oldest first.")]


def integration_tokens(bp: Blueprint, desk: Desk, issue: Issue) -> None:
    """Register the routes of integration tokens."""
    address = f"{T}/tokens"

    @bp.post(address)
    @Creation(
        "Create integration tokens",
        name="createIntegrationTokens",
        description=(
            "Appoints the login name of a program to the roles, and then returns a bearer token for each role in each "
            "tournament. The caller must be permitted to appoint officials in all of them. Only an `organiser` gives the "
            "role `organiser`. The tokens are returned only in this response. If the request is repeated with the same "
            "`Idempotency-Key`, nothing is created (409, `token-created-already`), also after the tokens have expired. The login "
            "name must not be that of an official or of a session in the tournament (409, `name-taken`). Send an "
            "`Idempotency-Key`: only with it can the same request be repeated after a 503."
        ),
        acts=(APPOINT,),
        body=IntegrationTokenSchema,
        answer=NewIntegrationTokensAnswer,
        tagged=False,
        makes="/v1/tournaments/{t}/tokens",
        cost=TOGETHER_AT_MOST,
    )
    def create_integration_tokens(t: str) -> Response:
        _, sender = _required(desk, t)
        wanted = wanted_tokens(t, body(), idempotency_key(request, sender.actor))
        made = create_tokens(desk, issue, sender, wanted)
        new = [NewIntegrationTokenAnswer(**asdict(_answer(one.row, "active")), token=one.token) for one in made]
        return private_answer(NewIntegrationTokensAnswer(new), 201, request.path)

    @bp.get(address)
    @Operation(
        "List the integration tokens of a tournament",
        name="listIntegrationTokens",
        description=(
            "Lists all tokens, also revoked and expired ones. The tokens themselves are not stored and not returned."
        ),
        acts=(APPOINT,),
        answer=IntegrationTokensAnswer,
        tagged=False,
        errors=(401, 403),
    )
    def list_integration_tokens(t: str) -> Response:
        view, _ = _required(desk, t)
        rows = [_answer(row, state) for row, state in tokens_of(desk, view.state)]
        return private_answer(IntegrationTokensAnswer(t, view.seq, rows))

    @bp.delete(f"{address}/<id>")
    @Operation(
        "Revoke an integration token",
        name="revokeIntegrationToken",
        description=(
            "Every service rejects the token from now on. The program keeps its role in the log until it is dismissed. "
            "Only an `organiser` revokes the token of an organiser."
        ),
        acts=(APPOINT,),
        answer=RevocationAnswer,
        tagged=False,
    )
    def revoke_integration_token(t: str, id: str) -> Response:
        view, sender = _required(desk, t)
        return private_answer(RevocationAnswer(at=revoke_token(desk, sender, view.state, id).at, jti=id))


def _required(desk: Desk, t: str) -> tuple[View, Identity]:
    """Return the tournament and the caller, who may appoint officials there. Raises `Problem`."""
    auth.require(t)
    view, sender = tournament_query.view_at(desk, t), auth.required_identity()
    require_office(desk, view, sender)
    return view, sender


def wanted_tokens(t: str, sent: Mapping[str, Any], key: str | None) -> Wanted:
    """Return the tokens that a body or a form asks for. Raises `Problem` 422 for an invalid name and for too many tokens."""
    roles = tuple(role for role in INTEGRATION_ROLES if role in sent["roles"])
    tournaments = tuple(dict.fromkeys((t, *sent["other_tournaments"])))
    if len(roles) * len(tournaments) > TOGETHER_AT_MOST:
        raise bad_field("other_tournaments", say("at most {most} tokens at once", most=TOGETHER_AT_MOST))
    name = handle_typed(sent["name"])
    return Wanted(name, roles, tournaments, sent["days"], key or str(uuid4()), repeatable=key is not None)


def _answer(row: Invitation, state: TokenState) -> IntegrationTokenAnswer:
    return IntegrationTokenAnswer(
        id=row.id,
        name=row.name,
        role=cast(Role, row.role),
        tournament=row.tournament,
        made=at_second(row.made),
        expires=at_second(row.until),
        by=row.inviter,
        state=state,
    )
