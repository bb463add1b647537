"""The house behind the real server: what only a socket and a signal can show."""

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from shared.http.identity import tokens
from shared.http.limits.rate_limits import Limits
from tests.log.distributed import until

ROOT = Path(__file__).parents[2]


class Served:
    """The server's process and its address."""

    def __init__(self, data: Path) -> None:
        command = [sys.executable, "-m", "tests.http.serving", str(data)]
        self.errors = (data / "stderr").open("w+b")
        self.process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=self.errors)
        assert self.process.stdout is not None
        address = urlsplit(self.process.stdout.readline().decode().strip())
        assert address.hostname and address.port, (data / "stderr").read_text()
        self.address = (address.hostname, address.port)
        self.token = tokens.issue(data, "organiser", "li.wei")

    def connection(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection(*self.address, timeout=20)

    def ask(self, method, path, body=None, **headers):
        connection = self.connection()
        sent = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json", **headers}
        connection.request(method, path, None if body is None else json.dumps(body), sent)
        answer = connection.getresponse()
        return answer.status, answer.read(), answer

    def end(self, sig=signal.SIGTERM) -> float:
        """Send a signal; the seconds until the process ended."""
        start = time.monotonic()
        self.process.send_signal(sig)
        self.process.wait(20)
        return time.monotonic() - start

    def said(self) -> str:
        self.errors.seek(0)
        return self.errors.read().decode()


@pytest.fixture
def served(tmp_path):
    tokens.ensure_keys(tmp_path)
    server = Served(tmp_path)
    assert server.ask("POST", "/v1/tournaments", {"id": "T", "name": "Cup"})[0] == 201
    yield server
    if server.process.poll() is None:
        server.end(signal.SIGKILL)
    server.process.stdout.close()
    server.errors.close()


def opened_stream(served):
    connection = served.connection()
    connection.request("GET", "/v1/tournaments/T/events", headers={"Accept": "text/event-stream"})
    answer = connection.getresponse()
    assert (answer.status, answer.getheader("Content-Type")) == (200, "text/event-stream; charset=utf-8")
    while not answer.readline().startswith(b"data: "):
        pass
    return answer


def test_a_stream_shows_each_line_at_once_and_ends_on_sigterm(served):
    answer = opened_stream(served)
    status, body, _ = served.ask("POST", "/v1/tournaments/T/entries", {"name": "x"})
    assert status == 201
    lines = iter(answer.readline, b"")
    data = next(line for line in lines if line.startswith(b"data: "))
    assert json.loads(data[6:]) == json.loads(body)["events"][0]
    assert served.end() < 10
    rest = list(lines)
    assert not any(line.startswith(b"data: ") for line in rest)
    assert served.process.returncode == 0
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(served.address)


def test_ctrl_c_ends_it_as_cleanly(served):
    opened_stream(served)
    assert served.end(signal.SIGINT) < 10
    assert served.process.returncode == 0
    assert "Traceback" not in served.said()


def test_kept_connection_is_answered_once_more_and_closed(served):
    connection, other = served.connection(), served.connection()
    for one in (connection, other):
        one.request("GET", "/healthz")
        assert one.getresponse().read() and one.sock is not None
    served.process.send_signal(signal.SIGTERM)
    while other.sock is not None:
        other.request("GET", "/healthz")
        other.getresponse().read()
    headers = {"Authorization": f"Bearer {served.token}", "Content-Type": "application/json"}
    connection.request("POST", "/v1/tournaments/T/entries", json.dumps({"name": "late"}), headers)
    answer = connection.getresponse()
    assert (answer.status, answer.getheader("Connection")) == (201, "close") and answer.read()
    assert served.process.wait(20) == 0


def test_no_connection_is_reset_at_the_end(served):
    counts, ended = Counter(), threading.Event()

    def call():
        while not ended.is_set():
            try:
                connection = socket.create_connection(served.address, timeout=10)
            except ConnectionRefusedError:
                return
            with connection, suppress(ConnectionResetError, BrokenPipeError):
                connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                with connection.makefile("rb") as answer:
                    counts[answer.read()[:12]] += 1
                continue
            counts["reset"] += 1

    callers = [threading.Thread(target=call) for _ in range(12)]
    for caller in callers:
        caller.start()
    until(lambda: counts[b"HTTP/1.1 200"] >= 100)
    served.end()
    for caller in callers:
        caller.join()
    assert counts.keys() == {b"HTTP/1.1 200"}


def test_what_was_acknowledged_before_the_end_is_in_the_log(served, tmp_path):
    done, stop = [], threading.Event()

    def write():
        while not stop.is_set():
            try:
                status, body, _ = served.ask("POST", "/v1/tournaments/T/entries", {"name": "x"})
            except (OSError, http.client.HTTPException):
                return
            if status == 201:
                done.append(json.loads(body)["events"][0]["id"])

    writers = [threading.Thread(target=write) for _ in range(4)]
    [writer.start() for writer in writers]
    while len(done) < 40:
        assert any(writer.is_alive() for writer in writers)
        os.sched_yield()
    assert served.end() < 10
    stop.set()
    [writer.join() for writer in writers]
    again = Served(tmp_path)
    try:
        rows = []
        answer = again.ask("GET", "/v1/tournaments/T")[2]
        assert int(answer.getheader("ETag").strip('"')) >= len(done) + 1
        stream = opened_stream(again)
        while len(rows) < len(done):
            line = stream.readline()
            if line.startswith(b"data: "):
                rows.append(json.loads(line[6:])["id"])
        assert set(done) <= set(rows) and len(set(rows)) == len(rows)
    finally:
        again.end(signal.SIGKILL)
        again.process.stdout.close()
        again.errors.close()


def test_a_body_over_the_limit_is_refused_whether_its_length_is_told_or_not(served):
    big = b'{"name": "' + b"x" * (Limits().body + 1) + b'"}'
    for chunked in (False, True):
        connection = served.connection()
        headers = {"Authorization": f"Bearer {served.token}", "Content-Type": "application/json"}
        body = iter([big]) if chunked else big
        with suppress(ConnectionError):  # it may stop reading before all is sent
            connection.request("POST", "/v1/tournaments/T/entries", body, headers)
        answer = connection.getresponse()
        assert (answer.status, answer.getheader("Content-Type")) == (413, "application/problem+json"), answer.read()
        connection.close()
    assert served.ask("GET", "/healthz")[0] == 200


def test_the_log_on_standard_error_is_json_lines_without_tokens(served):
    served.ask("GET", "/crash")
    served.end()
    lines = [json.loads(line) for line in served.said().splitlines() if line.startswith("{")]
    assert {"request", "crash"} <= {line["event"] for line in lines}
    assert served.token not in served.said() and "陈平" not in served.said()


def test_every_request_answered_before_the_end_is_in_the_log(served):
    requests = [f"r{n}" for n in range(100)]
    for request in requests:
        assert served.ask("GET", "/healthz", **{"X-Request-Id": request})[0] == 200
    served.end()
    lines = [json.loads(line) for line in served.said().splitlines() if line.startswith("{")]
    assert [line["request"] for line in lines if line.get("request") in requests] == requests


def test_a_false_request_line_is_refused_and_the_server_lives(served):
    for raw in (b"nonsense\r\n\r\n", b"GET /" + b"x" * 5000 + b" HTTP/1.1\r\nHost: a\r\n\r\n"):
        with socket.create_connection(served.address, timeout=10) as plain:
            plain.sendall(raw)
            assert plain.recv(100).split(b" ")[1] in (b"400", b"414")
    assert served.ask("GET", "/healthz")[0] == 200
