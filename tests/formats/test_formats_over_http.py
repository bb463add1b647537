"""Twenty competitions of the format matrix over HTTP: each table, next pairing and outdated basis as the oracle has it."""

from dataclasses import replace
from random import Random

import pytest

from shared.http.commands import write_routes
from tests.formats.histories import History
from tests.formats.http_hall import HttpHall
from tests.formats.matrix import competition, pairs_of_stages
from tests.stories.conftest import Story
from tests.stories.hall import Embedded

PAIRS = [pair for pair in pairs_of_stages() if pair[0] != "manual"][:20]
"""Twenty of the pairs of stages; pairings by hand are announced at rules level only."""


@pytest.fixture(scope="module")
def hall(tmp_path_factory):
    hall = Embedded(tmp_path_factory.mktemp("house"))
    yield hall
    hall.close()


@pytest.mark.parametrize("formats", PAIRS, ids=" then ".join)
def test_competition_over_http_agrees_with_the_second_implementation(formats, hall, monkeypatch):
    monkeypatch.setattr(write_routes.secrets, "randbits", Random(1).getrandbits)  # the same history in every run
    one = replace(competition(formats, 1, most=5), book="campus")
    History(HttpHall(Story(hall), "-".join(formats), one), seed=1, often=0.3).play()
