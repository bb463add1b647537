"""All score sheets of an event: who keeps or audits it asks for them once."""

from flask import Blueprint, Response

from shared.desk.desk import Desk
from shared.desk.score_sheets import score_sheets
from shared.http import tournament_query
from shared.http.operations import WHOLE_LOG, Operation

NDJSON = "application/x-ndjson"


def sheets(bp: Blueprint, desk: Desk) -> None:
    """The sheets as they were written."""

    @bp.get("/v1/tournaments/<t>/sheets")
    @Operation(
        "The score sheets of all games, one after the other, byte for byte as their lines were written",
        name="listScoreSheets",
        media=(NDJSON,),
        cost=WHOLE_LOG,
    )
    def all_sheets(t: str) -> Response:
        tournament_query.view_at(desk, t)
        response = Response((line + b"\n" for _, lines in score_sheets(desk, t) for line in lines), mimetype=NDJSON)
        response.headers["Cache-Control"] = "no-cache"
        return response
