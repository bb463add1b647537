"""The number of a player: pages, papers and files show the same one, the starting number."""

import re

import pytest

from tests.forms.conftest import Comes
from tests.http.calls import Call

SHOWING = (
    "/t/<t>/players",
    "/t/<t>/crosstable",
    *(f"/t/<t>/papers/{paper}" for paper in ("check-in", "standings", "crosstable")),
    *(f"/t/<t>/rounds/1/papers/{paper}" for paper in ("boards", "names", "slips")),
    *(f"/t/<t>/{file}.csv" for file in ("standings", "crosstable", "rounds/1", "prizes")),
)


@pytest.mark.parametrize("path", SHOWING)
def test_page_paper_and_file_show_the_starting_number(call: Call, comes: Comes, path: str):
    correction = {"starting_number": 6, "reason": "strength"}
    assert call("POST", "/v1/tournaments/<t>/entries/1/correction", correction).status_code == 201
    text = re.sub(r"\s+", " ", re.sub(r"<[^>]+>|[\u2066-\u2069]", " ", comes(None).sees(path).text))
    assert re.search(r"(\b6[ ,]+(1[ ,]+)?Player 1\b|\bPlayer 1\b[ ,]+6\b)", text), text
    assert not re.search(r"\b1[ ,]+Player 1\b", text.replace("1 1 Player", "")), text


def test_cross_table_cell_names_the_starting_number_of_the_opponent(call: Call, comes: Comes):
    call("POST", "/v1/tournaments/<t>/entries/1/correction", {"starting_number": 6, "reason": "strength"})
    for path in ("/t/<t>/crosstable", "/t/<t>/papers/crosstable", "/t/<t>/crosstable.csv"):
        cells = set(re.findall(r"\b\d[rb]\*", re.sub(r"<[^>]+>", " ", comes(None).sees(path).text)))
        assert cells == {"6b*", "1r*", "3r*", "2b*", "5r*", "4b*"}, path
    assert "number 6" in comes(None).sees("/t/<t>/players/1").text
