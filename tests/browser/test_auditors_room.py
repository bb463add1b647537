"""The auditor's room: a table with a fallen ruling is explained by clicks alone, in English with scripts, in Chinese without."""

import re
from collections.abc import Iterator

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement

from tests.browser.conftest import Site
from tests.browser.serving import Wait, gone, speak
from tests.browser.sound import unsound

pytestmark = pytest.mark.xdist_group("browser")


class Auditor:
    """Somebody before a browser who clicks, and types nothing; each page that comes is sound."""

    def __init__(self, browser: Chrome, tongue: str, scripts: bool) -> None:
        self.browser, self.tongue, self.scripts = browser, tongue, scripts

    def one(self, css: str) -> WebElement:
        return self.browser.find_element(By.CSS_SELECTOR, css)

    def text(self, css: str = "main") -> str:
        return self.one(css).text

    def clicks(self, css: str) -> None:
        former = self.one("html")
        self.one(css).click()
        Wait(self.browser, 20).until(gone(former))
        if self.scripts:  # which axe needs
            assert [fault for fault in unsound(self.browser, self.tongue, "light") if "pixels" not in fault] == []

    def row(self, player: str) -> list[str]:
        cells = self.browser.find_elements(By.XPATH, f"//*[@id='changes']//tr[th[contains(., '{player}')]]/*")
        return [cell.text for cell in cells]


@pytest.fixture(params=[("en", True), ("zh-CN", False)], ids=["en", "zh-without-scripts"])
def auditor(request: pytest.FixtureRequest, site: Site, browser: Chrome) -> Iterator[Auditor]:
    tongue, scripts = request.param
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": not scripts})
    speak(browser, site.address, tongue)
    browser.get(f"{site.address}/t/cup/standings")
    yield Auditor(browser, tongue, scripts)
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def test_a_table_with_a_fallen_ruling_is_explained_by_clicks_alone(auditor: Auditor) -> None:
    en = auditor.tongue == "en"

    # from the table to the log, and among its lines to the annulment
    auditor.clicks("nav.rooms a[href$='/log']")
    auditor.clicks("nav.rooms a[href$='/timeline']")
    assert "Ruling annulled" in auditor.text() if en else "判罚撤销" in auditor.text()
    auditor.clicks("a[href$='/log#l17']")
    assert "r2" in auditor.text("#l17") and "r5" in auditor.text("#l17")
    auditor.clicks("#l17 a.seq")

    # the line: what it changed, what its decider had seen
    assert auditor.row("李娜")[1:3] == ["2 → 4", "1 → 0"], "a game that was lost by three fouls is open again"
    auditor.browser.find_element(By.CSS_SELECTOR, "#moved summary").click()
    assert auditor.row("Anna Berg")[1:3] == ["4 → 3", "0"]
    assert re.search(r"(round 1 against José Núñez: 1 → none|第 1 轮 对 José Núñez：1 → 无)", auditor.row("李娜")[4])
    assert auditor.text("#basis").rstrip(".。").endswith("16" if en else "第 16 条")

    # what if it had not been annulled
    auditor.clicks("a[href*='/what-if?without=r5']")
    assert auditor.one("input[value=r5]").is_selected()
    assert ("r2, r4" if en else "r2、r4") in auditor.text("#rises")
    rank, points, _, why = auditor.row("李娜")[1:]
    assert (rank, points) == ("5 → 1", "0.5 → 1")
    assert re.search(r"(round 1 against José Núñez: |第 1 轮 对 José Núñez：)0\.5 → 1", why)

    # and another ruling thought away beside it: with two fouls left there is no third, and no lost game
    auditor.one("input[value=r1]").click()
    auditor.clicks("form.what-if button")
    assert [auditor.one(f"input[value={r}]").is_selected() for r in ("r1", "r5")] == [True, True]
    assert auditor.text("#rises").endswith(" r2")
    assert not auditor.browser.find_elements(By.CSS_SELECTOR, "#changes")

    # each ruling leads there too
    auditor.clicks(".banner a")
    auditor.clicks("nav.rooms a[href$='/rulings']")
    auditor.clicks("#r1 a[href*='what-if']")
    assert auditor.one("input[value=r1]").is_selected()
