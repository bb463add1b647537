"""Whatever a person wrote stays a text on every page and form there is: no markup, no template, no turn of the writing."""

import re
from collections import defaultdict
from html.parser import HTMLParser
from pathlib import Path

import pytest
from flask import Flask

from shared.core.terms import Role
from tests.hostile import DONE, MARKUP, SUM, TURN, Known, places, played
from tests.http.forms import Person

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
OF_ITS_OWN = {"bdi", "title", "option", "textarea", "pre", "bdo"}
"""Elements out of which no direction leaks."""


class Read(HTMLParser):
    """What a browser would make of a page: what is wrong with it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.wrong: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("img", "iframe", "object") or (tag == "script" and "src" not in dict(attrs)):
            self.wrong.append(f"<{tag}>")
        for name, value in attrs:
            if name.startswith("on") or (value or "").strip().lower().startswith("javascript:") or name == "style":
                self.wrong.append(f"{name}={value}")
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self.open:
            while self.open.pop() != tag:
                pass

    def handle_data(self, data: str) -> None:
        if DONE in data:
            self.wrong.append(data)
        if TURN in data and not OF_ITS_OWN & set(self.open) and not isolated(data):
            self.wrong.append(f"{self.open[-1]}: {data.strip()[:80]!r}")


def isolated(text: str) -> bool:
    """Whether each turn stands within an isolate that ends in this text."""
    depth, turned = 0, True
    for character in text:
        depth += {"\u2068": 1, "\u2069": -1}.get(character, 0)
        turned = turned and (character != TURN or depth > 0)
    return turned and depth <= 0


@pytest.fixture(scope="module")
def event(app: Flask, data: Path) -> tuple[Flask, Known]:
    return app, played(app, data)


@pytest.mark.parametrize(("role", "tongue"), [("chief_arbiter", "zh-CN"), (None, "en"), ("organiser", "en")])
def test_every_page_shows_names_as_text_and_has_a_title_of_its_own(
    event: tuple[Flask, Known], data: Path, role: Role | None, tongue: str
):
    app, known = event
    person = Person(app, data, role, role or "", known.t)
    wrong, shown = [], 0
    titled: dict[str, list[str]] = defaultdict(list)
    for _, address, _ in places(app, known):
        answer = person.client.get(address, headers={"Accept": "text/html", "Accept-Language": tongue})
        assert answer.status_code < 500 and answer.status_code != 404, (
            f"{address}: a line in PLACES of tests/hostile.py"
        )
        shown += answer.status_code == 200 and TURN in answer.text
        wrong += [(address, one) for one in Read(answer.text).wrong]
        if answer.status_code == 200 and (title := re.search("<title>(.*?)</title>", answer.text)):
            titled[title[1]].append(address)
    assert wrong == []
    assert [addresses for addresses in titled.values() if len(addresses) > 1] == []
    assert shown > (25 if role else 15), "they do show what was written"


def test_what_is_looked_for_is_told_again_as_a_text(event: tuple[Flask, Known], data: Path):
    app, known = event
    person = Person(app, data, "chief_arbiter", "chief_arbiter", known.t)
    for address in (
        "/t/{t}?q=",
        "/t/{t}/players?q=",
        "/t/{t}/rounds/1/boards/1/ruling?q=",
        "/t/{t}/papers/rulings/r1?root=",
    ):
        typed = {address.rpartition("?")[2].rstrip("="): MARKUP + SUM}
        answer = person.client.get(address.partition("?")[0].format_map(known._asdict()), query_string=typed)
        assert answer.status_code == 200 and Read(answer.text).wrong == [], address


def test_a_reader_finds_what_is_wrong():
    assert Read(f"<p>{TURN}x</p>").wrong and Read("<p><img src=x></p>").wrong and Read("<a onclick=x>y</a>").wrong
    assert Read("<script>1</script>").wrong and Read(f"<p>{DONE}</p>").wrong
    assert not Read(f"<p>\u2068{TURN}x\u2069 <bdi>{TURN}</bdi></p><script src=a.js></script>").wrong
