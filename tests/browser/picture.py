"""Takes the READMEs' pictures: ``python -m tests.browser.picture`` (needs Chromium and its driver).

It plays the sample tournament, serves it, and photographs its rulings in each language.
"""

import base64
import tempfile
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By

from deploy.cli.main import run
from deploy.server.embedded import make_app
from shared.http.app import close
from tests.browser.conftest import FLAGS
from tests.browser.serving import served

DOCS = Path(__file__).parents[2] / "deploy" / "docs"
PICTURES = {"en": DOCS / "rulings.png", "zh-CN": DOCS / "rulings.zh-CN.png"}
MARGIN = 12


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        assert run(["demo", "--data", folder]) == 0
        app = make_app(Path(folder))
        try:
            with served(app) as address:
                for language, picture in PICTURES.items():
                    picture.write_bytes(photograph(f"{address}/t/spring-cup/rulings", language))
        finally:
            close(app)


def photograph(address: str, language: str) -> bytes:
    """Return the rulings of a tournament's page in ``language``, as PNG."""
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for flag in (*FLAGS, "--hide-scrollbars", "--window-size=1100,1600", f"--accept-lang={language}"):
        options.add_argument(flag)
    browser = webdriver.Chrome(options, Service("/usr/bin/chromedriver"))
    try:
        browser.get(address)
        table = browser.find_element(By.XPATH, "//h2[@id='rulings']/following-sibling::div[1]").rect
        clip = {**table, "height": table["height"] + MARGIN, "scale": 1}
        shot = browser.execute_cdp_cmd("Page.captureScreenshot", {"clip": clip, "captureBeyondViewport": True})
        return base64.b64decode(shot["data"])
    finally:
        browser.quit()


if __name__ == "__main__":
    main()
