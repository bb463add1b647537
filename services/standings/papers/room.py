"""The room of papers: its routes and pages."""

from flask import Blueprint

from services.standings.papers import paper_pages
from shared.desk.desk import Desk


def register(bp: Blueprint, desk: Desk) -> None:
    """Register what the room answers."""
    paper_pages.papers(bp, desk)
