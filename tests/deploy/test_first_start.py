"""The first start of a server: the invitation of the first organiser, and the address that other devices open."""

import io
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

import pytest
from flask import Flask
from flask.testing import FlaskClient

from deploy.server import embedded, public_address
from deploy.server.organiser_invitation import is_recorded
from deploy.server.settings import BadSetting, settings
from shared.http.app import close
from shared.http.limits.rate_limits import Limits

HOST = {"Origin": "http://localhost"}
LINK = re.compile(r"http://127\.0\.0\.1:\d+(/invitations/[\w-]{22})")
CUP = {"name": "Cup", "game": "xiangqi", "format": "swiss", "rounds": 3, "regulations": "campus"}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def app(data: Path) -> Iterator[Flask]:
    made = embedded.make_app(data, Limits(rate=0, reads=0))
    yield made
    close(made)


@pytest.fixture
def phone(app: Flask) -> FlaskClient:
    return app.test_client()


@contextmanager
def serving(data: Path, out: IO[str] | int) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Yield a running `arbiter serve`, and its line that says where it is."""
    command = [sys.executable, "-m", "deploy.cli.main", "serve", "--data", str(data), "--port", "0"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=out, stderr=pipe, text=True, start_new_session=True) as server:
        try:
            assert server.stderr is not None
            yield server, server.stderr.readline()
        finally:
            with suppress(ProcessLookupError):
                os.killpg(server.pid, signal.SIGKILL)


def test_empty_folder_prints_an_invitation_for_standard_output_only(data: Path) -> None:
    with serving(data, subprocess.PIPE) as (server, where):
        assert server.stdout is not None and server.stderr is not None
        intro, link = server.stdout.readline(), server.stdout.readline()
        assert "first organiser" in intro and "once, within 30 minutes" in intro
        found = LINK.fullmatch(link.strip())
        assert found and "invitations" not in where
        os.killpg(server.pid, signal.SIGKILL)
        assert "invitations" not in server.stderr.read()
    code = found[1].rpartition("/")[2].encode()
    assert not any(code in file.read_bytes() for file in data.rglob("*") if file.is_file()), "only a digest is stored"


def test_standard_output_in_a_file_gets_no_invitation(data: Path, tmp_path: Path) -> None:
    with (tmp_path / "out").open("w") as out, serving(data, out) as (server, _):
        assert server.stderr is not None
        assert "arbiter invite --role organiser --name organiser --data" in server.stderr.readline()
    assert (tmp_path / "out").read_text() == ""


def test_first_invitation_works_once_and_may_create_a_tournament(app: Flask, data: Path, phone: FlaskClient) -> None:
    link = embedded.first_invitation(data)
    shown = phone.get(link).text
    assert all(part in shown for part in ("all tournaments", "organiser", "operator"))
    assert phone.post(link).status_code == 403, "another site's page cannot use it"
    begun = phone.post(link, headers=HOST)
    assert (begun.status_code, begun.headers["Location"]) == (303, "/")
    assert "/tournaments/new" in phone.get("/").text or "New tournament" in phone.get("/").text
    cookie = phone.get_cookie("arbiter_token")
    assert cookie is not None
    bearer = {"Authorization": f"Bearer {cookie.value}"}
    made = phone.post("/v1/tournaments", json={"id": "cup", **CUP}, headers=bearer)
    assert made.status_code == 201, made.text
    assert phone.get(link).headers["Location"] == "/"
    assert app.test_client().post(link, headers=HOST).status_code == 410


def test_only_the_newest_unused_invitation_works_and_none_is_made_after_a_login(
    app: Flask, data: Path, phone: FlaskClient
) -> None:
    former, link = embedded.first_invitation(data), embedded.first_invitation(data)
    assert embedded.has_no_organiser(data)
    assert phone.get(former).status_code == 404
    assert phone.post(link, headers=HOST).status_code == 303
    assert not embedded.has_no_organiser(data)


def test_folder_with_a_tournament_needs_no_invitation(arbiter, data: Path) -> None:
    arbiter("demo", "--data", data)
    assert not embedded.has_no_organiser(data)


def test_operator_prints_another_invitation(arbiter, app: Flask, data: Path, phone: FlaskClient) -> None:
    code, out, err = arbiter("invite", "--role", "organiser", "--name", "wang", "--data", data)
    assert code == 0 and "Only this computer can open the link" in err
    path = LINK.fullmatch(out.strip())[1]
    assert phone.post(path, headers=HOST).status_code == 303
    assert arbiter("invite", "--role", "arbiter", "--name", "wang", "--data", data)[0] == 2


def test_empty_front_page_says_what_to_do(data: Path, phone: FlaskClient) -> None:
    shown = phone.get("/").text
    assert "arbiter serve" in shown and "/login" in shown and "arbiter invite --role organiser" in shown
    phone.post(embedded.first_invitation(data), headers=HOST)
    shown = phone.get("/").text
    assert "Create the first one" in shown and "arbiter serve" not in shown


@pytest.mark.parametrize(
    ("named", "host", "seen", "expected"),
    [
        ("", "127.0.0.1", "http://127.0.0.1:8000/", "http://127.0.0.1:8000"),
        ("", "0.0.0.0", "http://localhost:8000/", "http://192.168.1.5:8000"),
        ("", "::", "http://[::1]:8000/", "http://192.168.1.5:8000"),
        ("", "0.0.0.0", "http://hall.example/", "http://hall.example"),
        ("", None, "http://127.0.0.1:8080/", "http://127.0.0.1:8080"),
        ("https://hall.example/", "127.0.0.1", "http://127.0.0.1:8000/", "https://hall.example"),
    ],
)
def test_address_for_other_devices(named, host, seen, expected, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(public_address, "_own_addresses", lambda: iter(["192.168.1.5"]))
    assert public_address.public_address(named, host, seen) == expected


def test_machine_without_a_network_keeps_the_address_of_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(public_address, "_own_addresses", lambda: iter([]))
    assert public_address.public_address("", "::", "http://[::]:8000/") == "http://127.0.0.1:8000"


@pytest.mark.parametrize("wrong", ["hall", "ftp://hall", "http://", "http://hall/under/it"])
def test_address_that_is_not_a_site_is_refused(wrong: str) -> None:
    with pytest.raises(BadSetting, match="ARBITER_ADDRESS"):
        settings({"ARBITER_ADDRESS": wrong})
    assert settings({"ARBITER_ADDRESS": "https://hall.example/"}).address == "https://hall.example"


def test_invitation_in_a_browser_uses_the_set_address_or_warns(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for address, start, warns in (
        ("https://hall.example", "https://hall.example/", False),
        ("", "http://localhost/", True),
    ):
        monkeypatch.setenv("ARBITER_ADDRESS", address)
        app = embedded.make_app(data, Limits(rate=0, reads=0))
        try:
            browser = app.test_client()
            browser.post(embedded.first_invitation(data), headers=HOST)
            cookie = browser.get_cookie("arbiter_token")
            assert cookie is not None
            browser.post(
                "/v1/tournaments", json={"id": "cup", **CUP}, headers={"Authorization": f"Bearer {cookie.value}"}
            )
            sent = {"act": "invite", "once": address or "k", "role": "organiser", "name": "organiser"}
            shown = browser.post("/t/cup/sessions", data=sent, headers=HOST)
            assert shown.status_code == 201, shown.text
            assert f'value="{start}invitations/' in shown.text
            assert ("works on this computer only" in shown.text) is warns
        finally:
            close(app)


def test_output_without_a_descriptor_is_not_recorded() -> None:
    assert not is_recorded(io.StringIO())
