"""Units next to names, and columns of tie-breaks, on tables, papers, the screen and files."""

import re
from pathlib import Path

import pytest
from flask import Flask

from tests.forms.conftest import Comes
from tests.http.calls import Call
from tests.http.forms import hall

UNITED = (
    "/t/<t>",
    "/t/<t>/rounds/1",
    "/t/<t>/rounds/1?by=name",
    "/t/<t>/standings",
    "/t/<t>/crosstable",
    "/t/<t>/screen",
    "/t/<t>/screen?show=names",
    "/t/<t>/screen?show=standings",
    *(f"/t/<t>/rounds/1/papers/{paper}" for paper in ("boards", "names", "slips")),
    *(f"/t/<t>/papers/{paper}" for paper in ("standings", "crosstable", "report", "check-in")),
    *(f"/t/<t>/{file}.csv" for file in ("standings", "crosstable", "rounds/1")),
)


@pytest.mark.parametrize("language", ["en", "zh-CN"])
def test_unit_stands_beside_the_name_unless_it_is_hidden(call: Call, comes: Comes, language: str):
    for n, club in ((1, "北京队"), (2, "Club <i>A</i>")):
        sent = {"club": club, "reason": "x"}
        assert call("POST", f"/v1/tournaments/<t>/entries/{n}/correction", sent).status_code == 201
    call("POST", "/v1/tournaments/<t>/results", {"round": 1, "results": [{"board": 1, "result": "1-0"}]})
    guest = comes(None)
    guest.client.set_cookie("arbiter_language", language)

    def beside(path: str) -> bool:
        text = guest.sees(path).text
        spaced = re.sub(r"\s+", " ", re.sub(r"<[^>]+>|[\u2066-\u2069]|[,\r\n]", " ", text))
        second = "Club <i>A</i>" in text if path.endswith(".csv") else "Club &lt;i&gt;A&lt;/i&gt;" in text
        return second and bool(re.search(r"Player 1 (?:\S+ )?(?:\(0\) )?北京队", spaced))

    assert [path for path in UNITED if not beside(path)] == []
    assert call("POST", "/v1/tournaments/<t>/visibility", {"public": ["name"]}).status_code == 201
    assert [path for path in UNITED if "北京队" in guest.sees(path).text] == []


def test_tie_break_that_is_zero_for_everybody_has_no_column(app: Flask, data: Path, t: str, comes: Comes):
    call = hall(app, data, t, regulations="xiangqi-1999")
    tables = ("/t/<t>/standings", "/t/<t>/papers/standings", "/t/<t>/screen?show=standings")

    def heads(path: str) -> list[str]:
        found = re.findall(r"<th[^>]*>(?:<abbr[^>]*>)?([^<]+)", comes(None).sees(path).text.partition("</thead>")[0])
        return [one.strip() for one in found]

    call("POST", "/v1/tournaments/<t>/results", {"round": 1, "results": [{"board": 1, "result": "1-0"}]})
    for path in tables:
        assert heads(path)[-1] != "Points" and not {"Barred", "Warned", "Fouls"} & set(heads(path)), path
    foul = {"round": 1, "player": 3, "infraction": "foul"}
    answer = call("POST", "/v1/tournaments/<t>/rulings", foul, "arbiter")
    assert answer.status_code == 201, answer.text
    for path in tables[:2]:
        assert "Fouls" in heads(path), path


def test_cell_of_the_cross_table_names_the_number_of_the_opponent_everywhere(call: Call, comes: Comes):
    results = [{"board": n, "result": "0-1"} for n in (1, 2, 3)]
    assert call("POST", "/v1/tournaments/<t>/results", {"round": 1, "results": results}).status_code == 201

    def cells(path: str) -> set[str]:
        return set(re.findall(r"\b\d[rb][01]\b", re.sub(r"<[^>]+>", " ", comes(None).sees(path).text)))

    expected = {"2r0", "1b1", "4r0", "3b1", "6r0", "5b1"}
    for path in ("/t/<t>/crosstable", "/t/<t>/papers/crosstable", "/t/<t>/crosstable.csv"):
        assert cells(path) == expected, path
