"""200 players: what a chief arbiter clicks, and what it costs, from "pair" to the round on paper."""

import os
from contextlib import suppress
from pathlib import Path

import pytest
from selenium.webdriver import Chrome

from deploy.server import embedded
from shared.http.app import close
from shared.http.identity import tokens
from shared.http.limits.rate_limits import Limits
from tests.browser.office import Office
from tests.browser.serving import served, sit_down
from tests.browser.test_papers import printed
from tests.http.forms import entered
from tests.offices import holder

pytestmark = pytest.mark.xdist_group("browser")
MOST_CLICKS = 6
MOST_CPU = 10.0
"""Seconds of the server, what it computes beside itself, and the browser together."""
_TICKS = os.sysconf("SC_CLK_TCK")
COUNTS = """
addEventListener("click", (event) => {
  if (event.isTrusted) sessionStorage.setItem("clicks", Number(sessionStorage.getItem("clicks")) + 1);
}, true);
"""


def cpu_seconds() -> float:
    """Processor time of this process, in which the server is, and of all below it: the browser, and what computes for the server
    and has ended."""
    parents, ticks = {}, {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with suppress(OSError):
                fields = (folder / "stat").read_text().rpartition(")")[2].split()
                parents[int(folder.name)], ticks[int(folder.name)] = int(fields[1]), sum(map(int, fields[11:15]))
    family = {os.getpid()}
    while grown := {child for child, parent in parents.items() if parent in family} - family:
        family |= grown
    return sum(ticks.get(one, 0) for one in family) / _TICKS


def test_a_round_of_200_players_is_on_paper_in_six_clicks_and_ten_seconds_of_cpu(tmp_path: Path, browser: Chrome):
    app = embedded.make_app(tmp_path, Limits(rate=0, reads=0, preview_seconds=120))
    call = entered(app, tmp_path, "great", 200)
    seen = call("GET", "/v1/tournaments/<t>").headers["ETag"]
    assert call("POST", "/v1/tournaments/<t>/rounds", {}, If_Match=seen).status_code == 201
    results = [{"board": n, "result": ("1-0", "1/2-1/2", "0-1")[n % 3]} for n in range(1, 101)]
    assert call("POST", "/v1/tournaments/<t>/results", {"round": 1, "results": results}).status_code == 201
    counting = browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": COUNTS})
    try:
        with served(app) as address:
            sit_down(browser, address, tokens.issue(tmp_path, "chief_arbiter", holder("chief_arbiter", None)))
            office = Office(browser, address)
            office.opens("/t/great")
            began = cpu_seconds()
            office.clicks("a[href$='/rounds/2/pairing']")
            office.clicks("#form button.lead")
            assert "/t/great/rounds/2" in browser.current_url, office.one("main").text
            office.clicks("a[href$='/rounds/2/papers']")
            browser.execute_script("window.print = () => sessionStorage.setItem('printed', 'yes');")
            office.one("[data-print]").click()
            job = printed(browser)
            took = cpu_seconds() - began
            clicks = int(browser.execute_script("return sessionStorage.getItem('clicks')"))
            assert browser.execute_script("return sessionStorage.getItem('printed')") == "yes"
    finally:
        browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", counting)
        close(app)
    assert sum("Result slip" in said for said in job.texts) == 25
    assert sum("Pairings by" in said for said in job.texts) == len(job.texts) - 25
    assert (clicks <= MOST_CLICKS, took < MOST_CPU) == (True, True), f"{clicks} clicks, {took:.1f} s"
