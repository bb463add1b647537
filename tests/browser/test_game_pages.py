"""The page of a game as a person sees it: one game of each board, in a real browser."""

from collections.abc import Iterator
from urllib.request import urlopen

import pytest
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver import ActionChains, Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from shared.http.identity import tokens
from tests.browser.games import Hall, hall, play_all
from tests.browser.serving import Wait, log_in, text
from tests.browser.test_pages import follow, link

pytestmark = pytest.mark.xdist_group("browser")

GAMES = ("chess", "xiangqi", "go", "renju", "gomoku", "prediction", "checkers")
PHONE = {"width": 360, "height": 800, "deviceScaleFactor": 2, "mobile": True}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    with hall(tmp_path_factory.mktemp("games")) as made:
        play_all(made)
        yield made


def opened(house: Hall, browser: Chrome, game: str, query: str = "") -> None:
    browser.get(f"{house.address}/games/{game}{query}")


def moves(browser: Chrome) -> list[str]:
    """The numbered moves, each line as it is read."""
    return [" ".join(e.text.split()) for e in browser.find_elements(By.CSS_SELECTOR, "ol.moves li")]


def said(browser: Chrome) -> str:
    return text(browser, "ol.log")


def seats(browser: Chrome) -> list[str]:
    return [e.text for e in browser.find_elements(By.CSS_SELECTOR, "main table tr")]


def board(browser: Chrome) -> str:
    """The board's own words: the position as text."""
    return browser.find_element(By.CSS_SELECTOR, "svg.board > title").get_attribute("textContent")


def test_a_chess_game_shows_its_board_moves_clocks_and_what_was_taken_back(house: Hall, browser: Chrome):
    opened(house, browser, "chess.1.1")
    assert moves(browser) == ["e4 1:29:59 e5 1:29:58", "f3 1:28:20 d6 1:28:19", "g4 1:28:18 Qh4+ 1:28:17"]
    assert board(browser).startswith("Chess board: rnb1kbnr/ppp2ppp/3p4/4p3/4P1Pq/5P2/PPPP3P/RNBQKBNR w")
    assert len(browser.find_elements(By.CSS_SELECTOR, "svg.board rect.lastmove")) == 2
    assert "taken back: Nf3 (displaced pieces)" in said(browser) and "on illegal moves, art. 2" in said(browser)
    assert "李娜 offers a draw" in said(browser)
    assert seats(browser) == ["White 李娜 to move 1:28:18", "Black Anna Berg 1:28:17"]


def test_a_xiangqi_game_is_read_in_chinese_and_its_wrong_claim_shown_with_what_followed(house: Hall, browser: Chrome):
    opened(house, browser, "xiangqi.1.1")
    assert moves(browser) == ["炮二平五 59:59 马8进7 59:58"]
    assert seats(browser)[0].startswith("Red 李娜 to move")
    assert "natural limit is not upheld" in said(browser) and "23.3" in said(browser)
    followed = text(browser, "#rulings + ul")
    assert "false natural limit of 李娜, ply 2" in followed and "in force" in followed
    ruling = browser.find_element(By.CSS_SELECTOR, "#rulings + ul a[href*='#r']")
    assert ruling.get_attribute("href") == f"{house.address}/t/xiangqi/rulings#{ruling.text}"


def test_a_game_is_stepped_through_by_its_plies_with_keys_and_by_links(house: Hall, browser: Chrome):
    opened(house, browser, "xiangqi.1.2", "?ply=2")
    here = text(browser, "ol.moves [aria-current]")
    assert here == moves(browser)[0].split()[-1]
    start = board(browser)
    wait = Wait(browser, 10, ignored_exceptions=[StaleElementReferenceException])
    ActionChains(browser).send_keys(Keys.ARROW_RIGHT).perform()
    wait.until(lambda b: "ply 3 of" in text(b, "nav.steps") and board(b) != start)
    ActionChains(browser).send_keys(Keys.END).perform()
    wait.until(lambda b: "ply 5 of 5" in text(b, "nav.steps"))
    wait.until(lambda b: b.current_url.endswith("?ply=5"))
    with urlopen(f"{house.address}/games/xiangqi.1.2/board.svg?ply=2") as drawing:
        assert drawing.headers["Content-Type"].startswith("image/svg+xml")
        assert f"<title>{start}</title>" in drawing.read().decode()
    opened(house, browser, "xiangqi.1.2", "?ply=6")
    assert "the game has only 5 plies" in text(browser)


def test_a_decided_game_tells_its_result_and_how_it_ended(house: Hall, browser: Chrome):
    opened(house, browser, "xiangqi.1.2")
    told = text(browser, "main caption")
    assert (
        told.startswith("Result: 1 – 0 Red wins, event ")
        and "at the board: checkmate Xiangqi Rules 1999, art. 3.1" in told
    )
    assert moves(browser)[-1] == "炮三进四"
    assert "to move" not in text(browser, "main table")


def test_a_name_is_never_markup_on_the_page_of_a_game(house: Hall, browser: Chrome):
    opened(house, browser, "xiangqi.1.2")
    assert text(browser, "h1") == "<b>陈</b> & Co – José Núñez"
    assert not browser.find_elements(By.CSS_SELECTOR, "h1 b, th b")


@pytest.mark.parametrize(
    ("game", "stones", "last_moves", "first_seat"),
    [
        ("go", 5, ["PASS", "R5"], "White 李娜"),
        ("renju", 6, ["offers the fifth stones g7 j10", "o3"], "Black 李娜 to move"),
        ("gomoku", 9, ["k9", "l8"], "Black 李娜 15:00"),
        ("prediction", 4, ["c1", "e1"], "colours by prediction 李娜"),
    ],
)
def test_stones_stand_on_the_board_and_a_seat_has_the_colour_that_it_holds(
    house: Hall, browser: Chrome, game: str, stones: int, last_moves: list[str], first_seat: str
):
    opened(house, browser, f"{game}.1.1")
    assert len(browser.find_elements(By.CSS_SELECTOR, "svg.board circle.stone")) == stones
    assert len(browser.find_elements(By.CSS_SELECTOR, "svg.board circle.last")) == 1
    assert moves(browser)[-2:] == last_moves
    assert seats(browser)[0].strip() == first_seat


def test_steps_that_are_no_ply_stand_among_what_was_said(house: Hall, browser: Chrome):
    opened(house, browser, "renju.1.1")
    assert "Anna Berg keeps the fifth stone g7" in said(browser)
    opened(house, browser, "gomoku.1.1")
    assert "Anna Berg guesses odd; stones grabbed: 4" in said(browser)
    opened(house, browser, "prediction.1.1")
    assert said(browser).count("seals a prediction") == 2


def test_a_game_without_moves_has_a_result_alone(house: Hall, browser: Chrome):
    opened(house, browser, "checkers.1.1")
    assert "Result: 0 – 1" in text(browser, "main caption")
    assert not browser.find_elements(By.CSS_SELECTOR, "svg, ol, figure")


def test_a_game_not_begun_shows_the_board_as_it_is_set_up(house: Hall, browser: Chrome):
    opened(house, browser, "chess.1.2")
    assert "not begun yet" in text(browser) and "No move has been played." in text(browser)
    assert len(browser.find_elements(By.CSS_SELECTOR, "svg.board use[href*='-pawn']")) == 16


def test_an_unknown_game_is_told_on_a_page(house: Hall, browser: Chrome):
    for game in ("chess.9.9", "nobody.1.1", "<b>no"):
        opened(house, browser, game)
        assert "No such" in text(browser, "h1") and "404" not in text(browser)
        browser.find_element(By.TAG_NAME, "summary").click()
        assert "Status 404" in text(browser)


def test_the_table_leads_to_the_game_and_the_game_back(house: Hall, browser: Chrome):
    browser.get(f"{house.address}/t/xiangqi")
    follow(browser, link(browser, "1 – 0"))
    assert browser.current_url == f"{house.address}/games/xiangqi.1.2"
    follow(browser, link(browser, "校园杯 xiangqi"))
    assert browser.current_url == f"{house.address}/t/xiangqi"


def test_a_players_page_leads_to_each_of_his_games(house: Hall, browser: Chrome):
    browser.get(f"{house.address}/t/xiangqi/players/4")
    follow(browser, browser.find_element(By.CSS_SELECTOR, "main tbody td.n a"))
    assert browser.current_url == f"{house.address}/games/xiangqi.1.2"


def test_a_game_can_be_seen_as_it_was(house: Hall, browser: Chrome):
    opened(house, browser, "xiangqi.1.2", "?at=12")
    assert "As of event 12 of" in text(browser, ".banner")
    assert "Result: open" in text(browser, "main caption")
    assert "at=12" in link(browser, "校园杯 xiangqi").get_attribute("href")
    follow(browser, link(browser, "Back to the current state"))
    assert "Result: 1 – 0" in text(browser, "main caption")


@pytest.mark.parametrize("game", GAMES)
def test_nothing_is_refused_by_the_policy_and_a_phone_need_not_scroll_sideways(house: Hall, browser: Chrome, game: str):
    browser.get_log("browser")
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", PHONE)
    try:
        opened(house, browser, f"{game}.1.1")
        assert browser.execute_script("return document.documentElement.scrollWidth") <= PHONE["width"]
        assert browser.get_log("browser") == []
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_on_paper_the_board_is_smaller_and_the_position_is_told_as_text(house: Hall, browser: Chrome):
    opened(house, browser, "chess.1.1")
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        drawn = browser.find_element(By.CSS_SELECTOR, "svg.board")
        assert 300 < drawn.size["width"] <= 11 / 2.54 * 96 + 1
        told = "const c = document.querySelector('figcaption code'); return c.checkVisibility() && c.textContent"
        assert browser.execute_script(told).startswith("rnb1kbnr")
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


def test_pages_of_games_own_prefix_find_their_style_and_lead_to_the_site(house: Hall, browser: Chrome):
    browser.get(f"{house.address}/services/games/games/chess.1.1")
    assert browser.find_element(By.TAG_NAME, "main").value_of_css_property("max-width") == "1152px"
    assert link(browser, "校园杯 chess").get_attribute("href") == f"{house.address}/t/chess"


def test_who_is_logged_in_is_shown_there_too(house: Hall, browser: Chrome):
    log_in(browser, house.address, tokens.issue(house.data, "arbiter", "zhou.min"))
    opened(house, browser, "chess.1.1")
    assert "zhou.min arbiter" in text(browser, ".visitor")
    follow(browser, browser.find_element(By.CSS_SELECTOR, ".visitor button"))
    assert "Guest" in text(browser, ".visitor")
