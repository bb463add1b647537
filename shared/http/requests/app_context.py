"""What an app carries for its routes: keys, limits, and whether it is ending."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, cast

from flask import current_app

from shared.core.language.messages import Message
from shared.desk.desk import Desk
from shared.http.identity.tokens import Keyring
from shared.http.limits.rate_limits import Buckets, Limits, Places, Slots
from shared.http.metrics import Metrics

EXTENSION = "arbiter"


@dataclass(frozen=True, slots=True)
class Health:
    """What a process knows of the log that its own folds do not show; embedded, nothing.

    ``refuses`` says why no command is taken now; ``facts`` are what ``/readyz`` adds.
    """

    refuses: Callable[[], Message | None] = lambda: None
    facts: Callable[[], dict[str, Any]] = dict


@dataclass(slots=True)
class Context:
    """One app's own. ``any_origin``: whether other sites' pages may read. ``closing`` is set
    when the process is to end: streams end then; ``closers`` end what it has beside."""

    service: str
    version: str
    desk: Desk
    keyring: Keyring
    limits: Limits
    metrics: Metrics
    buckets: Buckets
    reads: Buckets
    stream_slots: Places
    wait_slots: Places
    replay_slots: Slots
    health: Health = field(default_factory=Health)
    any_origin: bool = True
    closing: threading.Event = field(default_factory=threading.Event)
    closers: list[Callable[[], None]] = field(default_factory=list)


def current_context() -> Context:
    """The context of the app that answers this request."""
    return cast(Context, current_app.extensions[EXTENSION])
