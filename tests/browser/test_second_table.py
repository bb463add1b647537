"""The auditor's page derives the table of a log, finds a planted difference, and says the log in words."""

import json
from pathlib import Path

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.support.select import Select

from tests.browser.serving import Wait
from tests.browser.sound import narrow, unsound
from tests.verifiers.event import files, pack, unpack
from tests.verifiers.programs import PAGE

pytestmark = pytest.mark.xdist_group("browser")


def _check(page: Chrome, folder: Path, archive: bytes) -> str:
    """Open the page, give it an archive, and return its verdict."""
    (folder / "event.zip").write_bytes(archive)
    page.get(PAGE.as_uri())
    page.find_element(By.CSS_SELECTOR, "[data-speak=en]").click()
    page.find_element(By.ID, "files").send_keys(str(folder / "event.zip"))
    Wait(page, 30).until(lambda b: b.find_elements(By.CSS_SELECTOR, "#given tbody tr"))
    page.find_element(By.ID, "check").click()
    report = page.find_element(By.ID, "report")
    Wait(page, 30).until(lambda _: report.get_attribute("data-verdict"))
    return str(report.get_attribute("data-verdict"))


def test_table_is_shown_and_the_log_is_said_and_filtered(browser: Chrome, tmp_path: Path) -> None:
    assert _check(browser, tmp_path, files()["event.zip"]) == "agrees"
    must = json.loads(unpack(files()["event.zip"])["standings.json"])
    rows = [row.text.split() for row in browser.find_elements(By.CSS_SELECTOR, "#derived tbody tr")]
    assert [(int(row[0]), int(row[1])) for row in rows] == [(row["rank"], row["id"]) for row in must["players"]]
    assert all(row["name"].split()[0] in shown for row, shown in zip(must["players"], rows, strict=True))
    assert "1 tables in files" in browser.find_element(By.ID, "report").text
    events = browser.find_elements(By.CSS_SELECTOR, "#sentences li")
    size = len(files()["log.ndjson"].splitlines())
    assert len(events) == size and events[0].text.startswith("Tournament ")
    Select(browser.find_element(By.ID, "by_player")).select_by_value("2")
    chosen = [event.text for event in browser.find_elements(By.CSS_SELECTOR, "#sentences li")]
    assert 0 < len(chosen) < size and all("Tournament " not in text for text in chosen)
    name = next(row["name"] for row in must["players"] if row["id"] == 2)
    assert any(name in text for text in chosen)
    browser.find_element(By.CSS_SELECTOR, "[data-speak=zh]").click()
    translated = [event.text for event in browser.find_elements(By.CSS_SELECTOR, "#sentences li")]
    assert len(translated) == len(chosen) and translated != chosen and any("轮" in text for text in translated)
    assert browser.find_element(By.CSS_SELECTOR, "#standings h2").text == "由日志推出的成绩表"
    with narrow(browser):
        assert unsound(browser, "zh") == []


def test_planted_row_is_named_on_the_page(browser: Chrome, tmp_path: Path) -> None:
    held = unpack(files()["event.zip"])
    table = json.loads(held["standings.json"])
    row = table["players"][-1]
    real, row["points"] = row["points"], 9
    archive = pack(held | {"standings.json": json.dumps(table).encode()})
    assert _check(browser, tmp_path, archive) == "differs"
    said = browser.find_element(By.ID, "report").text
    assert f"event.zip, standings.json: player {row['id']}: points is 9, the log gives {real:g}" in said
