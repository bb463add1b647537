"""A foul ruled from the board, appealed against while the next round is paired, and annulled: in a browser, in English
with scripts and in Chinese without."""

import re
from collections.abc import Iterator

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By

from deploy.server import embedded
from shared.core.terms import Role
from shared.http.app import close
from shared.http.identity import tokens
from shared.http.limits.rate_limits import Limits
from tests.browser.serving import Wait, click, served, sit_down, speak
from tests.http.calls import Call
from tests.http.forms import hall, pair

pytestmark = pytest.mark.xdist_group("browser")

FOUL = {"player": 1, "round": 1, "infraction": "foul"}
WINS = {"round": 1, "results": [{"board": n, "result": "1-0"} for n in (1, 2, 3)]}


class Hall:
    """A served tournament, and a browser in it, as whoever is logged in there."""

    def __init__(self, browser: Chrome, address: str, data, call: Call, t: str) -> None:
        self.browser, self.address, self.data, self.call, self.t = browser, address, data, call, t

    def enters(self, role: Role, chosen: str) -> None:
        """Somebody sits down before the browser."""
        sit_down(self.browser, self.address, tokens.issue(self.data, role, role))
        speak(self.browser, self.address, chosen)

    def opens(self, path: str) -> None:
        self.browser.get(f"{self.address}/t/{self.t}/{path}")

    def one(self, css: str):
        return Wait(self.browser, 20).until(lambda b: b.find_element(By.CSS_SELECTOR, css))

    def clicks(self, css: str, then: str) -> None:
        """Click, and wait for the page that has ``then``."""
        click(self.browser, css)
        self.one(then)

    def rulings(self) -> dict[str, bool]:
        return {r["ruling"]: r["standing"] for r in self.call("GET", "/v1/tournaments/<t>/rulings").json["rulings"]}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple]:
    data = tmp_path_factory.mktemp("rulings")
    app = embedded.make_app(data, Limits(rate=0, reads=0, preview_seconds=120))
    with served(app) as address:
        yield app, data, address
    close(app)


@pytest.fixture(params=[("en", True), ("zh-CN", False)], ids=str)
def story(request: pytest.FixtureRequest, house, browser: Chrome) -> Iterator[tuple[Hall, str, bool]]:
    app, data, address = house
    chosen, scripts = request.param
    t = f"t{request.param_index}"
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": not scripts})
    yield Hall(browser, address, data, hall(app, data, t), t), chosen, scripts
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def test_a_third_foul_is_previewed_appealed_against_while_the_next_round_is_paired_and_annulled(story) -> None:
    at, chosen, scripts = story
    at.call("POST", "/v1/tournaments/<t>/results", WINS)
    for _ in range(2):
        at.call("POST", "/v1/tournaments/<t>/rulings", FOUL, "arbiter")

    # the arbiter finds the foul in the rulebook, and sees what a third one brings
    at.enters("arbiter", chosen)
    at.opens("rounds/1/boards/1/ruling")
    rows = len(at.browser.find_elements(By.CSS_SELECTOR, "#infractions li"))
    at.one("#q").send_keys("犯规" if chosen == "en" else "foul")
    if not scripts:
        at.one("form[role=search] button").click()
    fewer = Wait(at.browser, 20).until
    fewer(lambda b: 0 < len(b.find_elements(By.CSS_SELECTOR, "#infractions li")) < rows)
    at.clicks("#infractions a[href$='infraction=foul']", "input[name=player]")
    at.one("input[name=player][value='1']").click()
    at.one("#note").send_keys("动了对方的炮")
    at.clicks("button.lead", "#decided")
    follows, table = at.one("#follows").text, at.one("#changes").text
    assert "r1" in follows and "r2" in follows and "r3" in follows
    assert ("third foul" in follows) is (chosen == "en")
    assert "动了对方的炮" in at.one("blockquote:not(.passage)").text
    assert re.search(r"1 → \d", table)
    assert len(at.rulings()) == 2, "nothing is written yet"
    assert at.one("html").get_attribute("lang") == chosen
    at.clicks("button.lead", "main")
    Wait(at.browser, 20).until(lambda b: "/rounds/1" in b.current_url and "ruling" not in b.current_url)
    assert list(at.rulings()) == ["r1", "r2", "r3", "r4"]

    # he takes the player's appeal; meanwhile the next round is paired
    at.opens("rulings/r4")
    at.clicks("a[href$='/appeal']", "#grounds")
    at.one("input[name=by][value='1']").click()
    at.one("#grounds").send_keys("只碰了一下")
    at.clicks("button.lead", "#decided")
    pair(at.call, [[1, 3], [2, 5], [4, 6]])
    at.clicks("button.lead", "main")
    Wait(at.browser, 20).until(lambda b: "/appeal" not in b.current_url)
    (appeal,) = at.call("GET", "/v1/tournaments/<t>/appeals").json["appeals"]

    # the committee sees what upholding it gives back, and decides
    at.enters("appeals", chosen)
    at.opens(f"appeals/{appeal['appeal']}/decision")
    at.one("input[name=upheld][value='yes']").click()
    at.one("#grounds").send_keys("应予支持")
    at.clicks("button.lead", "#decided")
    assert re.search(r"\d → 1", at.one("#changes").text)
    at.clicks("button.lead", "main")
    Wait(at.browser, 20).until(lambda b: "/decision" not in b.current_url)
    standing = at.rulings()
    assert (standing["r3"], standing["r4"]) == (True, False)
