"""The list of results over HTTP: those that count now, of games whose pairings are in force."""

from collections.abc import Sequence
from typing import Annotated

from flask import Blueprint, Response

from services.games.answers import GameResultAnswer
from services.games.responses import result
from shared.core.state.entities import Game
from shared.core.state.tournament import Tournament
from shared.desk.desk import Desk
from shared.http.addresses import T
from shared.http.answers import TournamentListAnswer
from shared.http.operations import Operation
from shared.http.reads import paging, tournament_query
from shared.wire.answer import answer_of, said

QUERY = (
    tournament_query.POINT
    | paging.QUERY
    | {
        "round": "Return only results of this round.",
        "player": "Return only results of this player's games.",
    }
)


class ListedResultAnswer(GameResultAnswer):
    """The result of a game that counts now. ``seq``: the event that sets it."""

    game: str
    round: int
    board: int
    white_player: Annotated[int, said(description="Player on the first seat.")]
    black_player: Annotated[int, said(description="Player on the second seat.")]


class ResultsAnswer(TournamentListAnswer):
    """A page of the results, by pairing and board."""

    results: Annotated[Sequence[ListedResultAnswer], said(description="Results.")]


def results(bp: Blueprint, desk: Desk) -> None:
    """Register the route that lists results."""

    @bp.get(f"{T}/results")
    @Operation(
        "List results",
        name="listResults",
        description=(
            "Returns the results that count now, by round and board. A ruling, a correction or a forfeit replaces the reported "
            "result. Games without a result are omitted. `points` are points, not half-points."
        ),
        answer=ResultsAnswer,
        query=QUERY,
    )
    def list_results(t: str) -> Response:
        view = tournament_query.view(desk, t)
        round, player = tournament_query.number("round", 1), tournament_query.number("player", 1)
        games = sorted(view.state.games_in_force(), key=lambda game: (game.round, game.pairing, game.board))
        chosen = (
            (place, row)
            for place, game in enumerate(games, 1)
            if round in (None, game.round) and player in (None, game.white, game.black)
            if (row := _row(view.tournament, game)) is not None
        )
        return paging.page(view, ResultsAnswer, chosen)


def _row(t: Tournament, game: Game) -> ListedResultAnswer | None:
    found = result(t, game)
    if found is None:
        return None
    seats = {"white_player": game.white, "black_player": game.black}
    return answer_of(ListedResultAnswer, found, game=game.game, round=game.round, board=game.board, **seats)
