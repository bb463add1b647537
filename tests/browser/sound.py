"""What holds of whatever a browser shows here: no word of its policy broken, the width of a phone, and nothing that axe finds."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Literal

from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By

from tests.browser.axe import COLOURS, faults, script

Theme = Literal["light", "dark"]
THEMES: tuple[Theme, ...] = ("light", "dark")
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


def unsound(browser: Chrome, tongue: str, themes: Sequence[Theme] = THEMES) -> list[str]:
    """What is wrong with the page that is open, in each of these themes, which differ in their colours alone."""
    wrong = []
    if (lang := browser.find_element(By.TAG_NAME, "html").get_attribute("lang")) != tongue:
        wrong.append(f"in {lang}")
    if (width := browser.execute_script("return document.documentElement.scrollWidth")) > PHONE["width"]:
        wrong.append(f"{width} pixels wide")
    for number, theme in enumerate(themes):
        scheme = {"name": "prefers-color-scheme", "value": theme}
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
        wrong += [f"{theme}: {fault}" for fault in faults(browser, COLOURS if number else ())]
    return wrong
