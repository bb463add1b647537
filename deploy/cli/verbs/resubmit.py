"""``arbiter resubmit``: what a service has answered and no ledger holds, decided and sent again."""

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from deploy.cli.data_folder import data_folder
from deploy.cli.distributed import addresses, databases_option, kafka_cluster, service_logs
from deploy.cli.failure import Failure
from deploy.cli.lost_commands import LostCommand, lost_lines, the_lost
from deploy.cli.options import data_option
from deploy.cli.output import note
from deploy.server.settings import SERVICES, ServiceSettings

if TYPE_CHECKING:
    from shared.desk.desk import Desk
    from shared.log.distributed import DistributedLog
    from shared.log.kafka.broker import Broker

_TURNS, _PAUSE_SECONDS = 80, 0.25


@click.command()
@click.argument("tournament")
@click.option("--command", "commands", multiple=True, metavar="ID", help="Only these commands; several.")
@click.option("--give-up", is_flag=True, help="Send nothing: note that the commands named are given up.")
@click.option("--by", metavar="NAME", default="", help="Who decides this.")
@click.option("--reason", metavar="TEXT", default="", help="Why.")
@data_option
@databases_option
def resubmit(
    tournament: str,
    commands: Sequence[str],
    give_up: bool,
    by: str,
    reason: str,
    data: Path | None,
    databases: Sequence[str],
) -> int:
    """Send again the commands of a tournament that were answered and are in no ledger.

    Each is decided anew, as the tournament is now, and gets new numbers. What is refused stays listed, until it is
    given up by --give-up --command ID --by NAME --reason TEXT.
    """
    from shared.desk.views import stream_of

    if give_up and not (commands and by and reason):
        raise click.UsageError("--give-up needs --command, --by and --reason")
    stream, urls = stream_of(tournament), addresses(databases)
    with service_logs(databases, ()) as logs:
        if stopped := [log for log in logs if log.stopped(stream)]:
            raise Failure(f"{tournament} stands stopped in {stopped[0].source}: `arbiter resume {tournament}` first", 1)
        lost = {log: [one for one in the_lost(log, stream) if not commands or one.command in commands] for log in logs}
        unknown = set(commands) - {one.command for found in lost.values() for one in found}
        if unknown:
            raise Failure(
                f"{min(unknown)} is no lost command of {tournament}; `arbiter resubmit {tournament}` knows them"
            )
        if not any(lost.values()):
            note(f"nothing of {tournament} is lost")
            return 0
        if give_up:
            _given_up(lost, by, reason)
            return 0
        with kafka_cluster() as cluster:
            sent = [
                _sent_again(log, found, urls, cluster, data_folder(data), by or "arbiter resubmit")
                for log, found in lost.items()
                if found
            ]
    return 0 if all(sent) else 1


def _given_up(lost: "dict[DistributedLog, list[LostCommand]]", by: str, reason: str) -> None:
    for log, found in lost.items():
        for one in found:
            log.settle(one.stream, one.command, None, by, reason)
            note(f"given up: command {one.command} by {one.actor}")


def _sent_again(
    log: "DistributedLog", found: list[LostCommand], urls: dict[str, str], cluster: "Broker", data: Path, by: str
) -> bool:
    """Decide a service's lost commands again; whether all were taken."""
    from deploy.server.distributed import open_desk

    service = next(name for name, source in SERVICES.items() if source == log.source)
    desk, side = open_desk(data, ServiceSettings(service, urls[service], cluster, 1, 1))
    try:
        _awaited(side)
        taken = [_decided_again(log, desk, one, by) for one in found]
        return all(taken)
    finally:
        desk.close()
        side.close()


def _awaited(side: "DistributedLog") -> None:
    """Wait until the service's worker has been seen at the topics' end. Raises `Failure`."""
    pause = threading.Event()
    for _ in range(_TURNS):
        if (why := side.unready()) is None:
            return
        pause.wait(_PAUSE_SECONDS)
    raise Failure(f"{side.source}: {why}: start its worker", 1)


def _decided_again(log: "DistributedLog", desk: "Desk", lost: LostCommand, by: str) -> bool:
    from deploy.server.rules import RULES
    from shared.core.terms import Refusal
    from shared.desk.desk import DeskError, Request
    from shared.wire import envelope

    tournament = lost.stream.partition("/")[2]
    lines = [r for r in log.command_lines(lost.command) if r.stream.startswith("games/")]
    official = [envelope.read(line, number) for number, line in enumerate(lost.lines, 1)]
    command = RULES[log.source].command_of(official, [envelope.read(r.line, r.seq) for r in lines])
    try:
        outcome = desk.submit(log.source, tournament, command, Request(f"resubmit {lost.command}", lost.command))
    except DeskError as problem:
        return _refused(lost, str(problem) or type(problem).__name__)
    if isinstance(outcome, Refusal):
        return _refused(lost, f"{outcome.code}: {outcome.detail}")
    log.settle(lost.stream, lost.command, outcome.command, by, "sent again")
    note(f"command {lost.command} by {lost.actor} is sent again as {outcome.command}")
    return True


def _refused(lost: LostCommand, why: str) -> bool:
    for line in lost_lines([lost]):
        click.echo(line)
    click.echo(f"  refused now: {why}")
    return False
