"""The games service: its routes and pages on a desk."""

from flask import Blueprint

from services.games import file_routes, player_statements, read_routes, result_list, routes
from services.games.forms import board_forms, player_forms, result_forms, sheet_forms
from services.games.pages import game_pages as pages
from shared.desk.desk import Desk
from shared.http.commands import write_routes


def blueprint(desk: Desk) -> Blueprint:
    """All routes and pages of the service, as in its README."""
    bp = Blueprint("games", __name__)
    write_routes.register(bp, desk, (*routes.WRITES, *routes.PLAY, player_statements.STATEMENT, player_statements.CALL))
    routes.moves(bp, desk)
    file_routes.files(bp, desk)
    read_routes.reads(bp, desk)
    result_list.results(bp, desk)
    read_routes.sheets(bp, desk)
    read_routes.broadcast(bp, desk)
    read_routes.commands(bp, desk)
    read_routes.judge(bp)
    pages.games(bp, desk)
    result_forms.results(bp, desk)
    board_forms.boards(bp, desk)
    sheet_forms.sheets(bp, desk)
    player_forms.own_board(bp, desk)
    player_forms.calls(bp, desk)
    return bp
