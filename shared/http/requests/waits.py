"""Reads that wait for a line (``?after``): a server that knows them asks again when it is there, and no thread waits."""

import threading
from collections.abc import Iterator

from flask import request

from shared.core.language.messages import say
from shared.core.values.bounds import HIGHEST
from shared.http.limits.rate_limits import Places
from shared.http.problems import unavailable
from shared.http.requests.app_context import current_context
from shared.http.requests.auth import reader_name

PARKS = "arbiter.parks"
"""In the environ of a server that takes an `Awaiting` for an answer that is still to be made."""
WAITED = "arbiter.waited"
"""In the environ of a request that such a server brings again: it waits no more."""


class Awaiting:
    """The body of no answer yet: of a request that is to be brought again when tournament ``t`` has line ``after``, or a
    second later. Whoever has it closes it."""

    def __init__(self, t: str, after: int, places: Places, reader: str) -> None:
        self.t, self.after = t, after
        self._places, self._reader = places, reader
        self._open = True
        self._closing = threading.Lock()

    def __iter__(self) -> Iterator[bytes]:
        return iter(())

    def close(self) -> None:
        """Give its place back; once."""
        with self._closing:
            was_open, self._open = self._open, False
        if was_open:
            self._places.give_back_for(self._reader)


def has_waited() -> bool:
    """Whether this request has waited for its line already."""
    return WAITED in request.environ


def awaiting() -> Awaiting | None:
    """The line that this read waits for; None where it is there, or where this server knows no such wait.

    Raises `Problem` 503 where as many wait as may.
    """
    after, t = request.args.get("after", ""), _tournament()
    if PARKS not in request.environ or has_waited() or t is None:
        return None
    if not (after.isascii() and after.isdigit() and len(after) <= 16) or int(after) > HIGHEST:
        return None
    context = current_context()
    if not 0 < context.desk.seqs([t])[t] < int(after):
        return None
    reader = reader_name()
    if not context.wait_slots.take_for(reader):
        raise unavailable(
            "waits-full", say("too many requests are waiting for an event (limit reached); try again later")
        )
    return Awaiting(t, int(after), context.wait_slots, reader)


def _tournament() -> str | None:
    """The tournament of this read, named by itself or by its game."""
    named = request.view_args or {}
    if "t" in named:
        return str(named["t"])
    return str(named["g"]).rsplit(".", 2)[0] if "g" in named else None
