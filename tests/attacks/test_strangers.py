"""Whoever holds nothing: half-sent, false and slow requests stop neither ``/healthz`` nor a command."""

import itertools
import json
import socket
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager

import pytest

from deploy.server.front.turns import WAIT_SECONDS
from deploy.server.settings import SERVICES
from shared.http.identity import tokens
from tests.attacks.serving import serving
from tests.attacks.strangers import CROWD, ask, crowd, exchange, opened, rest, statuses
from tests.bench.dearest_inputs import QUESTIONS
from tests.deploy.gateway import gateway_before
from tests.deploy.servers import STACK
from tests.deploy.viewers import Viewer, Viewers
from tests.programs import needed
from tests.stack import nginx as local_nginx

HEAD_SECONDS, BODY_SECONDS, SEND_SECONDS = 1.0, 1.5, 1.0
HALL = 280
"""Viewers behind one address: more than its requests may be at once."""
AT_ONCE = 10.0
"""Seconds in which a server that nobody holds up answers, on a busy machine too."""

HALF = {
    "nothing": b"",
    "a head": b"GET /v1/tournaments HTTP/1.1\r\nHost: a\r\nX-Slow: ",
    "a body": b"POST /v1/tournaments HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n{",
    "chunks": b"POST /v1/tournaments HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{",
    "expectation": b"POST /v1/tournaments HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n",
}


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """The address of an embedded server, and a header of its organiser."""
    data = tmp_path_factory.mktemp("strangers")
    tokens.ensure_keys(data)
    limits = {
        "ARBITER_HEAD_SECONDS": str(HEAD_SECONDS),
        "ARBITER_BODY_SECONDS": str(BODY_SECONDS),
        "ARBITER_SEND_SECONDS": str(SEND_SECONDS),
        "ARBITER_READS": "50",
        "ARBITER_READS_BURST": "900",
    }
    with serving(data, **limits) as address:
        token = {"Authorization": f"Bearer {tokens.issue(data, 'organiser', 'li.wei')}"}
        assert ask(address, "POST", "/v1/tournaments", CUP | {"id": "watched"}, **token)[0] == 201
        yield address, token


CUP = {"name": "Cup", "game": "xiangqi", "format": "swiss", "rounds": 3, "regulations": "campus"}
_NUMBERS = itertools.count(1)


def works(house) -> None:
    """The server answers who watches it, and takes a command."""
    address, token = house
    status, _, _, seconds = ask(address, "GET", "/healthz")
    assert (status, seconds < AT_ONCE) == (200, True)
    tournament = CUP | {"id": f"T{next(_NUMBERS)}"}
    status, _, content, seconds = ask(address, "POST", "/v1/tournaments", tournament, **token)
    assert (status, seconds < AT_ONCE) == (201, True), content


@pytest.mark.parametrize("half", HALF.values(), ids=HALF)
def test_a_crowd_of_half_sent_requests_stops_nobody_and_is_ended_in_time(house, half):
    address, _ = house
    start = time.monotonic()
    with crowd(address, half) as strangers:
        works(house)
        answers = [rest(stranger) for stranger in strangers]
    assert time.monotonic() - start < BODY_SECONDS + 3 * AT_ONCE
    expected = {"": []}.get(half.decode(), [100, 408] if b"Expect" in half else [408])
    assert [statuses(answer) for answer in answers] == [expected] * CROWD
    works(house)


@pytest.mark.parametrize("half", [HALF["a head"], HALF["a body"], HALF["chunks"]], ids=["a head", "a body", "chunks"])
def test_who_drips_is_ended_as_who_is_silent(house, half):
    address, _ = house
    with crowd(address, half, 8) as strangers:
        ended, start = [], time.monotonic()
        for stranger in strangers:
            stranger.settimeout(0.05)
        while len(ended) < len(strangers):
            for stranger in set(strangers) - set(ended):
                try:
                    stranger.sendall(b"1")
                    if not stranger.recv(4096):
                        ended.append(stranger)
                except TimeoutError:
                    continue
                except OSError:
                    ended.append(stranger)
            assert time.monotonic() - start < BODY_SECONDS + 2 * AT_ONCE
    works(house)


def test_who_reads_no_answer_holds_nothing(house):
    address, _ = house
    many = b"GET /v1/openapi.json HTTP/1.1\r\nHost: a\r\n\r\n" * 40
    with crowd(address, many):
        works(house)


def test_who_is_refused_and_stays_holds_nothing(house):
    address, _ = house
    with crowd(address, b"nonsense\r\n\r\n"):
        works(house)


def test_more_connections_than_a_server_holds_leave_room_for_one_more(house):
    address, _ = house
    with crowd(address, HALF["a head"], 1100):
        works(house)


# ---------------------------------------------------------------- whole requests that make the house work or wait


@contextmanager
def storm(address, path, number=CROWD):
    """So many strangers, each asking again as soon as it is answered; gives the statuses seen."""
    over, seen = threading.Event(), Counter()

    def stranger() -> None:
        while not over.is_set():  # by another address than other tests, since what it asks is charged to it
            seen[ask(address, "GET", path, source="127.0.0.4")[0]] += 1

    strangers = [threading.Thread(target=stranger) for _ in range(number)]
    for one in strangers:
        one.start()
    try:
        yield seen
    finally:
        over.set()
        for one in strangers:
            one.join()


def test_who_waits_for_lines_that_do_not_come_stops_nobody(house):
    address, _ = house
    works(house)
    with storm(address, "/v1/tournaments/watched?after=1000") as seen:
        works(house)
    # Told to come again after a second's wait, or at once where too many wait, or sent away for asking too much.
    assert set(seen) <= {503, 429}


@pytest.mark.parametrize("path", ["audit", "integrity", "standings?at=2"])
def test_a_storm_of_dear_reads_stops_nobody_and_is_sent_away(house, path):
    address, _ = house
    works(house)
    with storm(address, f"/v1/tournaments/watched/{path}", 20) as seen:
        works(house)
        deadline = time.monotonic() + 3 * AT_ONCE
        while not seen[429] and time.monotonic() < deadline:
            works(house)
    assert seen[429] and set(seen) <= {200, 429, 503}


@pytest.mark.parametrize("path", ["", "/standings", "/rounds"])
def test_head_waits_for_its_turn_and_has_the_header_fields_of_get(house, path):
    address, token = house
    name = f"H{next(_NUMBERS)}"  # the server has not measured a read of this tournament
    assert ask(address, "POST", "/v1/tournaments", CUP | {"id": name}, **token)[0] == 201
    at = f"/v1/tournaments/{name}{path}"
    status, headers, content, _ = ask(address, "HEAD", at, source="127.0.0.5")
    assert (status, content) == (200, b"")
    assert headers["ETag"] == ask(address, "GET", at, source="127.0.0.5")[1]["ETag"]


EXPENSIVE = QUESTIONS["go, area"]
STORM = 40
"""Questions at once. Answering all of them takes longer than a turn is waited for."""
LATEST = WAIT_SECONDS + AT_ONCE


def test_an_address_with_many_expensive_questions_gets_429(house):
    (address, _), question = house, EXPENSIVE()
    with ThreadPoolExecutor(STORM) as strangers:
        asked = [
            strangers.submit(ask, address, "POST", "/v1/judge", question, source="127.0.0.3") for _ in range(STORM)
        ]
        first = next((answer for answer in (one.result() for one in as_completed(asked)) if answer[0] == 200), (0,))
        # Its turn comes after one answer, which itself may take long on a busy machine.
        other = any(ask(address, "POST", "/v1/judge", question, source="127.0.0.2")[0] == 200 for _ in range(3))
        works(house)
    refused = [answer for answer in (one.result() for one in asked) if answer[0] == 429]
    assert first[0] == 200 and other and 0 < len(refused) < STORM
    for _, headers, content, seconds in refused:
        assert headers["Content-Type"] == "application/problem+json" and 0 < int(headers["Retry-After"]) <= 3
        assert "too many expensive requests" in json.loads(content)["detail"] and seconds < LATEST


def test_a_false_token_is_answered_like_none(house):
    address, _ = house
    false = {"Authorization": "Bearer false"}
    assert ask(address, "POST", "/v1/tournaments", CUP | {"id": "F"}, **false)[0] == 401
    assert ask(address, "GET", "/t/watched", Cookie="arbiter_token=false")[0] == 200


# ---------------------------------------------------------------- through the gateway


@pytest.fixture(scope="module")
def gateway(house, tmp_path_factory):
    """The same house behind the repository's nginx, which waits shorter than in earnest."""
    needed(local_nginx.missing())
    (_, port), token = house
    times = {"client_header_timeout": f"{HEAD_SECONDS:.0f}s", "client_body_timeout": f"{BODY_SECONDS:.0f}s"}
    folder = tmp_path_factory.mktemp("gateway")
    with gateway_before(folder, dict.fromkeys(SERVICES, port), **times) as gate:
        yield ("127.0.0.1", gate), token


@STACK
@pytest.mark.parametrize("half", HALF.values(), ids=HALF)
def test_a_crowd_at_the_gateway_stops_nobody_and_is_ended_in_time(gateway, half):
    address, _ = gateway
    with crowd(address, half) as strangers:
        works(gateway)
        answers = [rest(stranger) for stranger in strangers]
    assert {status for answer in answers for status in statuses(answer)} <= {100, 408}
    works(gateway)


@STACK
def test_a_stream_and_an_upload_come_through_the_gateway(gateway):
    address, token = gateway
    large = {"id": "L", "name": "x" * 900_000, **CUP}
    assert ask(address, "POST", "/v1/tournaments", large, **token)[0] in (201, 422)
    works(gateway)
    with opened(
        address, b"GET /v1/tournaments/watched/events HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\n\r\n"
    ) as sock:
        seen = b""
        while b"data: " not in seen:
            piece = sock.recv(65536)
            assert piece, seen
            seen += piece


@STACK
def test_a_hall_behind_one_address_has_its_streams_and_asks_besides(gateway):
    address, token = gateway
    works(gateway)
    path = "/v1/tournaments/watched/events?after=1"
    with Viewers(Viewer(address, path, **token) for _ in range(HALL)) as hall:
        hall.read_until(lambda viewer: b"\r\n\r\n" in viewer.read)
        assert {viewer.status for viewer in hall.all} == {200}
        works(gateway)


# ---------------------------------------------------------------- bytes that are no request

POST = b"POST /v1/tournaments HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
CHUNKED = POST + b"Transfer-Encoding: chunked\r\n\r\n"
GET = b"GET /healthz HTTP/1.1\r\nHost: a\r\n"

FALSE = [
    ("no request line", b"nonsense\r\n\r\n", [400]),
    ("bare line ends", b"GET /healthz HTTP/1.1\nHost: a\n\n", [400]),
    ("another protocol", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", [400]),
    ("HTTP/2 at once", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", [400]),
    ("an unknown version", b"GET / HTTP/3.7\r\n\r\n", [400]),
    ("a long address", b"GET /" + b"x" * 5000 + b" HTTP/1.1\r\nHost: a\r\n\r\n", [414]),
    ("an address without end", b"GET /" + b"x" * 30000, [414]),
    ("a long field", GET + b"X: " + b"x" * 9000 + b"\r\n\r\n", [431]),
    ("many fields", GET + b"".join(b"X-%d: 1\r\n" % n for n in range(200)) + b"\r\n", [431]),
    ("a head without end", GET + b"X-A: 1\r\n" * 10000, [431]),
    ("a folded field", GET + b"X: 1\r\n 2\r\n\r\n", [400]),
    ("a space before the colon", GET + b"X : 1\r\n\r\n", [400]),
    ("a zero byte", GET + b"X: \x00\r\n\r\n", [400]),
    ("two hosts", GET + b"Host: b\r\n\r\n", [400]),
    ("an unknown expectation", GET + b"Expect: much\r\n\r\n", [417]),
    ("two lengths", POST + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}", [400]),
    ("a length that is none", POST + b"Content-Length: two\r\n\r\n{}", [400]),
    ("a negative length", POST + b"Content-Length: -2\r\n\r\n{}", [400]),
    ("a length beyond numbers", POST + b"Content-Length: " + b"9" * 5000 + b"\r\n\r\n", [400]),
    ("a length over the limit", POST + b"Content-Length: 99999999\r\n\r\n{}", [413]),
    ("length and chunks", POST + b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", [400]),
    ("an unknown coding", POST + b"Transfer-Encoding: rot13\r\n\r\n", [400]),
    ("chunked twice", POST + b"Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n", [400]),
    ("chunked and more", POST + b"Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n", [400]),
    ("chunks in HTTP/1.0", CHUNKED.replace(b"1.1", b"1.0") + b"0\r\n\r\n", [400]),
    ("a body cut off", POST + b"Content-Length: 100\r\n\r\n{}", [400]),
    ("a head cut off", GET + b"X: 1\r\n", [400]),
    ("chunks cut off", CHUNKED + b"5\r\n{}", [400]),
    ("the last chunk missing", CHUNKED + b"2\r\n{}\r\n", [400]),
    ("a chunk's size that is none", CHUNKED + b"zz\r\n{}\r\n0\r\n\r\n", [400]),
    ("a chunk's size with a sign", CHUNKED + b"+2\r\n{}\r\n0\r\n\r\n", [400]),
    ("a chunk's size as Python writes it", CHUNKED + b"0x2\r\n{}\r\n0\r\n\r\n", [400]),
    ("an empty size", CHUNKED + b"\r\n{}\r\n0\r\n\r\n", [400]),
    ("a chunk longer than said", CHUNKED + b"1\r\n{}\r\n0\r\n\r\n", [400]),
    ("a huge chunk", CHUNKED + b"fffffff\r\n{}\r\n", [413]),
    ("a chunk of all bits", CHUNKED + b"ffffffffffffffff\r\n{}\r\n", [413]),
    ("a size line without end", CHUNKED + b"2;" + b"x" * 5000, [400]),
    ("bare line ends in chunks", CHUNKED + b"2\n{}\n0\n\n", [400]),
    ("a false trailer", CHUNKED + b"2\r\n{}\r\n0\r\nno trailer\r\n\r\n", [400]),
    ("trailers without end", CHUNKED + b"0\r\n" + b"A: b\r\n" * 20000, [400]),
    ("crumbs", CHUNKED + b"1\r\nx\r\n" * 30000, [400]),
]

RIGHT = [
    ("HTTP/1.0", b"GET /healthz HTTP/1.0\r\n\r\n", [200]),
    ("two at once", GET + b"\r\n" + GET + b"Connection: close\r\n\r\n", [200, 200]),
    ("an absolute address", b"GET http://a/healthz HTTP/1.1\r\nHost: a\r\n\r\n", [200]),
    ("an empty line before", b"\r\n" + GET + b"\r\n", [200]),
    ("a body that nobody reads", GET + b"Content-Length: 5\r\n\r\nhello" + GET + b"\r\n", [200, 200]),
    ("extensions and trailers", CHUNKED + b'2;a=b;c="d"\r\n{}\r\n0\r\nX: 1\r\n\r\n' + GET + b"\r\n", [401, 200]),
    ("an asterisk", b"OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", [404]),
    ("a tunnel", b"CONNECT a:80 HTTP/1.1\r\nHost: a:80\r\n\r\n", [404]),
    ("an address of percents", b"GET /%00%ff%zz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", [404]),
    ("another's host", b"GET /v1/tournaments HTTP/1.1\r\nHost: <script>\r\nConnection: close\r\n\r\n", [200]),
]


@pytest.mark.parametrize(("sent", "expected"), [row[1:] for row in FALSE], ids=[row[0] for row in FALSE])
def test_false_bytes_are_a_problem_of_the_sender(house, sent, expected):
    address, _ = house
    answer = exchange(address, sent)
    assert statuses(answer) == expected
    assert b"application/problem+json" in answer and b"Connection: close" in answer
    assert ask(address, "GET", "/healthz")[0] == 200


@pytest.mark.parametrize(("sent", "expected"), [row[1:] for row in RIGHT], ids=[row[0] for row in RIGHT])
def test_odd_bytes_that_are_a_request_are_answered(house, sent, expected):
    answer = exchange(house[0], sent, half_close=b"Connection: close" not in sent)
    assert statuses(answer) == expected
    assert b"\r\nServer:" not in answer


def test_a_request_that_comes_byte_by_byte_is_the_same(house):
    address, _ = house
    with opened(address) as sock:
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for byte in CHUNKED + b"2\r\n{}\r\n0\r\n\r\n":
            sock.sendall(bytes([byte]))
        sock.shutdown(socket.SHUT_WR)
        assert statuses(rest(sock)) == [401]
