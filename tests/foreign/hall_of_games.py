"""As many games of one kind as somebody sends files of: tournaments are announced and paired as they are needed."""

from functools import partial
from pathlib import Path
from typing import Any, Self

from werkzeug.test import TestResponse

from deploy.server.known_tiebreaks import TIEBREAK_CODES
from services.games.app import blueprint as games
from services.pairing.app import blueprint as pairing
from services.penalties.app import blueprint as penalties
from shared.audit.checkpoints.checkpoint import Signer
from shared.audit.keys.key_files import make, read
from shared.desk.desk import Desk
from shared.http.app import Settings, create_app
from shared.http.identity import tokens
from shared.log.sqlite import SqliteLog
from tests.http.boards import RULES
from tests.http.calls import calls_on

BOARDS = 250


class HallOfGames:
    """A game that a file is sent to is one that nobody has played; one whose file was refused is used again."""

    def __init__(self, data: Path, game: str, regulations: str, size: int | None = None, boards: int = BOARDS) -> None:
        data.mkdir(parents=True, exist_ok=True)
        tokens.ensure_keys(data)
        make(data / "arbiter.key")
        log = SqliteLog(data / "arbiter.db")
        self._desk = Desk(log, RULES, Signer("arbiter", read(data / "arbiter.key")).sign)
        issue = partial(tokens.issue, data)
        app = create_app(
            [pairing(self._desk, TIEBREAK_CODES, issue), games(self._desk), penalties(self._desk)],
            self._desk,
            Settings(data / "token-keys"),
            "arbiter",
        )
        self._call = calls_on(app, data, "chief_arbiter")
        self._client, self._token = app.test_client(), tokens.issue(data, "chief_arbiter", "chief_arbiter")
        self._conditions = {"game": game, "regulations": regulations, "format": "swiss", "rounds": 3}
        if size not in (None, 19):
            self._conditions |= {"changes": {"game.go.size": size}}
        self._tournaments, self._board, self._boards = 0, boards, boards

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._desk.close()

    def send(self, content: bytes, media: str, number: int | None) -> tuple[str, TestResponse]:
        """The game that a file is sent to, and the answer; ``number``: of the game in it, None where it has one."""
        if self._board == self._boards:
            self._announce()
        game = f"/v1/games/T{self._tournaments}.1.{self._board + 1}"
        answer = self.again(game, content, media, number)
        self._board += answer.status_code == 201
        return game, answer

    def again(self, game: str, content: bytes, media: str, number: int | None = None) -> TestResponse:
        """The answer to a file that is sent to this game."""
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": media}
        which = "" if number is None else f"?number={number}"
        return self._client.post(f"{game}/moves{which}", data=content, headers=headers)

    def see(self, game: str) -> dict[str, Any]:
        """What is told of a game."""
        told: dict[str, Any] = self._client.get(game).json
        return told

    def sheet(self, game: str, media: str) -> bytes:
        """The sheet of a game as a file."""
        answer = self._client.get(f"{game}/sheet", headers={"Accept": media})
        assert answer.status_code == 200, answer.text
        return answer.data

    def _announce(self) -> None:
        self._tournaments, self._board = self._tournaments + 1, 0
        name = f"T{self._tournaments}"
        at = f"/v1/tournaments/{name}"
        self._write("/v1/tournaments", {"id": name, "name": "Cup"} | self._conditions)
        players = [{"id": n, "name": f"Player {n}"} for n in range(1, 2 * self._boards + 1)]
        entered = self._write(f"{at}/entries", {"players": players})
        boards = [[2 * n - 1, 2 * n] for n in range(1, self._boards + 1)]
        paired = {"boards": boards, "reason": "as drawn by lot"}
        self._write(f"{at}/rounds", paired, If_Match=entered.headers["ETag"])

    def _write(self, path: str, body: dict[str, Any], **headers: str) -> TestResponse:
        answer = self._call("POST", path, body, **headers)
        assert answer.status_code == 201, answer.text
        return answer
