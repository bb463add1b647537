"""The room of entries: its routes and pages."""

from flask import Blueprint

from services.pairing.entries import check_in_forms, entry_correction_forms, entry_forms, player_forms
from services.pairing.entries.entry_file import PlayersOfFile
from shared.desk.desk import Desk


def register(bp: Blueprint, desk: Desk, players_of_file: PlayersOfFile) -> None:
    """Register what the room answers."""
    entry_forms.entries(bp, desk, players_of_file)
    check_in_forms.check_in(bp, desk)
    player_forms.players(bp, desk)
    entry_correction_forms.entry_corrections(bp, desk)
