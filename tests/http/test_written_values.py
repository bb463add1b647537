"""Values that no log holds are refused over HTTP: names that are not seen, officials who look alike, articles of no ruleset."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from deploy.server import embedded
from shared.http.app import close
from shared.http.identity import tokens
from shared.http.limits.rate_limits import Limits
from tests.http.calls import Call, calls_on

T = "/v1/tournaments/T"
CUP = {"id": "T", "name": "Cup", "game": "xiangqi", "format": "swiss", "rounds": 3, "regulations": "xiangqi-1999"}
UNSEEN = (
    "   ",
    "Li\nWei",
    "Li\u2028Wei",
    "Li\u202eWei",
    "Li\u2066",
    "\u3164",
    "\u2800",
    "Li\U000e0041",
    "Li\ue000",
    "Li\u0378",
)
FOUL = {"player": 1, "round": 1, "infraction": "foul"}


@pytest.fixture(scope="module")
def call(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Call]:
    """T of four players, round 1 paired, with a foul of player 1 that is appealed against."""
    data = tmp_path_factory.mktemp("values")
    app = embedded.make_app(data, Limits(rate=0, reads=0))
    made = calls_on(app, data, "chief_arbiter")
    assert made("POST", "/v1/tournaments", CUP).status_code == 201
    made("POST", f"{T}/entries", {"players": [{"id": n, "name": f"Player {n}"} for n in range(1, 5)]})
    hand = {"boards": [[1, 2], [3, 4]], "reason": "lots"}
    assert made("POST", f"{T}/rounds", hand, If_Match=made("GET", T).headers["ETag"]).status_code == 201
    assert made("POST", f"{T}/rulings", FOUL).status_code == 201
    yield made
    close(app)


def outcome(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json.get("type", "").rpartition(":")[2]


@pytest.mark.parametrize("name", UNSEEN, ids=ascii)
@pytest.mark.parametrize(
    ("path", "body", "field"),
    [
        ("entries", lambda name: {"players": [{"name": name}]}, "players"),
        ("teams", lambda name: {"teams": [{"name": name, "members": [1]}]}, "teams"),
        ("officials", lambda name: {"name": "new", "role": "arbiter", "person": name}, "person"),
        ("entries/1/correction", lambda name: {"name": name, "reason": "typed wrongly"}, "name"),
    ],
)
def test_a_name_that_is_not_seen_is_refused(call: Call, path: str, body: Any, field: str, name: str):
    answer = call("POST", f"{T}/{path}", body(name), If_Match=call("GET", T).headers["ETag"])
    assert outcome(answer) == (422, "bad-fields")
    assert field in answer.json["errors"]


@pytest.mark.parametrize(
    "name", ["rivera\u034f", "rivera\ufe0f", "rivera\u3164", "riv\u0435ra", "rivera\u2800", "\u3000"], ids=ascii
)
def test_a_login_name_that_is_not_seen_is_refused(call: Call, name: str, tmp_path: Path):
    answer = call("POST", f"{T}/officials", {"name": name, "role": "arbiter"})
    assert outcome(answer) == (422, "bad-fields") and "name" in answer.json["errors"]
    tokens.ensure_keys(tmp_path)
    with pytest.raises(ValueError, match="the name"):
        tokens.issue(tmp_path, "arbiter", name)


def test_a_second_official_who_looks_like_the_first_is_refused(call: Call):
    assert call("POST", f"{T}/officials", {"name": "amira", "role": "arbiter"}).status_code == 201
    answer = call("POST", f"{T}/officials", {"name": "arnira", "role": "arbiter"})
    assert outcome(answer) == (409, "looks-alike") and "amira" in answer.json["detail"]
    call("POST", f"{T}/officials/amira/dismissal", {"reason": "left"})
    assert outcome(call("POST", f"{T}/officials", {"name": "arnira", "role": "arbiter"})) == (409, "looks-alike")
    assert call("POST", f"{T}/officials", {"name": "amira", "role": "arbiter"}).status_code == 201


def test_two_officials_of_an_announcement_do_not_look_alike(call: Call):
    officials = [{"name": name, "role": "arbiter"} for name in ("board 1", "board l")]
    answer = call("POST", "/v1/tournaments", CUP | {"id": "U", "officials": officials})
    assert outcome(answer) == (409, "looks-alike")


def test_a_device_that_looks_like_an_official_may_not_write(call: Call):
    call("POST", f"{T}/officials", {"name": "samir", "role": "arbiter"})
    moves = {"ply": 1, "moves": ["h2e2"]}
    assert outcome(call("POST", "/v1/games/T.1.1/moves", moves, "board", "sarnir")) == (403, "looks-alike")
    assert call("POST", "/v1/games/T.1.1/moves", moves, "board", "table 1").status_code == 201


@pytest.mark.parametrize("article", ["Divine right 7.1", "002-X 99.9", "002-X 18.2 by Li Wei", " "])
def test_an_article_that_the_ruleset_lacks_is_refused(call: Call, article: str):
    answer = call("POST", f"{T}/rulings", FOUL | {"article": article})
    assert outcome(answer) == (422, "unknown-article") and answer.json["see"] == f"{T}/rulebook"
    annulment = {"reason": "seen wrongly", "article": article}
    assert outcome(call("POST", f"{T}/rulings/r1/annulment", annulment, "appeals")) == (422, "unknown-article")


def test_an_article_that_the_ruleset_has_is_cited(call: Call):
    answer = call("POST", f"{T}/rulings", FOUL | {"article": "002-X 18.2"})
    assert (answer.status_code, answer.json["events"][0]["data"]["article"]) == (201, "002-X 18.2")


@pytest.mark.parametrize(
    ("other", "where"),
    [
        ({"name": "Cup\u202e"}, "name"),
        ({"name": "   "}, "name"),
        ({"place": "Hall\u2028"}, "place"),
        ({"tiebreaks": [f"BH/C{n}" for n in range(1, 199)] + [f"SB/C{n}" for n in range(1, 60)]}, "tiebreaks"),
    ],
)
def test_a_tournament_that_no_log_holds_is_refused(call: Call, other: dict[str, Any], where: str):
    answer = call("POST", "/v1/tournaments", CUP | {"id": "V"} | other)
    assert answer.status_code == 422 and where in answer.json["errors"]
