"""A whole event in a browser: from its announcement to the file that is taken home, by mouse and keyboard alone."""

import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By

from deploy.cli.main import run
from deploy.server import embedded
from shared.http.app import close
from shared.http.identity import tokens
from shared.http.language.catalogue import LANGUAGES
from shared.http.limits.rate_limits import Limits
from shared.http.requests.auth import COOKIE
from tests.browser.office import Office
from tests.browser.serving import Wait, served, sit_down, speak
from tests.browser.sound import narrow, unsound

pytestmark = pytest.mark.xdist_group("browser")
CHIEF = "zhou.min"


def office_of(browser: Chrome, data: Path, address: str, language: str) -> Office:
    """The chief arbiter's, who sits down."""
    sit_down(browser, address, tokens.issue(data, "chief_arbiter", CHIEF))
    speak(browser, address, language)
    return Office(browser, address)


def archive_of(office: Office, data: Path) -> bytes:
    """What the button of the closing page gives."""
    address = office.one("a[href$='/archive']").get_attribute("href") or ""
    cookie = f"{COOKIE}={tokens.issue(data, 'chief_arbiter', CHIEF)}"
    with urlopen(Request(address, headers={"Cookie": cookie})) as answer:
        content: bytes = answer.read()
    return content


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, str]]:
    data = tmp_path_factory.mktemp("day")
    app = embedded.make_app(data, Limits(rate=0, reads=0, preview_seconds=120, audit_seconds=120))
    with served(app) as address:
        yield data, address
    close(app)


def left(office: Office) -> set[str]:
    """What the checklist says is still to be done."""
    found = office.browser.find_elements(By.CSS_SELECTOR, ".checklist > [data-done=no]")
    return {str(one.get_attribute("id")).removeprefix("check-") for one in found}


@dataclass(frozen=True)
class Day:
    """How long the event is, and what is typed and looked for in its language."""

    rounds: int
    players: int
    head: str
    player: str
    foul: str
    rank: str


DAYS = {
    "en": Day(2, 8, "Name,Rating,Club", "Player", "foul", "Rank"),
    "zh-CN": Day(4, 16, "姓名,等级分,单位", "棋手", "犯规", "名次"),
}
"""The pages are the same: a short event shows whether the words of the other language lead through it. In the long one, a
player withdraws after the third round, and another round is paired. `test_great_event` has one of many players."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_xiangqi_swiss_from_its_announcement_to_its_signed_report(
    house: tuple[Path, str], browser: Chrome, tmp_path: Path, language: str
):
    (data, address), t, day = house, f"day-{language.lower()}", DAYS[language]
    office = office_of(browser, data, address, language)
    office.announces(t, "城市杯象棋公开赛", day.rounds)
    units = ("北京", "上海", "广东")
    players = range(1, day.players + 1)
    office.enters(day.head, [f"{day.player}{n:02},{2200 - 11 * n},{units[n % 3]}" for n in players])
    boards = day.players // 2
    for round in range(1, day.rounds + 1):
        office.pairs(t, round)
        if round == 2:
            office.rules(4, day.foul)
        if round == 1:
            office.touches(boards)
        else:
            office.reports(boards)
        if round == 3:
            office.withdraws(t, day.players, "身体不适")
            boards -= 1
    office.opens(f"/t/{t}/closing")
    made = Wait(browser, 120).until(lambda b: b.find_elements(By.CSS_SELECTOR, "#check-audit[data-done=yes]"))
    assert made, "which comes by itself"
    assert left(office) >= {"published"} and not left(office) & {"rounds", "results", "claims", "appeals", "audit"}
    office.clicks("a.lead[href$='/publication']")
    office.clicks("button[name=final][value=yes]")
    assert f"/t/{t}/closing" in browser.current_url
    assert "published" not in left(office), office.one(".checklist").text
    file = tmp_path / "day.zip"
    file.write_bytes(archive_of(office, data))
    assert run(["verify", str(file), "--key", str(data / "arbiter.vkey")]) == 0
    with zipfile.ZipFile(file) as archive:
        assert f"{day.player}01" in archive.read("standings.csv").decode("utf-8-sig")
    office.opens(f"/t/{t}/papers/report")
    report = office.one("main").text
    signer = "+".join((data / "arbiter.vkey").read_text().split("+")[:2])
    assert signer in report, "the key that signed its checkpoint"
    assert all(f"{day.player}{n:02}" in report for n in players) and day.rank in report
    with narrow(browser):
        office.opens(f"/t/{t}/prizes?places=6&unit=yes&each=1&sex=yes&best=4&born=x")
        assert unsound(browser, language) == []
    assert browser.get_log("browser") == []
