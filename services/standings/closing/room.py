"""The room of the end of an event: its routes and pages."""

from flask import Blueprint

from services.standings.audit.audits import Audits
from services.standings.closing import closing_pages, publication_routes
from shared.audit.checkpoints.note import SignedNotes
from shared.desk.desk import Desk


def register(bp: Blueprint, desk: Desk, audits: Audits, notes: SignedNotes) -> None:
    """Register what the room answers."""
    publication_routes.publications(bp, desk)
    closing_pages.closing(bp, desk, audits, notes)
