"""The way of a command: preconditions, keys, answers."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from shared.http.requests.request_parts import etag
from tests.http.test_problems import is_problem

ENTRIES = "/v1/tournaments/T/entries"
ROUNDS = "/v1/tournaments/T/rounds"


def test_a_command_answers_with_its_events_etag_and_digest(announced):
    answer = announced("POST", ENTRIES, {"name": "陈平"})
    event = answer.get_json()["events"][0]
    assert (answer.status_code, event["type"], event["sourceseq"]) == (201, "arbiter.player.entered.v2", 2)
    assert answer.headers["ETag"] == '"2"'
    seq, digest = answer.headers["Arbiter-Checkpoint"].split(":")
    assert (seq, len(digest)) == ("2", 40)
    assert "陈平" not in answer.text


def test_the_routes_own_fields_stand_beside_the_events(organiser):
    body = organiser("POST", "/v1/tournaments", {"id": "U", "name": "Cup"}).get_json()
    assert body["id"] == "U" and len(body["events"]) == 1


def test_a_decision_on_what_was_seen_needs_if_match(announced):
    is_problem(announced("POST", ROUNDS), 428, "if-match-required")
    assert announced("POST", ROUNDS, headers={"If-Match": '"1"'}).status_code == 201


@pytest.mark.parametrize("seq", [0, 7])
def test_a_stale_or_impossible_etag_is_412_with_the_right_one(announced, seq):
    answer = announced("POST", ROUNDS, headers={"If-Match": etag(seq)})
    assert is_problem(answer, 412, "stale")["seq"] == 1
    assert answer.headers["ETag"] == '"1"'


@pytest.mark.parametrize("said", ["*", "1", 'W/"1"', '"01"', '"x"', '"1", "2"', ""])
def test_an_if_match_that_is_no_etag_of_ours_is_400(announced, said):
    is_problem(announced("POST", ENTRIES, {"name": "x"}, headers={"If-Match": said}), 400, "bad-if-match")


def test_a_repeat_gets_the_first_answer_and_writes_nothing(announced):
    key = {"Idempotency-Key": "k1"}
    first = announced("POST", ENTRIES, {"name": "x"}, headers=key)
    again = announced("POST", ENTRIES, {"name": "x"}, headers=key)
    assert (again.status_code, again.data, again.headers["ETag"]) == (201, first.data, first.headers["ETag"])
    assert again.headers["Idempotent-Replayed"] == "true"
    assert announced("GET", "/v1/tournaments/T").get_json()["seq"] == 2


def test_the_key_is_looked_up_before_if_match(announced):
    headers = {"Idempotency-Key": "k1", "If-Match": '"1"'}
    assert announced("POST", ROUNDS, headers=headers).status_code == 201
    assert announced("POST", ROUNDS, headers=headers).status_code == 201


def test_one_key_sent_many_times_at_once_writes_once(announced, caller):
    callers = [caller() for _ in range(8)]
    with ThreadPoolExecutor(8) as pool:
        sent = [pool.submit(c, "POST", ENTRIES, {"name": "x"}, {"Idempotency-Key": "k1"}) for c in callers]
        answers = [each.result() for each in sent]
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.data for answer in answers}) == 1
    assert announced("GET", "/v1/tournaments/T").get_json()["seq"] == 2


def test_a_key_with_another_body_is_422(announced):
    key = {"Idempotency-Key": "k1"}
    announced("POST", ENTRIES, {"name": "x"}, headers=key)
    is_problem(announced("POST", ENTRIES, {"name": "y"}, headers=key), 422, "idempotency-key-reused")


def test_a_key_is_its_actors_and_paths_own(announced, caller):
    key = {"Idempotency-Key": "k1"}
    announced("POST", ENTRIES, {"name": "x"}, headers=key)
    assert "Idempotent-Replayed" not in caller(name="wang")("POST", ENTRIES, {"name": "x"}, headers=key).headers
    other_path = announced("POST", "/v1/tournaments", {"id": "U", "name": "x"}, headers=key)
    assert "Idempotent-Replayed" not in other_path.headers


def test_only_what_was_done_is_kept_under_a_key(organiser):
    key = {"Idempotency-Key": "k1"}
    is_problem(organiser("POST", ENTRIES, {"name": "x"}, headers=key), 404, "unknown-tournament")
    organiser("POST", "/v1/tournaments", {"id": "T", "name": "Cup"})
    assert organiser("POST", ENTRIES, {"name": "x"}, headers=key).status_code == 201


@pytest.mark.parametrize("key", ["", "a b", "k" * 201, "é"])
def test_a_key_that_is_none_is_400(announced, key):
    is_problem(announced("POST", ENTRIES, {"name": "x"}, headers={"Idempotency-Key": key}), 400, "bad-idempotency-key")


def test_a_preview_shows_what_would_be_and_writes_nothing(announced, caller):
    answer = announced("POST", f"{ENTRIES}?preview=true", {"name": "x"})
    assert answer.status_code == 200
    assert [event["type"] for event in answer.get_json()["events"]] == ["arbiter.player.entered.v2"]
    assert announced("GET", "/v1/tournaments/T").get_json()["seq"] == 1
    is_problem(caller("auditor")("POST", f"{ENTRIES}?preview=true", {"name": "x"}), 403, "role-may-not")
    is_problem(announced("POST", f"{ENTRIES}?preview=maybe", {"name": "x"}), 400, "bad-query")


@pytest.mark.parametrize("query", ["previw=true", "events=false&dry-run=1"])
def test_parameter_that_a_command_does_not_have_is_refused_and_nothing_is_written(announced, query):
    answer = announced("POST", f"{ENTRIES}?{query}", {"name": "x"})
    is_problem(answer, 422, "bad-fields")
    assert [*answer.get_json()["errors"]] == [query.rpartition("&")[2].partition("=")[0]]
    assert announced("GET", "/v1/tournaments/T").get_json()["seq"] == 1


def test_ending_service_is_not_ready_and_still_answers(app, announced):
    app.extensions["arbiter"].closing.set()
    is_problem(announced("GET", "/readyz"), 503, "not-ready")
    assert announced("POST", ENTRIES, {"name": "x"}).status_code == 201
    assert announced("GET", "/v1/tournaments/T").status_code == 200
