"""The room of webhooks: its routes and pages."""

from collections.abc import Sequence

from flask import Blueprint

from services.standings.webhooks import webhook_pages, webhook_routes
from shared.desk.desk import Desk
from shared.http.identity.proxies import Network


def register(bp: Blueprint, desk: Desk, webhook_networks: Sequence[Network]) -> None:
    """Register what the room answers."""
    webhook_routes.webhooks(bp, desk, webhook_networks)
    webhook_pages.webhook_pages(bp, desk, webhook_networks)
