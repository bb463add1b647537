"""What holds of every form there is, and of what else an official alone is shown: it keeps its own policy, fits a phone whatever
people are called, and axe finds nothing, when it is opened in one language and theme, and refused in the other."""

from collections.abc import Iterator
from typing import NamedTuple

import pytest
from flask import Flask
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By

from deploy.server import embedded
from shared.http.app import close
from shared.http.identity import tokens
from shared.http.language.catalogue import LANGUAGES
from shared.http.limits.rate_limits import Limits
from tests import hostile
from tests.browser.serving import Wait, gone, served, sit_down, speak
from tests.browser.sound import OF_A_THEME, narrow, unsound

pytestmark = pytest.mark.xdist_group("browser")
FOR_OFFICIALS = {
    "/",
    "/t/<t>",
    "/t/<t>/closing",
    "/t/<t>/crossings",
    "/t/<t>/log",
    "/t/<t>/office",
    "/t/<t>/players/<int:p>",
    "/t/<t>/prizes",
    "/t/<t>/roles",
    "/t/<t>/rounds/<int:n>",
    "/t/<t>/rulings",
    "/t/<t>/rulings/<r>",
    "/t/<t>/standings",
}
"""Pages on which officials see more than guests."""
SENT_WRONG = """
const forms = [...document.querySelectorAll("main form[method=post]")];
const form = forms.find((one) => one.elements.once || one.elements.token || one.elements.url);
if (!form) return false;
const field = document.createElement("input");
field.type = "hidden";
field.name = "nobody_asked";
field.value = "x";
form.append(field);
HTMLFormElement.prototype.submit.call(form);
return true;
"""
"""Send the page's form with a field that nobody asked for, past what a browser checks and without our script."""


class Event(NamedTuple):
    """The event of hostile names, served, and its chief arbiter's session."""

    app: Flask
    address: str
    known: hostile.Known
    token: str


@pytest.fixture(scope="module")
def event(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Event]:
    data = tmp_path_factory.mktemp("hostile")
    app = embedded.make_app(data, Limits(rate=0, reads=0, preview_seconds=120, audit_seconds=120))
    known = hostile.played(app, data)
    with served(app) as address:
        yield Event(app, address, known, tokens.issue(data, "chief_arbiter", "chief_arbiter"))
    close(app)


@pytest.mark.parametrize("tongue", LANGUAGES)
def test_every_form_is_sound_when_it_is_opened_and_when_it_is_refused(event: Event, browser: Chrome, tongue: str):
    """Each form is opened in both languages. One looks at it as it is opened, the other as it is refused, by turns."""
    sit_down(browser, event.address, event.token)
    speak(browser, event.address, tongue)
    wrong, shown = [], []
    with narrow(browser):
        for number, (rule, address, form) in enumerate(hostile.places(event.app, event.known)):
            if not form and rule not in FOR_OFFICIALS:
                continue
            browser.get(event.address + address)
            _open_all(browser)
            wrong += [(rule, fault) for fault in browser.get_log("browser")]
            shown.append(rule)
            here = number % len(LANGUAGES) == LANGUAGES.index(tongue)
            refused = form and not here and _sends_wrong(browser)
            if refused:
                assert browser.find_elements(By.CSS_SELECTOR, "main [role=alert]"), f"{rule} takes any field"
                browser.get_log("browser")  # where the status of the answer stands
            found = unsound(browser, tongue, rules=() if here or refused else OF_A_THEME)
            wrong += [(f"{rule}, refused" if refused else rule, fault) for fault in found]
    assert not wrong, "\n".join(f"{where}: {fault}" for where, fault in wrong)
    assert set(shown) >= FOR_OFFICIALS


def _open_all(browser: Chrome) -> None:
    browser.execute_script("for (const one of document.querySelectorAll('details')) one.open = true;")


def _sends_wrong(browser: Chrome) -> bool:
    page = browser.find_element(By.TAG_NAME, "html")
    if not browser.execute_script(SENT_WRONG):
        return False
    Wait(browser, 20).until(gone(page))
    return True
