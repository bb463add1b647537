"""The publication of a table over HTTP."""

from flask import Blueprint, Response

from services.standings.closing import publication_schemas
from services.standings.closing.publication_command import remember
from services.standings.queries import T
from services.standings.rules import commands as co
from services.standings.rules.table.table import default_tiebreaks
from shared.core.state.tournament import Tournament
from shared.core.terms import STANDINGS, Actor
from shared.desk.desk import Desk
from shared.http.commands.command_pipeline import run
from shared.http.operations import Operation
from shared.http.requests.bodies import body
from shared.log.texts import Texts


def publications(bp: Blueprint, desk: Desk) -> None:
    """The one thing that standings write."""

    @bp.post(f"{T}/publications")
    @Operation(
        "Publish the table: digest and signed checkpoint",
        name="publishStandings",
        body=publication_schemas.PublicationSchema,
        status=201,
        match=True,
    )
    def publish(t: str) -> Response:
        def make(actor: Actor, texts: Texts) -> co.PublishStandings:
            sent = body()
            view = desk.view(t)
            if view is None or not isinstance(view.state, Tournament):
                return co.PublishStandings(actor, (), sent["rules"] or "2026", sent["round"] or 0, sent["final"])
            state = view.state
            tiebreaks = default_tiebreaks(state) if sent["tiebreaks"] is None else tuple(sent["tiebreaks"])
            rules = sent["rules"] or state.regulations.ranking.rules
            round = state.rounds_paired() if sent["round"] is None else sent["round"]
            return co.PublishStandings(actor, tiebreaks, rules, round, sent["final"])

        response = run(desk, STANDINGS, t, make)
        remember(desk, t)
        return response
