"""``arbiter rebuild``: what was lost, made anew from what is left."""

from collections.abc import Sequence
from pathlib import Path

import click

from deploy.cli.distributed import databases_option, kafka_cluster, service_logs
from deploy.cli.terminal.options import data_option
from deploy.cli.terminal.output import note
from deploy.failure import Failure
from deploy.server.data_folder import data_folder
from deploy.server.settings import SERVICES
from shared.core.language.messages import message_of, say


@click.group()
def rebuild() -> None:
    """Make anew what was lost, from what is left. Stop the workers first."""


@rebuild.command("ledger")
@click.argument("service", type=click.Choice(tuple(SERVICES)))
@data_option
@databases_option
def rebuild_ledger(service: str, data: Path | None, databases: Sequence[str]) -> None:
    """A service's ledger, from the topics: read beside the old one, compared with it, then put in its place.

    Where the topic lacks a line that the ledger has, the ledger stays as it is. The data folder has pairing's public key:
    a tournament that the ledger did not have is announced by it, or stands stopped.
    """
    from shared.audit.keys.key_files import BadKeys
    from shared.audit.keys.service_key_files import FOLDER, Announcers
    from shared.log.worker import ledger_rebuild
    from shared.log.worker.exclusive_access import NotPossible

    with service_logs(databases, (service,), data) as (log,), kafka_cluster() as cluster:
        try:
            rebuilt = ledger_rebuild.rebuild_ledger(log, cluster, Announcers(data_folder(data) / FOLDER))
        except BadKeys as problem:
            raise Failure(message_of(problem)) from None
        except NotPossible as problem:
            raise Failure(message_of(problem), 1) from None
    for stream, seq in rebuilt.changed.items():
        note(say("{t}: line {seq} was another one", t=stream.partition("/")[2], seq=seq))
    note(say("the ledger of {service} is read again: {lines} lines", service=service, lines=rebuilt.lines))


@rebuild.command("topics")
@databases_option
def rebuild_topics(databases: Sequence[str]) -> None:
    """The topics: from the longest ledger, then from what each service wrote. Needs all four databases."""
    from shared.log.worker import repair
    from shared.log.worker.exclusive_access import NotPossible

    with kafka_cluster() as cluster, service_logs(databases, tuple(SERVICES)) as logs:
        try:
            counts = repair.rebuild_topics(logs, cluster)
        except NotPossible as problem:
            raise Failure(message_of(problem), 1) from None
    for topic, records in counts.items():
        note(say("{topic}: {records} records", topic=topic, records=records))
