"""The product over HTTP beside the oracle: commands become requests, the oracle reads the exported log."""

import json
from collections import Counter
from typing import Any, NamedTuple

from services.games.rules import commands as games
from services.pairing.rules import commands as co
from services.penalties.rules import commands as penalties
from shared.core.events import Effect
from tests.formats.hall import Hall
from tests.formats.matrix import Competition
from tests.formats.oracle import Oracle
from tests.stories.conftest import Story

REASON = "as the arbiters found"


class Refused(NamedTuple):
    """A problem document, as a refusal of the rules."""

    code: str
    detail: str


class Basis(NamedTuple):
    """An outdated basis as `GET …/integrity` lists it."""

    kind: str
    pairing: int
    round: int
    match: int
    seated: tuple[int, ...]
    due: tuple[int, ...]


class HttpHall(Hall):
    """One competition over HTTP, with the same commands as at rules level."""

    def __init__(self, story: Story, id: str, one: Competition) -> None:
        self.id, self.at = id, f"/v1/tournaments/{id}"
        self.story, self.oracle, self.seen = story, Oracle(), Counter[str]()
        self.one = one
        self._announce(one)

    def _announce(self, one: Competition) -> None:
        first = one.stages[0]
        cup: dict[str, Any] = {
            "id": self.id,
            "name": "Cup",
            "game": "xiangqi",
            "format": first.format,
            "regulations": one.book,
        }
        cup |= {"changes": {"ranking.unmet": "nothing", "ranking.unshared": 0}}
        if first.rounds:
            cup["rounds"] = first.rounds
        conditions: dict[str, Any] = {"team": {"kind": "fixed", "boards": 2}} if one.teams else {}
        fields = ("groups", "qualifiers", "games", "best", "extra", "places")
        if len(one.stages) > 1:
            cup["stages"] = [
                {name: getattr(stage, name) for name in ("name", "format", "rounds", *fields) if getattr(stage, name)}
                for stage in one.stages
            ]
        else:
            conditions |= {name: getattr(first, name) for name in fields if getattr(first, name)}
        if conditions:
            cup["conditions"] = conditions
        self._tell("/v1/tournaments", cup, "organiser")
        players = [{"id": n, "name": f"选手 {n}", "rating": 2500 - 10 * n} for n in range(1, one.players + 1)]
        self._tell(f"{self.at}/entries", {"players": players}, "organiser")
        if one.teams:
            teams = [
                {"id": n, "name": f"队 {n}", "members": [2 * n - 1, 2 * n]} for n in range(1, one.players // 2 + 1)
            ]
            self._tell(f"{self.at}/teams", {"teams": teams}, "organiser")

    def _tell(self, path: str, body: Any, role: Any) -> Refused | None:
        seq = self.story.seq
        match = {"If_Match": f'"{seq}"'} if seq else {}
        answer = self.story.ask("POST", path, body, role, **match)
        if answer.mimetype == "application/problem+json":
            return Refused(answer.json["type"].rpartition(":")[2], answer.text)
        assert answer.status_code in (200, 201), answer.text
        self.story.seq = max(seq, int(answer.headers["ETag"].strip('"')))
        for n, line in enumerate(self.story.hall.lines(self.id)[self.oracle.seq :], self.oracle.seq + 1):
            self.oracle.tell(
                {"seq": n, **{name: value for name, value in json.loads(line).items() if name in ("type", "data")}}
            )
        return None

    def attempt(self, source: Any, command: Any) -> Any:
        if isinstance(command, games.ReportResults):
            rounds = {self.oracle.games[one.game].round for one in command.results}
            if len(rounds) > 1:
                of = {n: [r for r in command.results if self.oracle.games[r.game].round == n] for n in sorted(rounds)}
                said = [self.attempt(source, games.ReportResults(command.actor, tuple(own))) for own in of.values()]
                return next(filter(None, said), None)
        path, body, role = self._request(command)
        return self._tell(path, body, role)

    def publish(self, round: int | None = None, final: bool = False) -> Any:
        return self._tell(
            f"{self.at}/publications", {"round": len(self.oracle.rounds) if round is None else round}, "chief_arbiter"
        )

    def _get(self, path: str) -> Any:
        answer = self.story.ask("GET", path)
        assert answer.status_code == 200, answer.text
        return answer.get_json()

    # ------------------------------------------------------------ requests

    def _request(self, c: Any) -> tuple[str, Any, str]:
        match c:
            case co.PairRound():
                body: dict[str, Any] = {"seed": c.seed} if c.boards is None else {}
                if c.boards is not None:
                    body = {"boards": [list(b) for b in c.boards], "reason": REASON} | (
                        {} if c.bye is None else {"bye": c.bye}
                    )
                return f"{self.at}/rounds", body, "chief_arbiter"
            case co.DrawLots():
                return f"{self.at}/lots", {"match": c.match}, "chief_arbiter"
            case co.WithdrawPlayer():
                return f"{self.at}/entries/{c.player}/withdrawal", {"reason": REASON}, "organiser"
            case co.WithdrawPlayers():
                return (
                    f"{self.at}/teams/{self.oracle.team_of[c.players[0]]}/withdrawal",
                    {"reason": REASON},
                    "organiser",
                )
            case co.WithdrawPairing():
                return f"{self.at}/rounds/{c.round}/withdrawal", {"reason": REASON, "played": True}, "chief_arbiter"
            case games.ReportResults():
                return f"{self.at}/results", self._results(c.results), "arbiter"
            case games.Correct():
                return f"{self.at}/corrections", self._results(c.results) | {"reason": REASON}, "chief_arbiter"
            case games.StartGame():
                return f"/v1/games/{c.game}/start", {}, "arbiter"
            case penalties.MakeRuling():
                body = {"player": c.player, "round": c.round, "infraction": c.infraction, "note": REASON}
                body |= {"game": c.game} if c.game else {}
                return f"{self.at}/rulings", body | {"effect": _effect(c.effect)}, c.actor.role
            case penalties.AnnulRuling():
                return f"{self.at}/rulings/{c.annuls}/annulment", {"reason": REASON}, "appeals"
            case penalties.RetractRuling():
                return f"{self.at}/rulings/{c.annuls}/retraction", {"reason": REASON}, "chief_arbiter"
            case co.UpholdPairing():
                round = next(r.number for r in self.oracle.rounds if r.pairing == c.event.pairing)
                seated, due = list(c.event.seated), list(c.event.due)
                body = {"match": c.event.match, "seated": seated, "due": due, "reason": REASON}
                return f"{self.at}/rounds/{round}/upholding", body, "chief_arbiter"
        raise AssertionError(f"no request for {c}")

    def _results(self, results: Any) -> dict[str, Any]:
        said = []
        for one in results:
            board = int(one.game.rpartition(".")[2])
            marks = {name: _mark(getattr(one, name)) for name in ("white", "black")}
            said.append({"board": board, "result": marks})
        return {"round": self.oracle.games[results[0].game].round, "results": said}

    # ------------------------------------------------------------ comparing

    def compare(self) -> None:
        """Compare ranks, champion and outdated bases, at every third event: each answer is a table."""
        self.seen["events"] += 1
        if self.oracle.rounds and self.seen["events"] % 3 == 0:
            self.compare_ranks()
            self.compare_outdated()

    def product_ranks(self) -> dict[int, int]:
        if self.oracle.of_teams:
            return {row["id"]: row["rank"] for row in self._get(f"{self.at}/standings/teams")["teams"]}
        return {row["id"]: row["rank"] for row in self._get(f"{self.at}/standings")["players"]}

    def open_bases(self) -> list[Basis]:
        listed = self._get(f"{self.at}/integrity").get("outdated", [])
        return [
            Basis(b["kind"], b["pairing"], b["round"], b["match"], tuple(b["seated"]), tuple(b["due"])) for b in listed
        ]


def _mark(mark: Any) -> dict[str, Any]:
    return {"points": mark.points / 2, "played": mark.played}


def _effect(effect: Effect) -> dict[str, Any]:
    said: dict[str, Any] = {"kind": effect.kind}
    if effect.white is not None and effect.black is not None:
        said |= {"white": _mark(effect.white), "black": _mark(effect.black)}
    return said | ({"rounds": list(effect.rounds)} if effect.rounds else {})
