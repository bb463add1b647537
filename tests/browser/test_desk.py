"""The desk of a round in a real browser: entered by keyboard alone, without scripts, under a finger, and through a kill -9."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from flask import Flask
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.expected_conditions import presence_of_element_located

from deploy.server import embedded
from shared.core.terms import Role
from shared.http.app import close
from shared.http.identity import tokens
from shared.http.language.catalogue import LANGUAGES
from shared.http.limits.rate_limits import Limits
from tests.browser.office import Office
from tests.browser.serving import Wait, gone, served, sit_down, speak, text
from tests.http.calls import Call
from tests.http.forms import hall
from tests.offices import holder

pytestmark = pytest.mark.xdist_group("browser")
BOARDS = 99
FINGER = 44
"""CSS pixels that whatever is touched measures at least (WCAG 2.5.5)."""
PHONE = {"width": 320, "height": 700, "deviceScaleFactor": 2, "mobile": True}
TABLET = {"width": 820, "height": 1180, "deviceScaleFactor": 2, "mobile": True}


class House:
    """A served house, and calls on the tournaments in it."""

    def __init__(self, app: Flask, data: Path, address: str) -> None:
        self.app, self.data, self.address = app, data, address

    def hall(self, t: str, boards: int) -> Call:
        return hall(self.app, self.data, t, boards)

    def sit_down(self, browser: Chrome, t: str, role: Role = "arbiter", tongue: str = "en") -> None:
        """Log in and open the desk of the first round."""
        speak(browser, self.address, tongue)
        sit_down(browser, self.address, tokens.issue(self.data, role, holder(role, None)))
        browser.get(f"{self.address}/t/{t}/rounds/1")


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    data = tmp_path_factory.mktemp("desk")
    app = embedded.make_app(data, Limits(rate=0, reads=0))
    with served(app) as address:
        yield House(app, data, address)
    close(app)


@pytest.fixture
def without_scripts(browser: Chrome) -> Iterator[Chrome]:
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    yield browser
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def results(call: Call) -> dict[int, str | None]:
    """The notation of each board's result, as the log has it."""
    boards = call("GET", "/v1/tournaments/<t>/rounds/1").json["boards"]
    games = {board["board"]: call("GET", f"/v1/games/{board['game']}").json["result"] for board in boards}
    return {board: result and result["notation"] for board, result in games.items()}


def until(browser: Chrome, condition: str) -> None:
    Wait(browser, 60).until(lambda b: b.execute_script(f"return {condition}"))


def types(browser: Chrome, keys: str) -> None:
    browser.switch_to.active_element.send_keys(keys)


def test_a_round_is_entered_by_keyboard_alone_with_at_most_five_keys_a_board(house: House, browser: Chrome):
    call = house.hall("keys", BOARDS)
    house.sit_down(browser, "keys", tongue="zh-CN")
    typed = {1: "1\n", 2: "=\n", 3: "0\n", 98: "98 1\n", 99: "99 0\n", 50: "50 =\n", 4: "4 +\n", 5: "5 -\n", 6: "6--\n"}
    for line in typed.values():
        assert len(line) <= 5
        types(browser, line)
    until(browser, "document.querySelectorAll('#sent li').length === 0")
    entered = results(call)
    assert {n: entered[n] for n in typed} == {
        1: "1-0", 2: "1/2-1/2", 3: "0-1", 98: "1-0", 99: "0-1", 50: "1/2-1/2", 4: "+/-", 5: "-/+", 6: "-/-",
    }  # fmt: skip
    assert text(browser, "#next") == "7", "the next open board"
    types(browser, "".join("1\n" for _ in range(20)))
    until(browser, "document.querySelectorAll('#sent li').length === 0")
    entered = results(call)
    assert [n for n in range(7, 27) if entered[n] != "1-0"] == []
    assert f"{BOARDS - 29} 台" in text(browser, "#round")
    assert browser.get_log("browser") == []


@pytest.mark.parametrize(
    ("game", "regulations", "tongue", "left", "heads"),
    [
        ("go", "go-campus", "en", "left wins (White)", ["White", "Black, moves first"]),
        ("go", "go-campus", "zh-CN", "左方胜（白方）", ["白方", "黑方（先行）"]),
        ("gomoku", "gomoku-campus", "zh-CN", "左方胜", ["左方（猜先定色）", "右方（猜先定色）"]),
        ("renju", "campus", "en", "left wins", ["Left, colours by swap", "Right, colours by swap"]),
        ("xiangqi", "campus", "zh-CN", "左方胜（红方）", ["红方", "黑方"]),
    ],
)
def test_a_key_means_a_column_whichever_side_moves_first(
    house: House, browser: Chrome, game: str, regulations: str, tongue: str, left: str, heads: list[str]
):
    t = f"columns-{game}-{tongue.lower()}"
    call = hall(house.app, house.data, t, 3, game=game, regulations=regulations)
    house.sit_down(browser, t, tongue=tongue)
    assert left in text(browser, "#entry-help")
    named = [cell.text for cell in browser.find_elements(By.CSS_SELECTOR, "table.boards thead th")]
    assert [named[1], named[3]] == heads
    types(browser, "1\n0\n3 +\n")
    until(browser, "document.querySelectorAll('#sent li').length === 0")
    assert results(call) == {1: "1-0", 2: "0-1", 3: "+/-"}
    points = {p["id"]: p["points"] for p in call("GET", "/v1/tournaments/<t>/standings").json["players"]}
    assert {player for player, won in points.items() if won} == {1, 4, 5}, "left, right and left"
    row = browser.find_element(By.XPATH, "//table[contains(@class,'boards')]//tr[td[1]='1']").text
    assert row.index("Player 1") < row.index(" – ") < row.index("Player 2")
    assert browser.get_log("browser") == []


def test_lines_without_an_answer_are_sent_when_the_page_is_opened_again(house: House, browser: Chrome):
    call = house.hall("battery", 4)
    house.sit_down(browser, "battery")
    browser.execute_cdp_cmd("Network.enable", {})
    browser.execute_cdp_cmd("Network.setBlockedURLs", {"urls": ["*/results"]})
    types(browser, "1\n3 0\n")
    until(browser, "document.querySelector('#sent [data-state=unsent]') !== null")
    browser.execute_script("window.addEventListener('beforeunload', (event) => event.stopImmediatePropagation(), true)")
    browser.get(f"{house.address}/healthz")
    assert set(results(call).values()) == {None}
    browser.execute_cdp_cmd("Network.setBlockedURLs", {"urls": []})
    browser.get(f"{house.address}/t/battery/rounds/1")
    until(browser, "document.querySelectorAll('#sent li').length === 0")
    until(browser, "document.querySelectorAll('[data-open]').length === 2")
    assert results(call) == {1: "1-0", 2: None, 3: "0-1", 4: None}
    assert browser.execute_script("return localStorage.length") == 0
    browser.get_log("browser")


def test_what_is_refused_is_shown_beside_the_field_and_the_next_line_goes_on(house: House, browser: Chrome):
    call = house.hall("refused", 3)
    house.sit_down(browser, "refused")
    types(browser, "1\n77 1\n2 0\n")
    until(browser, "document.querySelectorAll('#sent li').length === 0")
    until(browser, "document.querySelector('#refused [name=entry]')?.value === '77 1'")
    until(browser, "document.activeElement.id === 'entry'")
    assert results(call) == {1: "1-0", 2: "0-1", 3: None}
    browser.get_log("browser")


def test_lowest_open_board_is_next_after_a_refusal(house: House, browser: Chrome):
    house.hall("lowest", 4)
    house.sit_down(browser, "lowest")
    types(browser, "3 9\n")
    until(browser, "document.querySelector('#refused [name=entry]')?.value === '3 9'")
    until(browser, "document.getElementById('next').textContent === '1'")
    browser.get_log("browser")


def test_what_others_enter_comes_in_by_itself(house: House, browser: Chrome):
    call = house.hall("others", 3)
    house.sit_down(browser, "others")
    types(browser, "3")
    until(browser, "document.readyState === 'complete'")
    body = {"round": 1, "results": [{"board": 2, "result": "1-0"}]}
    assert call("POST", "/v1/tournaments/<t>/results", body, "arbiter").status_code == 201
    until(browser, "document.querySelector('[data-open=\"2\"]') === null")
    assert browser.find_element(By.ID, "entry").get_attribute("value") == "3", "what is being typed stays"


@pytest.mark.parametrize("tongue", LANGUAGES)
def test_the_same_round_is_entered_without_scripts(house: House, without_scripts: Chrome, tongue: str):
    t = f"plain-{tongue.lower()}"
    call, browser = house.hall(t, 3), without_scripts
    house.sit_down(browser, t, tongue=tongue)
    for line in ("1", "3 0", "="):
        field = Wait(browser, 20).until(presence_of_element_located((By.ID, "entry")))
        field.send_keys(line, Keys.ENTER)
        Wait(browser, 20).until(gone(field))
    assert results(call) == {1: "1-0", 2: "1/2-1/2", 3: "0-1"}
    assert f"/t/{t}/rounds/1" in browser.current_url
    assert browser.find_element(By.TAG_NAME, "html").get_attribute("lang") == tongue


@pytest.mark.parametrize("tongue", LANGUAGES)
def test_the_next_round_is_looked_at_and_published_without_scripts(house: House, without_scripts: Chrome, tongue: str):
    t = f"next-{tongue.lower()}"
    call, browser = house.hall(t, 3), without_scripts
    body = {"round": 1, "results": [{"board": board, "result": "1-0"} for board in (1, 2, 3)]}
    assert call("POST", "/v1/tournaments/<t>/results", body).status_code == 201
    house.sit_down(browser, t, "chief_arbiter", tongue)
    browser.find_element(By.CSS_SELECTOR, ".next-round a").send_keys(Keys.ENTER)
    proposed = Wait(browser, 20).until(presence_of_element_located((By.ID, "proposed")))
    rows = [row.find_elements(By.TAG_NAME, "td")[:3] for row in proposed.find_elements(By.CSS_SELECTOR, "tbody tr")]
    shown = [[int(cell.text.split()[0]) for cell in row] for row in rows]
    browser.find_element(By.CSS_SELECTOR, "#form button.lead").send_keys(Keys.ENTER)
    Wait(browser, 20).until(gone(proposed))
    assert f"/t/{t}/rounds/2?after=" in browser.current_url
    boards = call("GET", "/v1/tournaments/<t>/rounds/2").json["boards"]
    assert [[b["board"], b["white"], b["black"]] for b in boards] == shown


def test_a_wrong_result_that_is_found_after_the_pairing_is_corrected_and_the_round_paired_anew(
    house: House, browser: Chrome
):
    # given a round of which a result was read from the wrong side, and the next one, whose games have not begun
    t, no_longer = "wrong", "changes the standings, but not that pairing"
    call = house.hall(t, 3)
    house.sit_down(browser, t, "chief_arbiter")
    office = Office(browser, house.address)
    types(browser, "1\n1\n1\n")
    until(browser, "document.querySelector('[data-open]') === null")
    office.pairs(t, 2)
    before = seats(call, 2)
    # when it is corrected, which says that this does not change the next pairing
    office.opens(f"/t/{t}/rounds/1")
    more = office.one("a[href$='/rounds/1/boards/1/correction']")
    more.find_element(By.XPATH, "ancestor::details/summary").click()
    office.clicks("a[href$='/rounds/1/boards/1/correction']")
    assert no_longer in office.one("#form").text
    office.one("input[name=result][value='0-1']").click()
    office.types("#reason", "读反了")
    office.clicks("#form button.lead")
    assert "but not that pairing" in office.one("#paired-later").text
    office.clicks("form.confirm button.lead")
    assert results(call)[1] == "0-1" and seats(call, 2) == before
    # then the pairing is withdrawn, and made of what is right
    office.opens(f"/t/{t}/rounds/1/boards/1/correction")
    office.clicks("#form a[href$='/rounds/2/pairing']")
    office.types("#reason", "第一台成绩读反了")
    office.clicks("#form button.lead")
    office.pairs(t, 2)
    assert seats(call, 2) != before
    assert {1, 2} & set(seats(call, 2)[0]) == {2}, "who won on board 1 is at the first, and who lost is not"
    # and once a game of it has begun, its withdrawal is no longer offered
    body = {"round": 2, "results": [{"board": 1, "result": "1-0"}]}
    assert call("POST", "/v1/tournaments/<t>/results", body).status_code == 201
    office.opens(f"/t/{t}/rounds/1/boards/1/correction")
    assert no_longer in office.one("#form").text
    assert browser.find_elements(By.CSS_SELECTOR, "#form a[href$='/rounds/2/pairing']") == []
    assert browser.get_log("browser") == []


def seats(call: Call, round: int) -> list[list[int]]:
    """Who sits at each board of a round."""
    return [[b["white"], b["black"]] for b in call("GET", f"/v1/tournaments/<t>/rounds/{round}").json["boards"]]


@pytest.mark.parametrize("tongue", LANGUAGES)
@pytest.mark.parametrize("screen", [PHONE, TABLET], ids=["320 px", "tablet"])
def test_a_result_is_touched_and_nothing_is_too_small_or_too_wide(
    house: House, browser: Chrome, screen: dict[str, int], tongue: str
):
    t = f"touch{screen['width']}-{tongue.lower()}"
    call = house.hall(t, 2)
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
    try:
        house.sit_down(browser, t, tongue=tongue)
        assert browser.execute_script("return document.documentElement.scrollWidth") <= screen["width"]
        touched = browser.find_elements(
            By.CSS_SELECTOR, "#desk .deeds button, #desk .more summary, #entry-form button, #entry"
        )
        assert len(touched) > 8
        for one in touched:
            assert min(one.size["width"], one.size["height"]) >= FINGER, one.get_attribute("outerHTML")
        browser.find_element(By.CSS_SELECTOR, "[data-open='2'] button[value='0-1']").click()
        until(browser, "document.querySelector('[data-open=\"2\"]') === null")
        assert results(call) == {1: None, 2: "0-1"}
        browser.get(f"{house.address}/t/{t}/rounds/1/boards/1/arrival")
        assert browser.execute_script("return document.documentElement.scrollWidth") <= screen["width"]
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_a_kill_in_mid_entry_loses_nothing_that_was_acknowledged_and_what_waits_is_sent_again(
    browser: Chrome, tmp_path: Path
):
    app = embedded.make_app(tmp_path)
    hall(app, tmp_path, "cup", 40)
    close(app)
    server, address = serve(tmp_path, 0)
    try:
        House(app, tmp_path, address).sit_down(browser, "cup")
        types(browser, "".join("1\n" for _ in range(6)))
        until(browser, "document.querySelectorAll('[data-open]').length < 40")
        kill(server)
        acknowledged = 40 - browser.execute_script("return document.querySelectorAll('[data-open]').length")
        types(browser, "".join("0\n" for _ in range(3)))
        server, _ = serve(tmp_path, int(address.rpartition(":")[2]))
        until(browser, "document.querySelectorAll('#sent li').length === 0")
        assert 1 <= acknowledged <= 6
        rows = browser.find_elements(By.CSS_SELECTOR, "table.boards tbody tr:not([data-open]) td:nth-child(3)")
        assert [row.text for row in rows] == ["1 – 0"] * 6 + ["0 – 1"] * 3, (
            "each line once, at the board that it was typed for"
        )
    finally:
        kill(server)
        browser.get_log("browser")


def kill(server: "subprocess.Popen[str]") -> None:
    """kill -9 of the server and its workers."""
    with suppress(ProcessLookupError):
        os.killpg(server.pid, signal.SIGKILL)
    server.wait()


def serve(data: Path, port: int) -> tuple[subprocess.Popen[str], str]:
    """The server as people run it, and its address once it takes connections."""
    command = [sys.executable, "-m", "deploy.cli.main", "serve", "--data", str(data), "--port", str(port)]
    server = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    )
    assert server.stdout is not None
    for line in server.stdout:
        if "http://" in line:
            return server, "http://" + line.partition("http://")[2].split()[0].rstrip("/.,")
    raise AssertionError("the server ended")


def test_what_waits_is_reached_from_a_round_that_was_withdrawn_and_from_the_tournament(house: House, browser: Chrome):
    call = house.hall("empty", 2)
    ruling = {"player": 1, "round": 1, "infraction": "misconduct"}
    made = call("POST", "/v1/tournaments/<t>/rulings", ruling).json["events"][0]["data"]["ruling"]
    appeal = {"ruling": made, "by": 1, "grounds": "I was not there"}
    lodged = call("POST", "/v1/tournaments/<t>/appeals", appeal).json["appeal"]
    assert call("POST", "/v1/tournaments/<t>/rounds/1/withdrawal", {"reason": "not public"}).status_code == 201
    house.sit_down(browser, "empty", "chief_arbiter")
    office = Office(browser, house.address)
    for page in ("/t/empty/rounds/1", "/t/empty"):
        office.opens(page)
        assert office.one("#waits a[href$='/rounds/1/pairing']").text == "Pair round 1"
        office.clicks(f"#waits a[href$='/rulings/{made}']")
        assert lodged in office.one("main").text
