"""What the client makes of each answer: which call is made again, which is raised, and what is known of what was written.

Scripted, since most of these are what a server says in a disaster; what it really says then is in tests/log and tests/faults.
"""

import json
from collections.abc import Iterator

import httpx
import pytest

from shared.client import BadAnswer, Client, NoAnswer, Problem

GOOD = (201, {}, {"id": "cup"})
CUT = httpx.ReadError("cut off")
REFUSED = httpx.ConnectError("refused")


def problem(status: int, code: str, written: str, **headers: str) -> tuple:
    document = {"type": f"urn:arbiter:problem:{code}", "title": "No", "detail": "not so", "written": written}
    return (status, {name.replace("_", "-"): value for name, value in headers.items()}, document)


LATER = problem(503, "not-ready", "no", Retry_After="0")
UNKNOWN = problem(503, "outcome-unknown", "unknown")
CRASH = problem(500, "crash", "unknown")
RULE = problem(409, "absolute-rule", "no")
BARRED = problem(401, "token-expired", "no")
PROXY = (502, {}, "<html>bad gateway</html>")


class Script(httpx.BaseTransport):
    """A server that answers by a list, and keeps what it was asked."""

    def __init__(self, *answers: tuple | Exception) -> None:
        self._answers: Iterator = iter(answers)
        self.asked: list[httpx.Request] = []

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request)
        answer = next(self._answers)
        if isinstance(answer, Exception):
            raise answer
        status, headers, body = answer
        return httpx.Response(status, headers=headers, content=body if isinstance(body, str) else json.dumps(body))


def client(script: Script, patience: float = 60) -> Client:
    return Client(
        "http://house/arbiter", "secret", patience=patience, transport=script, headers={"Accept-Language": "zh"}
    )


@pytest.mark.parametrize(
    "troubles", [[LATER], [UNKNOWN], [CRASH], [PROXY], [CUT], [CUT, REFUSED, LATER, UNKNOWN]], ids=lambda t: f"{len(t)}"
)
def test_a_command_is_sent_again_with_the_same_key_until_it_is_answered(troubles):
    script = Script(*troubles, GOOD)
    assert client(script).post("/v1/tournaments", {"name": "杯"}).json == {"id": "cup"}
    (key,) = {request.headers["Idempotency-Key"] for request in script.asked}
    assert len(script.asked) == len(troubles) + 1 and len(key) == 32
    assert {request.content for request in script.asked} == {'{"name": "杯"}'.encode()}
    assert {str(request.url) for request in script.asked} == {"http://house/arbiter/v1/tournaments"}
    assert {request.headers["Authorization"] for request in script.asked} == {"Bearer secret"}
    assert {request.headers["Accept-Language"] for request in script.asked} == {"zh"}


def test_two_commands_have_two_keys_and_a_caller_may_choose_one():
    script = Script(GOOD, GOOD, GOOD)
    caller = client(script)
    caller.post("/a")
    caller.post("/a")
    caller.delete("/a", key="mine")
    keys = [request.headers["Idempotency-Key"] for request in script.asked]
    assert len(set(keys)) == 3 and keys[2] == "mine"


@pytest.mark.parametrize(
    ("answers", "written", "calls"),
    [
        ([RULE], "no", 1),
        ([BARRED], "no", 1),
        ([CUT, RULE], "no", 2),  # the key was looked up before: the first was not taken
        ([CUT, BARRED], "unknown", 2),  # who is refused at the door learns nothing of the first
        ([UNKNOWN, problem(503, "not-ready", "no", Retry_After="3600")], "unknown", 2),
        ([problem(507, "log-full", "no", Retry_After="3600")], "no", 1),
        ([problem(429, "too-many-requests", "no", Retry_After="3600")], "no", 1),
    ],
)
def test_a_refusal_says_what_is_known_of_all_attempts(answers, written, calls):
    script = Script(*answers)
    with pytest.raises(Problem) as refusal:
        client(script).post("/v1/tournaments", {})
    status, headers, document = answers[-1]
    assert (refusal.value.status, refusal.value.code) == (status, document["type"].rpartition(":")[2])
    assert (refusal.value.written, len(script.asked)) == (written, calls)
    assert refusal.value.key == script.asked[0].headers["Idempotency-Key"]
    assert refusal.value.retry_after == (float(headers["Retry-After"]) if headers else None)
    assert str(refusal.value) == "No: not so"


@pytest.mark.parametrize(("last", "written"), [(CUT, "unknown"), (REFUSED, "no")])
def test_without_patience_an_exchange_that_failed_is_raised_with_what_is_known(last, written):
    script = Script(GOOD, last)
    caller = client(script, patience=0)
    caller.post("/v1/tournaments", {})
    with pytest.raises(NoAnswer, match="http://house/arbiter/v1/tournaments: no answer") as trouble:
        caller.post("/v1/tournaments", {})
    assert trouble.value.written == written and trouble.value.key


def test_a_read_bears_no_key_and_its_failure_has_written_nothing():
    script = Script(LATER, CUT, GOOD, PROXY)
    caller = client(script)
    assert caller.get("/v1/tournaments").json == {"id": "cup"}
    with pytest.raises(Problem, match="status 502") as trouble:
        Client("http://house", patience=0, transport=script).get("/v1/tournaments")
    assert (trouble.value.written, trouble.value.key, trouble.value.code) == ("no", None, "")
    assert not any("idempotency-key" in request.headers for request in script.asked)


def test_a_refusal_names_the_fields_that_are_wrong():
    status, _, document = problem(422, "bad-body", "no")
    with pytest.raises(Problem) as refusal:
        client(Script((status, {}, {**document, "errors": {"rounds": ["缺少"]}}))).post("/v1/tournaments", {})
    assert str(refusal.value) == 'No: not so {"rounds": ["缺少"]}'


@pytest.mark.parametrize("content", ["<html>", "[]"])
def test_an_answer_that_is_no_object_is_no_answer_of_arbiter(content):
    answer = client(Script((200, {}, content))).get("/v1/tournaments")
    with pytest.raises(BadAnswer, match="no JSON"):
        _ = answer.json


def test_a_page_is_no_stream():
    with pytest.raises(BadAnswer, match="no stream"):
        next(client(Script((200, {"Content-Type": "text/html"}, "<html>"))).follow("cup"))


@pytest.mark.parametrize("url", ["", "ftp://house", "http://", "house:port"])
def test_what_is_no_address_is_told_before_anything_is_sent(url):
    with pytest.raises(ValueError, match="no address of a server"):
        Client(url)


def stream(*pieces: str) -> tuple:
    return (200, {"Content-Type": "text/event-stream"}, "retry: 0\n\n" + "".join(pieces))


def line(seq: int) -> str:
    return f'id: {seq}\nevent: arbiter.x.v1\ndata: {{"seq":{seq},"name":"a\u2028b\x85c"}}\n\n'


def test_a_stream_that_ends_is_taken_up_after_its_last_whole_line():
    script = Script(stream(line(1), ": at 1\n\n", "id: 2\nevent: arbiter.x"), LATER, CUT, stream(line(2), line(3)))
    lines = client(script).follow("a b", query="type=x")
    assert [(one.seq, one.type, one.event["seq"]) for one in (next(lines), next(lines), next(lines))] == [
        (n, "arbiter.x.v1", n) for n in (1, 2, 3)
    ]
    assert [request.headers["Last-Event-ID"] for request in script.asked] == ["0", "1", "1", "1"]
    assert {str(request.url) for request in script.asked} == {"http://house/arbiter/v1/tournaments/a%20b/events?type=x"}


def test_a_score_sheet_is_followed_as_a_log_is():
    script = Script(stream(line(4)), CUT, stream(line(5)))
    lines = client(script).follow_sheet("cup.1.2", after=3)
    assert [one.seq for one in (next(lines), next(lines))] == [4, 5]
    assert [request.headers["Last-Event-ID"] for request in script.asked] == ["3", "4", "4"]
    assert {str(request.url) for request in script.asked} == {"http://house/arbiter/v1/games/cup.1.2/sheet"}


def test_what_is_refused_to_a_follower_ends_it():
    with pytest.raises(Problem, match="not so"):
        next(client(Script(stream(), problem(404, "beyond-the-end", "no"))).follow("cup", after=9))
