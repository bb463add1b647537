"""The cost of a request to its caller's allowance: the declared cost before the answer, then the CPU time used."""

import time

from flask import Response, g, request

from shared.core.language.messages import Message, say
from shared.http.limits import rate_limits
from shared.http.limits.rate_limits import Buckets
from shared.http.limits.turns import QUEUES, TURN, Queued, Turn
from shared.http.problems import Problem, no_token, too_many, unavailable
from shared.http.reads import shared_answers
from shared.http.reads.stream import Stream
from shared.http.requests import waits
from shared.http.requests.app_context import current_context, current_operation
from shared.http.requests.auth import identity, reader_name, visitor

_PAST, _PAST_COST = frozenset(("at", "without", "to")), 20
"""Arguments that select a past or hypothetical state, and the cost of computing it from the log."""
_TOO_MANY = say("this caller sends more commands than the limit allows")
_TOO_MUCH = say("this reader asks for more than the limit allows")
_COMMAND_MILLISECONDS = 2.0
"""CPU time of a request thread that one command of an allowance stands for. The writer's time is not counted."""
_TURN_SECONDS = 2
"""Seconds after which a reader whose turn did not come may ask again."""


def check_reader() -> Response | None:
    """Take what a read costs from its reader's allowance, and let it wait for an event, a turn or a free place.

    A token has an allowance of its own; readers without one share that of their address. An answer that
    others got a moment ago costs nearly nothing. Past states are made a few at a time, to leave threads for everything else.
    """
    past = not _PAST.isdisjoint(request.args)
    known = None if past else shared_answers.shared_answer()
    cost = current_operation().cost + _PAST_COST * past if known is None else 1
    again = waits.has_waited() or TURN in request.environ
    if current_operation().cost:
        _charge(current_context().reads, reader_name(), 0 if again else cost, 1, _TOO_MUCH)
    awaited = None if TURN in request.environ else waits.awaiting()
    if awaited is not None:
        return _brought_again(awaited)
    if known is None and (queued := _queued()) is not None:
        return queued
    if current_operation().cost and past:
        if not current_context().replay_slots.take():
            raise unavailable("replays-full", say("as many past states are being made as this service makes at once"))
        g.replays = True
    return known


def check_sender() -> Response | None:
    """Check before a command is read: its caller's rate, then that there is an identity, unless it is a public question."""
    try:
        sender, bad = identity(), None
    except Problem as problem:
        sender, bad = None, problem
    name = reader_name()  # false tokens open no fresh buckets: their senders are known by the address
    context, declared = current_context(), current_operation()
    again = TURN in request.environ
    if declared.public or declared.cost > 1:
        rate_limits.take(context.buckets, name, not again, _TOO_MANY)
        _charge(context.reads, name, 0 if again else declared.cost, 1, _TOO_MANY)
    else:
        _charge(context.buckets, name, 1, _COMMAND_MILLISECONDS, _TOO_MANY)
    if request.url_rule is not None and "/v1/" in request.url_rule.rule and sender is None and not declared.public:
        raise bad or no_token()
    return _queued() if declared.public else None


def _charge(buckets: Buckets, name: str, cost: float, milliseconds: float, refusal: Message) -> None:
    """Take the declared cost of a request, in units of ``milliseconds`` of CPU; `settle_after` takes the rest afterwards."""
    g.charged = buckets, name, cost, milliseconds
    rate_limits.take(buckets, name, cost, refusal)


def _queued() -> Response | None:
    """Let a request without a token wait for its turn if its answer is expensive. Raises `Problem` 429 if that did not come."""
    turn = request.environ.get(TURN)
    if not current_operation().cost or visitor() is not None:
        return None
    if turn is Turn.MISSED:
        raise too_many(
            say("this address asks for more expensive answers than this server makes at once"), _TURN_SECONDS
        )
    if turn is None and QUEUES in request.environ and current_context().costs.is_expensive(_cost_key()):
        return _brought_again(Queued(reader_name()))
    return None


def _brought_again(body: waits.Awaiting | Queued) -> Response:
    g.awaiting = True
    return Response(body, 503, direct_passthrough=True)


def _cost_key() -> tuple[str, str]:
    arguments = request.view_args or {}
    return request.endpoint or "", str(arguments.get("t", arguments.get("g", ""))).split(".", 1)[0]


def settle_after(response: Response) -> None:
    """Take the CPU time that an answer used beyond its declared cost, after its body was made."""
    context, key, turn = current_context(), _cost_key(), request.environ.get(TURN)
    began, charged = g.get("cpu", 0.0), g.get("charged")

    def settle() -> None:
        used = (time.thread_time() - began) * 1000
        context.costs.note(key, used, turn)
        if charged is not None:
            buckets, name, cost, milliseconds = charged
            buckets.settle(name, used / milliseconds - cost)

    if isinstance(
        response.response, Stream
    ):  # it goes on in another thread, which sends what all its readers have together
        settle()
    else:
        response.call_on_close(settle)
