"""The distributed system: the broker, its topics, each service's database, and the worker behind it."""

import os
import time
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from kafka.errors import KafkaError

from deploy.cli.doctor.finding import Finding, of_refusal
from deploy.cli.doctor.log_check import look_at_log, look_at_service_keys, look_at_webhooks, undamaged_lines
from deploy.cli.doctor.signer_memory import look_at_memory
from deploy.cli.terminal.verb import counted
from deploy.server.keys.signing_key import NewLogPermit, public_keys
from deploy.server.service_database import check_address
from deploy.server.settings import SERVICES, BadSetting, broker
from services.standings.files.sheet_sources import incomplete
from shared.audit.keys.key_files import BadKeys
from shared.core.language.messages import Message, message_of, say
from shared.core.terms import STANDINGS
from shared.log.distributed import DistributedLog
from shared.log.kafka import topics
from shared.log.kafka.broker import FOLLOWS, MOVES
from shared.log.port import BadDatabase, LogUnavailable
from shared.log.sql.schema import Schema, look
from shared.log.sql.worker_state import FOLLOWER

_CLOCK_SECONDS = 5.0
_SILENT_SECONDS = 10.0  # ten beats of the worker: one or two are late on a busy machine
_LAG_RECORDS = 1000  # a busy round makes hundreds of records at once, which is normal


def look_at_kafka() -> Iterator[Finding]:
    where = os.environ["ARBITER_KAFKA"]
    try:
        cluster = broker(user=os.environ.get("ARBITER_SERVICE", "admin"))
        with topics.admin(cluster) as client:
            brokers = sum(not one.get("is_fenced") for one in client.describe_cluster()["brokers"])
        yield Finding(
            say("Kafka"),
            counted(
                brokers,
                say("1 broker answers at {where}", where=where),
                say("{count} brokers answer at {where}", count=brokers, where=where),
            ),
            say("start the missing broker; topics have {number} replicas", number=cluster.replication)
            if brokers < cluster.replication
            else None,
        )
        wrong = topics.check(cluster)
    except (KafkaError, OSError) as problem:
        words = str(problem) or type(problem).__name__
        yield Finding(
            say("Kafka"),
            say("{where}: {words}", where=where, words=words),
            say("start the broker, or correct ARBITER_KAFKA, ARBITER_KAFKA_CA and the password"),
        )
        return
    except BadSetting as problem:
        yield Finding(say("Kafka"), message_of(problem), say("set it as described in deploy/server/settings.py"))
        return
    for one in wrong:
        yield Finding(say("topics"), one.state, one.remedy)
    if not wrong:
        yield Finding(say("topics"), say("the topics exist and have the right settings"))


def look_at_service(service: str, url: str, folder: Path) -> Iterator[Finding]:
    """A service's database, of which nothing is changed, the worker behind it, and what has stopped."""
    name = say("database of {service}", service=service)
    try:
        cluster = broker(user=os.environ.get("ARBITER_SERVICE", "admin")) if os.environ.get("ARBITER_KAFKA") else None
        log = DistributedLog(url, SERVICES[service], cluster, readonly=True)
    except BadSetting as problem:
        yield Finding(name, message_of(problem), say("set it as described in deploy/server/settings.py"))
        return
    try:
        schema = look(log.engine)
        if not schema.ready:
            yield _older(service, schema, NewLogPermit(folder, log.source))
            return
        check_address(url, log.source, folder)
        yield from _clock(service, log)
        yield from _worker(service, log)
        for stream, why in sorted(log.parked().items()):
            t = stream.partition("/")[2]
            yield Finding(
                say("{service}, tournament {t}", service=service, t=t),
                why,
                say("run `arbiter resume {t}`, which compares the ledgers and resumes the tournament", t=t),
            )
        restore = say("{command}", command=f"arbiter rebuild ledger {service}")
        yield from look_at_log(
            say("ledger of {service}", service=service), log, _keys(folder), restore, datetime.now(UTC)
        )
        yield from _sheets(service, log)
        yield from look_at_service_keys(folder, log, (log.source,))
        if log.source == STANDINGS:  # which signs, and sends webhooks
            yield from look_at_memory(folder, log)
            yield from look_at_webhooks(log)
    except LogUnavailable as problem:
        yield Finding(name, message_of(problem), say("start PostgreSQL, or correct the address and the password"))
    except BadDatabase as problem:
        yield of_refusal(name, problem)
    finally:
        log.close()


def _older(service: str, schema: Schema, permit: NewLogPermit) -> Finding:
    if schema.revision is None and not permit.given():
        fill = say(
            "restore its last backup, or start its worker, which fills it from the topics: {start}",
            start=_start(service),
        )
        another = say(
            "if the topics are empty too, start another log with `{command}`", command="arbiter keys --new-log"
        )
        return Finding(
            say("database of {service}", service=service),
            say("the database is empty, but the keys have already been used"),
            say("{first}; {second}", first=fill, second=another),
        )
    name = say("database of {service}", service=service)
    if schema.revision is None:
        return Finding(name, say("it is empty"), say("start its worker: {start}", start=_start(service)))
    state = say("it is at migration {revision}; the newest is {newest}", revision=schema.revision, newest=schema.newest)
    return Finding(name, state, say("run `{command}`", command="arbiter migrate"))


def _start(service: str) -> str:
    return f"ARBITER_SERVICE={service} python -m deploy.server.worker.worker"


def _keys(folder: Path) -> list[bytes]:
    try:
        return public_keys(folder)
    except BadKeys:
        return []  # the check of the folder reports it


def _clock(service: str, log: DistributedLog) -> Iterator[Finding]:
    """Compare the database's clock with ours: events contain times, and tokens expire by them."""
    if not log.postgres:
        return
    with log.begin() as connection:
        server = connection.exec_driver_sql("SHOW server_version").scalar_one()
        theirs = float(connection.exec_driver_sql("SELECT extract(epoch FROM clock_timestamp())").scalar_one())
    offset = theirs - time.time()
    yield Finding(say("database of {service}", service=service), say("PostgreSQL {server}", server=server))
    remedy = None if abs(offset) < _CLOCK_SECONDS else say("set the clocks by NTP")
    yield Finding(
        say("clock of {service}'s database", service=service),
        say("it differs from this clock by {seconds} s", seconds=f"{offset:+.2f}"),
        remedy,
    )


def _worker(service: str, log: DistributedLog) -> Iterator[Finding]:
    silent, halted = log.alive(), log.halts()
    if FOLLOWER in halted:
        yield Finding(
            say("worker of {service}", service=service),
            say("the worker has halted until the problem that it found is corrected"),
        )
    elif silent is None or silent > _SILENT_SECONDS:
        seen = (
            say("it has never reported")
            if silent is None
            else say("its last report was {seconds} s ago", seconds=f"{silent:.0f}")
        )
        yield Finding(
            say("worker of {service}", service=service), seen, say("start it: {start}", start=_start(service))
        )
    else:
        yield Finding(
            say("worker of {service}", service=service), say("it reported {seconds} s ago", seconds=f"{silent:.1f}")
        )
    for part, why in sorted(halted.items()):
        yield Finding(say("{part} of {service}", part=part, service=service), why, _mends(why))
    yield from _owners(service, log)
    waiting, age = log.waiting()
    late = waiting > _LAG_RECORDS
    remedy = say("check that Kafka accepts records and that the worker is running") if late else None
    yield Finding(
        say("outbox of {service}", service=service),
        counted(
            waiting,
            say("1 record has been waiting for {seconds} s", seconds=f"{age:.0f}"),
            say("{count} records are waiting, the oldest for {seconds} s", count=waiting, seconds=f"{age:.0f}"),
        ),
        remedy,
    )
    lag = log.lag()
    if lag is not None:
        remedy = say("wait; if the lag grows, give the worker more CPU or memory") if lag > _LAG_RECORDS else None
        yield Finding(
            say("lag of {service}", service=service),
            counted(lag, say("it is 1 record behind"), say("it is {count} records behind", count=lag)),
            remedy,
        )
    for finding in log.findings():
        yield Finding(say("topics read by {service}", service=service), finding.sentence(), _REMEDIES[finding.kind])
    for stream, count in Counter(lost.stream for lost in log.lost()).items():
        t = stream.partition("/")[2]
        remedy = say("list them with `arbiter resume {t}` and send them again with `arbiter resubmit {t}`", t=t)
        yield Finding(
            say("{service}, tournament {t}", service=service, t=t),
            counted(
                count,
                say("1 accepted event is missing from every ledger"),
                say("{count} accepted events are missing from every ledger", count=count),
            ),
            remedy,
        )


def _owners(service: str, log: DistributedLog) -> Iterator[Finding]:
    """Yield the workers that share the partitions, and the partitions without one."""
    held: dict[str, list[int]] = {}
    for partition, member in log.owners().items():
        held.setdefault(member, []).append(partition)
    unowned = held.pop("", [])
    name = say("partitions of {service}", service=service)
    for member, partitions in sorted(held.items()):
        yield Finding(name, say("{member} has {partitions}", member=member, partitions=", ".join(map(str, partitions))))
    if unowned:
        state = say("no worker holds {partitions}", partitions=", ".join(map(str, unowned)))
        yield Finding(name, state, say("start a worker of {service}, or read the log of its workers", service=service))


def _sheets(service: str, log: DistributedLog) -> Iterator[Finding]:
    """The score sheets of the two services that keep them: those that are shorter than the log says."""
    if MOVES not in FOLLOWS[log.source]:
        return
    rebuild = "arbiter rebuild ledger standings" if log.source == STANDINGS else "arbiter rebuild topics"
    name, remedy = say("score sheets of {service}", service=service), say("{command}", command=rebuild)
    held: dict[str, int] = {}
    for t in (stream.partition("/")[2] for stream in log.streams("tournaments/")):
        games = (sheet.partition("/")[2] for sheet in log.streams(f"games/{t}."))
        sheets = {game: [row.line for row in undamaged_lines(log, f"games/{game}")] for game in games}
        held |= {game: len(lines) for game, lines in sheets.items()}
        if (why := incomplete(sheets, [row.line for row in undamaged_lines(log, f"tournaments/{t}")])) is not None:
            yield Finding(name, why, remedy)
    size = sum(held.values())
    lines = counted(size, say("1 event"), say("{count} events", count=size))
    of_games = counted(len(held), say("1 game"), say("{count} games", count=len(held)))
    yield Finding(name, say("the score sheets have {events} of {games}", events=lines, games=of_games))


def _mends(why: Message) -> Message:
    """The command that a worker's own words name."""
    command = str(why).partition("`")[2].partition("`")[0]
    return say("{command}", command=command) if command else say("read the worker's log")


_WHO = say(
    "find out who else writes to the topics (deploy/docs/topics.md), then run `{command}`",
    command="arbiter topics acknowledge",
)
_REMEDIES = {
    "stranger": _WHO,
    "doubled": _WHO,
    "unnumbered": _WHO,
    "gap": say(
        "the topic has lost records: run `{rebuild}` or `{acknowledge}` (deploy/docs/topics.md)",
        rebuild="arbiter rebuild topics",
        acknowledge="arbiter topics acknowledge",
    ),
}
