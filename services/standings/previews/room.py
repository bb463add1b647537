"""The room of previews: its routes and pages."""

from flask import Blueprint

from services.standings.previews import preview_pages, preview_routes, what_if_pages
from services.standings.rules.preview import Preview
from shared.desk.desk import Desk
from shared.http.commands.previews import Previews


def register(bp: Blueprint, desk: Desk, previews: Previews[Preview]) -> None:
    """Register what the room answers."""
    preview_routes.previews(bp, desk, previews)
    preview_pages.pages(bp, desk, previews)
    what_if_pages.what_if(bp, desk)
