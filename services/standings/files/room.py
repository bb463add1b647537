"""The room of files: its routes and pages."""

from flask import Blueprint

from services.standings.files import archive_routes, file_routes
from services.standings.files.archives import Archives
from shared.audit.checkpoints.note import SignedNotes
from shared.desk.desk import Desk
from shared.http.commands import write_routes


def register(bp: Blueprint, desk: Desk, archives: Archives, notes: SignedNotes) -> None:
    """Register what the room answers."""
    file_routes.files(bp, desk)
    write_routes.register(bp, desk, file_routes.WRITES)
    archive_routes.archives(bp, desk, archives, notes)
