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
    assert "No longer in force: r4" in page(client, "?at=16&without=r1")


def test_a_ruling_without_effect_on_the_table_leaves_it_as_it_is(client):
    assert "The standings do not change." in page(client, "?without=r1")


@pytest.mark.parametrize(
    ("query", "why"),
    [
        ("?without=r1", "r1 changes no result: its effect is “counts as a foul”."),
        ("?without=r2", "r2 has no effect in any case: annulled by r5."),
        ("?without=r4", "r4 has no effect in any case: it depends on r2, no longer in force."),
        ("?at=16&without=r1", ""),
    ],
)
def test_an_unchanged_table_says_why(client, query, why):
    shown = page(client, query)
    assert ("The standings do not change." in shown) == bool(why)
    assert why in shown


def test_the_reason_of_an_unchanged_table_is_in_chinese_too(client):
    answer = client.get("/t/cup/what-if?without=r2", headers={"Accept-Language": "zh-CN"})
    assert "由 r5 撤销" in answer.text.partition('id="reasons"')[2] and "has no effect" not in answer.text


def test_an_annulled_ruling_links_to_the_table_with_it(client):
    rulings = client.get("/t/cup/rulings", headers={"Accept-Language": "en"}).text
    row = rulings.partition('<tr id="r2"')[2].partition("</tr>")[0]
    (address,) = re.findall(r'href="([^"]*what-if[^"]*)">What if it had stayed in force\?</a>', row)
    shown = client.get(unescape(address), headers={"Accept-Language": "en"}).text
    assert "Has effect again:" in shown and 'href="/t/cup/rulings#r2"' in shown.replace("?without=r5", "")


def test_with_nothing_ticked_there_is_only_the_choice(client):
    shown = page(client)
    assert "Ruling r1" in shown and "Ruling r2 is annulled by r5" in shown
    assert "Standings without" not in shown and ticked(client, "") == []


@pytest.mark.parametrize("query", ["?without=r99", "?without=", "?without=r1&without=<b>"])
def test_a_ruling_that_is_none_is_named_on_a_page(client, query):
    answer = client.get(f"/t/cup/what-if{query}", headers={"Accept-Language": "en"})
    assert (answer.status_code, "No such ruling" in answer.text, "<b>" in answer.text) == (404, True, False)
