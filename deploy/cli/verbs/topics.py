"""``arbiter topics``: the topics, and who may use them."""

from typing import TYPE_CHECKING

import click

from deploy.cli.distributed import kafka_cluster
from deploy.cli.output import note

if TYPE_CHECKING:
    pass


@click.command()
def topics() -> int:
    """Make the three topics and, where Kafka asks for names, who may use them; then check their settings."""
    from shared.log.kafka import acls
    from shared.log.kafka import topics as log_topics

    with kafka_cluster() as cluster:
        for name in log_topics.create(cluster):
            note(f"made {name}")
        if cluster.security:
            note(f"{acls.grant(cluster)} rules of who may read and write")
        wrong = log_topics.check(cluster)
    for line in wrong:
        click.echo(line)
    if not wrong:
        note("the topics are as they are to be")
    return 1 if wrong else 0
