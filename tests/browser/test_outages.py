"""Open pages of a hall while its server is stopped, or its network cut: they say so, and are right soon after the return.

``ARBITER_OUTAGES`` are the seconds of the cut, and ten times those of the stop (`make campaign NAME=outages`): then the browser's
clock is its own. Without it, the clock of the pages goes faster, and an outage lasts until all of them say so.
"""

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver import Chrome

from deploy.server import embedded_desk
from shared.http.identity.tokens import ensure_keys, issue
from tests.bench.http_write import call
from tests.browser.serving import Wait, sit_down
from tests.browser.test_desk import kill, serve
from tests.faults.gate import Gate
from tests.figures.pages import write_pages
from tests.figures.store import record_campaign
from tests.great_hall import ROUNDS, great_hall
from tests.played import ARBITER, CHIEF

pytestmark = pytest.mark.xdist_group("browser")
CUT = float(os.environ.get("ARBITER_OUTAGES", "0"))
STOPPED = CUT / 10
FASTER = 1 if CUT else 4
"""How much faster the clock of the pages goes. Their requests and streams take the time that they take."""
RIGHT = 15.0 if CUT else 120.0
"""Seconds after the return in which every page is right. Without the variable, the machine has other tests to run."""
SAID = 60.0
"""Seconds after which every page says that it may be out of date. A connection may be silent for two signs of life."""
PLAYERS = 41
GUEST, OFFICIAL = "127.0.0.1", "localhost"
"""Two names of the server: a browser opens at most six connections to one, and each live page holds one."""
PAGES = (
    (GUEST, "/t/great/screen?pause=1"),
    (GUEST, f"/t/great/rounds/{ROUNDS}"),
    (GUEST, "/t/great/standings"),
    (GUEST, "/t/great"),
    (OFFICIAL, f"/t/great/rounds/{ROUNDS}"),
    (OFFICIAL, "/t/great/crosstable"),
    (OFFICIAL, "/t/great/rulings"),
)
CLOCK = f"""
for (const name of ["setTimeout", "setInterval"]) {{
  const real = window[name];
  window[name] = (deed, time, ...more) => real(deed, time / {FASTER}, ...more);
}}
const now = performance.now.bind(performance);
performance.now = () => {FASTER} * now();
"""
SHOWN = """
const [board, seq] = arguments, seen = document.getElementById("seen");
if (seen) return Number(seen.dataset.seq) >= seq;
const cells = [...document.querySelectorAll("tr")].map((row) => [...row.cells].map((cell) => cell.textContent.trim()));
return cells.some((row) => row[0] === board && row[2] === "1 – 0");
"""
"""Whether the page shows the event, and the screen, which names no event, the result of the board."""
MARKED = "return document.querySelector('#stale, #offline').checkVisibility()"


class Hall:
    """A server behind a gate, and the windows of a browser that show its pages."""

    def __init__(self, data: Path, browser: Chrome) -> None:
        self.data, self.browser, self.windows = data, browser, dict[tuple[str, str], str]()
        self.server, address = serve(data, 0)
        self.port = int(address.rpartition(":")[2])
        self.gate = Gate(self.port)
        self.chief = issue(data, "chief_arbiter", CHIEF.name)

    def open_pages(self) -> None:
        sit_down(self.browser, f"http://{OFFICIAL}:{self.gate.port}", issue(self.data, "arbiter", ARBITER.name))
        for host, path in PAGES:
            self.browser.switch_to.new_window("window")
            self.windows[host, path] = self.browser.current_window_handle
            self.browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": CLOCK})
            self.browser.get(f"http://{host}:{self.gate.port}{path}")

    def pages(self) -> Iterator[tuple[str, str]]:
        """Yield each page, in whose window the browser is then."""
        for page, window in self.windows.items():
            self.browser.switch_to.window(window)
            yield page

    def wait_until_said(self, seconds: float) -> None:
        """Wait until all pages say that they may be out of date, and then for the rest of the outage."""
        begin = time.monotonic()
        for page in self.pages():
            Wait(self.browser, SAID).until(lambda b: b.execute_script(MARKED), f"{page} does not say it")
        while time.monotonic() < begin + seconds:
            assert [page for page in self.pages() if not self.browser.execute_script(MARKED)] == []
            time.sleep(1)

    def report(self, board: int) -> int:
        """Enter a result past the gate, and return its event."""
        body = {"round": ROUNDS, "results": [{"board": board, "result": "1-0"}]}
        status, content = call(self.port, "POST", "/v1/tournaments/great/results", body, self.chief)
        assert status == 201, content
        return int(json.loads(call(self.port, "GET", "/v1/tournaments/great", None, self.chief)[1])["seq"])

    def is_right(self, board: int, seq: int) -> bool:
        """Return whether the page of this window shows the result and its event, and says nothing of an outage."""
        shown = self.browser.execute_script(SHOWN, str(board), seq)
        return bool(shown) and not self.browser.execute_script(MARKED)

    def wait_until_right(self, board: int, seq: int, since: float) -> None:
        for page in self.pages():
            left = max(0.1, since + RIGHT - time.monotonic())
            Wait(self.browser, left).until(lambda _: self.is_right(board, seq), f"{page} is wrong")


@pytest.fixture
def hall(browser: Chrome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hall]:
    monkeypatch.setenv("ARBITER_HEARTBEAT", str(15 / FASTER))
    ensure_keys(tmp_path)
    desk = embedded_desk.open_desk(tmp_path)
    great_hall(desk, players=PLAYERS)
    desk.close()
    first = browser.current_window_handle
    made = Hall(tmp_path, browser)
    try:
        yield made
    finally:
        for _ in made.pages():
            browser.close()
        browser.switch_to.window(first)
        made.gate.end()
        kill(made.server)
        browser.get_log("browser")


def test_pages_are_right_soon_after_a_stop_of_the_server_and_say_so_meanwhile(hall: Hall):
    hall.open_pages()
    kill(hall.server)
    hall.wait_until_said(STOPPED)
    hall.server, _ = serve(hall.data, hall.port)
    Wait(hall.browser, SAID, ignored_exceptions=[OSError]).until(
        lambda _: call(hall.port, "GET", "/readyz", None, "")[0] == 200
    )
    hall.wait_until_right(1, hall.report(1), time.monotonic())
    _record("outages, stopped server", STOPPED)


def test_pages_are_right_soon_after_a_cut_of_the_network_and_say_so_meanwhile(hall: Hall):
    hall.open_pages()
    assert [page for page in hall.pages() if hall.browser.execute_script(MARKED)] == []
    hall.gate.cut("hall", None)
    hall.wait_until_said(CUT)
    seq = hall.report(1)
    hall.gate.heal("hall")
    hall.wait_until_right(1, seq, time.monotonic())
    _record("outages, cut network", CUT)


def _record(name: str, seconds: float) -> None:
    """Store a run of the campaign: the seconds of the outage, and the number of pages, each of which was right."""
    if "ARBITER_FIGURES" in os.environ:
        record_campaign(name, int(seconds), int(os.environ["ARBITER_SEED"]), 0, pages=len(PAGES))
        write_pages()
