"""Tokens taken back before their time: a stolen one is worth nothing a moment later, in every process, and stays so."""

import json
import time

import jwt
import pytest
import sqlalchemy as sa
import uuid_utils

from deploy.cli.main import run
from deploy.server import embedded, embedded_desk
from deploy.server.keys.kept_revocations import FILE as KEPT
from deploy.server.keys.kept_revocations import OLD_FILE as FILE
from deploy.server.keys.signing_key import LOG
from shared.core.terms import PAIRING
from shared.core.trust.token_revocations import Revocation
from shared.desk.keys.revocations import Revocations
from shared.http.app import close
from shared.http.identity import tokens
from shared.http.identity.tokens import BadKeys, Keyring
from shared.http.limits.rate_limits import Limits
from shared.http.problems import Problem
from shared.http.requests.app_context import EXTENSION
from shared.log.distributed import DistributedLog
from shared.log.kafka.broker import TOKENS
from shared.log.port import LogUnavailable
from shared.log.sql.tables import OUTBOX
from shared.log.sqlite import SqliteLog
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
    is_problem(nobody("DELETE", f"/v1/tokens/{uuid_utils.uuid7()}"), 401, "token-missing")
    is_problem(nobody("POST", REVOCATIONS, {"name": "x"}), 401, "token-missing")


def test_a_revoked_token_reads_nothing_that_takes_one_and_its_cookie_neither(holder, house):
    caller = holder("auditor", "wang")
    holder()("DELETE", f"/v1/tokens/{jti(caller)}")
    is_problem(caller("GET", "/v1/tournaments/T/texts"), 401, "token-revoked")
    browser = house.test_client()
    own = {"Origin": "http://localhost"}
    assert browser.post("/login", data={"token": caller.token}, headers=own).status_code == 401


def ring_on(folder, clock=time.monotonic) -> Keyring:
    """The keys as another process has them open on the same database."""
    log = SqliteLog(folder / "arbiter.db")
    return Keyring(folder / "token-keys", clock, Revocations(log, embedded_desk.service_keys(folder)))


def refused(ring: Keyring, token: str) -> str | None:
    try:
        ring.identify(token)
    except Problem as problem:
        return problem.code
    return None


def test_the_command_revokes_and_a_running_server_knows_it(holder, tmp_path, house):
    caller, other = holder("arbiter", "zhou"), holder("arbiter", "qian")
    assert counts(caller) and counts(other)
    assert run(["token", "--revoke", jti(caller), "--data", str(tmp_path)]) == 0
    assert run(["token", "--revoke-name", "Qian", "--data", str(tmp_path)]) == 0
    ring = ring_on(tmp_path)
    assert [refused(ring, one.token) for one in (caller, other)] == ["token-revoked"] * 2


def test_another_process_knows_a_second_later_of_a_token_that_it_took_before(house, holder, tmp_path):
    now = [0.0]
    ring, caller = ring_on(tmp_path, lambda: now[0]), holder("arbiter", "zhou")
    assert refused(ring, caller.token) is None
    assert caller("DELETE", f"/v1/tokens/{jti(caller)}").status_code == 200
    now[0] += tokens.LOOK_SECONDS
    assert refused(ring, caller.token) == "token-revoked"


def test_what_is_revoked_is_so_for_the_next_server(holder, tmp_path, house):
    caller = holder("arbiter", "zhou")
    assert caller("DELETE", f"/v1/tokens/{jti(caller)}").status_code == 200
    close(house)
    again = embedded.make_app(tmp_path)
    is_problem(Caller(again.test_client(), caller.token)("POST", "/v1/tournaments", {}), 401, "token-revoked")
    close(again)


def test_a_database_that_is_away_leaves_what_was_known(tmp_path, house, holder):
    now, caller, good = [0.0], holder("arbiter", "zhou"), holder("arbiter", "qian")
    caller("DELETE", f"/v1/tokens/{jti(caller)}")
    ring = ring_on(tmp_path, lambda: now[0])

    def away():
        raise LogUnavailable("the database does not answer")

    ring._revocations._log.revocations = away
    now[0] += tokens.LOOK_SECONDS
    assert (refused(ring, caller.token), refused(ring, good.token)) == ("token-revoked", None)


def test_asking_whether_a_token_is_revoked_costs_the_same_however_many_are(house, holder):
    revocations = house.extensions[EXTENSION].desk.revocations
    revocations.revoke(Revocation(1, "li.wei", name="zhou", tournament="T"))
    assert type(revocations.tokens) is set and type(revocations.names) is dict
    assert [revocations.covers("x", "zhou", t, 1) for t in ("T", "U", None)] == [True, False, False]


@pytest.mark.parametrize(
    "bad",
    [
        Revocation(1, "li.wei"), Revocation(1, "li.wei", jti="x"), Revocation(-1, "li.wei", name="zhou"),
        Revocation(1, "li.wei", jti=str(uuid_utils.uuid7()), name="zhou"), Revocation(1, "li.wei", name="Zhou"),
        Revocation(1, "li.wei", name="zhou", tournament="a/b"), Revocation(1, "", name="zhou"),
        Revocation(1, "li.wei", jti=str(uuid_utils.uuid7()).upper()),
    ],
)  # fmt: skip
def test_what_names_no_token_and_no_name_revokes_nothing(house, bad):
    revocations = house.extensions[EXTENSION].desk.revocations
    with pytest.raises(ValueError):
        revocations.revoke(bad)
    assert house.extensions[EXTENSION].desk.revocations._log.revocations() == 0


@pytest.mark.parametrize("version", ["0", "9"])
def test_an_id_that_no_token_has_is_refused(holder, version):
    is_problem(holder()("DELETE", f"/v1/tokens/0190aaaa-bbbb-{version}ccc-8ddd-eeeeffff0001"), 422, "bad-token-id")


@pytest.mark.parametrize("id", ["x", "1", "A" * 36, "%00", "0" * 36])
def test_what_is_no_id_has_no_address(holder, id):
    is_problem(holder()("DELETE", f"/v1/tokens/{id}"), 404, "not-found")


def test_the_address_of_revocations_is_that_of_no_token(holder):
    answer = holder()("DELETE", "/v1/tokens/revocations")
    is_problem(answer, 405, "method-not-allowed")
    assert set(answer.headers["Allow"].split(", ")) == {"POST", "OPTIONS"}


# ---------------------------------------------------------------- the file of 1.0.0


def test_the_file_of_the_version_before_is_taken_over_once_and_gone(tmp_path):
    tokens.ensure_keys(tmp_path)
    one, other = (tokens.issue(tmp_path, "arbiter", name) for name in ("zhou", "qian"))
    ids = [jwt.decode(token, options={"verify_signature": False})["jti"] for token in (one, other)]
    rows = [{"at": 1, "by": "operator", "jti": ids[0]}, {"at": int(time.time()) + 1, "by": "Li Wei", "name": "qian"}]
    rows += [{"at": 1, "by": "operator", "jti": "an id that no token has any more"}]
    (tmp_path / FILE).write_text(json.dumps(rows))
    app = embedded.make_app(tmp_path)
    assert not (tmp_path / FILE).exists()
    for token in (one, other):
        is_problem(Caller(app.test_client(), token)("POST", "/v1/tournaments", {}), 401, "token-revoked")
    assert app.extensions[EXTENSION].desk.revocations._log.revocations() == 2
    close(app)


@pytest.mark.parametrize(
    "content", ["", "{}", "[7]", '[{"at": "x", "by": "y"}]', "\ufffd", '[{"at":1,"by":"y","name":"Z"}]']
)
def test_a_file_that_cannot_be_read_is_an_error_and_not_an_empty_list(tmp_path, content):
    tokens.ensure_keys(tmp_path)
    (tmp_path / FILE).write_text(content)
    with pytest.raises(BadKeys, match=FILE.name):
        embedded.make_app(tmp_path)
    assert (tmp_path / FILE).exists()


def test_doctor_says_that_the_file_is_still_there(tmp_path, capsys):
    assert run(["keys", "--data", str(tmp_path)]) == 0
    (tmp_path / FILE).write_text('[{"at": 1, "by": "operator", "name": "zhou"}]')
    run(["doctor", "--data", str(tmp_path)])
    assert "revoked.json has 1 revocation of an earlier version" in capsys.readouterr().out


# ---------------------------------------------------------------- the command


def test_the_command_writes_where_pairings_database_is_named_and_its_worker_sends_it(tmp_path):
    assert run(["keys", "--data", str(tmp_path)]) == 0
    token = tokens.issue(tmp_path, "arbiter", "zhou")
    id = jwt.decode(token, options={"verify_signature": False})["jti"]
    database = f"sqlite:///{tmp_path / 'pairing.db'}"
    args = ["token", "--revoke", id, "--data", str(tmp_path), "--database", f"pairing={database}"]
    assert run(args) == 0
    log = DistributedLog(database, PAIRING)
    with log.begin() as connection:
        assert [(r.topic, r.key) for r in connection.execute(sa.select(OUTBOX))] == [(TOKENS, f"jti/{id}")]
    assert log.revocations() == 1
    log.close()


def test_without_a_database_the_command_says_where_to_look(tmp_path, capsys):
    assert run(["keys", "--data", str(tmp_path)]) == 0
    assert run(["token", "--revoke", str(uuid_utils.uuid7()), "--data", str(tmp_path)]) == 2
    assert "--database pairing=URL" in capsys.readouterr().err
    assert not (tmp_path / "arbiter.db").exists()


@pytest.mark.parametrize(
    "args",
    [
        ("--revoke", "a", "--revoke-name", "b"), ("--revoke", "a", "--role", "arbiter"), ("--role", "arbiter"),
        ("--role", "arbiter", "--name", "x", "--url", "localhost"), ("--revoke-name", "\u200b"), ("--revoke", "x"), (),
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
    told = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.9", "Origin": "http://localhost"}
    answer = app.test_client().post(
        "/login", data={"token": tokens.issue(tmp_path, "auditor", "wang")}, headers=told,
        environ_base={"REMOTE_ADDR": address},
    )  # fmt: skip
    close(app)
    cookie = answer.headers["Set-Cookie"]
    assert ("Secure" in cookie) == secure
    assert "HttpOnly" in cookie and "SameSite=Strict" in cookie


def test_a_backup_of_the_database_that_is_put_back_takes_no_revocation_back(tmp_path):
    close(embedded.make_app(tmp_path, Limits(rate=0, reads=0)))
    backup = (tmp_path / LOG).read_bytes()
    token = tokens.issue(tmp_path, "organiser", "li.wei")
    id = str(jwt.decode(token, options={"verify_signature": False})["jti"])
    assert run(["token", "--revoke", id, "--data", str(tmp_path)]) == 0
    kept = tmp_path / KEPT
    assert kept.stat().st_mode & 0o077 == 0
    genuine, forged = kept.read_bytes(), kept.read_bytes().replace(id.encode(), str(uuid_utils.uuid7()).encode())
    kept.write_bytes(forged + b"no record\n" + genuine)
    for file in tmp_path.glob(f"{LOG}*"):
        file.unlink()
    (tmp_path / LOG).write_bytes(backup)
    app = embedded.make_app(tmp_path, Limits(rate=0, reads=0))
    try:
        assert not counts(Caller(app.test_client(), token))
        assert app.extensions[EXTENSION].desk.log.revocations() == 1
    finally:
        close(app)
    kept.unlink()
    kept.mkdir()
    with pytest.raises(BadKeys, match=KEPT):
        embedded.make_app(tmp_path, Limits(rate=0, reads=0))


def test_what_was_revoked_is_answered_so_although_the_database_is_lost_then(house, holder, monkeypatch):
    thief, office = holder("chief_arbiter", "wang"), holder()
    revocations = house.extensions[EXTENSION].desk.revocations
    log, asked = revocations._log, revocations._log.revocations

    def lost():
        raise LogUnavailable("the database does not answer")

    monkeypatch.setattr(revocations, "keep", lambda: monkeypatch.setattr(log, "revocations", lost))
    assert office("DELETE", f"/v1/tokens/{jti(thief)}").status_code == 200
    monkeypatch.setattr(log, "revocations", asked)
    assert not counts(thief)
