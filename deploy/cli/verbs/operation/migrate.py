"""``arbiter migrate``: the databases of the services, migrated while processes of the former version run."""

from collections.abc import Sequence

import click

from deploy.cli.client import databases_option
from deploy.cli.terminal.verb import Verb, note
from deploy.failure import Failure
from deploy.server.settings import SERVICES, addresses
from shared.core.language.messages import message_of, say


@click.command(cls=Verb, example="arbiter migrate --database pairing=postgresql+psycopg://pairing@db/pairing")
@databases_option
@click.option("--contract", is_flag=True, help="Also apply what the former version cannot use.")
def migrate(databases: Sequence[str], contract: bool) -> None:
    """Migrate the databases of the services.

    Run it before the processes of a new version start. The processes of the former version continue to run. Each
    migration waits at most 2 seconds for a table, so that it does not delay commands, and tries 15 times.

    With `--contract`, the former version can no longer use the database. This is refused while its processes are
    connected. `arbiter serve` migrates its own database when it starts.
    """
    from deploy.server.service_database import check_address
    from shared.log.port import LogUnavailable
    from shared.log.sql.engines import migrate as migrate_database

    urls = addresses(databases)
    if not urls:
        raise Failure(say("name the databases with --database SERVICE=URL"))
    for service, url in urls.items():
        try:
            check_address(url, SERVICES[service], None)
            schema = migrate_database(url, contract=contract)
        except LogUnavailable as problem:
            raise Failure(
                say("database of {service}: {problem}", service=service, problem=message_of(problem))
            ) from None
        note(
            say(
                "database of {service}: at migration {revision}, for processes from migration {oldest} on",
                service=service,
                revision=str(schema.revision),
                oldest=str(schema.oldest),
            )
        )
