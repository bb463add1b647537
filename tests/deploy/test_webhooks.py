"""Webhooks from a real log to a real https receiver: in order, signed, never a gap, and no command waits."""

import json
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest

from deploy.server.numbers.metrics import WebhookNumbers
from deploy.server.webhooks import webhook_sender
from deploy.server.webhooks.webhook_client import WebhookClient
from deploy.server.webhooks.webhook_sender import WebhookSender
from shared.core.terms import Role
from shared.http.identity import tokens
from shared.log.port import CommitUnknown, LogUnavailable
from tests.attacks.serving import serving
from tests.attacks.strangers import ask
from tests.deploy.webhook_receiver import HOST, Answer, Receiver, status
from tests.http.conftest import Caller
from tests.played import Played, a_desk, an_app

HERE = (ip_network("127.0.0.0/8"),)
SECONDS = 2.0
"""A slow receiver has so long."""


@pytest.fixture
def receiver(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Receiver]:
    made = Receiver(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(made.authority))
    yield made
    made.close()


class Hall:
    """A house with a chief arbiter and senders that are begun and ended; a name's address is what ``address`` says."""

    def __init__(self, data: Path) -> None:
        self.data, self.desk = data, a_desk(data)
        self.app = an_app(data, self.desk)
        self.asked: list[str] = []
        self.address = "127.0.0.1"
        self.senders: list[WebhookSender] = []
        self.chief = self.caller()

    def caller(self, role: Role = "chief_arbiter", tournament: str | None = None) -> Caller:
        return Caller(self.app.test_client(), tokens.issue(self.data, role, "zhou.min", tournament))

    def cup(self, t: str = "cup") -> Played:
        cup = Played(self.desk, t)
        cup.announce()
        return cup

    def send(self, retries: tuple[float, ...] = (0, 0, 0), seconds: float = SECONDS) -> WebhookSender:
        """Begin to send, with so many seconds between one try and the next."""

        def resolve(host: str, port: int) -> list[str]:
            self.asked.append(host)
            return [self.address]

        sender = WebhookSender(self.desk, WebhookClient(HERE, seconds, resolve), lambda: True, retries)
        self.senders.append(sender)
        sender.start()
        return sender

    def add(self, url: str, t: str = "cup", **more: Any) -> dict[str, Any]:
        path = f"/v1/tournaments/{t}/webhooks" if t else "/v1/webhooks"
        answer = self.chief("POST", path, {"url": url} | more)
        assert answer.status_code == 201, answer.text
        assert self.chief("GET", answer.headers["Location"]).get_json()["url"] == url
        return dict(answer.get_json())

    def told(self, hook: dict[str, Any]) -> dict[str, Any]:
        return dict(self.chief("GET", f"/v1/tournaments/{hook['tournament']}/webhooks/{hook['id']}").get_json())

    def until(
        self, hook: dict[str, Any], fits: Callable[[dict[str, Any]], bool], seconds: float = 30
    ) -> dict[str, Any]:
        """What is told of a webhook, once it fits."""
        end = time.monotonic() + seconds
        while not fits(told := self.told(hook)):
            assert time.monotonic() < end, told
            threading.Event().wait(0.02)
        return told


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    made = Hall(tmp_path)
    yield made
    for sender in made.senders:
        sender.end()
    made.desk.close()


def seqs(messages: list[dict[str, Any]], t: str = "cup") -> list[int]:
    return [one["data"]["seq"] for one in messages if one["data"]["tournament"] == t]


def test_every_line_of_each_tournament_comes_in_its_order_and_signed(hall: Hall, receiver: Receiver):
    hall.cup("old").enter("A", "B")
    hook = hall.add(receiver.url(), t="")
    hall.send()
    cup, open = hall.cup("cup"), hall.cup("open")
    for n in range(4):
        cup.enter_late(f"c{n}")
        open.enter_late(f"o{n}")
    ends = hall.desk.seqs(["cup", "open"])
    receiver.wait(sum(ends.values()))
    messages = receiver.verified(hook["secret"])
    for t, end in ends.items():
        assert seqs(messages, t) == list(range(1, end + 1))
    assert not seqs(messages, "old"), "what was there before is not sent"
    rows = {(t, row.seq): row.line for t in ends for row in hall.desk.lines(f"tournaments/{t}")}
    for message, sent in zip(messages, receiver.received, strict=True):
        line = rows[message["data"]["tournament"], message["data"]["seq"]]
        assert line in sent.body and sent.id == message["data"]["event"]["id"]
        assert (message["type"], message["timestamp"]) == (json.loads(line)["type"], json.loads(line)["time"])


def test_a_receiver_that_fails_and_comes_back_has_every_line_once_and_knows_a_repeated_one(
    hall: Hall, receiver: Receiver
):
    cup = hall.cup()
    hook = hall.add(receiver.url(), after=0)
    receiver.answers = [status(204), status(500), status(503), status(429), status(204)]
    hall.send()
    cup.enter("A", "B")
    end = hall.desk.seqs(["cup"])["cup"]
    receiver.wait(end + 3)
    messages = receiver.verified(hook["secret"])
    assert seqs(messages) == [1, 2, 2, 2, 2, *range(3, end + 1)]
    assert len({one.id for one in receiver.received[1:5]}) == 1
    told = hall.until(hook, lambda told: told["sent"] == {"cup": end})
    assert (told["state"], told["failing"], "secret" in told) == ("sending", None, False)


def drips(request: BaseHTTPRequestHandler) -> None:
    """An answer that goes on for ever, a byte at a time."""
    try:
        while True:
            request.wfile.write(b"x")
            threading.Event().wait(0.05)
    except OSError:
        pass


@pytest.mark.parametrize("slow", ["silent", "dripping"])
def test_a_slow_receiver_is_cut_off_and_tried_again(hall: Hall, receiver: Receiver, slow: str):
    hall.cup()
    held = threading.Event()
    silent: Answer = lambda request: held.wait(30) and None  # noqa: E731
    receiver.answers = [drips if slow == "dripping" else silent]
    hook = hall.add(receiver.url(), after=0)
    hall.send(retries=(3600,), seconds=0.5)
    told = hall.until(hook, lambda told: told["state"] == "failing")
    held.set()
    assert "answer" in told["failing"]["why"] and told["next_try"] is not None
    assert (told["failing"]["seq"], told["failing"]["tries"], told["sent"]) == (1, 1, {"cup": 0})
    assert hall.chief("POST", f"/v1/tournaments/cup/webhooks/{hook['id']}/resume", {}).status_code == 200
    receiver.wait(1 + hall.desk.seqs(["cup"])["cup"])
    assert seqs(receiver.verified(hook["secret"]))[:3] == [1, 1, 2]


def test_a_redirect_is_not_followed_and_after_the_last_try_it_stops_until_it_is_resumed(hall: Hall, receiver: Receiver):
    cup = hall.cup()
    end = hall.desk.seqs(["cup"])["cup"]
    hook = hall.add(receiver.url())
    receiver.answers = [status(307, Location=f"https://127.0.0.1:{receiver.port}/admin")] * 3
    hall.send(retries=(0, 0))
    cup.enter_late("A")
    told = hall.until(hook, lambda told: told["state"] == "stopped")
    assert told["failing"] == {
        "tournament": "cup",
        "seq": end + 1,
        "tries": 3,
        "why": "it answers 307, and a redirect is not followed",
    }
    cup.enter_late("B")
    assert len(receiver.received) == 3, "nothing is sent while it is stopped"
    numbers = {one.name: one.samples[0].value for one in WebhookNumbers(hall.desk.log).collect()}
    assert numbers == {"arbiter_webhooks": 1, "arbiter_webhooks_failing": 0, "arbiter_webhooks_stopped": 1}
    assert hall.chief("POST", f"/v1/tournaments/cup/webhooks/{hook['id']}/resume", {}).status_code == 200
    receiver.wait(5)
    assert seqs(receiver.verified(hook["secret"])) == [end + 1, end + 1, end + 1, end + 1, end + 2]


def test_a_receiver_that_wants_no_more_is_left_alone_at_once(hall: Hall, receiver: Receiver):
    hall.cup()
    receiver.answers = [status(410)]
    hook = hall.add(receiver.url(), after=0)
    hall.send()
    told = hall.until(hook, lambda told: told["state"] == "stopped")
    assert (told["failing"]["seq"], told["failing"]["tries"], len(receiver.received)) == (1, 1, 1)


def test_no_command_waits_for_a_receiver(hall: Hall, receiver: Receiver):
    cup = hall.cup()
    held = threading.Event()
    receiver.answers = [lambda request: held.wait(30) and None]
    hall.add(receiver.url(), after=0)
    hall.send(seconds=30)
    receiver.wait(1)
    before = hall.desk.seqs(["cup"])["cup"]
    cup.enter("A", "B", "C")
    assert hall.desk.seqs(["cup"])["cup"] == before + 3
    assert len(receiver.received) == 1, "one message at a time"
    held.set()


def test_whoever_falls_between_the_answer_and_its_note_sends_the_line_again_with_its_id(hall: Hall, receiver: Receiver):
    hall.cup()
    held, late = threading.Event(), status(204)

    def slowly(request: BaseHTTPRequestHandler) -> None:
        held.wait(30)
        late(request)

    receiver.answers = [slowly]
    hook = hall.add(receiver.url(), after=0)
    hall.send().end()
    first = hall.send(seconds=1.0, retries=(0,) * 9)
    receiver.wait(1)
    first.end()  # before its answer came: it is not known whether the line was taken
    hall.send()
    end = hall.desk.seqs(["cup"])["cup"]
    hall.until(hook, lambda told: told["sent"] == {"cup": end})
    held.set()
    numbers = seqs(receiver.verified(hook["secret"]))
    assert sorted(set(numbers)) == list(range(1, end + 1)) and numbers == sorted(numbers)
    ids = {one["data"]["seq"]: one["data"]["event"]["id"] for one in receiver.verified(hook["secret"])}
    assert len({one.id for one in receiver.received}) == len(ids)


def test_a_name_is_asked_once_for_a_connection_and_one_that_turns_inwards_gets_nothing(hall: Hall, receiver: Receiver):
    cup = hall.cup()
    hook = hall.add(receiver.url())
    hall.send(retries=())
    cup.enter_late("A")
    receiver.wait(1)
    hall.until(hook, lambda told: told["failing"] is None and len(told["sent"]) == 1)
    assert hall.asked == [HOST]
    hall.address = "10.0.0.1"
    cup.enter_late("B")
    told = hall.until(hook, lambda told: told["state"] == "stopped")
    assert told["failing"]["why"] == "10.0.0.1 is not a public address"
    assert len(receiver.received) == 1


def test_a_certificate_of_another_name_is_none(hall: Hall, receiver: Receiver):
    hall.cup()
    hook = hall.add(f"https://another.example:{receiver.port}/", after=0)
    hall.send(retries=())
    told = hall.until(hook, lambda told: told["state"] == "stopped")
    assert "certificate" in told["failing"]["why"] and not receiver.received


def test_two_webhooks_do_not_wait_for_each_other(hall: Hall, receiver: Receiver):
    cup = hall.cup()
    held = threading.Event()
    receiver.answers = [lambda request: held.wait(30) and None]
    slow = hall.add(receiver.url(), after=0)
    hall.send(seconds=30)
    receiver.wait(1)
    quick = hall.add(receiver.url() + "/quick")
    cup.enter_late("A")
    end = hall.desk.seqs(["cup"])["cup"]
    hall.until(quick, lambda told: told["sent"] == {"cup": end})
    assert hall.told(slow)["sent"] == {"cup": 0}
    held.set()


def test_who_sends_sleeps_while_nothing_is_registered_and_is_woken_by_a_webhook_a_line_and_a_resumption(
    hall: Hall, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(webhook_sender, "IDLE_SECONDS", 3600.0)
    monkeypatch.setattr(webhook_sender, "LOOK_SECONDS", 3600.0)
    cup = hall.cup()
    end = hall.desk.seqs(["cup"])["cup"]
    hall.send(retries=())
    receiver.answers = [status(204)] * end + [status(500)]
    hook = hall.add(receiver.url(), after=0)
    hall.until(hook, lambda told: told["sent"] == {"cup": end})
    cup.enter_late("A")
    hall.until(hook, lambda told: told["state"] == "stopped")
    assert hall.chief("POST", f"/v1/tournaments/cup/webhooks/{hook['id']}/resume", {}).status_code == 200
    hall.until(hook, lambda told: told["sent"] == {"cup": end + 1})


def test_of_more_than_are_served_at_once_each_has_its_turn(
    hall: Hall, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(webhook_sender, "_RECEIVERS", 1)
    monkeypatch.setattr(webhook_sender, "_TURN_SECONDS", 0.0)
    hall.cup()
    end = hall.desk.seqs(["cup"])["cup"]
    for n in range(2):
        hall.add(f"{receiver.url()}/{n}", after=0)
    hall.send()
    receiver.wait(2 * end)
    assert sorted([one.path for one in receiver.received[:2]]) == ["/hooks/0", "/hooks/1"]
    assert sorted(one.path for one in receiver.received) == ["/hooks/0"] * end + ["/hooks/1"] * end


def test_nothing_is_sent_behind_a_line_that_is_missing(hall: Hall, receiver: Receiver):
    cup = hall.cup()
    cup.enter("A", "B")
    with sqlite3.connect(hall.data / "log.db") as connection:
        connection.execute("DELETE FROM events WHERE seq = 3")
    hook = hall.add(receiver.url(), after=0)
    hall.cup("whole")
    other = hall.add(f"{receiver.url()}/whole", "whole", after=0)
    hall.send()
    assert hall.until(hook, lambda told: told["sent"] == {"cup": 2})
    ends = hall.desk.seqs(["whole"])
    hall.until(other, lambda told: told["sent"] == ends)
    assert hall.told(hook)["sent"] == {"cup": 2}


def test_one_that_is_removed_gets_nothing_more(hall: Hall, receiver: Receiver):
    cup = hall.cup()
    hook, kept = hall.add(receiver.url()), hall.add(receiver.url() + "/kept")
    assert hall.chief("DELETE", f"/v1/tournaments/cup/webhooks/{hook['id']}").status_code == 200
    assert hall.chief("GET", f"/v1/tournaments/cup/webhooks/{hook['id']}").status_code == 404
    assert hall.chief("DELETE", f"/v1/tournaments/cup/webhooks/{hook['id']}").status_code == 404
    hall.send()
    cup.enter_late("A")
    hall.until(kept, lambda told: told["sent"]["cup"] == hall.desk.seqs(["cup"])["cup"])
    assert len(receiver.received) == 1


@pytest.mark.parametrize(
    ("body", "field", "named"),
    [
        ({}, "url", "required"),
        ({"url": "http://hooks.example/"}, "url", "https://"),
        ({"url": "https://127.0.0.1/"}, "url", "not a public address"),
        ({"url": "https://2130706433/"}, "url", "127.0.0.1"),
        ({"url": "https://user@hooks.example/"}, "url", "a user name"),
        ({"url": "https://hooks.example:22/"}, "url", "22"),
        ({"url": "https://hooks.example/", "after": 999}, "after", "ends at"),
        ({"url": "https://hooks.example/", "after": -1}, "after", "0"),
        ({"url": "https://hooks.example/", "secret": "mine"}, "secret", "Unknown field"),
    ],
)
def test_what_cannot_be_a_webhook_is_refused_by_name(hall: Hall, body: dict[str, Any], field: str, named: str):
    hall.cup()
    answer = hall.chief("POST", "/v1/tournaments/cup/webhooks", body)
    assert answer.status_code == 422 and named in str(answer.get_json()["errors"][field])
    assert hall.chief("GET", "/v1/tournaments/cup/webhooks").get_json()["webhooks"] == []


def test_an_address_is_registered_once_and_there_are_not_too_many(hall: Hall):
    hall.cup()
    hall.add("https://hooks.example/0")
    again = hall.chief("POST", "/v1/tournaments/cup/webhooks", {"url": "https://hooks.example/0"})
    assert (again.status_code, again.get_json()["type"]) == (409, "urn:arbiter:problem:webhook-exists")
    for n in range(1, 20):
        hall.add(f"https://hooks.example/{n}")
    over = hall.chief("POST", "/v1/tournaments/cup/webhooks", {"url": "https://hooks.example/20"})
    assert (over.status_code, over.get_json()["type"]) == (409, "urn:arbiter:problem:too-many-webhooks")
    assert len(hall.chief("GET", "/v1/tournaments/cup/webhooks").get_json()["webhooks"]) == 20


def test_a_registration_that_is_sent_again_with_its_key_is_answered_as_the_first_time(hall: Hall):
    hall.cup()
    path, url = "/v1/tournaments/cup/webhooks", {"url": "https://hooks.example/0"}
    first, again = (hall.chief("POST", path, url, {"Idempotency-Key": "k"}) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.get_json() == first.get_json() and again.headers["Location"] == first.headers["Location"]
    assert [one.headers.get("Idempotent-Replayed") for one in (first, again)] == [None, "true"]
    other = hall.chief("POST", path, {"url": "https://hooks.example/1"}, {"Idempotency-Key": "k"})
    assert (other.status_code, other.get_json()["type"]) == (422, "urn:arbiter:problem:idempotency-key-reused")
    assert len(hall.chief("GET", path).get_json()["webhooks"]) == 1


def test_a_full_disk_keeps_no_webhook_and_says_when_to_come_again(hall: Hall):
    hall.cup()
    path = "/v1/tournaments/cup/webhooks"
    with hall.desk.log.transaction() as tx:
        pages = tx.connection.exec_driver_sql("PRAGMA page_count").scalar()
        tx.connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
    answers = [hall.chief("POST", path, {"url": f"https://hooks.example/{n}/{'x' * 1900}"}) for n in range(20)]
    made, full = [[a for a in answers if a.status_code == status] for status in (201, 507)]
    assert full and len(made) + len(full) == 20, {a.status_code for a in answers}
    assert {(a.get_json()["written"], a.headers["Retry-After"]) for a in full} == {("no", "60")}
    assert len(hall.chief("GET", path).get_json()["webhooks"]) == len(made)


def test_a_registration_whose_commit_was_cut_off_says_where_to_look(hall: Hall, monkeypatch: pytest.MonkeyPatch):
    hall.cup()
    path, kept = "/v1/tournaments/cup/webhooks", hall.desk.log.webhooks

    def cut_off(*_: Any) -> None:
        raise CommitUnknown("the database was lost while it committed")

    monkeypatch.setattr(kept, "add", cut_off)
    answer = hall.chief("POST", path, {"url": "https://hooks.example/0"})
    assert (answer.status_code, answer.headers.get("Retry-After")) == (503, None)
    assert (answer.get_json()["written"], answer.get_json()["see"]) == ("unknown", path)


@pytest.mark.parametrize(
    ("act", "method", "under", "body"),
    [
        ("add", "POST", "", {"url": "https://hooks.example/1"}),
        ("resume", "POST", "/{id}/resume", {}),
        ("remove", "DELETE", "/{id}", None),
    ],
)
def test_what_was_kept_is_answered_so_although_the_database_is_lost_then(
    hall: Hall, monkeypatch: pytest.MonkeyPatch, act: str, method: str, under: str, body: Any
):
    hall.cup()
    hook, kept = hall.add("https://hooks.example/0"), hall.desk.log.webhooks
    done = getattr(kept, act)

    def lost(*_: Any) -> None:
        raise LogUnavailable("the database does not answer")

    def done_and_lost(*given: Any) -> Any:
        came = done(*given)
        for read in ("of", "sent", "every"):
            monkeypatch.setattr(kept, read, lost)
        return came

    monkeypatch.setattr(kept, act, done_and_lost)
    answer = hall.chief(method, f"/v1/tournaments/cup/webhooks{under.format(id=hook['id'])}", body)
    assert answer.status_code == (201 if act == "add" else 200), answer.text


def test_those_of_all_tournaments_take_a_token_for_all(hall: Hall):
    hall.cup()
    url = {"url": "https://hooks.example/"}
    assert hall.caller("chief_arbiter", "cup")("POST", "/v1/webhooks", url).status_code == 403
    assert hall.caller("arbiter")("POST", "/v1/webhooks", url).status_code == 403
    assert hall.app.test_client().get("/v1/webhooks").status_code == 401
    whole = hall.chief("POST", "/v1/webhooks", url | {"after": 0})
    assert whole.status_code == 422 and "omit this value" in str(whole.get_json()["errors"]["after"])
    hook = hall.add(url["url"], t="")
    assert (hook["tournament"], hook["sent"]) == (None, hall.desk.seqs(["cup"]))
    assert [one["id"] for one in hall.chief("GET", "/v1/webhooks").get_json()["webhooks"]] == [hook["id"]]
    assert hall.chief("GET", f"/v1/tournaments/cup/webhooks/{hook['id']}").status_code == 404
    assert hall.chief("POST", f"/v1/webhooks/{hook['id']}/resume", {}).status_code == 200
    assert hall.chief("DELETE", f"/v1/webhooks/{hook['id']}").status_code == 200


def test_a_server_that_is_killed_goes_on_where_it_was(tmp_path: Path, receiver: Receiver):
    folder = tmp_path / "data"
    folder.mkdir()
    tokens.ensure_keys(folder)
    token = {"Authorization": f"Bearer {tokens.issue(folder, 'chief_arbiter', 'li.wei')}"}
    settings = {"ARBITER_WEBHOOK_NETWORKS": "127.0.0.0/8", "SSL_CERT_FILE": str(receiver.authority)}
    cup = {"id": "T", "name": "Cup", "game": "xiangqi", "format": "swiss", "rounds": 3, "regulations": "campus"}
    url = {"url": receiver.url("127.0.0.1"), "after": 0}
    with serving(folder, **settings) as address:
        assert ask(address, "POST", "/v1/tournaments", cup, **token)[0] == 201
        status, _, content, _ = ask(address, "POST", "/v1/tournaments/T/webhooks", url, **token)
        assert status == 201
        secret = json.loads(content)["secret"]
        receiver.wait(2)
        assert b"arbiter_webhooks 1.0" in ask(address, "GET", "/metrics")[2]
    with serving(folder, **settings) as address:
        body = {"players": [{"name": f"p{n}"} for n in range(4)]}
        assert ask(address, "POST", "/v1/tournaments/T/entries", body, **token)[0] == 201
        end = json.loads(ask(address, "GET", "/v1/tournaments/T")[2])["seq"]
        with receiver.changed:
            assert receiver.changed.wait_for(lambda: seqs(receiver.verified(secret), "T")[-1] == end, 30)
    numbers = seqs(receiver.verified(secret), "T")
    assert sorted(set(numbers)) == list(range(1, end + 1)) and numbers == sorted(numbers)
