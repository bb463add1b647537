"""An event set up by mouse: announced, players pasted as from WPS, a column corrected, checked in, one withdrawn. In English with
scripts thirty, in Chinese without them ten."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.support.select import Select

from deploy.server import embedded
from shared.http.app import close
from shared.http.identity import tokens
from shared.http.language import language
from shared.http.limits.rate_limits import Limits
from shared.http.requests import auth
from tests.browser.serving import Wait, served
from tests.browser.sound import narrow, unsound

pytestmark = pytest.mark.xdist_group("browser")

NAMES = [f"{family}{given}" for given in ("伟", "娜", "强") for family in "王李张刘陈杨赵黄周吴"]
HEAD = "序号\t姓名\t等级分\t赞助\t性别\n"
ROWS = [
    f"{n}\t{name}\t{2400 - n}\t{'棋院' if n % 2 else '体校'}\t{'男' if n % 3 else '女'}\n"
    for n, name in enumerate(NAMES, 1)
]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, str]]:
    data = tmp_path_factory.mktemp("entries")
    app = embedded.make_app(data, Limits(rate=0, reads=0))
    with served(app) as address:
        yield data, address
    close(app)


class Office:
    """Who sets an event up, before the browser."""

    def __init__(self, browser: Chrome, address: str) -> None:
        self.browser, self.address = browser, address

    def one(self, css: str):
        return Wait(self.browser, 20).until(lambda b: b.find_element(By.CSS_SELECTOR, css))

    def fills(self, css: str, text: str) -> None:
        field = self.one(css)
        field.clear()
        field.send_keys(text)

    def clicks(self, css: str, then: str) -> None:
        """Click, and wait for the page that has ``then``."""
        self.one(css).click()
        self.one(then)

    def counts(self, css: str, number: int) -> None:
        """Wait until the page, of which the beginning may be there alone, has so many of them."""
        Wait(self.browser, 20).until(lambda b: len(b.find_elements(By.CSS_SELECTOR, css)) == number)

    def opens(self, path: str) -> None:
        self.browser.get(self.address + path)


@pytest.mark.parametrize(("chosen", "scripts"), [("en", True), ("zh-CN", False)])
def test_an_event_is_set_up_by_mouse(house, browser: Chrome, chosen: str, scripts: bool) -> None:
    data, address = house
    browser.get(f"{address}/healthz")
    browser.add_cookie({"name": auth.COOKIE, "value": tokens.issue(data, "organiser", "li.wei")})
    browser.add_cookie({"name": language.COOKIE, "value": chosen})
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": not scripts})
    office = Office(browser, address)
    try:
        _set_up(office, f"{chosen.lower()}-cup", ROWS if scripts else ROWS[:10])
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
    _preview_is_sound(office, f"/t/{chosen.lower()}-cup/entries", chosen)


def _set_up(office: Office, t: str, rows: list[str]) -> None:
    office.opens("/")
    office.clicks('main a[href="/tournaments/new"]', "#set")
    Select(office.one("#set")).select_by_value("xiangqi/xiangqi-1999")
    office.clicks("button.lead", "#name")
    office.fills("#name", "秋季公开赛")
    office.clicks('button[name="step"][value="1"]', '#set option[value="xiangqi/xiangqi-1999"]:checked')
    office.clicks("button.lead", "#name")
    assert office.one("#name").get_attribute("value") == "秋季公开赛", "what was typed is still there"
    office.fills("#place", "杭州")
    for summary in office.browser.find_elements(By.CSS_SELECTOR, "form > fieldset > details > summary"):
        summary.click()
    office.fills("#id", t)
    office.clicks("button.lead", "#tiebreak0")
    office.clicks("button.lead", "#sheet")

    # pasted as from WPS: one column that nothing knows is chosen by hand
    paste(office, "".join([HEAD, *rows]))
    office.clicks('#sheet button[name="read"]', "#read")
    office.counts("#read tbody tr", len(rows))
    Select(office.one("#column4")).select_by_value("club")
    office.clicks('button[name="confirm"]', "#last")

    # checked in but for one, who is found by the search
    office.clicks(f'a[href="/t/{t}/players"]', "table")
    office.opens(f"/t/{t}/office")
    office.clicks(f'a[href="/t/{t}/check-in"]', "#list")
    office.counts('#list input[type="checkbox"]', len(rows))
    for tick in office.browser.find_elements(By.CSS_SELECTOR, '#list input[type="checkbox"]')[:-1]:
        tick.click()
    office.clicks("#list button.lead", "#missing")
    office.counts("#list input:checked", len(rows) - 1)
    office.one("#missing summary").click()
    office.one('#missing input[name="missing"]').click()
    office.clicks('#missing button[value="bye"]', "#list")
    Wait(office.browser, 20).until(lambda b: not b.find_elements(By.CSS_SELECTOR, "#missing"))

    # one leaves, from his page
    office.opens(f"/t/{t}/players/2")
    office.clicks(f'a[href="/t/{t}/players/2/withdrawal"]', "#reason")
    office.fills("#reason", "ill")
    office.clicks("button.lead", f'a[href="/t/{t}/players/2/return"]')


def paste(office: Office, text: str) -> None:
    """Put a text into the field as a paste does: tabs are cells, and do not leave the field."""
    office.one("#cells").click()
    office.browser.execute_cdp_cmd("Input.insertText", {"text": text})


def _preview_is_sound(office: Office, path: str, chosen: str) -> None:
    office.opens(path)
    paste(office, "姓名\t等级分\t?\n孙七\t很强\tx\n王伟\t2399\t\n")
    with narrow(office.browser):
        office.clicks('#sheet button[name="read"]', "#read")
        assert unsound(office.browser, chosen) == []
