"""The end of an event in the browser: its checklist, the final table published by a form, and what is taken home."""

from typing import Any

from flask import Blueprint, Response, request
from marshmallow import Schema, fields, validate

from services.standings import queries
from services.standings.audit.audits import Audits
from services.standings.closing.closing_checklist import appeal_periods, checklist, holds
from services.standings.closing.publication_routes import remember
from services.standings.page_context import LAYOUT, page_context
from services.standings.rules import RULES
from services.standings.rules import commands as co
from services.standings.rules.answers import TableAnswer, TeamTableAnswer
from services.standings.rules.publication import own_table, rounds_left
from services.standings.rules.published_table import published_codes, publishes_teams
from services.standings.rules.table.table import standings, table_answer
from services.standings.rules.teams.table import team_standings, team_table_answer
from shared.audit.checkpoints.note import SignedNotes
from shared.core.rounds.rounds_to_come import is_another_round_due
from shared.core.state.tournament import Tournament
from shared.core.terms import Actor
from shared.desk.desk import Desk
from shared.http.operations import AUDIT, TABLE
from shared.http.reads import tournament_query
from shared.log.texts import Texts
from shared.web.form import Form, back_to

_MOST_ROUNDS = 10_000
_SHOWN = 10
"""Rows of the table that the form shows of what it would publish."""


class PublishedForm(Schema):
    """The table as it is now, of all rounds or after one, by the tournament's own tie-breaks: final or not."""

    final = fields.String(required=True, validate=validate.OneOf(("yes", "no")))
    round = fields.Integer(load_default=None, validate=validate.Range(0, _MOST_ROUNDS))


def closing(bp: Blueprint, desk: Desk, audits: Audits, notes: SignedNotes) -> None:
    """The checklist, and the form that publishes the table."""

    @LAYOUT.serves(bp, "/t/<t>/closing", cost=AUDIT)
    def closing_page(t: str) -> Response:
        page = page_context(desk, t)
        adopted = page.state.regulations is not None
        checks = checklist(page.tournament, audits, notes, page.names) if adopted else []
        return page.render(
            "closing.html",
            checks=checks,
            left=sum(one.done is False for one in checks),
            made=all(one.made for one in checks),
            periods=appeal_periods(page.tournament, desk.now()) if adopted else None,
        )

    @LAYOUT.serves(bp, "/t/<t>/publication", form=True, cost=TABLE)
    def publication_form(t: str) -> Response:
        view = tournament_query.latest(desk, t)
        state = view.tournament

        def make(actor: Actor, texts: Texts, fields: dict[str, Any]) -> co.PublishStandings:
            return own_table(state, actor, final=fields["final"] == "yes", round=fields["round"])

        response = Form(
            desk,
            LAYOUT,
            RULES.permit(co.PublishStandings),
            view,
            "standings_publication.html",
            None,
            back_to("closing_page", t=t),
            lambda: _shown(desk, state, _earlier(state)),
        ).respond(PublishedForm, make)
        remember(desk, t)
        return response


def _earlier(t: Tournament) -> int | None:
    """Return the earlier round that the address or the form asks for, or None for the last one."""
    text = request.values.get("round", "")
    round = int(text) if text.isascii() and text.isdigit() and len(text) < 6 else 0
    return round if 0 < round < t.rounds_paired() else None


def _shown(desk: Desk, t: Tournament, round: int | None) -> dict[str, Any]:
    names, of_teams = queries.names(desk, t), publishes_teams(t)
    table: TableAnswer | TeamTableAnswer
    if of_teams:
        table = team_table_answer(team_standings(t, after_round=round), names)
    else:
        table = table_answer(standings(t, after_round=round), names)
    sides = table.teams if isinstance(table, TeamTableAnswer) else table.players
    last = t.publications[-1] if t.publications else None
    return {
        "table": table,
        "of_teams": of_teams,
        "sides": len(sides),
        "rows": sides[:_SHOWN],
        "titles": published_codes(t).titles,
        "last": last,
        "left": rounds_left(t),
        "more": is_another_round_due(t),
        "round": round,
        "unchanged": last is not None and holds(t, last),
    }
