"""Moves played by clicks on the drawn board of the form of a score sheet."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from selenium.webdriver import Chrome
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from deploy.server import embedded
from shared.http.app import close
from shared.http.identity import tokens
from shared.http.limits.rate_limits import Limits
from tests.browser.office import Office
from tests.browser.serving import Wait, gone, served, sit_down, speak
from tests.http.calls import calls_on
from tests.http.forms import hall
from tests.offices import holder

pytestmark = pytest.mark.xdist_group("browser")
STEP = {"chess": (37.5, 45), "xiangqi": (60, 40), "go": (60, 40)}
"""By game: the place of the first line in the drawing, and the distance of lines."""
GAMES = {
    "chess": ("fide-2026", [(4, 6), (4, 4), (4, 1), (4, 3)], ["e2e4", "e7e5"]),
    "xiangqi": ("campus", [(7, 7), (4, 7), (7, 0), (6, 2)], ["h2e2", "h9g7"]),
    "go": ("go-campus", [(15, 3), (3, 15)], ["Q16", "D4"]),
}
"""By game: its regulations, the points that are clicked (from the left, from above), and the moves."""
FURTHER = {"chess": "g1f3", "xiangqi": "h0g2", "go": "R4"}
"""A move that another sends meanwhile."""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path, Flask]]:
    data = tmp_path_factory.mktemp("moves")
    app = embedded.make_app(data, Limits(rate=0, reads=0))
    with served(app) as address:
        yield address, data, app
    close(app)


@pytest.mark.parametrize("game", GAMES)
def test_clicks_on_the_board_and_enter_record_moves_and_those_of_the_other_side_appear(
    house: tuple[str, Path, Flask], browser: Chrome, game: str
) -> None:
    address, data, app = house
    regulations, points, moves = GAMES[game]
    hall(app, data, game, 1, game=game, regulations=regulations)
    speak(browser, address, "en")
    sit_down(browser, address, tokens.issue(data, "arbiter", holder("arbiter", None)))
    office = Office(browser, address)
    office.opens(f"/t/{game}/rounds/1/boards/1/moves")
    svg = office.one("[data-board] svg")
    width, height = (float(n) for n in svg.get_dom_attribute("viewBox").split()[2:])
    scale = svg.rect["width"] / width
    edge, step = STEP[game]
    for column, row in points:
        across, down = edge + step * column - width / 2, edge + step * row - height / 2
        ActionChains(browser).move_to_element_with_offset(
            svg, round(across * scale), round(down * scale)
        ).click().perform()
    field = office.one("#moves")
    assert field.get_attribute("value").split() == moves
    assert browser.switch_to.active_element == field
    before = office.one("html")
    field.send_keys(Keys.ENTER)
    Wait(browser, 30).until(gone(before))
    assert browser.switch_to.active_element.get_attribute("id") == "moves"
    call = calls_on(app, data, "arbiter")
    assert call("GET", f"/v1/games/{game}.1.1").json["moves"] == moves
    assert call("POST", f"/v1/games/{game}.1.1/moves", {"ply": 3, "moves": [FURTHER[game]]}).status_code == 201
    Wait(browser, 30).until(lambda b: b.find_elements(By.CSS_SELECTOR, "input[name=ply][value='4']"))
