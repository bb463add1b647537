"""An event in which every text that a person wrote means something to programs, and the address of each page and form of it."""

import re
from pathlib import Path
from typing import Any, NamedTuple

from flask import Flask

from shared.http.operations import operation_of
from tests.former_names import any_name_accepted
from tests.http.calls import Call, calls_on

T = "hostile"
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
PLACES = {
    "/": "/",
    "/login": "/login",
    "/regulations": "/regulations",
    "/regulations/<name>": "/regulations/campus",
    "/games/<g>": "/games/{t}.1.1",
    "/people/<person>": "/people/{person}",
    "/people/<person>/opponents/<opponent>": "/people/{person}/opponents/{opponent}",
    "/invitations/<code>": "{invitation}",
    "/docs/operations/<name>": "/docs/operations/announceTournament",
    "/docs/schemas/<name>": "/docs/schemas/EntryAnswer",
    "/problems/<code>": "/problems/bad-fields",
    "/t/<t>/appeals/<a>/decision": "/t/{t}/appeals/{appeal}/decision",
    "/t/<t>/preview/<path:form>": "/t/{t}/preview/rounds/1/boards/1/ruling",
    "/t/<t>/papers/<paper>": "/t/{t}/papers/report",
    "/t/<t>/rounds/<int:n>/papers/<paper>": "/t/{t}/rounds/1/papers/names",
}
"""Where a page is that its rule alone does not tell; else a number is 1 and a ruling r1."""
NO_PAGES = (
    "/v1/",
    "/services/",
    "/web/",
    "/healthz",
    "/readyz",
    "/version",
    "/metrics",
    "/t/<t>/changes",
    "/imports/<i>",
)
"""How the rules begin of what people do not read, or one caller alone sees (`test_imports`)."""


class Known(NamedTuple):
    """The ids by which the addresses are made."""

    t: str
    appeal: str
    invitation: str
    person: str = "0"
    opponent: str = "0"


class Place(NamedTuple):
    """A page or form that a guest or an official opens."""

    rule: str
    address: str
    form: bool


@any_name_accepted()
def played(app: Flask, data: Path) -> Known:
    """A match of two teams, everything in it called by hostile names; of its rulings one is appealed against."""
    call = _told(app, data)
    roles = ("organiser", "chief_arbiter", "arbiter", "appeals")
    announced = {
        "id": T,
        "name": f"{MARKUP} {TURN}Cup",
        "place": f"{TURN}Hall {MARKUP}",
        "game": "xiangqi",
        "format": "swiss",
        "rounds": 3,
        "regulations": "xiangqi-1999",
        "changes": {"players.allowed_acts": ["see", "check_in", "call", "report", "claim"]},
        "conditions": {"team": {"kind": "fixed", "boards": 2}},
        "officials": [{"name": role, "role": role, "person": f"{TURN}{role} {MARKUP}"} for role in roles],
    }
    call("POST", "/v1/tournaments", announced)
    players = [
        {"id": n, "name": name, "club": NOTE, "fide_id": f"86{n}", "public_history": True}
        for n, name in enumerate(MEMBERS, 1)
    ]
    call("POST", "/v1/tournaments/<t>/entries", {"players": players})
    teams = [{"name": f"{TURN}Team {MARKUP}", "members": [1, 2]}, {"name": SUM, "members": [3, 4]}]
    call("POST", "/v1/tournaments/<t>/teams", {"teams": teams})
    seen = call("GET", "/v1/tournaments/<t>").headers["ETag"]
    call("POST", "/v1/tournaments/<t>/rounds", {}, If_Match=seen)
    ruling = {"player": 1, "round": 1, "game": f"{T}.1.1", "infraction": "foul", "note": NOTE}
    call("POST", "/v1/tournaments/<t>/rulings", ruling)
    call("POST", "/v1/tournaments/<t>/rulings", ruling)
    lodged = call("POST", "/v1/tournaments/<t>/appeals", {"ruling": "r1", "by": 1, "grounds": NOTE}).get_json()
    call("POST", "/v1/tournaments/<t>/rulings/r2/annulment", {"reason": NOTE}, "appeals")
    people = [
        call("GET", f"/v1/people?fide_id=86{n}", None, "organiser").get_json()["people"][0]["person"] for n in (1, 2)
    ]
    return Known(T, lodged["appeal"], invitation(app, data), *people)


def invitation(app: Flask, data: Path) -> str:
    """The path of the link of a new invitation."""
    from tests.http.forms import Person

    chief = Person(app, data, "chief_arbiter", "chief_arbiter", T)
    shown = chief.fills("/t/<t>/sessions", act="invite", role="arbiter", name="arbiter").text
    found = re.search(r'value="http://[^"/]+(/invitations/[^"]+)"', shown)
    assert found, shown
    return found[1]


def _told(app: Flask, data: Path) -> Call:
    on = calls_on(app, data, "chief_arbiter")

    def call(method: str, path: str, *rest: Any, **named: Any) -> Any:
        answer = on(method, path.replace("<t>", T), *rest, **named)
        assert answer.status_code in (200, 201), answer.text
        return answer

    return call


def places(app: Flask, known: Known) -> list[Place]:
    """Each page and form that the app's rules list."""
    found = []
    for rule in sorted({rule.rule: rule for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ())}.items()):
        path, listed = rule
        if path.startswith(NO_PAGES) or "." in path.rpartition("/")[2]:
            continue
        operation = operation_of(app.view_functions[listed.endpoint])
        address = PLACES.get(path, path).replace("<t>", "{t}").replace("<r>", "r1")
        address = re.sub("<[^>]+>", "1", address).format_map(known._asdict())
        found.append(Place(path, address, operation is not None and operation.form))
    return found
