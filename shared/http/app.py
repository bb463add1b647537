"""The Flask application of a service: its blueprint in the application that all share."""

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, tzinfo
from pathlib import Path
from typing import Any

import uuid_utils
from flask import Blueprint, Flask, Request, Response, current_app, g, request
from flask_compress import Compress

from shared import structured_log
from shared.desk.desk import SOFTWARE, Desk
from shared.http import common_routes, errors
from shared.http.identity.proxies import Forwarded, Network
from shared.http.identity.tokens import Keyring
from shared.http.language.catalogue import LANGUAGES, catalogue
from shared.http.language.language import TIMEZONE
from shared.http.limits import rate_limits
from shared.http.limits.rate_limits import Buckets, Limits, Places, Slots
from shared.http.problems import unknown_tournament
from shared.http.reads import shared_answers
from shared.http.requests import allowances
from shared.http.requests.app_context import EXTENSION, Context, Health, Metrics, current_context
from shared.http.requests.auth import charge, session_cookie

TOURNAMENT = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
_READS = ("GET", "HEAD", "OPTIONS")
_PAGE_POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_PERMISSIONS = "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()"
"""Functions of a browser that no page uses, so that a script which came in could not use them either."""
_HSTS = "max-age=31536000"
"""A year in seconds. Subdomains are not included: they may belong to somebody else."""
_DATA_POLICY = "default-src 'none'; frame-ancestors 'none'"


@dataclass(frozen=True, slots=True)
class Settings:
    """``keys`` is the folder of the tokens' public keys; ``health`` what is known of the log beside this process.

    ``clock`` is monotonic, in seconds: it says when a caller may send again and when keys are looked at.
    ``proxies`` may say for whom they ask (``X-Forwarded-For``), and nobody else. ``timezone``: that of the hall, in which pages
    show times. ``any_origin``: pages of other sites may read what everybody may.
    """

    keys: Path
    limits: Limits = field(default_factory=Limits)
    version: str = SOFTWARE
    health: Health = field(default_factory=Health)
    clock: Callable[[], float] = time.monotonic
    proxies: Sequence[Network] = ()
    timezone: tzinfo = UTC
    any_origin: bool = True


def create_app(blueprints: Sequence[Blueprint], desk: Desk, settings: Settings, service: str) -> Flask:
    """The app of ``service`` (``arbiter`` for all four on one server) with these blueprints at its root."""
    for name in LANGUAGES:
        catalogue(name)  # one that is not there stops the start, not a page
    app = Flask("arbiter", static_folder=None)
    limits = settings.limits
    app.config["MAX_CONTENT_LENGTH"] = limits.body
    app.config["MAX_FORM_MEMORY_SIZE"] = limits.body
    app.config[TIMEZONE] = settings.timezone
    app.config.update(
        COMPRESS_ALGORITHM=["br", "gzip"],
        COMPRESS_MIMETYPES=list(COMPRESSED),
        COMPRESS_MIN_SIZE=_LEAST_BYTES,
        COMPRESS_REGISTER=False,
        COMPRESS_STREAMS=False,
    )
    app.extensions[_COMPRESS] = Compress(app)
    shared_answers.configure(app, settings.clock)
    app.extensions[EXTENSION] = Context(
        service,
        settings.version,
        desk,
        Keyring(settings.keys, settings.clock, desk.revocations),
        limits,
        Metrics(),
        Buckets("commands", limits.rate, limits.burst, settings.clock),
        Buckets("reads", limits.reads, limits.reads_burst, settings.clock),
        Places(limits.streams),
        Places(limits.waits),
        Slots(limits.replays),
        settings.health,
        any_origin=settings.any_origin,
    )
    if settings.proxies:
        app.wsgi_app = Forwarded(app.wsgi_app, settings.proxies)  # type: ignore[method-assign]
    app.before_request(_before_request)
    app.after_request(_after_request)
    app.teardown_request(_teardown_request)
    errors.register(app)
    for blueprint in (common_routes.blueprint(service, desk), *blueprints):
        app.register_blueprint(blueprint)
    return app


def mount(app: Flask, service: str, blueprint: Blueprint, desk: Desk) -> None:
    """One service's own under ``/services/<service>`` of a server that holds several."""
    under = f"/services/{service}"
    app.register_blueprint(common_routes.blueprint(service, desk, under), url_prefix=under, name=f"{service}-own-base")
    app.register_blueprint(blueprint, url_prefix=under, name=f"{service}-own")


def end_streams(app: Flask) -> None:
    """Tell an app that the process is to end: streams end, commands are refused with 503."""
    app.extensions[EXTENSION].closing.set()


def close(app: Flask, timeout: float = 8.0) -> None:
    """End an app: decide what is queued (at most ``timeout`` seconds), close the log."""
    end_streams(app)
    context: Context = app.extensions[EXTENSION]
    for end in context.closers:
        end()
    context.desk.close(timeout)


# ---------------------------------------------------------------- around each request


def _before_request() -> Response | None:
    g.started, g.cpu = time.perf_counter(), time.thread_time()
    request_id = request.headers.get("X-Request-Id", "")
    g.request_id = request_id if _REQUEST_ID.fullmatch(request_id) else str(uuid_utils.uuid7())
    t = (request.view_args or {}).get("t")
    if isinstance(t, str) and not TOURNAMENT.fullmatch(t):
        raise unknown_tournament(t[:64])
    if request.method == "OPTIONS":
        charge(1)
        return None
    return allowances.check_reader() if request.method in _READS else allowances.check_sender()


def _after_request(response: Response) -> Response:
    if "awaiting" in g:  # it is brought again, and answered then
        return response
    response.headers["X-Request-Id"] = g.get("request_id", "")
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Referrer-Policy"] = "same-origin"
    if response.mimetype == "text/html":
        response.headers["Permissions-Policy"] = _PERMISSIONS
    if request.is_secure:  # a hall without HTTPS goes on as before
        response.headers["Strict-Transport-Security"] = _HSTS
    policy = _PAGE_POLICY if response.mimetype == "text/html" else _DATA_POLICY
    response.headers.setdefault("Content-Security-Policy", policy)
    rate_limits.tell(response)
    if current_context().any_origin:
        open_to_any_origin(request, response)
    seconds = time.perf_counter() - g.get("started", time.perf_counter())
    route = request.url_rule.rule if request.url_rule is not None else "unmatched"
    current_context().metrics.answered(request.method, route, response.status_code, seconds)
    _log(route, response.status_code, seconds)
    sent = _compressed(response) if response.mimetype in COMPRESSED else response
    if "making" in g:
        shared_answers.keep_answer(sent)
    allowances.settle_after(sent)
    return sent


def _teardown_request(problem: BaseException | None) -> None:
    if g.pop("replays", False):
        current_context().replay_slots.give_back()
    if "making" in g:
        shared_answers.keep_answer(None)


def _log(route: str, status: int, seconds: float) -> None:
    entry: dict[str, Any] = {
        "service": current_context().service,
        "request": g.get("request_id"),
        "method": request.method,
        "route": route,
        "status": status,
        "ms": round(seconds * 1000, 2),
    }
    arguments = request.view_args or {}
    if "t" in arguments and TOURNAMENT.fullmatch(str(arguments["t"])):
        entry["tournament"] = arguments["t"]
    if "actor" in g:
        entry |= {"actor": g.actor.name, "role": g.actor.role, "token": g.actor.tokenid}
    if "causation" in g:
        entry["causation"] = g.causation
    if "code" in g:
        entry["problem"] = g.code
    structured_log.logger().info("request", **entry)


_METHODS = ("GET", "HEAD")
_SENT = "If-None-Match, Last-Event-ID, X-Request-Id"
"""Fields of a read that a browser asks about before it sends them; ``Authorization`` is none of them."""
_SECONDS = "86400"


def open_to_any_origin(request: Request, response: Response) -> None:
    """Let a page of any origin read the answer to a read of the API (CORS, Fetch Standard 3.2); commands never.

    Its browser is told so beforehand.

    An answer to who brought a token or a cookie is for nobody else. No other origin can send either: the answer to the
    preflight names neither, and with ``*`` a browser shows nothing that was asked for with a cookie.
    """
    route = request.url_rule
    if route is None or "/v1/" not in route.rule or "GET" not in (route.methods or ()):
        return
    if request.method == "OPTIONS":
        _answer_preflight(request, response)
    elif request.method in _METHODS and "Authorization" not in request.headers and session_cookie() is None:
        response.headers["Access-Control-Allow-Origin"] = "*"
        response.headers["Access-Control-Expose-Headers"] = "*"


def _answer_preflight(request: Request, response: Response) -> None:
    if "Origin" in request.headers and request.headers.get("Access-Control-Request-Method") in _METHODS:
        response.headers["Access-Control-Allow-Origin"] = "*"
        response.headers["Access-Control-Allow-Methods"] = ", ".join(_METHODS)
        response.headers["Access-Control-Allow-Headers"] = _SENT
        response.headers["Access-Control-Max-Age"] = _SECONDS


_COMPRESS = "compress"
COMPRESSED = ("text/html", "text/css", "text/javascript", "image/svg+xml")
"""Media that are sent compressed. JSON is not: its strong ETags name its bytes, and come back as ``If-Match``."""
_LEAST_BYTES = 1000  # a shorter answer fits into one packet as it is


def _compressed(response: Response) -> Response:
    """Return a response of one of `COMPRESSED`, compressed if its reader accepts that.

    A response that is ``no-store`` contains a secret and stays as it is: next to a text that another person chose, its
    length would reveal the secret (BREACH).
    """
    if response.cache_control.no_store:
        return response
    compress: Compress = current_app.extensions[_COMPRESS]
    return compress.after_request(response)
