"""The page of what if: rulings thought away, several at once, at any line."""

import re
from collections.abc import Iterator
from html import unescape

import pytest
from flask.testing import FlaskClient

from tests.played import a_desk, an_app, spring_cup


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FlaskClient]:
    data = tmp_path_factory.mktemp("what-if")
    desk = a_desk(data)
    spring_cup(desk)
    yield an_app(data, desk).test_client()
    desk.close()


def page(client: FlaskClient, query: str = "") -> str:
    answer = client.get(f"/t/cup/what-if{query}", headers={"Accept-Language": "en"})
    assert answer.status_code == 200
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", answer.text.partition("<main")[2])).split())


def ticked(client: FlaskClient, query: str) -> list[str]:
    boxes = re.findall(r'name="without" value="(\w+)"( checked)?', client.get(f"/t/cup/what-if{query}").text)
    return [name for name, checked in boxes if checked]


def test_without_the_annulment_the_third_foul_loses_the_game_again_and_the_page_says_so(client):
    shown = page(client, "?without=r5")
    assert "Has effect again: r2 , r4" in shown
    assert "round 1 against José Núñez : 0.5 → 1" in shown
    assert "round 1 against 李娜 : 0.5 → 0" in shown
    assert "points of 李娜 : " in shown, "who met her has other tie-breaks"
    assert re.search(r"José Núñez 1 → \d 1.5 → 1 ", shown), shown


def test_several_rulings_are_thought_away_at_once_and_every_link_keeps_them(client):
    query = "?at=16&without=r1&without=r4"
    assert ticked(client, query) == ["r1", "r4"]
    text = client.get(f"/t/cup/what-if{query}").text
    assert "without=r1,r4" in unescape(text).replace("%2C", ",")
    assert ticked(client, "?at=16&without=r1,r4") == ["r1", "r4"]


def test_what_falls_with_a_ruling_is_named(client):
    assert "With it falls: r4" in page(client, "?at=16&without=r1")


def test_a_ruling_without_effect_on_the_table_leaves_it_as_it_is(client):
    assert "The table stays as it is." in page(client, "?without=r1")


def test_with_nothing_ticked_there_is_only_the_choice(client):
    shown = page(client)
    assert "Ruling r1" in shown and "Ruling r2 is annulled by r5" in shown
    assert "The table" not in shown and ticked(client, "") == []


@pytest.mark.parametrize("query", ["?without=r99", "?without=", "?without=r1&without=<b>"])
def test_a_ruling_that_is_none_is_named_on_a_page(client, query):
    answer = client.get(f"/t/cup/what-if{query}", headers={"Accept-Language": "en"})
    assert (answer.status_code, "No such ruling" in answer.text, "<b>" in answer.text) == (404, True, False)
