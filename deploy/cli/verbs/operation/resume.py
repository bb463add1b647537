"""``arbiter resume``: past the line at which services stopped a tournament."""

from collections.abc import Sequence

import click

from deploy.cli.client import databases_option, service_logs
from deploy.cli.lost_commands import lost_lines, the_lost
from deploy.cli.terminal.verb import Verb, counted, note, show
from deploy.failure import Failure
from shared.core.language.messages import message_of, say


@click.command(
    cls=Verb,
    exits={
        0: say("At least one service resumed the tournament."),
        1: say("The ledgers differ, or no service had suspended the tournament."),
    },
    example="arbiter resume spring-cup",
)
@click.argument("tournament")
@databases_option
def resume(tournament: str, databases: Sequence[str]) -> int:
    """Resume a tournament that the services suspended.

    A service suspends a tournament when it reads an event that it cannot accept: a fork, a root hash that does not match
    its own log, or an unexpected record. This command first compares the ledgers in all databases that you name. If they
    agree, the tournament continues after that event. If they differ, nothing is changed.

    Accepted events that are missing from every ledger are listed. Send them again with `arbiter resubmit`.
    """
    from shared.desk.views import stream_of
    from shared.log.worker import repair

    resumed, stream = False, stream_of(tournament)
    with service_logs(databases, ()) as logs:
        try:
            size = len(repair.longest(logs, stream).lines(stream))
        except repair.Differ as problem:
            raise Failure(
                say(
                    "{problem}; run `arbiter rebuild ledger SERVICE` for each wrong ledger", problem=message_of(problem)
                ),
                1,
            ) from None
        note(
            counted(
                len(logs),
                say("1 ledger was read: {tournament} has {size} events", tournament=tournament, size=size),
                say(
                    "{count} ledgers agree: {tournament} has {size} events",
                    count=len(logs),
                    tournament=tournament,
                    size=size,
                ),
            )
        )
        for log in logs:
            why = log.parked().get(stream)
            if why is not None and log.resume(stream):
                resumed = True
                note(say("{source}: resumed after skipping: {why}", source=log.source, why=why))
        lost = [command for log in logs for command in the_lost(log, stream)]
    for line in lost_lines(lost):
        show(line)
    if lost:
        note(
            counted(
                len(lost),
                say(
                    "1 command is missing from every ledger; `arbiter resubmit {tournament}` sends it again",
                    tournament=tournament,
                ),
                say(
                    "{count} commands are missing from every ledger; `arbiter resubmit {tournament}` sends them again",
                    count=len(lost),
                    tournament=tournament,
                ),
            )
        )
    if not resumed:
        note(say("no service has suspended {tournament}", tournament=tournament))
    return 0 if resumed else 1
