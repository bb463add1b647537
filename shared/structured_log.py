"""Structured logs: a JSON object a line on standard error; no texts, bodies, queries or tokens in them."""

import atexit
import json
import logging
import os
import sys
import traceback
from contextlib import suppress
from datetime import UTC, datetime
from logging.handlers import QueueListener
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from structlog.typing import EventDict, FilteringBoundLogger

_FRAMES = 20
_WAITING_AT_MOST = 10_000
"""Lines that wait for a standard error which is not read; beyond them whoever logs waits for it too."""


class _StandardError(logging.Handler):
    """Standard error as it is now. A log that cannot be written fails no request."""

    def handle(self, event: Any) -> bool:
        try:
            line = msgspec.json.encode(event, enc_hook=repr).decode()
        except (TypeError, ValueError):  # a key that is no string, a lone surrogate
            line = json.dumps(event, default=repr)
        with suppress(OSError, ValueError):
            sys.stderr.write(f"{line}\n")
            sys.stderr.flush()
        return True


class _Writer:
    """Where finished events go: to standard error at once, or, once started, by way of a queue and its thread."""

    def __init__(self) -> None:
        self._direct = _StandardError()
        self._queue: SimpleQueue[Any] = SimpleQueue()
        self._listener: QueueListener | None = None
        os.register_at_fork(after_in_child=self._forget)  # a child has the queue and not its thread

    def start(self) -> None:
        if self._listener is None:
            self._listener = QueueListener(self._queue, self._direct)
            self._listener.start()

    def stop(self) -> None:
        """Write what waits; what is logged from now on is written at once."""
        listener, self._listener = self._listener, None
        if listener is None:
            return
        listener.stop()
        self._drain()

    def _drain(self) -> None:
        with suppress(Empty):
            while True:
                self._direct.handle(self._queue.get_nowait())

    def _forget(self) -> None:
        self._listener, self._queue = None, SimpleQueue()

    def write(self, **event: Any) -> None:
        if self._listener is None or self._queue.qsize() >= _WAITING_AT_MOST:
            self._direct.handle(event)
            return
        self._queue.put(event)
        if self._listener is None:  # stopped since it was looked at
            self._drain()

    debug = info = warning = error = write


_WRITER = _Writer()
atexit.register(_WRITER.stop)
_BOUND: "list[FilteringBoundLogger]" = []
"""The logger as it is configured: binding one anew for each line takes as long as all the rest."""


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
    """From now on a thread of its own writes the lines, until the process ends or `write_at_once` is called."""
    _WRITER.start()


def write_at_once() -> None:
    """Write what waits; from now on whoever logs writes its line itself."""
    _WRITER.stop()


def logger() -> "FilteringBoundLogger":
    """Return the logger of the process. If it is not configured, only warnings and errors are logged."""
    import structlog

    if not structlog.is_configured():
        configure(logging.WARNING)
    return _BOUND[0]


def crash(incident: str, problem: BaseException, **more: Any) -> None:
    """Log where something crashed: the type and the frames, not the message, which may hold a text."""
    frames = traceback.extract_tb(problem.__traceback__)[-_FRAMES:]
    where = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]
    logger().error("crash", incident=incident, exception=type(problem).__qualname__, frames=where, **more)
