"""What every service answers, and what every answer carries."""

import json

import pytest
from marshmallow import Schema
from openapi_spec_validator import validate

from shared.http.limits.rate_limits import Buckets
from shared.http.openapi import openapi


def test_health_readiness_and_version(organiser):
    assert organiser("GET", "/healthz").get_json() == {"status": "ok"}
    assert organiser("GET", "/readyz").get_json() == {"status": "ready", "lag": 0, "keys": [], "edition": 3}
    assert organiser("GET", "/version").get_json()["service"] == "arbiter"


def test_each_services_own_is_reached_under_its_prefix(announced):
    assert announced("GET", "/services/pairing/version").get_json()["service"] == "pairing"
    assert announced("GET", "/services/pairing/v1/tournaments/T").headers["ETag"] == '"1"'
    assert announced("POST", "/services/pairing/v1/tournaments/T/entries", {"name": "x"}).status_code == 201


def test_the_description_is_valid_openapi_and_tells_of_every_route(organiser):
    told = organiser("GET", "/v1/openapi.json").get_json()
    validate(told)
    assert told["openapi"].startswith("3.1")
    assert {"/v1/tournaments", "/v1/tournaments/{t}", "/v1/tournaments/{t}/events"} <= set(told["paths"])
    entries = told["paths"]["/v1/tournaments/{t}/entries"]["post"]
    schema = entries["requestBody"]["content"]["application/json"]["schema"]
    assert schema == {"$ref": "#/components/schemas/EnterRequest"}
    assert told["components"]["schemas"]["EnterRequest"]["required"] == ["name"]
    assert {"201", "409", "412", "422"} <= set(entries["responses"])
    rounds = told["paths"]["/v1/tournaments/{t}/rounds"]["post"]
    assert next(p for p in rounds["parameters"] if p["name"] == "If-Match")["required"]


def test_a_mounted_service_describes_its_own(organiser):
    told = organiser("GET", "/services/pairing/v1/openapi.json").get_json()
    validate(told)
    assert told["servers"] == [{"url": "/services/pairing"}]
    assert "/v1/tournaments" in told["paths"]


def test_metrics_count_by_route_not_by_address(announced):
    announced("GET", "/v1/tournaments/T")
    announced("GET", "/v1/tournaments/nobody")
    text = announced("GET", "/metrics").text
    line = 'arbiter_http_requests_total{method="GET",route="/v1/tournaments/<t>",status="%d"} 1.0'
    assert line % 200 in text and line % 404 in text
    assert "nobody" not in text and "arbiter_log_lag_events 0.0" in text


def test_answers_carry_the_security_headers(organiser):
    page, data = organiser("GET", "/page"), organiser("GET", "/healthz")
    for answer in (page, data, organiser("GET", "/nowhere"), organiser("GET", "/crash")):
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Referrer-Policy"] == "same-origin"
        assert answer.headers["Content-Security-Policy"].startswith("default-src 'none'")
    assert "style-src 'self'" in page.headers["Content-Security-Policy"]
    assert "unsafe" not in page.headers["Content-Security-Policy"]
    assert "camera=()" in page.headers["Permissions-Policy"] and "Permissions-Policy" not in data.headers


@pytest.mark.parametrize(("scheme", "value"), [("https", "max-age=31536000"), ("http", None)])
def test_only_https_asks_browsers_to_stay_with_https(organiser, scheme, value):
    answer = organiser("GET", "/page", base_url=f"{scheme}://localhost")
    assert answer.headers.get("Strict-Transport-Security") == value


def test_a_request_keeps_its_id_or_gets_one(organiser):
    assert organiser("GET", "/healthz", headers={"X-Request-Id": "r-1"}).headers["X-Request-Id"] == "r-1"
    made = organiser("GET", "/healthz", headers={"X-Request-Id": "bad id"}).headers["X-Request-Id"]
    assert len(made) == 36


def test_the_log_tells_who_did_what_and_no_texts_or_tokens(announced, logged):
    logged()
    assert announced("POST", "/v1/tournaments/T/entries?x=secret", {"name": "陈平"}).status_code == 422
    answer = announced("POST", "/v1/tournaments/T/entries", {"name": "陈平"}, headers={"X-Request-Id": "r-1"})
    written = logged()
    line = json.loads(written.splitlines()[-1])
    assert line["causation"] == answer.get_json()["events"][0]["causationid"]
    assert (line["request"], line["actor"], line["role"], line["tournament"]) == ("r-1", "li.wei", "organiser", "T")
    assert (line["status"], line["method"], line["route"]) == (201, "POST", "/v1/tournaments/<t>/entries")
    assert line["ms"] > 0
    assert "陈平" not in written and "secret" not in written and announced.token not in written


def test_a_bucket_fills_again_with_time():
    now = [0.0]
    buckets = Buckets("commands", 2.0, 3, lambda: now[0])
    assert [buckets.take("a").wait for _ in range(4)] == [0, 0, 0, 0.5]
    assert buckets.take("b").wait == 0
    now[0] = 0.5
    assert [buckets.take("a").wait, buckets.take("a").wait] == [0, 0.5]
    assert Buckets("commands", 0, 1).take("a").wait == 0


def test_two_schemas_of_one_name_are_told_apart():
    names = openapi._Names(frozenset())
    first = type("ReasonSchema", (Schema,), {"__module__": "services.pairing.schemas"})
    second = type("ReasonSchema", (Schema,), {"__module__": "services.penalties.schemas"})
    assert [names(s) for s in (first, second, first(), second())] == ["Reason", "PenaltiesReason"] * 2
