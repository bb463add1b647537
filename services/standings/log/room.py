"""The room of the log: its routes and pages."""

from flask import Blueprint

from services.standings.log import line_pages, log_pages, log_routes, timeline_pages
from services.standings.rules.preview import Preview
from shared.desk.desk import Desk
from shared.http.commands.previews import Previews


def register(bp: Blueprint, desk: Desk, previews: Previews[Preview]) -> None:
    """Register what the room answers."""
    log_routes.log(bp, desk)
    log_pages.log(bp, desk)
    line_pages.lines(bp, desk, previews)
    timeline_pages.timeline(bp, desk)
