"""A rolling restart from the version before to this one, under load through the gateway: no request is refused or lost.

``ARBITER_UPGRADE`` is the number of requests sent during each restart (`make campaign NAME=upgrade N=1000`).
"""

import json
import os
import time
from urllib.parse import urlsplit

import pytest

from deploy.server.settings import SERVICES
from tests.deploy.operating import DOCS, Operator, commands
from tests.deploy.servers import enterable, whole_stack
from tests.faults.test_campaign import got, judged, ready
from tests.figures.pages import write_pages
from tests.figures.store import record_campaign
from tests.log.distributed import until
from tests.upgrade.former import former_version
from tests.upgrade.load import Load
from tests.upgrade.rolling import Rolling

pytestmark = pytest.mark.xdist_group("campaign")
REQUESTS = int(os.environ.get("ARBITER_UPGRADE", "24"))
REST_SECONDS = 0.0 if "ARBITER_UPGRADE" in os.environ else 1.0
"""The pause of a caller between two commands. A campaign has none."""
SEED = int(os.environ.get("ARBITER_SEED", "1"))


def test_rolling_restart_from_the_former_version_refuses_and_loses_nothing(tmp_path):
    whole_stack()
    folder = enterable(tmp_path)
    expand, permit, contract = commands("Upgrade", DOCS / "operator.md")
    rolling = Rolling(folder, former_version(folder), {"ARBITER_EDITION": "2"})
    try:
        # given two web processes and two workers of each service, of the version before, and eight callers
        rolling.start()
        stack, at = rolling.stack, urlsplit(rolling.stack.url)
        with Load((at.hostname, at.port), stack.data, SEED, REST_SECONDS) as load:
            # when the databases are migrated, and each process is replaced by one that writes the former edition
            operate(stack, expand)
            code, output = Operator(stack).types(permit)
            assert code == 0, output
            for name in rolling.order():
                restart(rolling, load, name)
                if name in SERVICES:
                    load.renew()
            former_edition = load.tournaments[-1]
            # and then the former version is shut out, and the edition is raised
            operate(stack, contract)
            for name in ("pairing", "pairing-2"):
                restart(rolling, load, name, ARBITER_EDITION="3")
            load.renew()
        # then nothing was refused, what was acknowledged is in the log once, and the audit agrees
        assert load.requests.refused == []
        until(lambda: ready(stack), "for every service to catch up", 60)
        judged(stack, load.history, load.tournaments, tmp_path)
        # and each tournament has the edition that was in force when it was created
        assert editions(stack, former_edition) == ("arbiter.tournament.announced.v4", 2)
        assert editions(stack, load.tournaments[-1]) == ("arbiter.tournament.announced.v5", 3)
        assert {service: rolling.state(service)["edition"] for service in SERVICES} == dict.fromkeys(SERVICES, 2) | {
            "pairing": 3
        }
        if "ARBITER_FIGURES" in os.environ:
            record_campaign("upgrade", REQUESTS, SEED, 0, restarts=18, requests=load.requests.sent)
            write_pages()
        print(f"{load.requests.sent} requests: {dict(load.requests.statuses)}; {load.history}")
    finally:
        rolling.end()


def operate(stack, command: str) -> None:
    code, output = Operator(stack).types(command)
    assert (code, output.count("for processes from migration")) == (0, len(SERVICES)), (command, output)


def restart(rolling, load, name: str, **settings: str) -> None:
    """Replace a process while `REQUESTS` are sent: a third before it ends, a third before the other one starts."""
    requests, first, began = load.requests, load.requests.sent, time.monotonic()

    def before() -> None:
        requests.wait_until_answered()
        requests.wait_for(REQUESTS // 3)

    rolling.replace(name, before, lambda: requests.wait_for(REQUESTS // 3), **settings)
    requests.wait_for(max(0, first + REQUESTS - requests.sent))
    print(f"{name}: {requests.sent - first} requests in {time.monotonic() - began:.0f} s", flush=True)


def editions(stack, t: str) -> tuple[str, int]:
    """Return the version of a tournament's first event, and its decision edition."""
    events = [json.loads(line) for line in got(stack.url, f"/v1/tournaments/{t}/events").splitlines()]
    adopted = next(event["data"]["regulations"] for event in events if "regulations" in event["data"])
    return events[0]["type"], adopted["decisions"]
