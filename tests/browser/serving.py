"""An app on a port of this machine, for a browser to visit."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from flask import Flask
from selenium.common.exceptions import NoSuchElementException, StaleElementReferenceException, WebDriverException
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.wait import WebDriverWait
from werkzeug.serving import make_server

from shared.http.language.language import COOKIE as LANGUAGE
from shared.http.requests.auth import COOKIE


class Wait(WebDriverWait[Chrome]):
    """Waits for a condition, and asks for it often: a page is there in hundredths of a second, not in halves."""

    def __init__(self, browser: Chrome, seconds: float, **more: Any) -> None:
        super().__init__(browser, seconds, poll_frequency=0.03, **more)


@contextmanager
def served(app: Flask) -> Iterator[str]:
    """The address at which the app is served."""
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()


def sit_down(browser: Chrome, address: str, token: str) -> None:
    """Give the browser a session without the login's page, which pairing alone serves."""
    _cookie(browser, address, COOKIE, token)


def speak(browser: Chrome, address: str, tongue: str) -> None:
    """Have the pages of an address in a language."""
    _cookie(browser, address, LANGUAGE, tongue)


def _cookie(browser: Chrome, address: str, name: str, value: str) -> None:
    browser.execute_cdp_cmd("Network.setCookie", {"name": name, "value": value, "url": address, "path": "/"})


def click(browser: Chrome, css: str) -> None:
    """Click what is found; a list that is drawn anew meanwhile, as a search does, is clicked as it then is."""
    Wait(browser, 30, ignored_exceptions=[NoSuchElementException, StaleElementReferenceException]).until(
        lambda b: b.find_element(By.CSS_SELECTOR, css).click() is None
    )


def text(browser: Chrome, css: str = "main") -> str:
    """What can be read there; a part that is drawn anew meanwhile is read as it then is."""
    wait = Wait(browser, 30, ignored_exceptions=[NoSuchElementException, StaleElementReferenceException])
    return wait.until(lambda b: (b.find_element(By.CSS_SELECTOR, css).text,))[0]


def gone(element: WebElement) -> Callable[[object], bool]:
    """Whether an element is no longer on the page; a browser says of a page that it leaves so in two ways."""

    def asked(_: object) -> bool:
        try:
            element.is_enabled()
        except StaleElementReferenceException:
            return True
        except WebDriverException as problem:
            if "does not belong to the document" not in str(problem):
                raise
            return True
        return False

    return asked


def log_in(browser: Chrome, address: str, token: str) -> None:
    """The form of the login, filled in and sent; it leads to the front."""
    browser.get(f"{address}/login")
    browser.find_element(By.ID, "token").send_keys(token)
    form = browser.find_element(By.ID, "form")
    form.find_element(By.CSS_SELECTOR, "button.lead").click()
    Wait(browser, 20).until(gone(form))
