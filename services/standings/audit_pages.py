"""What an auditor reads in a browser: the audit of a log, its integrity, and how to verify it without this server."""

from flask import Blueprint, Response

from services.standings.audits import STAGES, Audits
from services.standings.page_context import LAYOUT, page_context
from shared.audit.progress import Progress
from shared.desk.desk import Desk
from shared.http.operations import AUDIT, Operation

SHOWN = 500
"""Findings that the page of an audit lists; the audit as JSON has them all."""


def audit(bp: Blueprint, desk: Desk, audits: Audits) -> None:
    """The page of the audit; until that is made, it says how far it is."""

    @bp.get("/t/<t>/audit")
    @Operation(cost=AUDIT)
    @LAYOUT.with_problem_page
    def audit_page(t: str) -> Response:
        page = page_context(desk, t)
        found = audits.look(page.state.id)
        if isinstance(found, Progress):
            return page.render("audit.html", report=None, progress=found, stage=STAGES[found.stage])
        return page.render("audit.html", report=found, shown=SHOWN)
