"""Reads: time travel, waiting, pages, live streams."""

import sqlite3
import threading

import pytest

from shared.http.identity import tokens
from shared.http.limits.rate_limits import Limits
from tests.http.conftest import Caller
from tests.http.house import an_app
from tests.http.test_problems import is_problem

T = "/v1/tournaments/T"
STREAM = {"Accept": "text/event-stream"}


@pytest.fixture
def three(announced):
    """T with three lines: announced, two entries."""
    for _ in range(2):
        announced("POST", f"{T}/entries", {"name": "x"})
    return announced


def test_a_tournament_is_told_with_its_etag(three, caller):
    answer = caller(None)("GET", T)
    assert answer.headers["ETag"] == '"3"'
    assert answer.headers["Cache-Control"] == "no-cache"
    told = answer.get_json()
    assert (told["id"], told["name"], told["game"], told["format"]) == ("T", "Cup", "xiangqi", "swiss")
    assert (told["rounds"], told["round"], told["players"], told["seq"]) == (3, 0, 2, 3)
    assert told["closed"] is False and told["regulations"] is None


def test_what_has_not_changed_is_not_sent_again(three):
    for said, status in (('"3"', 304), ('W/"3"', 304), ('"2", "3"', 304), ("*", 304), ('"2"', 200)):
        answer = three("GET", T, headers={"If-None-Match": said})
        assert (answer.status_code, answer.headers["ETag"]) == (status, '"3"')


def test_head_tells_the_etag_without_a_body(three):
    answer = three("HEAD", T)
    assert (answer.status_code, answer.data, answer.headers["ETag"]) == (200, b"", '"3"')
    assert three("HEAD", f"{T}/events", headers=STREAM).status_code == 200


def test_at_a_line_the_tournament_is_what_it_was(three):
    seen = [three("GET", f"{T}/players?at={at}") for at in (1, 2, 3)]
    assert [answer.get_json()["players"] for answer in seen] == [[], [1], [1, 2]]
    assert [answer.headers["ETag"][:3] for answer in seen] == ['"1-', '"2-', '"3-']


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ("at=x", 422, "bad-query"),
        ("at=0", 422, "bad-query"),
        ("at=-1", 422, "bad-query"),
        ("at=1.5", 422, "bad-query"),
        ("at=١", 422, "bad-query"),
        ("at=" + "9" * 30, 422, "bad-query"),
        ("after=x", 422, "bad-query"),
        ("at=1&after=2", 422, "bad-query"),
        ("at=4", 404, "beyond-the-end"),
        ("without=r9", 404, "unknown-ruling"),
        ("without=", 404, "unknown-ruling"),
        ("after=4", 503, "behind"),
    ],
)
def test_a_read_that_cannot_be_answered_says_why(three, query, status, code):
    answer = three("GET", f"{T}/players?{query}")
    is_problem(answer, status, code)
    assert ("Retry-After" in answer.headers) == (status == 503)


def test_a_read_waits_for_the_line_that_it_names(three, caller):
    writer = threading.Timer(0.1, lambda: caller()("POST", f"{T}/entries", {"name": "x"}))
    writer.start()
    answer = three("GET", f"{T}/players?after=4")
    writer.join()
    assert answer.get_json()["players"] == [1, 2, 3]


def test_pages_follow_each_other_to_the_end(three):
    seqs, url, pages = [], f"{T}/events?limit=2&type=x", 0
    while url:
        answer = three("GET", url)
        page = answer.get_json()
        seqs, url, pages = seqs + page["seqs"], page["next"], pages + 1
        assert ("Link" in answer.headers) == (url is not None)
        assert url is None or "type=x" in url
    assert (seqs, pages) == ([1, 2, 3], 2)


@pytest.mark.parametrize(
    "query", ["cursor=x", "cursor=3", "cursor=czE6LTE", "cursor=%00", "limit=0", "limit=501", "limit=x"]
)
def test_a_false_cursor_or_limit_is_refused(three, query):
    assert three("GET", f"{T}/events?{query}").status_code == 422


def events_of(answer, number):
    """The first events of a stream as (id, event, data)."""
    found = []
    for chunk in answer.response:
        lines = dict(line.split(b": ", 1) for line in chunk.strip().split(b"\n"))
        if b"id" in lines:
            found.append((int(lines[b"id"]), lines[b"event"].decode(), lines[b"data"]))
        if len(found) == number:
            break
    answer.close()
    return found


def test_a_stream_tells_each_line_with_its_number_type_and_bytes(app, three):
    got = events_of(three("GET", f"{T}/events", headers=STREAM), 3)
    rows = app.extensions["arbiter"].desk.lines("tournaments/T")
    assert [(id, data) for id, _, data in got] == [(row.seq, row.line) for row in rows]
    assert [type for _, type, _ in got] == ["arbiter.tournament.announced.v5"] + ["arbiter.player.entered.v2"] * 2


def test_a_stream_resumes_after_the_last_event_and_sees_what_comes(three, caller):
    answer = three("GET", f"{T}/events", headers=STREAM | {"Last-Event-ID": "2"})
    writer = threading.Timer(0.1, lambda: caller()("POST", f"{T}/entries", {"name": "x"}))
    writer.start()
    got = events_of(answer, 2)
    writer.join()
    assert [id for id, _, _ in got] == [3, 4]


@pytest.mark.parametrize(("said", "status"), [("x", 422), ("-1", 422), ("4", 404)])
def test_a_stream_from_nowhere_is_refused(three, said, status):
    assert three("GET", f"{T}/events", headers=STREAM | {"Last-Event-ID": said}).status_code == status


@pytest.fixture
def small(tmp_path):
    app = an_app(tmp_path / "small", Limits(streams=1, heartbeat=0.05))
    caller = Caller(app.test_client(), tokens.issue(tmp_path / "small", "organiser", "li"))
    caller("POST", "/v1/tournaments", {"id": "T", "name": "Cup"})
    yield app, caller
    app.extensions["arbiter"].desk.close()


def test_a_quiet_stream_shows_life_and_ends_with_the_service(small):
    app, caller = small
    answer = caller("GET", f"{T}/events", headers=STREAM)
    chunks = iter(answer.response)
    beats = [next(chunks) for _ in range(4)][2:]
    assert beats == [b": at 1\n\n"] * 2
    app.extensions["arbiter"].closing.set()
    assert len(list(chunks)) <= 1
    answer.close()


def test_places_for_streams_are_limited_and_given_back(small):
    app, caller = small
    first = caller("GET", f"{T}/events", headers=STREAM)
    full = caller("GET", f"{T}/events", headers=STREAM)
    is_problem(full, 503, "streams-full")
    assert int(full.headers["Retry-After"]) > 0
    first.close()
    again = caller("GET", f"{T}/events", headers=STREAM)
    assert again.status_code == 200
    again.close()
    assert app.extensions["arbiter"].stream_slots.taken == 0


def test_nobody_holds_the_places_for_streams_of_all_others(tmp_path):
    # given a service with four places, and a reader who holds three
    app = an_app(tmp_path, Limits(streams=4, heartbeat=0.05))
    li, chen = (Caller(app.test_client(), tokens.issue(tmp_path, "organiser", name)) for name in ("li", "chen"))
    li("POST", "/v1/tournaments", {"id": "T", "name": "Cup"})
    held = [li("GET", f"{T}/events", headers=STREAM) for _ in range(3)]
    # when he asks for the last, then it is kept for another
    is_problem(li("GET", f"{T}/events", headers=STREAM), 503, "streams-full")
    held.append(chen("GET", f"{T}/events", headers=STREAM))
    assert [answer.status_code for answer in held] == [200] * 4
    for answer in held:
        answer.close()
    assert app.extensions["arbiter"].stream_slots.taken == 0
    app.extensions["arbiter"].desk.close()


def test_a_tournament_with_an_unreadable_line_takes_no_commands_while_others_flow(tmp_path):
    data = tmp_path / "stopped"
    app = an_app(data)
    token = tokens.issue(data, "organiser", "li")
    before = Caller(app.test_client(), token)
    for id in ("T", "U"):
        before("POST", "/v1/tournaments", {"id": id, "name": "Cup"})
    before("POST", f"{T}/entries", {"name": "x"})
    app.extensions["arbiter"].desk.close()
    with sqlite3.connect(data / "arbiter.db") as database:
        database.execute("UPDATE events SET line = X'7B' WHERE stream = 'tournaments/T' AND seq = 2")
    app = an_app(data)
    after = Caller(app.test_client(), token)
    told = after("GET", T).get_json()
    assert told["seq"] == 1 and "line 2" in told["stopped"]
    refused = after("POST", f"{T}/entries", {"name": "x"})
    assert "line 2" in is_problem(refused, 503, "tournament-stopped")["detail"]
    assert after("POST", "/v1/tournaments/U/entries", {"name": "x"}).status_code == 201
    app.extensions["arbiter"].desk.close()
