"""A file of xiangqi that is sent to a game: the request as the command that it comes to."""

from typing import Any

from flask import request

from services.games.files import record_batch
from services.games.rules.play.commands import PlayMoves
from services.games.rules.play.preconditions import game_with_sheet
from shared.core.terms import Actor, GameId, Refusal
from shared.desk.desk import Desk
from shared.http.bodies import content
from shared.http.problems import refused
from shared.http.tournament_query import tournament_of, view


def record_of(desk: Desk, actor: Actor, g: str, told: dict[str, Any]) -> PlayMoves:
    """The moves of a file, from its position on; ``told`` gets what the answer says of it."""
    running = game_with_sheet(view(desk, tournament_of(g)).tournament, GameId(g))
    if isinstance(running, Refusal):
        raise refused(running)
    charset = request.mimetype_params.get("charset")
    command, more = record_batch.batch(actor, GameId(g), running.variant, request.mimetype, content(), charset)
    told.update(more)
    return command
