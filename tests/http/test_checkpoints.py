"""What others hold, over HTTP: receipts, and the log by tiles."""

from collections.abc import Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient

from shared.audit.checkpoints.checkpoint import parse
from shared.audit.receipts.receipt_check import check, parse_receipt
from shared.core.trust.merkle import leaf_hash, root
from tests.played import SIGNER, Played, a_desk, an_app, spring_cup

T = "/v1/tournaments/cup"
LAST = 20


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[FlaskClient, Played]]:
    data = tmp_path_factory.mktemp("checkpoints")
    desk = a_desk(data)
    cup = spring_cup(desk)
    yield an_app(data, desk).test_client(), cup
    desk.close()


@pytest.fixture
def client(house: tuple[FlaskClient, Played]) -> FlaskClient:
    return house[0]


def problem(answer: Any) -> str:
    return str(answer.get_json()["type"]).rpartition(":")[2]


@pytest.mark.parametrize("seq", [1, 8, LAST])
def test_a_receipt_holds_alone(client: FlaskClient, seq: int) -> None:
    answer = client.get(f"{T}/receipts/{seq}")
    assert (answer.status_code, answer.mimetype) == (200, "text/plain")
    assert answer.headers["Content-Disposition"] == f'attachment; filename="cup.{seq}.tlog-proof"'
    assert check(parse_receipt(answer.text), [SIGNER.verifier]).verdict == "agrees"


def test_a_receipt_of_an_earlier_log_is_given_where_it_is_asked_for(client: FlaskClient) -> None:
    assert parse_receipt(client.get(f"{T}/receipts/3?at=5").text).checkpoint.size == 5
    assert client.get(f"{T}/receipts/6?at=5").status_code == 404


@pytest.mark.parametrize("seq", [0, LAST + 1, 10**30])
def test_there_is_no_receipt_of_a_line_that_is_not_there(client: FlaskClient, seq: int) -> None:
    assert problem(client.get(f"{T}/receipts/{seq}")) == "beyond-the-end"


def test_a_lines_page_offers_its_receipt(client: FlaskClient) -> None:
    assert f'href="{T}/receipts/7"' in client.get("/t/cup/log/7").text


def test_tiles_give_back_the_checkpoints_root_and_every_line(house: tuple[FlaskClient, Played]) -> None:
    client, cup = house
    note = client.get(f"{T}/tlog/checkpoint")
    head = parse(note.text)
    tile = client.get(f"{T}/tlog/tile/0/000.p/{head.size}")
    hashes = [tile.data[n : n + 32] for n in range(0, len(tile.data), 32)]
    assert root(hashes) == head.root and tile.mimetype == "application/octet-stream"
    assert "immutable" in tile.headers["Cache-Control"] and "max-age=2" in note.headers["Cache-Control"]
    bundle, lines = client.get(f"{T}/tlog/tile/entries/000.p/{head.size}").data, []
    while bundle:
        size = int.from_bytes(bundle[:2], "big")
        lines.append(bundle[2 : 2 + size])
        bundle = bundle[2 + size :]
    assert [leaf_hash(line) for line in lines] == hashes
    assert lines == [row.line for row in cup.desk.lines("tournaments/cup")]


@pytest.mark.parametrize(
    "path",
    [
        "0/000", "0/000.p/99", "0/000.p/0", "0/000.p/256", "0/000.p/01", "0/001.p/1", "1/000.p/1", "0/x000/000.p/1",
        "0/0.p/1", "0/1000.p/1", "0/x001/x234/067", "64/000.p/1", "00/000.p/1", "-1/000.p/1", "0/000.p/1/", "0/../000.p/1",
        "entries/000", "entries/000.p/99", "entries/x999/x999/x999/x999/x999/x999/x999/999",
    ],
)  # fmt: skip
def test_a_tile_that_the_log_does_not_have_is_not_found(client: FlaskClient, path: str) -> None:
    answer = client.get(f"{T}/tlog/tile/{path}")
    assert (answer.status_code, problem(answer) in ("no-such-tile", "not-found")) == (404, True)


def test_a_bundle_with_a_line_that_no_entry_holds_names_the_log_instead(
    house: tuple[FlaskClient, Played], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.standings.audit.checkpoint_routes.ENTRY_BYTES", 100)
    answer = house[0].get(f"{T}/tlog/tile/entries/000.p/3")
    assert (answer.status_code, problem(answer)) == (404, "entry-too-long")
    assert answer.get_json()["see"] == f"{T}/events"


def test_an_unknown_tournament_has_neither_tiles_nor_receipts(client: FlaskClient) -> None:
    for path in ("receipts/1", "tlog/checkpoint", "tlog/tile/0/000.p/1", "tlog/tile/entries/000.p/1"):
        assert problem(client.get(f"/v1/tournaments/nobody/{path}")) == "unknown-tournament"
