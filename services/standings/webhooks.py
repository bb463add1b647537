"""Webhooks of a tournament, or of all: registered, found, resumed and removed. Another process may send."""

import base64
import os
import time
from collections.abc import Sequence

import uuid_utils

from shared.core.messages import Message, say
from shared.desk.desk import Desk
from shared.http.problems import Problem
from shared.http.proxies import Network
from shared.http.webhook_address import BadAddress, target_of
from shared.log.webhooks import Webhook

HOUSE = ""
"""The tournament of those that are sent the lines of all."""
AT_MOST = 20
"""Webhooks of one tournament, and of the house."""
_SECRET_BYTES = 32


def registered(desk: Desk, t: str, by: str, url: str, after: int | None, allowed: Sequence[Network]) -> Webhook:
    """A new one, with its secret. ``after``: up to which line nothing is sent; None: the log's end now. Raises `Problem`."""
    try:
        target_of(url, allowed)
    except BadAddress as problem:
        raise bad_field("url", problem.why) from None
    secret = "whsec_" + base64.b64encode(os.urandom(_SECRET_BYTES)).decode()
    hook = Webhook(str(uuid_utils.uuid7()), t, url, secret, by, int(time.time()))
    refused = desk.log.webhooks.add(hook, _ends(desk, t, after), AT_MOST)
    if refused == "there":
        detail = say("lines are sent to {url} already", url=url)
        raise Problem(409, "webhook-exists", say("This webhook is there already"), detail)
    if refused == "many":
        raise Problem(409, "too-many-webhooks", say("Too many webhooks"), say("at most {most}", most=AT_MOST))
    return hook


def found(desk: Desk, t: str, id: str) -> Webhook:
    """Raises `Problem` 404."""
    for hook in desk.log.webhooks.of(t):
        if hook.id == id:
            return hook
    raise _unknown(id)


def remove(desk: Desk, t: str, id: str) -> None:
    """Forgets one, its secret too. Raises `Problem` 404."""
    if not desk.log.webhooks.remove(t, id):
        raise _unknown(id)


def resumed(desk: Desk, t: str, id: str) -> Webhook:
    """One that is tried again at once, from the line that failed. Raises `Problem` 404."""
    if not desk.log.webhooks.resume(t, id):
        raise _unknown(id)
    return found(desk, t, id)


def bad_field(field: str, why: Message) -> Problem:
    """422 of one field."""
    return Problem(
        422, "bad-fields", say("Fields are missing or wrong"), say("see errors for each field"), errors={field: [why]}
    )


def _ends(desk: Desk, t: str, after: int | None) -> dict[str, int]:
    """Up to which line nothing is sent. A tournament that begins later is sent from its first."""
    if not t:
        if after is not None:
            raise bad_field("after", say("each tournament has a log of its own: leave it out"))
        return desk.seqs([stream.partition("/")[2] for stream in desk.streams("tournaments/")])
    end = desk.seqs([t])[t]
    if after is not None and after > end:
        raise bad_field("after", say("the log of {t} ends at {seq}", t=t, seq=end))
    return {t: end if after is None else after}


def _unknown(id: str) -> Problem:
    return Problem(404, "unknown-webhook", say("No such webhook"), say("there is no webhook {id} here", id=id[:64]))
