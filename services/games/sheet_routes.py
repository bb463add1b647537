"""Score sheets of an event, or of a round: who keeps, audits or broadcasts games asks for them once."""

from hashlib import sha256

from flask import Blueprint, Response, request

from services.games import responses
from services.games.files import export
from services.games.notations import MoveStyle
from services.games.rules.boards.registry import variant_of
from shared.core.language.messages import say
from shared.desk.desk import Desk
from shared.desk.replay import View
from shared.desk.score_sheets import score_sheets
from shared.http.addresses import T
from shared.http.operations import TABLE, WHOLE_LOG, Operation
from shared.http.problems import Problem
from shared.http.reads import tournament_query
from shared.http.requests.request_parts import unchanged

NDJSON = "application/x-ndjson"


def sheets(bp: Blueprint, desk: Desk) -> None:
    """The sheets as they were written."""

    @bp.get(f"{T}/sheets")
    @Operation(
        "Export all score sheets",
        name="listScoreSheets",
        description=("Returns the events of all score sheets as NDJSON, exactly as they are stored."),
        media=(NDJSON,),
        cost=WHOLE_LOG,
    )
    def all_sheets(t: str) -> Response:
        tournament_query.view_at(desk, t)
        response = Response((line + b"\n" for _, lines in score_sheets(desk, t) for line in lines), mimetype=NDJSON)
        response.headers["Cache-Control"] = "no-cache"
        return response


def broadcast(bp: Blueprint, desk: Desk) -> None:
    """The games of a round as they are played."""

    @bp.get(f"{T}/rounds/<int:n>.pgn")
    @Operation(
        "Export the games of a round as PGN",
        name="getRoundPgn",
        description=(
            "Returns one PGN file for broadcast, with the games in the order of the boards. A game in progress "
            "ends with `*`. A game that has not begun has no moves. The ETag changes only if the file changes."
        ),
        query=tournament_query.POINT,
        media=(export.PGN,),
        cost=TABLE,
    )
    def round_pgn(t: str, n: int) -> Response:
        current = tournament_query.view(desk, t)
        content = _pgn_of(desk, current, n)
        tag = f'"{sha256(content).hexdigest()[:32]}"'
        response = Response(status=304) if unchanged(request, tag) else Response(content, mimetype=export.PGN)
        response.headers["ETag"] = tag
        response.headers["Cache-Control"] = "no-cache"
        return response


def _pgn_of(desk: Desk, current: View, round: int) -> bytes:
    """The games of the round's standing pairing. Raises `Problem` 404 for a round without one, or a game without PGN."""
    pairing = current.state.current(round)
    if pairing is None:
        why = say("{id} has no round {number}", id=current.state.id, number=round)
        raise Problem(404, "unknown-round", say("No such round"), why)
    t, written = current.tournament, []
    for seat in sorted(pairing.event.boards, key=lambda seat: seat.board):
        game = t.games[seat.game]
        variant = variant_of(t, game)
        format = export.format_of(variant)
        if variant is None or format is None or format.pgn is None:
            why = say("no game of {game} is kept as {ending}", game=t.announced.game, ending="pgn")
            raise Problem(404, "no-such-form", say("No such file"), why)
        written.append(export.write(desk, responses.read(desk, current, game), variant, MoveStyle()))
    return b"\n".join(written)
