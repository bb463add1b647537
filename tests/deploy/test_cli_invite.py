"""``arbiter invite``: a link made where the keys lie, and what it is refused for."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from deploy.server import embedded
from shared.http.app import close
from shared.http.identity.tokens import issue
from shared.http.limits.rate_limits import Limits
from tests.browser.serving import served
from tests.http.calls import calls_on, pair_by_hand

CUP = {"id": "cup", "name": "Cup", "game": "xiangqi", "format": "swiss", "rounds": 3, "regulations": "campus"}
ARBITER = ("invite", "cup", "--role", "arbiter", "--name", "Arbiter")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("invite")


@pytest.fixture(scope="module")
def app(data: Path) -> Iterator[Flask]:
    app = embedded.make_app(data, Limits(rate=0, reads=0))
    pair_by_hand(calls_on(app, data, "chief_arbiter"), CUP)
    yield app
    close(app)


def test_a_link_is_one_line_and_opens_a_session_of_the_server_that_runs(arbiter, app: Flask, data: Path):
    code, out, err = arbiter(*ARBITER, "--boards", "1", "--address", "https://hall.example/", "--data", data)
    assert (code, out.count("\n")) == (0, 1) and "30 minutes" in err
    path = re.fullmatch(r"https://hall\.example(/invitations/[\w-]{22})\n", out)[1]
    browser = app.test_client()
    assert "operator" in browser.get(path).text
    begun = browser.post(path, headers={"Origin": "http://localhost"})
    assert begun.headers["Location"] == "/t/cup/rounds/1"
    shown = browser.get("/t/cup/sessions").text
    assert "invited by <bdi>operator</bdi>" in shown and "boards 1-1" in shown


def test_a_link_is_drawn_for_a_camera(arbiter, app: Flask, data: Path):
    code, out, _ = arbiter(*ARBITER, "--qr", "--data", data)
    assert code == 0 and out.startswith("http://127.0.0.1:8000/invitations/") and "█" in out


@pytest.mark.parametrize(
    ("args", "code", "told"),
    [
        (
            ("invite", "nowhere", "--role", "arbiter", "--name", "arbiter"),
            2,
            "tournament nowhere does not exist in this data folder or on this server",
        ),
        (("invite", "cup", "--role", "arbiter", "--name", "nobody"), 1, "appoint first, then invite"),
        (("invite", "cup", "--role", "player", "--name", "9"), 1, "must be the player's number"),
        (("invite", "cup", "--role", "arbiter", "--name", "a\nb"), 2, "control characters"),
        (("invite", "cup", "--role", "auditor", "--name", "wang", "--boards", "1-2"), 2, "--boards"),
        ((*ARBITER, "--boards", "8-5"), 2, "is not a range of boards"),
        ((*ARBITER, "--address", "hall"), 2, "a URL"),
        ((*ARBITER, "--days", "31"), 2, "days"),
        (("invite", "cup", "--role", "king", "--name", "x"), 2, "king"),
    ],
)
def test_what_cannot_be_invited_to_is_one_line(arbiter, app: Flask, data: Path, args, code, told):
    ended, out, err = arbiter(*args, "--data", data)
    assert (ended, out) == (code, "") and told in err


@pytest.fixture
def server(app: Flask) -> Iterator[str]:
    with served(app) as address:
        yield address


def test_a_server_makes_the_link_for_who_appoints_officials_there(
    arbiter, app: Flask, data: Path, server: str, monkeypatch: pytest.MonkeyPatch
):
    chief = issue(data, "chief_arbiter", "chief_arbiter")
    code, out, err = arbiter(*ARBITER, "--boards", "1", "--days", "1", "--url", server, "--token", chief)
    assert (code, out.count("\n")) == (0, 1) and "30 minutes" in err
    path = re.fullmatch(rf"{server}(/invitations/[\w-]{{22}})\n", out)[1]
    assert app.test_client().post(path, headers={"Origin": "http://localhost"}).headers["Location"] == "/t/cup/rounds/1"
    named = ("--address", "https://hall.example/")
    monkeypatch.setenv("ARBITER_TOKEN", chief)
    code, out, _ = arbiter(*ARBITER, *named, "--url", server)
    assert code == 0 and out.startswith("https://hall.example/invitations/")


@pytest.mark.parametrize(
    ("args", "role", "code", "told"),
    [
        (ARBITER, None, 2, "token"),
        (ARBITER, "arbiter", 1, "arbiter may not"),
        (("invite", "nowhere", "--role", "arbiter", "--name", "arbiter"), "chief_arbiter", 1, "nowhere"),
        (("invite", "cup", "--role", "arbiter", "--name", "nobody"), "chief_arbiter", 1, "appoint first, then invite"),
        (("invite", "cup", "--role", "organiser", "--name", "organiser"), "chief_arbiter", 1, "only the organiser"),
        ((*ARBITER, "--data", "elsewhere"), "chief_arbiter", 2, "cannot be used together"),
        ((*ARBITER, "--database", "pairing=sqlite:///x"), "chief_arbiter", 2, "cannot be used together"),
        ((*ARBITER, "--address", "hall"), "chief_arbiter", 2, "a URL"),
    ],
)
def test_what_a_server_does_not_make_is_one_line(arbiter, data: Path, server: str, args, role, code, told):
    token = () if role is None else ("--token", issue(data, role, role))
    ended, out, err = arbiter(*args, "--url", server, *token)
    assert (ended, out) == (code, "") and told in err and err.count("\n") == 1, err


def test_a_folder_without_a_database_is_one_line(arbiter, tmp_path: Path):
    code, out, err = arbiter(*ARBITER, "--data", tmp_path)
    assert (code, out) == (2, "") and "does not exist" in err
