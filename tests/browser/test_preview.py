"""The preview of a ruling in a large event: it opens at its start, with its sentence and the confirmation in view."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from deploy.server import embedded
from shared.http.app import close
from shared.http.identity import tokens
from shared.http.limits.rate_limits import Limits
from tests.browser.office import Office
from tests.browser.serving import Wait, gone, served, sit_down, speak
from tests.http.calls import Call
from tests.http.forms import hall
from tests.offices import holder

pytestmark = pytest.mark.xdist_group("browser")
BOARDS = 97
SCREENS = {"laptop": (1280, 800), "phone": (360, 640)}
IN_VIEW = """
const box = arguments[0].getBoundingClientRect();
return box.top >= 0 && box.bottom <= innerHeight && box.height > 0;
"""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path, Call]]:
    data = tmp_path_factory.mktemp("preview")
    app = embedded.make_app(data, Limits(rate=0, reads=0, preview_seconds=300))
    call = hall(app, data, "big", BOARDS)
    draws = [{"board": n, "result": "1/2-1/2"} for n in range(2, BOARDS + 1)]
    assert call("POST", "/v1/tournaments/<t>/results", {"round": 1, "results": draws}).status_code == 201
    with served(app) as address:
        yield address, data, call
    close(app)


@pytest.fixture(params=SCREENS)
def sized(request: pytest.FixtureRequest, browser: Chrome) -> Iterator[Chrome]:
    width, height = SCREENS[request.param]
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": request.param == "phone"}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    yield browser
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_preview_of_192_moved_rows_opens_at_its_start(house: tuple[str, Path, Call], sized: Chrome) -> None:
    address, data, _ = house
    speak(sized, address, "zh-CN")
    sit_down(sized, address, tokens.issue(data, "arbiter", holder("arbiter", None)))
    office = Office(sized, address)
    office.opens("/t/big/rounds/1/boards/1/arrival")
    office.one("input[name=side][value=white]").click()
    office.one("input[name=came][value=absent]").click()
    office.clicks("#form button.lead")
    sentence, confirm = office.one("#decided li"), office.one("form.confirm button.lead")
    assert sized.switch_to.active_element == confirm
    assert sized.execute_script("return scrollY") == 0
    assert [sized.execute_script(IN_VIEW, one) for one in (sentence, confirm)] == [True, True]
    assert len(sized.find_elements(By.CSS_SELECTOR, "#moved tbody tr")) == 2 * BOARDS - 2
    assert office.one("#moved summary").text == "另有 192 人名次顺移"
    assert not sized.find_element(By.CSS_SELECTOR, "#moved tbody tr").is_displayed()
    # when everything is read, the confirmation is still there
    office.one("#moved summary").click()
    sized.execute_script("scrollTo(0, document.body.scrollHeight / 2)")
    assert sized.execute_script("return scrollY") > 1000 and sized.execute_script(IN_VIEW, confirm)


def test_enter_confirms_the_preview_of_a_correction(house: tuple[str, Path, Call], browser: Chrome) -> None:
    address, data, call = house
    speak(browser, address, "en")
    sit_down(browser, address, tokens.issue(data, "arbiter", holder("arbiter", None)))
    office = Office(browser, address)
    office.opens("/t/big/rounds/1/boards/9/correction?result=0-1")
    office.types("#reason", "misread")
    office.clicks("#form button.lead")
    before = office.one("html")
    browser.switch_to.active_element.send_keys(Keys.ENTER)
    Wait(browser, 60).until(gone(before))
    assert "/t/big/rounds/1?after=" in browser.current_url
    assert call("GET", "/v1/games/big.1.9").json["result"]["notation"] == "0-1"
    assert office.one("#entry-form [name=board]").get_attribute("value") == "1"
