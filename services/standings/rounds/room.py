"""The room of rounds: its routes and pages."""

from flask import Blueprint

from services.standings.rounds import live_pages, round_pages, tournament_pages
from services.standings.rounds.open_crossings import OpenCrossings
from shared.desk.desk import Desk


def register(bp: Blueprint, desk: Desk, crossings: OpenCrossings) -> None:
    """Register what the room answers."""
    tournament_pages.front(bp, desk)
    tournament_pages.tournament(bp, desk, crossings)
    round_pages.rounds(bp, desk, crossings)
    live_pages.live(bp, desk)
