"""Plays and exports the golden logs of a release, once: ``python -m tests.golden.play 1.0.0``.

Two tournaments: the sample, and a chess event whose games have score sheets. Between them stands
every type of event. What a release has left is never written again: the audit of it, for ever,
is what shows that no later code decides a past command otherwise.
"""

import sys
import tempfile
from pathlib import Path
from typing import Any

from deploy.cli.client import clients
from deploy.cli.demo.demo_story import HOLDERS, Story, load_sample
from shared.client import Client
from shared.core.terms import Role
from tests.conditional_writes import post_with_if_match

FOLDER = Path(__file__).parent
CALLERS: tuple[tuple[str, Role], ...] = (*HOLDERS, ("Board 3", "board"), ("Office", "organiser"))
PLAYERS = (
    ("Aino Virtanen", 2240),
    ("林清扬", 2185),
    ("Bogdan Ilić", 2100),
    ("Chloé Marchand", 2010),
    ("高远", 1950),
    ("Øystein Dahl", 1880),
)
MATE = ["e2e4", "e7e5", {"move": "d1h5", "clock": 5391}, "b8c6", {"move": "f1c4", "clock": 5377}, "g8f6", "h5f7"]
QUIET = [{"move": "d2d4", "clock": 5400}, {"move": "d7d5", "clock": 5400}, "g1f3", "g8f6"]
NDJSON = "application/x-ndjson"


class Hall:
    """The chess event, played call by call."""

    path = "/v1/tournaments/hall"

    def __init__(self, callers: dict[Role, Client]) -> None:
        self.callers = callers

    def tell(self, path: str, body: Any, role: Role = "arbiter", seen: bool = False) -> dict[str, Any]:
        """A command on the tournament (or, with a leading slash, anywhere) that must be followed."""
        caller, where = self.callers[role], path if path.startswith("/") else f"{self.path}/{path}"
        if seen:  # the rulebook's own answer to a finding may come between
            return post_with_if_match(caller, self.path, where, body).json
        return caller.post(where, body).json

    def play(self) -> None:
        chief: Role = "chief_arbiter"
        announced = {"id": "hall", "name": "晚秋棋会 Late Autumn", "game": "chess", "format": "swiss"}
        self.tell("/v1/tournaments", {**announced, "rounds": 2, "regulations": "campus"}, chief)
        for name, role in (*HOLDERS, ("Second arbiter", "arbiter")):
            self.tell("officials", {"name": name, "role": role}, chief)
        self.tell("entries", {"players": [{"name": n, "rating": r} for n, r in PLAYERS]}, chief)
        self.tell("starting-numbers", {}, chief)
        self.tell("rounds", {}, chief, seen=True)
        self.tell("rounds/1/withdrawal", {"reason": "the hall was not ready"}, chief)
        self.tell("rounds", {}, chief, seen=True)
        self._first_round()
        self._second_round()
        self._after()

    def _first_round(self) -> None:
        """A mate, a draw agreed on, a flag that fell; one claim of a flag that had not fallen."""
        self.tell("/v1/games/hall.2.1/start", {})
        self.tell("/v1/games/hall.2.1/moves", {"ply": 1, "moves": MATE}, "board")
        self.tell("/v1/games/hall.2.2/moves", {"ply": 1, "moves": QUIET}, "board")
        self.tell("/v1/games/hall.2.2/offers", {"offer": "draw", "side": "black"}, "board")
        self.tell("/v1/games/hall.2.2/offers", {"offer": "accept", "side": "white"}, "board")
        self.tell("/v1/games/hall.2.3/moves", {"ply": 1, "moves": QUIET}, "board")
        self.tell("/v1/games/hall.2.3/take-back", {"to_ply": 3, "reason": "misrecorded"})
        self.tell("/v1/games/hall.2.3/moves", {"ply": 4, "moves": ["c7c6"]}, "board")
        self.tell("/v1/games/hall.2.3/claims", {"claim": "flag", "side": "white"}, "board")
        self.tell("/v1/games/hall.2.3/claims", {"claim": "flag", "side": "black"})

    def _second_round(self) -> None:
        """A third foul, annulled and made again; a result reported, and corrected."""
        chief: Role = "chief_arbiter"
        paired = self.tell("rounds", {}, chief, seen=True)
        player = paired["boards"][0]["white"]
        for infraction in ("foul", "disturbing", "foul", "foul"):
            last = self.tell("rulings", {"player": player, "round": 2, "infraction": infraction, "note": "seen"})
        first = last["events"][0]["data"]["ruling"]
        self.tell(f"rulings/{first}/annulment", {"reason": "it was the other player"}, "appeals")
        self.tell("rulings", {"player": paired["boards"][1]["black"], "round": 2, "infraction": "violation"})
        results = [{"board": 2, "result": "1-0"}, {"board": 3, "result": "0-1"}]
        self.tell("results", {"round": 2, "results": results})
        corrected = {"round": 2, "results": [{"board": 3, "result": "1/2-1/2"}], "reason": "misread slip"}
        self.tell("corrections", corrected, chief, seen=True)
        self.tell("publications", {}, chief, seen=True)

    def _after(self) -> None:
        chief: Role = "chief_arbiter"
        self.tell("regulations", {"regulations": "fide-2026", "reason": "tie-breaks by FIDE's list"}, chief)
        self.tell("crossings/3", {"note": "seen and discussed"}, chief)
        self.tell("officials/Second arbiter/dismissal", {"reason": "left early"}, chief)
        texts = self.callers["organiser"].get(f"{self.path}/texts", accept=NDJSON).content
        erased = next(line for line in texts.decode().splitlines() if "高远" in line).split('"hash":"')[1][:64]
        self.callers["organiser"].delete(f"{self.path}/texts/{erased}")
        self.tell("publications", {"final": True}, chief, seen=True)


def export(release: str) -> None:
    """Play both and write what they leave: log, sheets, texts, checkpoint, key, and the table as it must be."""
    into = FOLDER / f"log-{release}"
    into.mkdir()
    with tempfile.TemporaryDirectory() as data, clients(Path(data), CALLERS) as callers:
        Story(callers, load_sample()).play()
        Hall(callers).play()
        reader = callers["organiser"]
        for t in ("spring-cup", "hall"):
            path = f"/v1/tournaments/{t}"
            log = reader.get(f"{path}/events", accept=NDJSON).content
            started = [line for line in log.split(b"\n") if b'"arbiter.game.started' in line]
            games = [line.split(b'"game":"')[1].split(b'"')[0].decode() for line in started]
            sheets = [reader.get(f"/v1/games/{g}/sheet", accept=NDJSON).content for g in games]
            (into / f"{t}.ndjson").write_bytes(log)
            if sheets:
                (into / f"{t}.sheets.ndjson").write_bytes(b"".join(sheets))
            for name, resource, accept in (
                ("texts.ndjson", "texts", NDJSON),
                ("checkpoint", "checkpoint", "*/*"),
                ("standings.json", "standings", "*/*"),
            ):
                content = reader.get(f"{path}/{resource}", accept=accept).content
                (into / f"{t}.{name}").write_bytes(content)
        (into / "arbiter.vkey").write_bytes((Path(data) / "arbiter.vkey").read_bytes())


if __name__ == "__main__":
    export(sys.argv[1])
