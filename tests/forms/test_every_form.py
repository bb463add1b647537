"""What every form that the routes list refuses: it is told on a page, with what was typed, and nothing is written."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from flask import Flask
from markupsafe import escape
from werkzeug.test import TestResponse

from shared.core.terms import Role
from shared.core.trust.token_revocations import Revocation
from shared.http.requests.app_context import EXTENSION
from shared.web.board_seen import BOARD
from tests import hostile
from tests.http.forms import HIDDEN, HOST, Person

TYPED = 'ill <b> & "gone"'
"""What somebody wrote before the form was refused."""
NOT_THE_LOGS = {"/login", "/logout", "/invitations/<code>"}
"""Forms by which nobody is known yet, or whose session they end."""
ACTS = {
    "/t/<t>/sessions": {"act": "invite", "role": "arbiter", "name": "arbiter"},
    "/t/<t>/tokens": {"act": "create", "name": "office bot", "roles": "arbiter"},
    "/t/<t>/officials": {"dismiss": "arbiter"},
    "/t/<t>/webhooks": {"act": "add", "url": "https://hooks.example/"},
}
"""What says which of a page's forms is sent, where it has several."""
APPEAL_DECISION = "/t/<t>/appeals/<a>/decision"
OWN = ("/t/<t>/me", "/t/<t>/me/check-in")
"""Forms of a player alone."""
THEIRS: dict[Role | None, set[str]] = {
    "player": {
        f"{BOARD}/claim",
        f"{BOARD}/call",
        f"{BOARD}/moves",
        "/t/<t>/rulings/<r>/appeal",
        "/t/<t>/check-in",
        *OWN,
    },
    "board": {f"{BOARD}/claim", f"{BOARD}/moves"},
    "appeals": {f"/t/<t>/rulings/<r>/{deed}" for deed in ("annulment", "retraction", "appeal")} | {APPEAL_DECISION},
}
"""Forms that are for them too, who are in no office of the hall."""
NOBODYS = {f"{BOARD}/decision"}
"""What the rulebook of this event grants nobody."""
CHIEFS = {"/t/<t>/rulings/<r>/retraction"}
"""Of the committee's, what the chief arbiter may too."""
NAMED_ELSEWHERE = {"/t/<t>/preview/<path:form>"}
"""What only shows the command of another form."""


class Event(NamedTuple):
    app: Flask
    data: Path
    known: hostile.Known

    def person(self, role: Role | None, name: str = "") -> Person:
        return Person(self.app, self.data, role, name or role or "", self.known.t)

    def who_may(self, rule: str) -> Person:
        """Whoever may send a form."""
        if rule in OWN:
            return self.person("player", "1")
        return self.person("appeals" if rule in THEIRS["appeals"] and rule not in CHIEFS else "chief_arbiter")

    def length(self) -> str:
        return str(self.app.test_client().get(f"/v1/tournaments/{self.known.t}").headers["ETag"])

    def forms(self) -> Iterator[hostile.Place]:
        for place in hostile.places(self.app, self.known):
            if place.form and place.rule not in NOT_THE_LOGS | NAMED_ELSEWHERE:
                yield place


@pytest.fixture(scope="module")
def event(app: Flask, data: Path) -> Event:
    return Event(app, data, hostile.played(app, data))


def sent(event: Event, person: Person, place: hostile.Place, origin: str | None = HOST, **typed: str) -> TestResponse:
    """A form as its page gave it to the chief arbiter, with a reason typed, sent by somebody."""
    opened = dict(HIDDEN.findall(event.person("chief_arbiter").sees(place.address).text))
    given = {"seq": event.length().strip('"'), "once": "k"} | opened | ACTS.get(place.rule, {})
    return person.sends(place.address, given | {"reason": TYPED} | typed, origin)


@pytest.mark.parametrize("origin", [None, "null", "http://evil.example"])
def test_no_form_of_another_origin_commands(event: Event, origin: str | None):
    before, chief = event.length(), event.person("chief_arbiter")
    told = {place.rule: sent(event, chief, place, origin, act="nothing").status_code for place in event.forms()}
    assert {rule: status for rule, status in told.items() if status != 403} == {}
    assert len(told) > 25 and event.length() == before


@pytest.mark.parametrize("role", [None, "auditor", "board", "player", "appeals"])
def test_who_may_not_is_told_so_by_every_form_before_anything_is_said_of_what_was_sent(event: Event, role: Role | None):
    before, person = event.length(), event.person(role, "1" if role == "player" else "")
    told = {place.rule: sent(event, person, place, nobody_asked="x") for place in event.forms()}
    barred = {rule: answer for rule, answer in told.items() if rule not in THEIRS.get(role, set())}
    status = 401 if role is None else 403
    assert {rule: answer.status_code for rule, answer in barred.items() if answer.status_code != status} == {}
    assert {rule: told[rule].status_code for rule in told.keys() - barred.keys() if told[rule].status_code != 422} == {}
    assert len(barred) > 25 and all(answer.mimetype == "text/html" for answer in told.values())
    assert event.length() == before


def test_a_session_that_was_revoked_commands_by_no_form(event: Event):
    before, person = event.length(), event.person("chief_arbiter")
    extension = event.app.extensions[EXTENSION]
    identity = extension.keyring.identify(person.token)
    extension.desk.revocations.revoke(Revocation(identity.issued, "organiser", identity.actor.tokenid))
    told = {place.rule: sent(event, person, place) for place in event.forms()}
    assert {rule: answer.status_code for rule, answer in told.items() if answer.status_code != 401} == {}
    assert len(told) > 25
    assert event.length() == before


def test_a_field_that_nobody_asked_for_is_told_by_every_form_with_what_was_typed(event: Event):
    before, lost = event.length(), []
    for place in event.forms():
        if place.rule in NOBODYS:
            continue
        answer = sent(event, event.who_may(place.rule), place, nobody_asked="x")
        assert answer.status_code == 422, place.rule
        assert 'role="alert"' in answer.text, place.rule
        if 'name="reason"' in answer.text and str(escape(TYPED)) not in answer.text:
            lost.append(place.rule)
    assert lost == [], "what was typed is still there"
    assert event.length() == before


WHOLE = {
    "/t/<t>/publication": {"final": "no"},
    "/t/<t>/rounds/<int:n>/pairing": {"reason": "the hall is closed"},
    "/t/<t>/rounds/<int:n>/upholding": {"difference": "1:1.2:1.3", "reason": "agreed"},
}
"""Forms about the whole tournament, each with what may be typed into it."""
MINUTES = {"side": "white", "minutes": "5"}
OF_THE_SAME = {
    "/t/<t>/byes": {"players": "1", "round": "2", "kind": "H"},
    "/t/<t>/check-in": {"here": "1"},
    "/t/<t>/me/check-in": {},
    "/t/<t>/lineups": {"team": "1", "round": "2", "players": ["1", "2"]},
    "/t/<t>/lots": {"equals": "1"},
    "/t/<t>/play-offs": {"do": "publish", "reason": "shared", "w1": "1", "b1": "2", "seen": "1:1-2"},
    "/t/<t>/players/<int:p>/board": {"board": "1"},
    "/t/<t>/players/<int:p>/bye": {"round": "2", "kind": "H"},
    "/t/<t>/players/<int:p>/correction": {"name": "Li", "reason": "misread"},
    "/t/<t>/players/<int:p>/identity": {"public_history": "yes"},
    "/t/<t>/players/<int:p>/return": {},
    "/t/<t>/players/<int:p>/withdrawal": {},
    "/t/<t>/rounds/<int:n>/results": {"entry": "1 1"},
    "/t/<t>/teams/<int:team>/withdrawal": {"reason": "ill"},
    "/t/<t>/teams/new": {"teams": "Third\t1"},
    f"{BOARD}/call": {},
    f"{BOARD}/claim": {"side": "white", "claim": "illegal_move"},
    f"{BOARD}/clock": MINUTES,
    f"{BOARD}/moves": {"act": "start"},
    f"{BOARD}/result": {"result": "1-0"},
}
"""Forms about a game or players, each with what may be typed into it."""
FORESEEN = {
    APPEAL_DECISION: {"upheld": "yes", "grounds": "so it was"},
    "/t/<t>/rulings/<r>/annulment": {"reason": "by mistake"},
    "/t/<t>/rulings/<r>/appeal": {"by": "1", "grounds": "unfair"},
    "/t/<t>/rulings/<r>/retraction": {"reason": "by mistake"},
    f"{BOARD}/arrival": {**MINUTES, "came": "late"},
    f"{BOARD}/break": MINUTES,
    f"{BOARD}/correction": {"result": "1-0", "reason": "misread"},
    f"{BOARD}/ruling": {"infraction": "foul", "player": "1"},
}
"""Forms about a game or players that are shown before they are confirmed."""
ABOUT_NOTHING = {
    "/t/<t>/crossings/<int:seq>",
    "/t/<t>/entries",
    "/t/<t>/forbidden-pairs",
    "/t/<t>/me",
    "/t/<t>/officials",
    "/t/<t>/sessions",
    "/t/<t>/tokens",
    "/t/<t>/details",
    "/t/<t>/listing",
    "/t/<t>/venue-notice",
    "/t/<t>/virtual-points",
    "/t/<t>/visibility",
    "/t/<t>/webhooks",
    "/tournaments/import",
    "/tournaments/new",
}
"""Forms that no line of another makes too old."""


def test_a_form_is_too_old_once_a_later_line_names_what_it_is_about(event: Event):
    places = {place.rule: place for place in event.forms()}
    assert places.keys() == WHOLE.keys() | OF_THE_SAME.keys() | FORESEEN.keys() | ABOUT_NOTHING | NOBODYS
    chief = event.person("chief_arbiter")
    typed = {**WHOLE, **OF_THE_SAME, **{rule: fields | {"foreseen": "0" * 64} for rule, fields in FORESEEN.items()}}
    own = {"seq": event.length().strip('"'), "once": "k"}
    opened = {rule: own | event.who_may(rule).opens(places[rule].address) | fields for rule, fields in typed.items()}
    foul = "/t/<t>/rounds/1/boards/1/ruling?infraction=foul"
    assert chief.confirms(foul, infraction="foul", player="1").status_code == 303
    before = event.length()
    answers = {rule: event.who_may(rule).sends(places[rule].address, fields) for rule, fields in opened.items()}
    assert {rule: answers[rule].status_code for rule in WHOLE if answers[rule].status_code != 412} == {}
    assert {rule: answers[rule].status_code for rule in OF_THE_SAME if answers[rule].status_code != 409} == {}
    assert [
        rule for rule in OF_THE_SAME if "Another event about this was written in the meantime" not in answers[rule].text
    ] == []
    assert [rule for rule in FORESEEN if not answers[rule].headers.get("Location", "").endswith("?anew")] == []
    assert event.length() == before
