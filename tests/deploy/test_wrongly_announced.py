"""Tournaments that a stolen former key of pairing's announces, on the whole stack.

They stand stopped from then on, as they should: so this comes after all other tests of the stack, by the name of its file.
"""

import json

import uuid_utils

from deploy.server.settings import SERVICES
from shared.audit.keys import key_files
from shared.core.terms import PAIRING
from shared.log.kafka.broker import TOURNAMENTS
from shared.log.kafka.consumer import partition_of
from shared.signing.service_keys import OwnKey, signed, signer
from tests.deploy.operating import WORKERS, Operator
from tests.deploy.servers import STACK
from tests.deploy.test_what_is_lost import Cup, goes_on
from tests.log.distributed import until

pytestmark = STACK


def announced_by(stack, key: OwnKey, cup: Cup, t: str) -> bytes:
    """A tournament's announcement as it stands in another's log, under another name and signed by this key."""
    line = json.loads(cup.lines()[0].replace(f"/{cup.name}".encode(), f"/{t}".encode()))
    line.pop("signature", None)
    line |= {"id": str(uuid_utils.uuid7()), "causationid": str(uuid_utils.uuid7()), "partitionkey": t}
    record = json.dumps(line, separators=(",", ":"), ensure_ascii=False).encode()
    return signed([record], signer(key.private, key.public))[0]


def test_a_former_key_of_pairing_that_was_stolen_announces_nothing_in_any_partition(stack, insider):
    operator = Operator(stack, NAME="Li Wei", REASON="a stolen key")
    cup = Cup(stack, "thief")
    code, told = operator.types("arbiter keys --rotate pairing")
    assert code == 0, told
    former = OwnKey.of(PAIRING, key_files.read_all(stack.data / "keys" / "pairing.key")[1])
    goes_on(cup)  # once every process has the new key
    after = Cup(stack, "thief-after")
    goes_on(after)
    # when games' password and pairing's former key are in one hand
    names = [f"stolen-{n}" for n in range(8)]
    for t in names:
        record = announced_by(stack, former, cup, t)
        insider.send(TOURNAMENTS, key=t.encode(), value=record, partition=partition_of(t, 12)).get(30)
    # then every service stops what was announced so, and nothing else
    until(lambda: all(set(names) <= set(operator.ready(service)[1]["parked"]) for service in SERVICES))
    goes_on(cup)
    goes_on(after)
    # also one that begins with what it reads
    stack.restart(*WORKERS)
    goes_on(after)
    assert all(set(names) <= set(operator.ready(service)[1]["parked"]) for service in SERVICES)
