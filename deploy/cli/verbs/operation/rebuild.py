"""``arbiter rebuild``: a lost ledger or lost topics, and projections, rebuilt from the rest of the system."""

from collections.abc import Sequence
from pathlib import Path

import click

from deploy.cli.client import databases_option, kafka_cluster, service_logs, standings_log
from deploy.cli.terminal.verb import Verb, VerbGroup, counted, data_option, note
from deploy.failure import Failure
from deploy.server.data_folder import data_folder
from deploy.server.settings import SERVICES
from shared.core.language.messages import message_of, say


@click.group(
    cls=VerbGroup,
    exits={1: say("The rebuild is not possible at present; nothing was changed.")},
    example="arbiter rebuild ledger pairing",
)
def rebuild() -> None:
    """Rebuild a lost ledger, the topics, people or the calendar.

    Stop the workers first. For `people` and `calendar`, they may run.
    """


@rebuild.command(
    "ledger",
    cls=Verb,
    exits={1: say("The rebuild is not possible at present; nothing was changed.")},
    example="arbiter rebuild ledger pairing",
)
@click.argument("service", type=click.Choice(tuple(SERVICES)))
@data_option
@databases_option
def rebuild_ledger(service: str, data: Path | None, databases: Sequence[str]) -> None:
    """Rebuild one service's ledger from the topics.

    The new ledger is read from the topics and compared with the old one, then replaces it. If the topic lacks an event
    that the old ledger has, the old ledger stays as it is.

    The data folder must contain pairing's public key. A tournament that the old ledger lacks must be announced with
    this key, or it is suspended.
    """
    from shared.audit.keys.service_key_files import FOLDER, Announcers
    from shared.log.worker import ledger_rebuild
    from shared.log.worker.worker_lock import NotPossible

    with service_logs(databases, (service,), data) as (log,), kafka_cluster() as cluster:
        try:
            rebuilt = ledger_rebuild.rebuild_ledger(log, cluster, Announcers(data_folder(data) / FOLDER))
        except NotPossible as problem:
            raise Failure(message_of(problem), 1) from None
    for stream, seq in rebuilt.changed.items():
        note(say("{t}: event {seq} was different before", t=stream.partition("/")[2], seq=seq))
    note(
        counted(
            rebuilt.lines,
            say("the ledger of {service} was rebuilt with 1 event", service=service),
            say("the ledger of {service} was rebuilt with {count} events", service=service, count=rebuilt.lines),
        )
    )


@rebuild.command(
    "topics",
    cls=Verb,
    exits={1: say("The rebuild is not possible at present; nothing was changed.")},
    example="arbiter rebuild topics",
)
@databases_option
def rebuild_topics(databases: Sequence[str]) -> None:
    """Rebuild the topics from the ledgers.

    The longest ledger is written first, then the records that each service wrote. The databases of all four services
    are required.
    """
    from shared.log.worker import repair
    from shared.log.worker.worker_lock import NotPossible

    with kafka_cluster() as cluster, service_logs(databases, tuple(SERVICES)) as logs:
        try:
            counts = repair.rebuild_topics(logs, cluster)
        except NotPossible as problem:
            raise Failure(message_of(problem), 1) from None
    for topic, records in counts.items():
        note(
            counted(
                records,
                say("{topic}: 1 record was written", topic=topic),
                say("{topic}: {count} records were written", topic=topic, count=records),
            )
        )


@rebuild.command("people", cls=Verb, example="arbiter rebuild people --data cup")
@data_option
@databases_option
def rebuild_people(data: Path | None, databases: Sequence[str]) -> None:
    """Rebuild people's results and places from the log.

    The records of all tournaments are computed again by replay. The IDs of people stay the same.

    The server may run at the same time. Each tournament keeps its former records until its new ones are computed.
    """
    from services.standings.people.projection import rebuild as rebuild_all
    from shared.desk.views import Folds

    with standings_log(data_folder(data), databases) as log:
        tournaments, people = rebuild_all(log, Folds(log))
    note(
        say(
            "people: {people}, tournaments: {tournaments}; rebuilt from the log", people=people, tournaments=tournaments
        )
    )


@rebuild.command("calendar", cls=Verb, example="arbiter rebuild calendar --data cup")
@data_option
@databases_option
def rebuild_calendar(data: Path | None, databases: Sequence[str]) -> None:
    """Rebuild the searchable list of tournaments from the log.

    The server may run at the same time. Each tournament keeps its former entry until its new one is computed.
    """
    from services.standings.tables.calendar.projection import rebuild as rebuild_all
    from shared.desk.views import Folds

    with standings_log(data_folder(data), databases) as log:
        tournaments = rebuild_all(log, Folds(log))
    note(say("calendar: {tournaments} tournaments; rebuilt from the log", tournaments=tournaments))
