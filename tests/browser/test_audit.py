"""The auditor's pages: how far the audit is, its verdict in plain words, and each finding with its line."""

import sqlite3
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.request import urlopen

import pytest
from flask import Flask
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By

from shared.audit.report import Progress
from shared.desk.computations.child_process import ChildProcess
from shared.desk.desk import Desk
from shared.http.language.catalogue import LANGUAGES
from tests.browser.serving import Wait, served, speak, text
from tests.browser.sound import narrow, unsound
from tests.played import Played, a_desk, an_app, spring_cup

pytestmark = pytest.mark.xdist_group("browser")
VERDICTS = {
    "agrees": {"en": "Agrees. Every event is as it was written", "zh-CN": "一致。"},
    "differs": {"en": "Differs. An event was changed", "zh-CN": "不符。"},
}


@dataclass
class House:
    """A served tournament of its own, whose log may be tampered with."""

    address: str
    cup: Played
    desk: Desk
    app: Flask
    data: Path

    @property
    def audit(self) -> str:
        return f"{self.address}/t/cup/audit"

    def tampered(self, seq: int) -> None:
        """Somebody who holds the database has written another actor into a line."""
        with sqlite3.connect(self.data / "log.db") as database:
            row = database.execute(
                "SELECT line FROM events WHERE stream = 'tournaments/cup' AND seq = ?", (seq,)
            ).fetchone()
            changed = bytes(row[0]).replace(b'"actor":"zhou.min"', b'"actor":"zhou.mim"')
            assert changed != row[0]
            database.execute("UPDATE events SET line = ? WHERE stream = 'tournaments/cup' AND seq = ?", (changed, seq))


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    desk = a_desk(tmp_path)
    cup = spring_cup(desk)
    app = an_app(tmp_path, desk)
    with served(app) as address:
        yield House(address, cup, desk, app, tmp_path)
    desk.close()


@pytest.fixture
def go(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Until it is set, the child of an audit stands still in the middle of its decisions."""
    made, run = threading.Event(), ChildProcess.run

    def held(child, function, *arguments, callback):
        callback(Progress("decisions", 3, 12))
        assert made.wait(60)
        return run(child, function, *arguments, callback=callback)

    monkeypatch.setattr(ChildProcess, "run", held)
    return made


def verdict(browser: Chrome) -> str:
    """The verdict that the page shows, when it does."""
    wait = Wait(browser, 60, ignored_exceptions=[StaleElementReferenceException])
    return wait.until(
        lambda b: [one.get_attribute("data-verdict") for one in b.find_elements(By.CLASS_NAME, "verdict")]
    )[0]


def test_the_page_says_how_far_the_audit_is_and_its_verdict_comes_by_itself(
    house: House, browser: Chrome, go: threading.Event
):
    with narrow(browser):
        for tongue in LANGUAGES:
            speak(browser, house.address, tongue)
            browser.get(house.audit)
            bar = browser.find_element(By.TAG_NAME, "progress")
            assert (bar.get_attribute("value"), bar.get_attribute("max")) == ("3", "12")
            assert unsound(browser, tongue) == []
        go.set()
        assert verdict(browser) == "agrees"
        in_both_languages(browser, house, "agrees")


def in_both_languages(browser: Chrome, house: House, word: str) -> None:
    """Check in both languages that the page of a finished audit says its verdict and is sound."""
    for tongue in LANGUAGES:
        speak(browser, house.address, tongue)
        browser.get(house.audit)
        assert verdict(browser) == word
        assert VERDICTS[word][tongue] in text(browser)
        assert unsound(browser, tongue) == []


def test_without_scripts_the_page_asks_again_by_itself_and_no_more_when_the_audit_is_made(
    house: House, go: threading.Event
):
    again = '<noscript><meta http-equiv="refresh" content="2"></noscript>'
    with urlopen(house.audit) as answer:
        assert again in answer.read().decode()
    go.set()
    with urlopen(f"{house.address}/v1/tournaments/cup/audit") as answer:
        assert answer.status == 200
    with urlopen(house.audit) as answer:
        assert again not in answer.read().decode()


def test_a_line_that_was_altered_in_the_database_is_named_and_a_click_leads_to_it(house: House, browser: Chrome):
    house.tampered(3)
    with narrow(browser):
        in_both_languages(browser, house, "differs")
        # The roots behind the first that does not fit follow from it, and hide no other finding.
        roots = browser.find_element(By.ID, "roots")
        assert roots.get_attribute("open") is None
        roots.find_element(By.TAG_NAME, "summary").click()
        assert len(roots.find_elements(By.TAG_NAME, "li")) >= 1
        assert unsound(browser, LANGUAGES[-1]) == []
    browser.find_element(By.CSS_SELECTOR, ".findings li a").click()
    Wait(browser, 20).until(lambda b: "/log" in b.current_url)
    assert "zhou.mim" in browser.page_source


def test_texts_that_are_lost_are_told_with_the_line_that_names_them(house: House, browser: Chrome):
    with sqlite3.connect(house.data / "log.db") as database:
        database.execute("DELETE FROM texts WHERE text IN ('by accident', 'as drawn')")
    with narrow(browser):
        for tongue, lost in (("en", "are missing"), ("zh-CN", "篇可删除文本")):
            speak(browser, house.address, tongue)
            browser.get(f"{house.address}/t/cup/integrity")
            assert lost in text(browser, "#kept-texts")
            assert unsound(browser, tongue) == []
    links = browser.find_elements(By.CSS_SELECTOR, "#texts + ul li a")
    assert len(links) == 3, "of two pairings and an annulment"
    links[0].click()
    Wait(browser, 20).until(lambda b: "/log/" in b.current_url)
