"""What holds of every page there is: it keeps its own policy, needs no script, and fits a phone."""

import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import NamedTuple
from urllib.parse import urljoin, urlsplit
from urllib.request import urlopen

import pytest
from flask import Flask
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By

from deploy.server import embedded
from shared.http.app import close
from shared.http.language.catalogue import LANGUAGES
from shared.http.operations import operation_of
from shared.log.sql.projections.people_rows import person_of_fide_id
from tests.browser.axe import faults
from tests.browser.conftest import Site
from tests.browser.serving import served, speak
from tests.browser.sound import OF_A_THEME, narrow, unsound
from tests.browser.test_every_form import FOR_OFFICIALS
from tests.http.calls import calls_on
from tests.teams import played

pytestmark = pytest.mark.xdist_group("browser")

PAGES = {
    "/": "/",
    "/t/<t>": "/t/cup",
    "/t/<t>/rounds/<int:n>": "/t/cup/rounds/1",
    "/t/<t>/standings": "/t/cup/standings",
    "/t/<t>/players": "/t/cup/players",
    "/t/<t>/rulings": "/t/cup/rulings",
    "/t/<t>/screen": "/t/cup/screen",
    "/t/<t>/players/<int:p>": "/t/cup/players/4",
    "/t/<t>/crosstable": "/t/cup/crosstable",
    "/t/<t>/prizes": "/t/cup/prizes?unit=yes&sex=yes&born=2010-&best=1",
    "/t/<t>/closing": "/t/cup/closing",
    "/t/<t>/office": "/t/cup/office",
    "/t/<t>/log": "/t/cup/log",
    "/t/<t>/audit": "/t/cup/audit",
    "/t/<t>/integrity": "/t/cup/integrity",
    "/t/<t>/verify": "/t/cup/verify",
    "/t/<t>/crossings": "/t/cup/crossings",
    "/t/<t>/roles": "/t/cup/roles",
    "/t/<t>/regulations": "/t/cup/regulations",
    "/regulations": "/regulations",
    "/regulations/<name>": "/regulations/gomoku-campus",
    "/t/<t>/log/<int:seq>": "/t/cup/log/16",
    "/t/<t>/timeline": "/t/cup/timeline",
    "/t/<t>/what-if": "/t/cup/what-if?without=r4&at=16",
    "/t/<t>/papers": "/t/cup/papers",
    "/t/<t>/papers/<paper>": "/t/cup/papers/report",
    "/t/<t>/papers/rulings/<r>": "/t/cup/papers/rulings/r3",
    "/t/<t>/rounds/<int:n>/papers": "/t/cup/rounds/1/papers",
    "/t/<t>/rounds/<int:n>/papers/<paper>": "/t/cup/rounds/2/papers/slips",
    "/people": "/people",
    "/docs": "/docs",
    "/docs/operations/<name>": "/docs/operations/makeRuling",
    "/docs/schemas/<name>": "/docs/schemas/RulingRequest",
    "/problems": "/problems",
    "/problems/<code>": "/problems/reason-missing",
}
"""Each page's rule, and where it is in the tournament of `Site`."""
SALT = "00"
FIDE_IDS = {11: "8603677", 21: "1503014"}
"""Players of the event of teams who are known as people. They play each other."""
FIRST, SECOND = (person_of_fide_id(SALT, fide_id) for fide_id in FIDE_IDS.values())
TEAM_PAGES = {
    "/t/<t>/teams": "/t/cup/teams",
    "/t/<t>/teams/<int:team>": "/t/cup/teams/1",
    "/t/<t>/bracket": "/t/ko/bracket",
    "/games/<g>": "/games/cup.1.1",
    "/t/<t>/rulings/<r>": "/t/cup/rulings/r1",
    "/people/<person>": f"/people/{FIRST}",
    "/people/<person>/opponents/<opponent>": f"/people/{FIRST}/opponents/{SECOND}",
}
"""The same for an event of teams with score sheets, and for a knock-out."""
NO_PAGES = {
    "/healthz",
    "/readyz",
    "/version",
    "/metrics",
    "/verify.html",
    "/web/style.css",
    "/web/static/<name>",
    "/games/<g>/sheet.<ending>",
    "/t/<t>/changes",
    "/t/<t>/standings.csv",
    "/t/<t>/crosstable.csv",
    "/t/<t>/teams.csv",
    "/t/<t>/prizes.csv",
    "/t/<t>/rounds/<int:n>.csv",
    "/games/<g>/board.svg",
    "/imports/<i>",
}
"""What is read there by machines, kept as a file, only leads on, or is seen by one caller alone (`test_imports`)."""


@pytest.fixture(scope="module")
def teams(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    data = tmp_path_factory.mktemp("teams")
    app = played(data)
    with closing(sqlite3.connect(data / "arbiter.db")) as database, database:
        database.execute("INSERT INTO people_salt VALUES (1, ?)", [SALT])  # so that the addresses are known above
    call = calls_on(app, data, "chief_arbiter")
    ruling = {"player": 11, "round": 1, "infraction": "foul"}
    corrections = {p: {"fide_id": fide_id, "reason": "the list"} for p, fide_id in FIDE_IDS.items()}
    for path, body in (("rulings", ruling), *((f"entries/{p}/correction", body) for p, body in corrections.items())):
        answer = call("POST", f"/v1/tournaments/cup/{path}", body, name="chief")
        assert answer.status_code == 201, answer.json
    knock_out = {"id": "ko", "name": "Cup", "game": "chess", "format": "knockout", "regulations": "fide-2026"}
    assert call("POST", "/v1/tournaments", knock_out).status_code == 201
    players = {"players": [{"name": f"Player {n}"} for n in range(1, 7)]}
    assert call("POST", "/v1/tournaments/ko/entries", players).status_code == 201
    seen = call("GET", "/v1/tournaments/ko").headers["ETag"]
    assert call("POST", "/v1/tournaments/ko/rounds", {}, If_Match=seen).status_code == 201
    with served(app) as address:
        yield address
    close(app)


class Place(NamedTuple):
    """A page, and the language in which it is looked at by every rule: of two pages that follow each other, each in another.

    Pages on which officials see more are opened in both languages by `test_every_form`.
    """

    rule: str
    address: str
    tongue: str


@pytest.fixture(params=[*PAGES, *TEAM_PAGES])
def place(request: pytest.FixtureRequest, site: Site, teams: str) -> Place:
    rule = request.param
    address = site.address + PAGES[rule] if rule in PAGES else teams + TEAM_PAGES[rule]
    return Place(rule, address, LANGUAGES[request.param_index % len(LANGUAGES)])


def rules(app: Flask) -> set[str]:
    found = {
        rule.rule
        for rule in app.url_map.iter_rules()
        if "GET" in (rule.methods or ()) and not _is_form(app.view_functions[rule.endpoint])
    }
    return {rule for rule in found if not rule.startswith(("/v1/", "/services/"))}


def _is_form(view: Callable[..., object]) -> bool:
    operation = operation_of(view)
    return operation is not None and operation.form


def test_every_page_is_opened_here(tmp_path):
    app = embedded.make_app(tmp_path)
    assert rules(app) - NO_PAGES == PAGES.keys() | TEAM_PAGES.keys()
    close(app)


def test_a_link_leads_to_every_page(site: Site, teams: str, tmp_path):
    app = embedded.make_app(tmp_path)
    match = app.url_map.bind("").match
    linked = set()
    for address in [
        *(site.address + at for at in PAGES.values()),
        *(teams + at for at in ("/t/ko", *TEAM_PAGES.values())),
    ]:
        with urlopen(address) as answer:
            links = {urljoin(address, href) for href in re.findall(r'<a [^>]*href="([^"#]+)', answer.read().decode())}
        paths = {urlsplit(link).path for link in links - {address}}
        linked |= {match(path, return_rule=True)[0].rule for path in paths}
    assert PAGES.keys() | TEAM_PAGES.keys() <= linked
    close(app)


def test_a_page_keeps_its_own_policy_fits_a_phone_and_axe_finds_nothing_by_day_and_by_night(
    place: Place, browser: Chrome
):
    address = place.address
    with narrow(browser):
        for tongue in LANGUAGES if place.rule not in FOR_OFFICIALS else (place.tongue,):
            speak(browser, address, tongue)
            browser.get(address)
            assert browser.get_log("browser") == []
            assert unsound(browser, tongue, rules=() if tongue == place.tongue else OF_A_THEME) == [], tongue
    scripts = browser.find_elements(By.TAG_NAME, "script")
    assert all(urlsplit(one.get_attribute("src")).path.endswith(".js") for one in scripts), "none is inline"
    with urlopen(address) as answer:
        policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


def test_axe_finds_a_fault_where_there_is_one(browser: Chrome):
    browser.get("data:text/html,<html><title>A picture that nobody describes</title><img src='data:,'></html>")
    assert {fault.partition(" | ")[0] for fault in faults(browser)} >= {"html-has-lang", "image-alt"}
