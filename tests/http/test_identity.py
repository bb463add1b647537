"""Who may speak: tokens, their keys, scope and time."""

import os
import time
from threading import Thread

import jwt
import pytest
import uuid_utils
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from shared.audit.keys import key_files
from shared.core.terms import Actor
from shared.http.identity import tokens
from shared.http.problems import Problem
from shared.http.requests import auth
from tests.http.test_problems import is_problem

ENTER = ("POST", "/v1/tournaments/T/entries", {"name": "x"})


def forged(tmp_path, key=None, algorithm="EdDSA", header=None, **changed):
    """A token made by hand; ``None`` takes a claim away."""
    key = key or key_files.read(tmp_path / "token.key")
    now = int(time.time())
    claims = {
        "iss": "arbiter",
        "aud": "arbiter",
        "sub": "li.wei",
        "role": "organiser",
        "iat": now,
        "exp": now + 60,
        "jti": str(uuid_utils.uuid7()),
    }
    claims |= changed
    claims = {name: value for name, value in claims.items() if value is not None}
    kid = next((tmp_path / "token-keys").glob("*.pem")).stem
    return jwt.encode(claims, key, algorithm=algorithm, headers={"kid": kid} if header is None else header)


def test_no_token_is_told_how_to_send_one(announced, caller):
    answer = caller(None)(*ENTER)
    is_problem(answer, 401, "token-missing")
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")


def test_who_has_no_identity_is_told_that_before_what_is_wrong_with_the_body(announced, caller):
    for body in (b"{", b"x" * 2_000_000):
        answer = caller(None)("POST", "/v1/tournaments", data=body, headers={"Content-Type": "application/json"})
        is_problem(answer, 401, "token-missing")


@pytest.mark.parametrize(
    ("token", "code"),
    [
        (lambda d: "nonsense", "token-malformed"),
        (lambda d: "a" * 5000, "token-malformed"),
        (lambda d: tokens.issue(d, "organiser", "li", now=time.time() - 8 * 86400), "token-expired"),
        (lambda d: tokens.issue(d, "organiser", "li", now=time.time() + 600), "token-from-the-future"),
        (lambda d: forged(d, Ed25519PrivateKey.generate()), "token-signature"),
        (lambda d: forged(d, header={"kid": "0" * 16}), "token-key-unknown"),
        (lambda d: forged(d, header={}), "token-key-unknown"),
        (lambda d: forged(d, "k" * 32, "HS256"), "token-signature"),
        (lambda d: forged(d, exp=None), "token-incomplete"),
        (lambda d: forged(d, jti=None), "token-incomplete"),
        (lambda d: forged(d, jti="1"), "token-incomplete"),
        (lambda d: forged(d, jti=str(uuid_utils.uuid7()).upper()), "token-incomplete"),
        (lambda d: forged(d, aud=None), "token-incomplete"),
        (lambda d: forged(d, iss=None), "token-incomplete"),
        (lambda d: forged(d, aud="bank"), "token-audience"),
        (lambda d: forged(d, iss="club.example"), "token-issuer"),
        (lambda d: forged(d, exp=int(time.time()) + 3651 * 86400), "token-too-long"),
        (lambda d: forged(d, role="rulebook"), "token-incomplete"),
        (lambda d: forged(d, role="king"), "token-incomplete"),
        (lambda d: forged(d, sub=""), "token-incomplete"),
        (lambda d: forged(d, tournament=7), "token-incomplete"),
    ],
)
def test_a_bad_token_is_refused_and_said_why(announced, tmp_path, token, code):
    announced.token = token(tmp_path)
    answer = announced(*ENTER)
    is_problem(answer, 401, code)
    assert 'error="invalid_token"' in answer.headers["WWW-Authenticate"]


def test_a_token_of_no_algorithm_is_refused(announced, tmp_path):
    good = tokens.issue(tmp_path, "organiser", "li")
    kid = jwt.get_unverified_header(good)["kid"]
    claims = jwt.decode(good, options={"verify_signature": False})
    announced.token = jwt.encode(claims, None, algorithm="none", headers={"kid": kid})
    is_problem(announced(*ENTER), 401, "token-signature")


def test_a_token_of_another_tournament_is_forbidden(announced, caller):
    is_problem(caller(tournament="U")(*ENTER), 403, "token-scope")
    assert caller(tournament="T")(*ENTER).status_code == 201


def test_a_role_without_the_authority_is_forbidden(announced, caller):
    is_problem(caller("auditor")(*ENTER), 403, "role-may-not")
    is_problem(caller("player")("GET", "/v1/tournaments/T/texts"), 403, "role-may-not")
    assert caller("auditor")("GET", "/v1/tournaments/T/texts").status_code == 200


def test_the_actor_of_an_event_is_the_tokens(announced, tmp_path):
    event = announced(*ENTER).get_json()["events"][0]
    claims = jwt.decode(announced.token, options={"verify_signature": False})
    assert (event["actor"], event["role"], event["tokenid"]) == ("li.wei", "organiser", claims["jti"])


def test_the_cookie_reads_but_does_not_command(announced, caller, tmp_path):
    nobody = caller(None)
    nobody.client.set_cookie(auth.COOKIE, tokens.issue(tmp_path, "auditor", "wang"))
    assert "wang" in nobody("GET", "/page").text
    assert nobody("GET", "/v1/tournaments/T/texts").status_code == 200
    is_problem(nobody(*ENTER), 401, "token-missing")
    nobody.client.set_cookie(auth.COOKIE, "stale")
    assert "nobody" in nobody("GET", "/page").text


def test_of_three_keys_the_two_newest_count(announced, tmp_path, clock):
    first = announced.token
    tokens.rotate(tmp_path)
    second = tokens.issue(tmp_path, "organiser", "li")
    for token in (first, second):
        announced.token = token
        assert announced(*ENTER).status_code == 201
    tokens.rotate(tmp_path)
    third = tokens.issue(tmp_path, "organiser", "li")
    clock.seconds += tokens.LOOK_SECONDS
    for token, status in ((first, 401), (second, 201), (third, 201)):
        announced.token = token
        assert announced(*ENTER).status_code == status


def test_a_token_of_a_new_key_counts_at_once(announced, tmp_path):
    tokens.rotate(tmp_path)
    announced.token = tokens.issue(tmp_path, "organiser", "li")
    assert announced(*ENTER).status_code == 201


def test_a_key_taken_away_counts_until_the_folder_is_looked_at_again(announced, tmp_path, clock):
    published = next((tmp_path / "token-keys").glob("*.pem"))
    assert announced(*ENTER).status_code == 201
    published.unlink()
    clock.seconds += tokens.LOOK_SECONDS * 0.9
    assert announced(*ENTER).status_code == 201
    clock.seconds += tokens.LOOK_SECONDS * 0.1
    is_problem(announced(*ENTER), 401, "token-key-unknown")


def test_two_changes_that_bear_one_time_are_both_seen(tmp_path, clock):
    tokens.ensure_keys(tmp_path)
    folder = tmp_path / "token-keys"
    ring, good = tokens.Keyring(folder, clock), tokens.issue(tmp_path, "organiser", "li")
    changed = folder.stat().st_mtime_ns
    assert ring.identify(good).actor.name == "li"
    next(folder.glob("*.pem")).unlink()
    os.utime(folder, ns=(changed, changed))
    clock.seconds += tokens.LOOK_SECONDS
    with pytest.raises(Problem):
        ring.identify(good)


def test_three_public_keys_at_a_time_are_not_taken(tmp_path):
    for _ in range(3):
        (tmp_path / "token.key").unlink(missing_ok=True)
        tokens.ensure_keys(tmp_path)
    with pytest.raises(tokens.BadKeys, match="holds 3 keys"):
        tokens.Keyring(tmp_path / "token-keys")


def test_a_third_key_put_beside_a_running_service_does_not_count(announced, tmp_path):
    good = announced.token
    for _ in range(2):
        (tmp_path / "token.key").unlink()
        tokens.ensure_keys(tmp_path)
    assert announced(*ENTER).status_code == 201
    announced.token = tokens.issue(tmp_path, "organiser", "li")
    is_problem(announced(*ENTER), 401, "token-key-unknown")
    announced.token = good
    assert announced(*ENTER).status_code == 201


def test_the_private_key_is_its_owners_only_and_made_once(tmp_path):
    threads = [Thread(target=tokens.ensure_keys, args=(tmp_path,)) for _ in range(8)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert (tmp_path / "token.key").stat().st_mode & 0o777 == 0o600
    assert len(list((tmp_path / "token-keys").iterdir())) == 1
    ring = tokens.Keyring(tmp_path / "token-keys")
    identity = ring.identify(tokens.issue(tmp_path, "arbiter", "wáng 王", "T"))
    assert identity.tournament == "T" and identity.actor == Actor("wáng 王", "arbiter", identity.actor.tokenid)


@pytest.mark.parametrize(("role", "name"), [("king", "li"), ("rulebook", "li"), ("arbiter", ""), ("arbiter", "a\nb")])
def test_no_token_is_issued_for_what_it_may_not_say(tmp_path, role, name):
    tokens.ensure_keys(tmp_path)
    with pytest.raises(ValueError, match=r"role|name"):
        tokens.issue(tmp_path, role, name)
