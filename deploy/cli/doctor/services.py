"""The distributed system: the broker, its topics, each service's database, and the worker behind it."""

import os
import time
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from kafka.errors import KafkaError

from deploy.cli.doctor.finding import Finding, of_refusal
from deploy.cli.doctor.log_check import look_at_log
from deploy.cli.doctor.service_keys import look_at_service_keys
from deploy.cli.doctor.signer_memory import look_at_memory
from deploy.server.new_log_permit import NewLogPermit
from deploy.server.service_database import check_address
from deploy.server.settings import SERVICES, BadSetting, broker
from deploy.server.signing_key import public_keys
from shared.audit.key_files import BadKeys
from shared.core.terms import STANDINGS
from shared.log.distributed import DistributedLog
from shared.log.kafka import topics
from shared.log.port import BadDatabase, LogUnavailable
from shared.log.sql.migration import Schema, look
from shared.log.sql.worker_state import FOLLOWER

_CLOCK_SECONDS = 5.0
_SILENT_SECONDS = 10.0
_LAG_RECORDS = 1000


def look_at_kafka() -> Iterator[Finding]:
    where = os.environ["ARBITER_KAFKA"]
    try:
        cluster = broker(user=os.environ.get("ARBITER_SERVICE", "admin"))
        with topics.admin(cluster) as client:
            brokers = len(client.describe_cluster()["brokers"])
        yield Finding("Kafka", f"{brokers} brokers at {where}")
        wrong = topics.check(cluster)
    except (KafkaError, OSError) as problem:
        words = str(problem) or type(problem).__name__
        yield Finding("Kafka", f"{where}: {words}", "start the broker, or mend ARBITER_KAFKA and the password")
        return
    except BadSetting as problem:
        yield Finding("Kafka", str(problem), "set it as deploy/server/settings.py says")
        return
    for line in wrong:
        topic, _, remedy = line.partition(": ")
        yield Finding("topics", topic, remedy)
    if not wrong:
        yield Finding("topics", "there, with their settings")


def look_at_service(service: str, url: str, folder: Path) -> Iterator[Finding]:
    """A service's database, of which nothing is changed, the worker behind it, and what has stopped."""
    name = f"database of {service}"
    try:
        cluster = broker(user=os.environ.get("ARBITER_SERVICE", "admin")) if os.environ.get("ARBITER_KAFKA") else None
        log = DistributedLog(url, SERVICES[service], cluster, readonly=True)
    except BadSetting as problem:
        yield Finding(name, str(problem), "set it as deploy/server/settings.py says")
        return
    try:
        schema = look(log.engine)
        if schema.revision != schema.newest:
            yield _older(service, schema, NewLogPermit(folder, log.source))
            return
        check_address(url, log.source, folder)
        yield from _clock(service, log)
        yield from _worker(service, log)
        for stream, why in sorted(log.parked().items()):
            t = stream.partition("/")[2]
            yield Finding(f"{service}, tournament {t}", why, f"`arbiter resume {t}` compares the ledgers and goes on")
        restore = f"arbiter rebuild ledger {service}"
        yield from look_at_log(f"ledger of {service}", log, _keys(folder), restore, datetime.now(UTC))
        yield from look_at_service_keys(folder, log, (log.source,))
        if log.source == STANDINGS:  # which signs
            yield from look_at_memory(folder, log)
    except LogUnavailable as problem:
        yield Finding(name, str(problem), "start PostgreSQL, or mend the address and password")
    except BadDatabase as problem:
        yield of_refusal(name, problem)
    finally:
        log.close()


def _older(service: str, schema: Schema, permit: NewLogPermit) -> Finding:
    if schema.revision is None and not permit.given():
        fill = f"put its last backup back, or start its worker, which fills it from the topics: {_start(service)}"
        another = "where these are empty too, another log is begun with `arbiter keys --new-log`"
        return Finding(f"database of {service}", "it is empty, and the keys are not new", f"{fill}; {another}")
    state = "it is empty" if schema.revision is None else f"it is at migration {schema.revision}, not {schema.newest}"
    return Finding(f"database of {service}", state, f"start its worker, which brings it there: {_start(service)}")


def _start(service: str) -> str:
    return f"ARBITER_SERVICE={service} python -m deploy.server.worker"


def _keys(folder: Path) -> list[bytes]:
    try:
        return public_keys(folder)
    except BadKeys:
        return []  # told of the folder


def _clock(service: str, log: DistributedLog) -> Iterator[Finding]:
    """The database's clock beside ours: times stand in events, and tokens expire by them."""
    if not log.postgres:
        return
    with log.begin() as connection:
        server = connection.exec_driver_sql("SHOW server_version").scalar_one()
        theirs = float(connection.exec_driver_sql("SELECT extract(epoch FROM clock_timestamp())").scalar_one())
    offset = theirs - time.time()
    yield Finding(f"database of {service}", f"PostgreSQL {server}")
    remedy = "" if abs(offset) < _CLOCK_SECONDS else "set the clocks by NTP"
    yield Finding(f"clock of {service}'s database", f"{offset:+.2f} s beside this one", remedy)


def _worker(service: str, log: DistributedLog) -> Iterator[Finding]:
    silent, halted = log.alive(), log.halts()
    if FOLLOWER in halted:
        yield Finding(f"worker of {service}", "waits until what it has found is mended")
    elif silent is None or silent > _SILENT_SECONDS:
        seen = "never seen" if silent is None else f"silent for {silent:.0f} s"
        yield Finding(f"worker of {service}", seen, f"start it: {_start(service)}")
    else:
        yield Finding(f"worker of {service}", f"seen {silent:.1f} s ago")
    for part, why in sorted(halted.items()):
        yield Finding(f"{part} of {service}", why, _mends(why))
    waiting, age = log.waiting()
    late = waiting > _LAG_RECORDS
    remedy = "see that Kafka takes records, and that the worker runs" if late else ""
    yield Finding(f"outbox of {service}", f"{waiting} records wait, the oldest for {age:.0f} s", remedy)
    lag = log.lag()
    if lag is not None:
        remedy = "wait; if it grows, the worker needs more of the machine" if lag > _LAG_RECORDS else ""
        yield Finding(f"lag of {service}", f"{lag} records", remedy)
    for finding in log.findings():
        yield Finding(f"topics read by {service}", str(finding), _REMEDIES[finding.kind])
    for stream, count in Counter(lost.stream for lost in log.lost()).items():
        t = stream.partition("/")[2]
        remedy = f"`arbiter resume {t}` lists them, `arbiter resubmit {t}` sends them again"
        yield Finding(f"{service}, tournament {t}", f"{count} acknowledged events are in no ledger", remedy)


def _mends(why: str) -> str:
    """The command that a worker's own words name."""
    _, _, rest = why.partition("`")
    return rest.partition("`")[0] or "see the worker's log"


_WHO = "see who else writes to the topics (deploy/docs/topics.md), then `arbiter topics acknowledge`"
_REMEDIES = {
    "stranger": _WHO,
    "doubled": _WHO,
    "unnumbered": _WHO,
    "gap": "the topic has lost records: `arbiter rebuild topics`, or `arbiter topics acknowledge` (deploy/docs/topics.md)",
}
