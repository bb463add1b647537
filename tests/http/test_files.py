"""Files over HTTP: the report file and the table for spreadsheets."""

import csv
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from shared.trf.reader import read
from tests.played import Played, a_desk, an_app

T = "/v1/tournaments/cup"


@pytest.fixture
def client(tmp_path: Path) -> Iterator[FlaskClient]:
    """A tournament whose first two players are called by formulas."""
    desk = a_desk(tmp_path)
    cup = Played(desk)
    cup.announce()
    cup.enter("=1+1", " ＝2", "李娜", "Nora O'Brien, jr.")
    cup.pair((1, 2), (3, 4))
    cup.report(1, "1-0", "1/2-1/2")
    yield an_app(tmp_path, desk).test_client()
    desk.close()


def test_the_table_as_csv_holds_no_formula(client: FlaskClient):
    answer = client.get(f"{T}/standings?tiebreaks=WIN,BH", headers={"Accept": "text/csv"})
    assert (answer.status_code, answer.mimetype) == (200, "text/csv")
    head, *rows = csv.reader(StringIO(answer.text))
    assert head == ["rank", "id", "name", "points", "WIN", "BH", "regulations"]
    assert {row[2] for row in rows} == {"'=1+1", "' ＝2", "李娜", "Nora O'Brien, jr."}
    assert rows[0][:5] == ["1", "1", "'=1+1", "1", "1"]


def test_json_is_the_table_where_nothing_else_is_asked_for(client: FlaskClient):
    assert client.get(f"{T}/standings").mimetype == "application/json"
    assert client.get(f"{T}/standings", headers={"Accept": "*/*"}).mimetype == "application/json"


@pytest.mark.parametrize(("edition", "record"), [("16", "XXR"), ("26", "142")])
def test_a_tournament_is_a_file_of_either_edition(client: FlaskClient, edition: str, record: str):
    answer = client.get(f"{T}/trf?edition={edition}")
    assert (answer.status_code, answer.mimetype) == (200, "text/plain")
    file = read(answer.data, "cup.trf")
    assert [(p.id, p.name, p.rounds[0].opponent, p.rounds[0].letter) for p in file.players] == [
        (1, "=1+1", 2, "1"),
        (2, "＝2", 1, "0"),
        (3, "李娜", 4, "="),
        (4, "Nora O'Brien, jr.", 3, "="),
    ]
    assert any(r.text.startswith(record) for r in file.records)


def test_a_file_is_as_of_a_line_and_asked_for_again_by_its_tag(client: FlaskClient):
    now = client.get(f"{T}/trf")
    assert client.get(f"{T}/trf", headers={"If-None-Match": now.headers["ETag"]}).status_code == 304
    assert read(client.get(f"{T}/trf?at=6").data, "early").rounds_recorded == 0


def test_what_is_no_edition_is_refused(client: FlaskClient):
    assert client.get(f"{T}/trf?edition=15").status_code == 422
    assert client.get("/v1/tournaments/nobody/trf").status_code == 404
