"""Everything fails while callers write, on one broker and on three: nothing acknowledged is lost, doubled or reordered.

``ARBITER_FAULTS`` and ``ARBITER_SEED`` make it longer or another one (`make campaign NAME=faults N=500 SEED=7`); with
``ARBITER_FIGURES`` a campaign that passes is recorded in deploy/docs/figures.json.
"""

import json
import os
import subprocess
from collections import Counter
from contextlib import suppress
from itertools import cycle
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import psycopg
import pytest

from deploy.server.settings import SERVICES
from shared.log.kafka.broker import MOVES, TOURNAMENTS
from tests import warm
from tests.deploy.servers import enterable, whole_stack
from tests.faults import left
from tests.faults.campaign import AT_ONCE, Campaign, plan
from tests.faults.checker import Read, check, compare, take
from tests.faults.field import Field, all_acts
from tests.figures.pages import write_pages
from tests.figures.store import record_campaign
from tests.log.distributed import until

pytestmark = pytest.mark.xdist_group("campaign")
FAULTS = int(os.environ.get("ARBITER_FAULTS", "0"))
FEW = 20
PROFILES = {"one broker": "", **({"three brokers": "production"} if FAULTS else {})}
"""Three brokers take longer: without the variable, `tests/deploy/test_production.py` alone loses some of them."""
REST_SECONDS = 0.0 if FAULTS else 0.25
"""The pause of a caller between two commands. A long campaign has none."""
SEED = int(os.environ.get("ARBITER_SEED", "20261121"))
NDJSON = {"Accept": "application/x-ndjson"}


def got(address: str, path: str, seconds: float = 30) -> bytes:
    with urlopen(Request(address + path, headers=NDJSON), timeout=seconds) as answer:
        return answer.read()


def ids(lines: list[bytes]) -> tuple[str, ...]:
    return tuple(json.loads(line)["id"] for line in lines)


class Readers:
    """Who reads while everything fails: in turn a log over HTTP, and a ledger out of its database."""

    def __init__(self, stack, campaign) -> None:
        self._stack, self._campaign = stack, campaign
        self._services, self._turn = cycle(SERVICES), 0

    def look(self) -> None:
        """What answers, with what it says."""
        self._turn += 1
        t = self._campaign.tournaments[-1 - self._turn % AT_ONCE]
        with suppress(OSError):
            lines = got(self._stack.url, f"/v1/tournaments/{t}/events", 2).splitlines()
            self._campaign.history.read(Read("HTTP", f"tournaments/{t}", ids(lines)))
        service = next(self._services)
        with suppress(psycopg.OperationalError):
            for stream, lines in left.ledger(self._stack, service).items():
                self._campaign.history.read(Read(service, stream, ids(lines)))


def caught_up(stack) -> bool:
    """Whether every service has sent all of its own and read all that was sent."""
    states = [json.loads(got(stack.url, f"/services/{service}/readyz")) for service in SERVICES]
    return all(s["lag"] == s["worker"]["lag"] == s["worker"]["waiting"] == 0 for s in states)


def ready(stack) -> bool:
    try:
        return caught_up(stack)
    except OSError:
        return False


@pytest.mark.parametrize("profile", PROFILES.values(), ids=PROFILES)
def test_whatever_fails_what_was_acknowledged_is_in_the_log_once_and_in_one_order(profile, tmp_path):
    whole_stack()
    # given the whole stack, and a plan
    field = Field(enterable(tmp_path), profile)
    number = FAULTS or FEW
    faults = plan(SEED, number, field.acts)
    print(f"{number} faults by seed {SEED}; logs lie in {field.stack.folder}", flush=True)
    try:
        field.start()
        stack, at = field.stack, urlsplit(field.stack.url)
        campaign = Campaign(field, (at.hostname, at.port), stack.data, SEED, REST_SECONDS)
        # when it is struck by the plan while eight callers write to four tournaments
        campaign.run(faults, Readers(stack, campaign).look)
        # then it recovers without anybody's help
        until(lambda: ready(stack), "for every service to catch up", 120)
        judged(stack, campaign.history, campaign.tournaments, tmp_path)
        # and it was a campaign: much was acknowledged, much was not answered, much was sent again
        outcomes = Counter(operation.outcome for operation in campaign.history.operations())
        assert outcomes["ok"] > 10 * number and outcomes["refused"] > 0
        answers, reads = campaign.history.answers, campaign.history.reads
        failed = answers["no answer"] + answers["not-ready"] + answers["service-away"]
        assert failed > 0 and answers["repeated"] > 0 and len(reads) > number
        if "ARBITER_FIGURES" in os.environ:
            record_campaign(
                f"faults, {len(stack.brokers)} brokers" if profile else "faults",
                number,
                SEED,
                0,
                operations=len(campaign.history.operations()),
            )
            write_pages()
        print(f"{len(campaign.history.operations())} operations: {campaign.history}; {field.restarts} other restarts")
    finally:
        field.end()


def judged(stack, history, tournaments: list[str], folder: Path) -> None:
    """Everybody holds the same log, the history agrees with it, and the audit too."""
    # everybody holds one log: a plain reader of the topic, every service's ledger, and who asks over HTTP
    official, moves = take(left.topic(stack, TOURNAMENTS)), take(left.topic(stack, MOVES))
    over_http = {f"tournaments/{t}": got(stack.url, f"/v1/tournaments/{t}/events").splitlines() for t in tournaments}
    ledgers = {service: left.ledger(stack, service) for service in SERVICES}
    found = [*official.anomalies, *moves.anomalies]
    found += compare({"the topic": official.log, "HTTP": over_http, **ledgers})
    for service, source in SERVICES.items():
        expected = left.own_of(official.log, source) | (moves.log if service == "games" else {})
        found += compare({"the topics": expected, f"what {service} wrote": left.own(stack, service)})
    # what callers were told and readers saw is so
    log = left.lines(official.log | moves.log, left.texts(stack))
    found += check(history.operations(), history.reads, log)
    assert found == []
    # nobody's tournament was stopped, and no process met what it did not foresee
    for service in SERVICES:
        assert left.asked(stack, service, "SELECT stream, why FROM stopped") == []
    assert crashes(stack) == []
    # every decision follows again
    for t in tournaments:
        audited(stack, t, official.log[f"tournaments/{t}"], list(left.sheets(moves.log, t)), folder)
    print(f"{official.repeats + moves.repeats} records sent again, {official.ahead + moves.ahead} too early")


def crashes(stack) -> list[str]:
    """Lines of the services' and workers' logs that tell of what nobody foresaw."""
    return [
        line
        for file in sorted(stack.folder.glob("*.log"))
        for line in file.read_text().splitlines()
        if '"event": "crash"' in line
    ]


def audited(stack, t: str, lines: list[bytes], sheets: list[bytes], folder: Path) -> None:
    """``arbiter verify`` agrees, with nothing left undecided."""
    log, moves, note = folder / f"{t}.ndjson", folder / f"{t}.sheets", folder / f"{t}.note"
    log.write_bytes(b"".join(line + b"\n" for line in lines))
    moves.write_bytes(b"".join(line + b"\n" for line in sheets))
    note.write_bytes(got(stack.url, f"/v1/tournaments/{t}/checkpoint"))
    verify = [
        warm.programs() / "arbiter", "verify", log, "--sheets", moves, "--checkpoint", note,
        "--key", stack.data / "arbiter.vkey", "--json",
    ]  # fmt: skip
    ran = subprocess.run(verify, capture_output=True, check=False, cwd=Path(__file__).parents[2])
    report = json.loads(ran.stdout)
    assert (report["verdict"], report["unchecked"], report["checked"]) == ("agrees", 0, len(lines)), report


@pytest.mark.parametrize("seed", [1, 7, SEED])
def test_a_plan_strikes_everything_in_each_way_and_is_the_same_again(seed):
    acts = all_acts(("kafka", "kafka-2", "kafka-3"), disks=True)
    count = sum(map(len, acts.values())) + 15
    faults = plan(seed, count, acts)
    assert faults == plan(seed, count, acts)
    assert {(fault.target, fault.act) for fault in faults} == {(t, a) for t, some in acts.items() for a in some}
    assert any(fault.overlaps for fault in faults)
    assert plan(seed, count, acts) == plan(seed, 2 * count, acts)[:count]
