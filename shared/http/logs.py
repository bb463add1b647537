"""Structured logs: a JSON object a line on standard error; no texts, bodies, queries or tokens in them."""

import sys
import traceback
from typing import Any, cast

import structlog

_HERE = 20


def configure() -> None:
    """Log as JSON lines to standard error."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True, key="time"),
            structlog.processors.JSONRenderer(ensure_ascii=False),
        ],
        logger_factory=structlog.WriteLoggerFactory(file=sys.stderr),
        cache_logger_on_first_use=False,
    )


def logger() -> structlog.typing.FilteringBoundLogger:
    return cast(structlog.typing.FilteringBoundLogger, structlog.get_logger())


def crash(incident: str, problem: BaseException, **told: Any) -> None:
    """Log where a request crashed: the type and the frames, not the message, which may hold a text."""
    frames = traceback.extract_tb(problem.__traceback__)[-_HERE:]
    where = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]
    logger().error("crash", incident=incident, exception=type(problem).__qualname__, frames=where, **told)
