"""What every form that the routes list refuses: it is told on a page, with what was typed, and nothing is written."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from flask import Flask
from markupsafe import escape
from werkzeug.test import TestResponse

from shared.core.terms import Role
from shared.core.token_revocations import Revocation
from shared.http.app_context import EXTENSION
from tests import hostile
from tests.http.forms import HIDDEN, HOST, Person

TYPED = 'ill <b> & "gone"'
"""What somebody wrote before the form was refused."""
NOT_THE_LOGS = {"/login", "/logout", "/invitations/<code>"}
"""Forms by which nobody is known yet, or whose session they end."""
ACTS = {
    "/t/<t>/sessions": {"act": "invite", "role": "arbiter", "name": "arbiter"},
    "/t/<t>/officials": {"dismiss": "arbiter"},
}
"""What says which of a page's forms is sent, where it has several."""
NAMED_ELSEWHERE = {"/t/<t>/preview/<path:form>"}
"""What only shows the command of another form."""


class Event(NamedTuple):
    app: Flask
    data: Path
    known: hostile.Known

    def person(self, role: Role | None, name: str = "") -> Person:
        return Person(self.app, self.data, role, name or role or "", self.known.t)

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
    told = {place.rule: sent(event, chief, place, origin).status_code for place in event.forms()}
    assert {rule: status for rule, status in told.items() if status != 403} == {}
    assert len(told) > 25 and event.length() == before


@pytest.mark.parametrize(("role", "name", "status"), [(None, "", 401), ("auditor", "", 403), ("player", "1", 403)])
def test_who_may_not_is_told_so_by_every_form(event: Event, role: Role | None, name: str, status: int):
    before, person = event.length(), event.person(role, name)
    told = {place.rule: sent(event, person, place) for place in event.forms()}
    assert {rule: answer.status_code for rule, answer in told.items() if answer.status_code not in {status, 422}} == {}
    assert sum(answer.status_code == status for answer in told.values()) > 8, "422: wrong in itself, whoever sends it"
    assert all(answer.mimetype == "text/html" for answer in told.values())
    assert event.length() == before


def test_a_session_that_was_revoked_commands_by_no_form(event: Event):
    before, person = event.length(), event.person("chief_arbiter")
    extension = event.app.extensions[EXTENSION]
    identity = extension.keyring.identify(person.token)
    extension.desk.revocations.revoke(Revocation(identity.issued, "organiser", identity.actor.tokenid))
    told = {place.rule: sent(event, person, place) for place in event.forms()}
    assert {rule: answer.status_code for rule, answer in told.items() if answer.status_code not in (401, 422)} == {}
    assert sum(answer.status_code == 401 for answer in told.values()) > 20
    assert event.length() == before


def test_a_field_that_nobody_asked_for_is_told_by_every_form_with_what_was_typed(event: Event):
    before, chief, lost = event.length(), event.person("chief_arbiter"), []
    for place in event.forms():
        answer = sent(event, chief, place, nobody_asked="x")
        assert answer.status_code == 422, place.rule
        assert 'role="alert"' in answer.text, place.rule
        if 'name="reason"' in answer.text and str(escape(TYPED)) not in answer.text:
            lost.append(place.rule)
    assert lost == [], "what was typed is still there"
    assert event.length() == before
