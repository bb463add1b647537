"""The officials of an event before one browser, who follow links only and whose clicks and keys are counted."""

from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from selenium.webdriver import Chrome, Keys
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.select import Select

from tests.browser.counted import Counted, paste
from tests.browser.office import Office
from tests.browser.record_book import Pair
from tests.browser.serving import Wait, click, gone, speak

SET = "xiangqi/xiangqi-1999"


class EventDesk(Office):
    """One browser that officials share: each logs in by an invitation and has the page that an own device would show."""

    def __init__(self, browser: Chrome, address: str, language: str, counted: Counted) -> None:
        super().__init__(browser, address)
        self.language, self.counted, self.t = language, counted, ""
        self.devices: dict[str, list[dict[str, Any]]] = {}

    # ---------------------------------------------------------------- people

    def accepts(self, official: str, link: str) -> None:
        """Open an invitation on a new device and log in by it."""
        self.browser.execute_cdp_cmd("Network.clearBrowserCookies", {})
        speak(self.browser, self.address, self.language)
        self.browser.get(link)
        with self.counted.job("first login"):
            self.clicks("main button.lead")
        found = self.browser.execute_cdp_cmd("Network.getCookies", {"urls": [self.address]})
        self.devices[official] = found["cookies"]

    def sits(self, official: str) -> None:
        """Have the device of an official, at the page of the event."""
        self.browser.execute_cdp_cmd("Network.clearBrowserCookies", {})
        for cookie in self.devices[official]:
            named = {name: cookie[name] for name in ("name", "value", "path")}
            self.browser.execute_cdp_cmd("Network.setCookie", {**named, "url": self.address})
        self.opens(f"/t/{self.t}")

    def invites(self, login: str, role: str) -> str:
        """Return the link of an invitation, as it is shown."""
        self.room("office")
        self.clicks(f"a[href='/t/{self.t}/sessions']")
        with self.counted.job("invite an official"):
            self.clicks(f"a[href='?role={role}&name={login}']")
            self.clicks("section button.lead")
        return str(self.one("#link").get_attribute("value"))

    # ---------------------------------------------------------------- pages

    def text(self, css: str = "main") -> str:
        return self.one(css).text

    def texts(self, css: str) -> list[str]:
        return [one.text for one in self.browser.find_elements(By.CSS_SELECTOR, css)]

    def room(self, name: str) -> None:
        """Follow a tab of the event; forms lead to its page first."""
        if not self.browser.find_elements(By.CSS_SELECTOR, f"nav.rooms a[href='/t/{self.t}/{name}']"):
            self.clicks(f"nav.rooms a[href='/t/{self.t}']")
        if name:
            self.clicks(f"nav.rooms a[href='/t/{self.t}/{name}']")

    def presses(self, *keys: str) -> None:
        """Press keys where the focus is, and wait for the page that they lead to."""
        before = self.one("html")
        self.browser.switch_to.active_element.send_keys(*keys)
        Wait(self.browser, 60).until(gone(before))

    def menu(self, board: int, link: str) -> None:
        """Follow a link of the menu of a board of the round page."""
        css = f"a[href$='{link}']"
        self.one(css).find_element(By.XPATH, "ancestor::details/summary").click()
        self.clicks(css)

    def saves(self, link: WebElement, folder: Path) -> Path:
        """Click a link of a download, and return the new file."""
        before = {*folder.iterdir()}
        self.browser.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(folder)})
        link.click()
        done = [".crdownload", ".tmp"]
        files = Wait(self.browser, 60).until(
            lambda _: [one for one in {*folder.iterdir()} - before if one.suffix not in done and one.stat().st_size]
        )
        return Path(files[0])

    # ---------------------------------------------------------------- before the first round

    def creates(self, name: str, place: str, own_name: str, officials: Sequence[tuple[str, str, str]]) -> None:
        """Create the event with its officials: login name, role, and name as it is printed."""
        with self.counted.job("create an event"):
            self.clicks("main a.lead")
            Select(self.one("#set")).select_by_value(SET)
            self.clicks("button.lead")
            self.one("#name").send_keys(name)
        self.one("#place").send_keys(place)
        self.one("#own_name").send_keys(own_name)
        click(self.browser, "details:has([name=official]) summary")
        fields = [self.browser.find_elements(By.NAME, one) for one in ("official", "role", "person")]
        for n, (login, role, person) in enumerate(officials):
            fields[0][n].send_keys(login)
            Select(fields[1][n]).select_by_value(role)
            fields[2][n].send_keys(person)
        with self.counted.job("create an event", more=True):
            self.clicks("#form button:not([name])")
        self.t = self.browser.current_url.partition("/t/")[2].partition("/")[0]

    def pastes(self, job: str, sheet: str) -> None:
        """Paste a list of players, and read its preview."""
        with self.counted.job(job):
            self.one("#cells").click()
            paste(self.browser, sheet)
            self.clicks("button[name=read]")

    def types_player(self, name: str, rating: int, club: str) -> None:
        """Type a player into the form whose field of the name has the focus, and register the player by Enter."""
        for css, value in (("#name", name), ("#rating", str(rating)), ("#club", club)):
            while self.browser.switch_to.active_element != self.one(css):
                self.browser.switch_to.active_element.send_keys(Keys.TAB)
            self.browser.switch_to.active_element.send_keys(value)
        self.presses(Keys.ENTER)

    # ---------------------------------------------------------------- rounds

    def pairs_of(self, names: dict[str, int]) -> tuple[dict[int, Pair], dict[int, str]]:
        """Return the boards and the byes of the round that is shown, by the numbers of the players."""
        pairs, byes = {}, {}
        for row in self.browser.find_elements(By.CSS_SELECTOR, "table.boards tbody tr"):
            board, left, _, right = (cell.text for cell in row.find_elements(By.TAG_NAME, "td")[:4])
            if board:
                pairs[int(board)] = (names[left.split()[0]], names[right.split()[0]])
            else:
                byes[names[left.split()[0]]] = right
        return pairs, byes

    def types_results(self, results: Sequence[str], job: str | None = None) -> None:
        """Type a result for each open board, with one key each, into the field that has the focus."""
        with self.counted.job(job) if job else nullcontext():
            self.browser.switch_to.active_element.send_keys("".join(results))
            done = "return !document.querySelector('#sent li') && !document.querySelector('[data-open]')"
            Wait(self.browser, 120).until(lambda b: b.execute_script(done))

    def standings(self, names: dict[str, int]) -> dict[int, int]:
        """Return the rank of each player in the standings that are shown."""
        rows = [row.split("\n")[0].split() for row in self.texts("#fresh tbody tr")]
        return {names[row[1]]: int(row[0]) for row in rows}

    def prints(self) -> None:
        """Click the button that opens the dialog of the printer."""
        self.browser.execute_script("window.print = () => { document.title = 'printed'; }")
        self.one("[data-print]").click()
        assert self.browser.title == "printed"

    def confirms(self) -> None:
        """Confirm a preview by Enter: its button has the focus."""
        self.presses(Keys.ENTER)
