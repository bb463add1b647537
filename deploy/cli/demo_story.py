"""The sample tournament, played call by call: who reports, rules and appeals, and what comes of it."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from deploy.cli.demo_sample import Sample, SampleRound
from shared.client import Answer, Client, Problem
from shared.core.terms import Role

HOLDERS: tuple[tuple[str, Role], ...] = (
    ("he.jing", "chief_arbiter"),
    ("rivera", "arbiter"),
    ("solheim", "appeals"),
)
"""Who holds an office in the sample, by the handle."""
PERSONS = {"he.jing": "何静 He Jing", "rivera": "Tomás Rivera", "solheim": "Ingrid Solheim"}
"""What they are called."""
FOULS = ("touched the board twice", "played two moves in a row", "reached for the clock with the other hand")
GROUNDS = "the second piece had been knocked over by a spectator"


@dataclass(slots=True)
class Story:
    """The sample on its way. ``before`` and ``after``: the table with the third foul's loss, and without it."""

    callers: Mapping[Role, Client]
    sample: Sample
    before: dict[str, Any] = field(default_factory=dict)
    after: dict[str, Any] = field(default_factory=dict)
    annulled: str = ""
    loss: str = ""

    @property
    def path(self) -> str:
        return f"/v1/tournaments/{self.sample.id}"

    def is_played(self) -> bool:
        """Whether the tournament has been played in this folder already."""
        return is_known(self.callers["chief_arbiter"], self.path)

    def play(self) -> None:
        """From the announcement to the final table."""
        chief = self.callers["chief_arbiter"]
        announced = {k: getattr(self.sample, k) for k in ("id", "name", "game", "format", "rounds", "regulations")}
        officials = [{"name": name, "role": role, "person": PERSONS[name]} for name, role in HOLDERS]
        chief.post("/v1/tournaments", announced | {"officials": officials})
        chief.post(f"{self.path}/entries", {"players": [asdict(player) for player in self.sample.players]})
        for bye in self.sample.byes:
            chief.post(f"{self.path}/byes", asdict(bye))
        for round in self.sample.round:
            self._round(round)
        chief.post(f"{self.path}/publications", {"final": True}, if_match=self._seen())

    def table(self) -> dict[str, Any]:
        """The standings as they are now."""
        return self.callers["chief_arbiter"].get(f"{self.path}/standings").json

    def audit(self) -> dict[str, Any]:
        return self.callers["chief_arbiter"].get(f"{self.path}/audit").json

    def _round(self, round: SampleRound) -> None:
        chief, arbiter = self.callers["chief_arbiter"], self.callers["arbiter"]
        lots = {} if round.lots is None else {"seed": round.lots}
        paired = chief.post(f"{self.path}/rounds", lots, if_match=self._seen()).json
        boards = {b["board"]: b for b in paired["boards"]}
        if round.absent_board is not None:
            absent = boards[round.absent_board]["black"]
            arrival = {"player": absent, "round": round.number, "absent": True}
            arbiter.post(f"{self.path}/arrivals", arrival)
        self._report(round.number, round.results)
        if round.foul_board is not None:
            self._fouls(round, round.foul_board, boards[round.foul_board]["white"])
        if round.withdraws is not None:
            chief.post(f"{self.path}/entries/{round.withdraws}/withdrawal", {})

    def _report(self, number: int, results: Sequence[str], first: int = 1) -> None:
        body = {
            "round": number,
            "results": [{"board": n, "result": result} for n, result in enumerate(results, first)],
        }
        self.callers["arbiter"].post(f"{self.path}/results", body)

    def _fouls(self, round: SampleRound, board: int, player: int) -> None:
        """Three fouls lose the game; the appeal against the second is upheld, and the loss falls with it."""
        arbiter, appeals = self.callers["arbiter"], self.callers["appeals"]
        rulings: list[str] = []
        for note in FOULS:
            foul = {"player": player, "round": round.number, "infraction": "foul", "note": note}
            rulings_made = events(arbiter.post(f"{self.path}/rulings", foul), "arbiter.ruling.made")
            rulings.append(rulings_made[0]["ruling"])
        self.annulled, self.loss = rulings[1], rulings_made[-1]["ruling"]
        self.before = self.table()
        appeal = {"ruling": self.annulled, "by": player, "grounds": GROUNDS}
        lodged = events(appeals.post(f"{self.path}/appeals", appeal), "arbiter.appeal.lodged")
        decision = f"{self.path}/appeals/{lodged[0]['appeal']}/decision"
        appeals.post(decision, {"upheld": True, "grounds": "the video shows it"})
        self.after = self.table()
        self._report(round.number, [round.after_appeal], board)

    def _seen(self) -> str:
        """The tournament as this caller last saw it, for decisions that depend on it."""
        return self.callers["chief_arbiter"].get(self.path).etag


def is_known(client: Client, path: str) -> bool:
    """Whether there is something at a path."""
    try:
        client.get(path)
    except Problem as problem:
        if problem.status != 404:
            raise
        return False
    return True


def events(answer: Answer, kind: str) -> list[dict[str, Any]]:
    """The data of the events of one type that an answer tells of."""
    return [e["data"] for e in answer.json["events"] if e["type"].startswith(kind)]
