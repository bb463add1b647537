"""The room of rounds: its routes and pages."""

from flask import Blueprint

from services.pairing.rounds import play_off_forms, round_forms, round_routes, upholding_forms
from shared.desk.desk import Desk
from shared.http.commands import write_routes


def register(bp: Blueprint, desk: Desk) -> None:
    """Register what the room answers."""
    write_routes.register(bp, desk, round_routes.WRITES)
    round_routes.rounds(bp, desk)
    round_forms.rounds(bp, desk)
    upholding_forms.upholdings(bp, desk)
    play_off_forms.play_offs(bp, desk)
