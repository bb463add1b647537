"""The reference of the API in a browser: its search hides entries, and without scripts the page lists all of them."""

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By

from tests.browser.conftest import Site

pytestmark = pytest.mark.xdist_group("browser")


def shown(browser: Chrome) -> list[str]:
    """Return the text of each entry that has a place on the page."""
    found: list[str] = browser.execute_script(
        "return [...document.querySelectorAll('[data-find] > li')].filter((one) => one.getClientRects().length)"
        ".map((one) => one.textContent)"
    )
    return found


def test_search_shows_operations_with_all_words(browser: Chrome, site: Site):
    browser.get(f"{site.address}/docs")
    everything = shown(browser)
    field = browser.find_element(By.ID, "find")
    field.send_keys("ROUND pair post")
    found = shown(browser)
    assert any("Pair a round" in one or "/v1/tournaments/{t}/rounds" in one for one in found)
    assert 0 < len(found) < len(everything) / 4
    assert browser.find_element(By.ID, "found").text == str(len(found))
    assert not browser.find_element(By.CLASS_NAME, "prose").is_displayed()
    field.clear()
    field.send_keys("nosuchword")
    assert shown(browser) == []
    assert browser.find_element(By.ID, "found").text == browser.find_element(By.ID, "found").get_attribute("data-none")


def test_search_of_problem_codes_finds_a_word_of_the_meaning(browser: Chrome, site: Site):
    browser.get(f"{site.address}/problems")
    browser.find_element(By.ID, "find").send_keys("idempotency")
    assert any(one.startswith("idempotency-key-reused") for one in shown(browser))


def test_without_scripts_the_page_lists_everything_and_has_no_search(browser: Chrome, site: Site):
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        browser.get(f"{site.address}/docs")
        assert len(shown(browser)) > 100
        assert not browser.find_element(By.ID, "find").is_displayed()
        assert browser.find_element(By.CLASS_NAME, "prose").is_displayed()
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
