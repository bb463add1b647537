"""A hall for each test of a server that a module's tests share, and people who come with a role."""

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest
from flask import Flask

from deploy.server import embedded
from shared.core.terms import Role
from shared.http.app import close
from shared.http.limits.rate_limits import Limits
from tests.http.calls import Call
from tests.http.forms import Person, hall
from tests.offices import holder

Comes = Callable[..., Person]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("forms")


@pytest.fixture(scope="module")
def app(data: Path) -> Iterator[Flask]:
    made = embedded.make_app(data, Limits(rate=0, reads=0, preview_seconds=120, audit_seconds=120))
    yield made
    close(made)


_numbers = count(1)


@pytest.fixture
def t() -> str:
    return f"cup{next(_numbers)}"


@pytest.fixture
def call(app: Flask, data: Path, t: str) -> Call:
    return hall(app, data, t)


@pytest.fixture
def comes(app: Flask, data: Path, t: str) -> Comes:
    def person(role: Role | None = "arbiter", name: str | None = None) -> Person:
        return Person(app, data, role, name or (holder(role, None) if role else ""), t)

    return person
