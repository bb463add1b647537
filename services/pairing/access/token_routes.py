"""Tokens taken back before their time, over HTTP: one by its holder, any by the organiser."""

import time
from uuid import UUID

from flask import Blueprint, Response
from marshmallow import Schema, fields, validate
from msgspec import UNSET, UnsetType

from services.pairing.access.invitation_routes import handle_typed
from shared.core.language.messages import Message, message_of, say
from shared.core.trust.token_revocations import Revocation, is_token_id
from shared.desk.keys.revocations import NoKey
from shared.http.operations import Creation, Operation
from shared.http.problems import Problem, unavailable
from shared.http.reads.tournament_query import private_answer
from shared.http.requests import auth
from shared.http.requests.app_context import current_context
from shared.http.requests.request_parts import body
from shared.wire.answer import Answer

_REVOKES = "organiser"
"""The role that revokes others' tokens. No log names who may: a token acts in every log that it is not kept from."""


class RevocationSchema(Schema):
    name = fields.String(required=True, validate=validate.Length(1, 100))


class RevocationAnswer(Answer, kw_only=True):
    """A revocation of one token, or of all tokens of a login name until now."""

    at: int
    jti: str | UnsetType = UNSET
    name: str | UnsetType = UNSET
    tournament: str | UnsetType | None = UNSET


def tokens(bp: Blueprint) -> None:
    """One token by its id, all of a name until now."""

    @bp.delete("/v1/tokens/<uuid:jti>")
    @Operation(
        "Revoke a token",
        name="revokeToken",
        description=("The token with this ID is rejected from now on."),
        permission="the holder of the token, or an `organiser` whose token is valid for all tournaments.",
        answer=RevocationAnswer,
    )
    def revoke_one(jti: UUID) -> Response:
        sender, id = auth.required_identity(), str(jti)
        if sender.actor.tokenid != id and (sender.actor.role != _REVOKES or sender.tournament is not None):
            raise _may_not(say("its holder, or an organiser whose token is for all tournaments"))
        if not is_token_id(id):
            raise Problem(
                422,
                "bad-token-id",
                say("Not a token ID"),
                say("must be the claim jti of a token, a UUID of version 1 to 8"),
            )
        return _revoked(Revocation(int(time.time()), sender.actor.name, jti=id))

    @bp.post("/v1/tokens/revocations")
    @Creation(
        "Revoke all tokens of a login name",
        name="revokeTokensOfName",
        description=(
            "Rejects every token that was issued to the login name until now. If the caller's token is for one "
            "tournament, only tokens of that tournament are revoked."
        ),
        permission="the role `organiser`.",
        body=RevocationSchema,
        answer=RevocationAnswer,
    )
    def revoke_all() -> Response:
        sender = auth.required_identity()
        if sender.actor.role != _REVOKES:
            raise _may_not(say("an organiser"))
        name = handle_typed(body()["name"])
        revocation = Revocation(int(time.time()), sender.actor.name, name=name, tournament=sender.tournament)
        return _revoked(revocation, 201)


def _may_not(who: Message) -> Problem:
    return Problem(403, "role-may-not", say("Not within this authority"), say("only {who} may do this", who=who))


def _revoked(revocation: Revocation, status: int = 200) -> Response:
    try:
        current_context().desk.revocations.revoke(revocation)
    except NoKey as problem:
        raise unavailable("no-key", message_of(problem)) from None
    if revocation.jti is not None:
        return private_answer(RevocationAnswer(at=revocation.at, jti=revocation.jti), status)
    name, tournament = revocation.name or UNSET, revocation.tournament
    return private_answer(RevocationAnswer(at=revocation.at, name=name, tournament=tournament), status)
