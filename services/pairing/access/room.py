"""The room of access: officials, tokens, invitations and sessions: its routes and pages."""

from flask import Blueprint

from services.pairing.access import (
    invitation_pages,
    invitation_routes,
    login_pages,
    official_forms,
    session_pages,
    token_routes,
)
from services.pairing.access.invitations import Issue
from shared.desk.desk import Desk


def register(bp: Blueprint, desk: Desk, issue: Issue) -> None:
    """Register what the room answers."""
    official_forms.officials(bp, desk)
    token_routes.tokens(bp)
    invitation_routes.invitations(bp, desk)
    login_pages.logins(bp, desk)
    invitation_pages.invitations(bp, desk, issue)
    session_pages.sessions(bp, desk)
