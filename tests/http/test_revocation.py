"""Tokens taken back before their time: a stolen one is worth nothing a moment later, in every process, and stays so."""

import json
import time

import jwt
import pytest

from deploy.cli.main import run
from deploy.server import embedded
from shared.http import tokens
from shared.http.app import close
from shared.http.problems import Problem
from shared.http.rate_limits import Limits
from shared.http.revocations import FILE, LONGEST_SECONDS, Revocation, revoke
from shared.http.tokens import BadKeys, Keyring
from tests.http.conftest import Caller
from tests.http.test_problems import is_problem

REVOCATIONS = "/v1/tokens/revocations"


@pytest.fixture
def house(tmp_path):
    app = embedded.make_app(tmp_path, Limits(rate=0, reads=0))
    yield app
    close(app)


@pytest.fixture
def holder(house, tmp_path):
    """Someone with a fresh token."""

    def make(role="organiser", name="li.wei", tournament=None, issued=None) -> Caller:
        return Caller(house.test_client(), tokens.issue(tmp_path, role, name, tournament, now=issued))

    return make


def jti(caller: Caller) -> str:
    return str(jwt.decode(caller.token, options={"verify_signature": False})["jti"])


def counts(caller: Caller) -> bool:
    """Whether the token still speaks: a command without a body is refused for that, or for who sends it."""
    answer = caller("POST", "/v1/tournaments", {})
    if answer.status_code == 401:
        is_problem(answer, 401, "token-revoked")
        return False
    return True


def test_a_token_that_was_revoked_a_moment_ago_is_refused(holder):
    thief, office = holder("chief_arbiter", "wang"), holder()
    assert counts(thief)
    answer = office("DELETE", f"/v1/tokens/{jti(thief)}")
    assert (answer.status_code, answer.get_json()["jti"]) == (200, jti(thief))
    assert not counts(thief)
    assert counts(holder("chief_arbiter", "wang")), "his others stay good"


def test_whoever_holds_a_token_revokes_it_himself_and_no_other(holder):
    mine, others = holder("arbiter", "zhou"), holder("arbiter", "qian")
    is_problem(mine("DELETE", f"/v1/tokens/{jti(others)}"), 403, "role-may-not")
    assert mine("DELETE", f"/v1/tokens/{jti(mine)}").status_code == 200
    assert (counts(mine), counts(others)) == (False, True)


@pytest.mark.parametrize("role", ["chief_arbiter", "arbiter", "auditor", "player"])
def test_nobody_but_the_organiser_revokes_the_tokens_of_a_name(holder, role):
    is_problem(holder(role, "1")("POST", REVOCATIONS, {"name": "li.wei"}), 403, "role-may-not")


def test_an_organiser_of_one_tournament_revokes_no_token_that_may_be_for_another(holder):
    scoped, everywhere, here = holder(tournament="T"), holder("arbiter", "zhou"), holder("arbiter", "zhou", "T")
    is_problem(scoped("DELETE", f"/v1/tokens/{jti(everywhere)}"), 403, "role-may-not")
    answer = scoped("POST", REVOCATIONS, {"name": "zhou"})
    assert (answer.status_code, answer.get_json()["tournament"]) == (201, "T")
    assert (counts(everywhere), counts(here)) == (True, False)


def test_all_tokens_of_a_name_that_were_issued_until_now_are_revoked_at_once(holder):
    before = [holder("arbiter", "Zhou"), holder("chief_arbiter", "zhou ", "T")]
    other = holder("arbiter", "qian")
    assert holder()("POST", REVOCATIONS, {"name": "ZHOU"}).status_code == 201
    assert [counts(one) for one in before] == [False, False]
    assert counts(other)
    assert counts(holder("arbiter", "zhou", issued=time.time() + 2)), "what he is issued later is good"


@pytest.mark.parametrize(
    ("body", "status"), [({}, 422), ({"name": ""}, 422), ({"name": "a\u200bb"}, 422), ({"name": "x", "jti": "y"}, 422)]
)
def test_a_body_that_names_nobody_is_refused(holder, body, status):
    assert holder()("POST", REVOCATIONS, body).status_code == status


def test_without_a_token_nothing_is_revoked(house):
    nobody = Caller(house.test_client(), None)
    is_problem(nobody("DELETE", "/v1/tokens/x"), 401, "token-missing")
    is_problem(nobody("POST", REVOCATIONS, {"name": "x"}), 401, "token-missing")


def test_a_revoked_token_reads_nothing_that_takes_one_and_its_cookie_neither(holder):
    caller = holder("auditor", "wang")
    holder()("DELETE", f"/v1/tokens/{jti(caller)}")
    is_problem(caller("GET", "/v1/tournaments/T/texts"), 401, "token-revoked")
    assert caller("GET", f"/login?token={caller.token}").status_code == 401


def test_the_command_revokes_and_a_running_server_knows_it(holder, tmp_path, house):
    caller, other = holder("arbiter", "zhou"), holder("arbiter", "qian")
    assert counts(caller) and counts(other)
    assert run(["token", "--revoke", jti(caller), "--data", str(tmp_path)]) == 0
    assert run(["token", "--revoke-name", "Qian", "--data", str(tmp_path)]) == 0
    ring = Keyring(tmp_path / "token-keys")
    for one in (caller, other):
        with pytest.raises(Problem) as refused:
            ring.identify(one.token)
        assert refused.value.code == "token-revoked"


def test_a_service_that_has_the_keys_open_knows_it_at_its_next_look(tmp_path):
    tokens.ensure_keys(tmp_path)
    now = [0.0]
    ring, token = Keyring(tmp_path / "token-keys", lambda: now[0]), tokens.issue(tmp_path, "arbiter", "zhou")
    identity = ring.identify(token)
    revoke(tmp_path / "token-keys", Revocation(int(time.time()), "li.wei", jti=identity.actor.tokenid))
    now[0] += tokens.LOOK_SECONDS
    with pytest.raises(Problem) as refused:
        ring.identify(token)
    assert refused.value.code == "token-revoked"


def test_what_is_revoked_is_remembered_by_the_next_process_and_forgotten_when_no_token_can_be_left(tmp_path):
    tokens.ensure_keys(tmp_path)
    folder = tmp_path / "token-keys"
    revoke(folder, Revocation(int(time.time()) - LONGEST_SECONDS - 2 * 86_400, "li.wei", name="long ago"))
    revoke(folder, Revocation(int(time.time()), "li.wei", name="zhou"))
    assert [one["name"] for one in json.loads((folder / FILE).read_text())] == ["zhou"]


@pytest.mark.parametrize("content", ["", "{}", "[7]", '[{"at": "x", "by": "y"}]', "\ufffd"])
def test_a_list_that_cannot_be_read_is_an_error_and_not_an_empty_list(tmp_path, content):
    tokens.ensure_keys(tmp_path)
    (tmp_path / "token-keys" / FILE).write_text(content)
    with pytest.raises(BadKeys, match=FILE):
        Keyring(tmp_path / "token-keys")
    assert run(["token", "--revoke", "x", "--data", str(tmp_path)]) == 2


def test_where_the_keys_are_only_read_the_service_says_where_to_revoke(holder, monkeypatch):
    def read_only(*_):
        raise PermissionError("read-only")

    monkeypatch.setattr(tokens, "revoke", read_only)
    answer = holder()("DELETE", "/v1/tokens/x")
    is_problem(answer, 409, "keys-read-only")
    assert "arbiter token --revoke" in answer.get_json()["detail"]


@pytest.mark.parametrize(
    "args",
    [
        ("--revoke", "a", "--revoke-name", "b"), ("--revoke", "a", "--role", "arbiter"), ("--role", "arbiter"),
        ("--role", "arbiter", "--name", "x", "--url", "localhost"), ("--revoke-name", "\u200b"), (),
    ],
)  # fmt: skip
def test_a_call_of_the_command_that_says_two_things_or_none_is_refused(tmp_path, args, capsys):
    tokens.ensure_keys(tmp_path)
    assert run(["token", *args, "--data", str(tmp_path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_tokens_of_another_house_that_shares_the_key_do_not_count(tmp_path, monkeypatch):
    tokens.ensure_keys(tmp_path)
    token = tokens.issue(tmp_path, "arbiter", "zhou")
    (tmp_path / "arbiter.name").write_text("club.example\n")
    with pytest.raises(Problem) as refused:
        Keyring(tmp_path / "token-keys").identify(token)
    assert refused.value.code == "token-issuer"
    assert Keyring(tmp_path / "token-keys").identify(tokens.issue(tmp_path, "arbiter", "zhou")).actor.name == "zhou"


@pytest.mark.parametrize(("address", "secure"), [("127.0.0.1", True), ("192.0.2.7", False)])
def test_the_cookie_is_secure_where_a_proxy_that_counts_says_that_the_browser_came_by_tls(
    tmp_path, monkeypatch, address, secure
):
    monkeypatch.setenv("ARBITER_PROXIES", "127.0.0.1")
    app = embedded.make_app(tmp_path)
    answer = app.test_client().get(
        f"/login?token={tokens.issue(tmp_path, 'auditor', 'wang')}",
        headers={"X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.9"}, environ_base={"REMOTE_ADDR": address},
    )  # fmt: skip
    close(app)
    cookie = answer.headers["Set-Cookie"]
    assert ("Secure" in cookie) == secure
    assert "HttpOnly" in cookie and "SameSite=Strict" in cookie
