"""Pairing in a real browser: by hand with each change checked at once, on a phone, and a hall of 200 within its time."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from deploy.server import embedded
from shared.http.app import close
from shared.http.identity import tokens
from shared.http.language.language import LANGUAGES
from shared.http.limits.rate_limits import Limits
from tests.browser.serving import Wait, gone, served, sit_down, speak, text
from tests.browser.sound import narrow, unsound
from tests.http.forms import entered, hall, pair
from tests.offices import holder

pytestmark = pytest.mark.xdist_group("browser")
PLAYERS = 200
MOST_CLICKS = 6
"""From the round whose results are in to the papers of the next one, the printer's own dialogue among them."""
MOST_CPU = 10.0
"""Seconds of the server and of the engine beside it, from the first click to the papers."""


class House:
    def __init__(self, data: Path, address: str) -> None:
        self.data, self.address = data, address

    def sit_down(self, browser: Chrome, path: str) -> None:
        """Log in as the chief arbiter, and open a page."""
        sit_down(browser, self.address, tokens.issue(self.data, "chief_arbiter", holder("chief_arbiter", None)))
        browser.get(self.address + path)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    data = tmp_path_factory.mktemp("pairing")
    app = embedded.make_app(data, Limits(rate=0, reads=0))
    call = hall(app, data, "cup", 3)
    results = [{"board": board, "result": "1-0"} for board in (1, 2, 3)]
    assert call("POST", "/v1/tournaments/<t>/results", {"round": 1, "results": results}).status_code == 201
    entered(app, data, "absent", 6)
    with served(app) as address:
        yield House(data, address)
    close(app)


def until(browser: Chrome, condition: str) -> None:
    Wait(browser, 30).until(lambda b: b.execute_script(f"return {condition}"))


def click(browser: Chrome, selector: str) -> None:
    """Click, and wait until the page is another."""
    before = browser.find_element(By.TAG_NAME, "html")
    browser.find_element(By.CSS_SELECTOR, selector).click()
    Wait(browser, 60).until(gone(before))


def test_a_change_is_checked_as_soon_as_it_is_typed_and_what_is_being_typed_stays(house: House, browser: Chrome):
    house.sit_down(browser, "/t/cup/rounds/2/pairing")
    click(browser, "button[value='start']")
    first = browser.find_element(By.ID, "w1")
    first.clear()
    first.send_keys("1", Keys.TAB)
    browser.switch_to.active_element.send_keys(Keys.TAB)
    other = browser.find_element(By.ID, "b1")
    other.clear()
    other.send_keys("2", Keys.TAB)
    until(browser, "document.querySelector('#broken [data-rule=rematch]') !== null")
    assert "C1" in text(browser, "#broken") and "Player 2" in text(browser, "#who-b1")
    browser.find_element(By.CSS_SELECTOR, "[value='colours 1']").click()
    until(browser, "document.getElementById('w1').value === '2'")
    for seat in ("b1", "b3"):
        browser.find_element(By.CSS_SELECTOR, f"[name='pick'][value='{seat}']").click()
    third = browser.find_element(By.ID, "b3").get_attribute("value")
    browser.find_element(By.CSS_SELECTOR, "[value='swap']").click()
    until(browser, f"document.getElementById('b1').value === '{third}'")
    assert browser.get_log("browser") == []


def test_absent_player_gets_a_bye_on_the_draft_which_is_then_published(house: House, browser: Chrome):
    house.sit_down(browser, "/t/absent/check-in")
    for tick in browser.find_elements(By.CSS_SELECTOR, "#list [name=here]")[:-2]:
        tick.click()
    click(browser, "#list button.lead")
    click(browser, "a[href$='/rounds/1/pairing']")
    assert [one.text.split()[0] for one in browser.find_elements(By.CSS_SELECTOR, "#absent li")] == ["5", "6"]
    with narrow(browser):
        assert unsound(browser, "en") == []
    click(browser, "#absent [data-player='5'] [value='bye']")
    assert "Player 5: a zero-point bye" in text(browser, "#done")
    click(browser, "#absent [data-player='6'] [name='anyway'][value='6']")
    assert "Player 6: paired anyway" in text(browser, "#done")
    assert "not checked in" in text(browser, "#proposed") and "Player 5" not in text(browser, "#proposed")
    click(browser, "#form button.lead")
    assert "/t/absent/rounds/1?after=" in browser.current_url
    assert "Player 6" in text(browser, "table.boards") and "a zero-point bye" in text(browser, "table.boards")
    assert browser.get_log("browser") == []


@pytest.mark.parametrize("tongue", LANGUAGES)
def test_pairing_by_hand_is_sound_on_a_phone(house: House, browser: Chrome, tongue: str):
    speak(browser, house.address, tongue)
    with narrow(browser):
        house.sit_down(browser, "/t/cup/rounds/2/pairing")
        click(browser, "button[value='start']")
        assert unsound(browser, tongue) == []


def test_a_hall_of_200_is_paired_and_its_papers_printed_by_six_clicks_and_ten_seconds_of_cpu(
    browser: Chrome, tmp_path: Path
):
    app = embedded.make_app(tmp_path, Limits(rate=0, reads=0))
    call = entered(app, tmp_path, "great", PLAYERS, game="chess", regulations="fide-2026")
    half = PLAYERS // 2
    pair(call, [[n, n + half] for n in range(1, half + 1)])
    results = [{"board": n, "result": ("1-0", "0-1", "1/2-1/2")[n % 3]} for n in range(1, half + 1)]
    assert call("POST", "/v1/tournaments/<t>/results", {"round": 1, "results": results}).status_code == 201
    close(app)
    with _serving(tmp_path) as (server, address):
        House(tmp_path, address).sit_down(browser, "/t/great/rounds/1")
        before = cpu(server)
        click(browser, ".next-round a")
        click(browser, "#form button.lead")
        assert "/t/great/rounds/2?after=" in browser.current_url
        assert len(browser.find_elements(By.CSS_SELECTOR, "[data-open]")) == half
        click(browser, "a[href*='/rounds/2/papers']")
        browser.execute_script("window.print = () => { document.title = 'printed'; }")
        browser.find_element(By.CSS_SELECTOR, "[data-print]").click()
        assert browser.title == "printed"
        spent = cpu(server) - before
        assert len(browser.find_elements(By.CSS_SELECTOR, ".slip")) == half
    clicks = 4 + 1
    assert clicks <= MOST_CLICKS, "that of the printer's dialogue is the last"
    assert spent <= MOST_CPU, f"{PLAYERS} players: {clicks} clicks, {spent:.1f} s of CPU"


def cpu(server: "subprocess.Popen[str]") -> float:
    """Seconds that the server's processes have run, and those of its children that have ended."""
    ticks = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            told = stat.read_text().rpartition(")")[2].split()
            if int(told[2]) == server.pid:
                ticks += sum(map(int, told[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


@contextmanager
def _serving(data: Path) -> Iterator[tuple["subprocess.Popen[str]", str]]:
    """The server as people run it, in a group of its own, and its address."""
    command = [sys.executable, "-m", "deploy.cli.main", "serve", "--data", str(data), "--port", "0"]
    server = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    )
    assert server.stdout is not None
    try:
        line = next(line for line in server.stdout if "http://" in line)
        yield server, "http://" + line.partition("http://")[2].split()[0].rstrip("/.,")
    finally:
        with suppress(ProcessLookupError):
            os.killpg(server.pid, signal.SIGKILL)
        server.wait()
