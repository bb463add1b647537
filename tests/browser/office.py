"""What a chief arbiter does before a browser in the course of an event, by mouse and keyboard, in either language."""

from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.select import Select

from tests.browser.serving import Wait, click, gone

RESULTS = ("1", "=", "0", "1", "+")
"""What is typed of the boards of a round, over and over."""


class Office:
    """The chief arbiter before a browser, logged in at an address, in one language."""

    def __init__(self, browser: Chrome, address: str) -> None:
        self.browser, self.address = browser, address

    def one(self, css: str) -> WebElement:
        found: WebElement = Wait(self.browser, 30).until(lambda b: b.find_element(By.CSS_SELECTOR, css))
        return found

    def clicks(self, css: str) -> None:
        """Click what leads to another page, and wait for that; what is written and not back through the log is asked for."""
        self._leaves(css)
        again = "#form a[href*='?written=']"
        while self.browser.find_elements(By.CSS_SELECTOR, again):
            self._leaves(again)

    def _leaves(self, css: str) -> None:
        before = self.one("html")
        click(self.browser, css)
        Wait(self.browser, 60).until(gone(before))

    def opens(self, path: str) -> None:
        self.browser.get(self.address + path)

    def types(self, css: str, text: str) -> None:
        field = self.one(css)
        field.clear()
        field.send_keys(text)

    def announces(self, t: str, name: str, rounds: int) -> None:
        self.opens("/tournaments/new")
        Select(self.one("#set")).select_by_value("xiangqi/campus-xiangqi")
        self.clicks("button.lead")
        self.types("#name", name)
        self.types("#rounds", str(rounds))
        self.one("#id").find_element(By.XPATH, "ancestor::details/summary").click()
        self.types("#id", t)
        self.clicks("button.lead")
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

    def touches(self, boards: int) -> None:
        """Every board of the round by the buttons beside it, from below: none moves up beneath the hand."""
        for board in range(boards, 0, -1):
            marks = {"1": "1-0", "0": "0-1"}.get(RESULTS[board % len(RESULTS)], "1/2-1/2")
            click(self.browser, f"[data-open='{board}'] button[value='{marks}']")
            there = f"return document.querySelector('[data-open=\"{board}\"]') === null"
            Wait(self.browser, 60).until(lambda b, there=there: b.execute_script(there))
        quiet = "return document.querySelector('.htmx-request') === null"
        Wait(self.browser, 60).until(lambda b: b.execute_script(quiet))

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
