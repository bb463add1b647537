"""``arbiter doctor``: what is wrong with this installation, each with its remedy.

Embedded it looks at the data folder; where the environment names Kafka or databases, at those too.
"""

import os
import platform
import shutil
import sqlite3
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

import click

from deploy.cli.data_folder import data_folder
from deploy.cli.distributed import addresses, databases_option
from deploy.cli.options import data_option, json_option
from deploy.cli.output import console, print_json
from deploy.server.settings import SERVICES, BadSetting, broker

if TYPE_CHECKING:
    from shared.log.distributed import DistributedLog

PYTHON, SQLITE = (3, 11), (3, 35)
_FREE_BYTES = 1 << 30
_CLOCK_SECONDS = 5.0
_SILENT_SECONDS = 10.0
_LAG_RECORDS = 1000


@dataclass(frozen=True, slots=True)
class Finding:
    """``remedy`` is empty where nothing is wrong."""

    what: str
    state: str
    remedy: str = ""


@click.command()
@data_option
@databases_option
@json_option
def doctor(data: Path | None, databases: Sequence[str], as_json: bool) -> int:
    """Versions, keys, databases, broker, topics, clock and lag: what is wrong, and what mends it."""
    findings = [*_machine(), *_folder(data_folder(data))]
    if os.environ.get("ARBITER_KAFKA"):
        findings += _kafka()
    for service, url in addresses(databases).items():
        findings += _database(service, url)
    wrong = any(finding.remedy for finding in findings)
    if as_json:
        rows = [{"what": f.what, "found": f.state, "remedy": f.remedy or None} for f in findings]
        print_json({"well": not wrong, "findings": rows})
    else:
        out = console()
        for f in findings:
            out.print("[red]wrong[/]" if f.remedy else "[green]well [/]", end="  ")
            out.print(f"{f.what}: {f.state}", markup=False)
            if f.remedy:
                out.print(f"       {f.remedy}", markup=False)
    return 1 if wrong else 0


def _machine() -> Iterator[Finding]:
    old = sys.version_info < PYTHON
    yield Finding("Python", platform.python_version(), "install Python 3.11 or newer" if old else "")
    lite = sqlite3.sqlite_version_info < SQLITE
    yield Finding("SQLite", sqlite3.sqlite_version, "install SQLite 3.35 or newer" if lite else "")
    for name in ("arbiter", "gacrux", "rustworkx", "sqlalchemy", "kafka-python"):
        yield Finding(name, version(name))


def _folder(folder: Path) -> Iterator[Finding]:
    """The keys, and room for the log."""
    from shared.audit.key_files import BadKeys
    from shared.http.tokens import Keyring

    if not folder.is_dir():
        yield Finding("data folder", f"{folder} is not there", f"arbiter keys --data {folder}")
        return
    try:
        Keyring(folder / "token-keys")
        count = len(list((folder / "token-keys").glob("*.pem")))
        yield Finding("keys of tokens", f"{count} count", "" if count else f"arbiter keys --data {folder}")
    except BadKeys as problem:
        yield Finding("keys of tokens", str(problem), "leave at most two public keys in token-keys/")
    for name in ("token.key", "arbiter.key"):
        path = folder / name
        if path.exists() and path.stat().st_mode & 0o077:
            yield Finding(name, "others may read it", f"chmod 600 {path}")
    free = shutil.disk_usage(folder).free
    yield Finding("disk", f"{free >> 20} MiB free", "" if free >= _FREE_BYTES else "make room: below 1 GiB")


# ---------------------------------------------------------------- distributed


def _kafka() -> Iterator[Finding]:
    from kafka.errors import KafkaError

    from shared.log.kafka import topics

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


def _database(service: str, url: str) -> Iterator[Finding]:
    """A service's database, the worker behind it, and what has stopped."""
    from shared.log.distributed import DistributedLog
    from shared.log.port import BadDatabase, LogUnavailable

    name = f"database of {service}"
    try:
        cluster = broker(user=os.environ.get("ARBITER_SERVICE", "admin")) if os.environ.get("ARBITER_KAFKA") else None
        log = DistributedLog(url, SERVICES[service], cluster)
    except (LogUnavailable, BadSetting) as problem:
        yield Finding(name, str(problem), "start PostgreSQL, or mend the address and password")
        return
    except BadDatabase as problem:
        wrong, _, remedy = str(problem).rpartition("; ")
        yield Finding(name, wrong, remedy)
        return
    try:
        yield from _clock(service, log)
        yield from _worker(service, log)
        for stream, why in sorted(log.parked().items()):
            t = stream.partition("/")[2]
            yield Finding(f"{service}, tournament {t}", why, f"`arbiter resume {t}` compares the ledgers and goes on")
    except LogUnavailable as problem:
        yield Finding(name, str(problem), "look at PostgreSQL's own log")
    finally:
        log.close()


def _clock(service: str, log: "DistributedLog") -> Iterator[Finding]:
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


def _worker(service: str, log: "DistributedLog") -> Iterator[Finding]:
    from shared.log.sql.worker_state import FOLLOWER

    silent, halted = log.alive(), log.halts()
    if FOLLOWER in halted:
        yield Finding(f"worker of {service}", "waits until what it has found is mended")
    elif silent is None or silent > _SILENT_SECONDS:
        seen = "never seen" if silent is None else f"silent for {silent:.0f} s"
        yield Finding(
            f"worker of {service}", seen, f"start it: ARBITER_SERVICE={service} python -m deploy.server.worker"
        )
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
