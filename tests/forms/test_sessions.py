"""Invitations and sessions: who gives what to whom, what a link opens and how often, and how a session ends."""

import re
import sqlite3
import time
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from markupsafe import Markup
from werkzeug.test import TestResponse

from services.pairing.access import player_cards
from services.pairing.access.invitations import GUESSES, LASTS_SECONDS
from shared.core.terms import Role
from shared.http.identity import tokens
from shared.http.identity.tokens import Identity
from shared.http.requests import auth
from shared.http.requests.app_context import EXTENSION
from tests.forms.conftest import Comes
from tests.http.calls import Call
from tests.http.forms import HOST, Person

SESSIONS = "/t/<t>/sessions"
LINK = re.compile(r'value="http://localhost(/invitations/[^"]+)"')
ONCE = re.compile(r'name="once" value="([^"]+)"')


def invites(person: Person, origin: str | None = HOST, **typed: Any) -> TestResponse:
    """The answer to the form of an invitation, as it was opened and filled in."""
    found = ONCE.search(person.sees(SESSIONS).text)
    return person.sends(SESSIONS, {"act": "invite", "once": found[1] if found else "k", **typed}, origin)


def link_of(answer: TestResponse) -> str:
    assert answer.status_code == 201, answer.text
    (found,) = LINK.findall(answer.text)
    return found


def begins(client: FlaskClient, link: str, origin: str | None = HOST) -> TestResponse:
    return client.post(link, headers={} if origin is None else {"Origin": origin})


def identity(app: Flask, client: FlaskClient) -> Identity:
    cookie = client.get_cookie(auth.COOKIE)
    assert cookie is not None
    found: Identity = app.extensions[EXTENSION].keyring.identify(cookie.value)
    return found


def changed(data: Path, statement: str, *values: Any) -> None:
    with sqlite3.connect(data / "arbiter.db") as db:
        db.execute(statement, values)


@pytest.fixture(autouse=True)
def nobody_has_guessed(app: Flask, data: Path) -> None:
    changed(data, "DELETE FROM guesses")


@pytest.fixture
def chief(call: Call, comes: Comes) -> Person:
    return comes("chief_arbiter")


@pytest.fixture
def guest(app: Flask) -> FlaskClient:
    return app.test_client()


def test_a_link_says_what_it_is_for_and_only_its_button_begins_the_session(
    app: Flask, data: Path, chief: Person, guest: FlaskClient, t: str
):
    answer = invites(chief, role="arbiter", name="Arbiter", boards="1-2", days="2")
    link = link_of(answer)
    assert "<svg" in answer.text and answer.headers["Cache-Control"] == "no-store"
    for _ in range(3):
        shown = guest.get(link)
        assert shown.status_code == 200 and "Set-Cookie" not in shown.headers
        assert "Hall" in shown.text and "1–2" in shown.text and "chief_arbiter" in shown.text
    begun = begins(guest, link)
    assert (begun.status_code, begun.headers["Location"]) == (303, f"/t/{t}/rounds/1")
    assert all(part in begun.headers["Set-Cookie"] for part in ("HttpOnly", "SameSite=Strict"))
    who = identity(app, guest)
    assert (who.actor.name, who.actor.role, who.tournament, who.boards) == ("arbiter", "arbiter", t, (1, 2))
    assert 1.9 * 86_400 < who.expires - time.time() < 2.1 * 86_400
    assert link.rpartition("/")[2] not in (data / "arbiter.db").read_bytes().decode("latin-1"), (
        "only its digest is kept"
    )


def test_a_tablet_enters_results_at_its_boards_and_corrects_none(chief: Person, guest: FlaskClient, call: Call, t: str):
    begins(guest, link_of(invites(chief, role="arbiter", name="arbiter", boards="2")))
    tablet = Person.__new__(Person)
    tablet.client, tablet.t = guest, t
    assert tablet.fills("/t/<t>/rounds/1/boards/2/result", result="1-0").status_code == 303
    assert "boards 2-2" in tablet.fills("/t/<t>/rounds/1/boards/1/result", result="1-0").text
    correction = tablet.fills("/t/<t>/rounds/1/boards/2/correction", result="0-1", reason="slip")
    assert correction.status_code == 403
    assert invites(tablet, role="arbiter", name="arbiter").status_code == 403, "it opens no other session"


def test_a_link_that_was_used_opens_nothing_and_leads_on_who_used_it(app: Flask, chief: Person, guest: FlaskClient):
    link, late = link_of(invites(chief, role="arbiter", name="arbiter")), app.test_client()
    begins(guest, link)
    for answer in (late.get(link), begins(late, link)):
        assert answer.status_code == 410 and "This invitation was used" in answer.text
        assert "Set-Cookie" not in answer.headers
    assert guest.get(link).status_code == 303 and begins(guest, link).status_code == 303


def test_a_link_that_ran_out_is_as_one_that_never_was(data: Path, chief: Person, guest: FlaskClient, t: str):
    link = link_of(invites(chief, role="arbiter", name="arbiter"))
    changed(data, "UPDATE invitations SET expires = ? WHERE tournament = ?", int(time.time()), t)
    pages = [
        guest.get(link),
        begins(guest, link),
        guest.get("/invitations/" + "x" * 22),
        begins(guest, "/invitations/x"),
    ]
    assert {(page.status_code, page.text.partition("<main")[2]) for page in pages} == {
        (404, pages[0].text.partition("<main")[2])
    }
    assert "older than 30 minutes" in pages[0].text and LASTS_SECONDS == 1800


def test_another_sites_page_neither_begins_a_session_nor_makes_an_invitation(chief: Person, guest: FlaskClient):
    link = link_of(invites(chief, role="arbiter", name="arbiter"))
    for origin in (None, "null", "http://evil.example"):
        answer = begins(guest, link, origin)
        assert answer.status_code == 403 and "Set-Cookie" not in answer.headers
        assert invites(chief, origin, role="arbiter", name="arbiter").status_code == 403
        assert chief.client.post("/logout", headers={"Origin": origin or ""}).status_code == 403
    assert begins(guest, link).status_code == 303, "it was not used up"


def test_many_invalid_codes_delay_only_further_invalid_codes(data: Path, chief: Person, guest: FlaskClient):
    link = link_of(invites(chief, role="arbiter", name="arbiter"))
    statuses = [guest.get(f"/invitations/{n}").status_code for n in range(GUESSES.guesses + 1)]
    assert statuses == [404] * GUESSES.guesses + [429]
    refused = begins(guest, "/invitations/wrong")
    assert refused.status_code == 429 and 0 < int(refused.headers["Retry-After"]) <= GUESSES.seconds + 1
    elsewhere = guest.get("/invitations/wrong", environ_base={"REMOTE_ADDR": "192.0.2.7"})
    assert elsewhere.status_code == 404, "guesses of one address do not count against another"
    assert begins(guest, link).status_code == 303, "a valid link works from the same address"
    changed(data, "UPDATE guesses SET at = at - ?", GUESSES.seconds)
    assert guest.get("/invitations/wrong").status_code == 404


@pytest.mark.parametrize(
    ("typed", "status", "told"),
    [
        ({"role": "arbiter", "name": "nobody"}, 403, "appoint first, then invite"),
        ({"role": "player", "name": "99"}, 403, "must be the player&#39;s number"),
        ({"role": "organiser", "name": "organiser"}, 403, "only the organiser may invite"),
        ({"role": "rulebook", "name": "rulebook"}, 422, "role"),
        ({"role": "arbiter", "name": ""}, 422, "name"),
        ({"role": "arbiter", "name": "a\u200bb"}, 422, "Not a login name"),
        ({"role": "arbiter", "name": "arbiter", "boards": "8-5"}, 422, "as in 5-8"),
        ({"role": "arbiter", "name": "arbiter", "boards": "x"}, 422, "as in 5-8"),
        ({"role": "chief_arbiter", "name": "chief_arbiter", "boards": "1"}, 422, "limited to boards"),
        ({"role": "arbiter", "name": "arbiter", "days": "31"}, 422, "days"),
        ({"role": "arbiter", "name": "arbiter", "once": ""}, 422, "once"),
        ({"act": "nothing"}, 422, "does not state the action"),
    ],
)
def test_what_nobody_can_be_invited_to_is_told_with_what_was_typed(
    chief: Person, typed: dict[str, str], status: int, told: str
):
    answer = invites(chief, **typed)
    assert answer.status_code == status, answer.text
    assert told in answer.text and 'role="alert"' in answer.text
    if typed.get("act", "invite") == "invite" and "\u200b" not in typed["name"]:
        assert f'value="{typed["name"]}"' in answer.text
    assert "No unused invitation" in chief.sees(SESSIONS).text


@pytest.mark.parametrize("role", [None, "arbiter", "player", "auditor", "appeals"])
def test_only_who_appoints_officials_invites_and_sees_the_others(call: Call, comes: Comes, role: Role | None):
    person = comes(role, "1" if role == "player" else None)
    answer = invites(person, role="arbiter", name="arbiter")
    assert answer.status_code == (401 if role is None else 403)
    shown = person.sees(SESSIONS).text
    assert "Log all devices out" not in shown and "Appointed officials" not in shown
    assert ("this browser" in shown) == (role is not None), "one's own session shows"


def test_each_person_in_office_has_a_link_that_fills_the_form_in(chief: Person):
    assert 'href="?role=appeals&amp;name=appeals"' in chief.sees(SESSIONS).text
    filled = chief.sees(f"{SESSIONS}?role=appeals&name=appeals").text
    assert '<option value="appeals" selected>' in filled and 'name="name" value="appeals"' in filled
    assert "role=organiser" not in filled, "an organiser is not invited by a chief arbiter"


def test_a_form_sent_twice_makes_one_invitation(chief: Person):
    fields = {"act": "invite", "once": "k1", "role": "arbiter", "name": "arbiter"}
    first, second = chief.sends(SESSIONS, fields), chief.sends(SESSIONS, fields)
    assert (first.status_code, second.status_code) == (201, 409)
    assert second.text.count("Withdraw:") == 1, "one waits"


def test_a_program_invites_as_the_page_does_and_has_each_link_once(call: Call, guest: FlaskClient, t: str):
    tablet = {"role": "arbiter", "name": "Arbiter", "boards": "1-2", "days": 1}
    made = call("POST", "/v1/tournaments/<t>/invitations", tablet, Idempotency_Key="first")
    assert made.status_code == 201 and made.headers["Cache-Control"] == "no-store"
    assert made.json["expires"] < made.json["until"]
    again = call("POST", "/v1/tournaments/<t>/invitations", tablet, Idempotency_Key="first")
    assert (again.status_code, again.json["type"].rpartition(":")[2]) == (409, "invited-already")
    begun = begins(guest, made.json["link"].removeprefix("http://localhost"))
    assert begun.headers["Location"] == f"/t/{t}/rounds/1"


@pytest.mark.parametrize(
    ("sent", "status", "code"),
    [
        ({"boards": "2-1"}, 422, "bad-fields"),
        ({"name": "a\nb"}, 422, "bad-name"),
        ({"role": "king"}, 422, "bad-fields"),
        ({"days": 31}, 422, "bad-fields"),
        ({"name": "nobody"}, 403, "office-not-held"),
        ({"role": "organiser", "name": "organiser"}, 403, "not-theirs-to-give"),
        ({"role": "auditor", "boards": "1-2"}, 422, "boards-of-arbiters"),
    ],
)
def test_what_a_program_cannot_invite_to_is_told_by_code(call: Call, sent: dict[str, Any], status: int, code: str):
    answer = call("POST", "/v1/tournaments/<t>/invitations", {"role": "arbiter", "name": "arbiter"} | sent)
    assert (answer.status_code, answer.json["type"].rpartition(":")[2]) == (status, code), answer.json


def test_an_invitation_is_withdrawn(chief: Person, guest: FlaskClient):
    link = link_of(invites(chief, role="arbiter", name="arbiter"))
    (id,) = re.findall(r'name="invitation" value="([^"]+)"', chief.sees(SESSIONS).text)
    assert chief.sends(SESSIONS, {"act": "withdraw", "invitation": id}).status_code == 303
    assert begins(guest, link).status_code == 404
    assert chief.sends(SESSIONS, {"act": "withdraw", "invitation": id}).status_code == 404


def test_a_session_is_listed_and_ended_and_the_next_form_keeps_what_was_typed(
    app: Flask, chief: Person, guest: FlaskClient, t: str
):
    begins(guest, link_of(invites(chief, role="arbiter", name="arbiter", boards="1-3")))
    arbiter = Person.__new__(Person)
    arbiter.client, arbiter.t = guest, t
    fields = arbiter.opens("/t/<t>/rounds/1/boards/1/ruling") | {"search": "late <player>"}
    jti = identity(app, guest).actor.tokenid
    listed = chief.sees(SESSIONS).text
    assert jti in listed and "boards 1-3" in listed and "invited by <bdi>chief_arbiter</bdi>" in listed
    assert chief.sends(SESSIONS, {"act": "end", "token": jti}).status_code == 303
    assert jti not in chief.sees(SESSIONS).text
    answer = arbiter.sends("/t/<t>/rounds/1/boards/1/result", fields | {"result": "1-0"})
    assert answer.status_code == 401 and 'href="/login"' in answer.text
    again = chief.sends(SESSIONS, {"act": "end", "token": jti})
    assert again.status_code == 404 and "the login has ended" in again.text


def test_who_is_revoked_while_he_types_an_invitation_finds_it_there(app: Flask, chief: Person, call: Call):
    fields = {"act": "invite", "once": "k", "role": "arbiter", "name": "<zhou>", "boards": "5-8"}
    own = identity(app, chief.client).actor.tokenid
    chief.client.delete(f"/v1/tokens/{own}", headers={"Authorization": f"Bearer {chief.token}"})
    answer = chief.sends(SESSIONS, fields)
    assert answer.status_code == 401
    assert 'value="&lt;zhou&gt;"' in answer.text and 'value="5-8"' in answer.text and "/login" in answer.text


def test_all_sessions_and_invitations_of_a_person_end_together(
    app: Flask, data: Path, chief: Person, guest: FlaskClient, t: str
):
    waiting = link_of(invites(chief, role="arbiter", name="arbiter"))
    by_command = app.test_client()
    by_command.set_cookie(auth.COOKIE, tokens.issue(data, "arbiter", "arbiter", t))
    assert chief.sends(SESSIONS, {"act": "end-all", "name": "Arbiter"}).status_code == 303
    assert begins(guest, waiting).status_code == 404
    assert "Guest (read only)" in by_command.get("/").text


def test_a_chief_arbiter_ends_no_organisers_session_and_an_organiser_does(
    data: Path, comes: Comes, chief: Person, t: str
):
    organiser = Person(chief.client.application, data, "organiser", "organiser", t)
    organiser.client.post(
        "/login", data={"token": tokens.issue(data, "organiser", "organiser", t)}, headers={"Origin": HOST}
    )
    listed = organiser.sees(SESSIONS).text
    (jti,) = re.findall(r'name="token" value="([^"]+)"', listed)
    assert chief.sends(SESSIONS, {"act": "end", "token": jti}).status_code == 403
    assert chief.sends(SESSIONS, {"act": "end-all", "name": "organiser"}).status_code == 403
    other = comes("organiser")
    assert other.sends(SESSIONS, {"act": "end", "token": jti}).status_code == 303
    assert "Guest (read only)" in organiser.sees("/").text


def test_what_was_taken_from_the_inviter_his_links_no_longer_give(
    chief: Person, guest: FlaskClient, call: Call, app: Flask
):
    link = link_of(invites(chief, role="arbiter", name="arbiter"))
    chief.client.post("/logout", headers={"Origin": HOST})
    assert begins(guest, link).status_code == 404


def test_who_was_dismissed_since_begins_no_session(chief: Person, guest: FlaskClient, call: Call):
    link = link_of(invites(chief, role="arbiter", name="arbiter"))
    assert call("POST", "/v1/tournaments/<t>/officials/arbiter/dismissal", {"reason": "bets"}).status_code == 201
    answer = begins(guest, link)
    assert answer.status_code == 403 and "was dismissed" in answer.text


def test_a_session_lasts_no_longer_than_that_of_who_gave_it(
    app: Flask, data: Path, call: Call, guest: FlaskClient, t: str
):
    chief = Person(app, data, None, "", t)
    chief.client.set_cookie(auth.COOKIE, tokens.issue(data, "chief_arbiter", "chief_arbiter", days=0.5))
    begins(guest, link_of(invites(chief, role="arbiter", name="arbiter", days="30")))
    assert identity(app, guest).expires <= identity(app, chief.client).expires


def test_a_link_runs_out_with_the_session_of_who_gave_it(app: Flask, data: Path, call: Call, t: str):
    chief = Person(app, data, None, "", t)
    chief.client.set_cookie(auth.COOKIE, tokens.issue(data, "chief_arbiter", "chief_arbiter", days=600 / 86_400))
    link_of(invites(chief, role="arbiter", name="arbiter"))
    with sqlite3.connect(data / "arbiter.db") as db:
        ((lasts, longer),) = db.execute(
            "SELECT expires - made, until - expires FROM invitations WHERE tournament = ?", (t,)
        )
    assert 0 < lasts <= 600 and longer == 0


def test_who_logs_out_ends_the_token_too(app: Flask, chief: Person):
    token = chief.token
    answer = chief.client.post("/logout", headers={"Origin": HOST})
    assert answer.status_code == 303 and chief.client.get_cookie(auth.COOKIE) is None
    assert app.test_client().get("/v1/tournaments", headers={"Authorization": f"Bearer {token}"}).status_code in (
        200,
        401,
    )
    again = app.test_client()
    assert again.post("/login", data={"token": token}, headers={"Origin": HOST}).status_code == 401


def test_a_name_is_shown_as_text(call: Call, comes: Comes, guest: FlaskClient):
    evil = "<script>alert(1)</script>\"'&"
    assert call("POST", "/v1/tournaments/<t>/officials", {"name": evil, "role": "arbiter"}).status_code == 201
    chief = comes("chief_arbiter")
    answer = invites(chief, role="arbiter", name=evil)
    for page in (answer, guest.get(link_of(answer)), chief.sees(SESSIONS)):
        assert "<script>" not in page.text and "&lt;script&gt;" in page.text


def test_cards_of_all_players_have_a_login_each_that_works_once_and_replaces_earlier_ones(
    app: Flask, comes: Comes, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    codes: list[str] = []
    monkeypatch.setattr(player_cards, "qr", lambda address, title: codes.append(address) or Markup("<svg></svg>"))
    chief = comes("chief_arbiter")
    link = f"/t/{chief.t}/sessions#player-cards"
    assert link in chief.sees("/t/<t>/papers").text and link not in comes("arbiter").sees("/t/<t>/papers").text
    assert call("POST", "/v1/tournaments/<t>/entries/6/withdrawal", {"reason": "ill"}).status_code == 201

    def made(days: str = "2") -> list[str]:
        codes.clear()
        page = invites(chief, act="invite-players", days=days)
        assert page.status_code == 201 and page.headers["Cache-Control"] == "no-store", page.text
        assert page.text.count("<svg") == 5 and "Player 5" in page.text and "Player 6" not in page.text
        return [code.partition("http://localhost")[2] for code in codes]

    first, second = made(), made()
    assert len({*first, *second}) == 10
    phone = app.test_client()
    assert begins(phone, second[2]).headers["Location"] == f"/t/{chief.t}/me"
    who = identity(app, phone)
    assert (who.actor.name, who.actor.role, who.tournament) == ("3", "player", chief.t)
    assert begins(app.test_client(), second[2]).status_code == 410
    assert begins(app.test_client(), first[2]).status_code == 404
    assert chief.sees(SESSIONS).text.count("withdraw") >= 4
    refused = comes("arbiter").sends(SESSIONS, {"act": "invite-players", "once": "k", "days": "1"})
    assert refused.status_code == 403
