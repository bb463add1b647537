"""A form whose commit was cut off: the page says that it may have been written, leads to where that shows, and keeps what was
typed, so that it is done once however often it is sent."""

import re
from html import unescape

import pytest
from flask import Flask

from shared.desk.requests import OutcomeUnknown
from shared.log.port import LogUnavailable
from tests.forms.conftest import Comes
from tests.forms.test_board_forms import BOARD, events
from tests.http.calls import Call

FORM = f"{BOARD}/result"


@pytest.mark.parametrize("came_through", [True, False])
def test_what_may_have_been_written_is_said_so_and_sent_again_is_done_once(
    app: Flask, call: Call, comes: Comes, monkeypatch: pytest.MonkeyPatch, came_through: bool
):
    arbiter, desk = comes(), app.extensions["arbiter"].desk
    fields = arbiter.opens(FORM) | {"result": "1-0"}
    before = len(events(call))
    decide = desk.submit

    def cut_off(source, t, command, sent):
        raise OutcomeUnknown(decide(source, t, command, sent).command if came_through else "0" * 32)

    with monkeypatch.context() as lost:
        lost.setattr(desk, "submit", cut_off)
        answer = arbiter.sends(FORM, fields)
    assert answer.status_code == 503 and "Retry-After" not in answer.headers
    assert "Send this again unchanged" in answer.text and "Idempotency-Key" not in answer.text
    assert f'name="once" value="{fields["once"]}"' in answer.text, "the same form, which is taken once"
    (look,) = re.findall(r'href="([^"]*outcome=[^"]*)"', answer.text)
    found = arbiter.sees(unescape(look))
    if came_through:
        assert found.status_code == 303 and "after=" in found.headers["Location"]
    else:
        assert found.status_code == 404 and "Not recorded" in found.text
    assert arbiter.sends(FORM, fields).status_code == 303
    assert len([e for e in events(call)[before:] if e["type"].startswith("arbiter.result.reported.")]) == 1


def test_what_is_written_is_said_so_although_the_database_is_lost_then(
    app: Flask, call: Call, comes: Comes, monkeypatch: pytest.MonkeyPatch
):
    arbiter, desk = comes(), app.extensions["arbiter"].desk
    fields = arbiter.opens(FORM) | {"result": "1-0"}
    before, decide = len(events(call)), desk.submit

    def lost(*_: object) -> None:
        raise LogUnavailable("the database does not answer")

    with monkeypatch.context() as trouble:
        trouble.setattr(desk, "submit", lambda *sent: decide(*sent)._replace(seq=None))
        trouble.setattr(desk, "consequences", lost)
        answer = arbiter.sends(FORM, fields)
    assert answer.status_code == 202 and "written=" in answer.text
    assert len(events(call)) == before + 1
