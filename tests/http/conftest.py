from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import structlog
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from shared import structured_log
from shared.core.terms import Role
from shared.http.identity import tokens
from shared.http.requests.app_context import EXTENSION
from tests.http.house import an_app


class Caller:
    """A client with a token of one role; it may be told to hold another token, or none."""

    def __init__(self, client: FlaskClient, token: str | None) -> None:
        self.client, self.token = client, token

    def __call__(
        self, method: str, path: str, json: Any = None, headers: dict[str, str] | None = None, **more: Any
    ) -> TestResponse:
        sent = {**({"Authorization": f"Bearer {self.token}"} if self.token else {}), **(headers or {})}
        return self.client.open(path, method=method, json=json, headers=sent, **more)


class Clock:
    """Seconds that pass when a test says so."""

    seconds = 1_000.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def app(tmp_path: Path, clock: Clock) -> Iterator[Flask]:
    made = an_app(tmp_path, clock=clock)
    yield made
    made.extensions[EXTENSION].desk.close()


@pytest.fixture
def caller(app: Flask, tmp_path: Path) -> Callable[..., Caller]:
    def make(role: Role | None = "organiser", name: str = "li.wei", tournament: str | None = None) -> Caller:
        return Caller(app.test_client(), tokens.issue(tmp_path, role, name, tournament) if role else None)

    return make


@pytest.fixture
def organiser(caller: Callable[..., Caller]) -> Caller:
    return caller()


@pytest.fixture
def announced(organiser: Caller) -> Caller:
    """The organiser, after the tournament T was announced (line 1)."""
    assert organiser("POST", "/v1/tournaments", {"id": "T", "name": "Cup"}).status_code == 201
    return organiser


@pytest.fixture
def logged(capsys: pytest.CaptureFixture[str]) -> Iterator[Callable[[], str]]:
    """What the log says, from now on."""
    structured_log.configure()
    yield lambda: capsys.readouterr().err
    structlog.reset_defaults()
