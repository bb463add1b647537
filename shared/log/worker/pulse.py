"""The sign of life of a follower, and its answer to those who ask whether it has been at the topics' end."""

import time
from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa
from kafka import TopicPartition

from shared.log.kafka import consumer
from shared.log.kafka.broker import MOVES
from shared.log.sql import worker_state
from shared.log.sql.tables import WORKER
from shared.log.sql.worker_state import Position
from shared.log.worker import worker_lock

_BEAT_SECONDS = 1.0
_ANSWER_SECONDS = 0.1  # somebody waits for the answer, so it comes sooner than a beat


class SessionEnded(Exception):
    """The session must begin again: a connection was made, or the database is not as this follower left it."""


class Pulse:
    """The worker's sign of life, and its answer to who asked whether it has been at the end."""

    def __init__(self, lock: worker_lock.Lock) -> None:
        self._lock = lock
        self._beat: int | None = None
        self._due = self._look = 0.0
        self._question: int | None = None
        self.ends: dict[tuple[str, int], int] = {}

    def beat(self, held: Mapping[tuple[str, int], Position]) -> None:
        """Once a second. Raises `SessionEnded` where the database is not the one of the last beat, or lacks what it had."""
        if time.monotonic() < self._due:
            return
        self._due = time.monotonic() + _BEAT_SECONDS
        with self._lock.begin() as connection:
            before = connection.execute(sa.select(WORKER.c.beat)).scalar_one()
            if self._beat is not None and before != self._beat:
                raise SessionEnded("the database was put back, or another follower works on it")
            if worker_state.ledger_end(connection) < max(position.ledger for position in held.values()):
                raise SessionEnded("the ledger lacks lines that it had")
            worker_state.beat(connection)
            self._beat = before + 1

    def question_is_open(self, held: Mapping[tuple[str, int], Position], reader: Any) -> bool:
        """Look, now and then, at the ends and at what was asked; answer once the positions are there.

        True where the ends were asked for anew.
        """
        if self._question is not None and all(
            held[place].next >= end for place, end in self.ends.items() if place[0] != MOVES
        ):
            with self._lock.begin() as connection:
                worker_state.answer(connection, self._question)
                worker_state.tell(connection)
            self._question = None
        if time.monotonic() < self._look:
            return False
        with self._lock.begin() as connection:
            open_questions, question = worker_state.open_questions(connection)
        self._look = time.monotonic() + (_ANSWER_SECONDS if open_questions else _BEAT_SECONDS / 2)
        ends = consumer.ends(reader, [TopicPartition(*place) for place in held])
        self.ends = {(tp.topic, tp.partition): end for tp, end in ends.items()}
        if open_questions and self._question is None:
            self._question = question
        return True
