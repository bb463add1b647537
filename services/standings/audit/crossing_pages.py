"""The page of crossings: what two desks decided at once, until the chief arbiter has noted it."""

from flask import Blueprint, Response

from services.standings.audit.audits import Audits
from services.standings.page_context import LAYOUT, page_context
from shared.audit.progress import Progress
from shared.desk.desk import Desk
from shared.http.operations import AUDIT


def crossings(bp: Blueprint, desk: Desk, audits: Audits) -> None:
    """The page; it is found by an audit, so that the desk of a round only leads to it."""

    @LAYOUT.serves(bp, "/t/<t>/crossings", cost=AUDIT)
    def crossings_page(t: str) -> Response:
        page = page_context(desk, t)
        found = audits.look(page.state.id)
        crossings = None if isinstance(found, Progress) else found.crossings
        return page.render("crossings.html", crossings=crossings)
