"""Tokens taken back before their time, over HTTP: one by its holder, any by the organiser."""

import time
from collections.abc import Callable
from uuid import UUID

from flask import Blueprint, Response, jsonify
from marshmallow import Schema, fields, validate
from msgspec import UNSET, UnsetType

from shared.core.language.handles import InvalidLoginName, login_name
from shared.core.language.messages import Message, message_of, say
from shared.core.trust.token_revocations import Revocation, is_token_id
from shared.desk.keys.revocations import NoKey
from shared.http.answers import Answer
from shared.http.identity.tokens import Identity
from shared.http.operations import Operation
from shared.http.problems import Problem, no_token, unavailable
from shared.http.requests import auth
from shared.http.requests.app_context import current_context
from shared.http.requests.request_parts import body

_REVOKES = "organiser"
"""The role that revokes others' tokens. No log names who may: a token acts in every log that it is not kept from."""


class RevocationSchema(Schema):
    name = fields.String(required=True, validate=validate.Length(1, 100))


class RevocationAnswer(Answer, kw_only=True):
    """A revocation of one token, or of all tokens of a login name until now."""

    jti: str | UnsetType = UNSET
    name: str | UnsetType = UNSET
    tournament: str | UnsetType | None = UNSET
    at: int


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
        sender, id = _sender(), str(jti)
        if sender.actor.tokenid != id and (sender.actor.role != _REVOKES or sender.tournament is not None):
            raise _may_not(say("its holder, or an organiser whose token is for all tournaments"))
        if not is_token_id(id):
            raise Problem(
                422,
                "bad-token-id",
                say("Not an id of a token"),
                say("the claim jti of a token, a UUID of version 1 to 8"),
            )
        return _revoked(sender, lambda at, by: Revocation(at, by, jti=id))

    @bp.post("/v1/tokens/revocations")
    @Operation(
        "Revoke all tokens of a login name",
        name="revokeTokensOfName",
        description=(
            "Rejects every token that was issued to the login name until now. If the caller's token is for one "
            "tournament, only tokens of that tournament are revoked."
        ),
        permission="the role `organiser`.",
        body=RevocationSchema,
        answer=RevocationAnswer,
        status=201,
    )
    def revoke_all() -> Response:
        sender = _sender()
        if sender.actor.role != _REVOKES:
            raise _may_not(say("an organiser"))
        try:
            name = login_name(body()["name"])
        except InvalidLoginName as problem:
            raise Problem(
                422, "bad-name", say("Not a handle"), message_of(problem), errors={"name": [message_of(problem)]}
            ) from None
        response = _revoked(sender, lambda at, by: Revocation(at, by, name=name, tournament=sender.tournament))
        response.status_code = 201
        return response


def _sender() -> Identity:
    sender = auth.identity()
    if sender is None:
        raise no_token()
    return sender


def _may_not(who: Message) -> Problem:
    return Problem(403, "role-may-not", say("Not within this authority"), say("this takes {who}", who=who))


def _revoked(sender: Identity, make: Callable[[int, str], Revocation]) -> Response:
    revocation = make(int(time.time()), sender.actor.name)
    try:
        current_context().desk.revocations.revoke(revocation)
    except NoKey as problem:
        raise unavailable("no-key", message_of(problem)) from None
    told = {"at": revocation.at}
    if revocation.jti is not None:
        response = jsonify(told | {"jti": revocation.jti})
    else:
        response = jsonify(told | {"name": revocation.name, "tournament": revocation.tournament})
    response.headers["Cache-Control"] = "no-store"
    return response
