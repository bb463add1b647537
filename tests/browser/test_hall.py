"""What a hall looks at: an open of 275 players on phones and on its screen, as it is now."""

from collections.abc import Iterator
from gzip import decompress
from threading import Event
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By

from services.standings.rounds.screen_pages import SHOWN, TURN_SECONDS, Part, ScreenPage
from shared.http.limits.rate_limits import Limits
from tests.browser.conftest import Site
from tests.browser.serving import Wait, served, text
from tests.former_names import any_name_accepted
from tests.great_hall import great_hall
from tests.played import Played, a_desk, an_app

pytestmark = pytest.mark.xdist_group("browser")

MOST_BYTES = 60_000
PHONE = {"width": 360, "height": 640, "deviceScaleFactor": 2, "mobile": True}
HOSTILE = (
    "<script>alert(1)</script>",
    "\"'><img src=x onerror=alert(1)>",
    "\u202etxet desrever",
    "{{ 7 * 7 }} %(n)s {n}",
    "Wolfeschlegelsteinhausenbergerdorff" * 3,
)
"""Names that mean something to HTML, to an attribute, to writing from the right, to templates, and one that is very long."""


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    data = tmp_path_factory.mktemp("hall")
    desk = a_desk(data)
    great = great_hall(desk)
    cruel = Played(desk, "cruel")
    with any_name_accepted():
        cruel.announce("<b>Cup</b> \u202e\"'")
    cruel.enter(*HOSTILE)
    cruel.pair((1, 2), (3, 4), bye=5)
    cruel.foul(1, 1)
    app = an_app(data, desk, Limits(rate=0, reads=0))
    answered = app.wsgi_app

    def noting(environ: dict[str, Any], start_response: Any) -> Any:
        if environ["PATH_INFO"].endswith("/changes"):
            opened.append((environ.get("HTTP_LAST_EVENT_ID"), app.extensions["arbiter"].closing))
        return answered(environ, start_response)

    app.wsgi_app = noting  # type: ignore[method-assign]
    with served(app) as address:
        yield Site(address, great, data)
    desk.close()


opened: list[tuple[str | None, Event]] = []
"""The streams that pages opened: the last id that was named, and what ends them."""


def sent(address: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
    try:
        with urlopen(Request(address, headers=headers)) as answer:
            return answer.status, dict(answer.headers), answer.read()
    except HTTPError as error:
        return error.code, dict(error.headers), error.read()


@pytest.mark.parametrize(
    "page",
    [
        "/",
        "/t/great",
        "/t/great?by=name",
        "/t/great/rounds/6",
        "/t/great/standings",
        "/t/great/crosstable",
        "/t/great/players",
    ],
)
def test_no_page_of_a_great_hall_weighs_more_than_a_phone_has_time_for(hall: Site, page: str):
    status, headers, body = sent(hall.address + page, **{"Accept-Encoding": "gzip"})
    assert (status, headers["Content-Encoding"]) == (200, "gzip")
    assert "Accept-Encoding" in headers["Vary"]
    assert len(body) <= MOST_BYTES
    assert b"</html>" in decompress(body)


def test_json_keeps_its_bytes_since_its_tag_goes_back_with_commands(hall: Site):
    headers = sent(f"{hall.address}/v1/tournaments/great/standings", **{"Accept-Encoding": "gzip"})[1]
    assert "Content-Encoding" not in headers and ":" not in headers["ETag"]


def test_the_first_board_of_the_round_is_on_the_first_screen_of_a_phone(hall: Site, browser: Chrome):
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", PHONE)
    try:
        browser.get(f"{hall.address}/t/great")
        first = browser.find_element(By.CSS_SELECTOR, "table.boards tbody tr").rect
        assert first["y"] + first["height"] <= PHONE["height"]
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_boards_are_filtered_while_a_name_is_typed(hall: Site, browser: Chrome):
    browser.get(f"{hall.address}/t/great")
    browser.find_element(By.ID, "q").send_keys("ngu")
    rows = "table.boards tbody tr"
    Wait(browser, 10, ignored_exceptions=[StaleElementReferenceException]).until(
        lambda b: len(b.find_elements(By.CSS_SELECTOR, rows)) == 1 and "Nguyễn" in text(b, rows)
    )


def test_a_result_comes_to_an_open_page_by_itself(hall: Site, browser: Chrome):
    browser.get(f"{hall.address}/t/great/rounds/7")
    board = "//table//a[@href='/games/great.7.1']"
    assert browser.find_element(By.XPATH, board).text == "…"
    hall.cup.report(7, "1-0")
    Wait(browser, 20, ignored_exceptions=[StaleElementReferenceException]).until(
        lambda b: b.find_element(By.XPATH, board).text == "1 – 0" and text(b, "#round small") == "45 boards open"
    )


def test_the_screen_of_the_hall_turns_its_pages_and_stands_still_when_asked(hall: Site, browser: Chrome):
    browser.get(f"{hall.address}/t/great/screen")
    assert text(browser, "nav span") == "1/5"
    turning = sent(f"{hall.address}/t/great/screen?page=5")[2].decode()
    assert 'content="6;url=/t/great/screen?show=boards&amp;page=1"' in turning, (
        "without scripts, and from the start again"
    )
    waiting = Wait(browser, 10, ignored_exceptions=[StaleElementReferenceException])
    waiting.until(lambda b: text(b, "nav span") == "2/5")
    browser.find_element(By.LINK_TEXT, "Pause").click()
    waiting.until(lambda b: "pause=1" in b.find_element(By.ID, "main").get_attribute("data-next"))
    here = int(text(browser, "nav span")[0])
    browser.find_element(By.LINK_TEXT, "→").click()
    waiting.until(lambda b: text(b, "nav span") == f"{here + 1}/5")
    assert browser.find_element(By.ID, "main").get_attribute("data-here") == (
        browser.find_element(By.ID, "main").get_attribute("data-next")
    ), "a page that stands still is asked for again"
    browser.find_element(By.LINK_TEXT, "Continue").click()
    waiting.until(lambda b: "pause" not in b.find_element(By.ID, "main").get_attribute("data-next"))


@pytest.mark.parametrize("shown", SHOWN)
def test_all_150_boards_are_on_the_screen_within_thirty_seconds(shown: Any):
    pages = list(Part(shown, None, range(150)).pages())
    assert [row for page in pages for column in page for row in column] == list(range(150))
    assert len(pages) * ScreenPage(1, len(pages), Part(shown, None, ()), ()).seconds <= TURN_SECONDS


@pytest.mark.parametrize(
    "page",
    [
        "",
        "?by=name",
        "/standings",
        "/crosstable",
        "/players",
        "/players/1",
        "/rulings",
        "/log",
        "/screen",
        "/screen?show=names",
        "/screen?show=standings",
    ],
)
def test_a_hostile_name_is_a_name_wherever_it_is_shown(hall: Site, browser: Chrome, page: str):
    browser.get_log("browser")
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", PHONE)
    try:
        browser.get(f"{hall.address}/t/cruel{page}")
        assert browser.execute_script("return document.documentElement.scrollWidth") <= PHONE["width"]
        assert HOSTILE[0] in text(browser)
        assert not browser.find_elements(By.CSS_SELECTOR, "main img, main script, main b")
        named = browser.find_elements(By.XPATH, "//main//*[contains(text(), '\u202e')]")
        named = [one for one in named if "announced" not in one.text]
        within = [one.get_attribute("textContent") for one in named if one.tag_name != "bdi"]
        assert all("\u2068\u202e" in text for text in within), "it ends with the name"
        assert browser.get_log("browser") == []
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@pytest.mark.parametrize(
    "path", ["/nowhere", "/t/nobody", "/t/great/players/999", "/t/great/rounds/99", "/t/great?at=x", "/t/-"]
)
def test_a_problem_is_a_page_for_a_browser_in_its_language_and_a_document_for_a_program(hall: Site, path: str):
    status, headers, body = sent(hall.address + path, Accept="text/html,*/*;q=0.8", **{"Accept-Language": "zh"})
    assert status in (404, 422) and headers["Content-Type"].startswith("text/html")
    assert '<html lang="zh-CN">' in body.decode() and "全部赛事" in body.decode()
    status, headers, _ = sent(f"{hall.address}/v1{path}", Accept="text/html,*/*;q=0.8")
    assert status == 404 and headers["Content-Type"].startswith("application/problem+json")


def test_a_page_is_told_each_change_and_comes_back_by_its_last_id_when_its_stream_is_cut(hall: Site, browser: Chrome):
    # given an open page that was told a change, and another right behind it
    browser.get(f"{hall.address}/t/great/standings")
    waiting = Wait(browser, 30, ignored_exceptions=[StaleElementReferenceException])
    for board in (1, 3):
        hall.cup.foul(board, 7)
        line = hall.cup.desk.view("great").seq
        waiting.until(lambda b, line=line: f"event {line}" in text(b, "#seen"))
    # when the service ends its streams, and is there again
    closing, before = opened[-1][1], len(opened)
    closing.set()
    waiting.until(lambda b: len(opened) > before)
    closing.clear()
    # then the page asks after that change, and is told the next
    assert int(opened[before][0] or 0) >= line
    hall.cup.foul(2, 7)
    line = hall.cup.desk.view("great").seq
    waiting.until(lambda b: f"event {line}" in text(b, "#seen"))


@pytest.mark.parametrize(("page", "seconds"), [("/rounds/7", 60), ("/standings", 60), ("/screen", 6)])
def test_a_live_page_asks_again_by_itself_without_scripts(hall: Site, page: str, seconds: int):
    _, _, content = sent(f"{hall.address}/t/great{page}")
    assert b'<noscript><meta http-equiv="refresh" content="%d' % seconds in content


@pytest.mark.parametrize("page", ["/standings?at=5", "/screen?pause=1"])
def test_what_stands_still_does_not(hall: Site, page: str):
    assert b"http-equiv" not in sent(f"{hall.address}/t/great{page}")[2]
