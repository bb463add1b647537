"""What an app carries for its routes: keys, limits, and whether it is ending."""

import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from flask import current_app

from shared.http.limits import Buckets, Limits, Places

if TYPE_CHECKING:
    from shared.desk import Desk
    from shared.http.auth import Keyring
    from shared.http.metrics import Metrics

EXTENSION = "arbiter"


@dataclass(slots=True)
class Context:
    """One app's own. ``closing`` is set when the process is to end: streams end then."""

    service: str
    version: str
    desk: "Desk"
    keyring: "Keyring"
    limits: Limits
    metrics: "Metrics"
    buckets: Buckets
    places: Places
    closing: threading.Event = field(default_factory=threading.Event)


def here() -> Context:
    """The context of the app that answers this request."""
    return cast(Context, current_app.extensions[EXTENSION])
