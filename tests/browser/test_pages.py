"""The pages as a person sees them, in a real browser."""

import re

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement

from tests.browser.conftest import Site
from tests.browser.serving import Wait, gone, sit_down, text

pytestmark = pytest.mark.xdist_group("browser")


def rows(browser: Chrome, heading: str) -> list[list[str]]:
    """Cells of the table under a heading's id."""
    table = browser.find_element(By.XPATH, f"//h2[@id='{heading}']/following::table[1]")
    return [
        [c.text for c in r.find_elements(By.CSS_SELECTOR, "th, td")]
        for r in table.find_elements(By.CSS_SELECTOR, "tbody tr")
    ]


def follow(browser: Chrome, element: WebElement) -> None:
    """Click, and wait until the page that it leads to is there."""
    former = browser.find_element(By.TAG_NAME, "html")
    element.click()
    wait = Wait(browser, 10)
    wait.until(gone(former))
    wait.until(lambda b: b.execute_script("return document.readyState") == "complete")


def link(browser: Chrome, name: str) -> WebElement:
    return browser.find_element(By.LINK_TEXT, name)


def test_the_front_page_leads_to_the_table(site: Site, browser: Chrome):
    browser.get(site.address)
    follow(browser, link(browser, "春季杯 Spring Cup"))
    follow(browser, link(browser, "Standings"))
    first = rows(browser, "table")[0]
    assert (first[0], first[1].strip(), first[2]) == ("1", "José Núñez", "1.5")


def test_a_name_is_shown_as_it_was_written_and_never_as_markup(site: Site, browser: Chrome):
    browser.get(f"{site.address}/t/cup/standings")
    assert "<b>陈</b> & Co" in [r[1].strip() for r in rows(browser, "table")]
    assert not browser.find_elements(By.CSS_SELECTOR, "main b")
    assert browser.find_element(By.LINK_TEXT, "李娜").find_element(By.TAG_NAME, "bdi").get_attribute("lang") == "zh"


def test_boards_byes_and_an_open_game_are_shown(site: Site, browser: Chrome):
    browser.get(f"{site.address}/t/cup")
    assert "Round 2" in text(browser, "#round") and "1 board open" in text(browser, "#round")
    told = rows(browser, "round")
    assert [r[2] for r in told] == ["…", "+ : −", "1"]
    assert told[-1][3] == "the pairing-allocated bye"
    follow(browser, browser.find_element(By.CSS_SELECTOR, "nav.rounds a"))
    assert browser.current_url == f"{site.address}/t/cup/rounds/1"
    assert [r[2] for r in rows(browser, "round")] == ["1 – 0", "½ – ½", "1"]


def test_a_name_is_found_by_its_pinyin_or_by_the_board_and_names_stand_from_a_to_z(site: Site, browser: Chrome):
    browser.get(f"{site.address}/t/cup?q=li+na")
    assert [r[0] for r in rows(browser, "round")] == ["2"]
    follow(browser, link(browser, "by name"))
    assert [r[0] for r in rows(browser, "round")] == [
        "<b>陈</b> & Co (1)",
        "Anna Berg (0)",
        "José Núñez (0.5)",
        "李娜 (0.5)",
        "王小明 (1)",
    ]


def test_an_annulled_ruling_is_crossed_out_and_what_rested_on_it_fell(site: Site, browser: Chrome):
    browser.get(f"{site.address}/t/cup/rulings")
    annulled, fell = (browser.find_element(By.ID, r) for r in ("r2", "r4"))
    assert "annulled" in annulled.text
    assert "lapsed because it depends on r2" in fell.text
    for ruling in (annulled, fell):
        struck = ruling.find_element(By.CSS_SELECTOR, ".what").value_of_css_property("text-decoration-line")
        assert struck == "line-through"


def test_what_was_written_is_for_those_who_may_read_it(site: Site, browser: Chrome):
    browser.get(f"{site.address}/t/cup/rulings")
    assert "by accident" not in text(browser)
    sit_down(browser, site.address, site.token())
    browser.get(f"{site.address}/t/cup/rulings")
    assert "“by accident”" in text(browser, "#r2")
    browser.get(f"{site.address}/t/cup/log")
    assert "“by accident”" in text(browser, "#l17")


def test_the_table_can_be_seen_as_it_was(site: Site, browser: Chrome):
    browser.get(f"{site.address}/t/cup/standings")
    field = browser.find_element(By.NAME, "at")
    field.clear()
    field.send_keys("16")
    follow(browser, browser.find_element(By.CSS_SELECTOR, "form.past button"))
    assert "event 16 of 20" in text(browser, ".banner")
    assert {r[1].strip(): r[2] for r in rows(browser, "table")}["李娜"] == "1"
    follow(browser, link(browser, "Cross table"))
    assert "at=16" in browser.current_url
    follow(browser, link(browser, "Back to the current state"))
    assert "at=" not in browser.current_url


def test_what_if_a_ruling_did_not_stand(site: Site, browser: Chrome):
    browser.get(f"{site.address}/t/cup/rulings?at=16")
    follow(browser, browser.find_element(By.ID, "r4").find_element(By.LINK_TEXT, "without it?"))
    assert "Shown as if these rulings had not been made, and no other decision in their place: r4" in text(
        browser, ".banner"
    )
    follow(browser, link(browser, "The whole standings without these rulings"))
    assert {r[1].strip(): r[2] for r in rows(browser, "table")}["李娜"] == "0"


def test_a_value_leads_to_the_lines_that_it_came_from(site: Site, browser: Chrome):
    browser.get(f"{site.address}/t/cup/players/4")
    assert "Buchholz BH: 1.5" in text(browser)
    follow(browser, link(browser, "18"))
    assert browser.current_url.endswith("/log#l18")
    assert "½ – ½ is reported" in text(browser, "#l18")
    follow(browser, browser.find_element(By.CSS_SELECTOR, "#l18 a.seq"))
    assert "½ – ½ is reported" in text(browser, ".said")
    browser.find_element(By.XPATH, "//details[.//pre]/summary").click()
    assert '"type": "arbiter.result.reported.v1"' in text(browser, "pre")


def test_the_log_is_read_page_by_page(site: Site, browser: Chrome):
    browser.get(f"{site.address}/t/cup/log?limit=10")
    assert [e.text for e in browser.find_elements(By.CSS_SELECTOR, ".log .seq")] == [str(n) for n in range(1, 11)]
    follow(browser, link(browser, "Later events"))
    assert text(browser, ".log .seq") == "11"
    follow(browser, link(browser, "Earlier events"))
    assert text(browser, ".log .seq") == "1"


def test_footer_has_the_short_digest_of_the_checkpoint_on_paper_alone(site: Site, browser: Chrome):
    browser.get(f"{site.address}/t/cup")
    digest = f"20:{site.cup.desk.root('cup', 20).hex()[:40]}"
    assert digest not in text(browser, "footer")
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        assert digest in text(browser, "footer")
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


def test_pages_of_the_services_own_prefix_stay_within_it(site: Site, browser: Chrome):
    browser.get(f"{site.address}/services/standings/t/cup")
    follow(browser, link(browser, "Record and audit"))
    assert re.search(r"/services/standings/t/cup/log$", browser.current_url)


def test_what_is_not_there_is_told_on_a_page(site: Site, browser: Chrome):
    browser.get(f"{site.address}/t/nobody")
    assert "No such tournament" in text(browser)


def test_on_paper_every_sum_is_open_and_every_sheet_bears_the_checkpoint(site: Site, browser: Chrome):
    browser.get(f"{site.address}/t/cup/players/4")
    closed = "return [...document.querySelectorAll('details:not([open]) table')].map(t => t.checkVisibility())"
    shown = browser.execute_script(closed)
    assert shown and not any(shown)
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        assert all(browser.execute_script(closed))
        assert not any(nav.is_displayed() for nav in browser.find_elements(By.TAG_NAME, "nav"))
        # A browser prints this kind of footer at the foot of each sheet, if it may not be broken.
        footer = browser.find_element(By.CSS_SELECTOR, "footer.house")
        assert f"20:{site.cup.desk.root('cup', 20).hex()[:40]}" in footer.text
        kinds = [footer.value_of_css_property(name) for name in ("display", "break-inside")]
        assert kinds == ["table-footer-group", "avoid"]
        assert browser.find_element(By.TAG_NAME, "body").value_of_css_property("display") == "table"
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
