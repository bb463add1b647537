"""Real servers for tests, each on a free port: Kafka, PostgreSQL, nginx.

Where this machine lacks one, its tests are skipped, and say so; in CI (``CI`` set) that is a failure.
"""

import atexit
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import pytest

from deploy.server import settings
from shared.log.kafka.broker import Broker
from tests.programs import needed
from tests.stack import kafka as local_kafka
from tests.stack import postgres as local_postgres
from tests.stack import stack
from tests.stack.kafka import Kafka
from tests.stack.postgres import Postgres

Running = TypeVar("Running", Kafka, Postgres)
STACK = pytest.mark.xdist_group("stack")
"""Tests on the whole stack run one after the other, on one of the test processes."""
SERVERS = pytest.mark.xdist_group("servers")
"""So do those that start a broker or a database of their own."""


@contextmanager
def broker(folder: Path, extra: dict[str, str] | None = None) -> Iterator[Kafka]:
    """A broker that can be killed, paused and started again."""
    needed(local_kafka.missing())
    yield from _running(Kafka(folder, extra))


@contextmanager
def database(folder: Path, options: dict[str, str] | None = None) -> Iterator[Postgres]:
    """A cluster that can be killed, paused and started again; ``options`` are settings of the server."""
    needed(local_postgres.missing())
    yield from _running(Postgres(folder, options={**local_postgres.UNSYNCED, **(options or {})}))


def _running(made: Running) -> Iterator[Running]:
    try:
        made.start()
        yield made
    finally:
        made.end()


@contextmanager
def kafka(folder: Path) -> Iterator[str]:
    """The address of a running broker."""
    with broker(folder) as made:
        yield made.bootstrap


@contextmanager
def postgres(folder: Path) -> Iterator[str]:
    """SQLAlchemy's address of a running cluster's database ``postgres``."""
    with database(folder) as made:
        yield made.url()


def broker_as(made: stack.Stack, user: str = "admin") -> Broker:
    """Return the broker of a stack for one of its users: admin or a service."""
    password = made.passwords[f"{user}.kafka"]
    return settings.broker({"ARBITER_KAFKA": made.kafka, "ARBITER_KAFKA_PASSWORD": password, **made.cluster()}, user)


def whole_stack() -> None:
    """Skip (in CI: fail) where one of the three is missing."""
    needed(*stack.missing())


def enterable(folder: Path) -> Path:
    """A folder that the user PostgreSQL runs as may walk to, where this process is root: one apart from pytest's."""
    if os.geteuid() != 0:
        return folder
    made = Path(tempfile.mkdtemp(prefix="arbiter-stack-"))
    made.chmod(0o711)
    shutil.rmtree(folder)
    folder.symlink_to(made)
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return made
