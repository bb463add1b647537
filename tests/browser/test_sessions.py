"""People come in: a tablet is invited by the link of a code, works at its boards, and its session is ended."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from flask import Flask
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from deploy.server import embedded
from shared.core.terms import Role
from shared.http.app import close
from shared.http.identity import tokens
from shared.http.language import language
from shared.http.limits.rate_limits import Limits
from shared.http.requests.auth import COOKIE
from tests.browser.serving import Wait, gone, log_in, served, sit_down, speak, text
from tests.browser.sound import narrow, unsound
from tests.http.forms import hall

pytestmark = pytest.mark.xdist_group("browser")


@dataclass(frozen=True)
class House:
    """A served house with a tournament of ten boards."""

    app: Flask
    data: Path
    address: str

    @property
    def cup(self) -> str:
        return f"{self.address}/t/cup"

    def token(self, role: Role = "chief_arbiter") -> str:
        return tokens.issue(self.data, role, role)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    data = tmp_path_factory.mktemp("sessions")
    app = embedded.make_app(data, Limits(rate=0, reads=0))
    hall(app, data, "cup", 10)
    with served(app) as address:
        yield House(app, data, address)
    close(app)


def press(browser: Chrome, css: str) -> None:
    """Press a button by the keyboard, and wait for the page that it leads to."""
    button = browser.find_element(By.CSS_SELECTOR, css)
    button.send_keys(Keys.ENTER)
    Wait(browser, 20).until(gone(button))


def fill(browser: Chrome, **typed: str) -> None:
    for name, value in typed.items():
        field = browser.find_element(By.ID, name)
        field.clear()
        field.send_keys(value)


def invited(house: House, browser: Chrome) -> str:
    """The link of a tablet for boards 5 to 8, as the chief arbiter is shown it."""
    browser.get(f"{house.cup}/sessions")
    fill(browser, name="arbiter", boards="5-8")
    press(browser, "#form button.lead")
    return browser.find_element(By.ID, "link").get_attribute("value") or ""


def test_a_tablet_is_invited_by_a_code_works_at_its_boards_and_is_sent_away(house: House, browser: Chrome):
    tongue, board = "zh-CN", 5
    speak(browser, house.address, tongue)
    # the chief arbiter logs in, and makes the link
    log_in(browser, house.address, house.token())
    assert "chief_arbiter" in text(browser, ".visitor") and lang(browser) == tongue
    chief = browser.get_cookie(COOKIE)["value"]
    link = invited(house, browser)
    assert browser.find_element(By.CSS_SELECTOR, "svg.qr[role=img]").size["width"] > 150, "wide enough for a camera"
    assert "仅此时显示" in text(browser)
    browser.get(f"{house.cup}/sessions")
    assert link.rpartition("/")[2] not in browser.page_source and "5-8" in text(browser)
    # the tablet opens it, and begins
    sits_down_anew(browser, house, tongue)
    browser.get(link)
    assert browser.get_cookie(COOKIE) is None
    assert "5–8" in text(browser) and lang(browser) == tongue
    press(browser, "#form button.lead")
    assert browser.current_url == f"{house.cup}/rounds/1"
    tablet = browser.get_cookie(COOKIE)
    assert (tablet["httpOnly"], tablet["sameSite"]) == (True, "Strict")
    # it enters one of its boards, and not board 9
    entry = browser.find_element(By.ID, "entry")
    entry.send_keys(f"{board} 1", Keys.ENTER)
    Wait(browser, 20).until(lambda b: not b.find_elements(By.CSS_SELECTOR, f"[data-open='{board}']"))
    browser.find_element(By.ID, "entry").send_keys("9 1", Keys.ENTER)
    Wait(browser, 20).until(lambda b: "5-8" in text(b, "#refused"))
    # the chief arbiter ends its session
    sits_down_anew(browser, house, tongue)
    sit_down(browser, house.address, chief)
    browser.get(f"{house.cup}/sessions")
    (row,) = [one for one in browser.find_elements(By.CSS_SELECTOR, ".rows li") if "5-8" in one.text]
    row.find_element(By.TAG_NAME, "summary").send_keys(Keys.ENTER)
    row.find_element(By.TAG_NAME, "button").send_keys(Keys.ENTER)
    Wait(browser, 20).until(gone(row))
    assert "5-8" not in text(browser)
    # the tablet is a guest again, and its link is used up
    sits_down_anew(browser, house, tongue)
    sit_down(browser, house.address, tablet["value"])
    browser.get(f"{house.cup}/rounds/1")
    assert "访客" in text(browser, ".visitor") and not browser.find_elements(By.ID, "entry")
    browser.get(link)
    assert "此邀请已被使用" in text(browser)


def sits_down_anew(browser: Chrome, house: House, tongue: str) -> None:
    """Another browser, so far as the house can tell, in the same language."""
    browser.delete_all_cookies()
    speak(browser, house.address, tongue)


def lang(browser: Chrome) -> str | None:
    return browser.find_element(By.TAG_NAME, "html").get_attribute("lang")


@pytest.mark.parametrize("tongue", language.LANGUAGES)
def test_the_page_of_a_link_that_was_made_is_sound(house: House, browser: Chrome, tongue: str):
    sit_down(browser, house.address, house.token())
    speak(browser, house.address, tongue)
    with narrow(browser):
        invited(house, browser)
        assert {"en": "Shown only now", "zh-CN": "仅此时显示"}[tongue] in text(browser)
        assert unsound(browser, tongue) == []


@pytest.mark.parametrize("tongue", language.LANGUAGES)
def test_official_creates_and_revokes_a_token_on_a_sound_page(house: House, browser: Chrome, tongue: str):
    sit_down(browser, house.address, house.token())
    speak(browser, house.address, tongue)
    with narrow(browser):
        browser.get(f"{house.cup}/tokens")
        fill(browser, name=f"office {tongue}")
        browser.find_element(By.CSS_SELECTOR, "input[value=arbiter]").send_keys(Keys.SPACE)
        assert unsound(browser, tongue) == []
        press(browser, "#form button.lead")
        secret = browser.find_element(By.ID, "token1").get_attribute("value") or ""
        assert secret.startswith("eyJ") and unsound(browser, tongue) == []
        browser.get(f"{house.cup}/tokens")
        assert secret not in browser.page_source
        (row,) = [
            one for one in browser.find_elements(By.CSS_SELECTOR, ".rows li") if f"office {tongue.lower()}" in one.text
        ]
        row.find_element(By.TAG_NAME, "summary").send_keys(Keys.ENTER)
        row.find_element(By.TAG_NAME, "button").send_keys(Keys.ENTER)
        Wait(browser, 20).until(gone(row))
        assert {"en": "revoked", "zh-CN": "已撤销"}[tongue] in text(browser)


def test_the_form_logs_in_and_one_click_logs_out_for_good(house: House, browser: Chrome):
    token = house.token()
    log_in(browser, house.address, token)
    assert browser.current_url == f"{house.address}/"
    assert "chief_arbiter chief arbiter" in text(browser, ".visitor")
    (cookie,) = browser.get_cookies()
    assert (cookie["httpOnly"], cookie["sameSite"]) == (True, "Strict")
    press(browser, ".visitor button")
    assert "Guest" in text(browser, ".visitor")
    assert browser.get_cookies() == []
    log_in(browser, house.address, token)
    assert "it was ended: ask for a new invitation" in text(browser) and browser.get_cookies() == []


def test_a_false_token_logs_nobody_in(house: House, browser: Chrome):
    log_in(browser, house.address, "abc.def.ghi")
    assert browser.get_cookies() == []
    assert "Your login is not valid: paste a whole invitation link" in text(browser)
