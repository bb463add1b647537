"""The log of a process: a line for each event, whoever writes it."""

import json
import os
import sys
from pathlib import Path

import pytest
import structlog

from shared import structured_log


@pytest.fixture
def lines(capfd):
    structured_log.configure()
    yield lambda: [json.loads(line) for line in capfd.readouterr().err.splitlines()]
    structured_log.write_at_once()
    structlog.reset_defaults()


def test_a_line_tells_event_level_and_time(lines):
    structured_log.logger().info("request", route="/v1", status=201)
    (line,) = lines()
    assert line.pop("time").endswith("Z")
    assert line == {"event": "request", "level": "info", "route": "/v1", "status": 201}


def test_what_json_does_not_know_is_logged_all_the_same(lines):
    structured_log.logger().error("odd", surrogate="\ud800", thing=frozenset)
    assert lines()[0]["thing"] == "<class 'frozenset'>"


def test_lines_of_the_thread_beside_are_all_written_when_it_ends(lines):
    structured_log.write_beside()
    for n in range(2_000):
        structured_log.logger().info("request", n=n)
    structured_log.write_at_once()
    structured_log.logger().info("after", n=2_000)
    assert [line["n"] for line in lines()] == list(range(2_001))


def test_a_forked_child_which_has_no_such_thread_writes_its_own_lines(lines):
    structured_log.write_beside()
    child = os.fork()
    if child == 0:
        structured_log.logger().info("child")
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    assert [line["event"] for line in lines()] == ["child"]


def test_a_standard_error_that_is_closed_fails_nobody(lines, monkeypatch):
    with Path(os.devnull).open() as broken:
        pass
    monkeypatch.setattr(sys, "stderr", broken)
    structured_log.logger().info("request")
