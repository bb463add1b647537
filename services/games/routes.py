"""Games over HTTP: results from the hall, moves as devices feed them, and what the sheets say."""

from collections.abc import Collection

import msgspec
from flask import Blueprint, Response, request

from services.games import answers, command_responses, readers, responses, schemas
from services.games.file_routes import played
from services.games.files import export
from services.games.files.file_readers import MEDIA_TYPES
from services.games.notations import NOTATIONS, WIDTHS, MoveStyle
from services.games.rules.boards.registry import Variant, variant_of
from shared.core.language.messages import say
from shared.core.terms import GAMES, GameId
from shared.desk.desk import Desk
from shared.http.addresses import G, T
from shared.http.commands.write_routes import WriteRoute, submit
from shared.http.operations import Operation
from shared.http.problems import Problem
from shared.http.reads import paging, stream, tournament_query
from shared.http.reads.tournament_query import tournament_of, view
from shared.http.requests.preconditions import unchanged


def asked_style(variant: Variant | None) -> MoveStyle:
    """How the query wants moves told. Raises `Problem` 422 for what this game's moves cannot be told in."""
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
POINT_QUERY = {"at": "as of this line of the tournament's log", "after": "not before it"}
NOTATION_QUERY = POINT_QUERY | {
    "notation": "of the moves: of chess uci, san; of xiangqi iccs, chinese, traditional",
    "width": "of the digits in Chinese notation: half, full",
}


def game_view(desk: Desk, g: str) -> responses.GameView:
    """The game that this request asks for, as of its view. Raises `Problem` 404, and as `view` does."""
    current = view(desk, tournament_of(g))
    game = current.state.games.get(GameId(g))
    if game is None:
        why = say("{id} has no game {g}", id=current.state.id, g=g)
        raise Problem(404, "unknown-game", say("No such game"), why)
    return responses.read(desk, current, game)


RESULTS = WriteRoute(
    GAMES,
    f"{T}/results",
    readers.results,
    Operation(
        "Report results of a round, all or none",
        name="reportResults",
        answer=answers.ResultsWrittenAnswer,
        body=schemas.ResultsSchema,
        status=201,
    ),
    command_responses.results,
)
CORRECTIONS = WriteRoute(
    GAMES,
    f"{T}/corrections",
    readers.corrections,
    Operation(
        "Correct results of a round, all or none; under a standing ruling a correction waits beneath it",
        name="correctResults",
        answer=answers.ResultsWrittenAnswer,
        body=schemas.CorrectionsSchema,
        status=201,
        match=True,
    ),
    command_responses.results,
)
START = WriteRoute(
    GAMES,
    f"{G}/start",
    readers.start,
    Operation(
        "Start a game, perhaps from a position",
        name="startGame",
        body=schemas.StartSchema,
        optional_body=True,
        answer=answers.GameWrittenAnswer,
        status=201,
    ),
    command_responses.game_written,
)
MOVES = WriteRoute(
    GAMES,
    f"{G}/moves",
    readers.moves,
    Operation(
        "Write moves; 200 where all of them stand on the sheet already. Files belong to moves/file, and are still taken here",
        name="playMoves",
        answer=answers.MovesWrittenAnswer,
        also={200: None},
        body=schemas.MovesSchema,
        files=MEDIA_TYPES,
        query={"number": "of the game in a file that holds several, from 1"},
        status=201,
    ),
    command_responses.game_written,
)
TAKE_BACK = WriteRoute(
    GAMES,
    f"{G}/take-back",
    readers.take_back,
    Operation(
        "Take moves back; they stay on the sheet",
        name="takeBackMoves",
        answer=answers.GameWrittenAnswer,
        body=schemas.TakeBackSchema,
        status=201,
    ),
    command_responses.game_written,
)
STEP = WriteRoute(
    GAMES,
    f"{G}/steps",
    readers.step,
    Operation(
        "Take a step of an opening or a phase that is no move: a swap, fifth stones, a sealed prediction or move, dead stones",
        name="takeStep",
        answer=answers.GameWrittenAnswer,
        body=schemas.StepSchema,
        status=201,
    ),
    command_responses.game_written,
)
OFFER = WriteRoute(
    GAMES,
    f"{G}/offers",
    readers.offer,
    Operation(
        "Offer a draw, accept or decline one",
        name="makeOffer",
        answer=answers.GameWrittenAnswer,
        body=schemas.OfferSchema,
        status=201,
    ),
    command_responses.game_written,
)
CLAIM = WriteRoute(
    GAMES,
    f"{G}/claims",
    readers.claim,
    Operation(
        "Resign or make a claim: a flag, a draw, a repetition, a forbidden or illegal move, pieces touched. It is decided "
        "by the game's rules, the decision with its grounds stands on the sheet; what no sheet shows of the other side waits "
        "for an arbiter, who may ask for a decision that no side claims",
        name="makeClaim",
        body=schemas.ClaimSchema,
        answer=answers.ClaimDecisionAnswer,
        status=201,
    ),
    command_responses.claim_decision,
)
CLAIM_DECISION = WriteRoute(
    GAMES,
    f"{G}/claims/<c>/decision",
    readers.claim_decision,
    Operation(
        "Uphold or deny a claim that waits for an arbiter, as the game's rules have it at the claim's ply",
        name="decideClaim",
        body=schemas.ClaimDecisionSchema,
        answer=answers.ClaimDecisionAnswer,
        status=201,
    ),
    command_responses.claim_decision,
)
END = WriteRoute(
    GAMES,
    f"{G}/end",
    readers.end,
    Operation(
        "End a game by resignation, agreement or dead position",
        name="endGame",
        answer=answers.GameWrittenAnswer,
        body=schemas.EndSchema,
        status=201,
    ),
    command_responses.game_written,
)
WRITES = (RESULTS, CORRECTIONS)
"""The commands that can be previewed with those of other services."""
PLAY = (START, TAKE_BACK, STEP, OFFER, CLAIM, CLAIM_DECISION, END)


def moves(bp: Blueprint, desk: Desk) -> None:
    """Moves at a board, in JSON or in a file."""

    @bp.post(MOVES.address)
    @MOVES.operation
    def play_moves(g: str) -> Response:
        return (
            played(desk, g, lambda: request.mimetype)
            if request.mimetype in MEDIA_TYPES
            else submit(desk, MOVES, {"g": g})
        )


def reads(bp: Blueprint, desk: Desk) -> None:
    """A game, and its score sheet."""

    @bp.get(G)
    @Operation("A game: players, state, moves, result", name="getGame", answer=answers.GameAnswer, query=NOTATION_QUERY)
    def game(g: str) -> Response:
        one = game_view(desk, g)
        return _response(
            one, msgspec.json.encode(responses.game(one, asked_style(variant_of(one.view.tournament, one.game)))), JSON
        )

    @bp.get(f"{T}/claims")
    @Operation(
        "The claims that waited for an arbiter, and what became of each",
        name="listClaims",
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
        "A game's score sheet: its lines as they were written, or the moves that count; live, each line as it is written, with "
        "its number on the sheet as its id",
        name="getScoreSheet",
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
    """An answer with an ETag of the game's own, as its sheet grows while the tournament's stands; of the past, with its
    content's (`tournament_query.tagged`)."""
    tag = one.tag(content if tournament_query.asks_past() else None)
    response = Response(status=304) if unchanged(request, tag) else Response(content, mimetype=mimetype)
    response.headers["ETag"] = tag
    response.headers["Cache-Control"] = "no-cache"
    response.vary.add("Accept")
    return response
