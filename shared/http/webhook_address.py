"""Where webhooks are sent: public addresses over https, resolved once for each connection."""

import socket
from collections.abc import Callable, Sequence
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from shared.core.language.messages import Message, message_of, say
from shared.http.identity.proxies import Network

LONGEST = 2000
RECEIVER_SECONDS = 15.0
"""Time in seconds that a receiver has to accept the connection and to respond."""
_HTTPS, _UNPRIVILEGED = 443, 1024
_NAT64 = IPv6Address("64:ff9b::"), 96
_V4_BITS = 32
_PRIVATE = tuple(
    ip_network(text)
    for text in (
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
        "224.0.0.0/3", "2001::/23", "2001:db8::/32", "3fff::/20",
    )
)  # fmt: skip
"""Networks that are not public: IANA's special-purpose registries of IPv4 and IPv6 (RFC 6890, as of 2026), and multicast.

The table is the project's own, because that of `ipaddress` depends on the version of Python. It refuses a few anycast
addresses in 192.0.0.0/24 and 2001::/23 that are public: no webhook is received there.
"""
_UNICAST = IPv6Network("2000::/3")
"""What of IPv6 is assigned to the public Internet (RFC 4291)."""

Address = IPv4Address | IPv6Address
Resolve = Callable[[str, int], Sequence[str]]
"""The addresses of a name, in the order in which they are to be taken."""


class BadAddress(ValueError):
    """An address that nothing is sent to; its argument is the message that says why."""

    @property
    def why(self) -> Message:
        return message_of(self)


class Target(NamedTuple):
    """Host and port to connect to, and what is asked for there."""

    host: str
    port: int
    path: str


def target_of(url: str, allowed: Sequence[Network] = ()) -> Target:
    """Return the parts of a URL, without name resolution.

    Raises `BadAddress` for another scheme than https, a user or fragment, a port of another service, or an address (in any
    notation that a resolver reads) that is not public.
    """
    if len(url) > LONGEST or not url.isascii() or any(c <= " " or c in '\x7f"<>\\^`{|}' for c in url):
        raise BadAddress(
            say(
                "must be a URL of at most {most} visible ASCII characters; write other host names as xn--", most=LONGEST
            )
        )
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, _HTTPS if parts.port is None else parts.port
    except ValueError:
        raise BadAddress(say("not a URL")) from None
    if parts.scheme != "https" or not host:
        raise BadAddress(say("webhooks are sent to https:// addresses only"))
    if "@" in parts.netloc or "#" in url:
        raise BadAddress(say("the address must not contain a user name, a password or a fragment"))
    if port != _HTTPS and port < _UNPRIVILEGED:
        raise BadAddress(say("port {port} is not allowed: use 443, or 1024 and above", port=port))
    literal = _literal(host)
    if literal is not None:
        check_public(literal, allowed)
    path = parts.path or "/"
    return Target(host, port, f"{path}?{parts.query}" if parts.query else path)


def resolved(target: Target, allowed: Sequence[Network] = (), resolve: Resolve | None = None) -> str:
    """The address to connect to: the first of the host's, all of which must be public or in the networks that are allowed.

    The caller connects to it without another resolution, so a name that changes its address has no effect. Raises `BadAddress`.
    """
    try:
        found = [ip_address(one) for one in (resolve or _ask)(target.host, target.port)]
    except (OSError, UnicodeError):
        found = []
    if not found:
        raise BadAddress(say("the host name {host} cannot be resolved", host=target.host))
    for address in found:
        check_public(address, allowed)
    return str(found[0])


def check_public(address: Address, allowed: Sequence[Network] = ()) -> None:
    """Raises `BadAddress` for an address that is not public, nor in a network that is allowed; one of IPv6 that leads to one
    of IPv4 is as public as that."""
    inner = _inner(address)
    if any(one.version == network.version and one in network for one in (address, inner) for network in allowed):
        return
    if not all(_is_public(one) for one in (address, inner)):
        raise BadAddress(say("{address} is not a public address", address=str(address)))


def _is_public(address: Address) -> bool:
    if isinstance(address, IPv6Address) and address != _inner(address):
        return True  # the one inside is asked
    if isinstance(address, IPv6Address) and address not in _UNICAST:
        return False
    return not any(address.version == network.version and address in network for network in _PRIVATE)


def _inner(address: Address) -> Address:
    """The IPv4 address that one of IPv6 stands for (mapped, 6to4, Teredo, NAT64); else itself."""
    if isinstance(address, IPv4Address):
        return address
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address.sixtofour is not None:
        return address.sixtofour
    if address.teredo is not None:
        return address.teredo[1]
    prefix, length = _NAT64
    if int(address) >> (128 - length) == int(prefix) >> (128 - length):
        return IPv4Address(int(address) & ((1 << _V4_BITS) - 1))
    return address


def _literal(host: str) -> Address | None:
    """Return the address that a host is written as, or None for a name.

    Resolvers also read ``127.1``, ``0x7f000001``, ``2130706433`` and ``127.0.0.1.``.
    """
    host = host.removesuffix(".")
    try:
        return ip_address(host)
    except ValueError:
        pass
    try:
        return IPv4Address(socket.inet_aton(host))
    except (OSError, ValueError):
        return None


def _ask(host: str, port: int) -> list[str]:
    found: list[Any] = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(one[4][0]) for one in found]
