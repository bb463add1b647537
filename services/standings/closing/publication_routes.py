"""The publication of a table over HTTP."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated, Literal

from flask import Blueprint, Response
from marshmallow import Schema, fields, validate

from services.standings.rules import commands as co
from services.standings.rules.published_table import published_tiebreaks, publishes_teams
from services.standings.rules.table.table import EDITIONS
from shared.core.state.entities import Publication
from shared.core.state.tournament import Tournament, TournamentState
from shared.core.terms import STANDINGS
from shared.core.values.bounds import TIEBREAKS
from shared.desk.desk import Desk
from shared.desk.log_checkpoint import signed_checkpoint
from shared.desk.signer_port import NotSigned
from shared.http.addresses import T
from shared.http.answers import TournamentListAnswer
from shared.http.commands.write_routes import Submission, WriteRoute, submit
from shared.http.operations import Creation, Operation
from shared.http.reads import paging, tournament_query
from shared.wire.answer import Answer, answer_of, said


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
    tiebreaks = published_tiebreaks(state) if sent["tiebreaks"] is None else tuple(sent["tiebreaks"])
    rules = sent["rules"] or state.regulations.ranking.rules
    round = state.rounds_paired() if sent["round"] is None else sent["round"]
    return co.PublishStandings(sent.actor, tiebreaks, rules, round, sent["final"])


class PublicationAnswer(Answer):
    """A publication of the standings."""

    number: Annotated[int, said(description="Number of the publication, from 1.")]
    round: int
    table: Annotated[
        Literal["players", "teams"],
        said(
            description="The published table: that of the `teams` if matches of teams are paired, else of the `players`."
        ),
    ]
    final: Annotated[bool, said(description="True if the standings are final.")]
    tiebreaks: Sequence[str]
    rules: Annotated[str, said(description="Edition of the rules of tie-breaks, such as `2026`.")]
    digest: Annotated[str, said(description="SHA-256 of the published table, hex.")]
    basis: Annotated[int, said(description="Sequence number of the last event that the table was computed from.")]
    seq: Annotated[int, said(description="Sequence number of the event that published it.")]


class PublicationsAnswer(TournamentListAnswer):
    """A page of the publications, in their order."""

    publications: Annotated[Sequence[PublicationAnswer], said(description="Publications.")]


PUBLICATION = WriteRoute(
    STANDINGS,
    f"{T}/publications",
    publication,
    Creation(
        "Publish the standings",
        name="publishStandings",
        description=(
            "Writes the digest of the standings and a signed checkpoint into the log. If matches of teams are paired, "
            "these are the standings of the teams (`/standings/teams`), and `tiebreaks` are codes for teams. Otherwise "
            "they are those of the players (`/standings`), also for the sum of the members' places. Events of decision "
            "edition 1 or 2 always publish the players' table. Final standings end the "
            "tournament: every game needs a result, and no claim may be pending. After them only rulings, appeals "
            "and a few other commands are accepted."
        ),
        acts=("publish",),
        body=PublicationSchema,
        match=True,
    ),
)


def _answer(t: TournamentState, number: int, one: Publication) -> PublicationAnswer:
    of_teams = isinstance(t, Tournament) and publishes_teams(t, one.basis)
    table = "teams" if of_teams else "players"
    return answer_of(PublicationAnswer, one.event, number=number, table=table, basis=one.basis, seq=one.seq)


def publications(bp: Blueprint, desk: Desk) -> None:
    """Register the publication of a table, which the signer remembers, and the list of publications."""

    @bp.get(PUBLICATION.address)
    @Operation(
        "List publications of the standings",
        name="listPublications",
        description=(
            "Returns the publications with the digest and the basis of each table, the first one first. `table` states "
            "whether the teams' or the players' table was published."
        ),
        answer=PublicationsAnswer,
        query=tournament_query.POINT | paging.QUERY,
    )
    def list_publications(t: str) -> Response:
        view = tournament_query.view(desk, t)
        rows = enumerate(view.state.publications, 1)
        return paging.page(
            view, PublicationsAnswer, ((number, _answer(view.state, number, one)) for number, one in rows)
        )

    @bp.post(PUBLICATION.address)
    @PUBLICATION.operation
    def publish(t: str) -> Response:
        response = submit(desk, PUBLICATION, {"t": t})
        remember(desk, t)
        return response
