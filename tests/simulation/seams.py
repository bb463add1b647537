"""The seams between product and model: its clock, its threads, its random numbers, its databases and its Kafka clients."""

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import kafka
import psycopg  # noqa: F401  the product translates its errors only once it is imported

import shared.log.distributed
import shared.log.texts
from shared import structured_log
from shared.desk import batch, requests, writer
from shared.desk.keys import key_rotation
from shared.log.kafka import consumer, producer, topics
from shared.log.sql import notifications, owners
from shared.log.sql.statements import run
from shared.log.worker import membership, relay, repair, topic_check, worker_lock
from tests.simulation import scheduler as tasks
from tests.simulation.broker import ModelAdmin, ModelConsumer, ModelProducer
from tests.simulation.house import House
from tests.simulation.scheduler import EPOCH, current

_FAKES = {threading: tasks.THREADING, time: tasks.TIME, sys.modules["queue"]: tasks.QUEUE}
_SIMULATED = ("shared.log.", "shared.desk.")


class _Ids:
    """`uuid_utils` and `secrets`, from the seed."""

    @staticmethod
    def uuid7() -> str:
        milliseconds = int((EPOCH + current().now) * 1000)
        number = (milliseconds << 80) | current().rng.getrandbits(80)
        number = number & ~(0xF << 76) & ~(0x3 << 62) | 0x7 << 76 | 0x2 << 62
        text = f"{number:032x}"
        return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"

    @staticmethod
    def token_hex(size: int) -> str:
        return f"{current().rng.getrandbits(8 * size):0{2 * size}x}"


class _Notes:
    """The log of the product's parts: a line of the trace."""

    def _write(self, event: str, **values: object) -> None:
        told = " ".join(str(values[name]) for name in ("problem", "why", "lines") if name in values)
        current().note(f"{event}: {told}"[:160])

    debug = info = warning = error = _write


_NEWS = "SELECT (SELECT max(pos) FROM ledger), (SELECT sum(next) FROM positions), (SELECT count(*) FROM stopped)"


class _Notifier(notifications.ChangeNotifier):
    """Hears of every commit, as from PostgreSQL."""

    def _look(self, connection: Any) -> None:
        (database,) = (d for d in _HOUSES[-1].databases.values() if d.reader is self._engine)
        self._notify()
        while not self._stop.is_set():
            if database.wait_for(_NEWS, 1.0):
                self._notify()


class _Asked(producer.Producer):
    """The relay's producer, before it is opened."""

    def __del__(self) -> None:
        """Close nothing."""


class _Producer(ModelProducer):
    """The relay's producer, with the options that it gives to `kafka.KafkaProducer`."""

    def __init__(self, broker: Any) -> None:
        options: dict[str, Any] = {}
        with patch.object(kafka.KafkaProducer, "__init__", lambda self, **given: options.update(given)):
            _Asked(broker)
        super().__init__(**options)


_HOUSES: list[House] = []


def _crash(incident: str, problem: BaseException, **more: Any) -> None:
    current().failures.append((incident, problem))


_SHORTER = (
    (relay, "SEND_SECONDS", 3),
    (producer, "SEND_SECONDS", 3),
    (topic_check, "_LOOK_SECONDS", 5.0),
    (consumer, "_PATIENCE", 6),
    (membership, "_SESSION_MS", 2000),
    (owners, "LEASE_SECONDS", 4.0),
)
"""Limits that are shortened, so that histories are short; those of the model's clients are too."""


@contextmanager
def seams() -> Iterator[None]:
    """Run the product on the model for the duration of a block, as for as many histories as wanted."""
    random = SimpleNamespace(uuid7=_Ids.uuid7, token_hex=_Ids.token_hex)
    with ExitStack() as stack:
        for name, module in list(sys.modules.items()):
            if name.startswith(_SIMULATED):
                for attribute, value in list(vars(module).items()):
                    if isinstance(value, type(sys)) and value in _FAKES:
                        stack.enter_context(patch.object(module, attribute, _FAKES[value]))
                    elif attribute == "_log":
                        stack.enter_context(patch.object(module, attribute, _Notes()))
        for module in (batch, requests, writer, key_rotation):
            stack.enter_context(patch.object(module, "uuid_utils", random))
        stack.enter_context(patch.object(shared.log.texts, "secrets", random))
        stack.enter_context(patch.object(structured_log, "crash", _crash))
        stack.enter_context(patch.object(consumer, "KafkaConsumer", ModelConsumer))
        stack.enter_context(patch.object(topics, "KafkaAdminClient", ModelAdmin))
        stack.enter_context(patch.object(repair, "KafkaProducer", ModelProducer))
        stack.enter_context(patch.object(relay, "Producer", _Producer))
        stack.enter_context(patch.object(shared.log.distributed, "ChangeNotifier", _Notifier))
        stack.enter_context(patch.object(shared.log.distributed, "open_url", _opened))
        stack.enter_context(patch.object(worker_lock, "hold", _hold))
        stack.enter_context(patch.object(owners, "fence", _fence))
        stack.enter_context(patch.object(membership, "member_name", _member_name))
        for module, name, value in _SHORTER:
            stack.enter_context(patch.object(module, name, value))
        yield


def _opened(url: str) -> tuple[Any, Any]:
    (database,) = (database for database in _HOUSES[-1].databases.values() if database.name == url)
    return database.writer, database.reader


def _hold(*asked: Any) -> Any:
    return _HOUSES[-1].hold(*asked)


def _fence(connection: Any, claims: owners.Claims) -> None:
    """`owners.fence`, whose statement only PostgreSQL has: no other transaction runs at the same time here."""
    rows = run(connection, "SELECT partition, epoch FROM owners WHERE member = %s", (claims.member,))
    if claims.epochs.items() - set(rows.fetchall()):
        raise owners.Fenced(f"another worker has claimed a partition of {claims.member}")


def _member_name() -> str:
    task = current().task
    assert task is not None
    return task.process.name


def use(house: House) -> None:
    """Use these services for the history that begins."""
    _HOUSES[:] = [house]
