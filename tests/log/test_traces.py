"""The trace of a request, from the command through outbox and Kafka to the ledgers of all services; never in an event."""

import logging

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from structlog.testing import capture_logs

from deploy.server.rules import RULES
from services.pairing.rules.commands import EnterPlayers, Entry
from shared import structured_log
from shared.audit.checkpoints.checkpoint import Signer
from shared.core.terms import PAIRING, SOURCES, PlayerId, service_of
from shared.desk.desk import Desk, Request
from shared.http.requests.request_parts import read_traceparent
from shared.log.kafka.broker import traceparent_of
from tests.deploy.servers import SERVERS
from tests.histories import CHIEF, NAME, begin
from tests.house_keys import KEYS
from tests.log.distributed import until

SIGNER = Signer("arbiter.test", Ed25519PrivateKey.generate())
TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"


@pytest.mark.parametrize(
    ("sent", "read"),
    [
        pytest.param(TRACE, TRACE, id="version 00"),
        pytest.param(f"01{TRACE[2:]}-more", TRACE, id="fields of a later version"),
        pytest.param(f"{TRACE}-more", None, id="more fields in version 00"),
        pytest.param(f"ff{TRACE[2:]}", None, id="version ff"),
        pytest.param(TRACE.upper(), None, id="capital letters"),
        pytest.param(f"00-{'0' * 32}-00f067aa0ba902b7-01", None, id="a trace of zeros"),
        pytest.param(f"00-4bf92f3577b34da6a3ce929d0e0e4736-{'0' * 16}-01", None, id="a parent of zeros"),
        pytest.param("\n", None, id="a line break"),
        pytest.param(None, None, id="no header"),
    ],
)
def test_a_header_traceparent_is_read_as_the_standard_has_it(sent: str | None, read: str | None):
    assert read_traceparent(sent) == read


@pytest.mark.parametrize(
    "headers",
    [
        pytest.param([], id="none"),
        pytest.param([("traceparent", None)], id="empty"),
        pytest.param([("traceparent", TRACE.encode())] * 2, id="two"),
        pytest.param([("traceparent", b"\x1b[2J")], id="control characters"),
    ],
)
def test_a_record_with_another_header_has_no_trace(headers: list[tuple[str, bytes | None]]):
    assert traceparent_of(headers) is None


@pytest.fixture
def informed():
    """Set the level of logs that a worker has."""
    structured_log.configure()
    yield
    structured_log.configure(logging.WARNING)


@SERVERS
def test_the_trace_of_a_command_is_logged_by_every_service_and_is_in_no_event(world, informed):
    with capture_logs() as logged:
        world.start()
        desk = Desk(world.open(PAIRING), {PAIRING: RULES[PAIRING]}, SIGNER.sign, keys=KEYS)
        until(lambda: desk.log.unready() is None, "for the worker")
        begin(desk, "T")
        enter = EnterPlayers(CHIEF, (Entry(PlayerId(9), NAME),))
        desk.submit(PAIRING, "T", enter, Request(traceparent=TRACE))
        logs = {source: world.open(source) for source in SOURCES}
        until(lambda: all(log.lines("tournaments/T") for log in logs.values()), "for the ledgers")
        services = {service_of(source) for source in SOURCES}
        until(
            lambda: {entry["service"] for entry in logged if entry.get("traceparent") == TRACE} == services, "for logs"
        )
    events = [row.line for log in logs.values() for row in log.lines("tournaments/T")]
    assert events and not [event for event in events if TRACE.encode() in event]
    desk.close()
