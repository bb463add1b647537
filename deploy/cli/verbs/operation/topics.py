"""``arbiter topics``: the topics, who may use them, and what was found in them."""

from collections.abc import Sequence

import click

from deploy.cli.client import databases_option, kafka_cluster, service_logs
from deploy.cli.terminal.verb import Verb, VerbGroup, counted, note, show, words
from deploy.failure import Failure
from shared.core.language.messages import say


@click.group(
    cls=VerbGroup,
    invoke_without_command=True,
    exits={1: say("A topic has a wrong setting.")},
    example="arbiter topics",
)
@click.pass_context
def topics(context: click.Context) -> None:
    """Create the Kafka topics and check their settings.

    If Kafka requires a login, the access rules of the services are created too.
    """
    if context.invoked_subcommand is None:
        context.exit(_made_and_checked())


def _made_and_checked() -> int:
    from shared.log.kafka import topics as log_topics

    with kafka_cluster() as cluster:
        for name in log_topics.create(cluster):
            note(say("topic {name} was created", name=name))
        if cluster.security:
            rules = log_topics.grant(cluster)
            note(
                counted(rules, say("1 access rule was created"), say("{count} access rules were created", count=rules))
            )
        wrong = log_topics.check(cluster)
    for line in wrong:
        show(line.sentence())
    if not wrong:
        note(say("the topics exist and have the right settings"))
    return 1 if wrong else 0


@topics.command(
    "findings",
    cls=Verb,
    exits={1: say("At least one unexpected record has not been acknowledged.")},
    example="arbiter topics findings",
)
@databases_option
def findings(databases: Sequence[str]) -> int:
    """List unexpected records found in the topics.

    Acknowledged findings are not listed.
    """
    found = False
    with service_logs(databases, ()) as logs:
        for log in logs:
            for finding in log.findings():
                found = True
                show(f"{finding.id}  {log.source.rpartition('/')[2]}  {finding.kind}  {words(finding.sentence())}")
    if not found:
        note(say("every finding has been acknowledged"))
    return 1 if found else 0


@topics.command(
    "acknowledge",
    cls=Verb,
    exits={1: say("A number is not that of an open finding.")},
    example='arbiter topics acknowledge --all --by "He Jing" --reason "test records"',
)
@click.argument("numbers", nargs=-1, type=int)
@click.option("--all", "everything", is_flag=True, help="Acknowledge all present findings.")
@click.option("--by", metavar="NAME", required=True, help="Name of the reviewer.")
@click.option("--reason", metavar="TEXT", required=True, help="Reason why nothing needs to be done.")
@databases_option
def acknowledge(numbers: Sequence[int], everything: bool, by: str, reason: str, databases: Sequence[str]) -> None:
    """Mark unexpected records as reviewed.

    `arbiter doctor` then no longer reports them. NUMBERS are numbers of one service, from `arbiter topics findings`.
    Later findings are reported again.
    """
    if everything == bool(numbers):
        raise Failure(say("give either the numbers of findings or --all"))
    if not by.strip() or not reason.strip():
        raise Failure(say("--by and --reason must not be empty"))
    with service_logs(databases, ()) as logs:
        if numbers and len(logs) > 1:
            raise Failure(say("numbers belong to one service: give a single --database, or --all"))
        for log in logs:
            known = [finding.id for finding in log.findings()]
            if missing := sorted(set(numbers) - set(known)):
                raise Failure(
                    say("{missing} is not an open finding of {source}", missing=missing[0], source=log.source), 1
                )
            count = log.acknowledge(list(numbers) or known, by, reason)
            note(
                counted(
                    count,
                    say("{source}: 1 finding was acknowledged", source=log.source),
                    say("{source}: {count} findings were acknowledged", source=log.source, count=count),
                )
            )
