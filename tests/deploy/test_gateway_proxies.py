"""A gateway behind what ends TLS: whose word counts on whom a request is for. A real nginx."""

import json
import os
from http.client import HTTPConnection
from pathlib import Path

import pytest

from deploy.server.settings import SERVICES
from tests.attacks.serving import serving
from tests.deploy.gateway import gateway_before
from tests.deploy.servers import STACK
from tests.deploy.test_gateway import service_that_tells
from tests.programs import needed
from tests.stack import nginx as local_nginx
from tests.stack.process import NotReady, Process

pytestmark = STACK
START = Path(__file__).parents[2] / "deploy" / "gateway.sh"


def address_told(port: int, said: str | None, source: str) -> str:
    """For whom the gateway asks a service; the request comes from ``source``, and says ``said`` of whom it is for."""
    connection = HTTPConnection("127.0.0.1", port, timeout=10, source_address=(source, 0))
    connection.request("GET", "/healthz", headers={"X-Forwarded-For": said} if said else {})
    return str(json.loads(connection.getresponse().read())["forwarded"])


def test_whom_a_request_is_for_is_believed_from_trusted_proxies_alone(tmp_path):
    # given a gateway behind one proxy that ends TLS, at 127.0.0.2, and another network of them
    needed(local_nginx.missing())
    server = service_that_tells("standings")
    services = dict.fromkeys(SERVICES, server.server_port)
    with gateway_before(tmp_path, services, proxies="127.0.0.2, 2001:db8::/32,192.0.2.0/24") as port:
        # when it says for whom it asks, then that address is the one that has limits
        assert address_told(port, "198.51.100.7", "127.0.0.2") == "198.51.100.7"
        # and what that one said of himself, or proxies between, is not
        assert address_told(port, "203.0.113.9, 198.51.100.7, 192.0.2.4", "127.0.0.2") == "198.51.100.7"
        assert address_told(port, "203.0.113.9, 2001:db8:ff::1", "127.0.0.2") == "203.0.113.9"
        assert address_told(port, None, "127.0.0.2") == "127.0.0.2"
        assert address_told(port, "anybody", "127.0.0.2") == "127.0.0.2"
        # but a stranger is who he is, whatever he says
        assert address_told(port, "198.51.100.7", "127.0.0.1") == "127.0.0.1"
    server.shutdown()


def status(port: int, said: str, source: str) -> int:
    """What a table is answered with."""
    connection = HTTPConnection("127.0.0.1", port, timeout=10, source_address=(source, 0))
    connection.request("GET", "/v1/tournaments/T/standings", headers={"X-Forwarded-For": said})
    return connection.getresponse().status


def test_readers_behind_a_trusted_proxy_have_limits_each_of_his_own_and_a_stranger_has_one(tmp_path):
    needed(local_nginx.missing())
    limits = {"ARBITER_PROXIES": "127.0.0.1", "ARBITER_READS": "0.001", "ARBITER_READS_BURST": "10"}
    with (
        serving(tmp_path, **limits) as (_, served),
        gateway_before(tmp_path, dict.fromkeys(SERVICES, served), proxies="127.0.0.2") as port,
    ):
        answers = [status(port, f"198.51.100.{n}", "127.0.0.1") for n in range(3)]
        # An answer costs the CPU time that it used, so that the second may already be one too many.
        assert (answers[0], answers[2]) == (404, 429), "whatever he says, a stranger's reads are counted together"
        assert [status(port, f"198.51.100.{n}", "127.0.0.2") for n in range(3)] == [404, 404, 404]
        assert [status(port, "198.51.100.0", "127.0.0.2") for _ in range(2)][-1] == 429


def test_a_gateway_that_is_told_of_no_proxy_believes_none(tmp_path):
    needed(local_nginx.missing())
    server = service_that_tells("standings")
    with gateway_before(tmp_path, dict.fromkeys(SERVICES, server.server_port)) as port:
        assert address_told(port, "198.51.100.7", "127.0.0.2") == "127.0.0.2"
    server.shutdown()


@pytest.mark.parametrize(
    "proxies",
    [
        "all",
        "proxy.example",
        "0.0.0.0/0",
        "::/0",
        "10.0.0",
        "10.0.0.0/33",
        "be.ef",
        "1.2.3.4;",
        "1.2.3.4\nnow",
        "unix:",
        "300.1.1.1",
    ],
)
def test_a_gateway_does_not_start_with_what_is_no_address_of_a_proxy(tmp_path, proxies):
    needed(local_nginx.missing())
    with pytest.raises(NotReady), gateway_before(tmp_path, {}, proxies=proxies):
        pass
    told = (tmp_path / "nginx.log").read_text()
    assert "no address and no network" in told or "invalid" in told or "not found" in told


def test_services_with_new_addresses_are_looked_up_again(tmp_path):
    asked = tmp_path / "asked"  # a line for each look-up
    (tmp_path / "getent").write_text(
        f'#!/bin/sh\nshift\nfor name; do echo "$(cat {tmp_path}/address) $name"; done\necho >>{asked}\n'
    )
    (tmp_path / "getent").chmod(0o755)
    (tmp_path / "address").write_text("10.0.0.1")
    nginx = tmp_path / "nginx"  # writes down each SIGHUP, at which nginx reads its configuration again
    nginx.write_text(
        f'#!/bin/sh\ntrap "echo again >>{tmp_path}/told" HUP\ntouch {tmp_path}/up\nwhile :; do sleep 0.1; done\n'
    )
    nginx.chmod(0o755)
    environment = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "GATEWAY_TRUSTED": str(tmp_path / "trusted.conf")}
    # A shell cannot trap a signal that was ignored when it started, as under nohup; nginx can.
    command = ["env", "--default-signal=HUP", "sh", str(START), str(nginx)]
    process = Process("gateway", command, environment, tmp_path / "log")
    process.start()
    try:
        process.wait_until((tmp_path / "up").exists)
        # one question whether there are names, one of addresses
        process.wait_until(lambda: asked.exists() and asked.read_text().count("\n") >= 2)
        (tmp_path / "address").write_text("10.0.0.2")
        process.wait_until((tmp_path / "told").exists)
    finally:
        process.kill()
