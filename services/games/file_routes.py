"""A game's file over HTTP, from another program or an electronic board: its moves as one batch."""

from collections.abc import Callable, Sequence

from flask import Blueprint, Response, request
from marshmallow import Schema, fields, validate
from msgspec import UNSET

from services.games import answers, responses
from services.games.files import upload
from services.games.files.upload import FORMATS
from services.games.rules import commands as co
from services.games.rules.play.preconditions import game_with_sheet
from shared.core.events import Event
from shared.core.language.messages import say
from shared.core.terms import GAMES, Actor, GameId, Refusal
from shared.desk.desk import Desk
from shared.http.commands.command_pipeline import run
from shared.http.operations import Operation
from shared.http.problems import Problem, refused
from shared.http.reads.tournament_query import query, tournament_of, view
from shared.http.requests.request_parts import content
from shared.log.texts import Texts


def batch_of(desk: Desk, actor: Actor, texts: Texts, g: str, sent: upload.SentFile) -> upload.FileBatch:
    """Return the moves of a file, as a batch for this game's score sheet. Raises `Problem`."""
    current = view(desk, tournament_of(g))
    running = game_with_sheet(current.tournament, GameId(g))
    if isinstance(running, Refusal):
        raise refused(running)
    one = responses.read(desk, current, running.game)
    return upload.batch(desk, actor, texts, one, running.variant, sent)


def _number() -> int | None:
    """Return the number of the chosen game, or None if omitted. Raises `Problem` 422 if it is invalid."""
    value = request.args.get("number")
    if value is not None and not (value.isascii() and value.isdigit() and len(value) < 7 and int(value)):
        wrong = say("number must be that of a game in the file, counted from 1")
        raise Problem(422, "bad-query", say("Bad query"), wrong, errors={"number": [wrong]})
    return None if value is None else int(value)


BYTES = "application/octet-stream"


class FileQuery(Schema):
    """The format of a file, and the number of the game in it."""

    format = fields.String(
        required=True,
        validate=validate.OneOf(tuple(FORMATS)),
        metadata={
            "description": "Format of the file: `pgn` (chess, xiangqi), `sgf` (Go, renju, gomoku), "
            "`xqf`, `dhtmlxq` or `wxf` (xiangqi), `rif` (renju, gomoku)."
        },
    )
    number = fields.Integer(
        metadata={
            "description": "Number of the game in a file with several games, from 1.",
            "minimum": 1,
            "maximum": 999_999,
        }
    )


def files(bp: Blueprint, desk: Desk) -> None:
    """Register the route for the file of a whole game."""

    @bp.post("/v1/games/<g>/moves/file")
    @Operation(
        "Record the moves of a game file",
        name="playFile",
        description=(
            "The file must contain the whole game from the first move. Its comments are stored, and its result "
            "ends the game. The status is 200 if the score sheet already contains all of it."
        ),
        acts=("feed moves",),
        answer=answers.MovesWrittenAnswer,
        also={200: None},
        files=(BYTES,),
        query=FileQuery,
        status=201,
    )
    def moves_of_file(g: str) -> Response:
        return played(desk, g, _media_of_format)


def _media_of_format() -> str:
    if request.mimetype != BYTES:
        how = say("send the file as Content-Type: {media}", media=BYTES)
        raise Problem(415, "file-expected", say("A file is expected"), how)
    return FORMATS[query()["format"]]


def played(desk: Desk, g: str, media: Callable[[], str]) -> Response:
    """Return the answer to a file sent to a game. ``media`` returns its media type, after the sender is identified."""
    file: upload.FileBatch | None = None

    def make(actor: Actor, texts: Texts) -> co.PlayMoves:
        nonlocal file
        sent = upload.SentFile(media(), content(), request.mimetype_params.get("charset"), _number())
        file = batch_of(desk, actor, texts, g, sent)
        return file.command

    def answer(events: Sequence[Event]) -> answers.MovesWrittenAnswer:
        return answers.MovesWrittenAnswer(g, file=UNSET if file is None else file.told)

    try:
        return run(desk, GAMES, tournament_of(g), make, answer=answer)
    except Problem as problem:
        raise problem if file is None else file.placed(problem) from None
