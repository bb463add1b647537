"""``arbiter topics``: the topics, who may use them, and what was found in them."""

from collections.abc import Sequence

import click

from deploy.cli.distributed import databases_option, kafka_cluster, service_logs
from deploy.cli.terminal.language import words
from deploy.cli.terminal.output import note
from deploy.failure import Failure
from shared.core.language.messages import say


@click.group(invoke_without_command=True)
@click.pass_context
def topics(context: click.Context) -> None:
    """Make the topics and, where Kafka asks for names, who may use them; then check their settings."""
    if context.invoked_subcommand is None:
        context.exit(_made_and_checked())


def _made_and_checked() -> int:
    from shared.log.kafka import acls
    from shared.log.kafka import topics as log_topics

    with kafka_cluster() as cluster:
        for name in log_topics.create(cluster):
            note(say("made {name}", name=name))
        if cluster.security:
            note(say("{number} rules of who may read and write", number=acls.grant(cluster)))
        wrong = log_topics.check(cluster)
    for line in wrong:
        click.echo(words(line.sentence()))
    if not wrong:
        note(say("the topics are as they are to be"))
    return 1 if wrong else 0


@topics.command("findings")
@databases_option
def findings(databases: Sequence[str]) -> int:
    """What the services found in the topics that nobody should have written, and nobody has acknowledged."""
    found = False
    with service_logs(databases, ()) as logs:
        for log in logs:
            for finding in log.findings():
                found = True
                click.echo(
                    f"{finding.id}  {log.source.rpartition('/')[2]}  {finding.kind}  {words(finding.sentence())}"
                )
    if not found:
        note(say("nothing was found that is not acknowledged"))
    return 1 if found else 0


@topics.command("acknowledge")
@click.argument("numbers", nargs=-1, type=int)
@click.option("--all", "everything", is_flag=True, help="All that is found by now.")
@click.option("--by", metavar="NAME", required=True, help="Who has looked at it.")
@click.option("--reason", metavar="TEXT", required=True, help="Why it may stay.")
@databases_option
def acknowledge(numbers: Sequence[int], everything: bool, by: str, reason: str, databases: Sequence[str]) -> None:
    """Note that findings were looked at: `arbiter doctor` is well again.

    NUMBERS are those of `arbiter topics findings`, of one service. What is found later is told again.
    """
    if everything == bool(numbers):
        raise Failure(say("name the numbers of findings, or --all"))
    if not by.strip() or not reason.strip():
        raise Failure(say("--by and --reason say who, and why"))
    with service_logs(databases, ()) as logs:
        if numbers and len(logs) > 1:
            raise Failure(say("numbers are those of one service: name one --database, or --all"))
        for log in logs:
            known = [finding.id for finding in log.findings()]
            if missing := sorted(set(numbers) - set(known)):
                raise Failure(say("{missing} is no open finding of {source}", missing=missing[0], source=log.source), 1)
            count = log.acknowledge(list(numbers) or known, by, reason)
            note(say("{source}: {count} findings acknowledged", source=log.source, count=count))
