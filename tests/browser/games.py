"""Tournaments of every game, played over HTTP in a house that a browser can visit."""

from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

from deploy.server import embedded
from shared.http.app import close
from shared.http.limits.rate_limits import Limits
from shared.regulations import load
from tests.browser.serving import served
from tests.http.boards import Board

PLAYERS = ("李娜", "Anna Berg", "<b>陈</b> & Co", "José Núñez")


class Hall:
    """A house and its address. Each tournament is called like its game; its first board is of players 1 and 2."""

    def __init__(self, data: Path, address: str, teller: Board) -> None:
        self.data, self.address, self._teller = data, address, teller

    def tell(self, path: str, body: Any, role: Any = "board", method: str = "POST", **headers: str) -> Any:
        """A command that must be followed."""
        answer = self._teller.call(method, path, body, role, **headers)
        assert answer.status_code in (200, 201), answer.text
        return answer.get_json()

    def announced(self, game: str, regulations: str = "campus") -> str:
        """A tournament with one round, paired by hand; the id of its first game."""
        t = f"/v1/tournaments/{game}"
        cup = {"id": game, "name": f"校园杯 {game}", "game": game, "format": "swiss", "rounds": 3}
        results_only = game not in load(regulations).game.rules
        announced = cup | {"regulations": regulations, "results_only": results_only}
        self.tell("/v1/tournaments", announced, "chief_arbiter")
        players = [{"id": n, "name": name} for n, name in enumerate(PLAYERS, 1)]
        self.tell(f"{t}/entries", {"players": players}, "chief_arbiter")
        seen = self._teller.call("GET", t).headers["ETag"]
        boards = {"boards": [[1, 2], [3, 4]], "reason": "as drawn by lot"}
        self.tell(f"{t}/rounds", boards, "chief_arbiter", If_Match=seen)
        return f"{game}.1.1"

    def moves(self, g: str, said: str, ply: int = 1, clock: int | None = None) -> None:
        """Moves with spaces between them, each with the same reading of the clock where one is given."""
        moves = [m if clock is None else {"move": m, "clock": clock - n} for n, m in enumerate(said.split())]
        self.tell(f"/v1/games/{g}/moves", {"ply": ply, "moves": moves})

    def step(self, g: str, side: str, step: str, *values: str) -> None:
        self.tell(f"/v1/games/{g}/steps", {"side": side, "step": step, "values": list(values)})

    def say(self, g: str, what: str, role: Any = "board", **said: Any) -> None:
        self.tell(f"/v1/games/{g}/{what}", said, role)


@contextmanager
def hall(data: Path) -> Iterator[Hall]:
    app = embedded.make_app(data, Limits(rate=0, reads=0))
    with served(app) as address:
        yield Hall(data, address, Board(app, data))
    close(app)


def play_all(made: Hall) -> None:
    """One game of each kind that has a board, some to the end, and one without moves."""
    chess = made.announced("chess")
    made.moves(chess, "e4 e5 Nf3", clock=5399)
    made.say(chess, "take-back", "arbiter", to_ply=2, reason="displaced_pieces")
    made.say(chess, "offers", side="white", offer="draw")
    made.moves(chess, "f3 d6 g4 Qh4", ply=3, clock=5300)
    xiangqi = made.announced("xiangqi")
    made.moves(xiangqi, "炮二平五 马8进7", clock=3599)
    made.say(xiangqi, "claims", "player", side="white", claim="natural_limit")
    made.moves("xiangqi.1.2", "炮二进三 炮２平５ 砲二平三 包５退１ 炮三進四")
    go = made.announced("go", "go-campus")
    made.moves(go, "Q16 D4 Q3 D17 PASS R5")
    renju = made.announced("renju")
    made.moves(renju, "h8 h9 h10")
    made.step(renju, "white", "swap")
    made.moves(renju, "o1", ply=5)
    made.step(renju, "white", "offer_fifth", "g7", "j10")
    made.step(renju, "black", "choose_fifth", "g7")
    made.moves(renju, "o3", ply=7)
    gomoku = made.announced("gomoku", "gomoku-campus")
    made.step(gomoku, "black", "guess", "odd", "4")
    made.moves(gomoku, "h8 h9 i8 i9 j8 j9 k8 k9 l8")
    prediction = made.announced("prediction")
    made.moves(prediction, "h8 a1 c1 e1")
    for side, said in (("black", "黑子13手"), ("white", "黑子15手")):
        made.step(prediction, side, "seal", sha256(f"0123456789abcdef{said}".encode()).hexdigest())
    made.announced("checkers")
    result = {"round": 1, "results": [{"board": 1, "result": "0-1"}]}
    made.tell("/v1/tournaments/checkers/results", result, "arbiter")
