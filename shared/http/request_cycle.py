"""The cycle of each request: allowances before it is answered, header fields and the log after it."""

import re
import time
from collections.abc import Iterable
from http import HTTPStatus
from typing import Any, cast

import uuid_utils
from flask import Flask, Request, Response, current_app, g, request
from flask_compress import Compress

from shared import structured_log
from shared.core.language.messages import Message, say
from shared.desk.computations.child_process import children_time
from shared.http.limits import rate_limits
from shared.http.limits.rate_limits import Buckets
from shared.http.limits.turns import NAMED, QUEUES, TURN, Queued, Turn, Unnamed
from shared.http.operations import AUDIT
from shared.http.problems import Problem, no_token, too_many, unavailable, unknown_tournament
from shared.http.reads import shared_answers
from shared.http.reads.stream import Stream
from shared.http.requests import waits
from shared.http.requests.app_context import current_context, current_operation
from shared.http.requests.auth import TOO_MUCH, charge, identity, reader_name, refuse_reader, session_cookie, visitor
from shared.http.requests.request_parts import read_traceparent, refuse_unknown_parameters
from shared.log.port import TRACE_HEADER

TOURNAMENT = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
_READS = ("GET", "HEAD", "OPTIONS")
_SOURCES = {"style-src": "'self'", "script-src": "'self'", "img-src": "'self' data:", "font-src": "'self'"}
_TARGETS = {"connect-src": "'self'", "form-action": "'self'", "base-uri": "'none'", "frame-ancestors": "'none'"}
_PAGE_POLICY = "; ".join(f"{name} {value}" for name, value in ({"default-src": "'none'"} | _SOURCES | _TARGETS).items())
_PERMISSIONS = "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()"
"""Functions of a browser that no page uses. An injected script cannot use them either."""
_HSTS = "max-age=31536000"
"""A year in seconds. Subdomains are not included: they may belong to somebody else."""
_DATA_POLICY = "default-src 'none'; frame-ancestors 'none'"
_PAST, _PAST_COST = frozenset(("at", "without", "to")), 20
"""Arguments that select a past or hypothetical state, and the cost of computing it from the log."""
_TOO_MANY = say("this caller has sent too many commands: wait, then send again")
_COMMAND_MILLISECONDS = 2.0
"""CPU time of a request thread that one command of an allowance stands for. The writer's time is not counted."""
_TURN_SECONDS = 2
"""Seconds after which a reader whose turn did not come may ask again."""


def before_request() -> Response | None:
    g.started, g.cpu = time.perf_counter(), time.thread_time()
    request_id = request.headers.get("X-Request-Id", "")
    g.request_id = request_id if _REQUEST_ID.fullmatch(request_id) else str(uuid_utils.uuid7())
    g.traceparent = read_traceparent(request.headers.get(TRACE_HEADER))
    if NAMED in request.environ and visitor() is None:
        return _brought_again(Unnamed(reader_name()))
    t = (request.view_args or {}).get("t")
    if isinstance(t, str) and not TOURNAMENT.fullmatch(t):
        raise unknown_tournament(t[:64])
    if request.method == "OPTIONS":
        charge(1)
        return None
    answered = _check_reader() if request.method in _READS else _check_sender()
    if answered is None:
        refuse_reader(request.view_args or {})
    return answered


def after_request(response: Response) -> Response:
    if "awaiting" in g:  # the server sends it again later
        return response
    response.headers["X-Request-Id"] = g.get("request_id", "")
    response.headers.update({"X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin"})
    if response.mimetype == "text/html":
        response.headers["Permissions-Policy"] = _PERMISSIONS
    if request.is_secure:  # a venue without HTTPS works as before
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
    _settle_after(sent)
    return sent


def teardown_request(problem: BaseException | None) -> None:
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
    entry |= {name: g.get(name) for name in ("traceparent", "causation") if g.get(name)}
    if "code" in g:
        entry["problem"] = g.code
    structured_log.logger().info("request", **entry)


_METHODS = ("GET", "HEAD")
_SENT = "If-None-Match, Last-Event-ID, X-Request-Id"
"""Header fields that a page of another origin may send with a read. ``Authorization`` is not one of them."""


def open_to_any_origin(request: Request, response: Response) -> None:
    """Let a page of any origin read the answer to a read of the API (CORS, Fetch Standard 3.2), but never send commands.

    An answer to a token or a cookie is not shared. No other origin can send either: the answer to the preflight names neither,
    and with ``*`` a browser hides what was requested with a cookie.
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
        response.headers["Access-Control-Max-Age"] = "86400"


def _check_reader() -> Response | None:
    """Take what a read costs from its reader's allowance, and let it wait for an event, a turn or a free place.

    A token has an allowance of its own; readers without one share that of their address. An answer that
    others got a moment ago costs nearly nothing. Past states are made a few at a time, to leave threads for everything else.
    """
    past = not _PAST.isdisjoint(request.args)
    known = None if past else shared_answers.shared_answer()
    cost = current_operation().cost + _PAST_COST * past if known is None else 1
    again = waits.has_waited() or TURN in request.environ
    if current_operation().cost:
        _charge(current_context().reads, reader_name(), cost, 1, TOO_MUCH, paid=again)
    awaited = None if TURN in request.environ else waits.awaiting()
    if awaited is not None:
        return _brought_again(awaited)
    if known is None and (made := _in_turn(cost)) is not None:
        return made
    if current_operation().cost and past:
        if not current_context().replay_slots.take():
            raise unavailable(
                "replays-full",
                say("this service is already computing as many past states as it allows: try again later"),
            )
        g.replays = True
    return known


def _check_sender() -> Response | None:
    """Check a caller's rate before the command is read, then whether there is an identity, unless it is a public question."""
    try:
        sender, bad = identity(), None
    except Problem as problem:
        sender, bad = None, problem
    name = reader_name()  # an invalid token has no bucket of its own: its sender uses that of the address
    context, declared = current_context(), current_operation()
    again = TURN in request.environ
    if declared.public or declared.cost > 1:
        rate_limits.take(context.buckets, name, not again, _TOO_MANY)
        _charge(context.reads, name, declared.cost, 1, _TOO_MANY, paid=again)
    else:
        _charge(context.buckets, name, 1, _COMMAND_MILLISECONDS, _TOO_MANY)
    if declared.public:
        return _in_turn(declared.cost)
    if request.url_rule is not None and "/v1/" in request.url_rule.rule:
        if sender is None:
            raise bad or no_token()
        refuse_unknown_parameters()
    return None


def _charge(
    buckets: Buckets, name: str, cost: float, milliseconds: float, refusal: Message, *, paid: bool = False
) -> None:
    """Take the declared cost of a request, in units of ``milliseconds`` of CPU; `_settle_after` takes the rest afterwards.

    A request that the server sends again has ``paid`` already.
    """
    g.charged = buckets, name, cost, milliseconds
    if visitor() is None:
        g.children = children_time()
    rate_limits.take(buckets, name, 0 if paid else cost, refusal)


def _in_turn(cost: float) -> Response | None:
    """Let a request without a token wait for its turn if its answer is expensive, and then return the child's answer.

    Return None if this thread makes the answer: for a token, and in its turn if the declared ``cost`` is that of a cheap
    answer. Audits have a child process and places of their own. Raises `Problem` 429 if the turn did not come.
    """
    turn, context = request.environ.get(TURN), current_context()
    if not cost or current_operation().cost >= AUDIT or visitor() is not None:
        return None
    if turn is Turn.MISSED:
        raise too_many(
            say("too many expensive requests are waiting for this server: try again later"),
            _TURN_SECONDS,
        )
    if turn is None and QUEUES in request.environ and context.costs.is_expensive(_cost_key()):
        return _brought_again(Queued(reader_name()))
    return context.ask_child() if turn is Turn.TAKEN and cost > 1 else None


class _Unanswered(Response):
    """A response whose body the server reads, also for HEAD: it answers the request later."""

    def get_app_iter(self, environ: dict[str, Any]) -> Iterable[bytes]:
        return cast("Iterable[bytes]", self.response)


def _brought_again(body: waits.Awaiting | Queued) -> Response:
    g.awaiting = True
    return _Unanswered(body, 503, direct_passthrough=True)


def _cost_key() -> tuple[str, str]:
    arguments = request.view_args or {}
    return request.endpoint or "", str(arguments.get("t", arguments.get("g", ""))).split(".", 1)[0]


def _settle_after(response: Response) -> None:
    """Take the CPU time that an answer used beyond its declared cost, after its body was made.

    Readers without a token pay for child processes too.
    """
    context, key, turn = current_context(), _cost_key(), request.environ.get(TURN)
    began, charged = g.get("cpu", 0.0), g.get("charged")
    children = children_time() - g.children if "children" in g else 0.0
    made = response.status_code == HTTPStatus.OK  # a refusal says nothing about the cost of an answer

    def settle() -> None:
        used = (time.thread_time() - began + children) * 1000
        if made:
            context.costs.note(key, used, turn)
        if charged is not None:
            buckets, name, cost, milliseconds = charged
            buckets.settle(name, used / milliseconds - cost)

    if isinstance(response.response, Stream):  # another thread continues it, for all its readers together
        settle()
    else:
        response.call_on_close(settle)


_COMPRESS = "compress"
COMPRESSED = ("text/html", "text/css", "text/javascript", "image/svg+xml")
"""Media that are sent compressed. JSON is not: its strong ETags name its bytes, and come back as ``If-Match``."""
_LEAST_BYTES = 1000  # a shorter answer fits into one packet as it is


def configure_compression(app: Flask) -> None:
    """Let an app compress the responses of `COMPRESSED`."""
    app.config.update(
        COMPRESS_ALGORITHM=["br", "gzip"],
        COMPRESS_MIMETYPES=list(COMPRESSED),
        COMPRESS_MIN_SIZE=_LEAST_BYTES,
        COMPRESS_REGISTER=False,
        COMPRESS_STREAMS=False,
    )
    app.extensions[_COMPRESS] = Compress(app)


def _compressed(response: Response) -> Response:
    """Return a response of one of `COMPRESSED`, compressed if its reader accepts that.

    A response that is ``no-store`` contains a secret and stays as it is: next to a text that another person chose, its
    length would reveal the secret (BREACH).
    """
    if response.cache_control.no_store:
        return response
    compress: Compress = current_app.extensions[_COMPRESS]
    return compress.after_request(response)
