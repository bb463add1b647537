"""What a chief arbiter does before a browser in the course of an event, by mouse and keyboard, in either language."""

from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement

from tests.browser.serving import Wait, click, gone


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
