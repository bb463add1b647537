"""Scores are decimals wherever they stand, as FIDE's and xiangqi's tables have them: ½ is the mark of a drawn game alone."""

import re
from collections.abc import Iterator

import pytest
from flask import Flask

from shared.core.language.decimals import decimal
from shared.http.app import close
from shared.http.identity import tokens
from shared.http.requests.auth import COOKIE
from tests.hostile import Known, places
from tests.teams import played

MARKS = re.compile(r"[012½] – [012½]|>½</button>")
"""A result as its game was played, and the key of a draw."""
SCORED = {
    "/t/cup/standings",
    "/t/cup/teams",
    "/t/cup/teams/1",
    "/t/cup/players/12",
    "/t/cup/prizes?best=2",
    "/t/cup/rounds/1",
    "/t/cup/crosstable",
    "/t/cup/screen?show=standings",
    "/t/cup/papers/report",
    "/t/cup/papers/standings",
    "/t/cup/standings.csv",
    "/t/cup/teams.csv",
    "/t/cup/prizes.csv",
}
"""Where a score of a half stands in the event of two teams, of which the first won by 1.5 to 0.5."""


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    data = tmp_path_factory.mktemp("teams")
    app = played(data)
    app.config["TOKEN"] = tokens.issue(data, "chief_arbiter", "chief")
    yield app
    close(app)


def opened(app: Flask, address: str) -> str:
    """A page as an official of the tournament is shown it; empty where it cannot be opened."""
    client = app.test_client()
    client.set_cookie(COOKIE, app.config["TOKEN"])
    answer = client.get(address, headers={"Accept": "text/html", "Accept-Language": "en"})
    return answer.text if answer.status_code == 200 else ""


@pytest.mark.parametrize(
    ("value", "shown"),
    [(None, "–"), (0, "0"), (0.5, "0.5"), (4.5, "4.5"), (-0.5, "−0.5"), (37.25, "37.25"), (2150.3333, "2150.3333")],
)
def test_a_value_is_shown_as_people_write_it(value: float | None, shown: str):
    assert decimal(value) == shown


def test_no_page_and_no_form_writes_a_score_with_a_half(app: Flask):
    addresses = {place.address for place in places(app, Known("cup", "a1", ""))} | SCORED
    shown = {address: MARKS.sub("", opened(app, address)) for address in addresses}
    assert {address for address, text in shown.items() if "½" in text} == set()
    assert {address for address in SCORED if not re.search(r"\b[01]\.5\b", shown[address])} == set()
