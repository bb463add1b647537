"""The room of teams: its routes and pages."""

from flask import Blueprint

from services.pairing.teams import team_forms, team_routes
from shared.desk.desk import Desk
from shared.http.commands import write_routes


def register(bp: Blueprint, desk: Desk) -> None:
    """Register what the room answers."""
    team_forms.teams(bp, desk)
    write_routes.register(bp, desk, team_routes.WRITES)
