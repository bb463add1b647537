"""Integration tokens: an organiser creates them without the operator, and they can do what the log states and nothing more."""

import json
import re
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jwt
import pytest
from flask import Flask

from deploy.server import embedded
from services.pairing.access import integration_tokens
from services.pairing.rules.invitations import refuse_integration_token
from shared.core.readings.token_boards import Boards
from shared.core.state.tournament import Tournament
from shared.core.terms import Actor
from shared.http.app import close
from shared.http.identity import tokens
from shared.http.limits.rate_limits import NO_ALLOWANCES
from shared.http.requests.app_context import EXTENSION
from shared.log.port import LogUnavailable
from tests.http.conftest import Caller
from tests.http.test_problems import is_problem

HOST = {"Origin": "http://localhost"}
BOT = {"name": "office.bot", "roles": ["arbiter"]}
AT = "/v1/tournaments/T/tokens"


@pytest.fixture
def house(tmp_path: Path):
    app = embedded.make_app(tmp_path, NO_ALLOWANCES)
    yield app
    close(app)


@pytest.fixture
def holder(house: Flask, tmp_path: Path):
    def make(role="organiser", name="li.wei", tournament=None, **more: Any) -> Caller:
        return Caller(house.test_client(), tokens.issue(tmp_path, role, name, tournament, **more))

    return make


@pytest.fixture
def organiser(holder) -> Caller:
    """Create the tournaments T and U, in which wang is the chief arbiter, and return their organiser."""
    made = holder()
    for t in ("T", "U"):
        cup = {"id": t, "name": "Cup", "game": "xiangqi", "format": "swiss", "rounds": 3, "regulations": "campus"}
        cup["officials"] = [{"name": "wang", "role": "chief_arbiter"}]
        assert made("POST", "/v1/tournaments", cup).status_code == 201
    return made


def created(caller: Caller, *, headers: dict[str, str] | None = None, **sent: Any) -> list[dict[str, Any]]:
    answer = caller("POST", AT, BOT | sent, headers)
    assert answer.status_code == 201, answer.text
    assert answer.headers["Cache-Control"] == "no-store"
    rows: list[dict[str, Any]] = answer.get_json()["tokens"]
    return rows


def program(house: Flask, row: dict[str, Any]) -> Caller:
    return Caller(house.test_client(), row["token"])


def events(caller: Caller, t: str = "T") -> list[dict[str, Any]]:
    return [one["event"] for one in caller("GET", f"/v1/tournaments/{t}/events").get_json()["events"]]


def states(caller: Caller, t: str = "T") -> list[tuple[str, str]]:
    answer = caller("GET", f"/v1/tournaments/{t}/tokens")
    assert answer.status_code == 200, answer.text
    return [(row["role"], row["state"]) for row in answer.get_json()["tokens"]]


def test_token_does_the_acts_of_its_role_in_its_tournament_only(house, organiser):
    (row,) = created(organiser)
    bot = program(house, row)
    assert bot("POST", "/v1/tournaments/T/check-in", {"came": [1]}).status_code not in (401, 403)
    is_problem(bot("POST", "/v1/tournaments/T/entries", {"players": [{"name": "x"}]}), 403, "role-may-not")
    is_problem(bot("POST", AT, BOT), 403, "role-may-not")
    is_problem(bot("GET", AT), 403, "role-may-not")
    is_problem(bot("DELETE", f"{AT}/{row['id']}"), 403, "role-may-not")
    is_problem(bot("POST", "/v1/tournaments/U/check-in", {"came": [1]}), 403, "token-scope")


def test_created_token_is_stated_by_the_log_and_carries_what_the_answer_says(organiser):
    (row,) = created(organiser, days=10)
    appointed = events(organiser)[-1]
    assert appointed["type"].startswith("arbiter.official.appointed")
    assert (appointed["data"]["official"], appointed["data"]["role"]) == ("office.bot", "arbiter")
    assert (appointed["actor"], row["by"]) == ("li.wei", "li.wei")
    claims = jwt.decode(row["token"], options={"verify_signature": False})
    assert (claims["sub"], claims["role"], claims["tournament"], claims["jti"]) == (
        "office.bot",
        "arbiter",
        "T",
        row["id"],
    )
    assert claims["exp"] - claims["iat"] <= 7 * 86_400, "the organiser's own token is valid for seven days"


def test_lifetime_is_the_requested_one_if_the_creator_has_longer(holder, organiser):
    long = holder(days=400)
    claims = jwt.decode(created(long)[0]["token"], options={"verify_signature": False})
    assert claims["exp"] - claims["iat"] == integration_tokens.DAYS * 86_400
    is_problem(long("POST", AT, BOT | {"days": 366}), 422, "bad-fields")


def test_roles_and_tournaments_get_a_token_each(house, organiser):
    rows = created(organiser, roles=["appeals", "arbiter"], other_tournaments=["U"])
    assert {(row["tournament"], row["role"]) for row in rows} == {
        (t, role) for t in ("T", "U") for role in ("arbiter", "appeals")
    }
    assert len({row["id"] for row in rows}) == 4
    held = organiser("GET", "/v1/tournaments/U/officials").get_json()["officials"]
    assert {"arbiter", "appeals"} == {role for one in held if one["name"] == "office.bot" for role in one["roles"]}


def test_request_with_one_forbidden_tournament_writes_nothing(holder, organiser):
    other = holder(name="zhou")
    cup = {"id": "V", "name": "Cup", "game": "xiangqi", "format": "swiss", "rounds": 3, "regulations": "campus"}
    assert other("POST", "/v1/tournaments", cup).status_code == 201
    before = len(events(organiser))
    is_problem(organiser("POST", AT, BOT | {"other_tournaments": ["V"]}), 403, "office-not-held")
    is_problem(organiser("POST", AT, BOT | {"other_tournaments": ["W"]}), 404, "unknown-tournament")
    scoped = holder(tournament="T")
    is_problem(scoped("POST", AT, BOT | {"other_tournaments": ["U"]}), 403, "token-scope")
    assert len(events(organiser)) == before and states(organiser) == []


def test_chief_arbiter_gives_no_organisers_token_and_revokes_none(holder, organiser):
    chief = holder("chief_arbiter", "wang")
    before = len(events(organiser))
    is_problem(chief("POST", AT, BOT | {"roles": ["organiser"]}), 403, "not-theirs-to-give")
    assert len(events(organiser)) == before
    (row,) = created(organiser, roles=["organiser"])
    is_problem(chief("DELETE", f"{AT}/{row['id']}"), 403, "not-theirs-to-end")
    assert created(chief, roles=["arbiter"])[0]["by"] == "wang"


def test_session_of_a_tablet_creates_no_tokens(holder, organiser):
    tablet = holder("arbiter", "wang", "T", boards=Boards(1, 2))
    is_problem(tablet("POST", AT, BOT), 403, "session-narrowed")


@pytest.mark.parametrize(
    "wrong",
    [
        {"roles": []}, {"roles": ["player"]}, {"roles": ["rulebook"]}, {"name": ""}, {"name": "a\u200bb"}, {"days": 0},
        {"other_tournaments": ["a/b"]}, {"other_tournaments": [f"x{n}" for n in range(20)]}, {"token": "mine"},
        {"roles": ["arbiter", "appeals"], "other_tournaments": [f"x{n}" for n in range(10)]},
    ],
)  # fmt: skip
def test_invalid_request_is_refused_and_writes_nothing(organiser, wrong):
    before = len(events(organiser))
    assert organiser("POST", AT, BOT | wrong).status_code == 422
    assert len(events(organiser)) == before


def test_revoked_token_is_refused_at_once(house, holder, organiser):
    first, second = created(organiser, roles=["arbiter", "appeals"])
    assert organiser("DELETE", f"{AT}/{first['id']}").get_json()["jti"] == first["id"]
    is_problem(program(house, first)("POST", AT, BOT), 401, "token-revoked")
    is_problem(program(house, second)("POST", AT, BOT), 403, "role-may-not")
    assert [state for _, state in states(organiser)] == ["revoked", "active"]
    assert "revoked" in {state for _, state in states(holder("chief_arbiter", "wang"))}


def test_repeated_revocation_adds_no_record(house, organiser, monkeypatch):
    log, (row,) = house.extensions[EXTENSION].desk.log, created(organiser)
    first = organiser("DELETE", f"{AT}/{row['id']}")
    records = log.revocations()
    later = SimpleNamespace(time=lambda: time.time() + 5)
    monkeypatch.setattr(integration_tokens, "time", later)
    again = organiser("DELETE", f"{AT}/{row['id']}")
    assert (first.status_code, again.status_code, again.get_json()["jti"]) == (200, 200, row["id"])
    assert (records, log.revocations()) == (1, 1)


def test_unknown_token_is_not_revoked_from_another_tournament(organiser):
    (row,) = created(organiser)
    is_problem(organiser("DELETE", f"/v1/tournaments/U/tokens/{row['id']}"), 404, "unknown-token")
    assert states(organiser) == [("arbiter", "active")]


def test_expired_token_is_refused(house, organiser, monkeypatch):
    past = SimpleNamespace(time=lambda: time.time() - 40 * 86_400)
    with monkeypatch.context() as earlier:
        earlier.setattr(integration_tokens, "time", past)
        (row,) = created(organiser)
    is_problem(program(house, row)("POST", AT, BOT), 401, "token-expired")
    assert states(organiser) == [("arbiter", "expired")]


def test_token_of_a_dismissed_program_is_refused_and_a_new_one_does_not_reinstate_it(house, organiser):
    (row,) = created(organiser)
    sacked = organiser("POST", "/v1/tournaments/T/officials/office.bot/dismissal", {"reason": "moved"})
    assert sacked.status_code == 201
    is_problem(program(house, row)("POST", "/v1/tournaments/T/check-in", {"came": [1]}), 403, "official-dismissed")
    assert states(organiser) == [("arbiter", "role_not_held")]
    is_problem(organiser("POST", AT, BOT), 403, "official-dismissed")
    assert states(organiser) == [("arbiter", "role_not_held")]


@pytest.mark.parametrize("when", ["before", "after"])
def test_name_dismissed_during_the_request_is_not_reinstated(house, organiser, monkeypatch, when):
    real = integration_tokens.submitted

    def overtaken(desk, *command):
        if when == "before":
            sacked = organiser("POST", "/v1/tournaments/T/officials/office.bot/dismissal", {"reason": "moved"})
            assert sacked.status_code == 201
        written = real(desk, *command)
        if when == "after":
            sacked = organiser("POST", "/v1/tournaments/T/officials/office.bot/dismissal", {"reason": "moved"})
            assert sacked.status_code == 201
        return written

    monkeypatch.setattr(integration_tokens, "submitted", overtaken)
    is_problem(organiser("POST", AT, BOT), 403, "official-dismissed")
    held = organiser("GET", "/v1/tournaments/T/officials").get_json()["officials"]
    assert "office.bot" not in {one["name"] for one in held} and states(organiser) == []


def test_appointment_not_yet_read_from_the_log_is_retryable(organiser, monkeypatch):
    with monkeypatch.context() as lagging:
        lagging.setattr(integration_tokens, "submitted", lambda *command: None)
        answer = organiser("POST", AT, BOT, {"Idempotency-Key": "k"})
    is_problem(answer, 503, "behind")
    assert answer.headers["Retry-After"] == "1" and states(organiser) == []
    created(organiser, headers={"Idempotency-Key": "k"})


def test_missing_signing_key_is_found_before_anything_is_written(organiser, tmp_path):
    written = len(events(organiser))
    (tmp_path / "token.key").rename(tmp_path / "away.key")
    is_problem(organiser("POST", AT, BOT), 503, "no-key")
    assert (len(events(organiser)), states(organiser)) == (written, [])


def test_login_name_of_a_person_is_refused_by_name(house, holder, organiser):
    written = len(events(organiser))
    browser = house.test_client()
    auditor = holder("auditor", "shen", "T").token
    assert browser.post("/login", data={"token": auditor}, headers=HOST).status_code == 303
    sent = {"role": "auditor", "name": "ren"}
    assert organiser("POST", "/v1/tournaments/T/invitations", sent).status_code == 201
    for name in ("wang", "li.wei", "shen", "ren"):
        refused = organiser("POST", AT, BOT | {"name": name})
        is_problem(refused, 409, "name-taken")
        assert f"{name} is already a login name in T" in refused.get_json()["detail"]
        assert "choose another one" in refused.get_json()["detail"]
    assert (len(events(organiser)), states(organiser)) == (written, [])


def test_program_gets_further_tokens_after_its_first_has_expired(organiser, monkeypatch):
    past = SimpleNamespace(time=lambda: time.time() - 40 * 86_400)
    with monkeypatch.context() as earlier:
        earlier.setattr(integration_tokens, "time", past)
        created(organiser)
    created(organiser, roles=["appeals"])
    assert states(organiser) == [("arbiter", "expired"), ("appeals", "active")]


def test_request_repeated_after_expiry_creates_no_second_token(organiser, monkeypatch):
    key = {"Idempotency-Key": "k"}
    past = SimpleNamespace(time=lambda: time.time() - 40 * 86_400)
    with monkeypatch.context() as earlier:
        earlier.setattr(integration_tokens, "time", past)
        created(organiser, headers=key)
    is_problem(organiser("POST", AT, BOT, key), 409, "token-created-already")
    assert states(organiser) == [("arbiter", "expired")]


def test_repeated_request_creates_no_second_token(organiser):
    key = {"Idempotency-Key": "k"}
    created(organiser, headers=key)
    written = len(events(organiser))
    is_problem(organiser("POST", AT, BOT, key), 409, "token-created-already")
    for changed in ({"days": 2}, {"roles": ["appeals"]}, {"other_tournaments": ["U"]}, {"name": "other.bot"}):
        is_problem(organiser("POST", AT, BOT | changed, key), 422, "idempotency-key-reused")
    assert (len(events(organiser)), states(organiser)) == (written, [("arbiter", "active")])


def test_crash_after_the_appointment_leaves_no_token_and_is_repeated(house, organiser, monkeypatch):
    kept, key = house.extensions[EXTENSION].desk.log.invitations, {"Idempotency-Key": "k"}
    written = len(events(organiser))

    def lost(*rows):
        assert len(events(organiser)) == written + 1, "the log states the role first"
        raise LogUnavailable("the database does not answer")

    with monkeypatch.context() as away:
        away.setattr(kept, "invite", lost)
        assert organiser("POST", AT, BOT, key).status_code == 503
    assert states(organiser) == []
    created(organiser, headers=key)
    assert (len(events(organiser)), states(organiser)) == (written + 1, [("arbiter", "active")])


def test_secret_is_neither_stored_nor_listed(house, organiser, tmp_path):
    (row,) = created(organiser)
    secret = row["token"].rpartition(".")[2]
    assert secret not in organiser("GET", AT).text
    stored = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert row["id"].encode() in stored and secret.encode() not in stored


def test_number_of_active_tokens_is_bounded_and_revoked_ones_do_not_count(organiser, monkeypatch):
    monkeypatch.setattr(integration_tokens, "ACTIVE_AT_MOST", 1)
    (row,) = created(organiser)
    is_problem(organiser("POST", AT, BOT), 409, "too-many-tokens")
    assert organiser("DELETE", f"{AT}/{row['id']}").status_code == 200
    created(organiser)


def test_device_keeps_the_boards_of_its_appointment(organiser):
    device = {"name": "dgt", "role": "board", "boards": [2]}
    assert organiser("POST", "/v1/tournaments/T/officials", device).status_code == 201
    created(organiser, name="dgt", roles=["board"])
    (held,) = [
        one for one in organiser("GET", "/v1/tournaments/T/officials").get_json()["officials"] if one["name"] == "dgt"
    ]
    assert held["boards"] == [2]


def test_tournament_without_roles_in_its_log_gets_no_token():
    old = Tournament("old")
    assert old.offices < 2
    refusal = refuse_integration_token(old, "organiser", Actor("office.bot", "arbiter"))
    assert refusal is not None and refusal.code == "roles-not-in-log"


def test_page_creates_shows_once_and_revokes(house, holder, organiser):
    browser = house.test_client()
    browser.post("/login", data={"token": organiser.token}, headers=HOST)
    once = re.search(r'name="once" value="([^"]+)"', browser.get("/t/T/tokens").text)[1]
    fields = {
        "act": "create",
        "once": once,
        "name": "office.bot",
        "roles": ["arbiter"],
        "other_tournaments": "U",
        "days": "2",
    }
    shown = browser.post("/t/T/tokens", data=fields, headers=HOST)
    assert shown.status_code == 201 and shown.headers["Cache-Control"] == "no-store"
    secrets = re.findall(r'value="(eyJ[^"]+)"', shown.text)
    claims = [jwt.decode(one, options={"verify_signature": False}) for one in secrets]
    assert [(one["tournament"], one["role"]) for one in claims] == [("T", "arbiter"), ("U", "arbiter")]
    assert browser.post("/t/T/tokens", data=fields, headers=HOST).status_code == 409
    listed = browser.get("/t/T/tokens").text
    assert claims[0]["jti"] in listed and secrets[0] not in listed
    sent = {"act": "revoke", "token": claims[0]["jti"]}
    assert browser.post("/t/T/tokens", data=sent).status_code == 403, "a form of another origin"
    assert browser.post("/t/T/tokens", data=sent, headers=HOST).status_code == 303
    is_problem(Caller(house.test_client(), secrets[0])("POST", AT, BOT), 401, "token-revoked")
    assert json.dumps(states(organiser)) == '[["arbiter", "revoked"]]'
    guest = house.test_client().get("/t/T/tokens").text
    assert claims[0]["jti"] not in guest and 'name="act"' not in guest
