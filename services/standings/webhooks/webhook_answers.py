"""What is answered of webhooks."""

from marshmallow import fields, validate

from shared.http.openapi.answers import Answer


class FailingAnswer(Answer):
    """The line that the receiver has not taken after so many ``tries``, and ``why`` the last was in vain."""

    tournament = fields.String()
    seq = fields.Integer()
    why = fields.String()
    tries = fields.Integer()


class WebhookAnswer(Answer):
    """``state`` stopped: nothing is sent until it is resumed. ``sent``: the last line taken, by tournament."""

    id = fields.String()
    tournament = fields.String(allow_none=True)
    url = fields.String()
    by = fields.String()
    made = fields.String(metadata={"format": "date-time"})
    state = fields.String(validate=validate.OneOf(("sending", "failing", "stopped")))
    failing = fields.Nested(FailingAnswer, allow_none=True)
    next_try = fields.String(allow_none=True, metadata={"format": "date-time"})
    sent = fields.Dict(keys=fields.String(), values=fields.Integer())


class NewWebhookAnswer(WebhookAnswer):
    """``secret``: what its messages are signed with; it is told here and never again."""

    secret = fields.String(metadata={"pattern": "^whsec_[A-Za-z0-9+/]+=*$"})


class WebhooksOfAllAnswer(Answer):
    webhooks = fields.List(fields.Nested(WebhookAnswer))
    next = fields.String(allow_none=True)


class WebhooksAnswer(WebhooksOfAllAnswer):
    tournament = fields.String()
    seq = fields.Integer()
