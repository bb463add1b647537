"""A game's file over HTTP, from another program or an electronic board: its moves as one batch."""

from collections.abc import Callable, Sequence

from flask import Blueprint, Response, request
from marshmallow import Schema, fields, validate
from msgspec import UNSET

from services.games import answers
from services.games.files import upload
from services.games.files.file_readers import FORMATS
from services.games.rules import commands as co
from services.games.sent_file import batch_of
from shared.core.events import Event
from shared.core.language.messages import say
from shared.core.terms import GAMES, Actor
from shared.desk.desk import Desk
from shared.http.commands.command_pipeline import run
from shared.http.operations import Operation
from shared.http.problems import Problem
from shared.http.reads.tournament_query import query, tournament_of
from shared.log.texts import Texts

BYTES = "application/octet-stream"


class FileQuery(Schema):
    """How a file is to be read."""

    format = fields.String(
        required=True,
        validate=validate.OneOf(tuple(FORMATS)),
        metadata={"description": "pgn of chess and xiangqi; sgf of Go, renju, gomoku; xqf, dhtmlxq, wxf; rif"},
    )
    number = fields.Integer(
        metadata={"description": "of the game in a file that holds several, from 1", "minimum": 1, "maximum": 999_999}
    )


def files(bp: Blueprint, desk: Desk) -> None:
    """The file of a whole game."""

    @bp.post("/v1/games/<g>/moves/file")
    @Operation(
        "Write the moves of a file, which is the whole game from its first move on; what it says beside the moves is kept, and "
        "its result ends the game. 200 where all of it stands on the sheet already",
        name="playFile",
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
    """The answer to a file sent to a game, of the media type that is asked for when its sender is known."""
    file: upload.FileBatch | None = None

    def make(actor: Actor, texts: Texts) -> co.PlayMoves:
        nonlocal file
        file = batch_of(desk, actor, texts, g, media())
        return file.command

    def answer(events: Sequence[Event]) -> answers.MovesWrittenAnswer:
        return answers.MovesWrittenAnswer(g, file=UNSET if file is None else file.told)

    try:
        return run(desk, GAMES, tournament_of(g), make, answer=answer)
    except Problem as problem:
        raise problem if file is None else file.placed(problem) from None
