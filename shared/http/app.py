"""The Flask application of a service: its blueprints in an application with common routes, limits and errors."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, tzinfo
from pathlib import Path

from flask import Blueprint, Flask
from werkzeug.routing import Rule

from shared.desk.desk import SOFTWARE, Desk
from shared.http import common_routes, errors, request_cycle
from shared.http.identity.proxies import Forwarded, Network
from shared.http.identity.tokens import Keyring
from shared.http.language.catalogue import LANGUAGES, catalogue
from shared.http.language.language import TIMEZONE
from shared.http.limits.rate_limits import Buckets, Limits, Places, Slots
from shared.http.reads import shared_answers
from shared.http.requests.app_context import EXTENSION, Context, Health, Metrics


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of an app.

    - ``keys``: the folder with the public keys of tokens.
    - ``health``: the health of the log as the worker reports it.
    - ``clock``: monotonic, in seconds, for the times of allowances and for checking the folder of keys.
    - ``proxies``: networks whose ``X-Forwarded-*`` header fields are believed. Those of other senders are ignored.
    - ``timezone``: the time zone of the playing venue, in which pages show times.
    - ``any_origin``: pages of other sites may read the answers of the API that require no token.
    - ``public_people``: everyone may read all people across tournaments, not only those who have consented.
    - ``public_address``: returns the address for links that other devices open, from the one that a reader sees.
    """

    keys: Path
    limits: Limits = field(default_factory=Limits)
    version: str = SOFTWARE
    health: Health = field(default_factory=Health)
    clock: Callable[[], float] = time.monotonic
    proxies: Sequence[Network] = ()
    timezone: tzinfo = UTC
    any_origin: bool = True
    public_people: bool = False
    public_address: Callable[[str], str] = str


class RouteRule(Rule):
    """A route's rule that compiles its address builder when the first address is built.

    A server has about 400 rules and uses few of these builders. Compiling them takes three quarters of the start of an app.
    """

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
        compiled: Callable[..., tuple[str, str]] | None = None
        compile = super()._compile_builder

        def build(rule: Rule, /, **values: str) -> tuple[str, str]:
            nonlocal compiled
            if compiled is None:
                compiled = compile(append_unknown)
            return compiled(rule, **values)

        return build


def create_app(blueprints: Sequence[Blueprint], desk: Desk, settings: Settings, service: str) -> Flask:
    """Return the app of ``service`` (``arbiter`` for all four on one server) with these blueprints at its root."""
    for name in LANGUAGES:
        catalogue(name)  # a missing catalogue stops the start, not a page
    app = Flask("arbiter", static_folder=None)
    app.url_rule_class = RouteRule
    limits = settings.limits
    app.config["MAX_CONTENT_LENGTH"] = limits.body
    app.config["MAX_FORM_MEMORY_SIZE"] = limits.body
    app.config[TIMEZONE] = settings.timezone
    request_cycle.configure_compression(app)
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
        public_people=settings.public_people,
        public_address=settings.public_address,
    )
    if settings.proxies:
        app.wsgi_app = Forwarded(app.wsgi_app, settings.proxies)  # type: ignore[method-assign]
    app.before_request(request_cycle.before_request)
    app.after_request(request_cycle.after_request)
    app.teardown_request(request_cycle.teardown_request)
    errors.register(app)
    for blueprint in (common_routes.blueprint(service, desk), *blueprints):
        app.register_blueprint(blueprint)
    return app


def mount(app: Flask, service: str, blueprint: Blueprint, desk: Desk) -> None:
    """Serve one service's own routes under ``/services/<service>`` of a server that has several services."""
    under = f"/services/{service}"
    app.register_blueprint(common_routes.blueprint(service, desk, under), url_prefix=under, name=f"{service}-own-base")
    app.register_blueprint(blueprint, url_prefix=under, name=f"{service}-own")


def end_streams(app: Flask) -> None:
    """End the streams of an app and reject its commands with 503, because the process is about to end."""
    app.extensions[EXTENSION].closing.set()


def close(app: Flask, timeout: float = 8.0) -> None:
    """Close an app: decide the queued commands within ``timeout`` seconds, then close the log."""
    end_streams(app)
    context: Context = app.extensions[EXTENSION]
    for end in context.closers:
        end()
    context.desk.close(timeout)
