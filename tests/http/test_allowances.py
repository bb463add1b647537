"""What one reader may ask for: by cost, by token or by address, and no address is believed that a stranger tells."""

from concurrent.futures import ThreadPoolExecutor
from ipaddress import ip_network

import http_sfv
import pytest

from shared.http.identity.tokens import issue
from shared.http.limits.rate_limits import Buckets, Limits, home_of
from tests.played import Played, a_desk, an_app

PROXY = "10.0.0.9"


@pytest.fixture
def desk(tmp_path):
    made = a_desk(tmp_path)
    Played(made).announce()
    yield made
    made.close()


@pytest.fixture
def client(tmp_path, desk):
    """Standings with an allowance of 12 at once, and nothing more for an hour."""
    return an_app(tmp_path, desk, Limits(reads=0.0001, reads_burst=12), (ip_network(PROXY),)).test_client()


def ask(client, path="/v1/tournaments/cup", *, address="192.0.2.1", **headers):
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    return client.get(path, headers=sent, environ_overrides={"REMOTE_ADDR": address})


def allowed(client, path, **options):
    """How often it is answered until it is refused."""
    for number in range(20):
        answer = ask(client, path, **options)
        if answer.status_code == 429:
            assert answer.json["type"] == "urn:arbiter:problem:too-many-requests"
            assert int(answer.headers["Retry-After"]) > 0
            return number
    return None


@pytest.mark.parametrize(
    ("path", "number"),
    [
        ("/v1/tournaments/cup", 12),
        ("/v1/tournaments/cup/standings", 2),
        ("/t/cup/log", 2),
        ("/v1/tournaments/cup?at=1", 1),
        ("/v1/tournaments/cup/proofs?from=1&to=2", 1),
        ("/nowhere", 12),
    ],
)
def test_what_is_dear_can_be_asked_for_less_often(client, path, number):
    assert allowed(client, path) == number


def test_who_watches_the_server_is_never_refused(client):
    assert allowed(client, "/v1/tournaments/cup") == 12
    assert [ask(client, path).status_code for path in ("/healthz", "/readyz", "/metrics")] == [200] * 3


def test_each_address_has_its_own_and_a_token_has_one_wherever_it_is(client, tmp_path):
    assert allowed(client, "/v1/tournaments/cup") == 12
    assert ask(client, address="192.0.2.2").status_code == 200
    token = {"Authorization": f"Bearer {issue(tmp_path, 'auditor', 'hall')}"}
    assert allowed(client, "/v1/tournaments/cup", **token) == 12
    assert allowed(client, "/v1/tournaments/cup", address="192.0.2.3", **token) == 0
    assert ask(client, address="192.0.2.3").status_code == 200


def test_a_false_token_opens_no_allowance(client):
    assert allowed(client, "/v1/tournaments/cup") == 12
    assert ask(client, Authorization="Bearer nonsense").status_code == 429


def test_what_a_stranger_says_of_his_address_counts_for_nothing(client):
    for number in range(12):
        assert ask(client, X_Forwarded_For=f"198.51.100.{number}", Forwarded="for=198.51.100.1").status_code == 200
    assert ask(client, X_Forwarded_For="198.51.100.77").status_code == 429


def test_what_a_proxy_says_counts_and_only_its_own_word(client):
    assert allowed(client, "/v1/tournaments/cup", address=PROXY, X_Forwarded_For="198.51.100.1") == 12
    assert ask(client, address=PROXY, X_Forwarded_For="198.51.100.2").status_code == 200
    # The proxy adds the last: what stands before it was told to it.
    assert ask(client, address=PROXY, X_Forwarded_For="198.51.100.9, 198.51.100.1").status_code == 429


def test_an_ipv6_household_is_one_reader():
    assert home_of("2001:db8::1") == home_of("2001:db8::ffff:2") != home_of("2001:db8:0:1::1")
    assert home_of("192.0.2.1") != home_of("192.0.2.2")
    assert home_of("::ffff:192.0.2.1") != home_of("::ffff:192.0.2.2")
    assert home_of(None) == home_of("no address")


def field(answer, name):
    """A field of an answer that is a list of structured fields (RFC 9651): the items' names and parameters."""
    items = http_sfv.List()
    items.parse(answer.headers[name].encode())
    return {item.value: dict(item.params) for item in items}


def test_each_answer_says_what_is_left_and_a_refusal_when_it_can_be_had(client):
    first, dear = ask(client), ask(client, "/v1/tournaments/cup/standings")
    assert field(first, "RateLimit-Policy") == {"reads": {"q": 12, "w": 120_000}} == field(dear, "RateLimit-Policy")
    assert field(first, "RateLimit") == {"reads": {"r": 11, "t": 10_000}}
    assert field(dear, "RateLimit")["reads"]["r"] == 6
    assert ask(client, "/v1/tournaments/cup/standings").status_code == 200
    refused = ask(client, "/v1/tournaments/cup/standings")
    assert refused.status_code == 429
    assert field(refused, "RateLimit")["reads"] == {"r": 1, "t": int(refused.headers["Retry-After"])}
    assert field(ask(client, "/nowhere"), "RateLimit")["reads"]["r"] == 0


def test_a_command_tells_what_its_sender_has_left_and_a_question_that_is_sent_takes_of_both(tmp_path, desk):
    limits = Limits(reads=0.0001, reads_burst=100, rate=0.5, burst=4)
    client = an_app(tmp_path, desk, limits).test_client()
    token = {"Authorization": f"Bearer {issue(tmp_path, 'chief_arbiter', 'hall')}"}
    sent = client.post("/v1/tournaments/cup/preview", json={"path": "/nowhere", "body": {}}, headers=token)
    assert field(sent, "RateLimit-Policy") == {"commands": {"q": 4, "w": 8}, "reads": {"q": 100, "w": 1_000_000}}
    assert {name: left["r"] for name, left in field(sent, "RateLimit").items()} == {"commands": 3, "reads": 80}
    for _ in range(3):
        client.post("/v1/tournaments/cup/nowhere", json={}, headers=token)
    refused = client.post("/v1/tournaments/cup/nowhere", json={}, headers=token)
    assert refused.status_code == 429
    left = field(refused, "RateLimit")
    assert list(left) == ["commands"] and left["commands"]["t"] == int(refused.headers["Retry-After"])


def test_what_others_were_answered_a_moment_ago_tells_each_reader_his_own(client):
    answers = [ask(client, "/t/cup", address=address) for address in ("192.0.2.1", "192.0.2.1", "192.0.2.2")]
    assert [field(answer, "RateLimit")["reads"]["r"] for answer in answers] == [7, 6, 11]


def test_where_nothing_is_limited_nothing_is_said_of_it(tmp_path, desk, client):
    free = an_app(tmp_path, desk, Limits(reads=0, rate=0)).test_client()
    for answer in (ask(free), ask(client, "/healthz"), ask(client, "/readyz")):
        assert "RateLimit" not in answer.headers and "RateLimit-Policy" not in answer.headers


def test_a_cost_above_the_whole_allowance_takes_all_of_it():
    now = 0.0
    buckets = Buckets("reads", 1.0, 10, lambda: now)
    assert buckets.take("a", 100).wait == 0 and buckets.take("a", 1).wait == 1
    now = 5.0
    assert buckets.take("a", 100).wait == 5 and buckets.take("a", 5).wait == 0


def test_readers_at_once_take_nothing_back_from_each_other():
    clock = iter(range(10**9)).__next__
    buckets = Buckets("reads", 1.0, 4, lambda: float(clock()))
    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(lambda _: buckets.take("a").wait, range(4000))) == {0.0}
