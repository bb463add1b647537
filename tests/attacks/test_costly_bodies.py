"""A body that somebody sends costs little until its sender may send it and its lists have a possible length."""

import time
from pathlib import Path

import pytest

from deploy.server import embedded
from shared.http.app import close
from shared.http.identity import tokens

CUP = {"id": "T", "name": "Cup", "game": "xiangqi", "format": "swiss", "rounds": 3, "regulations": "campus"}
MANY = 100_000
SECONDS = 2.0
"""CPU time in which a request is refused. Checking each item of these lists takes ten times as long."""


@pytest.fixture(scope="module")
def ask(tmp_path_factory):
    data: Path = tmp_path_factory.mktemp("bodies")
    app = embedded.make_app(data)
    client = app.test_client()

    def asked(path: str, body: object, role: str | None) -> object:
        headers = {} if role is None else {"Authorization": f"Bearer {tokens.issue(data, role, 'x')}"}
        return client.post(path, json=body, headers=headers)

    assert asked("/v1/tournaments", CUP, "organiser").status_code == 201
    yield asked
    close(app)


@pytest.mark.parametrize(
    ("path", "body", "role", "status"),
    [
        ("/v1/tournaments/T/entries", {"players": [{}] * MANY}, "player", 403),
        ("/v1/tournaments/T/entries", {"players": [{}] * MANY}, "organiser", 422),
        ("/v1/tournaments/T/entries", {"players": [{f"x{n}": 1 for n in range(MANY // 2)}]}, "organiser", 422),
        ("/v1/tournaments/T/entries", {"players": [{}] * 500}, "organiser", 422),
        ("/v1/tournaments/T/teams", {"teams": [{}] * MANY}, "organiser", 422),
        ("/v1/tournaments", CUP | {"id": "U", "tiebreaks": ["BH"] * MANY}, "organiser", 422),
        ("/v1/judge", ["x"] * MANY, None, 422),
        ("/v1/judge", {"game": "go", "moves": ["x"] * MANY}, None, 422),
    ],
)
def test_a_long_list_is_refused_before_its_items_are_read(ask, path, body, role, status):
    began = time.process_time()
    answer = ask(path, body, role)
    assert (answer.status_code, time.process_time() - began < SECONDS) == (status, True)
    assert len(answer.data) < 5_000, "a response names at most 20 errors"
