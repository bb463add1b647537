"""Live updates: server-sent events whose ``id`` is the ``seq``."""

import threading
import time
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Protocol

import msgspec
from flask import Response, request

from shared.core.language.messages import say
from shared.desk.desk import Desk
from shared.desk.views import stream_of
from shared.http.problems import Problem, unavailable
from shared.http.reads.tournament_query import number, view
from shared.http.requests.app_context import Context, current_context
from shared.http.requests.auth import charge, reader_name
from shared.log.port import Row

MEDIA = "text/event-stream"
PIECE = 64 * 1024
"""Bytes after which a piece of a stream is long enough: the next is made when that one is gone."""
START = b"retry: 1000\n\n"
"""What each stream begins with: who is cut off comes back after a second."""
_LOOK_SECONDS = 1.0
"""How often a quiet stream looks whether the service is ending."""
_AT_ONCE = 500
_LINES_A_COST = 100
_FULL_SECONDS = 30

Read = Callable[[int, int], list[Row]]
"""The lines of a tournament after one seq up to another."""


class _Typed(msgspec.Struct):
    type: str


_TYPED = msgspec.json.Decoder(_Typed)


class Kind(Hashable, Protocol):
    """What a stream tells of a tournament. Streams of equal kinds get the same bytes."""

    def piece(self, read: Read, after: int, seq: int) -> tuple[list[bytes], int]:
        """The next events after line ``after`` of a log that ends at ``seq``, and up to which line they tell."""

    def beat(self, after: int) -> bytes:
        """Return a sign of life on a quiet stream, which has sent everything up to line ``after``."""


@dataclass(frozen=True, slots=True)
class Lines:
    """Each line that ``keep`` chooses: ``id:`` its seq, ``event:`` its type, ``data:`` its bytes."""

    keep: Callable[[Row], bool]

    def piece(self, read: Read, after: int, seq: int) -> tuple[list[bytes], int]:
        events, size = [], 0
        for row in read(after, min(seq, after + _AT_ONCE)):
            after = row.seq
            if self.keep(row):
                events.append(_event(row))
                size += len(row.line)
            if size >= PIECE:
                break
        return events, after

    def beat(self, after: int) -> bytes:
        """Return a comment, which clients pass over."""
        return b": at %d\n\n" % after


@dataclass(frozen=True, slots=True)
class Changes:
    """For pages: an event ``changed`` with the newest seq."""

    def piece(self, read: Read, after: int, seq: int) -> tuple[list[bytes], int]:
        return [b"id: %d\nevent: changed\ndata: %d\n\n" % (seq, seq)], seq

    def beat(self, after: int) -> bytes:
        """Return an event ``beat``: a script sees no comments, and a page must notice a connection that has died in silence."""
        return b"event: beat\ndata: %d\n\n" % after


class Stream:
    """The body of a live answer: what ``kind`` tells of ``log`` (``tournaments/T``, ``games/G``) after line ``after``, until the
    service ends.

    A server that knows streams takes it from the thread that answered and sends it beside all others
    (`deploy.server.front`). To any other it is a body that is iterated. Whoever has it closes it.
    """

    def __init__(self, context: Context, reader: str, log: str, after: int, kind: Kind) -> None:
        self.log, self.after, self.kind = log, after, kind
        self._context, self._reader = context, reader
        self._open = True
        self._closing = threading.Lock()

    def __iter__(self) -> Iterator[bytes]:
        desk, context, after = self._context.desk, self._context, self.after
        read = partial(desk.lines, self.log)
        yield START
        quiet = time.monotonic()
        while not context.closing.is_set():
            seq = desk.wait(self.log, after, min(_LOOK_SECONDS, context.limits.heartbeat))
            events: list[bytes] = []
            if seq > after:
                events, after = self.kind.piece(read, after, seq)
            if not events and time.monotonic() - quiet >= context.limits.heartbeat:
                events = [self.kind.beat(after)]
            for event in events:
                quiet = time.monotonic()
                yield event

    def close(self) -> None:
        """Give its place back; once."""
        with self._closing:
            was_open, self._open = self._open, False
        if was_open:
            self._context.stream_slots.give_back_for(self._reader)


def _event(row: Row) -> bytes:
    return b"id: %d\nevent: %b\ndata: %b\n\n" % (row.seq, _TYPED.decode(row.line).type.encode(), row.line)


def every(row: Row) -> bool:
    """Any line."""
    return True


def follow(desk: Desk, t: str, keep: Callable[[Row], bool] = every) -> Response:
    """The tournament's lines after ``Last-Event-ID`` (or ``?after``, or all) as they come, until the service ends.

    A comment shows life on a quiet stream. ``keep`` chooses lines; equal ones choose the same. Raises `Problem`: 404, 422,
    and 503 where all places are taken.
    """
    seq, start = view(desk, t).seq, _start()
    return _streamed(stream_of(t), seq, start, Lines(keep), cost=(seq - start) // _LINES_A_COST)


def follow_sheet(desk: Desk, game: str) -> Response:
    """The lines of a game's score sheet after ``Last-Event-ID`` (or all) as they come, as `follow`."""
    log = f"games/{game}"
    seq, start = desk.ends([log])[log], last_id() or 0
    return _streamed(log, seq, start, Lines(every), cost=(seq - start) // _LINES_A_COST)


def changes(desk: Desk, t: str) -> Response:
    """For pages: an event ``changed`` with the newest ``seq`` whenever lines were written. Takes and raises as `follow`."""
    return _streamed(stream_of(t), view(desk, t).seq, _start(), Changes(), cost=0)


def _streamed(log: str, seq: int, start: int, kind: Kind, cost: int) -> Response:
    """The stream of a kind, of a log that ends at ``seq``; ``cost`` is that of the lines which are there already."""
    if start > seq:
        name = log.partition("/")[2]
        ends = say("the log of {t} ends at {seq}", t=name, seq=seq)
        raise Problem(404, "beyond-the-end", say("The log does not have this event"), ends)
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    if request.method == "HEAD":
        return Response(mimetype=MEDIA, headers=headers)
    charge(cost)
    context, reader = current_context(), reader_name()
    taken = context.stream_slots.take_for(reader)
    if taken is None:
        raise unavailable(
            "streams-full", say("this caller has already opened as many live streams as one caller may"), _FULL_SECONDS
        )
    if not taken:
        raise unavailable(
            "streams-full",
            say("this service already has as many open live streams as it allows: try again later"),
            _FULL_SECONDS,
        )
    stream = Stream(context, reader, log, start, kind)
    return Response(stream, mimetype=MEDIA, headers=headers, direct_passthrough=True)


def _start() -> int:
    last = last_id()
    return number("after", 0) or 0 if last is None else last


def last_id() -> int | None:
    """The number in ``Last-Event-ID``, which an answer that is not live leaves aside. Raises `Problem` 422."""
    told = request.headers.get("Last-Event-ID")
    if told is None or told == "":
        return None
    if not (told.isascii() and told.isdigit() and len(told) <= 16):
        raise Problem(
            422,
            "bad-last-event-id",
            say("Bad Last-Event-ID"),
            say("an event ID must be the sequence number of an event"),
        )
    return int(told)
