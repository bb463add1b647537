"""The four services' databases beside topics that a test writes as it likes."""

import shutil

import pytest

from tests.attacks.topic_hall import Hall


@pytest.fixture(scope="module")
def empty(tmp_path_factory):
    """An empty database of each service, copied for each test."""
    folder = tmp_path_factory.mktemp("empty")
    Hall(folder).close()
    return folder


@pytest.fixture
def hall(empty, tmp_path):
    shutil.copytree(empty, tmp_path, dirs_exist_ok=True)
    made = Hall(tmp_path)
    yield made
    made.close()
