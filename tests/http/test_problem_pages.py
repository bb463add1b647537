"""Every problem of a browser is a page in its reader's language, at each service apart and at all together."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from flask import Blueprint, Flask, request

from deploy.server.jobs.audit_job import previews
from deploy.server.known_tiebreaks import TIEBREAK_CODES
from deploy.server.settings import DESCRIPTION, VERIFIER
from services.games.app import blueprint as games
from services.pairing.app import blueprint as pairing
from services.penalties.app import blueprint as penalties
from services.standings import app as standings
from services.standings.files.archive_routes import Archives
from services.standings.files.sheet_sources import sheets_here
from shared.core.language.messages import say
from shared.desk.desk import Desk
from shared.http.app import Settings, create_app
from shared.http.identity import tokens
from shared.http.limits.rate_limits import Limits
from shared.http.problems import too_many, unavailable
from shared.log.port import LogUnavailable
from tests.played import AtOnce, a_desk

SERVICES = ("pairing", "games", "penalties", "standings")
BROWSER = {"Accept": "text/html,application/xhtml+xml,application/json;q=0.5"}
CHINESE = BROWSER | {"Accept-Language": "zh-CN"}
LIMITS = Limits(body=1000)


def blueprints(desk: Desk, data: Path) -> dict[str, Blueprint]:
    packer = Archives(LIMITS, lambda: "", sheets_here(desk))
    return {
        "pairing": pairing(desk, TIEBREAK_CODES, partial(tokens.issue, data)),
        "games": games(desk),
        "penalties": penalties(desk),
        "standings": standings.blueprint(
            desk, AtOnce(lambda t: {}), previews(desk, LIMITS), packer, VERIFIER, DESCRIPTION
        ),
    }


def faults() -> Blueprint:
    """Addresses at which what can go wrong goes wrong."""
    bp = Blueprint("faults", __name__)

    @bp.get("/t/T/fault/<kind>")
    def fault(kind: str) -> str:
        if kind == "crash":
            raise RuntimeError("the secret name 陈平")
        if kind == "log-away":
            raise LogUnavailable(say("{text}", text="the log is away"))
        raise {
            "busy": unavailable(
                "busy", say("other events were written each time while this was decided: send the form again")
            )
        }.get(kind, too_many(say("wait"), 3))

    @bp.post("/t/T/fault/large")
    def large() -> str:
        return request.get_data(as_text=True)

    return bp


@pytest.fixture(scope="module", params=[*SERVICES, "arbiter"])
def app(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    data = tmp_path_factory.mktemp("apart")
    tokens.ensure_keys(data)
    desk = a_desk(data)
    all = blueprints(desk, data)
    chosen = list(all.values()) if request.param == "arbiter" else [all[request.param]]
    yield create_app([*chosen, faults()], desk, Settings(data / "token-keys", LIMITS), request.param)
    desk.close()


ASKED = [
    ("GET", "/no/such/page", 404, "not-found"),
    ("PATCH", "/t/T/fault/crash", 405, "method-not-allowed"),
    ("GET", "/t/T/fault/crash", 500, "crash"),
    ("GET", "/t/T/fault/busy", 503, "busy"),
    ("GET", "/t/T/fault/log-away", 503, "log-away"),
    ("GET", "/t/T/fault/often", 429, "too-many-requests"),
    ("POST", "/t/T/fault/large", 413, "content-too-large"),
]


@pytest.mark.parametrize(("method", "path", "status", "code"), ASKED)
def test_a_problem_is_a_page_in_the_language_of_its_reader(app: Flask, method, path, status, code):
    app.config["PROPAGATE_EXCEPTIONS"] = False
    sent = {"data": b"x" * 2000} if method == "POST" else {}
    english, chinese = (app.test_client().open(path, method=method, headers=one, **sent) for one in (BROWSER, CHINESE))
    for answer in (english, chinese):
        assert (answer.status_code, answer.mimetype) == (status, "text/html"), answer.text[:200]
        assert code in answer.text and "陈平" not in answer.text and answer.headers["Cache-Control"] == "no-store"
    assert '<html lang="en"' in english.text and '<html lang="zh-CN"' in chinese.text
    heading = chinese.text.partition("<h1>")[2].partition("</h1>")[0]
    assert heading and not heading.isascii()


def test_a_program_is_told_the_same_as_json(app: Flask):
    answer = app.test_client().get("/no/such/page", headers={"Accept": "application/json"})
    assert (answer.status_code, answer.mimetype) == (404, "application/problem+json")
