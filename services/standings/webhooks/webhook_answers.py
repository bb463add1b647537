"""What is answered of webhooks."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from shared.http.answers import Answer, said


class FailingAnswer(Answer):
    """The line that the receiver has not taken after so many ``tries``, and ``why`` the last was in vain."""

    tournament: str
    seq: int
    why: str
    tries: int


class WebhookAnswer(Answer):
    """``state`` stopped: nothing is sent until it is resumed. ``sent``: the last line taken, by tournament."""

    id: str
    tournament: str | None
    url: str
    by: str
    made: Annotated[str, said(format="date-time")]
    state: Literal["sending", "failing", "stopped"]
    failing: FailingAnswer | None
    next_try: Annotated[str, said(format="date-time")] | None
    sent: Mapping[str, int]


class NewWebhookAnswer(WebhookAnswer):
    """``secret``: what its messages are signed with; it is told here and never again."""

    secret: Annotated[str, said(pattern="^whsec_[A-Za-z0-9+/]+=*$")]


class WebhooksOfAllAnswer(Answer):
    webhooks: Sequence[WebhookAnswer]
    next: str | None


class WebhooksAnswer(WebhooksOfAllAnswer):
    tournament: str
    seq: int
