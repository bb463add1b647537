"""A tournament as a file that other programs read."""

from flask import Blueprint, Response
from marshmallow import fields, validate

from services.standings import queries
from services.standings.formats.trf.export import EDITIONS, trf_of
from services.standings.formats.trf.writer import write
from services.standings.schemas import ReadQuery
from shared.core.messages import say
from shared.core.tournament import Tournament
from shared.desk.desk import Desk
from shared.http import tournament_query
from shared.http.operations import TABLE, Operation
from shared.http.problems import Problem
from shared.web.particulars import particulars_of

PLAIN = "text/plain"


class FileQuery(ReadQuery):
    edition = fields.String(
        load_default="16",
        validate=validate.OneOf(EDITIONS),
        metadata={"description": "16: with JaVaFo's extensions; 26: with the records of TRF26"},
    )


def files(bp: Blueprint, desk: Desk) -> None:
    """Files."""

    @bp.get("/v1/tournaments/<t>/trf")
    @Operation(
        "The tournament as FIDE's report file (TRF)",
        name="getReportFile",
        query=FileQuery,
        media=(PLAIN,),
        errors=(409,),
        cost=TABLE,
    )
    def trf(t: str) -> Response:
        sent = tournament_query.query()
        view = tournament_query.view(desk, t)
        state = view.tournament
        if not isinstance(state, Tournament):
            raise Problem(409, "no-regulations", say("No file yet"), say("no regulations were adopted for {t}", t=t))
        content = write(trf_of(state, queries.names(desk, state), sent["edition"], particulars_of(desk, state)))
        response = tournament_query.tagged(view.seq, content, PLAIN)
        if response.status_code == 200:
            response.headers["Content-Disposition"] = f'inline; filename="{t}.trf"'
        return response
