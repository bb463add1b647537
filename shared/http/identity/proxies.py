"""Who asked, where a proxy asks for others: ``X-Forwarded-*`` counts from configured proxies, and from nobody else."""

from collections.abc import Callable, Iterable, Sequence
from ipaddress import IPv4Network, IPv6Network, ip_address
from typing import Any

from werkzeug.middleware.proxy_fix import ProxyFix

Network = IPv4Network | IPv6Network
_FORWARDED = ("HTTP_FORWARDED", "HTTP_X_FORWARDED_FOR", "HTTP_X_FORWARDED_PROTO", "HTTP_X_FORWARDED_HOST")


class Forwarded:
    """A WSGI app for which the last configured proxy says who asked, by which scheme and for which host."""

    def __init__(self, app: Callable[..., Iterable[bytes]], proxies: Sequence[Network]) -> None:
        self._app, self._proxies = app, proxies
        self._told = ProxyFix(app, x_for=1, x_proto=1, x_host=1)

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        if self._is_proxy(environ.get("REMOTE_ADDR", "")):
            return self._told(environ, start_response)
        for name in _FORWARDED:
            environ.pop(name, None)
        return self._app(environ, start_response)

    def _is_proxy(self, address: str) -> bool:
        try:
            ip = ip_address(address)
        except ValueError:  # a socket of this machine has none
            return False
        return any(ip in network for network in self._proxies)
