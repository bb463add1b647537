"""The route by which an organiser announces another service's key, where the one before is lost."""

from flask import Blueprint, Response
from marshmallow import Schema, fields, validate

from shared.core.readings.key_announcement import AnnounceKey
from shared.core.terms import Actor, Source
from shared.desk.desk import Desk
from shared.http.commands.command_pipeline import run
from shared.http.operations import Operation
from shared.http.requests.bodies import body
from shared.log.texts import Texts


class KeySchema(Schema):
    """``key``: the service's new public key, a C2SP verifier key as ``keys/<service>.vkey`` holds it."""

    key = fields.String(required=True, validate=validate.Length(1, 200))
    reason = fields.String(required=True, validate=validate.Length(1, 2000))


def lost_keys(bp: Blueprint, desk: Desk, source: Source, path: str, name: str, summary: str) -> None:
    """``POST path`` of the service that writes as ``source``."""

    @bp.post(f"/v1/tournaments/<t>/{path}")
    @Operation(summary, name=name, body=KeySchema, status=201)
    def announce_key(t: str) -> Response:
        def make(actor: Actor, texts: Texts) -> AnnounceKey:
            sent = body()
            return AnnounceKey(actor, sent["key"].strip(), texts.ref(sent["reason"]))

        return run(desk, source, t, make)
