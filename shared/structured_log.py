"""Structured logs: one JSON object per line on standard error, without texts, bodies, queries or tokens."""

import atexit
import json
import logging
import os
import sys
import threading
import time
import traceback
from contextlib import suppress
from datetime import UTC, datetime
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from structlog.typing import EventDict, FilteringBoundLogger

_FRAMES = 20
_GATHER_SECONDS = 0.02
"""Time in which lines are gathered for one write, so that threads that answer are not interrupted by each line."""
_WAITING_AT_MOST = 10_000
"""Maximum number of lines that wait while standard error is not read. Beyond it, a thread that logs waits too."""


def _line(event: dict[str, Any]) -> str:
    try:
        return msgspec.json.encode(event, enc_hook=repr).decode()
    except (TypeError, ValueError):  # a key that is not a string, a lone surrogate
        return json.dumps(event, default=repr)


def _print(events: list[dict[str, Any]]) -> None:
    """Write events to the present standard error. A log that cannot be written fails no request."""
    with suppress(OSError, ValueError):
        sys.stderr.write("".join([f"{_line(event)}\n" for event in events]))
        sys.stderr.flush()


class _Writer:
    """Writes events to standard error: at once, or by a queue and its thread after `start`."""

    def __init__(self) -> None:
        self._queue: SimpleQueue[dict[str, Any] | None] = SimpleQueue()
        self._thread: threading.Thread | None = None
        os.register_at_fork(after_in_child=self._forget)  # a child has the queue but not its thread

    def start(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="log", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Write the waiting lines. Later ones are written at once."""
        thread, self._thread = self._thread, None
        if thread is not None:
            self._queue.put(None)
            thread.join()
            self._drain()

    def _run(self) -> None:
        ended = False
        while not ended:
            first = self._queue.get()
            time.sleep(_GATHER_SECONDS)
            ended = self._drain(first)

    def _drain(self, *first: dict[str, Any] | None) -> bool:
        """Write these events and all that wait. Return whether the end is among them."""
        waiting = list(first)
        with suppress(Empty):
            while True:
                waiting.append(self._queue.get_nowait())
        _print([event for event in waiting if event is not None])
        return None in waiting

    def _forget(self) -> None:
        self._thread, self._queue = None, SimpleQueue()

    def write(self, **event: Any) -> None:
        if self._thread is None or self._queue.qsize() >= _WAITING_AT_MOST:
            _print([event])
            return
        self._queue.put(event)
        if self._thread is None:  # stopped after the check above
            self._drain()

    debug = info = warning = error = write


_WRITER = _Writer()
atexit.register(_WRITER.stop)
_BOUND: "list[FilteringBoundLogger]" = []
"""The configured logger. Binding one again for each line takes as long as everything else."""


def _timed(logger: Any, name: str, event: "EventDict") -> "EventDict":
    event["time"] = datetime.now(UTC).isoformat().replace("+00:00", "Z")
    return event


def configure(level: int = logging.INFO) -> None:
    """Log as JSON lines to standard error, from ``level`` on."""
    import structlog  # takes long, and many commands log nothing

    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger(level),
        processors=[
            structlog.processors.add_log_level,
            _timed,
        ],
        logger_factory=lambda *names: _WRITER,
        cache_logger_on_first_use=False,
    )
    _BOUND[:] = [structlog.get_logger().bind()]


def write_beside() -> None:
    """Make a separate thread write the lines, until the process ends or `write_at_once` is called."""
    _WRITER.start()


def write_at_once() -> None:
    """Write the waiting lines. From now on, a thread that logs writes its own line."""
    _WRITER.stop()


def logger() -> "FilteringBoundLogger":
    """Return the logger of the process. If it is not configured, only warnings and errors are logged."""
    import structlog

    if not structlog.is_configured():
        configure(logging.WARNING)
    return _BOUND[0]


def crash(incident: str, problem: BaseException, **more: Any) -> None:
    """Log a crash by the type of the exception and its frames, without the message, which may contain a text."""
    frames = traceback.extract_tb(problem.__traceback__)[-_FRAMES:]
    where = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]
    logger().error("crash", incident=incident, exception=type(problem).__qualname__, frames=where, **more)
