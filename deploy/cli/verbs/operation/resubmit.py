"""``arbiter resubmit``: re-evaluates and resends accepted commands that are missing from every ledger."""

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from deploy.cli.client import databases_option, kafka_cluster, service_logs
from deploy.cli.lost_commands import LostCommand, lost_lines, the_lost
from deploy.cli.terminal.verb import Verb, data_option, note, several, show
from deploy.failure import Failure
from deploy.server.data_folder import data_folder
from deploy.server.settings import SERVICES, ServiceSettings, addresses
from shared.core.language.messages import Message, in_turn, message_of, say

if TYPE_CHECKING:
    from shared.core.events import Event
    from shared.core.terms import Actor
    from shared.desk.desk import Desk, Receipt
    from shared.log.distributed import DistributedLog
    from shared.log.kafka.broker import Broker

_TURNS, _PAUSE_SECONDS = 80, 0.25


@click.command(
    cls=Verb,
    exits={1: say("A command was rejected, a service has suspended the tournament, or a worker is not running.")},
    example="arbiter resubmit spring-cup",
)
@click.argument("tournament")
@several("--command", "commands", "ID", "ID of a command; may be repeated (default: all).")
@click.option("--give-up", is_flag=True, help="Send nothing; record that the commands named by --command are given up.")
@click.option("--by", metavar="NAME", default="", help="Name of the person who decides this.")
@click.option("--reason", metavar="TEXT", default="", help="Reason, with --give-up.")
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
    """Resend accepted commands that are missing from the log.

    These are commands that a service accepted, but whose events are in no ledger. Each command is re-evaluated in the
    current state of the tournament, and its events get new sequence numbers. Moves that are already on a score sheet are
    not sent again. Only their consequences are sent, unless the log contains them.

    A rejected command stays listed until it is given up with --give-up --command ID --by NAME --reason TEXT.
    """
    from shared.desk.views import stream_of

    if give_up and not (commands and by and reason):
        raise Failure(say("--give-up requires --command, --by and --reason"))
    stream, urls = stream_of(tournament), addresses(databases)
    with service_logs(databases, ()) as logs:
        if stopped := [log for log in logs if log.stopped(stream)]:
            raise Failure(
                say(
                    "{source} has suspended {tournament}; run `arbiter resume {tournament}` first",
                    tournament=tournament,
                    source=stopped[0].source,
                ),
                1,
            )
        lost = {log: [one for one in the_lost(log, stream) if not commands or one.command in commands] for log in logs}
        unknown = set(commands) - {one.command for found in lost.values() for one in found}
        if unknown:
            raise Failure(
                say(
                    "{unknown} is not a lost command of {tournament}; `arbiter resume {tournament}` lists them",
                    unknown=min(unknown),
                    tournament=tournament,
                )
            )
        if not any(lost.values()):
            note(say("{tournament} has lost no command", tournament=tournament))
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
            note(say("command {command} by {actor} was given up", command=one.command, actor=one.actor))


def _sent_again(
    log: "DistributedLog", found: list[LostCommand], urls: dict[str, str], cluster: "Broker", data: Path, by: str
) -> bool:
    """Re-evaluate a service's lost commands; return whether all were accepted."""
    from deploy.server.distributed import open_desk

    service = next(name for name, source in SERVICES.items() if source == log.source)
    desk, side = open_desk(data, ServiceSettings(service, urls[service], cluster, 1, 1))
    try:
        _awaited(side)
        taken = [decided_again(log, desk, one, by) for one in found]
        return all(taken)
    finally:
        desk.close()
        side.close()


def _awaited(side: "DistributedLog") -> None:
    """Wait until the service's worker has reached the end of the topics. Raises `Failure`."""
    pause = threading.Event()
    for _ in range(_TURNS):
        why = side.unready()
        if why is None:
            return
        pause.wait(_PAUSE_SECONDS)
    assert why is not None, "it was looked at"
    raise Failure(say("{source}: {why}; start its worker", source=side.source, why=why), 1)


def decided_again(log: "DistributedLog", desk: "Desk", lost: LostCommand, by: str) -> bool:
    """Re-evaluate a lost command and print the outcome; return whether it is settled."""
    from deploy.server.rules import RULES
    from shared.core.terms import Actor
    from shared.wire import envelope

    lines = [r for r in log.command_lines(lost.command, lost.stream.partition("/")[2]) if r.stream.startswith("games/")]
    official = [envelope.read(line, number) for number, line in enumerate(lost.lines, 1)]
    if lines:
        fed = envelope.read(lines[0].line, 1)
        actor = Actor(fed.actor, fed.role, fed.tokenid)
        return _said_without_its_moves(log, desk, lost, actor, official, by)
    sent = _submitted(log, desk, lost, RULES[log.source].command_of(official, []), f"resubmit {lost.command}")
    if isinstance(sent, Message):
        return _refused(lost, sent)
    _settled(log, lost, sent.command, by)
    return True


def _said_without_its_moves(
    log: "DistributedLog", desk: "Desk", lost: LostCommand, actor: "Actor", official: "Sequence[Event]", by: str
) -> bool:
    """Submit the consequences of a sheet's moves that are missing from the log; return whether the command is settled."""
    from deploy.cli.lost_commands import command_for, not_said

    view = desk.view(lost.stream.partition("/")[2])
    missing = official if view is None else not_said(view.state, official)
    successor = None
    for event in missing:
        try:
            command = command_for(actor, missing, event)
        except LookupError:
            return _refused(
                lost,
                say(
                    "event {id} is a consequence of a move that is already on the score sheet; ask an arbiter for a ruling",
                    id=lost.events[event.seq - 1][0],
                ),
            )
        key = f"resubmit {lost.command} {type(command).__name__}"
        sent = None if command is None else _submitted(log, desk, lost, command, key)
        if isinstance(sent, Message):
            recorded = say(
                "its moves are on the score sheet; the command is settled when the log contains this event too"
            )
            return _refused(lost, in_turn((sent, recorded)))
        successor = successor if sent is None else sent.command
    if successor is None:
        log.settle(lost.stream, lost.command, None, by, "said by now")
        note(
            say(
                "command {command} by {actor}: its moves are on the score sheet, and the log already contains its consequences",
                command=lost.command,
                actor=lost.actor,
            )
        )
    else:
        _settled(log, lost, successor, by)
    return True


def _submitted(log: "DistributedLog", desk: "Desk", lost: LostCommand, command: Any, key: str) -> "Receipt | Message":
    """Submit a command in place of a lost one; return its receipt, or why it was rejected."""
    from shared.core.terms import Refusal
    from shared.desk.desk import DeskError, Request

    try:
        outcome = desk.submit(log.source, lost.stream.partition("/")[2], command, Request(key, lost.command))
    except DeskError as problem:
        return message_of(problem) if str(problem) else say("{text}", text=type(problem).__name__)
    if isinstance(outcome, Refusal):
        return say("{code}: {detail}", code=outcome.code, detail=outcome.detail)
    return outcome


def _settled(log: "DistributedLog", lost: LostCommand, successor: str, by: str) -> None:
    log.settle(lost.stream, lost.command, successor, by, "sent again")
    note(
        say(
            "command {command} by {actor} was sent again as {successor}",
            command=lost.command,
            actor=lost.actor,
            successor=successor,
        )
    )


def _refused(lost: LostCommand, why: Message) -> bool:
    for line in lost_lines([lost]):
        show(line)
    show(say("  The command is rejected now: {why}", why=why))
    return False
