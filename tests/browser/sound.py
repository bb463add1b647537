"""What holds of whatever a browser shows here: no word of its policy broken, the width of a phone, and nothing that axe finds."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Literal

from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By

from shared.http.language.catalogue import LANGUAGES
from tests.browser.axe import faults, script

Theme = Literal["light", "dark"]
OF_A_THEME = ("color-contrast", "link-in-text-block", "html-lang-valid")
"""The rules of axe whose findings are others in another theme or language. The structure of a page is that of both."""
PHONE = {"width": 320, "height": 800, "deviceScaleFactor": 2, "mobile": True}


@contextmanager
def narrow(browser: Chrome) -> Iterator[None]:
    """A phone of 320 CSS pixels, whose pages all come with axe; at the end it is as before."""
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", PHONE)
    brought = browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": script()})
    try:
        yield
    finally:
        browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", brought)
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def unsound(browser: Chrome, tongue: str, theme: Theme | None = None, rules: Sequence[str] = ()) -> list[str]:
    """What is wrong with the page that is open, unless another theme is asked for in the one that goes with its language.

    So each theme and each language is looked at once: colours are those of every language, and all else is that of both themes.
    """
    wrong = []
    if (lang := browser.find_element(By.TAG_NAME, "html").get_attribute("lang")) != tongue:
        wrong.append(f"in {lang}")
    if (width := browser.execute_script("return document.documentElement.scrollWidth")) > PHONE["width"]:
        wrong.append(f"{width} pixels wide")
    scheme = {"name": "prefers-color-scheme", "value": theme or ("light" if tongue == LANGUAGES[0] else "dark")}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
    return wrong + [f"{scheme['value']}: {fault}" for fault in faults(browser, *rules)]
