"""The story's teller: commands as people send them, in either hall; at the end everything is decided again."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from werkzeug.test import TestResponse

from deploy.server.rules import RULES
from shared.audit.audit import Evidence, Report, audit
from shared.audit.checkpoints.checkpoint import parse
from shared.core.terms import Role
from shared.http.identity import tokens
from shared.regulations import load
from tests.offices import holder, with_officials
from tests.stories.hall import PATIENCE, Embedded, Hall, Lagging, routed

T = "/v1/tournaments/T"
in_one_process = pytest.mark.parametrize("hall", ["embedded"], indirect=True)
"""Marks a story that needs no log that lags: one service decides alone, or another story has these commands there."""


class Story:
    """One tournament T. ``tell`` must be followed; ``ask`` takes any answer; ``get`` reads what the teller wrote."""

    def __init__(self, hall: Hall) -> None:
        self.hall, self.seq = hall, 0
        self._tokens: dict[tuple[Role, str], str] = {}

    # ------------------------------------------------------------ speaking

    def ask(
        self,
        method: str,
        path: str,
        json: Any = None,
        role: Role | None = None,
        name: str | None = None,
        **headers: str,
    ) -> TestResponse:
        """Any request, with a token of a role; its holder is called like the role, unless a name is given."""
        json = with_officials(method, path, json)
        client, there = self.hall.client(method, path)
        sent = {header.replace("_", "-"): value for header, value in headers.items()}
        if role is not None:
            sent |= {"Authorization": f"Bearer {self.token(role, name or holder(role, json))}"}
        return client.open(there, method=method, json=json, headers=sent)

    def token(self, role: Role, name: str | None = None) -> str:
        name = name or role
        if (role, name) not in self._tokens:
            self._tokens[role, name] = tokens.issue(self.hall.data, role, name)
        return self._tokens[role, name]

    def tell(
        self, path: str, json: Any = None, role: Role = "chief_arbiter", method: str = "POST", name: str | None = None
    ) -> Any:
        """A command that must be followed, by one who has seen all that was told before."""
        self.near(method, path)
        answer = (
            self.ask(method, path, json, role, name, If_Match=f'"{self.seq}"')
            if self.seq
            else self.ask(method, path, json, role, name)
        )
        assert answer.status_code in (200, 201), answer.text
        assert "ETag" in answer.headers, "the line came back through the log"
        self.seq = max(self.seq, int(answer.headers["ETag"].strip('"')))
        return answer.get_json()

    def refused(
        self, path: str, json: Any = None, role: Role = "chief_arbiter", method: str = "POST", name: str | None = None
    ) -> tuple[int, str]:
        """A command that must not be followed: status and code of its problem."""
        self.near(method, path)
        answer = self.ask(method, path, json, role, name, If_Match=f'"{self.seq}"')
        assert answer.mimetype == "application/problem+json", answer.text
        return answer.status_code, answer.get_json()["type"].rpartition(":")[2]

    def near(self, method: str, path: str) -> None:
        """Wait until the service of this address has read what was told."""
        if self.seq:
            service, _ = routed(method, path)
            self.hall.near(service, "T", self.seq)

    def get(self, path: str, **headers: str) -> Any:
        """What stands at an address, once its service has read what was told."""
        self.near("GET", path)
        answer = self.ask("GET", path, None, None, None, **headers)
        assert answer.status_code == 200, answer.text
        return answer.get_json() if answer.is_json else answer.text

    def until(self, holds: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE
        while not holds():
            assert time.monotonic() < end, "it never came to be"

    # ------------------------------------------------------------ what stories begin with

    def announced(
        self, players: int = 4, game: str = "xiangqi", rounds: int = 5, regulations: str = "campus", **more: Any
    ) -> None:
        cup = {"id": "T", "name": "Cup", "game": game, "format": "swiss", "rounds": rounds}
        results_only = game not in load(regulations).game.rules
        self.tell("/v1/tournaments", cup | {"regulations": regulations, "results_only": results_only, **more})
        entered = [{"id": n, "name": f"选手 {n}", "rating": 2000 - 10 * n} for n in range(1, players + 1)]
        self.tell(f"{T}/entries", {"players": entered})

    def appointed(self, name: str, role: Role) -> None:
        """Somebody more in an office."""
        self.tell(f"{T}/officials", {"name": name, "role": role})

    def paired(self, *boards: list[int], bye: int | None = None) -> Any:
        """A round by hand, or without boards by the engine."""
        by_hand = {"boards": list(boards), "reason": "as drawn by lot"} | ({} if bye is None else {"bye": bye})
        return self.tell(f"{T}/rounds", by_hand if boards else {})

    def report(self, *results: str, round: int = 1) -> Any:
        said = [{"board": n, "result": r} for n, r in enumerate(results, 1) if r != "*"]
        return self.tell(f"{T}/results", {"round": round, "results": said}, "arbiter")

    def foul(self, player: int, round: int = 1) -> Any:
        return self.tell(f"{T}/rulings", {"player": player, "round": round, "infraction": "foul"}, "arbiter")

    def appeal(self, player: int, ruling: str) -> str:
        """The player's own appeal; its id."""
        body = {"ruling": ruling, "by": player, "grounds": "I never touched it"}
        appeal: str = self.tell(f"{T}/appeals", body, "player", name=str(player))["appeal"]
        return appeal

    def annul(self, ruling: str) -> Any:
        return self.tell(f"{T}/rulings/{ruling}/annulment", {"reason": "the film shows otherwise"}, "appeals")

    # ------------------------------------------------------------ what stories end with

    def points(self, query: str = "") -> dict[int, float]:
        return {row["id"]: row["points"] for row in self.get(f"{T}/standings{query}")["players"]}

    def standing(self) -> list[str]:
        """The rulings that have effect."""
        return [r["ruling"] for r in self.get(f"{T}/rulings")["rulings"] if r["effective"]]

    def integrity(self) -> dict[str, Any]:
        """What the integrity list shows, empty lists left out."""
        listed = self.get(f"{T}/integrity")
        return {name: told for name, told in listed.items() if isinstance(told, list) and told}

    def audited(self) -> Report:
        """The audit of the log, with sheets, keys and a checkpoint of the last line."""
        self.hall.settled()
        lines = self.hall.lines("T")
        seq = len(lines)
        note = self.ask("GET", f"{T}/checkpoint?after={seq}").text
        evidence = Evidence(self.hall.sheets("T"), (parse(note),), (self.hall.signer.verifier,))
        return audit(lines, RULES, evidence)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Play a story in both halls, unless its file says by ``HALLS`` that the order of arrival decides nothing in it."""
    chosen = any(mark.args[0] == "hall" for mark in metafunc.definition.iter_markers("parametrize"))
    if "hall" in metafunc.fixturenames and not chosen:
        metafunc.parametrize("hall", getattr(metafunc.module, "HALLS", ("embedded", "lagging")), indirect=True)


@pytest.fixture
def hall(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Hall]:
    made: Hall = Embedded(tmp_path) if request.param == "embedded" else Lagging(tmp_path, seed=len(request.node.name))
    yield made
    made.close()


@pytest.fixture
def story(hall: Hall) -> Iterator[Story]:
    told = Story(hall)
    yield told
    report = told.audited()
    assert report.findings == []
    assert (report.unchecked, report.uncovered) == ({}, 0)
    assert report.decided == report.size == len(hall.lines("T"))
