"""The file that a request sends, as the batch of moves that it is to a game's sheet."""

from flask import request

from services.games import responses
from services.games.files import upload
from services.games.rules.play.preconditions import game_with_sheet
from shared.core.language.messages import say
from shared.core.terms import Actor, GameId, Refusal
from shared.desk.desk import Desk
from shared.http.problems import Problem, refused
from shared.http.reads.tournament_query import tournament_of, view
from shared.http.requests.bodies import content
from shared.log.texts import Texts


def batch_of(desk: Desk, actor: Actor, texts: Texts, g: str, media: str) -> upload.FileBatch:
    """The moves of a file of this media type, as the batch that it is to this game's sheet."""
    current = view(desk, tournament_of(g))
    running = game_with_sheet(current.tournament, GameId(g))
    if isinstance(running, Refusal):
        raise refused(running)
    sent = upload.SentFile(media, content(), request.mimetype_params.get("charset"), _number())
    one = responses.read(desk, current, running.game)
    return upload.batch(desk, actor, texts, one, running.variant, sent)


def _number() -> int | None:
    """The number of the game that is meant. Raises `Problem` 422 for what is none."""
    value = request.args.get("number")
    if value is not None and not (value.isascii() and value.isdigit() and len(value) < 7 and int(value)):
        wrong = say("number is one of the games in the file, from 1")
        raise Problem(422, "bad-query", say("Bad query"), wrong, errors={"number": [wrong]})
    return None if value is None else int(value)
