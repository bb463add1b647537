"""Webhooks of one tournament or of all: register, find, resume and remove them. Another process may send the events."""

import base64
import os
import time
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from shared.core.language.messages import say
from shared.desk.desk import Desk, Request
from shared.desk.requests import command_id
from shared.http.common_problems import bad_field
from shared.http.identity.proxies import Network
from shared.http.problems import Problem, key_reused
from shared.http.webhook_address import BadAddress, target_of
from shared.log.webhooks import Webhook

HOUSE = ""
"""The tournament value of webhooks that receive the events of all tournaments."""
AT_MOST = 20
"""Limit of webhooks of one tournament, and of those for all tournaments."""
_SECRET_BYTES = 32


class Wanted(NamedTuple):
    """An address that should receive events.

    ``after``: the last event that is not sent (default: the present end of the log). ``key``: the idempotency key of
    the request, if it has one.
    """

    by: str
    url: str
    after: int | None = None
    key: str | None = None


class Registered(NamedTuple):
    """A webhook with its secret, and the last event of each tournament that is not sent.

    ``repeated``: an earlier request with the same key created it.
    """

    hook: Webhook
    sent: Mapping[str, int]
    repeated: bool = False


def registered(desk: Desk, t: str, wanted: Wanted, allowed: Sequence[Network]) -> Registered:
    """Register a webhook, or return the one of an earlier request with the same key. Raises `Problem`."""
    try:
        target_of(wanted.url, allowed)
    except BadAddress as problem:
        raise bad_field("url", problem.why) from None
    kept, sent = desk.log.webhooks, _ends(desk, t, wanted.after)
    secret = "whsec_" + base64.b64encode(os.urandom(_SECRET_BYTES)).decode()
    hook = Webhook(command_id(Request(key=wanted.key)), t, wanted.url, secret, wanted.by, int(time.time()))
    match kept.add(hook, sent, AT_MOST):
        case "again":
            return _made_before(desk, t, hook)
        case "there":
            detail = say("events are already sent to {url}", url=wanted.url)
            raise Problem(409, "webhook-exists", say("This webhook is already registered"), detail)
        case "many":
            raise Problem(409, "too-many-webhooks", say("Too many webhooks"), say("at most {most}", most=AT_MOST))
    return Registered(hook, sent)


def _made_before(desk: Desk, t: str, wanted: Webhook) -> Registered:
    hook = found(desk, t, wanted.id)
    if hook.url != wanted.url:
        raise key_reused()
    return Registered(hook, desk.log.webhooks.sent(hook.id), repeated=True)


def found(desk: Desk, t: str, id: str) -> Webhook:
    """Return the webhook with this ID. Raises `Problem` 404."""
    for hook in desk.log.webhooks.of(t):
        if hook.id == id:
            return hook
    raise _unknown(id)


def remove(desk: Desk, t: str, id: str) -> None:
    """Remove a webhook and its secret. Raises `Problem` 404."""
    if not desk.log.webhooks.remove(t, id):
        raise _unknown(id)


def resumed(desk: Desk, t: str, id: str) -> Registered:
    """Resume a webhook: it is tried again at once, from the event that failed. Raises `Problem` 404."""
    hook, sent = found(desk, t, id), desk.log.webhooks.sent(id)
    if not desk.log.webhooks.resume(t, id):
        raise _unknown(id)
    return Registered(hook._replace(tries=0, due=0, stopped=0), sent)


def _ends(desk: Desk, t: str, after: int | None) -> dict[str, int]:
    """Return the last event that is not sent, by tournament. Later tournaments are sent from their first event."""
    if not t:
        if after is not None:
            raise bad_field("after", say("omit this value: each tournament has its own log"))
        return {stream.partition("/")[2]: seq for stream, seq in desk.log.ends("tournaments/").items()}
    end = desk.seqs([t])[t]
    if after is not None and after > end:
        raise bad_field("after", say("the log of {t} ends at {seq}", t=t, seq=end))
    return {t: end if after is None else after}


def _unknown(id: str) -> Problem:
    return Problem(404, "unknown-webhook", say("No such webhook"), say("webhook {id} does not exist", id=id[:64]))
