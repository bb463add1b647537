"""The sign of life of a follower, and its answer to those who ask whether it has been at the topics' end."""

import time
from collections.abc import Mapping
from typing import Any

from kafka import TopicPartition

from shared.log.kafka import consumer
from shared.log.kafka.broker import MOVES, TOURNAMENTS
from shared.log.sql import owners, worker_state
from shared.log.sql.worker_state import Position
from shared.log.worker import worker_lock

_BEAT_SECONDS = 1.0
_ANSWER_SECONDS = 0.1  # somebody waits for the answer, so it comes sooner than a beat


class SessionEnded(Exception):
    """The session must begin again: a connection was made, or the database is not as this follower left it."""


class Pulse:
    """The worker's sign of life, and its answer to who asked whether it has been at the end."""

    def __init__(self, lock: worker_lock.Lock) -> None:
        """``lock``: with the claims of a worker."""
        self._lock = lock
        self._beats: dict[int, int] | None = None
        self._due = self._look = 0.0
        self._question: int | None = None
        self.ends: dict[tuple[str, int], int] = {}
        """The ends at the last look: of the partitions that are followed, and of the whole official log."""

    def beat(self, held: Mapping[tuple[str, int], Position]) -> None:
        """Once a second. Raises `SessionEnded` where the database is not the one of the last beat, or lacks what it had."""
        if time.monotonic() < self._due:
            return
        self._due = time.monotonic() + _BEAT_SECONDS
        with self._lock.begin() as connection:
            before = owners.beats(connection, self._lock.partitions)
            if self._beats is not None and before != self._beats:
                raise SessionEnded("the database was put back, or another follower works on it")
            if worker_state.ledger_end(connection) < max(position.ledger for position in held.values()):
                raise SessionEnded("the ledger lacks lines that it had")
            owners.renew(connection, self._lock.partitions)
            worker_state.beat(connection)
        self._beats = {partition: beat + 1 for partition, beat in before.items()}

    def question_is_open(self, held: Mapping[tuple[str, int], Position], reader: Any) -> bool:
        """Look, now and then, at the ends and at what was asked; answer once the positions are there.

        True where the ends were asked for anew.
        """
        if self._question is not None and all(
            held[place].next >= end for place, end in self.ends.items() if place[0] != MOVES and place in held
        ):
            with self._lock.begin() as connection:
                owners.answer(connection, self._question, self._lock.partitions)
                worker_state.tell(connection)
            self._question = None
        if time.monotonic() < self._look:
            return False
        with self._lock.begin() as connection:
            question, is_open = owners.last_question(connection, self._lock.partitions)
        self._look = time.monotonic() + (_ANSWER_SECONDS if is_open else _BEAT_SECONDS / 2)
        official = consumer.partitions(reader, TOURNAMENTS)
        ends = consumer.ends(reader, sorted({*official, *(TopicPartition(*place) for place in held)}))
        self.ends = {(tp.topic, tp.partition): end for tp, end in ends.items()}
        if is_open and self._question is None:
            self._question = question
        return True
