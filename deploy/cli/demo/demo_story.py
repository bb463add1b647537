"""The sample tournament: its data, its calls, and its account in a few lines."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

from deploy.cli.trf.player_tables import step
from shared.client import Answer, Client, Problem
from shared.core.language.messages import Message, say, term
from shared.core.terms import ByeKind, Role
from shared.regulations.typed_toml import read_toml


@dataclass(frozen=True, slots=True)
class SamplePlayer:
    """A registered player, with the fields of an entry."""

    id: int
    name: str
    rating: int
    club: str


@dataclass(frozen=True, slots=True)
class SampleBye:
    """A bye that a player asked for."""

    player: int
    round: int
    kind: ByeKind


@dataclass(frozen=True, slots=True)
class SampleRound:
    """A round: its ``results`` in board order, and what else happens in it.

    ``lots``: the seed of its pairing. ``absent_board``: Black does not come. ``foul_board``: White fouls three times,
    appeals, and the game goes on to ``after_appeal``. ``withdraws``: the player who leaves after it.
    """

    number: int
    results: tuple[str, ...]
    lots: int | None = None
    absent_board: int | None = None
    foul_board: int | None = None
    after_appeal: str = ""
    withdraws: int | None = None


@dataclass(frozen=True, slots=True)
class SampleEvent:
    """A tournament of the demo as data: its announcement and its players."""

    id: str
    name: str
    game: str
    format: str
    rounds: int
    regulations: str
    players: tuple[SamplePlayer, ...]

    def announce(self, chief: Client) -> None:
        """Create the tournament with its officials, and register its players."""
        announced = {name: getattr(self, name) for name in ("id", "name", "game", "format", "rounds", "regulations")}
        officials = [{"name": name, "role": role, "person": PERSONS[name]} for name, role in HOLDERS]
        chief.post("/v1/tournaments", announced | {"officials": officials})
        players = {"players": [asdict(player) for player in self.players]}
        chief.post(f"/v1/tournaments/{self.id}/entries", players)


@dataclass(frozen=True, slots=True)
class Sample(SampleEvent):
    """The sample tournament: its byes, and each ``round``."""

    byes: tuple[SampleBye, ...]
    round: tuple[SampleRound, ...]


def load_sample() -> Sample:
    """Return the sample. Raises `TomlError`."""
    return read_toml("deploy.cli.demo.sample", "spring-cup.toml", Sample)


HOLDERS: tuple[tuple[str, Role], ...] = (
    ("he.jing", "chief_arbiter"),
    ("rivera", "arbiter"),
    ("solheim", "appeals"),
)
"""The officials of the sample: login name and role."""
PERSONS = {"he.jing": "何静 He Jing", "rivera": "Tomás Rivera", "solheim": "Ingrid Solheim"}
"""The names of the officials by login name."""
NDJSON = "application/x-ndjson"
FOULS = ("touched the board twice", "played two moves in a row", "reached for the clock with the other hand")
GROUNDS = "the second piece had been knocked over by a spectator"


@dataclass(slots=True)
class Story:
    """The sample tournament and its callers, by role."""

    callers: Mapping[Role, Client]
    sample: Sample

    @property
    def path(self) -> str:
        return f"/v1/tournaments/{self.sample.id}"

    def is_played(self) -> bool:
        """Whether the tournament has been played in this folder already."""
        return is_known(self.callers["chief_arbiter"], self.path)

    def play(self) -> None:
        """From the announcement to the final table."""
        chief = self.callers["chief_arbiter"]
        self.sample.announce(chief)
        for bye in self.sample.byes:
            chief.post(f"{self.path}/byes", asdict(bye))
        for round in self.sample.round:
            self._round(round)
        chief.post(f"{self.path}/publications", {"final": True}, if_match=self._seen())

    def table(self, at: int) -> dict[str, Any]:
        """Return the standings after event ``at``."""
        return self.callers["chief_arbiter"].get(f"{self.path}/standings?at={at}").json

    def changes(self, at: int) -> list[dict[str, Any]]:
        """Return the rows of the standings that event ``at`` changed, each with its ``id``, ``before`` and ``after``."""
        found = self.callers["chief_arbiter"].get(f"{self.path}/diff?from={at - 1}&to={at}").json["changes"]
        return list(found)

    def lines(self) -> list[bytes]:
        """Return the lines of the tournament's log."""
        return self.callers["chief_arbiter"].get(f"{self.path}/events", accept=NDJSON).content.splitlines()

    def checkpoint(self) -> bytes:
        """Return a signed checkpoint of the whole log."""
        return self.callers["chief_arbiter"].get(f"{self.path}/checkpoint").content

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
        """Report three fouls, which lose the game, and uphold the appeal against the second: the loss lapses with it."""
        appeals = self.callers["appeals"]
        rulings = report_fouls(self.callers["arbiter"], self.path, round.number, player, FOULS)
        appeal = lodge_appeal(appeals, self.path, rulings[1], player, GROUNDS)
        appeals.post(f"{self.path}/appeals/{appeal}/decision", {"upheld": True, "grounds": "the video shows it"})
        self._report(round.number, [round.after_appeal], board)

    def _seen(self) -> str:
        """Return the ETag of the tournament, for decisions that depend on it."""
        return self.callers["chief_arbiter"].get(self.path).etag


def report_fouls(arbiter: Client, path: str, round: int, player: int, notes: Sequence[str]) -> list[str]:
    """Report a foul of a player for each note; return the rulings that name them."""
    rulings: list[str] = []
    for note in notes:
        foul = {"player": player, "round": round, "infraction": "foul", "note": note}
        rulings.append(events(arbiter.post(f"{path}/rulings", foul), "arbiter.ruling.made")[0]["ruling"])
    return rulings


def lodge_appeal(official: Client, path: str, ruling: str, player: int, grounds: str) -> str:
    """Lodge a player's appeal against a ruling; return its id."""
    appeal = {"ruling": ruling, "by": player, "grounds": grounds}
    return str(events(official.post(f"{path}/appeals", appeal), "arbiter.appeal.lodged")[0]["appeal"])


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
    """Return the data of an answer's events of one type."""
    return [e["data"] for e in answer.json["events"] if e["type"].startswith(kind)]


class Annulment(NamedTuple):
    """The ruling that the appeals committee annulled, and the ``loss`` that depended on it. ``seq``: event of the annulment."""

    seq: int
    annulled: str
    loss: dict[str, Any]


def tell(story: Story) -> Iterator[Message]:
    """Yield the sentences of the story, read from its log."""
    made = _annulment(story.lines())
    names = {p["id"]: p["name"] for p in story.table(made.seq)["players"]}
    loss = made.loss
    yield say(
        "Round {round}, board {board}: {name} commits three fouls, rulings {rulings}.",
        round=loss["round"],
        board=loss["game"].rpartition(".")[2],
        name=names[loss["player"]],
        rulings=tuple(loss["because"]),
    )
    yield say("The third foul loses the game: ruling {loss}, which depends on all three.", loss=loss["ruling"])
    yield say(
        "The appeals committee annuls the second foul, {annulled}. The loss {loss} lapses with it, and the game continues.",
        annulled=made.annulled,
        loss=loss["ruling"],
    )
    yield say("The annulment changed these rows of the standings:")
    for row in story.changes(made.seq):
        was, now = row["before"], row["after"]
        if (was["points"], was["rank"]) != (now["points"], now["rank"]):
            yield say(
                "  {name}: rank {rank}, points {points}",
                name=names[row["id"]],
                rank=step(was["rank"], now["rank"]),
                points=step(was["points"], now["points"]),
            )


def audited(story: Story, data: Path) -> tuple[Message, bool]:
    """Return what the audit of the log with a new checkpoint says, and whether it agrees without a remark."""
    from deploy.server.rules import RULES
    from shared.audit.audit import Evidence, audit
    from shared.audit.checkpoints.checkpoint import parse, parse_key_file

    checkpoint = parse(story.checkpoint().decode())
    key = parse_key_file((data / "arbiter.vkey").read_text(encoding="utf-8"))
    report = audit(story.lines(), RULES, Evidence(checkpoints=[checkpoint], keys=[key]))
    if report.verdict == "agrees" and not report.remarks:
        return say(
            "All {count} events were re-evaluated and match. A signed checkpoint covers them.", count=report.decided
        ), True
    reasons = [one.why for one in report.in_order()] + list(report.incomplete) + list(report.remarks)
    return say("The audit {verdict}: {reason}", verdict=term(report.verdict), reason=reasons[0]), False


def _annulment(lines: list[bytes]) -> Annulment:
    rulings: list[dict[str, Any]] = []
    for seq, line in enumerate(lines, 1):
        event = json.loads(line)
        if event["type"].startswith("arbiter.ruling.made."):
            rulings.append(event["data"])
        if event["type"].startswith("arbiter.ruling.annulled."):
            annulled = event["data"]["annuls"]
            return Annulment(seq, annulled, next(r for r in rulings if annulled in r["because"]))
    raise AssertionError("the sample tournament has an annulled ruling")


def headline(story: Story) -> Message:
    """Return the name, game and size of the sample tournament."""
    sample = story.sample
    return say(
        "{name}: {game}, {format}, {rounds} rounds, {players} players",
        name=sample.name,
        game=term(sample.game),
        format=term(sample.format),
        rounds=sample.rounds,
        players=len(sample.players),
    )
