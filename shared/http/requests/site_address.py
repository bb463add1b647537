"""The address of the site in links and QR codes that other devices open."""

from flask import request

from shared.http.requests.app_context import current_context


def site_address() -> str:
    """Return the address of this site that other devices open, without a slash at its end."""
    return current_context().public_address(request.host_url).rstrip("/")
