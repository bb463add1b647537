"""The room of entries: its routes and pages."""

from flask import Blueprint

from services.pairing.entries import check_in_forms, entry_correction_forms, entry_forms, player_forms
from shared.desk.desk import Desk


def register(bp: Blueprint, desk: Desk) -> None:
    """Register what the room answers."""
    entry_forms.entries(bp, desk)
    check_in_forms.check_in(bp, desk)
    player_forms.players(bp, desk)
    entry_correction_forms.entry_corrections(bp, desk)
