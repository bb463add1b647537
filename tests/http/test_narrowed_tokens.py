"""A tablet's token: an arbiter's, narrowed to some boards; results, arrivals and fouls there, over /v1 and by forms alike."""

from collections.abc import Callable, Iterator
from pathlib import Path

import jwt
import pytest
from flask import Flask
from werkzeug.test import TestResponse

from deploy.cli.main import run
from deploy.server import embedded
from shared.audit.keys import key_files
from shared.core.readings.token_boards import Boards
from shared.http.app import close
from shared.http.identity import tokens
from shared.http.limits.rate_limits import Limits
from shared.http.problems import Problem
from shared.http.requests import auth
from tests.http.calls import Call
from tests.http.forms import Person, hall
from tests.http.test_problems import is_problem

Ask = Callable[..., TestResponse]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("narrowed")


@pytest.fixture(scope="module")
def app(data: Path) -> Iterator[Flask]:
    made = embedded.make_app(data, Limits(rate=0, reads=0))
    yield made
    close(made)


@pytest.fixture(scope="module")
def call(app: Flask, data: Path) -> Call:
    """A hall of three boards: T.1.1 to T.1.3."""
    return hall(app, data, "T")


@pytest.fixture(scope="module")
def token(call: Call, data: Path) -> str:
    """An arbiter's, for board 2."""
    return tokens.issue(data, "arbiter", "arbiter", "T", boards=Boards(2, 2))


@pytest.fixture
def tablet(app: Flask, token: str) -> Ask:
    def ask(method: str, path: str, body: object = None, **headers: str) -> TestResponse:
        sent = {"Authorization": f"Bearer {token}", **headers}
        return app.test_client().open(f"/v1/tournaments/T{path}", method=method, json=body, headers=sent)

    return ask


def results(*boards: int) -> dict[str, object]:
    return {"round": 1, "results": [{"board": board, "result": "1-0"} for board in boards]}


def test_a_tablet_notes_arrivals_fouls_and_results_at_its_boards(tablet: Ask):
    assert tablet("POST", "/arrivals", {"player": 3, "round": 1, "late": 30}).status_code == 201
    assert tablet("POST", "/rulings", {"player": 3, "round": 1, "infraction": "foul"}).status_code == 201
    sent = tablet("POST", "/results", results(2), **{"Idempotency-Key": "once"})
    assert sent.status_code == 201
    again = tablet("POST", "/results", results(2), **{"Idempotency-Key": "once"})
    assert (again.status_code, again.json) == (201, sent.json), "what was sent twice is answered as the first time"


@pytest.mark.parametrize(
    ("path", "body", "other"),
    [
        ("/results", results(1), "board 1"),
        ("/arrivals?preview=true", {"player": 5, "round": 1, "late": 30}, "board 3"),
        ("/arrivals", {"player": 5, "round": 1, "late": 30}, "board 3"),
        ("/rulings", {"player": 1, "round": 1, "infraction": "foul"}, "board 1"),
    ],
)
def test_at_another_board_it_is_told_which_are_its_own(tablet: Ask, call: Call, path: str, body: object, other: str):
    before = call("GET", "/v1/tournaments/<t>").headers["ETag"]
    answer = tablet("POST", path, body)
    is_problem(answer, 403, "session-narrowed")
    assert "boards 2-2" in answer.json["detail"] and other in answer.json["detail"]
    assert call("GET", "/v1/tournaments/<t>").headers["ETag"] == before


def test_one_board_of_another_among_its_own_refuses_all(tablet: Ask, call: Call):
    is_problem(tablet("POST", "/results", results(3, 1)), 403, "session-narrowed")


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/corrections", {"round": 1, "results": [{"board": 2, "result": "0-1"}], "reason": "slip"}),
        ("/entries/4/withdrawal", {}),
        ("/byes", {"player": 3, "round": 2, "kind": "Z"}),
    ],
)
def test_what_is_no_result_no_arrival_and_no_foul_is_refused_at_its_own_board_too(
    tablet: Ask, call: Call, path: str, body: object
):
    call("POST", "/v1/tournaments/<t>/results", results(2), "arbiter")
    before = call("GET", "/v1/tournaments/<t>").headers["ETag"]
    assert tablet("POST", path, body, **{"If-Match": before}).status_code == 403
    assert call("GET", "/v1/tournaments/<t>").headers["ETag"] == before


def test_moves_on_a_score_sheet_are_not_a_tablets(app: Flask, token: str):
    answer = app.test_client().post(
        "/v1/games/T.1.2/moves", json={"ply": 1, "moves": ["h2e2"]}, headers={"Authorization": f"Bearer {token}"}
    )
    assert answer.status_code in (403, 409)


def test_a_form_is_refused_alike_and_shown_again_in_the_readers_language(
    app: Flask, data: Path, token: str, call: Call
):
    person = Person(app, data, None, "", "T")
    person.client.set_cookie(auth.COOKIE, token)
    person.client.set_cookie("arbiter_language", "zh-CN")
    answer = person.fills("/t/T/rounds/1/boards/1/result", result="1-0")
    assert answer.status_code == 403
    assert "2-2 台" in answer.text


def test_it_is_an_arbiters_of_one_tournament_and_of_boards_that_there_can_be(tmp_path: Path, capsys):
    data = tmp_path
    tokens.ensure_keys(data)
    for role, tournament in (("organiser", "T"), ("chief_arbiter", "T"), ("arbiter", None)):
        with pytest.raises(ValueError, match="only an arbiter's"):
            tokens.issue(data, role, "zhou", tournament, boards=Boards(1, 2))
    call = ["token", "--role", "arbiter", "--name", "zhou", "--data", str(data)]
    for bad in ("x", "5-2", "0-3", "1-2-3", "-", "٣-٤"):
        assert run([*call, "--tournament", "T", "--boards", bad]) == 2
        assert capsys.readouterr().err.count("\n") == 1
    assert run([*call, "--boards", "1-2"]) == 2
    capsys.readouterr()
    assert run([*call, "--tournament", "T", "--boards", "3-7"]) == 0
    ring = tokens.Keyring(data / "token-keys")
    assert ring.identify(capsys.readouterr().out.strip()).boards == Boards(3, 7)


@pytest.mark.parametrize(
    "changed",
    [
        {"boards": [2]}, {"boards": "2-3"}, {"boards": [3, 2]}, {"boards": [0, 2]}, {"boards": [True, 2]},
        {"boards": None}, {"boards": [1, 2**60]}, {"role": "chief_arbiter"}, {"tournament": None},
    ],
)  # fmt: skip
def test_a_token_that_says_other_boards_is_none(data: Path, token: str, changed: dict[str, object]):
    claims = jwt.decode(token, options={"verify_signature": False}) | changed
    if changed.get("tournament", "") is None:
        del claims["tournament"]
    kid = jwt.get_unverified_header(token)["kid"]
    forged = jwt.encode(claims, key_files.read(data / "token.key"), algorithm="EdDSA", headers={"kid": kid})
    with pytest.raises(Problem) as refused:
        tokens.Keyring(data / "token-keys").identify(forged)
    assert refused.value.code == "token-incomplete"
