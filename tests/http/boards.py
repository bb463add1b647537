"""One game at a board, over HTTP on a real desk; what was written is decided again at the end.

with board(tmp_path, "go", "go-campus") as b:      # round 1 of T is paired by hand: 1-2, 3-4
    b.moves("D4 Q16")
    b.get("/sheet", Accept="application/x-go-sgf")
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from flask import Flask
from werkzeug.test import TestResponse

from deploy.server.known_tiebreaks import TIEBREAK_CODES
from services.games.app import blueprint as games
from services.games.rules import RULES as GAMES_RULES
from services.pairing.app import blueprint as pairing
from services.pairing.rules import RULES as PAIRING_RULES
from services.penalties.app import blueprint as penalties
from services.penalties.rules import RULES as PENALTIES_RULES
from shared.core.state.tournament import Tournament
from shared.core.terms import GAMES, PAIRING, PENALTIES, Role
from shared.desk.desk import Desk
from shared.http.app import Settings, create_app
from shared.http.identity import tokens
from shared.http.requests.app_context import EXTENSION
from shared.regulations import load
from tests.http.calls import audited_desk, pair_by_hand
from tests.offices import holder, with_officials

RULES = {PAIRING: PAIRING_RULES, GAMES: GAMES_RULES, PENALTIES: PENALTIES_RULES}
T, G = "/v1/tournaments/T", "/v1/games/T.1.1"


class Board:
    """The game T.1.1, of players 1 and 2."""

    def __init__(self, app: Flask, data: Path) -> None:
        self._app, self._data = app, data
        self._tokens: dict[tuple[Role, str, str | None], str] = {}

    def call(
        self,
        method: str,
        path: str,
        json: Any = None,
        role: Role | None = "board",
        data: Any = None,
        name: str | None = None,
        of: str | None = None,
        **headers: str,
    ) -> TestResponse:
        """A request of one who bears this ``name``, or is called like the role; without a role nobody's. His token is for
        every tournament, or the ``of`` one."""
        sent = {header.replace("_", "-"): value for header, value in headers.items()}
        json = with_officials(method, path, json)
        if role is not None:
            bearer = (role, name or holder(role, json), of)
            if bearer not in self._tokens:
                self._tokens[bearer] = tokens.issue(self._data, *bearer)
            sent |= {"Authorization": f"Bearer {self._tokens[bearer]}"}
        return self._app.test_client().open(path, method=method, json=json, data=data, headers=sent)

    def moves(self, said: str, ply: int = 1) -> TestResponse:
        """Moves with spaces between them."""
        return self.call("POST", f"{G}/moves", {"ply": ply, "moves": said.split()})

    def file(self, content: str | bytes, media: str) -> TestResponse:
        """Send a game's file; ``media``: as `…/moves` names it, perhaps with its charset."""
        name, semicolon, charset = media.partition(";")
        where = f"{G}/moves/file?format={name.rpartition('-')[2]}"
        return self.call("POST", where, data=content, Content_Type="application/octet-stream" + semicolon + charset)

    def step(self, side: str, step: str, *values: str) -> TestResponse:
        return self.call("POST", f"{G}/steps", {"side": side, "step": step, "values": list(values)})

    @property
    def desk(self) -> Desk:
        """The desk that it is played on."""
        desk: Desk = self._app.extensions[EXTENSION].desk
        return desk

    def tournament(self) -> Tournament:
        """The tournament as its log stands now."""
        view = self.desk.view("T")
        assert view is not None and isinstance(view.tournament, Tournament)
        return view.tournament

    def get(self, path: str = "", **headers: str) -> TestResponse:
        return self.call("GET", f"{G}{path}", None, None, **headers)


@contextmanager
def board(data: Path, game: str, regulations: str = "campus", **more: Any) -> Iterator[Board]:
    """A board under a shipped set; ``more`` of the announcement: ``changes``, or a ``regulations_file`` in its place."""
    tokens.ensure_keys(data)
    with audited_desk(data, RULES, "T") as desk:
        app = create_app(
            [pairing(desk, TIEBREAK_CODES, partial(tokens.issue, data)), games(desk), penalties(desk)],
            desk,
            Settings(data / "token-keys"),
            "arbiter",
        )
        made = Board(app, data)
        cup = {"id": "T", "name": "校园杯", "game": game, "format": "swiss", "rounds": 3}
        if "regulations_file" not in more:
            cup["results_only"] = game not in load(regulations).game.rules
        pair_by_hand(
            made.call, cup | ({} if "regulations_file" in more else {"regulations": regulations}) | more, "选手{}"
        )
        yield made
