"""The publication of a table over HTTP."""

from contextlib import suppress

from flask import Blueprint, Response
from marshmallow import Schema, fields, validate

from services.standings.rules import commands as co
from services.standings.rules.table.table import EDITIONS, default_tiebreaks
from shared.core.state.tournament import Tournament
from shared.core.terms import STANDINGS
from shared.core.values.bounds import TIEBREAKS
from shared.desk.desk import Desk
from shared.desk.log_checkpoint import signed_checkpoint
from shared.desk.signer_port import NotSigned
from shared.http.addresses import T
from shared.http.commands.write_routes import Submission, WriteRoute, submit
from shared.http.operations import Creation


def remember(desk: Desk, t: str) -> None:
    """Have the signer remember the state that a publication was signed on, which its own commit did not contain yet."""
    view = desk.view(t)
    if view is not None:
        with suppress(NotSigned):
            signed_checkpoint(desk, view)


class PublicationSchema(Schema):
    """Left out: the tournament's own tie-breaks, all rounds that are paired, not final."""

    tiebreaks = fields.List(fields.String(), load_default=None, validate=validate.Length(0, TIEBREAKS.most))
    rules = fields.String(load_default=None, validate=validate.OneOf(EDITIONS))
    round = fields.Integer(strict=True, load_default=None, validate=validate.Range(0, 100))
    final = fields.Boolean(load_default=False, truthy={True}, falsy={False})


def publication(sent: Submission, t: str) -> co.PublishStandings:
    view = sent.desk.view(t)
    if view is None or not isinstance(view.state, Tournament):
        return co.PublishStandings(sent.actor, (), sent["rules"] or "2026", sent["round"] or 0, sent["final"])
    state = view.state
    tiebreaks = default_tiebreaks(state) if sent["tiebreaks"] is None else tuple(sent["tiebreaks"])
    rules = sent["rules"] or state.regulations.ranking.rules
    round = state.rounds_paired() if sent["round"] is None else sent["round"]
    return co.PublishStandings(sent.actor, tiebreaks, rules, round, sent["final"])


PUBLICATION = WriteRoute(
    STANDINGS,
    f"{T}/publications",
    publication,
    Creation(
        "Publish the standings",
        name="publishStandings",
        description=(
            "Writes the digest of the standings and a signed checkpoint into the log. Final standings end the "
            "tournament: every game needs a result, and no claim may be pending. After them only rulings, appeals "
            "and a few other commands are accepted."
        ),
        acts=("publish",),
        body=PublicationSchema,
        match=True,
    ),
)


def publications(bp: Blueprint, desk: Desk) -> None:
    """The publication of a table, which the signer remembers."""

    @bp.post(PUBLICATION.address)
    @PUBLICATION.operation
    def publish(t: str) -> Response:
        response = submit(desk, PUBLICATION, {"t": t})
        remember(desk, t)
        return response
