"""The room of announcements and regulations: its routes and pages."""

from flask import Blueprint

from services.pairing.announcement import announcement_forms, regulation_routes
from services.pairing.announcement.tiebreak_codes import TieBreakCodes
from shared.desk.desk import Desk


def register(bp: Blueprint, desk: Desk, tiebreaks: TieBreakCodes, house: str) -> None:
    """Register what the room answers."""
    announcement_forms.announcements(bp, desk, tiebreaks, house)
    regulation_routes.sets(bp)
