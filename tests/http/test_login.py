"""Logging in on the page: by the token that was given; back to the page that asked, and to no other site."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from deploy.server import embedded
from shared.http.app import close
from shared.http.identity import tokens
from shared.http.limits.rate_limits import Limits
from shared.http.requests import auth

HOST = {"Origin": "http://localhost"}
EVIL = ("https://evil.example/", "//evil.example/", "/\\evil.example", "javascript:evil", "evil", "/\n/evil")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("login")


@pytest.fixture(scope="module")
def app(data: Path) -> Iterator[Flask]:
    made = embedded.make_app(data, Limits(rate=0, reads=0))
    yield made
    close(made)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def token(app: Flask, data: Path) -> str:
    return tokens.issue(data, "arbiter", "zhou")


@pytest.mark.parametrize("typed", ["{}", " {}\n"])
def test_the_token_logs_in_and_leads_back(client: FlaskClient, token: str, typed: str):
    fields = {"token": typed.format(token), "next": "/regulations?x=1"}
    answer = client.post("/login", data=fields, headers=HOST)
    assert (answer.status_code, answer.headers["Location"]) == (303, "/regulations?x=1")
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie and "SameSite=Strict" in cookie
    assert "zhou" in client.get("/").text


def test_over_https_only_the_cookie_of_this_host_counts(client: FlaskClient, token: str):
    secure = {"base_url": "https://localhost"}
    answer = client.post("/login", data={"token": token}, headers={"Origin": "https://localhost"}, **secure)
    cookie = answer.headers["Set-Cookie"]
    assert cookie.startswith(f"__Host-{auth.COOKIE}=") and "Secure" in cookie and "Path=/" in cookie
    assert "Domain" not in cookie and "zhou" in client.get("/", **secure).text
    client.delete_cookie(f"__Host-{auth.COOKIE}")
    client.set_cookie(auth.COOKIE, token)  # as another host of the domain could
    assert "zhou" not in client.get("/", **secure).text


@pytest.mark.parametrize("site", ["http://localhost", "https://club.example"])
def test_the_link_of_an_invitation_that_is_pasted_leads_to_its_page_here(client: FlaskClient, site: str):
    answer = client.post("/login", data={"token": f" {site}/invitations/a-b_c\n"}, headers=HOST)
    assert (answer.status_code, answer.headers["Location"]) == (303, "/invitations/a-b_c")
    assert "Set-Cookie" not in answer.headers


def test_no_address_logs_anybody_in(client: FlaskClient, token: str):
    answer = client.get("/login", query_string={"token": token})
    assert answer.status_code == 200 and "Set-Cookie" not in answer.headers
    assert "Guest (read only)" in client.get("/").text


@pytest.mark.parametrize("next", [*EVIL, "", "/login?next=/login"])
def test_no_login_leads_to_another_site(client: FlaskClient, token: str, next: str):
    answer = client.post("/login", data={"token": token, "next": next}, headers=HOST)
    assert (answer.status_code, answer.headers["Location"]) == (303, "/")
    assert 'name="next" value="/"' in client.get("/login", query_string={"next": next}).text


@pytest.mark.parametrize(
    ("typed", "status"),
    [("", 422), ("  ", 422), ("x.y.z", 401), ("http://localhost/login", 401), ("http://[", 401), ("A" * 9000, 401)],
)
def test_what_is_no_token_is_told_and_not_shown_again(client: FlaskClient, typed: str, status: int):
    answer = client.post("/login", data={"token": typed, "next": "/regulations"}, headers=HOST)
    assert answer.status_code == status
    assert auth.COOKIE not in answer.headers.get("Set-Cookie", "")
    assert 'role="alert"' in answer.text and 'value="/regulations"' in answer.text
    assert not typed.strip() or f'"{typed}"' not in answer.text
    assert answer.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("origin", [{}, {"Origin": "https://evil.example"}, {"Origin": "null"}])
def test_another_sites_page_logs_nobody_in(client: FlaskClient, token: str, origin: dict[str, str]):
    answer = client.post("/login", data={"token": token}, headers=origin)
    assert answer.status_code == 403
    assert "Set-Cookie" not in answer.headers


def test_a_guest_finds_the_login_on_each_page_in_his_language(client: FlaskClient):
    assert "/login?next=/regulations" in client.get("/regulations").text.replace("%2F", "/")
    client.set_cookie("arbiter_language", "zh-CN")
    assert "邀请链接" in client.get("/login").text
