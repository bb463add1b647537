"""People who run an event before one browser, from the first invitation on: acts, and the pages that they read."""

from pathlib import Path

from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.select import Select

from shared.http.requests.auth import COOKIE
from tests.browser.office import Office
from tests.browser.serving import Wait, gone, speak, text

RESULTS_IN = "return !document.querySelector('#sent li, [data-open], .htmx-request')"
ROWS = "table.boards tbody tr"


class Chief(Office):
    """Officials who change seats before one browser, in one event ``t``; the address of a page may leave the event out."""

    def __init__(self, browser: Chrome, address: str, t: str, language: str) -> None:
        super().__init__(browser, address)
        self.t = t
        speak(browser, address, language)

    def _leaves(self, css: str) -> None:
        """Click what leads to another page, and wait until all of it is there to be read."""
        super()._leaves(css)
        Wait(self.browser, 60).until(lambda b: b.execute_script("return document.readyState === 'complete'"))

    def visits(self, page: str) -> str:
        """Open a page of the event, and return what it says."""
        self.opens(f"/t/{self.t}/{page}".rstrip("/"))
        return text(self.browser)

    def logs_in(self, link: str) -> None:
        """Open an invitation, and accept it; another login of this browser ends."""
        self.browser.get(link)
        self.clicks("#form button.lead")

    def invites(self, name: str, role: str) -> str:
        """Return the link for an appointed official."""
        self.visits("sessions")
        Select(self.one("#role")).select_by_value(role)
        self.types("#name", name)
        self.clicks("#form button.lead")
        return self.one("#link").get_attribute("value") or ""

    def seat(self) -> str:
        """Return the present session, to resume it later by `sit_down`."""
        session: str = self.browser.get_cookie(COOKIE)["value"]
        return session

    def appoints(self, name: str, role: str, person: str) -> None:
        self.visits("officials")
        Select(self.one("#role")).select_by_value(role)
        self.types("#name", name)
        self.types("#person", person)
        self.clicks("#form button.lead")

    def creates(
        self, set: str, format: str, name: str, place: str, fields: dict[str, str], chosen: dict[str, str]
    ) -> None:
        """Create the event in three steps. ``fields``: typed ones by their ID; ``chosen``: lists, in the order of the form."""
        self.opens("/")
        self.clicks("a[href$='/tournaments/new']")
        Select(self.one("#set")).select_by_value(set)
        Select(self.one("#format")).select_by_value(format)
        self.clicks("button.lead")
        self._fills({"name": name, "place": place, "id": self.t} | fields)
        self.clicks("button.lead")
        for field, value in chosen.items():
            self._unfolds(field)
            Select(self.one(f"[id='{field}']")).select_by_value(value)
        self._fills(fields)
        self.clicks("button.lead")
        assert f"/t/{self.t}/entries" in self.browser.current_url, text(self.browser)

    def _fills(self, fields: dict[str, str]) -> None:
        for field, value in fields.items():
            if self.browser.find_elements(By.CSS_SELECTOR, f"[id='{field}']:not([type=hidden])"):
                self._unfolds(field)
                self.types(f"[id='{field}']", value)

    def _unfolds(self, field: str) -> None:
        for closed in self.one(f"[id='{field}']").find_elements(By.XPATH, "ancestor::details[not(@open)]/summary"):
            closed.click()

    def publishes_pairing(self, round: int) -> str:
        """Pair a round as it is proposed, from the page of the round before, and return what the draft said."""
        self.visits(f"rounds/{round - 1}" if round > 1 else "")
        self.clicks(f"a[href$='/rounds/{round}/pairing']")
        draft = text(self.browser)
        self.clicks("#form button.lead")
        assert f"/t/{self.t}/rounds/{round}?after=" in self.browser.current_url, text(self.browser)
        return draft

    def pairs_by_hand(self, round: int, lines: str, reason: str) -> None:
        """Type all boards at once, one per line with the left side first. A number alone has the bye."""
        self.visits(f"rounds/{round}/pairing")
        self.clicks("button[value='start']")
        self.one("#hand summary").send_keys(Keys.ENTER)
        before = self.one("#hand")
        self.one("#lines").send_keys(lines, Keys.TAB, Keys.ENTER)
        Wait(self.browser, 30).until(gone(before))
        self.types("#reason", reason)
        self.clicks("button[value='publish']")
        assert f"/rounds/{round}?after=" in self.browser.current_url, text(self.browser)

    def types_results(self, results: str) -> None:
        """Type the results of all open boards, in their order: one sign and Enter each."""
        self.browser.switch_to.active_element.send_keys("".join(f"{result}\n" for result in results))
        Wait(self.browser, 60).until(lambda b: b.execute_script(RESULTS_IN))

    def wins(self, *winners: str) -> None:
        """Type the result of every open board: a win of the one who is named, on whichever side, else a draw."""
        pairs = [pair for pair, _ in self.boards()]
        self.types_results(
            "".join("=" if not {*pair} & {*winners} else "1" if pair[0] in winners else "0" for pair in pairs)
        )

    def boards(self) -> list[tuple[tuple[str, str], str]]:
        """Return the two players of each board of the open round, the left one first, and the row as it is read."""
        read = """return [...document.querySelectorAll(arguments[0])].map((row) =>
            [[...row.querySelectorAll("a[href*='/players/']")].map((one) => one.innerText), row.innerText])"""
        found: list[tuple[list[str], str]] = self.browser.execute_script(read, ROWS)
        return [((names[0], names[1]), " ".join(row.split())) for names, row in found if len(names) == 2]

    def meetings(self) -> list[set[str]]:
        """Return who meets in the open round, by board."""
        return [{*pair} for pair, _ in self.boards()]

    def opens_menu(self, round: int, board: int, deed: str) -> None:
        """Open a form from the menu of a board."""
        self.visits(f"rounds/{round}")
        link = f"a[href$='/boards/{board}/{deed}']"
        self.one(link).find_element(By.XPATH, "ancestor::details/summary").click()
        self.clicks(link)

    def previews(self) -> str:
        """Send a form, and return the text of its preview. The first one waits until a process for previews has started."""
        self.browser.set_page_load_timeout(120)
        self.clicks("#form button.lead")
        self.browser.set_page_load_timeout(30)
        return text(self.browser)

    def confirms(self) -> None:
        self.clicks("#decided button.lead, button.lead")
        assert "/preview/" not in self.browser.current_url, text(self.browser)

    def rows(self, css: str) -> list[str]:
        """Return the rows of a table as they are read, each on one line."""
        read = "return [...document.querySelectorAll(arguments[0])].map((row) => row.innerText)"
        return [" ".join(row.split()) for row in self.browser.execute_script(read, css)]

    def publishes_final(self) -> None:
        """Wait for the audit, and publish the final standings from the closing page."""
        self.visits("closing")
        Wait(self.browser, 120).until(lambda b: b.find_elements(By.CSS_SELECTOR, "#check-audit[data-done=yes]"))
        self.clicks("a.lead[href$='/publication']")
        self.clicks("button[name=final][value=yes]")
        assert f"/t/{self.t}/closing" in self.browser.current_url, text(self.browser)

    def file(self, css: str) -> str:
        """Return the text of the file that a link gives."""
        read = "const done = arguments[1]; fetch(arguments[0]).then((answer) => answer.text()).then(done)"
        content: str = self.browser.execute_async_script(read, self.one(css).get_attribute("href"))
        return content

    def open_checks(self) -> set[str]:
        """Return the items of the closing page that are to do."""
        found = self.browser.find_elements(By.CSS_SELECTOR, ".checklist > [data-done=no]")
        return {str(one.get_attribute("id")).removeprefix("check-") for one in found}


def signer(data: Path) -> str:
    """Return the name and digest of the key that signs the checkpoints of a data folder."""
    return "+".join((data / "arbiter.vkey").read_text().split("+")[:2])
