"""Reads of games over HTTP: games, score sheets, the claims of a tournament, the outcome of a command, and the judge."""

from collections.abc import Collection
from hashlib import sha256

import msgspec
from flask import Blueprint, Response, request

from services.games import answers, responses, schemas
from services.games.files import export
from services.games.notations import NOTATIONS, WIDTHS, MoveStyle
from services.games.rules.boards.port.search_budget import Effort
from services.games.rules.boards.registry import Variant
from services.games.rules.judge.registry import answer as judgement
from shared.core.language.messages import say
from shared.core.terms import GameId
from shared.desk.desk import Desk
from shared.desk.event_writer import consequent_rulings
from shared.desk.replay import View
from shared.desk.score_sheets import score_sheets
from shared.desk.views import stream_of
from shared.http.addresses import G, T
from shared.http.common_problems import unknown_round
from shared.http.language import language
from shared.http.operations import JUDGEMENT, TABLE, WHOLE_LOG, Operation
from shared.http.problems import Problem
from shared.http.reads import paging, stream, tournament_query
from shared.http.reads.tournament_query import tournament_of, view
from shared.http.requests.request_parts import load_body, parsed, unchanged


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
            say("{name} must be one of {choices}", name=name, choices=tuple(choices))
            if choices
            else say("omit {name}: moves of this game can be shown in only one way", name=name)
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
        return _response(one, msgspec.json.encode(responses.game(one, asked_style(one.variant))), JSON)

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
        style, format = asked_style(one.variant), export.format_of(one.variant)
        offered = [JSON, NDJSON, *([format.media] if format is not None else []), stream.MEDIA]
        media = request.accept_mimetypes.best_match(offered) if request.accept_mimetypes else JSON
        if media is None:
            why = say("available formats of this score sheet: {offered}", offered=tuple(offered))
            raise Problem(406, "not-acceptable", say("Not acceptable"), why)
        if media == stream.MEDIA:
            return stream.follow_sheet(desk, g)
        if media == NDJSON:
            return _response(one, b"".join(line + b"\n" for line in one.lines), NDJSON)
        if one.variant is not None and format is not None and media == format.media:
            return _response(one, export.write(desk, one, one.variant, style), media)
        return _response(one, msgspec.json.encode(responses.sheet(one, style)), JSON)


def _response(one: responses.GameView, content: bytes, mimetype: str) -> Response:
    """Return a response whose ETag is the game's own: its sheet grows while the tournament's log does not.

    An answer about the past has the ETag of its content (`tournament_query.tagged`).
    """
    response = _tagged(content, mimetype, one.tag(content if tournament_query.asks_past() else None))
    response.vary.add("Accept")
    return response


def _tagged(content: bytes, mimetype: str, tag: str) -> Response:
    response = Response(status=304) if unchanged(request, tag) else Response(content, mimetype=mimetype)
    response.headers["ETag"] = tag
    response.headers["Cache-Control"] = "no-cache"
    return response


def sheets(bp: Blueprint, desk: Desk) -> None:
    """Register the export of all score sheets."""

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
    """Register the export of the games of a round."""

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
        current = view(desk, t)
        content = _pgn_of(desk, current, n)
        return _tagged(content, export.PGN, f'"{sha256(content).hexdigest()[:32]}"')


def _pgn_of(desk: Desk, current: View, round: int) -> bytes:
    """Return the games of a round. Raises `Problem` 404 for a round without a pairing, or a game without PGN."""
    pairing = current.state.current(round)
    if pairing is None:
        raise unknown_round(round)
    t, written = current.tournament, []
    for seat in sorted(pairing.event.boards, key=lambda seat: seat.board):
        one = responses.read(desk, current, t.games[seat.game])
        format = export.format_of(one.variant)
        if one.variant is None or format is None or format.pgn is None:
            why = say("games of {game} cannot be exported as .{ending}", game=t.announced.game, ending="pgn")
            raise Problem(404, "no-such-form", say("No such file"), why)
        written.append(export.write(desk, one, one.variant, MoveStyle()))
    return b"\n".join(written)


def commands(bp: Blueprint, desk: Desk) -> None:
    """Register the outcome of a command of any service, by its causation ID."""

    @bp.get(f"{T}/commands/<id>")
    @Operation(
        "Get the outcome of a command",
        name="getCommand",
        description=(
            "Returns the events that the command wrote, and those of its automatic follow-up commands. `open` "
            "counts follow-ups that are not decided yet."
        ),
        query=tournament_query.POINT,
        answer=answers.CommandAnswer,
    )
    def command(t: str, id: str) -> Response:
        current = view(desk, t)
        consequences = desk.consequences(t, id, upto=current.seq)
        events = consequences.events if consequences is not None else []
        sheets = _sheets(desk, t, id)
        if not events and not sheets:
            why = say("{t} has no event of the command {id} up to event {seq}", t=t, id=repr(id[:40]), seq=current.seq)
            raise Problem(404, "unknown-command", say("No such command"), why)
        lines = desk.lines(stream_of(t), events[0].seq - 1, events[-1].seq) if events else []
        by_seq = {row.seq: msgspec.Raw(row.line) for row in lines}
        written = [answers.CommandLineAnswer(e.seq, e.command, by_seq[e.seq]) for e in events]
        open = consequences.open if consequences is not None else 0
        answer = answers.CommandAnswer(t, id, current.seq, written, sheets, consequent_rulings(events), open)
        return tournament_query.answer(current, answer)


def _sheets(desk: Desk, t: str, command: str) -> list[answers.SheetLinesAnswer]:
    """Return the score sheet that a command wrote on, with the numbers of its events there."""
    lines: dict[str, list[int]] = {}
    for row in desk.log.command_lines(command, t):
        if row.stream.startswith(f"games/{t}."):
            lines.setdefault(row.stream.partition("/")[2], []).append(row.seq)
    return [answers.SheetLinesAnswer(game, numbers, f"/v1/games/{game}/sheet") for game, numbers in lines.items()]


def judge(bp: Blueprint) -> None:
    """Register the judge of positions and games outside a tournament."""

    @bp.post("/v1/judge")
    @Operation(
        "Judge positions and games",
        name="judge",
        description=(
            "Answers one question, or a list of up to the permitted number of questions, about positions and "
            "games outside a tournament. A question that cannot be answered gets an error in its place in the "
            "list."
        ),
        body=schemas.QuestionsSchema,
        answer=answers.VerdictsAnswer,
        errors=(413, 415),
        public=True,
        cost=JUDGEMENT,
    )
    def ask() -> Response:
        document = parsed()
        questions = load_body({"questions": document if isinstance(document, list) else [document]})["questions"]
        effort = Effort()
        verdicts = [judgement(question, effort, language.words) for question in questions]
        response = Response(msgspec.json.encode(verdicts if isinstance(document, list) else verdicts[0]), mimetype=JSON)
        language.mark(response)
        return response
