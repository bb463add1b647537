"""A headless Chromium and a served tournament."""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service

from deploy.server import embedded
from shared.core.terms import Role
from shared.http.app import close
from shared.http.identity import tokens
from shared.http.limits.rate_limits import Limits
from tests.browser.serving import served
from tests.played import Played, a_desk, an_app, spring_cup
from tests.programs import program

FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--window-size=1200,1600",
)
PICTURES = os.environ.get("ARBITER_PICTURES")
"""The folder of the pictures that are kept."""


@dataclass(frozen=True)
class Site:
    """Where it is served, and the tournament behind it."""

    address: str
    cup: Played
    data: Path

    def token(self, role: Role = "chief_arbiter") -> str:
        return tokens.issue(self.data, role, "zhou.min")


@pytest.fixture(scope="package", autouse=True)
def public_people() -> Iterator[None]:
    """Everybody may read people across tournaments, so that their pages are looked at like all others."""
    with patch.dict(os.environ, ARBITER_PEOPLE="public"):
        yield


@pytest.fixture(scope="package")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    data = tmp_path_factory.mktemp("site")
    desk = a_desk(data)
    cup = spring_cup(desk)
    with served(an_app(data, desk)) as address:
        yield Site(address, cup, data)
    desk.close()


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, str]]:
    """Serve a data folder without a tournament; yield the folder and the address."""
    data = tmp_path_factory.mktemp("house")
    app = embedded.make_app(data, Limits(rate=0, reads=0, preview_seconds=120, audit_seconds=120))
    with served(app) as address:
        yield data, address
    close(app)


@pytest.fixture(scope="package")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    options = webdriver.ChromeOptions()
    options.binary_location = program("chromium")
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('chromium')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options, Service(program("chromedriver")))
    driver.set_page_load_timeout(30)
    yield driver
    driver.quit()


@pytest.fixture
def browser(chromium: webdriver.Chrome, request: pytest.FixtureRequest) -> Iterator[webdriver.Chrome]:
    """The browser, of desktop size, logged out; what it said of pages before is read. Where a folder is named, a picture of
    the page that the test ends on is kept there."""
    chromium.execute_cdp_cmd("Network.clearBrowserCookies", {})
    chromium.get_log("browser")
    chromium.set_window_size(1200, 1600)
    yield chromium
    if PICTURES:
        folder = Path(PICTURES)
        folder.mkdir(parents=True, exist_ok=True)
        chromium.save_screenshot(str(folder / f"{re.sub(r'[^a-zA-Z0-9]+', '-', request.node.name).strip('-')}.png"))
