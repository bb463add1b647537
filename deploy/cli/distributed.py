"""Databases and brokers of the distributed system: those of the environment, unless an option names others."""

import os
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from deploy.failure import Failure
from deploy.server.data_folder import named_folder
from deploy.server.settings import DATABASES, SERVICES, addresses, broker
from shared.core.language.messages import message_of, say

if TYPE_CHECKING:
    from shared.log.distributed import DistributedLog
    from shared.log.kafka.broker import Broker
    from shared.log.sqlite import SqliteLog
    from shared.signing.service_keys import ServiceKeys

databases_option = click.option(
    "--database", "databases", multiple=True, metavar="SERVICE=URL", envvar=DATABASES,
    help=f"Database of a service; may be repeated (default: {DATABASES}, separated by spaces).",
)  # fmt: skip


@contextmanager
def kafka_cluster() -> Iterator["Broker"]:
    """The environment's cluster; what Kafka says ends the command in one line."""
    from kafka.errors import KafkaError

    try:
        yield broker()
    except KafkaError as problem:
        raise Failure(
            say(
                "Kafka at {address}: {problem}",
                address=os.environ.get("ARBITER_KAFKA", ""),
                problem=str(problem) or type(problem).__name__,
            )
        ) from None


@contextmanager
def service_logs(
    options: Sequence[str], needed: Sequence[str], data: Path | None = None
) -> Iterator[tuple["DistributedLog", ...]]:
    """The logs of the databases named; only the ``needed`` where some are, all of which must be there.

    Raises `BadDatabase` for one that is another service's or another house's than that of the folder ``data`` or
    ``ARBITER_DATA``, before anything is read of any.
    """
    from deploy.server.service_database import check_address
    from shared.log.distributed import DistributedLog
    from shared.log.port import LogUnavailable

    urls = addresses(options)
    missing = [service for service in needed if service not in urls]
    if missing or not urls:
        raise Failure(
            say("--database SERVICE=URL is missing for {services}", services=tuple(missing) or say("the service"))
        )
    logs: list[DistributedLog] = []
    try:
        for service in needed or urls:
            check_address(urls[service], SERVICES[service], data or named_folder())
        for service in needed or urls:
            logs.append(DistributedLog(urls[service], SERVICES[service]))
        yield tuple(logs)
    except LogUnavailable as problem:
        raise Failure(say("a database does not answer: {problem}", problem=message_of(problem))) from None
    finally:
        for log in logs:
            log.close()


@contextmanager
def pairing_log(folder: Path, databases: Sequence[str]) -> Iterator[tuple["DistributedLog | SqliteLog", "ServiceKeys"]]:
    """Yield pairing's log, that of ``databases`` or else of the data folder, and pairing's key. Raises `BadKeys`."""
    from deploy.server.embedded import open_log, service_keys
    from deploy.server.keys.signing_key import LOG
    from shared.audit.keys import service_key_files
    from shared.core.terms import PAIRING

    if addresses(databases):
        with service_logs(databases, ("pairing",)) as (log,):
            yield log, service_key_files.load(folder, (PAIRING,))
        return
    if not (folder / LOG).exists():
        raise Failure(
            say(
                "database {path} does not exist; name another folder with --data, a server with --url, or --database pairing=URL",
                path=str(folder / LOG),
            )
        )
    with closing(open_log(folder)) as embedded:
        yield embedded, service_keys(folder)
