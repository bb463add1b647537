"""Before the services start: `python -m deploy.server.prepare` migrates the databases, and makes or checks the topics.

It also gives the users of Kafka the passwords in the file ``ARBITER_KAFKA_PASSWORDS``, and their rights.

It waits up to a minute for PostgreSQL and Kafka, so it may start together with them.
"""

import os
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from kafka.errors import KafkaError

from deploy.failure import Failure
from deploy.server.service_database import check_address
from deploy.server.settings import DATABASES, SERVICES, BadSetting, addresses, broker, settings
from shared.log.kafka import topics
from shared.log.port import BadDatabase, LogUnavailable
from shared.log.sql.engines import migrate

_SECONDS, _AGAIN_SECONDS = 60, 1
_PASSWORDS = "ARBITER_KAFKA_PASSWORDS"
"""Names a file with the password of every user of Kafka."""


def main() -> int:
    """Prepare databases and topics; 0 if the services can start."""
    end = time.monotonic() + _SECONDS
    try:
        for service, url in addresses(os.environ.get(DATABASES, "").split()).items():
            _until(end, partial(_migrate, service, url))
        return _until(end, _topics)
    except (Failure, BadSetting, BadDatabase, LogUnavailable, KafkaError) as problem:
        print(f"prepare: {problem}", file=sys.stderr)
        return 2


def _until(end: float, act: Callable[[], int]) -> int:
    """Try again while the server is unreachable, until ``end``."""
    while True:
        try:
            return act()
        except (LogUnavailable, KafkaError):
            if time.monotonic() > end:
                raise
            time.sleep(_AGAIN_SECONDS)


def _migrate(service: str, url: str) -> int:
    check_address(url, SERVICES[service], settings().data)
    schema = migrate(url)
    print(f"database of {service}: migration {schema.revision}, for processes from {schema.oldest} on")
    return 0


def _topics() -> int:
    cluster = broker()
    if os.environ.get(_PASSWORDS):
        words = Path(os.environ[_PASSWORDS]).read_text(encoding="utf-8").split()
        topics.set_passwords(cluster, dict(word.split("=", 1) for word in words))
    for name in topics.create(cluster):
        print(f"topic {name}: made")
    if cluster.security:
        print(f"topics: {topics.grant(cluster)} access rules")
    wrong = topics.check(cluster)
    for line in wrong:
        print(f"topics: {line.sentence()}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
