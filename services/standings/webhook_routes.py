"""Webhooks over HTTP: addresses that new lines of a tournament, or of all, are sent to. Another process may send."""

import base64
import os
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec
import uuid_utils
from flask import Blueprint, Response
from marshmallow import Schema, fields, validate

from services.standings.webhook_answers import NewWebhookAnswer, WebhookAnswer, WebhooksAnswer
from shared.core.authority import ACTS, WEBHOOKS
from shared.core.messages import say
from shared.core.terms import HIGHEST, Actor
from shared.desk.desk import Desk
from shared.http import auth
from shared.http.bodies import body
from shared.http.offices import permitted
from shared.http.operations import Operation
from shared.http.problems import Problem
from shared.http.proxies import Network
from shared.http.webhook_address import LONGEST, BadAddress, target_of
from shared.log.webhooks import Webhook

AT_MOST = 20
"""Webhooks of one tournament, and of the house."""
_SECRET_BYTES = 32
_HOUSE = ""


class WebhookSchema(Schema):
    """Left out, ``after`` is the log's end now: what comes from here on is sent; 0 sends all of it. Of all tournaments only
    the end can be named, by leaving it out."""

    url = fields.String(
        required=True,
        validate=validate.Length(1, LONGEST),
        metadata={"description": "https, at a public address, port 443 or 1024 and above"},
    )
    after = fields.Integer(strict=True, load_default=None, validate=validate.Range(0, HIGHEST))


def webhooks(bp: Blueprint, desk: Desk, allowed: Sequence[Network]) -> None:
    """Those of a tournament, by its office, and those of all, by a token for all. ``allowed``: networks that may be sent to
    though they are not public."""
    for under, t in (("/v1/tournaments/<t>/webhooks", ""), ("/v1/webhooks", "OfAll")):
        _routes(bp, desk, allowed, under, t)


def _routes(bp: Blueprint, desk: Desk, allowed: Sequence[Network], under: str, of_all: str) -> None:
    whose = "all tournaments" if of_all else "a tournament"

    @bp.post(under, endpoint=f"add_webhook{of_all}")
    @Operation(
        f"Send new lines of {whose} to an address, signed (Standard Webhooks)",
        name=f"addWebhook{of_all}",
        body=WebhookSchema,
        status=201,
        answer=NewWebhookAnswer,
    )
    def add(t: str = _HOUSE) -> Response:
        actor, sent = _require(desk, t), body()
        try:
            target_of(sent["url"], allowed)
        except BadAddress as problem:
            raise _bad("url", problem.why) from None
        secret = "whsec_" + base64.b64encode(os.urandom(_SECRET_BYTES)).decode()
        hook = Webhook(str(uuid_utils.uuid7()), t, sent["url"], secret, actor.name, int(time.time()))
        refused = desk.log.webhooks.add(hook, _ends(desk, t, sent["after"]), AT_MOST)
        if refused == "there":
            detail = say("lines are sent to {url} already", url=sent["url"])
            raise Problem(409, "webhook-exists", say("This webhook is there already"), detail)
        if refused == "many":
            raise Problem(409, "too-many-webhooks", say("Too many webhooks"), say("at most {most}", most=AT_MOST))
        return _answer(_told(desk, hook) | {"secret": secret}, 201)

    @bp.get(under, endpoint=f"list_webhooks{of_all}")
    @Operation(
        f"The webhooks of {whose}, and how they fare",
        name=f"listWebhooks{of_all}",
        answer=WebhooksAnswer,
        tagged=False,
        errors=(401, 403),
    )
    def listed(t: str = _HOUSE) -> Response:
        _require(desk, t)
        return _answer({"webhooks": [_told(desk, hook) for hook in desk.log.webhooks.of(t)], "next": None})

    @bp.get(f"{under}/<id>", endpoint=f"get_webhook{of_all}")
    @Operation(
        "A webhook, and how it fares",
        name=f"getWebhook{of_all}",
        answer=WebhookAnswer,
        tagged=False,
        errors=(401, 403),
    )
    def one(id: str, t: str = _HOUSE) -> Response:
        _require(desk, t)
        return _answer(_told(desk, _found(desk, t, id)))

    @bp.delete(f"{under}/<id>", endpoint=f"remove_webhook{of_all}")
    @Operation(
        "Send nothing more to an address, and forget its secret", name=f"removeWebhook{of_all}", answer=WebhookAnswer
    )
    def remove(id: str, t: str = _HOUSE) -> Response:
        _require(desk, t)
        told = _told(desk, _found(desk, t, id))
        if not desk.log.webhooks.remove(t, id):
            raise _unknown(id)
        return _answer(told)

    @bp.post(f"{under}/<id>/resume", endpoint=f"resume_webhook{of_all}")
    @Operation("Send again from the line that failed, now", name=f"resumeWebhook{of_all}", answer=WebhookAnswer)
    def resume(id: str, t: str = _HOUSE) -> Response:
        _require(desk, t)
        if not desk.log.webhooks.resume(t, id):
            raise _unknown(id)
        return _answer(_told(desk, _found(desk, t, id)))


def _require(desk: Desk, t: str) -> Actor:
    """Who may: the tournament's office by its log; for all tournaments a token of such a role that is for all."""
    if not t:
        return auth.require(None, ACTS[WEBHOOKS].roles)
    actor = auth.require(t)
    permitted(desk, t, actor, WEBHOOKS)
    return actor


def _ends(desk: Desk, t: str, after: int | None) -> dict[str, int]:
    """Up to which line nothing is sent. A tournament that begins later is sent from its first."""
    if not t:
        if after is not None:
            raise _bad("after", say("each tournament has a log of its own: leave it out"))
        every = [stream.partition("/")[2] for stream in desk.streams("tournaments/")]
        return desk.seqs(every)
    end = desk.seqs([t])[t]
    if after is not None and after > end:
        raise _bad("after", say("the log of {t} ends at {seq}", t=t, seq=end))
    return {t: end if after is None else after}


def _found(desk: Desk, t: str, id: str) -> Webhook:
    for hook in desk.log.webhooks.of(t):
        if hook.id == id:
            return hook
    raise _unknown(id)


def _unknown(id: str) -> Problem:
    return Problem(404, "unknown-webhook", say("No such webhook"), say("there is no webhook {id} here", id=id[:64]))


def _bad(field: str, why: Any) -> Problem:
    return Problem(
        422, "bad-fields", say("Fields are missing or wrong"), say("see errors for each field"), errors={field: [why]}
    )


def _told(desk: Desk, hook: Webhook) -> dict[str, Any]:
    """A webhook without its secret."""
    state = "stopped" if hook.stopped else "failing" if hook.tries else "sending"
    failing = {"tournament": hook.failing, "seq": hook.seq, "why": hook.why, "tries": hook.tries}
    return {
        "id": hook.id,
        "tournament": hook.tournament or None,
        "url": hook.url,
        "by": hook.by,
        "made": _time(hook.made),
        "state": state,
        "failing": failing if state != "sending" else None,
        "next_try": _time(hook.due) if hook.due else None,
        "sent": desk.log.webhooks.sent(hook.id),
    }


def _time(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _answer(payload: Any, status: int = 200) -> Response:
    response = Response(msgspec.json.encode(payload), status, mimetype="application/json")
    response.headers["Cache-Control"] = "no-store"
    return response
