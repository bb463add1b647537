"""A hand whose clicks and keys are counted per named job, in the page itself.

Presses of the mouse and of keys are counted as the browser reports them, so that a helper that moves the hand needs no count of
its own. A choice from a list is two clicks, opened and chosen, because the driver makes one event of it.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from selenium.webdriver import Chrome, Keys
from selenium.webdriver.common.action_chains import ActionChains

from tests.figures.store import read, record_efforts

COUNTS = """
{
  const add = (name, number) =>
    sessionStorage.setItem(name, Number(sessionStorage.getItem(name)) + number);
  const field = "textarea, input:not([type=checkbox], [type=radio], [inputmode=numeric], #entry)";
  addEventListener("mousedown", (event) => {
    if (event.isTrusted && !event.target.closest("select")) add("hand-clicks", 1);
  }, true);
  addEventListener("change", (event) => {
    if (event.target.matches("select")) add("hand-clicks", 2);
  }, true);
  addEventListener("keydown", (event) => {
    if (!event.isTrusted || ["Control", "Shift", "Alt", "Meta"].includes(event.key)) return;
    const prints = event.key.length <= 1 && !event.ctrlKey && !event.metaKey;
    add(prints && event.target.matches(field) ? "hand-text" : "hand-keys", 1);
  }, true);
}
"""
"""A click is a press of the mouse, and Ctrl+V one key. Characters typed into a field of text are counted apart: a name has as
many in every program. Characters in the field of results, or in a field of numbers, are keys."""
READS = "return ['clicks', 'keys', 'text'].map((name) => Number(sessionStorage.getItem('hand-' + name)))"


@dataclass(frozen=True)
class Effort:
    """Presses of the mouse, keys, and characters of text."""

    clicks: int = 0
    keys: int = 0
    text: int = 0

    def __add__(self, other: "Effort") -> "Effort":
        return Effort(self.clicks + other.clicks, self.keys + other.keys, self.text + other.text)

    def __sub__(self, other: "Effort") -> "Effort":
        return Effort(self.clicks - other.clicks, self.keys - other.keys, self.text - other.text)


class Counted:
    """The jobs of one browser, and the effort of each."""

    def __init__(self, browser: Chrome) -> None:
        self.browser = browser
        self.jobs: dict[str, Effort] = {}

    def effort(self) -> Effort:
        """Return the effort in this window and at this address since it was opened."""
        return Effort(*self.browser.execute_script(READS))

    @contextmanager
    def job(self, name: str, *, more: bool = False) -> Iterator[None]:
        """Count the effort within the block as a job, or add it to that job if there is ``more`` of it.

        If a job is done again, the greater effort is kept. Begin and end the block at the same address, in the same window.
        """
        before = self.effort()
        yield
        effort, former = self.effort() - before, self.jobs.get(name, Effort())
        self.jobs[name] = former + effort if more else max(former, effort, key=lambda one: one.clicks + one.keys)


def compare_or_store(event: str, counted: Counted) -> None:
    """Compare the jobs of an event with deploy/docs/clicks.md, or store them there if ``ARBITER_FIGURES`` is set."""
    jobs = {name: [effort.clicks, effort.keys, effort.text] for name, effort in counted.jobs.items()}
    if "ARBITER_FIGURES" in os.environ:
        record_efforts(event, jobs)
    assert jobs == read()["efforts"].get(event), "to store them: ARBITER_FIGURES=1, then make docs"


@contextmanager
def counting(browser: Chrome) -> Iterator[Counted]:
    """Count in every page that is opened within the block."""
    script = browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": COUNTS})
    try:
        yield Counted(browser)
    finally:
        browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)


def paste(browser: Chrome, text: str) -> None:
    """Paste a text by Ctrl+V into the field that has the focus."""
    origin = browser.execute_script("return location.origin")
    granted = {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"], "origin": origin}
    browser.execute_cdp_cmd("Browser.grantPermissions", granted)
    write = "const done = arguments[1]; navigator.clipboard.writeText(arguments[0]).then(() => done(null), (e) => done(`${e}`))"
    refused = browser.execute_async_script(write, text)
    assert refused is None, refused
    ActionChains(browser).key_down(Keys.CONTROL).send_keys("v").key_up(Keys.CONTROL).perform()
