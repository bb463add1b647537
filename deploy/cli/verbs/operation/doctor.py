"""``arbiter doctor``: the problems of this installation, each with its remedy.

For an embedded server, the data folder and its database are checked. If Kafka or databases are named, they are checked
instead of the folder's database.
"""

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import click

from deploy.cli.client import databases_option
from deploy.cli.doctor.finding import Finding
from deploy.cli.terminal.verb import Verb, data_option, json_option, print_json, show, words
from deploy.server.data_folder import data_folder
from deploy.server.settings import addresses
from shared.core.language.messages import say


@click.command(
    cls=Verb,
    exits={0: say("No problem was found."), 1: say("At least one problem was found.")},
    example="arbiter doctor --data cup",
)
@data_option
@databases_option
@json_option
def doctor(data: Path | None, databases: Sequence[str], as_json: bool) -> int:
    """Diagnose an installation and suggest fixes.

    Versions, keys, databases, logs, broker, topics, clock and lag are checked. Nothing is changed. Each problem is
    printed with its fix.
    """
    findings = list(_findings(data_folder(data), databases))
    wrong = any(finding.remedy for finding in findings)
    if as_json:
        rows = [
            {"what": str(f.what), "found": str(f.state), "remedy": str(f.remedy) if f.remedy else None}
            for f in findings
        ]
        print_json({"well": not wrong, "findings": rows})
    else:
        for f in findings:
            state, colour = (say("error"), "red") if f.remedy else (say("ok"), "green")
            show(f"{words(state):5}  ", colour=colour, end="")
            show(say("{what}: {state}", what=f.what, state=f.state))
            if f.remedy:
                show(say("       {remedy}", remedy=f.remedy))
    return 1 if wrong else 0


def _findings(folder: Path, databases: Sequence[str]) -> Iterator[Finding]:
    from deploy.cli.doctor.folder import look_at_database, look_at_folder, look_at_machine
    from deploy.cli.doctor.signer_memory import look_at_checkpoints

    yield from look_at_machine()
    yield from look_at_folder(folder)
    services = addresses(databases)
    kafka = bool(os.environ.get("ARBITER_KAFKA"))
    if folder.is_dir():
        yield from look_at_checkpoints(folder, compared="standings" in services or not (services or kafka))
    if not services and not kafka and folder.is_dir():
        yield from look_at_database(folder)
    if not services and not kafka:
        return
    from deploy.cli.doctor.services import look_at_kafka, look_at_service

    if kafka:
        yield from look_at_kafka()
    if not services:
        return
    # Most of the time is waiting for the database and the broker of each service.
    with ThreadPoolExecutor(len(services)) as threads:
        for found in threads.map(lambda service: list(look_at_service(service, services[service], folder)), services):
            yield from found
