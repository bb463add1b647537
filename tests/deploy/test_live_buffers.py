"""What waits for a live stream's reader is bounded: a slow one is dropped, and holds up nobody."""

import queue
import selectors
import socket
import time
from functools import partial
from types import SimpleNamespace

import pytest
from gunicorn.config import Config
from prometheus_client import Counter

from deploy.server.front.connection import Connection
from deploy.server.front.live import BEHIND_AT_MOST, LiveStreams
from shared.http.limits.rate_limits import Limits
from shared.http.reads.stream import Changes, Kind, Lines, every
from shared.log.port import LogUnavailable
from tests.memory_lines import MemoryLines

SECONDS = 30.0
LINE = b'{"type":"x.v1","pad":"%s"}' % (b"x" * 8000)


class Loop:
    """The loop of a worker, which turns as a test asks, with streams of one tournament."""

    def __init__(self, lines: MemoryLines, heartbeat: float = 3600.0) -> None:
        self.lines, self.dropped, self.ended, self.readers, self.brought = lines, [], [], [], []
        self._calls: queue.SimpleQueue = queue.SimpleQueue()
        self._poller = selectors.DefaultSelector()
        self.slow = Counter("slow", "Dropped", registry=None)
        context = SimpleNamespace(
            limits=Limits(heartbeat=heartbeat, send_seconds=SECONDS),
            metrics=SimpleNamespace(streams_dropped=self.slow),
            desk=lines,
        )
        acts = (self.ended.append, self.dropped.append, self.brought.append)
        self.live = LiveStreams(context, self._poller, self._defer, *acts)

    def _defer(self, call, *arguments) -> None:
        self._calls.put(partial(call, *arguments))

    def open(self, kind, after=0) -> tuple[Connection, socket.socket]:
        """A stream of the tournament, and its reader's end."""
        ours, theirs = socket.socketpair()
        conn = Connection(Config(), ours, ("192.0.2.1", 5000), 100)
        conn.stream = SimpleNamespace(log="tournaments/T", after=after, kind=kind)
        self.live.add(conn)
        theirs.setblocking(False)
        self.readers.append(theirs)
        return conn, theirs

    def turn_until(self, seen) -> None:
        """Do what there is to do until something is so."""
        end = time.monotonic() + SECONDS
        while not seen():
            assert time.monotonic() < end
            for key, _ in self._poller.select(0):
                key.data(key.fileobj)
            try:
                self._calls.get(timeout=0.01)()
            except queue.Empty:
                continue


def taken(sock: socket.socket) -> bytes:
    """What a reader finds."""
    pieces = []
    try:
        while piece := sock.recv(1 << 20):
            pieces.append(piece)
    except BlockingIOError:
        pass
    return b"".join(pieces)


@pytest.fixture
def loop():
    made = Loop(MemoryLines())
    yield made
    made.live.close()


def test_who_falls_too_far_behind_what_comes_is_dropped_and_the_others_go_on(loop):
    slow, _ = loop.open(Lines(every))
    _, quick = loop.open(Lines(every))
    read = b""
    for _ in range(3 * BEHIND_AT_MOST // len(LINE) + 40):
        seq = loop.lines.write("T", LINE)

        def seen(seq=seq):
            nonlocal read
            read += taken(quick)
            return b"id: %d\n" % seq in read

        loop.turn_until(seen)
        assert len(slow.out) <= BEHIND_AT_MOST
    assert loop.dropped == [slow] and loop.slow._value.get() == 1
    assert read.count(b"data: ") == seq and len(loop.live) == 1


def test_who_comes_late_is_told_all_piece_by_piece_and_is_not_dropped_for_it(loop):
    for _ in range(100):
        loop.lines.write("T", LINE)
    late, reader = loop.open(Lines(every), after=1)
    read = b""

    def seen():
        nonlocal read
        assert len(late.out) <= BEHIND_AT_MOST
        read += taken(reader)
        return b"id: 100\n" in read

    loop.turn_until(seen)
    assert read.count(b"data: ") == 99 and not loop.dropped


def test_who_asks_for_changes_is_told_the_newest_alone(loop):
    for _ in range(50):
        loop.lines.write("T", LINE)
    _, reader = loop.open(Changes(), after=3)
    loop.turn_until(lambda: (read := taken(reader)) and read == b"id: 50\nevent: changed\ndata: 50\n\n")


def test_a_kind_that_fails_ends_its_own_streams_alone(loop):
    def fails(row):
        raise LookupError(row.seq)

    false, _ = loop.open(Lines(fails))
    _, reader = loop.open(Lines(every))
    loop.lines.write("T", LINE)
    loop.turn_until(lambda: b"id: 1\n" in taken(reader))
    loop.turn_until(lambda: loop.ended == [false])
    loop.lines.write("T", LINE)
    loop.turn_until(lambda: b"id: 2\n" in taken(reader))


def test_a_log_that_is_away_ends_no_stream_and_what_was_written_comes_when_it_is_back(loop):
    _, reader = loop.open(Lines(every))
    asked, lines = [], loop.lines.lines

    def away(*arguments):
        asked.append(arguments)
        raise LogUnavailable("away")

    loop.lines.lines = away
    loop.lines.write("T", LINE)
    loop.turn_until(lambda: len(asked) >= 2)
    loop.lines.lines = lines
    loop.turn_until(lambda: b"id: 1\n" in taken(reader))
    assert not loop.dropped and not loop.ended


def test_a_reader_that_leaves_is_noticed_though_nothing_comes(loop):
    gone, reader = loop.open(Lines(every))
    reader.close()
    loop.turn_until(lambda: loop.dropped == [gone])
    assert len(loop.live) == 0


@pytest.mark.parametrize(
    ("kind", "life"), [(Changes(), b"event: beat\ndata: 1"), (Lines(every), b": at 1")], ids=["pages", "programs"]
)
def test_a_quiet_stream_shows_life(kind: Kind, life: bytes):
    loop = Loop(MemoryLines(), heartbeat=0.02)
    loop.lines.write("T", LINE)
    _, reader = loop.open(kind, after=1)
    read = b""

    def seen():
        nonlocal read
        read += taken(reader)
        return read.count(life + b"\n\n") >= 3

    loop.turn_until(seen)
    assert set(read.split(b"\n\n")) == {life, b""}
    loop.live.close()


def waiting(loop, after: int) -> tuple[object, list]:
    """A request that waits for a line, and whether its place was given back."""
    conn, closed = object(), []
    loop.live.wait(conn, SimpleNamespace(t="T", after=after, close=lambda: closed.append(True)))
    return conn, closed


def test_a_request_that_waits_for_a_line_is_brought_when_it_is_there_or_its_time_is_over(loop):
    second, closed = waiting(loop, 2)
    loop.lines.write("T", LINE)
    never, _ = waiting(loop, 1000)
    loop.lines.write("T", LINE)
    loop.turn_until(lambda: loop.brought)
    assert (loop.brought, closed) == ([second], [True])
    loop.turn_until(lambda: loop.brought == [second, never])


def test_request_that_waits_for_an_event_gets_it_after_all_streams_have_ended(loop):
    conn, closed = waiting(loop, 1)
    loop.live.close()
    assert (loop.brought, closed) == ([], [])
    loop.lines.write("T", LINE)
    loop.turn_until(lambda: loop.brought)
    assert (loop.brought, closed) == ([conn], [True])
