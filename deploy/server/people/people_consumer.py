"""The part of standings' worker that keeps the projection of people up to date: a member of a Kafka consumer group.

The group shares the tournaments among workers and shows the lag to Kafka's own tools. It decides nothing: a record only says
that its tournament has changed. The events that are projected come from the ledger, where standings' follower has accepted them.
"""

import threading
import time
from functools import partial
from typing import Any

from kafka.errors import KafkaError

from deploy.server.projector import rest_after
from services.standings.people.projection import project, project_outdated
from shared import structured_log
from shared.desk.desk import Desk
from shared.log.kafka import consumer
from shared.log.kafka.broker import PEOPLE_GROUP, TOURNAMENTS, Broker
from shared.log.port import LogFull, LogUnavailable

_POLL_MS = 500
_AGAIN_SECONDS = 1.0
_SESSION_MS = 10_000
"""How long the group waits for a worker that has died before others take its tournaments."""


class PeopleConsumer:
    """Projects tournaments of the partitions that the group assigns to this worker, until ``stop`` is set.

    Offsets are committed after the database. They are for display: after each assignment, tournaments whose records miss
    events are found in the database. If two workers project one tournament, the later records win.
    """

    def __init__(self, desk: Desk, broker: Broker, stop: threading.Event) -> None:
        self._desk, self._broker, self._stop = desk, broker, stop

    def run(self) -> None:
        while not self._stop.is_set():
            try:
                self._session()
            except (KafkaError, LogUnavailable, LogFull, OSError) as problem:
                structured_log.logger().warning("people: beginning again", problem=repr(problem))
                self._stop.wait(_AGAIN_SECONDS)
            except Exception as problem:
                structured_log.crash("people", problem)  # Relay and follower of this worker continue.
                self._stop.wait(_AGAIN_SECONDS)

    def _session(self) -> None:
        reader = consumer.open_consumer(
            self._broker, group_id=PEOPLE_GROUP, auto_offset_reset="earliest", session_timeout_ms=_SESSION_MS
        )
        try:
            reader.subscribe([TOURNAMENTS])
            self._follow(reader)
        finally:
            reader.close()

    def _follow(self, reader: Any) -> None:
        log, folds = self._desk.log, self._desk.folds
        count, mine, changed = len(consumer.partitions(reader, TOURNAMENTS)), set[int](), set[str]()
        while not self._stop.is_set():
            for records in reader.poll(timeout_ms=_POLL_MS).values():
                changed |= {(record.key or b"").decode("utf-8", "replace") for record in records}
            assigned = {place.partition for place in reader.assignment()}
            if assigned != mine:
                project_outdated(log, folds, partial(_is_in, assigned, count))
                mine = assigned
            if changed and self._desk.caught_up():
                began = time.thread_time()
                folds.refresh()
                project(log, folds, sorted(changed))
                changed.clear()
                reader.commit()
                self._stop.wait(rest_after(time.thread_time() - began))


def _is_in(partitions: set[int], count: int, tournament: str) -> bool:
    """Return whether one of these partitions, of ``count``, has the records of a tournament."""
    return consumer.partition_of(tournament, count) in partitions
