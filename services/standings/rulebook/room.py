"""The room of the rulebook: its routes and pages."""

from flask import Blueprint

from services.standings.rulebook import office_pages, regulation_pages, role_pages, ruling_pages
from shared.desk.desk import Desk


def register(bp: Blueprint, desk: Desk) -> None:
    """Register what the room answers."""
    office_pages.office(bp, desk)
    ruling_pages.rulings(bp, desk)
    role_pages.roles(bp, desk)
    regulation_pages.rulebooks(bp, desk)
