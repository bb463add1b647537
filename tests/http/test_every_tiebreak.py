"""Every code of C.07 with every modifier, announced over HTTP: the table is ranked by it and has the values of the text, each is
explained, and what is no tie-break is refused by name."""

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from deploy.server import embedded
from shared.http.app import close
from tests.federation import own_set
from tests.http.calls import Call, calls_on
from tests.teams import played
from tests.tiebreaks import oracle
from tests.tiebreaks.compare import ENCOUNTERS, OF_PLAYERS, OF_TEAMS, TEAM_ORDERS
from tests.tiebreaks.oracle import HALF, Event, Round

T = "/v1/tournaments/cup"
CUP = {"id": "cup", "name": "Cup", "game": "chess", "format": "swiss", "rounds": 3}
SETS = {"shipped": {"regulations": "fide-2026"}, "own": {"regulations_file": own_set("fide-2026")}}
ROUNDS: tuple[tuple[dict[str, Any], tuple[str, ...]], ...] = (
    ({"boards": [[1, 4], [5, 2]], "bye": 3, "initial_colour": "white"}, ("1-0", "1/2-1/2")),
    ({"boards": [[3, 1], [2, 4]]}, ("0-1", "+/-")),
    ({"boards": [[1, 2], [4, 5]]}, ("1/2-1/2", "1-0")),
)
BYES = ({"player": 5, "round": 2, "kind": "H"}, {"player": 3, "round": 3, "kind": "Z"})
ONE, NONE = Fraction(1), Fraction(0)
BY_THE_TEXT = Event(
    {
        1: (Round("played", ONE, 4), Round("played", ONE, 3, black=True), Round("played", HALF, 2)),
        2: (Round("played", HALF, 5, black=True), Round("forfeit", ONE, 4), Round("played", HALF, 1, black=True)),
        3: (Round("U", ONE), Round("played", NONE, 1), Round("Z")),
        4: (Round("played", NONE, 1, black=True), Round("forfeit", NONE, 2, black=True), Round("played", ONE, 5)),
        5: (Round("played", HALF, 2), Round("H", HALF), Round("played", NONE, 4, black=True)),
    },
    {p: 2400 - 50 * p for p in range(1, 6)},
    ONE,
    HALF,
    "2026",
)
UNKNOWN = ("LUCK", "BH/C", "BH/F", "BH/C1/M1", "SB/M1", "WIN:MP", "EDET", "BH:XP", "ARO/P", "C1")


@pytest.fixture(scope="module", params=SETS)
def call(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Call]:
    """Five players after three rounds, announced to be ranked by all of them."""
    data = tmp_path_factory.mktemp(request.param)
    app = embedded.make_app(data)
    call = calls_on(app, data, "chief_arbiter")

    def tell(path: str, body: Any) -> None:
        seen = call("GET", T).headers.get("ETag", "")
        answer = call("POST", path, body, **({"If_Match": seen} if seen else {}))
        assert answer.status_code == 201, answer.text

    tell("/v1/tournaments", CUP | SETS[request.param] | {"tiebreaks": [*OF_PLAYERS, *ENCOUNTERS]})
    tell(
        f"{T}/entries", {"players": [{"id": p, "name": f"P {p}", "rating": r} for p, r in BY_THE_TEXT.ratings.items()]}
    )
    for bye in BYES:
        tell(f"{T}/byes", bye)
    for n, (paired, results) in enumerate(ROUNDS, 1):
        boards = [{"white": white, "black": black} for white, black in paired["boards"]]
        tell(f"{T}/rounds", paired | {"boards": boards, "reason": "as drawn"})
        told = [{"board": board, "result": result} for board, result in enumerate(results, 1)]
        tell(f"{T}/results", {"round": n, "results": told})
    yield call
    close(app)


def test_the_announced_order_ranks_and_every_value_is_that_of_the_text(call: Call) -> None:
    table = call("GET", f"{T}/standings").json
    assert table["tiebreaks"] == [*OF_PLAYERS, *ENCOUNTERS]
    for row in table["players"]:
        explained = {tb["name"]: tb["value"] for tb in call("GET", f"{T}/standings/{row['id']}").json["tiebreaks"]}
        assert explained == row["tb"]
        for code in OF_PLAYERS:
            must = oracle.value(BY_THE_TEXT, row["id"], code)
            value = row["tb"][code]
            assert (value is None) == (must is None), code
            assert must is None or abs(Fraction(value) - must) < Fraction(1, 10_000), code


@pytest.mark.parametrize("code", UNKNOWN)
def test_what_is_no_tie_break_is_refused_by_name_and_never_replaced(call: Call, code: str) -> None:
    for regulations in SETS.values():
        body = CUP | regulations | {"id": "other", "tiebreaks": ["BH", code]}
        answer = call("POST", "/v1/tournaments", body)
        assert answer.status_code == 422 and code in answer.json["errors"]["tiebreaks"]["1"][0], answer.text
        assert call("GET", "/v1/tournaments/other").status_code == 404
    assert call("GET", f"{T}/standings?tiebreaks=BH,{code}").status_code == 422


@pytest.mark.parametrize("part", range(2))
def test_those_of_teams_are_announced_and_rank_and_are_explained(tmp_path: Path, part: int) -> None:
    codes = (*OF_TEAMS, *TEAM_ORDERS)[part::2]
    app = played(tmp_path, tiebreaks=codes)
    try:
        client = app.test_client()
        table = client.get(f"{T}/standings/teams").get_json()
        others = ["BARRED", "WARNED", "PO"]  # the set ranks by punishments before, and by play-offs behind
        assert [code for code in table["tiebreaks"] if code not in others] == [*codes]
        for row in table["teams"]:
            told = client.get(f"{T}/standings/teams/{row['id']}").get_json()["tiebreaks"]
            assert {tb["name"]: tb["value"] for tb in told} == row["tb"]
    finally:
        close(app)
