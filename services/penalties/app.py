"""The penalties service: its routes on a desk."""

from flask import Blueprint

from services.penalties import routes
from services.penalties.forms import appeal_forms, board_forms, crossing_forms, ruling_forms
from services.penalties.hall import hall_routes
from services.penalties.layout import LAYOUT
from shared.desk.desk import Desk
from shared.http.commands import write_routes

WRITES = (*routes.WRITES, *hall_routes.WRITES)
"""The commands that can be previewed with those of other services."""


def blueprint(desk: Desk) -> Blueprint:
    """All routes of the service, as in its README."""
    bp = Blueprint("penalties", __name__)
    LAYOUT.serve_problems(bp)
    write_routes.register(bp, desk, (*WRITES, routes.CROSSING))
    routes.reads(bp, desk)
    hall_routes.reads(bp, desk)
    board_forms.boards(bp, desk)
    crossing_forms.crossings(bp, desk)
    ruling_forms.rulings(bp, desk)
    appeal_forms.appeals(bp, desk)
    return bp
