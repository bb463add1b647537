"""The route by which an organiser announces another service's key, where the one before is lost."""

from marshmallow import Schema, fields, validate

from shared.core.readings.key_announcement import AnnounceKey
from shared.core.terms import Source
from shared.http.addresses import T
from shared.http.commands.write_routes import Submission, WriteRoute
from shared.http.operations import Operation


class KeySchema(Schema):
    """``key``: the service's new public key, a C2SP verifier key as ``keys/<service>.vkey`` holds it."""

    key = fields.String(required=True, validate=validate.Length(1, 200))
    reason = fields.String(required=True, validate=validate.Length(1, 2000))


def announcement(sent: Submission, t: str) -> AnnounceKey:
    return AnnounceKey(sent.actor, sent["key"].strip(), sent.text("reason"))


def lost_key(source: Source, path: str, name: str, summary: str, description: str) -> WriteRoute:
    """Return the route ``POST path`` of the service that writes as ``source``."""
    operation = Operation(summary, name=name, description=description, body=KeySchema, status=201)
    return WriteRoute(source, f"{T}/{path}", announcement, operation)
