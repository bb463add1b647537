"""The import page: a chief arbiter sends a report file, follows the import and reads the table."""

from pathlib import Path

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By

from deploy.server import embedded
from shared.http.app import close
from shared.http.identity import tokens
from shared.http.limits.rate_limits import Limits
from shared.log.sqlite import SqliteLog
from tests.browser.serving import Wait, served, sit_down
from tests.random_trf import random_trf

pytestmark = pytest.mark.xdist_group("browser")


@pytest.fixture
def office(tmp_path: Path):
    app = embedded.make_app(tmp_path, Limits(rate=0, reads=0))
    with served(app) as address:
        yield address, tmp_path
    close(app)


def send(browser: Chrome, file: Path) -> None:
    browser.find_element(By.NAME, "file").send_keys(str(file))
    browser.find_element(By.CSS_SELECTOR, "#form button.lead").click()


def test_file_is_imported_with_progress_and_a_faulty_one_refused(office, browser: Chrome, tmp_path_factory):
    address, data = office
    folder = tmp_path_factory.mktemp("files")
    good, bad = folder / "cup.trf", folder / "bad.trf"
    good.write_text(random_trf(7, 24, 3))
    bad.write_text("012 Cup\n001    x\n")
    for role, seen in (("organiser", 0), ("chief_arbiter", 1)):
        sit_down(browser, address, tokens.issue(data, role, "he.jing"))
        browser.get(f"{address}/")
        links = browser.find_elements(By.CSS_SELECTOR, "a[href='/tournaments/import']")
        assert len(links) == seen, role
    links[0].click()
    send(browser, bad)
    wait = Wait(browser, 60)
    assert "bad.trf:2:" in wait.until(lambda b: b.find_element(By.CSS_SELECTOR, ".refused, [role=alert]")).text
    log = SqliteLog(data / "arbiter.db")
    assert not [*log.streams("tournaments/")], "nothing is stored"
    log.close()
    send(browser, good)
    wait.until(lambda b: b.find_element(By.TAG_NAME, "progress"))
    wait.until(lambda b: b.find_elements(By.CSS_SELECTOR, "#fresh[data-state=done]"))
    browser.find_element(By.CSS_SELECTOR, "#fresh a[href='/t/cup']").click()
    browser.get(f"{address}/t/cup/standings")
    rows = browser.find_elements(By.CSS_SELECTOR, "table tbody tr")
    assert len(rows) >= 24
