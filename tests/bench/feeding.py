"""64 boards feed their moves at once, each move with its clock, against bare Flask under the same gunicorn."""

import json
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

from shared.http.identity.tokens import issue
from tests.bench.http_write import call, running
from tests.bench.measure import Ratio, compare
from tests.stack.process import free_port

BOARDS, EACH = 64, 16
MOVES = ("g1f3", "g8f6", "f3g1", "f6g8")
"""Knights out and home again, for as long as it takes."""

BARE = """
from flask import Flask, request
from marshmallow import RAISE, Schema, fields

class Move(Schema):
    class Meta:
        unknown = RAISE
    move = fields.String(required=True)
    clock = fields.Integer(required=True)

class Moves(Schema):
    class Meta:
        unknown = RAISE
    ply = fields.Integer(required=True)
    moves = fields.List(fields.Nested(Move), required=True)

app = Flask(__name__)

@app.post("/v1/games/<g>/moves")
def moves(g):
    return {"game": g, "events": [], **Moves().load(request.get_json())}, 201

@app.get("/readyz")
def ready():
    return {}
"""


def benchmarks() -> Iterator[Ratio]:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "bare.py").write_text(BARE)
        ours, bare = free_port(), free_port()
        data, python = Path(folder) / "data", Path(sys.executable)
        serve = [str(python.parent / "arbiter"), "serve", "--data", str(data), "--port", str(ours)]
        flask = [str(python), "-m", "gunicorn", "-k", "gthread", "--threads", "32", "-w", "1"]
        with running(serve, folder, ours), running([*flask, "-b", f"127.0.0.1:{bare}", "bare:app"], folder, bare):
            paired(ours, data)
            tokens = [issue(data, "board", f"board-{n}") for n in range(1, BOARDS + 1)]
            name = f"{BOARDS} boards feeding moves at once, Flask"
            yield compare(name, "moves/s", 0.5, feeders(ours, tokens), feeders(bare, tokens))


def paired(port: int, data: Path, t: str = "B") -> int:
    """A tournament with its first round paired, one board for each feeder; its last line."""
    chief = issue(data, "chief_arbiter", "bench")
    cup = {"id": t, "name": t, "game": "chess", "format": "swiss", "rounds": 3, "regulations": "campus"}
    players = [{"id": n, "name": f"Player {n}", "rating": 2400 - n} for n in range(1, 2 * BOARDS + 1)]
    boards = [[n, n + 1] for n in range(1, 2 * BOARDS, 2)]
    for path, body in (("", cup), (f"/{t}/entries", {"players": players})):
        status, content = call(port, "POST", f"/v1/tournaments{path}", body, chief)
        assert status == 201, content

    def newest() -> int:
        return int(json.loads(call(port, "GET", f"/v1/tournaments/{t}", None, chief)[1])["seq"])

    by_hand = {"boards": boards, "reason": "as drawn by lot"}
    status, content = call(port, "POST", f"/v1/tournaments/{t}/rounds", by_hand, chief, If_Match=f'"{newest()}"')
    assert status == 201, content
    return newest()


def feeders(port: int, tokens: list[str]) -> Callable[[], int]:
    """Every call goes on where the last one stopped: each board sends its next moves, one after the other."""
    turn = iter(range(10**9))

    def run() -> int:
        start = next(turn) * EACH

        def board(number: int) -> None:
            for ply in range(start + 1, start + EACH + 1):
                body = {"ply": ply, "moves": [{"move": MOVES[(ply - 1) % 4], "clock": 5400 - ply}]}
                status, content = call(port, "POST", f"/v1/games/B.1.{number}/moves", body, tokens[number - 1])
                assert status == 201, content
            done.append(number)

        done: list[int] = []
        threads = [threading.Thread(target=board, args=(n,)) for n in range(1, BOARDS + 1)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(done) == BOARDS, "a board was not followed to its end"
        return BOARDS * EACH

    return run
