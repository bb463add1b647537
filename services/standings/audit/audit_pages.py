"""What an auditor reads in a browser: the audit of a log, its integrity, and how to verify it without this server."""

from collections.abc import Sequence
from pathlib import Path

from flask import Blueprint, Response, request

from services.standings import queries
from services.standings.audit.audits import STAGES, Audits, cosigned, signatures
from services.standings.descriptions import integrity_words
from services.standings.files.archive.contents import service_keys
from services.standings.files.archive_routes import Archives
from services.standings.page_context import LAYOUT, page_context
from shared.audit.checkpoints.note import BadCheckpoint, SignedNotes
from shared.audit.report import Progress
from shared.audit.report_answer import FindingAnswer
from shared.core.language.messages import message_of
from shared.desk.desk import Desk
from shared.desk.log_checkpoint import signed_checkpoint
from shared.desk.signer_port import NotSigned
from shared.http.operations import AUDIT, TABLE, WHOLE_LOG, Operation

SHOWN = 500
"""Findings that the page of an audit lists; the audit as JSON has them all."""


def audit(bp: Blueprint, desk: Desk, audits: Audits) -> None:
    """Serve the page of the audit, and its progress until it is made."""

    @LAYOUT.serves(bp, "/t/<t>/audit", cost=AUDIT)
    def audit_page(t: str) -> Response:
        page = page_context(desk, t)
        found = audits.look(page.state.id)
        if isinstance(found, Progress):
            return page.render("audit.html", report=None, progress=found, stage=STAGES[found.stage])
        first, later = _without_later_roots(found.found)
        return page.render("audit.html", report=found, found=first, roots=later, shown=SHOWN)


def _without_later_roots(found: Sequence[FindingAnswer]) -> tuple[list[FindingAnswer], list[FindingAnswer]]:
    """Return the findings of their own, and the roots after the first that does not fit, which follow from it."""
    roots = [one for one in found if one.kind == "root"]
    return [one for one in found if one.kind != "root" or one is roots[0]], roots[1:]


def integrity(bp: Blueprint, desk: Desk, notes: SignedNotes) -> None:
    """How the log is kept, and what was done by right and should be looked at all the same."""

    @LAYOUT.serves(bp, "/t/<t>/integrity", cost=WHOLE_LOG)
    def integrity_page(t: str) -> Response:
        page = page_context(desk, t)
        listed = queries.integrity(desk, page.tournament)
        kept = [signatures(page.state), cosigned(page.state, notes)]
        return page.render(
            "integrity.html",
            kept=kept,
            lost=len(listed.texts),
            listed=integrity_words.told(page.view.tournament, listed),
        )


def verification(bp: Blueprint, desk: Desk, archives: Archives, verifier: Path) -> None:
    """How to verify an event without this server, and the page that does it, which is saved and opened from the disk: over
    plain HTTP a browser computes no signature."""

    @LAYOUT.serves(bp, "/t/<t>/verify", cost=TABLE)
    def verify_page(t: str) -> Response:
        page = page_context(desk, t)
        checkpoint, refused = "", None
        try:
            checkpoint = signed_checkpoint(desk, page.view)
        except (NotSigned, BadCheckpoint) as problem:
            refused = message_of(problem)
        return page.render(
            "verify.html",
            checkpoint=checkpoint,
            refused=refused,
            house=archives.house(),
            services=service_keys(page.state).decode(),
            origin=request.url_root.rstrip("/"),
        )

    @bp.get("/verify.html")
    @Operation()
    def verifier_page() -> Response:
        response = Response(verifier.read_bytes(), content_type="text/html; charset=utf-8")
        response.headers["Content-Disposition"] = 'attachment; filename="verify.html"'
        response.headers["Cache-Control"] = "no-cache"
        return response


def crossings(bp: Blueprint, desk: Desk, audits: Audits) -> None:
    """Serve the page; it is found by an audit, so that the desk of a round only leads to it."""

    @LAYOUT.serves(bp, "/t/<t>/crossings", cost=AUDIT)
    def crossings_page(t: str) -> Response:
        page = page_context(desk, t)
        found = audits.look(page.state.id)
        crossings = None if isinstance(found, Progress) else found.crossings
        return page.render("crossings.html", crossings=crossings)
