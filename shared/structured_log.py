"""Structured logs: a JSON object a line on standard error; no texts, bodies, queries or tokens in them."""

import logging
import sys
import traceback
from contextlib import suppress
from typing import Any, TextIO, cast

import structlog

_HERE = 20


class _StandardError:
    """Standard error as it is now. A log that cannot be written fails no request."""

    def write(self, text: str) -> int:
        with suppress(OSError, ValueError):
            return sys.stderr.write(text)
        return 0

    def flush(self) -> None:
        with suppress(OSError, ValueError):
            sys.stderr.flush()


def configure(level: int = logging.INFO) -> None:
    """Log as JSON lines to standard error, from ``level`` on."""
    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger(level),
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True, key="time"),
            structlog.processors.JSONRenderer(ensure_ascii=False),
        ],
        logger_factory=structlog.WriteLoggerFactory(file=cast(TextIO, _StandardError())),
        cache_logger_on_first_use=False,
    )


def logger() -> structlog.typing.FilteringBoundLogger:
    """The process's logger; where nobody configured it, only what goes wrong is said."""
    if not structlog.is_configured():
        configure(logging.WARNING)
    return cast(structlog.typing.FilteringBoundLogger, structlog.get_logger())


def crash(incident: str, problem: BaseException, **told: Any) -> None:
    """Log where something crashed: the type and the frames, not the message, which may hold a text."""
    frames = traceback.extract_tb(problem.__traceback__)[-_HERE:]
    where = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]
    logger().error("crash", incident=incident, exception=type(problem).__qualname__, frames=where, **told)
