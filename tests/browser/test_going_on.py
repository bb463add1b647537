"""Open pages go on with the event by themselves, and what was typed ahead is not lost where it is refused."""

from collections.abc import Iterator

import pytest
from selenium.common.exceptions import NoSuchElementException, StaleElementReferenceException
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By

from deploy.server import embedded
from shared.http.app import close
from shared.http.limits.rate_limits import Limits
from tests.browser.serving import Wait, served, text
from tests.browser.test_desk import House, results, types, until
from tests.http.forms import entered, pair

pytestmark = pytest.mark.xdist_group("browser")
DRAWN_ANEW = (NoSuchElementException, StaleElementReferenceException)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    data = tmp_path_factory.mktemp("going-on")
    app = embedded.make_app(data, Limits(rate=0, reads=0))
    with served(app) as address:
        yield House(app, data, address)
    close(app)


def shows(browser: Chrome, css: str, said: str) -> None:
    Wait(browser, 30, ignored_exceptions=DRAWN_ANEW).until(lambda b: said in b.find_element(By.CSS_SELECTOR, css).text)


def test_lines_typed_ahead_that_are_refused_all_stay_until_they_are_entered_or_put_away(house: House, browser: Chrome):
    call = house.hall("ahead", 4)
    house.sit_down(browser, "ahead")
    types(browser, "77 1\n88 0\n1 0\n1 1\n2 1\n")
    until(browser, "document.querySelectorAll('#sent li').length === 0")
    until(browser, "document.querySelectorAll('#unentered li').length === 3")
    kept = [one.text.split("\n")[0].rstrip("×") for one in browser.find_elements(By.CSS_SELECTOR, "#unentered li")]
    assert kept == ["77 1", "88 0", "1 1"]
    assert results(call)[1] == "0-1" and results(call)[2] == "1-0"
    for _ in kept:
        browser.find_element(By.CSS_SELECTOR, "#unentered button").click()
    assert text(browser, "#refused") == "" and not browser.find_elements(By.CSS_SELECTOR, "#unentered li")
    assert browser.switch_to.active_element.get_attribute("id") == "entry"
    browser.get_log("browser")


def test_a_refused_line_goes_once_its_board_is_entered(house: House, browser: Chrome):
    call = house.hall("mended", 2)
    house.sit_down(browser, "mended")
    types(browser, "2 7\n")
    until(browser, "document.querySelectorAll('#unentered li').length === 1")
    types(browser, "2 =\n")
    until(browser, "document.querySelectorAll('#unentered li').length === 0")
    assert text(browser, "#refused") == "" and results(call)[2] == "1/2-1/2"
    browser.get_log("browser")


def test_second_tap_of_a_double_one_enters_nothing(house: House, browser: Chrome):
    call = house.hall("double", 3)
    house.sit_down(browser, "double")
    button = "[data-open='{}'] button[value='{}']"
    place = browser.find_element(By.CSS_SELECTOR, button.format(2, "1-0")).location
    taps(browser, button.format(1, "1-0"), 1)
    until(browser, "document.querySelector('[data-open=\"1\"]') === null")
    moved = browser.find_element(By.CSS_SELECTOR, button.format(2, "1-0")).location["y"] - place["y"]
    assert abs(moved) < 5, "no row moves up; a row without buttons is a little lower"
    taps(browser, button.format(2, "1-0"), 2)
    taps(browser, button.format(2, "0-1"), 1)
    until(browser, "document.querySelector('[data-open=\"2\"]') === null")
    assert results(call) == {1: "1-0", 2: "0-1", 3: None}


def test_result_replaces_one_row_on_the_pages_of_its_arbiter_and_of_a_viewer(house: House, browser: Chrome):
    drawn = "[...document.querySelectorAll('table.boards tr')].filter((row) => !row.drawnBefore).map((row) => row.id)"
    call = house.hall("one-row", 4)
    house.sit_down(browser, "one-row")
    desk, tabs = browser.current_window_handle, dict[str, str]()
    for page in ("/t/one-row", "/t/one-row/rounds/1"):
        browser.switch_to.new_window("tab")
        browser.get(f"{house.address}{page}")
        tabs[page] = browser.current_window_handle
    for tab in (desk, *tabs.values()):
        browser.switch_to.window(tab)
        browser.execute_script(
            "for (const row of document.querySelectorAll('table.boards tr')) row.drawnBefore = true;"
        )
    # when a button is pressed, and then another board's result is typed
    browser.switch_to.window(desk)
    browser.find_element(By.CSS_SELECTOR, "[data-open='3'] button[value='0-1']").click()
    until(
        browser,
        "document.querySelectorAll('#sent li').length === 0 && document.querySelectorAll('[data-open]').length === 3",
    )
    assert browser.execute_script(f"return {drawn}") == ["b3"] and text(browser, "#next") == "1"
    browser.find_element(By.ID, "entry").send_keys("1\n")
    until(
        browser,
        "document.querySelectorAll('#sent li').length === 0 && document.querySelectorAll('[data-open]').length === 2",
    )
    assert (
        browser.execute_script(f"return {drawn}") == ["b1", "b3"] and text(browser, "#round small") == "2 boards open"
    )
    assert results(call) == {1: "1-0", 2: None, 3: "0-1", 4: None}
    # then the pages of viewers change the same rows
    for tab in tabs.values():
        browser.switch_to.window(tab)
        until(browser, "document.querySelector('#round small').textContent === '2 boards open'")
        assert browser.execute_script(f"return {drawn}") == ["b1", "b3"]
        browser.close()
    browser.switch_to.window(desk)
    assert browser.get_log("browser") == []


def taps(browser: Chrome, css: str, count: int) -> None:
    """The press and release that is the ``count``th in one place."""
    rect = browser.find_element(By.CSS_SELECTOR, css).rect
    scrolled = browser.execute_script("return window.scrollY")
    point = {"x": rect["x"] + rect["width"] / 2, "y": rect["y"] + rect["height"] / 2 - scrolled}
    for type in ("mousePressed", "mouseReleased"):
        event = {"type": type, "button": "left", "clickCount": count, **point}
        browser.execute_cdp_cmd("Input.dispatchMouseEvent", event)


def test_a_page_that_was_open_before_the_first_round_shows_it_and_the_next_and_searches_that(
    house: House, browser: Chrome
):
    call = entered(house.app, house.data, "early", 4)
    browser.get(f"{house.address}/t/early")
    assert "No round has been paired yet" in text(browser)
    pair(call, [[1, 2], [3, 4]])
    shows(browser, "#round", "Round 1")
    shows(browser, "table.boards", "Player 4")
    # given the page of that round, when the next is paired, then what is looked for is looked for there
    browser.get(f"{house.address}/t/early")
    body = {"round": 1, "results": [{"board": 1, "result": "1-0"}, {"board": 2, "result": "1-0"}]}
    assert call("POST", "/v1/tournaments/<t>/results", body).status_code == 201
    pair(call, [[1, 3], [4, 2]])
    shows(browser, "#round", "Round 2")
    browser.find_element(By.ID, "q").send_keys("player 1")
    rows = "table.boards tbody tr"
    Wait(browser, 30, ignored_exceptions=DRAWN_ANEW).until(
        lambda b: len(b.find_elements(By.CSS_SELECTOR, rows)) == 1 and "Player 3" in text(b, rows)
    )
    assert "/rounds/1" not in (browser.find_element(By.CSS_SELECTOR, "#by a").get_attribute("href") or "")
    assert browser.get_log("browser") == []


@pytest.mark.parametrize(("page", "css"), [("standings", "#table"), ("rulings", "#fresh"), ("crosstable", "#fresh")])
def test_tables_that_are_open_go_on(house: House, browser: Chrome, page: str, css: str):
    call = house.hall(f"open-{page}", 2)
    browser.get(f"{house.address}/t/open-{page}/{page}")
    if page == "rulings":
        ruling = {"player": 1, "round": 1, "infraction": "foul"}
        assert call("POST", "/v1/tournaments/<t>/rulings", ruling).status_code == 201
        shows(browser, css, "r1")
        assert browser.get_log("browser") == []
        return
    body = {"round": 1, "results": [{"board": board, "result": "1-0"} for board in (1, 2)]}
    assert call("POST", "/v1/tournaments/<t>/results", body).status_code == 201
    pair(call, [[1, 3], [4, 2]])
    shows(browser, css, "during round 2" if page == "standings" else "2")
    assert browser.get_log("browser") == []


def test_an_appeal_comes_to_the_committees_open_page(house: House, browser: Chrome):
    call = house.hall("case", 2)
    house.sit_down(browser, "case", "appeals")
    browser.get(f"{house.address}/t/case")
    ruling = {"player": 1, "round": 1, "infraction": "foul"}
    assert call("POST", "/v1/tournaments/<t>/rulings", ruling).status_code == 201
    appeal = {"ruling": "r1", "by": 1, "grounds": "it was my turn"}
    lodged = call("POST", "/v1/tournaments/<t>/appeals", appeal).json["appeal"]
    shows(browser, "#waits", lodged)
    assert browser.get_log("browser") == []
