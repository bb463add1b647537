"""A whole event in a browser: from its announcement to the file that is taken home, by mouse and keyboard alone."""

import zipfile
from collections.abc import Iterator
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.select import Select

from deploy.cli.main import run
from deploy.server import embedded
from shared.http import tokens
from shared.http.app import close
from shared.http.auth import COOKIE
from shared.http.rate_limits import Limits
from tests.browser.serving import Wait, gone, served, sit_down, speak
from tests.browser.sound import narrow, unsound

pytestmark = pytest.mark.xdist_group("browser")
CHIEF = "zhou.min"
RESULTS = ("1", "=", "0", "1", "+")
"""What is typed of the boards of a round, over and over."""


class Office:
    """The chief arbiter before a browser, in one language."""

    def __init__(self, browser: Chrome, data: Path, address: str, language: str) -> None:
        self.browser, self.address = browser, address
        self.token = tokens.issue(data, "chief_arbiter", CHIEF)
        sit_down(browser, address, self.token)
        speak(browser, address, language)
        browser.get(f"{address}/")

    def one(self, css: str) -> WebElement:
        found: WebElement = Wait(self.browser, 30).until(lambda b: b.find_element(By.CSS_SELECTOR, css))
        return found

    def clicks(self, css: str) -> None:
        """Click what leads to another page, and wait for that."""
        before = self.one("html")
        self.one(css).click()
        Wait(self.browser, 60).until(gone(before))

    def opens(self, path: str) -> None:
        self.browser.get(self.address + path)

    def types(self, css: str, text: str) -> None:
        field = self.one(css)
        field.clear()
        field.send_keys(text)

    def announces(self, t: str, name: str, rounds: int) -> None:
        self.opens("/tournaments/new")
        Select(self.one("#regulations")).select_by_value("campus-xiangqi")
        self.clicks("button[name=send]")
        self.types("#name", name)
        self.types("#rounds", str(rounds))
        self.one("#id").find_element(By.XPATH, "ancestor::details/summary").click()
        self.types("#id", t)
        self.clicks("button.lead")
        assert f"/t/{t}/entries" in self.browser.current_url, self.one("main").text

    def enters(self, head: str, players: list[str]) -> None:
        self.one("#cells").send_keys("\n".join((head, *players)))
        self.clicks("button[name=read]")
        assert len(self.browser.find_elements(By.CSS_SELECTOR, "#read tbody tr")) == len(players)
        self.clicks("button[name=confirm]")

    def pairs(self, t: str, round: int) -> None:
        self.opens(f"/t/{t}" if round == 1 else f"/t/{t}/rounds/{round - 1}")
        self.clicks(f"a[href$='/rounds/{round}/pairing']")
        self.clicks("#form button.lead")
        assert f"/t/{t}/rounds/{round}" in self.browser.current_url, self.one("main").text

    def reports(self, boards: int) -> None:
        """Every board of the round by the keyboard, each into the field that waits for it."""
        typed = "".join(f"{RESULTS[n % len(RESULTS)]}\n" for n in range(boards))
        self.browser.switch_to.active_element.send_keys(typed)
        done = "return document.querySelectorAll('#sent li').length === 0 && !document.querySelector('[data-open]')"
        Wait(self.browser, 60).until(lambda b: b.execute_script(done))

    def rules(self, board: int, search: str) -> None:
        """A foul on a board: found in the rulebook by its name, previewed, confirmed."""
        more = self.one(f"a[href$='/boards/{board}/ruling']")
        more.find_element(By.XPATH, "ancestor::details/summary").click()
        self.clicks(f"a[href$='/boards/{board}/ruling']")
        self.one("#q").send_keys(search)
        self.clicks("#infractions a[href$='infraction=foul']")
        self.one("input[name=player]").click()
        self.clicks("button.lead")
        assert self.one("#decided")
        self.clicks("#decided button.lead, button.lead")
        Wait(self.browser, 30).until(lambda b: "/ruling" not in b.current_url)

    def withdraws(self, t: str, player: int, why: str) -> None:
        self.opens(f"/t/{t}/players/{player}")
        self.clicks(f"a[href$='/players/{player}/withdrawal']")
        self.types("#reason", why)
        self.clicks("#form button.lead")
        assert f"/t/{t}/players/{player}?after=" in self.browser.current_url, self.one("main").text

    def archive(self, t: str) -> bytes:
        """What the button of the closing page gives."""
        address = self.one("a[href$='/archive']").get_attribute("href")
        with urlopen(Request(address, headers={"Cookie": f"{COOKIE}={self.token}"})) as answer:
            content: bytes = answer.read()
        return content


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, str]]:
    data = tmp_path_factory.mktemp("day")
    app = embedded.make_app(data, Limits(rate=0, reads=0, preview_seconds=120, audit_seconds=120))
    with served(app) as address:
        yield data, address
    close(app)


def left(office: Office) -> set[str]:
    """What the checklist says is still to be done."""
    found = office.browser.find_elements(By.CSS_SELECTOR, ".checklist > [data-done=no]")
    return {str(one.get_attribute("id")).removeprefix("check-") for one in found}


def test_a_xiangqi_swiss_of_five_rounds_from_its_announcement_to_its_archive(
    house: tuple[Path, str], browser: Chrome, tmp_path: Path
):
    data, address = house
    office = Office(browser, data, address, "zh-CN")
    office.announces("day", "城市杯象棋公开赛", 5)
    units = ("北京", "上海", "广东")
    office.enters("姓名,等级分,单位", [f"棋手{n:02},{2200 - 11 * n},{units[n % 3]}" for n in range(1, 31)])
    for round in range(1, 6):
        office.pairs("day", round)
        if round == 2:
            office.rules(4, "犯规")
        office.reports(15 if round < 4 else 14)
        if round == 3:
            office.withdraws("day", 30, "身体不适")
    office.opens("/t/day/closing")
    assert left(office) >= {"published"} and not left(office) & {"rounds", "results", "claims", "appeals", "audit"}
    office.clicks("a.lead[href$='/publication']")
    office.clicks("button[name=final][value=yes]")
    assert "/t/day/closing" in browser.current_url
    assert "published" not in left(office), office.one(".checklist").text
    file = tmp_path / "day.zip"
    file.write_bytes(office.archive("day"))
    assert run(["verify", str(file), "--key", str(data / "arbiter.vkey")]) == 0
    with zipfile.ZipFile(file) as archive:
        assert "棋手01" in archive.read("standings.csv").decode("utf-8-sig")
    office.opens("/t/day/prizes?places=6&unit=yes&each=1&best=4")
    assert "团体总分" in office.one("main").text and office.one("html").get_attribute("lang") == "zh-CN"
    with narrow(browser):
        office.opens("/t/day/prizes?unit=yes&sex=yes&best=4&born=x")
        assert unsound(browser, "zh-CN") == []
    assert browser.get_log("browser") == []


def test_a_short_event_in_english(house: tuple[Path, str], browser: Chrome):
    data, address = house
    office = Office(browser, data, address, "en")
    office.announces("short", "Short Cup", 2)
    office.enters("Name,Rating", [f"Player {n},{2000 - n}" for n in range(1, 7)])
    for round in (1, 2):
        office.pairs("short", round)
        office.reports(3)
    office.opens("/t/short/closing")
    office.clicks("a.lead[href$='/publication']")
    office.clicks("button[name=final][value=yes]")
    assert "final, published on line" in office.one("#check-published").text
    assert browser.get_log("browser") == []
