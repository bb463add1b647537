"""Random games under random values of the games of stones, over HTTP: whatever was taken is decided again by the audit, and
what was folded line by line is what the lines make anew."""

from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import pytest

from services.games.rules.boards.registry import variant_of
from services.games.rules.play.sheet.sheet import state_after
from shared.core.terms import GAMES, GameId
from shared.regulations.changeable import changeable
from tests.http.boards import Board, G, board
from tests.rules.test_games_reached import SAID, SALT

SETS = {"renju": "renju", "gomoku": "gomoku-campus", "go": "go-campus", "prediction": "campus"}
POINTS = ("h8", "h9", "h10", "i9", "g7", "j10", "g8", "i8", "j8", "k8", "l8", "m8")
VERTICES = ("D4", "Q16", "C3", "G7", "E5", "F5", "E4", "F4", "D5", "G4", "PASS", "PASS")
TIME = {"periods": [{"seconds": 60}], "byo_yomi": 5, "flag": "at_once"}
COMMANDS = 50


def changes(game: str, rng: Random) -> dict[str, Any]:
    """About half of the game's values, each as some text or bound has it."""
    rows = [row for row in changeable().values() if row.path.startswith(f"game.{game}.")]
    chosen = (row for row in rows if rng.random() < 0.5)
    return {row.path: rng.choice([*row.values, *(n for n in (row.least, row.most) if n is not None)]) for row in chosen}


def command(game: str, b: Board, rng: Random) -> tuple[str, dict[str, Any], Any]:
    state = b.get().json
    side = rng.choice(("white", "black", state["to_move"]))
    if rng.random() < 0.6:
        points = VERTICES if game == "go" else POINTS
        move = rng.choice((*points, "pass", f"{rng.choice('abcdefghjklmno')}{rng.randint(1, 15)}"))
        clock = rng.choice((None, None, rng.randint(0, 60))) if any(state["clocks"].values()) else None
        return (
            "moves",
            {"ply": state["ply"] + 1, "moves": [move if clock is None else {"move": move, "clock": clock}]},
            "board",
        )
    what = rng.random()
    if what < 0.15:
        return "take-back", {"to_ply": rng.randint(0, max(0, state["ply"] - 1)), "reason": "agreement"}, "arbiter"
    if what < 0.35:
        name = rng.choice(("forbidden_point", "forbidden_point", "time_up", "illegal_move", "flag"))
        body: dict[str, Any] = {"claim": name, "side": side}
        if name in ("forbidden_point", "illegal_move"):
            body["move"] = state["moves"][-1] if state["moves"] else "h8"
        return "claims", body, rng.choice(("arbiter", "board"))
    values: dict[str, list[str]] = {
        "guess": rng.choice((["odd", "5"], ["even", "5"], ["7", "4"])),
        "opening": ["花月"],
        "swap": [],
        "keep": [],
        "offer_fifth": rng.sample(POINTS[4:], rng.randint(1, 3)),
        "choose_fifth": [rng.choice(POINTS)],
        "start_clocks": [],
        "set_clock": ["30"],
        "byo_yomi": ["2"],
        "confirm_resignation": ["7"],
        "confirm_end": [],
        "dead": [],
        "correct_colours": [],
        "criterion": ["black"],
        "seal": [sha256((SALT + SAID[0]).encode()).hexdigest(), "3"],
        "reveal": [SALT, SAID[0]],
    }
    step = rng.choice(tuple(values))
    return "steps", {"side": side, "step": step, "values": values[step]}, "arbiter"


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("game", SETS)
def test_a_random_game_under_random_values_is_decided_again(tmp_path: Path, game: str, seed: int) -> None:
    rng = Random(f"{game} {seed}")
    time = TIME | {"clocks_after": rng.choice((0, 1800))}
    more = {"changes": changes(game, rng), "conditions": {"time": time}}
    with board(tmp_path, game, SETS[game], **more) as b:
        b.moves("K10" if game == "go" else "h8")
        for _ in range(COMMANDS):
            path, body, role = command(game, b, rng)
            answer = b.call("POST", f"{G}/{path}", body, role)
            assert answer.status_code in (200, 201, 403, 409, 422), answer.text
        shown, t = b.get().json, b.tournament()
        sheet = b.desk.sheet(GAMES, "T.1.1")
        assert sheet.lines == b.get("/sheet").json["lines"] > 1, more
        variant = variant_of(t, t.games[GameId("T.1.1")])
        assert variant is not None
        anew = state_after(variant, sheet.entries)
        assert (anew.position.text(), anew.position.facts()) == (shown["fen"], shown["facts"])
        assert [sheet.state(variant).readings, sheet.state(variant).clocks_run] == [anew.readings, anew.clocks_run]
