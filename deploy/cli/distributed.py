"""``arbiter topics``, ``rebuild`` and ``resume``: what an operator of the distributed system mends it with.

Databases and brokers are those of the environment (see `deploy.server.settings`), unless an option names others.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from deploy.cli.common import Failure, told
from deploy.server.settings import SERVICES, BadSetting, broker

if TYPE_CHECKING:
    from shared.log.distributed import ApartLog
    from shared.log.kafka.broker import Broker

ENVIRONMENT = "ARBITER_DATABASES"
databases_option = click.option(
    "--database", "databases", multiple=True, metavar="SERVICE=URL", envvar=ENVIRONMENT,
    help=f"A service's database; several (or {ENVIRONMENT}, with spaces).",
)  # fmt: skip


@click.command()
def topics() -> int:
    """Make the three topics and, where Kafka asks for names, who may use them; then check their settings."""
    from shared.log.kafka import acls
    from shared.log.kafka import topics as log_topics

    with reached() as cluster:
        for name in log_topics.create(cluster):
            told(f"made {name}")
        if cluster.security:
            told(f"{acls.grant(cluster)} rules of who may read and write")
        wrong = log_topics.check(cluster)
    for line in wrong:
        click.echo(line)
    if not wrong:
        told("the topics are as they are to be")
    return 1 if wrong else 0


@click.group()
def rebuild() -> None:
    """Make anew what was lost, from what is left. Stop the workers first."""


@rebuild.command("ledger")
@click.argument("service", type=click.Choice(tuple(SERVICES)))
@databases_option
def rebuild_ledger(service: str, databases: Sequence[str]) -> None:
    """A service's ledger, from the topics: it is forgotten, and its worker reads it again."""
    from shared.log.worker import repair as log_rebuild

    with logs_of(databases, (service,)) as (log,):
        try:
            log_rebuild.rebuild_ledger(log)
        except log_rebuild.NotPossible as problem:
            raise Failure(str(problem), 1) from None
    told(f"the ledger of {service} is forgotten; its worker reads it again when it starts")


@rebuild.command("topics")
@databases_option
def rebuild_topics(databases: Sequence[str]) -> None:
    """The topics: from the longest ledger, then from what each service wrote. Needs all four databases."""
    from shared.log.worker import repair as log_rebuild

    with reached() as cluster, logs_of(databases, tuple(SERVICES)) as logs:
        try:
            made = log_rebuild.rebuild_topics(logs, cluster)
        except log_rebuild.NotPossible as problem:
            raise Failure(str(problem), 1) from None
    for topic, records in made.items():
        told(f"{topic}: {records} records")


@click.command()
@click.argument("tournament")
@databases_option
def resume(tournament: str, databases: Sequence[str]) -> int:
    """Go on past the fork or other root at which services stopped a tournament.

    The ledgers of the databases named are compared first: where they differ, nothing goes on.
    """
    from shared.desk.views import stream_of
    from shared.log.worker import compare

    found, stream = False, stream_of(tournament)
    with logs_of(databases, ()) as logs:
        try:
            size = len(compare.longest(logs, stream).lines(stream))
        except compare.Differ as problem:
            raise Failure(f"{problem}: `arbiter rebuild ledger SERVICE` for those that are wrong", 1) from None
        told(f"{len(logs)} ledgers agree on the {size} lines of {tournament}")
        for log in logs:
            why = log.parked().get(stream)
            if why is not None and log.resume(stream):
                found = True
                told(f"{log.source}: goes on past: {why}")
    if not found:
        told(f"no service has stopped {tournament}")
    return 0 if found else 1


# ---------------------------------------------------------------- what they work on


@contextmanager
def reached() -> Iterator["Broker"]:
    """The environment's cluster; what Kafka says ends the command in one line."""
    from kafka.errors import KafkaError

    try:
        yield broker()
    except BadSetting as problem:
        raise Failure(str(problem)) from None
    except KafkaError as problem:
        raise Failure(f"Kafka at {os.environ.get('ARBITER_KAFKA')}: {problem or type(problem).__name__}") from None


def addresses(said: Sequence[str]) -> dict[str, str]:
    """Service -> its database: those named, else that of the service that the environment is."""
    found: dict[str, str] = {}
    for one in said:
        service, _, url = one.partition("=")
        if service not in SERVICES or not url:
            raise click.UsageError(f"{service!r} is no SERVICE=URL; services are {', '.join(SERVICES)}")
        found[service] = url
    own, url = os.environ.get("ARBITER_SERVICE"), os.environ.get("ARBITER_DATABASE_URL")
    if not found and own in SERVICES and url:
        found[own] = url
    return found


@contextmanager
def logs_of(said: Sequence[str], needed: Sequence[str]) -> Iterator[tuple["ApartLog", ...]]:
    """The logs of the databases named; only the ``needed`` where some are, all of which must be there."""
    from shared.log.distributed import ApartLog
    from shared.log.port import LogAway

    found = addresses(said)
    missing = [service for service in needed if service not in found]
    if missing or not found:
        raise click.UsageError(f"--database SERVICE=URL is missing for {', '.join(missing) or 'the service'}")
    made: list[ApartLog] = []
    try:
        for service in needed or found:
            made.append(ApartLog(found[service], SERVICES[service]))
        yield tuple(made)
    except LogAway as problem:
        raise Failure(f"a database does not answer: {problem}") from None
    finally:
        for log in made:
            log.close()
