"""The room of tables: its routes and pages."""

from flask import Blueprint

from services.standings.tables import (
    csv_pages,
    player_pages,
    prize_pages,
    table_pages,
    table_routes,
    team_pages,
    team_routes,
)
from shared.desk.desk import Desk


def register(bp: Blueprint, desk: Desk) -> None:
    """Register what the room answers."""
    table_routes.tables(bp, desk)
    team_routes.teams(bp, desk)
    table_pages.tables(bp, desk)
    csv_pages.tables_as_files(bp, desk)
    prize_pages.prize_lists(bp, desk)
    player_pages.players(bp, desk)
    team_pages.teams(bp, desk)
