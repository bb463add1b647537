"""The archives of the sample and of an event of 249 players, verified by our own program, by the page and by the Go program."""

import subprocess
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By

from deploy.cli.main import run
from deploy.server import embedded, embedded_desk
from shared.http.app import close
from shared.http.identity.tokens import issue
from tests.browser.serving import Wait, served
from tests.browser.test_second_opinion import PAGE
from tests.foreign import build
from tests.great_hall import great_hall

pytestmark = pytest.mark.xdist_group("browser")


def sample(data: Path) -> str:
    """The sample tournament, played as ``arbiter demo`` does."""
    assert run(["demo", "--data", str(data)]) == 0
    return "spring-cup"


def large(data: Path) -> str:
    """An event of 249 players in its seventh round."""
    desk = embedded_desk.open_desk(data)
    great_hall(desk, "great", 249)
    desk.close()
    return "great"


@pytest.fixture(scope="module", params=[sample, large], ids=["the sample", "249 players"])
def archive(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The archive as an auditor takes it home."""
    folder, play = tmp_path_factory.mktemp("archive"), request.param
    data = folder / "data"
    data.mkdir()
    event: Callable[[Path], str] = play
    t = event(data)
    app = embedded.make_app(data)
    token = issue(data, "auditor", "federation")
    with served(app) as address:
        asked = Request(f"{address}/v1/tournaments/{t}/archive", headers={"Authorization": f"Bearer {token}"})
        with urlopen(asked) as answer:
            (folder / "event.zip").write_bytes(answer.read())
    close(app)
    yield folder / "event.zip"


def test_our_own_program_decides_all_of_it_again(archive: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = run(["verify", str(archive)])
    told = " ".join(capsys.readouterr().out.split())
    assert code == 0 and " events were re-evaluated and match." in told, told


def test_the_page_opened_from_the_disk_agrees(archive: Path, browser: Chrome) -> None:
    browser.get(PAGE.as_uri())
    browser.find_element(By.CSS_SELECTOR, "[data-speak=en]").click()
    browser.find_element(By.ID, "files").send_keys(str(archive))
    Wait(browser, 60).until(lambda b: b.find_element(By.ID, "check").is_enabled())
    browser.find_element(By.ID, "check").click()
    report = browser.find_element(By.ID, "report")
    Wait(browser, 120).until(lambda _: report.get_attribute("data-verdict"))
    assert report.get_attribute("data-verdict") == "agrees", report.text


def test_the_go_program_agrees(archive: Path, tmp_path: Path) -> None:
    program = build.verifier(tmp_path)
    with zipfile.ZipFile(archive) as held:
        held.extractall(tmp_path)
    names = ("log.ndjson", "arbiter.vkey", "services.vkey", "checkpoint.txt")
    ran = subprocess.run([program, *names], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 0 and "FAULT" not in ran.stdout, ran
