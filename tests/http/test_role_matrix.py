"""Every act by every role, over every route that writes, and the page that shows it: held against `MATRIX`."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from werkzeug.test import TestResponse

from deploy.server import embedded
from shared.core.readings.authority import ACTS, RULEBOOK_ACTS
from shared.core.rulebook.player_rules import PlayerAct
from shared.core.terms import OFFICES, ROLES, Role
from shared.http.app import close
from shared.http.identity import tokens
from shared.http.limits.rate_limits import Limits
from shared.http.operations import operation_of
from tests.http.role_matrix import BY_ITSELF, MATRIX, OF_NO_TOURNAMENT, QUESTIONS, Row


class House:
    """The house as it is served; ``ask`` sends a request with a token of a role, whose holder is called like it (a player
    by his number, 1) unless a name is given."""

    def __init__(self, data: Path) -> None:
        self.data, self.app = data, embedded.make_app(data, Limits(rate=0, reads=0))

    def ask(
        self,
        request: str,
        body: Any = None,
        role: Role | None = None,
        name: str | None = None,
        scope: str | None = None,
        **headers: str,
    ) -> TestResponse:
        method, _, path = request.partition(" ")
        if role is not None:
            holder = name or ("1" if role == "player" else role)
            headers["Authorization"] = f"Bearer {tokens.issue(self.data, role, holder, scope)}"
        sent = {"data": body, "content_type": "application/octet-stream"} if isinstance(body, bytes) else {"json": body}
        return self.app.test_client().open(path, method=method, headers=headers, **sent)

    def done(self, request: str, body: Any, role: Role, name: str | None = None, **headers: str) -> Any:
        answer = self.ask(request, body, role, name, **headers)
        assert answer.status_code == 201, (request, answer.json)
        return answer.json

    def seen(self, t: str) -> dict[str, str]:
        """The ETag of a tournament, as ``If-Match``."""
        return {"If-Match": self.ask(f"GET /v1/tournaments/{t}").headers["ETag"]}

    def cup(self, t: str, row: Row) -> str:
        """A tournament of players 1 to 4 with officials, 1-2 and 3-4 paired, and what the row is given; the hash of the
        first player's name."""
        at, own = f"/v1/tournaments/{t}", "campus" if row.game == "xiangqi" else f"{row.game}-campus"
        cup = {"id": t, "name": "Cup", "game": row.game, "format": "swiss", "rounds": 5, "regulations": own}
        cup["changes"] = {"players.allowed_acts": list(get_args(PlayerAct))}
        self.done("POST /v1/tournaments", cup, "organiser")
        for role in ROLES:
            if role != "player":
                for name in (role, f"other {role}"):
                    self.done(f"POST {at}/officials", {"name": name, "role": role}, "organiser")
        self.done(f"POST {at}/officials", {"name": "sacked", "role": "arbiter"}, "organiser")
        self.done(f"POST {at}/officials/sacked/dismissal", {"reason": "bets"}, "organiser")
        players = {"players": [{"id": n, "name": f"player {n}"} for n in range(1, 5)]}
        entered = self.done(f"POST {at}/entries", players, "organiser")
        pairing = {"boards": [[1, 2], [3, 4]], "reason": "by lot"}
        self.done(f"POST {at}/rounds", pairing, "organiser", **self.seen(t))
        for path, body, role in row.given:
            where = path.format(t=t) if path.startswith("/") else f"{at}/{path}"
            self.done(f"POST {where}", body, role, f"other {role}", **self.seen(t))
        name: str = entered["events"][0]["data"]["name"]["text"]
        return name


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    house = House(tmp_path_factory.mktemp("roles"))
    yield house
    close(house.app)


def code(answer: TestResponse) -> str:
    kind: str = answer.json["type"]
    return kind.rpartition(":")[2]


@pytest.mark.parametrize("row", MATRIX, ids=lambda row: f"{row.route.rpartition('/')[2]}: {row.act}")
def test_every_act_by_every_role(house: House, row: Row) -> None:
    t = f"m{MATRIX.index(row)}"
    hash = house.cup(t, row)
    method, _, route = row.route.partition(" ")
    path = (
        f"/v1/tournaments/{t}/{row.at.format(hash=hash)}"
        if row.at
        else route.replace("<t>", t).replace("<g>", f"{t}.1.1").replace("<c>", "c1").replace("<b>", "b1")
    )
    request, announces = f"{method} {path}{row.query}", row.act == "announce"
    body = row.body | {"id": f"{t}-new"} if announces else row.body
    before = house.seen(t)
    seen = before if row.match else {}

    # nobody
    nobody = house.ask(request, body, **seen)
    assert (nobody.status_code, code(nobody)) == (401, "token-missing")

    # a role that may not, in office though it is
    for role in ROLES:
        if role not in row.may:
            answer = house.ask(request, body, role, **seen)
            assert answer.status_code == 403, (role, answer.json)
            assert code(answer) in row.codes, (role, answer.json)
            assert method == "GET" or answer.json["article"], role

    # a role that may, by a token of another tournament, or by an official who was dismissed
    for role in row.may:
        answer = house.ask(request, body, role, scope="elsewhere", **seen)
        assert (answer.status_code, code(answer)) == (403, "token-scope"), role
        if role != "player" and not announces:
            answer = house.ask(request, body, role, name="sacked", **seen)
            assert (answer.status_code, code(answer)) == (403, "official-dismissed"), role

        if role in OFFICES and not announces:
            answer = house.ask(request, body, role, name="a stranger", **seen)
            assert (answer.status_code, code(answer)) == (403, "office-not-held"), role
            assert answer.json["article"] and f"POST /v1/tournaments/{t}/officials" in answer.json["detail"], role

    # another player, and who is none
    if "player" in row.may:
        answer = house.ask(request, body, "player", name="3", **seen)
        assert answer.status_code == 403, answer.json
        for name in ("player", "99", "01"):
            answer = house.ask(request, body, "player", name=name, **seen)
            assert (answer.status_code, code(answer)) == (403, "office-not-held"), name
    assert house.seen(t) == before, "nothing was written"

    # and whoever may: what he asks for is done, or was done already
    for n, role in enumerate(row.may):
        answer = house.ask(request, body, role, **(house.seen(t) if row.match else {}))
        assert answer.status_code == row.first if n == 0 else answer.status_code in (200, 201, 404, 409, 422), (
            role,
            answer.json,
        )
        if answer.status_code == 201:
            found = house.ask(f"GET {answer.headers['Location']}", None, role)
            assert found.status_code == 200, (answer.headers["Location"], found.json)


def test_every_route_that_writes_has_a_row(house: House) -> None:
    """A route without one is added to `MATRIX`, by whom may and by an act."""
    writes = set()
    for rule in house.app.url_map.iter_rules():
        operation = operation_of(house.app.view_functions[rule.endpoint])
        if operation is None or operation.public or operation.form or rule.rule.startswith("/services/"):
            continue
        writes |= {f"{method} {rule.rule}" for method in (rule.methods or set()) - {"GET", "HEAD", "OPTIONS"}}
    assert writes - OF_NO_TOURNAMENT - QUESTIONS == {row.route for row in MATRIX if not row.route.startswith("GET")}
    assert writes > OF_NO_TOURNAMENT


def test_the_page_of_roles_shows_the_matrix(house: House) -> None:
    """By Go's rules, which grant every act that there is."""
    house.cup("shown", next(row for row in MATRIX if row.act == "decide a game"))
    page = house.ask("GET /t/shown/roles")
    shown = {}
    for act, cells in re.findall(r'<tr id="([^"]+)">(.*?)</tr>', page.text, re.S):
        marks = re.findall(r'<td class="c">(✓?)</td>', cells)
        shown[act] = {role for role, mark in zip(ROLES, marks, strict=True) if mark}
    may = {row.act: set(row.may) for row in MATRIX} | {act: set() for act in BY_ITSELF}
    assert shown == {act.replace(" ", "_"): roles for act, roles in may.items()}
    assert may.keys() == {*ACTS, *RULEBOOK_ACTS}
