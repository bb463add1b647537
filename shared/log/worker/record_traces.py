"""The traces of requests whose records a follower has taken."""

from collections.abc import Mapping
from typing import Any

import structlog

from shared.core.terms import Source, service_of
from shared.log.kafka.broker import traceparent_of
from shared.log.sql.worker_state import Position

_log = structlog.get_logger("follower")


def log_traces(source: Source, polled: Mapping[Any, Any], moved: Mapping[tuple[str, int], Position]) -> None:
    """Log which records of a traced request a service's follower has gone past, each once, when it is committed."""
    for tp, records in polled.items():
        after = moved[tp.topic, tp.partition].next if (tp.topic, tp.partition) in moved else 0
        for record in records:
            trace = traceparent_of(record.headers) if record.headers and record.offset < after else None
            if trace is not None:
                place = {"topic": record.topic, "partition": record.partition, "offset": record.offset}
                _log.info("followed", service=service_of(source), traceparent=trace, **place)
