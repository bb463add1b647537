"""The publication of a table over HTTP."""

from flask import Blueprint, Response

from services.standings.closing import publication_schemas
from services.standings.closing.publication_command import remember
from services.standings.rules import commands as co
from services.standings.rules.table.table import default_tiebreaks
from shared.core.state.tournament import Tournament
from shared.core.terms import STANDINGS
from shared.desk.desk import Desk
from shared.http.addresses import T
from shared.http.commands.write_routes import Submission, WriteRoute, submit
from shared.http.operations import Operation


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
    Operation(
        "Publish the table: digest and signed checkpoint",
        name="publishStandings",
        body=publication_schemas.PublicationSchema,
        status=201,
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
