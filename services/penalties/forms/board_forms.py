"""The forms of a board that penalties decides: late and absent players, breaks, and games that cannot continue."""

from typing import Any

from flask import Blueprint, Response, request

from services.penalties.forms import form_readers
from services.penalties.forms.ruling_forms import row_words
from services.penalties.layout import LAYOUT
from services.penalties.readers import SIDES
from shared.core.state.entities import Arrival
from shared.core.state.outcomes import NOTATION
from shared.core.terms import Place
from shared.desk.desk import Desk
from shared.http.commands.previews import FormReader
from shared.web import previewed_form
from shared.web.board_seen import BoardSeen, board_form, board_seen
from shared.web.result_words import results_of


def boards(bp: Blueprint, desk: Desk) -> None:
    """Arrivals, breaks, and decisions on games that nobody is accused for."""

    @LAYOUT.serves(bp, form_readers.ARRIVAL.address, form=True)
    def arrival_form(t: str, n: int, b: int) -> Response:
        board = board_seen(desk, t, n, b)
        noted = {side: _noted(board, side, "seat") or _noted(board, side, "hall") for side in SIDES}

        by_turn = board.t.regulations.rulebook.lateness.counted_from == "turn"
        return _respond(desk, board, "arrival.html", form_readers.ARRIVAL, noted=noted, by_turn=by_turn)

    @LAYOUT.serves(bp, form_readers.BREAK.address, form=True)
    def break_form(t: str, n: int, b: int) -> Response:
        board = board_seen(desk, t, n, b)
        game = board.game.game

        taken = [one for side in SIDES for one in board.t.breaks_of(game, board.game.player(side))]
        return _respond(desk, board, "break.html", form_readers.BREAK, taken=taken)

    @LAYOUT.serves(bp, form_readers.GAME_DECISION.address, form=True)
    def decision_form(t: str, n: int, b: int) -> Response:
        board = board_seen(desk, t, n, b)

        rows = board.t.regulations.rulebook.decisive(board.t.announced.game)
        results = results_of(board.colours, [one for one in NOTATION if any(one in row.results for row in rows)])
        shown = [row_words(row) for row in rows]
        return _respond(desk, board, "decision.html", form_readers.GAME_DECISION, rows=shown, results=results)


def _noted(board: BoardSeen, side: Any, place: Place) -> Arrival | None:
    return board.t.arrival_of(board.game.game, board.game.player(side), place)


def _respond(desk: Desk, board: BoardSeen, template: str, reader: FormReader, **context: Any) -> Response:
    context |= {"side": request.args.get("side", ""), "action": request.path}
    form = board_form(desk, LAYOUT, reader.permit, board, template, **context)
    return previewed_form.respond(form, reader, {"t": board.t.id, "n": board.game.round, "b": board.game.board})
