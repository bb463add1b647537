"""Webhooks over HTTP: addresses that new lines of a tournament, or of all, are sent to. Another process may send."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Annotated, ClassVar, Literal

from flask import Blueprint, Response, request
from marshmallow import Schema, fields, validate
from msgspec.structs import asdict

from services.standings.webhooks.webhooks import HOUSE, Wanted, found, registered, remove, resumed
from shared.core.readings.authority import ACTS, WEBHOOKS
from shared.core.terms import Actor
from shared.core.values.bounds import HIGHEST
from shared.desk.desk import Desk
from shared.http.answers import ListAnswer, TournamentListAnswer
from shared.http.identity.proxies import Network
from shared.http.openapi.schema_terms import Terms, has
from shared.http.operations import Creation, Operation
from shared.http.reads.tournament_query import permitted, private_answer
from shared.http.requests import auth
from shared.http.requests.request_parts import body, idempotency_key
from shared.http.webhook_address import LONGEST
from shared.log.webhooks import Webhook
from shared.wire.answer import Answer, said


class FailingAnswer(Answer):
    """A failed delivery."""

    tournament: str
    seq: int
    why: str
    tries: int


class WebhookAnswer(Answer, kw_only=True):
    """A webhook with its delivery status."""

    id: str
    tournament: str | None
    url: str
    by: str
    made: Annotated[str, said(format="date-time")]
    state: Literal["sending", "failing", "stopped"]
    failing: FailingAnswer | None
    next_try: Annotated[str, said(format="date-time")] | None
    sent: Mapping[str, int]


class NewWebhookAnswer(WebhookAnswer, kw_only=True):
    """A new webhook, with its secret."""

    secret: Annotated[str, said(pattern="^whsec_[A-Za-z0-9+/]+=*$")]


class WebhooksOfAllAnswer(ListAnswer):
    """The webhooks of all tournaments."""

    webhooks: Sequence[WebhookAnswer]


class WebhooksAnswer(TournamentListAnswer):
    """The webhooks of a tournament."""

    webhooks: Sequence[WebhookAnswer]


_URL = r"^[Hh][Tt][Tt][Pp][Ss]://[!#-;=?-\[\]_a-z~]+$"
"""Visible ASCII that may stand in a URL."""


class WebhookSchema(Schema):
    """Left out, ``after`` is the log's end now: what comes from here on is sent; 0 sends all of it. Of all tournaments only
    the end can be named, by leaving it out."""

    url = fields.String(
        required=True,
        validate=validate.Length(1, LONGEST),
        metadata={"description": "HTTPS URL at a public address, with port 443, or 1024 and above.", "pattern": _URL},
    )
    after = fields.Integer(strict=True, load_default=None, validate=validate.Range(0, HIGHEST))


class WebhookOfAllSchema(WebhookSchema):
    """``after`` is left out: each tournament has a log of its own."""

    TOGETHER: ClassVar[Terms] = {"if": has("after"), "then": {"properties": {"after": {"type": "null"}}}}


def webhooks(bp: Blueprint, desk: Desk, allowed: Sequence[Network]) -> None:
    """Those of a tournament, by its office, and those of all, by a token for all. ``allowed``: networks that may be sent to
    though they are not public."""
    for under, t in (("/v1/tournaments/<t>/webhooks", ""), ("/v1/webhooks", "OfAll")):
        _routes(bp, desk, allowed, under, t)


def _routes(bp: Blueprint, desk: Desk, allowed: Sequence[Network], under: str, of_all: str) -> None:
    whose = "all tournaments" if of_all else "a tournament"

    @bp.post(under, endpoint=f"add_webhook{of_all}")
    @Creation(
        f"Register a webhook of {whose}",
        name=f"addWebhook{of_all}",
        description=(
            f"Every new event of {whose} is sent to the URL, signed according to Standard Webhooks. The "
            "secret is returned only in this response. Failed deliveries are retried for three days. Then "
            "delivery stops until it is resumed."
        ),
        acts=(WEBHOOKS,),
        body=WebhookOfAllSchema if of_all else WebhookSchema,
        makes=f"{under}/{{id}}",
        answer=NewWebhookAnswer,
    )
    def add(t: str = HOUSE) -> Response:
        actor, sent = _require(desk, t), body()
        wanted = Wanted(actor.name, sent["url"], sent["after"], idempotency_key(request, actor))
        made = registered(desk, t, wanted, allowed)
        told = asdict(_webhook(made.hook, made.sent))
        new = NewWebhookAnswer(**told, secret=made.hook.secret)
        answer = private_answer(new, 201, f"{request.path}/{made.hook.id}")
        if made.repeated:
            answer.headers["Idempotent-Replayed"] = "true"
        return answer

    @bp.get(under, endpoint=f"list_webhooks{of_all}")
    @Operation(
        f"List the webhooks of {whose}",
        name=f"listWebhooks{of_all}",
        description=("Each webhook is listed with its delivery status. Secrets are not returned."),
        acts=(WEBHOOKS,),
        answer=WebhooksOfAllAnswer if of_all else WebhooksAnswer,
        tagged=False,
        errors=(401, 403),
    )
    def listed(t: str = HOUSE) -> Response:
        _require(desk, t)
        kept = desk.log.webhooks
        hooks = [_webhook(hook, kept.sent(hook.id)) for hook in kept.of(t)]
        return private_answer(WebhooksAnswer(t, desk.seqs([t])[t], hooks) if t else WebhooksOfAllAnswer(hooks))

    @bp.get(f"{under}/<id>", endpoint=f"get_webhook{of_all}")
    @Operation(
        f"Get a webhook of {whose}",
        name=f"getWebhook{of_all}",
        description=("Returns the delivery status. The secret is not returned."),
        acts=(WEBHOOKS,),
        answer=WebhookAnswer,
        tagged=False,
        errors=(401, 403),
    )
    def one(id: str, t: str = HOUSE) -> Response:
        _require(desk, t)
        return private_answer(_webhook(found(desk, t, id), desk.log.webhooks.sent(id)))

    @bp.delete(f"{under}/<id>", endpoint=f"remove_webhook{of_all}")
    @Operation(
        f"Delete a webhook of {whose}",
        name=f"removeWebhook{of_all}",
        description=("Delivery stops and the secret is deleted."),
        acts=(WEBHOOKS,),
        answer=WebhookAnswer,
    )
    def removed(id: str, t: str = HOUSE) -> Response:
        _require(desk, t)
        told = _webhook(found(desk, t, id), desk.log.webhooks.sent(id))
        remove(desk, t, id)
        return private_answer(told)

    @bp.post(f"{under}/<id>/resume", endpoint=f"resume_webhook{of_all}")
    @Operation(
        f"Resume a webhook of {whose}",
        name=f"resumeWebhook{of_all}",
        description=("Retries the failed event at once, and continues with the events after it."),
        acts=(WEBHOOKS,),
        answer=WebhookAnswer,
    )
    def resume(id: str, t: str = HOUSE) -> Response:
        _require(desk, t)
        now = resumed(desk, t, id)
        return private_answer(_webhook(now.hook, now.sent))


def _require(desk: Desk, t: str) -> Actor:
    """Who may: the tournament's office by its log; for all tournaments a token of such a role that is for all."""
    if not t:
        return auth.require(None, ACTS[WEBHOOKS].roles)
    actor = auth.require(t)
    permitted(desk, t, actor, WEBHOOKS)
    return actor


def _webhook(hook: Webhook, sent: Mapping[str, int]) -> WebhookAnswer:
    """A webhook without its secret; ``sent``: the last line taken, by tournament."""
    is_failing = hook.stopped or hook.tries
    return WebhookAnswer(
        id=hook.id,
        tournament=hook.tournament or None,
        url=hook.url,
        by=hook.by,
        made=_time(hook.made),
        state="stopped" if hook.stopped else "failing" if hook.tries else "sending",
        failing=FailingAnswer(hook.failing, hook.seq, hook.why, hook.tries) if is_failing else None,
        next_try=_time(hook.due) if hook.due else None,
        sent=sent,
    )


def _time(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
