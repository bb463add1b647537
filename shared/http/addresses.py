"""The beginnings of addresses under which all services answer, and whether other devices can open an address."""

from ipaddress import ip_address
from urllib.parse import urlsplit

T = "/v1/tournaments/<t>"
G = "/v1/games/<g>"


def is_only_here(address: str) -> bool:
    """Return whether an address leads to the machine itself, so that no other device can open it."""
    host = urlsplit(address).hostname or ""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        at = ip_address(host)
    except ValueError:
        return False
    return at.is_loopback or at.is_unspecified
