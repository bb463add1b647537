"""Sends a story, written as one command per line, to a server in this process.

The first word of a line is a method of `Teller`: ``play 2``, ``pair 1-2 3-4 bye 5``, ``results 1 1-0 *``,
``correct 1.2 0-1``, ``expel 4@1``. A line that begins with ``?`` must be refused.
"""

import json
from typing import Any

from shared.client import Client, Problem
from shared.core.terms import Role

SEED = 20261126
"""Of every lot that a pairing draws, so that boards and colours are the same each time."""
CALLERS: tuple[Role, ...] = ("chief_arbiter", "arbiter", "appeals", "organiser", "board")


class Teller:
    """One tournament on the server of ``callers``. The holder of each role has the name of the role."""

    def __init__(self, callers: dict[Role, Client], id: str) -> None:
        self.callers, self.id, self.path = callers, id, f"/v1/tournaments/{id}"
        self.gone: set[int] = set()

    def tell(self, where: str, body: Any, role: Role = "chief_arbiter") -> Any:
        """Send a command that is based on all events so far. Raises `Problem` if it is refused."""
        caller = self.callers[role]
        path = where if where.startswith("/") else f"{self.path}/{where}"
        seen = None if path == "/v1/tournaments" else caller.get(self.path).etag
        return caller.post(path, body, if_match=seen).json

    def play_story(self, announced: dict[str, Any], entries: int | list[dict[str, Any]], story: str) -> None:
        """Create the tournament, enter the players and send each line. ``entries``: players, or their number."""
        officials = [{"name": role, "role": role} for role in CALLERS if role != "board"]
        self.tell("/v1/tournaments", {"id": self.id, "name": self.id, "officials": officials} | announced)
        if entries:
            self.tell("entries", {"players": players(entries) if isinstance(entries, int) else entries})
        for line in filter(None, map(str.strip, story.splitlines())):
            self.follow(line)

    def follow(self, line: str) -> None:
        """Send the command of one line."""
        must_fail = line.startswith("?")
        verb, *words = line.removeprefix("?").split(" ")
        try:
            getattr(self, verb)(*words)
        except Problem as problem:
            if not must_fail:
                raise AssertionError(f"{self.id}: {line}: {problem.document}") from problem
        else:
            assert not must_fail, f"{self.id}: {line}: was followed"

    # ------------------------------------------------------------ the lines of a story

    def post(self, path: str, *words: str) -> None:
        """Send any command: path, JSON body, and a role (default: chief_arbiter)."""
        said, _, role = " ".join(words).rpartition("}")
        where = path.replace("games/", f"/v1/games/{self.id}.") if path.startswith("games/") else path
        self.tell(where, json.loads(said + "}"), role.strip() or "chief_arbiter")

    def play(self, times: str = "1") -> None:
        """Pair, and report that the lower number won, except in games of players who have left."""
        for _ in range(int(times)):
            paired = self.tell("rounds", {"seed": SEED})
            here = [b for b in paired["boards"] if not {b["white"], b["black"]} & self.gone]
            said = [(b["board"], "1-0" if b["white"] < b["black"] else "0-1") for b in here]
            self._report("results", paired["round"], said, "arbiter")

    def draw(self, times: str = "1") -> None:
        """Pair, and report that every game was drawn."""
        for _ in range(int(times)):
            paired = self.tell("rounds", {"seed": SEED})
            self._report("results", paired["round"], [(b["board"], "1/2-1/2") for b in paired["boards"]], "arbiter")

    def pair(self, *words: str) -> None:
        """Pair by the format, or the given boards manually."""
        boards = [list(map(int, word.split("-"))) for word in words if "-" in word]
        bye = {"bye": int(words[-1])} if "bye" in words else {}
        self.tell("rounds", {"boards": boards, "reason": "as drawn"} | bye if boards else {"seed": SEED})

    def unpair(self, round: str) -> None:
        self.tell(f"rounds/{round}/withdrawal", {"reason": "the hall was not ready"})

    def results(self, round: str, *results: str) -> None:
        """Report results by board. ``*`` is skipped; ``low`` and ``high``: the lower or higher number wins."""
        self._report("results", int(round), [(n, r) for n, r in enumerate(results, 1) if r != "*"], "arbiter")

    def finish(self, round: str) -> None:
        """Report that the lower number won each game of a round that has no result."""
        reader = self.callers["organiser"]
        boards = [(b["board"], b["game"]) for b in reader.get(f"{self.path}/rounds/{round}").json["boards"]]
        said = [(n, "low") for n, game in boards if reader.get(f"/v1/games/{game}").json["result"] is None]
        self._report("results", int(round), said, "arbiter")

    def correct(self, board: str, result: str) -> None:
        round, number = map(int, board.split("."))
        self._report("corrections", round, [(number, result)], "chief_arbiter", reason="misread slip")

    def both_lose(self, board: str) -> None:
        round, number = map(int, board.split("."))
        self._report("results", round, [(number, "0-0")], "chief_arbiter")

    def _report(self, where: str, round: int, said: list[tuple[int, str]], role: Role, **more: Any) -> None:
        if said:
            results = [{"board": board, "result": self._result(round, board, result)} for board, result in said]
            self.tell(where, {"round": round, "results": results} | more, role)

    def _result(self, round: int, board: int, result: str) -> str:
        """Return the notation of a result, for ``low`` and ``high`` by the colours of the board."""
        if result not in ("low", "high"):
            return result
        boards = self.callers["organiser"].get(f"{self.path}/rounds/{round}").json["boards"]
        white_is_low = next(b["white"] < b["black"] for b in boards if b["board"] == board)
        return "1-0" if white_is_low == (result == "low") else "0-1"

    def rule(self, act: str, infraction: str, *words: str) -> None:
        """Make a ruling on ``player@round``. More members of the body, as JSON, and a role may follow."""
        player, round = map(int, act.split("@"))
        said, _, role = " ".join(words).rpartition("}")
        more = json.loads(said + "}") if said else {}
        body = {"player": player, "round": round, "infraction": infraction, "note": "seen"} | more
        self.tell("rulings", body, role.strip() or "arbiter")

    def expel(self, act: str) -> None:
        self.rule(act, "grave_misconduct", '{"effect": {"kind": "expel"}}', "organiser")

    def exclude(self, act: str) -> None:
        """Exclude a player from the round of the act."""
        effect = {"effect": {"kind": "exclude", "rounds": [int(act.split("@")[1])]}}
        self.rule(act, "grave_misconduct", json.dumps(effect), "chief_arbiter")

    def annul(self, ruling: str) -> None:
        self.tell(f"rulings/{ruling}/annulment", {"reason": "the film shows otherwise"}, "appeals")

    def retract(self, ruling: str, role: Role = "organiser") -> None:
        self.tell(f"rulings/{ruling}/retraction", {"reason": "the wrong row"}, role)

    def appeal(self, ruling: str, player: str, decided: str) -> None:
        body = {"ruling": ruling, "by": int(player), "grounds": "I never touched it"}
        appeal = self.tell("appeals", body, "appeals")["appeal"]
        self.tell(f"appeals/{appeal}/decision", {"upheld": decided == "upheld", "grounds": "seen"}, "appeals")

    def leave(self, player: str) -> None:
        self.tell(f"entries/{player}/withdrawal", {"reason": "ill"}, "organiser")
        self.gone.add(int(player))

    def back(self, player: str) -> None:
        self.tell(f"entries/{player}/return", {"reason": "well again"}, "organiser")
        self.gone.discard(int(player))

    def moves(self, board: str, ply: str, *moves: str) -> None:
        self.tell(f"/v1/games/{self.id}.{board}/moves", {"ply": int(ply), "moves": moves}, "board")

    def step(self, board: str, side: str, step: str, *values: str) -> None:
        self.tell(f"/v1/games/{self.id}.{board}/steps", {"side": side, "step": step, "values": values}, "board")

    def end(self, board: str, *by: str) -> None:
        """End a game by the resignation of a side, or by agreement."""
        said = {"termination": "resignation", "side": by[0]} if by else {"termination": "agreement"}
        self.tell(f"/v1/games/{self.id}.{board}/end", said, "arbiter")

    def claim(self, board: str, claim: str, side: str = "", move: str = "", role: Role = "board") -> None:
        said = {"claim": claim} | ({"side": side} if side else {}) | ({"move": move} if move else {})
        self.tell(f"/v1/games/{self.id}.{board}/claims", said, role)

    def late(self, act: str, seconds: str) -> None:
        """Note the arrival of ``player@round``, in seconds after the start or ``absent``."""
        player, round = map(int, act.split("@"))
        how = {"absent": True} if seconds == "absent" else {"late": int(seconds)}
        self.tell("arrivals", {"player": player, "round": round} | how, "arbiter")

    def teams(self, *members: str) -> None:
        """Enter teams, each written as its players: ``11,12``."""
        teams = [{"name": f"{n} 队", "members": list(map(int, m.split(",")))} for n, m in enumerate(members, 1)]
        self.tell("teams", {"teams": teams})

    def lineup(self, team: str, round: str, players: str) -> None:
        said = {"team": int(team), "round": int(round), "players": list(map(int, players.split(",")))}
        self.tell("lineups", said, "arbiter")

    def lots(self, match: str) -> None:
        self.tell("lots", {"match": int(match)})

    def publish(self, **said: Any) -> None:
        self.tell("publications", said, "organiser")

    def final(self) -> None:
        self.publish(final=True)


def players(count: int) -> list[dict[str, Any]]:
    """Return entries. A higher number has a lower rating."""
    return [{"id": n, "name": f"选手 {n}", "rating": 2400 - 10 * n} for n in range(1, count + 1)]
