"""Whatever a person wrote stays a text on every page and form there is: no markup, no template, no turn of the writing."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from shared.core.terms import Role
from tests.http.calls import calls_on
from tests.http.forms import Person

TURN = "\u202e"
"""Turns the direction of what follows (UAX 9, RLO)."""
MARKUP = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>"
SUM = "{{ 7 * 191 }} {% raw %} %(n)s {n}"
DONE = "1337"
"""What a template that was taken for one would show."""
MEMBERS = (
    f"{MARKUP}{SUM}{TURN}evil",
    f"诸葛{TURN}\u2069{MARKUP}",
    "Wolfeschlegelsteinhausen" * 6,
    f"\u2066{TURN}x\u202c",
)
NOTE = f"{TURN}touched {MARKUP} {SUM}"
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
OF_ITS_OWN = {"bdi", "title", "option", "textarea", "pre", "bdo"}
"""Elements out of which no direction leaks."""
PAGES = {
    "/": "/",
    "/login": "/login",
    "/regulations": "/regulations",
    "/regulations/<name>": "/regulations/campus",
    "/games/<g>": "/games/{t}.1.1",
    "/t/<t>/appeals/<a>/decision": "/t/{t}/appeals/{appeal}/decision",
    "/t/<t>/log/<int:seq>": "/t/{t}/log/1",
    "/t/<t>/players/<int:p>": "/t/{t}/players/1",
    "/t/<t>/teams/<int:team>": "/t/{t}/teams/1",
    "/t/<t>/preview/<path:form>": "/t/{t}/preview/rounds/1/boards/1/ruling",
    "/t/<t>/papers/<paper>": "/t/{t}/papers/report",
    "/t/<t>/rounds/<int:n>/papers/<paper>": "/t/{t}/rounds/1/papers/names",
}
"""Where a page is that its rule alone does not tell; else a number is 1 and a ruling r1."""
NO_PAGES = ("/v1/", "/services/", "/web/", "/healthz", "/readyz", "/version", "/metrics", "/t/<t>/changes")


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
def event(app: Flask, data: Path) -> Iterator[tuple[Flask, dict[str, str]]]:
    """A match of two teams, everything in it called by hostile names; of its rulings one is appealed against."""
    t = "hostile"
    on = calls_on(app, data, "chief_arbiter")

    def call(method: str, path: str, *rest: Any, **named: Any) -> Any:
        answer = on(method, path.replace("<t>", t), *rest, **named)
        assert answer.status_code in (200, 201), answer.text
        return answer

    roles = ("organiser", "chief_arbiter", "arbiter", "appeals")
    call(
        "POST",
        "/v1/tournaments",
        {
            "id": t,
            "name": f"{MARKUP} {TURN}Cup",
            "place": f"{TURN}Hall {MARKUP}",
            "game": "xiangqi",
            "format": "swiss",
            "rounds": 3,
            "regulations": "xiangqi-1999",
            "conditions": {"team": {"kind": "fixed", "boards": 2}},
            "officials": [{"name": role, "role": role, "person": f"{TURN}{role} {MARKUP}"} for role in roles],
        },
    )
    players = [{"id": n, "name": name, "club": NOTE} for n, name in enumerate(MEMBERS, 1)]
    call("POST", "/v1/tournaments/<t>/entries", {"players": players})
    teams = [{"name": f"{TURN}Team {MARKUP}", "members": [1, 2]}, {"name": SUM, "members": [3, 4]}]
    call("POST", "/v1/tournaments/<t>/teams", {"teams": teams})
    seen = call("GET", "/v1/tournaments/<t>").headers["ETag"]
    call("POST", "/v1/tournaments/<t>/rounds", {}, If_Match=seen)
    ruling = {"player": 1, "round": 1, "game": f"{t}.1.1", "infraction": "foul", "note": NOTE}
    call("POST", "/v1/tournaments/<t>/rulings", ruling)
    call("POST", "/v1/tournaments/<t>/rulings", ruling)
    appeal = {"ruling": "r1", "by": 1, "grounds": NOTE}
    lodged = call("POST", "/v1/tournaments/<t>/appeals", appeal).json
    call("POST", "/v1/tournaments/<t>/rulings/r2/annulment", {"reason": NOTE}, "appeals")
    yield app, {"t": t, "appeal": next(iter(lodged["appeals"])) if "appeals" in lodged else lodged["appeal"]}


def pages(app: Flask, known: dict[str, str]) -> list[str]:
    """The address of each page and form that there is."""
    rules = sorted({rule.rule for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ())})
    found = []
    for rule in rules:
        if rule.startswith(NO_PAGES) or "." in rule.rpartition("/")[2]:
            continue
        address = PAGES.get(rule, rule)
        address = address.replace("<t>", "{t}").replace("<r>", "r1")
        address = re.sub("<[^>]+>", "1", address)
        found.append(address.format_map(known))
    return found


@pytest.mark.parametrize(("role", "tongue"), [("chief_arbiter", "zh-CN"), (None, "en"), ("organiser", "en")])
def test_no_page_takes_what_a_person_wrote_for_more_than_a_text(
    event: tuple[Flask, dict[str, str]], data: Path, role: Role | None, tongue: str
):
    app, known = event
    person = Person(app, data, role, role or "", known["t"])
    wrong, shown = [], 0
    for address in pages(app, known):
        answer = person.client.get(address, headers={"Accept": "text/html", "Accept-Language": tongue})
        assert answer.status_code < 500, address
        shown += answer.status_code == 200 and TURN in answer.text
        wrong += [(address, one) for one in Read(answer.text).wrong]
    assert wrong == []
    assert shown > (25 if role else 15), "they do show what was written"


def test_what_is_looked_for_is_told_again_as_a_text(event: tuple[Flask, dict[str, str]], data: Path):
    app, known = event
    person = Person(app, data, "chief_arbiter", "chief_arbiter", known["t"])
    for address in (
        "/t/{t}?q=",
        "/t/{t}/players?q=",
        "/t/{t}/rounds/1/boards/1/ruling?q=",
        "/t/{t}/papers/rulings/r1?root=",
    ):
        typed = {address.rpartition("?")[2].rstrip("="): MARKUP + SUM}
        answer = person.client.get(address.partition("?")[0].format_map(known), query_string=typed)
        assert answer.status_code == 200 and Read(answer.text).wrong == [], address


def test_a_reader_finds_what_is_wrong():
    assert Read(f"<p>{TURN}x</p>").wrong and Read("<p><img src=x></p>").wrong and Read("<a onclick=x>y</a>").wrong
    assert Read("<script>1</script>").wrong and Read(f"<p>{DONE}</p>").wrong
    assert not Read(f"<p>\u2068{TURN}x\u2069 <bdi>{TURN}</bdi></p><script src=a.js></script>").wrong
