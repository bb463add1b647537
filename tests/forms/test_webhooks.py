"""The page of webhooks: who sees them, what is told once, where one stopped, and how it goes on."""

import re
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from flask import Flask
from standardwebhooks.webhooks import Webhook as Signer
from standardwebhooks.webhooks import WebhookVerificationError

from shared.http.requests.app_context import EXTENSION
from shared.log.webhooks import WebhookLog
from tests.forms.conftest import Comes
from tests.http.calls import Call
from tests.http.forms import Person

PAGE = "/t/<t>/webhooks"
URL = "https://hooks.example/arbiter?key=1234"
SECRET = re.compile(r'value="(whsec_[^"]+)"')
READABLE = {
    "federation.md": "**The secret is stored in plain text in that database.** Anyone with a copy of the database can "
    "send events to that receiver with the operator's signature. After a leak, remove the webhook and register it "
    "again to get a new secret.",
    "federation.zh-CN.md": "**密钥以明文保存在该数据库中。**任何人只要有数据库的副本，就能以运维方的签名向该接收方发送事件。"
    "一旦泄露，请移除该回调并重新登记，以取得新的密钥。",
}


@pytest.fixture
def chief(call: Call, comes: Comes) -> Person:
    return comes("chief_arbiter")


@pytest.fixture
def kept(app: Flask) -> WebhookLog:
    log: WebhookLog = app.extensions[EXTENSION].desk.log.webhooks
    return log


def added(person: Person, **typed: str) -> str:
    """The secret of a webhook that is registered on the page."""
    answer = person.sends(PAGE, {"act": "add", "url": URL, **typed})
    assert answer.status_code == 201 and answer.headers["Cache-Control"] == "no-store"
    (secret,) = SECRET.findall(answer.text)
    assert Signer(secret)
    return str(secret)


def test_who_copies_the_database_signs_as_the_house_until_the_webhook_is_registered_anew(
    chief: Person, kept: WebhookLog, data: Path, tmp_path: Path, t: str
):
    for page, sentence in READABLE.items():
        assert sentence in (Path(__file__).parents[2] / "deploy" / "docs" / page).read_text(encoding="utf-8")
    told = added(chief)
    with (
        closing(sqlite3.connect(data / "arbiter.db")) as database,
        closing(sqlite3.connect(tmp_path / "copy")) as copy,
    ):
        database.backup(copy)
        (secret,) = copy.execute("SELECT secret FROM webhooks WHERE tournament = ?", (t,)).fetchone()
    now, forged = datetime.now(UTC), "{}"
    headers = {
        "webhook-id": "1",
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": Signer(secret).sign("1", now, forged),
    }
    Signer(told).verify(forged, headers)  # the receiver takes it
    (hook,) = kept.of(t)
    chief.sends(PAGE, {"act": "remove", "webhook": hook.id})
    with pytest.raises(WebhookVerificationError):
        Signer(added(chief)).verify(forged, headers)


def test_a_secret_is_shown_once_and_the_address_to_the_office_alone(
    chief: Person, comes: Comes, kept: WebhookLog, t: str
):
    secret = added(chief)
    (hook,) = kept.of(t)
    assert (hook.url, hook.by, hook.secret) == (URL, "chief_arbiter", secret)
    shown = chief.sees(PAGE).text
    assert URL in shown and secret not in shown and "Accepted up to event" in shown
    for person in (comes(None), comes("arbiter"), comes("auditor")):
        told = person.sees(PAGE)
        assert told.status_code == 200 and "hooks.example" not in told.text
    assert f'href="/t/{t}/webhooks"' in chief.sees("/t/<t>/office").text


@pytest.mark.parametrize(("begin", "after"), [("now", None), ("all", 0)])
def test_it_begins_with_the_next_line_or_with_the_first(
    chief: Person, call: Call, kept: WebhookLog, t: str, begin: str, after: int | None
):
    added(chief, begin=begin)
    (hook,) = kept.of(t)
    end = call("GET", "/v1/tournaments/<t>").json["seq"]
    assert kept.sent(hook.id) == {t: end if after is None else after}


def test_one_that_stopped_is_shown_with_its_line_and_resumed_by_hand(chief: Person, kept: WebhookLog, t: str):
    added(chief, begin="all")
    (hook,) = kept.of(t)
    kept.failed(hook._replace(tries=10, failing=t, seq=4, why="it answers 500 <b>", stopped=1))
    shown = chief.sees(PAGE).text
    assert "Delivery stopped at event 4: no event is sent until it is resumed." in shown
    assert "tried 10 times" in shown and "it answers 500 &lt;b&gt;" in shown
    assert chief.sends(PAGE, {"act": "resume", "webhook": hook.id}).status_code == 303
    (resumed,) = kept.of(t)
    assert (resumed.stopped, resumed.tries, resumed.seq) == (0, 0, 4)
    assert "Stopped" not in chief.sees(PAGE).text


def test_one_that_is_removed_is_gone_and_what_is_not_there_is_told(chief: Person, kept: WebhookLog, t: str):
    added(chief)
    (hook,) = kept.of(t)
    assert chief.sends(PAGE, {"act": "remove", "webhook": hook.id}).status_code == 303
    assert kept.of(t) == []
    for act in ("remove", "resume"):
        answer = chief.sends(PAGE, {"act": act, "webhook": hook.id})
        assert answer.status_code == 404 and "No such webhook" in answer.text


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ({"act": "add", "url": "http://hooks.example/x"}, "https:// addresses only"),
        ({"act": "add", "url": "https://127.0.0.1/x"}, "127.0.0.1 is not a public address"),
        ({"act": "add"}, "Fields are missing or wrong"),
        ({"act": "add", "url": URL, "begin": "yesterday"}, "Fields are missing or wrong"),
        ({"act": "send"}, "the form does not state the action: open it again"),
        ({}, "the form does not state the action: open it again"),
    ],
)
def test_what_cannot_be_done_is_told_beside_what_was_typed(
    chief: Person, kept: WebhookLog, t: str, typed: dict[str, str], told: str
):
    answer = chief.sends(PAGE, typed)
    assert answer.status_code == 422 and told in answer.text and typed.get("url", "") in answer.text
    assert kept.of(t) == []


def test_after_it_was_removed_no_file_of_the_folder_holds_its_secret(
    chief: Person, kept: WebhookLog, data: Path, t: str
):
    secret = added(chief)
    (hook,) = kept.of(t)
    held = [file for file in data.rglob("*") if file.is_file() and secret.encode() in file.read_bytes()]
    assert held and all(file.stat().st_mode & 0o077 == 0 for file in held)
    chief.sends(PAGE, {"act": "remove", "webhook": hook.id})
    assert [file for file in data.rglob("*") if file.is_file() and secret.encode() in file.read_bytes()] == []
