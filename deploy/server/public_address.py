"""The address at which other devices reach the server: the operator's, or that of this machine in its network."""

import socket
from collections.abc import Iterator
from contextlib import closing, suppress
from urllib.parse import urlsplit

from shared.http.addresses import is_only_here

_EVERYWHERE = ("0.0.0.0", "::", "")  # noqa: S104  (compared, not listened at)
"""Hosts by which a server listens at all addresses of its machine."""
_DOCUMENTATION = ("192.0.2.1", 9)
"""An address that no machine has (RFC 5737). No packet is sent to it: it selects the network card of the route."""


def public_address(named: str, host: str | None, seen: str) -> str:
    """Return the address for links and QR codes that other devices open, without a slash at its end.

    ``named``: the address that the operator set, or an empty text. ``host``: the one at which the server listens, or None if a
    gateway is in front of it. ``seen``: the address by which the reader of a page reached the server. If that is the machine
    itself, and the server listens at all addresses, it is replaced by the machine's address in its network.
    """
    if named:
        return named.rstrip("/")
    if not is_only_here(seen):
        return seen.rstrip("/")
    parts = urlsplit(seen)
    port = f":{parts.port}" if parts.port else ""
    own = next(_own_addresses(), None) if host in _EVERYWHERE else None
    if own is None:
        own = "127.0.0.1" if parts.hostname in _EVERYWHERE else parts.netloc.removesuffix(port)
    return f"{parts.scheme}://{own}{port}"


def _own_addresses() -> Iterator[str]:
    """Yield the IPv4 addresses of this machine that other machines can reach, the one of the default route first."""
    with suppress(OSError), closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as one:
        one.connect(_DOCUMENTATION)
        found = one.getsockname()[0]
        if not found.startswith(("127.", "0.")):
            yield found
    with suppress(OSError):
        yield from (at for at in socket.gethostbyname_ex(socket.gethostname())[2] if not at.startswith("127."))
