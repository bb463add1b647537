"""Live updates: server-sent events whose ``id`` is the ``seq``."""

import time
from collections.abc import Callable, Iterator

import msgspec
from flask import Response, request

from shared.core.messages import say
from shared.desk.desk import Desk
from shared.desk.views import stream_of
from shared.http.app_context import Context, current_context
from shared.http.auth import reader_name
from shared.http.problems import Problem, unavailable
from shared.http.tournament_query import number, view
from shared.log.port import Row

MEDIA = "text/event-stream"
_LOOK_SECONDS = 1.0
"""How often a quiet stream looks whether the service is ending."""
_AT_ONCE = 500
_RETRY_MILLISECONDS = 1000
_FULL_SECONDS = 30


class _Typed(msgspec.Struct):
    type: str


_TYPED = msgspec.json.Decoder(_Typed)


def follow(desk: Desk, t: str, keep: Callable[[Row], bool] = lambda row: True) -> Response:
    """The tournament's lines after ``Last-Event-ID`` (or ``?after``, or all) as they come, until the service ends.

    Each is ``id:`` its seq, ``event:`` its type, ``data:`` the line's bytes; a comment
    shows life on a quiet stream. ``keep`` chooses lines. Raises `Problem`: 404, 422, and
    503 where all slots are taken.
    """
    return _streamed(desk, t, lambda rows: (_event(row) for row in rows if keep(row)))


def changes(desk: Desk, t: str) -> Response:
    """For pages: an event ``changed`` with the newest ``seq`` whenever lines were written. Takes and raises as `follow`."""
    return _streamed(desk, t, _changed)


def _streamed(desk: Desk, t: str, write: Callable[[list[Row]], Iterator[bytes]]) -> Response:
    """The stream of what ``write`` makes of the lines that came."""
    start = _start()
    seq = view(desk, t).seq
    if start > seq:
        raise Problem(
            404, "beyond-the-end", say("The log is not that long"), say("the log of {t} ends at {seq}", t=t, seq=seq)
        )
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    if request.method == "HEAD":
        return Response(mimetype=MEDIA, headers=headers)
    context, reader = current_context(), reader_name()
    taken = context.stream_slots.take_for(reader)
    if taken is None:
        raise unavailable("streams-full", say("one reader has as many live streams as one may have"), _FULL_SECONDS)
    if not taken:
        raise unavailable("streams-full", say("as many live streams are open as this service holds"), _FULL_SECONDS)
    response = Response(_events(context, desk, t, start, write), mimetype=MEDIA, headers=headers)
    response.call_on_close(lambda: context.stream_slots.give_back_for(reader))
    return response


def _start() -> int:
    last_id = request.headers.get("Last-Event-ID")
    if last_id is None or last_id == "":
        return number("after", 0) or 0
    if not (last_id.isascii() and last_id.isdigit() and len(last_id) <= 16):
        raise Problem(
            422, "bad-last-event-id", say("Bad Last-Event-ID"), say("the id of an event is the number of its line")
        )
    return int(last_id)


def _events(
    context: Context, desk: Desk, t: str, after: int, write: Callable[[list[Row]], Iterator[bytes]]
) -> Iterator[bytes]:
    yield b"retry: %d\n\n" % _RETRY_MILLISECONDS
    quiet = time.monotonic()
    while not context.closing.is_set():
        seq = desk.wait(t, after, min(_LOOK_SECONDS, context.limits.heartbeat))
        if seq > after:
            rows = desk.lines(stream_of(t), after, min(seq, after + _AT_ONCE))
            after = rows[-1].seq if rows else after
            for event in write(rows):
                quiet = time.monotonic()
                yield event
        if time.monotonic() - quiet >= context.limits.heartbeat:
            quiet = time.monotonic()
            yield b": at %d\n\n" % after


def _event(row: Row) -> bytes:
    return b"id: %d\nevent: %b\ndata: %b\n\n" % (row.seq, _TYPED.decode(row.line).type.encode(), row.line)


def _changed(rows: list[Row]) -> Iterator[bytes]:
    if rows:
        yield b"id: %d\nevent: changed\ndata: %d\n\n" % (rows[-1].seq, rows[-1].seq)
