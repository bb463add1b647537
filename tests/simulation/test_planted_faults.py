"""The simulation finds faults: each of these, planted in the product, is found within 1,000 histories."""

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import pytest
import sqlalchemy as sa

from shared.log.distributed import DistributedLog
from shared.log.sql import owners
from shared.log.sql.statements import DatabaseTransaction
from shared.log.sql.tables import OUTBOX, POSITIONS
from shared.log.worker import follower, outbox_numbers, relay, restore
from shared.log.worker.waiting_records import WaitingRecords
from tests.simulation import seams
from tests.simulation.campaign import first_failure
from tests.simulation.opening import opening

HISTORIES = 1000
"""How many histories may be needed to find a fault."""


def _deletes_before_confirmation() -> Any:
    """Make the relay delete rows as soon as they are sent."""
    original = WaitingRecords.next_rows

    def next_rows(self: Any, connection: Any, flying: Any, room: int) -> Any:
        rows = original(self, connection, flying, room)
        connection.execute(sa.delete(OUTBOX).where(OUTBOX.c.id.in_([row.id for row in rows])))
        return rows

    return patch.object(WaitingRecords, "next_rows", next_rows)


def _positions_in_another_transaction() -> Any:
    """Make the follower commit its positions before the events."""

    def take(self: Any, lock: Any, held: Any, polled: Any, count: int) -> None:
        with lock.begin() as connection:
            for tp, records in polled.items():
                place = POSITIONS.c.reader == "follower", POSITIONS.c.topic == tp.topic
                connection.execute(
                    sa.update(POSITIONS)
                    .where(*place, POSITIONS.c.partition == tp.partition)
                    .values(next=records[-1].offset + 1, digest=follower.sha256(records[-1].value or b"").hexdigest())
                )
        return original(self, lock, held, polled, count)

    def positions(connection: Any, reader: str) -> Any:
        return _Anything()

    original = follower.Follower._take
    return _both(
        patch.object(follower.Follower, "_take", take),
        patch.object(follower.worker_state, "positions", positions),
    )


class _Anything(dict[Any, Any]):
    """Positions that are always where the follower left them."""

    def get(self, place: Any, default: Any = None) -> Any:
        return _Equal()


class _Equal:
    def __ne__(self, other: object) -> bool:
        return False

    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        return True


def _does_not_wait_for_the_text() -> Any:
    """Make the relay send an event before the text that it names is confirmed."""
    return patch.object(relay, "TEXTS", "no topic")


def _sends_again_without_order() -> Any:
    """Make the producer send a record again after later ones."""
    original = seams._Producer.__init__

    def init(self: Any, broker: Any) -> None:
        original(self, broker)
        self._idempotent = False

    return patch.object(seams._Producer, "__init__", init)


def _restores_no_first_record() -> Any:
    """Make the restore skip a record."""
    original = restore._put_back

    def put_back(log: Any, lock: Any, records: Any, *rest: Any) -> int:
        return original(log, lock, records[1:], *rest)

    return patch.object(restore, "_put_back", put_back)


def _keeps_answers_later() -> Any:
    """Store the answer of an idempotency key only after the commit, and do not find its command otherwise."""
    later: deque[Any] = deque()
    begin = DistributedLog.transaction

    def keep(self: Any, answers: Any) -> None:
        later.append(answers)

    @contextmanager
    def transaction(self: Any, streams: Any = ()) -> Iterator[Any]:
        with begin(self, streams) as tx:
            yield tx
        if later:
            with self.begin() as connection:
                original(DatabaseTransaction(connection), later.popleft())

    original = DatabaseTransaction.keep
    return _both(
        patch.object(DatabaseTransaction, "keep", keep),
        patch.object(DatabaseTransaction, "by_commands", lambda self, commands: []),
        patch.object(DistributedLog, "transaction", transaction),
    )


def _sends_outbox_in_another_transaction() -> Any:
    """Events are committed, and the records for the relay later."""
    from shared.log.distributed_transaction import DistributedTransaction

    later: deque[Any] = deque()
    begin, send = DistributedLog.transaction, DistributedTransaction._send

    @contextmanager
    def transaction(self: Any, streams: Any = ()) -> Iterator[Any]:
        with begin(self, streams) as tx:
            yield tx
        while later:
            with self.begin() as connection:
                send(DistributedTransaction(connection, self.source), later.popleft())

    return _both(
        patch.object(DistributedTransaction, "_send", lambda self, records: later.append(records)),
        patch.object(DistributedLog, "transaction", transaction),
    )


def _numbers_again() -> Any:
    """Make the relay give another number to a record that it sends again."""

    def load(self: Any, connection: Any) -> Any:
        last = original(self, connection)
        self._given.clear()
        return last

    original = outbox_numbers.OutboxNumbers._load
    return patch.object(outbox_numbers.OutboxNumbers, "_load", load)


def _has_no_fence() -> Any:
    """Let a worker write that has lost its partitions."""
    return patch.object(owners, "fence", lambda connection, claims: None)


@contextmanager
def _both(*patches: Any) -> Iterator[None]:
    with patches[0]:
        if len(patches) == 1:
            yield
        else:
            with _both(*patches[1:]):
                yield


FAULTS: dict[Callable[[], Any], int] = {
    _deletes_before_confirmation: 35,
    _positions_in_another_transaction: 1,
    _does_not_wait_for_the_text: 1,
    _sends_again_without_order: 1,
    _restores_no_first_record: 70,
    _keeps_answers_later: 1,
    _sends_outbox_in_another_transaction: 1,
    _numbers_again: 35,
    _has_no_fence: 25,
}
"""The seed of the first history. It is later if the histories before it, from seed 1, do not find the fault."""


@pytest.mark.parametrize(("plant", "first"), FAULTS.items(), ids=[plant.__name__.strip("_") for plant in FAULTS])
def test_planted_fault_is_found(plant, first):
    with seams.seams():
        opening()  # without the fault: every history begins with it
        with plant():
            found = first_failure(range(first, first + HISTORIES))
    assert found is not None
    seed, problems = found
    print(f"seed {seed}: {problems[0]}")
