"""The room of the audit: its routes and pages."""

from pathlib import Path

from flask import Blueprint

from services.standings.audit import audit_pages, audit_routes, checkpoint_routes, crossing_pages, proof_routes
from services.standings.audit.audits import Audits
from services.standings.files.archives import Archives
from shared.audit.checkpoints.note import SignedNotes
from shared.desk.desk import Desk
from shared.http.commands import write_routes


def register(bp: Blueprint, desk: Desk, notes: SignedNotes, audits: Audits, archives: Archives, verifier: Path) -> None:
    """Register what the room answers."""
    proof_routes.proofs(bp, desk)
    checkpoint_routes.checkpoints(bp, desk, notes)
    write_routes.register(bp, desk, (checkpoint_routes.restart_route(notes),))
    checkpoint_routes.tiles(bp, desk, notes)
    audit_routes.audits(bp, desk, audits)
    audit_pages.audit(bp, desk, audits)
    audit_pages.integrity(bp, desk, notes)
    audit_pages.verification(bp, desk, archives, verifier)
    crossing_pages.crossings(bp, desk, audits)
