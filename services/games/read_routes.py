"""Reads of games over HTTP: a game, its score sheet, and the claims of a tournament."""

from collections.abc import Collection

import msgspec
from flask import Blueprint, Response, request

from services.games import answers, responses, schemas
from services.games.files import export
from services.games.notations import NOTATIONS, WIDTHS, MoveStyle
from services.games.rules.boards.registry import Variant, variant_of
from shared.core.language.messages import say
from shared.core.terms import GameId
from shared.desk.desk import Desk
from shared.http.addresses import G, T
from shared.http.operations import Operation
from shared.http.problems import Problem
from shared.http.reads import paging, stream, tournament_query
from shared.http.reads.tournament_query import tournament_of, view
from shared.http.requests.request_parts import unchanged


def asked_style(variant: Variant | None) -> MoveStyle:
    """Return the style of moves that the query asks for. Raise `Problem` 422 if this game has no such notation."""
    choices = NOTATIONS.get(variant.name, {}) if variant is not None else {}
    notation = _one_of("notation", choices)
    width = _one_of("width", WIDTHS)
    return MoveStyle(notation, "full" if width == "full" else "half")


def _one_of(name: str, choices: Collection[str]) -> str | None:
    value = request.args.get(name)
    if value is not None and value not in choices:
        wrong = (
            say("{name} is one of {choices}", name=name, choices=tuple(choices))
            if choices
            else say("this game's moves have no other {name}", name=name)
        )
        raise Problem(422, "bad-query", say("Bad query"), wrong, errors={name: [wrong]})
    return value


JSON, NDJSON = "application/json", "application/x-ndjson"
NOTATION_QUERY = tournament_query.POINT | {
    "notation": "Notation of the moves: `uci` or `san` for chess, `iccs`, `chinese` or `traditional` for xiangqi.",
    "width": "Width of the digits in Chinese notation: `half` or `full`. Default `half`.",
}


def game_view(desk: Desk, g: str) -> responses.GameView:
    """Return the game of the request with its view. Raise `Problem` 404 if it does not exist, and as `view` does."""
    current = view(desk, tournament_of(g))
    game = current.state.games.get(GameId(g))
    if game is None:
        why = say("{id} has no game {g}", id=current.state.id, g=g)
        raise Problem(404, "unknown-game", say("No such game"), why)
    return responses.read(desk, current, game)


def reads(bp: Blueprint, desk: Desk) -> None:
    """Register the routes that read a game and its score sheet."""

    @bp.get(G)
    @Operation(
        "Get a game",
        name="getGame",
        description=("Returns the players, the state, the moves, the clocks and the result of the game."),
        answer=answers.GameAnswer,
        query=NOTATION_QUERY,
    )
    def game(g: str) -> Response:
        one = game_view(desk, g)
        return _response(
            one, msgspec.json.encode(responses.game(one, asked_style(variant_of(one.view.tournament, one.game)))), JSON
        )

    @bp.get(f"{T}/claims")
    @Operation(
        "List claims that an arbiter decides",
        name="listClaims",
        description=("Returns the claims that waited for an arbiter, and their outcome."),
        query=schemas.ClaimsQuery,
        answer=answers.ClaimsAnswer,
    )
    def list_claims(t: str) -> Response:
        wanted = tournament_query.query()["state"]
        current = view(desk, t)
        claims = [responses.claim(current.tournament, one) for one in current.state.claims.values()]
        chosen = [one for one in claims if wanted is None or one.state == wanted]
        return paging.listed(current, answers.ClaimsAnswer, chosen)

    @bp.get(f"{G}/sheet")
    @Operation(
        "Get a game's score sheet",
        name="getScoreSheet",
        description=(
            "JSON returns the moves that count. `application/x-ndjson` returns the events of the score sheet "
            "exactly as they are stored. PGN and SGF are offered if the game has them. `text/event-stream` "
            "returns each event as it is written, and its number on the score sheet is the ID."
        ),
        answer=answers.SheetAnswer,
        errors=(406,),
        query=NOTATION_QUERY,
        media=(JSON, NDJSON, export.PGN, export.SGF, stream.MEDIA),
    )
    def sheet(g: str) -> Response:
        stream.last_id()
        one = game_view(desk, g)
        variant = variant_of(one.view.tournament, one.game)
        style, format = asked_style(variant), export.format_of(variant)
        offered = [JSON, NDJSON, *([format.media] if format is not None else []), stream.MEDIA]
        media = request.accept_mimetypes.best_match(offered) if request.accept_mimetypes else JSON
        if media is None:
            why = say("available formats of this score sheet: {offered}", offered=tuple(offered))
            raise Problem(406, "not-acceptable", say("Not acceptable"), why)
        if media == stream.MEDIA:
            return stream.follow_sheet(desk, g)
        if media == NDJSON:
            return _response(one, b"".join(line + b"\n" for line in one.lines), NDJSON)
        if variant is not None and format is not None and media == format.media:
            return _response(one, export.write(desk, one, variant, style), media)
        return _response(one, msgspec.json.encode(responses.sheet(one, style)), JSON)


def _response(one: responses.GameView, content: bytes, mimetype: str) -> Response:
    """Return a response whose ETag is the game's own: its sheet grows while the tournament's log does not.

    An answer about the past has the ETag of its content (`tournament_query.tagged`).
    """
    tag = one.tag(content if tournament_query.asks_past() else None)
    response = Response(status=304) if unchanged(request, tag) else Response(content, mimetype=mimetype)
    response.headers["ETag"] = tag
    response.headers["Cache-Control"] = "no-cache"
    response.vary.add("Accept")
    return response
