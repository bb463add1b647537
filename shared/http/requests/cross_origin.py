"""Reads from pages of any origin (CORS, Fetch Standard 3.2): of the API, without credentials; commands never."""

from flask import Request, Response

from shared.http.requests.auth import COOKIE

_METHODS = ("GET", "HEAD")
_SENT = "If-None-Match, Last-Event-ID, X-Request-Id"
"""Fields of a read that a browser asks about before it sends them; ``Authorization`` is none of them."""
_SECONDS = "86400"


def open_to_any_origin(request: Request, response: Response) -> None:
    """Let a page of any origin read the answer to a read of the API, and tell its browser so beforehand.

    An answer to who brought a token or a cookie is for nobody else. No other origin can send either: the answer to the
    preflight names neither, and with ``*`` a browser shows nothing that was asked for with a cookie.
    """
    route = request.url_rule
    if route is None or "/v1/" not in route.rule or "GET" not in (route.methods or ()):
        return
    if request.method == "OPTIONS":
        _answer_preflight(request, response)
    elif request.method in _METHODS and "Authorization" not in request.headers and COOKIE not in request.cookies:
        response.headers["Access-Control-Allow-Origin"] = "*"
        response.headers["Access-Control-Expose-Headers"] = "*"


def _answer_preflight(request: Request, response: Response) -> None:
    if "Origin" in request.headers and request.headers.get("Access-Control-Request-Method") in _METHODS:
        response.headers["Access-Control-Allow-Origin"] = "*"
        response.headers["Access-Control-Allow-Methods"] = ", ".join(_METHODS)
        response.headers["Access-Control-Allow-Headers"] = _SENT
        response.headers["Access-Control-Max-Age"] = _SECONDS
