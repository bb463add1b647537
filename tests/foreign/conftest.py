"""Programs that are not ours, and an event for them to look at."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.foreign import build
from tests.foreign.event import played
from tests.stories.conftest import Story


@pytest.fixture(scope="session")
def event(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Story]:
    with played(tmp_path_factory.mktemp("event")) as story:
        yield story


@pytest.fixture(scope="session")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build.programs(tmp_path_factory.mktemp("programs"))


@pytest.fixture(scope="session")
def verifier(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build.verifier(tmp_path_factory.mktemp("verifier"))
