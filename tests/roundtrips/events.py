"""Random events, their export, and the import of that file: the table must be the same, or the import names what differs."""

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from deploy.cli.client import clients
from deploy.cli.verbs.files.import_ import NAME
from deploy.imports.file_check import check_file
from deploy.imports.file_import import FileImport
from services.games.rules import commands as play_games
from services.standings.files.trf.export import trf_of
from services.standings.rules.table.table import standings
from shared.client import Client
from shared.core.rounds.matches import teams_meet
from shared.core.state.tournament import Tournament
from shared.core.terms import GAMES, Mark, Role
from shared.trf.model.columns import TrfError
from shared.trf.writer import write
from tests.metamorphic.history import ARBITER, History
from tests.metamorphic.kinds import RULESETS, kinds

STEPS = 60
PLAIN = tuple(kind for kind in kinds() if kind.name in ("swiss", "round robin", "double round robin"))


@dataclass(slots=True)
class Ran:
    """The findings of a campaign: events by ruleset, columns that differ by code, and faults."""

    events: Counter[str] = field(default_factory=Counter)
    same: int = 0
    refused: int = 0
    rulings: int = 0
    named: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def add(self, other: "Ran") -> None:
        self.events += other.events
        self.same += other.same
        self.refused += other.refused
        self.rulings += other.rulings
        self.named += other.named
        self.wrong += other.wrong


class Event(History):
    """A random event; every other one has a format that report files can express, with one game in each match."""

    def _create(self) -> None:
        if self.seed % 2:
            self.kind = PLAIN[self.seed // 2 % len(PLAIN)]
        self.game, self.set = RULESETS[self.seed // 2 % len(RULESETS)]
        super()._create()

    def step(self) -> bool:
        """Do one thing by chance; return False if the event is over."""
        open = self.open_games()
        if not open and not self._pair():
            return False
        if self.chance.random() < 0.8:
            points = self.t.regulations.points
            win, draw, loss = (Mark(worth, played=True) for worth in (points.win, points.draw, points.loss))
            forfeit = Mark(points.win, played=False), Mark(points.loss, played=False)
            results = ((win, loss), (loss, win), (draw, draw), forfeit, forfeit[::-1])
            for game in open:
                result = play_games.Result(game.game, *self.chance.choices(results, (5, 5, 3, 1, 1))[0])
                self.attempt(GAMES, play_games.ReportResults(ARBITER, (result,)))
        else:
            self.chance.choice((History.rule, History.rule, History.annul_by_chance, History.leave, History.arrive))(
                self
            )
        return True


def event_of(seed: int) -> Event:
    """Return a random event: ruleset and format change with the seed."""
    event = Event(seed)
    for _ in range(STEPS):
        if not event.step():
            break
    return event


Callers = Mapping[Role, Client]


@contextmanager
def hall(data: Path) -> Iterator[Callers]:
    """Yield the clients of an embedded server that `arbiter import` has."""
    with clients(data, ((NAME, "chief_arbiter"), (NAME, "organiser"))) as callers:
        yield callers


def play(seed: int, callers: Callers, ran: Ran) -> None:
    """Export an event, import the file, and compare both tables."""
    event = event_of(seed)
    t = event.t
    if not t.players or not t.rounds_paired():
        return
    text = write(trf_of(t))
    id = f"e{seed}"
    told: list[str] = []
    ran.events[f"{t.announced.game} {t.regulations.name}"] += 1
    try:
        checked = check_file(text, f"{id}.trf", None, id, None)
        told += map(str, checked.remarks)
        to, organiser = callers["chief_arbiter"], callers["organiser"]
        FileImport(
            checked.hall, id, to, lambda one: told.append(str(one)), lambda step: None, checked.order, organiser, NAME
        ).run()
    except TrfError as refused:
        if "has no pairing" not in str(refused):  # all games of a round were annulled
            ran.wrong.append(f"{seed}: {refused}")
        ran.refused += 1
        return
    except Exception as failure:
        ran.wrong.append(f"{seed} {t.announced.format} {t.regulations.name}: {type(failure).__name__} {failure}")
        return
    ran.rulings += len(checked.hall.event.records.rulings)
    compare(seed, t, to, id, told, ran)


def compare(seed: int, t: Tournament, to: Client, id: str, told: list[str], ran: Ran) -> None:
    """Note each column that differs between the event and its import, and each that the import did not name."""
    summary = to.get(f"/v1/tournaments/{id}").json
    table = to.get(f"/v1/tournaments/{id}/standings").json
    exported = standings(t)
    number = {p: entry.starting_number for p, entry in t.players.items()}
    here = {number[row.player]: row for row in exported.rows}
    differs: list[str] = []
    if (summary["game"], summary["regulations"]["name"]) != (t.announced.game, t.regulations.name):
        differs.append("event")
    rows: list[dict[str, Any]] = table["players"]
    if [row["id"] for row in rows if 2 * row["points"] != here[row["id"]].points]:
        differs.append("points")
    if [row["id"] for row in rows if row["rank"] != here[row["id"]].rank]:
        differs.append("rank")
    for code in dict.fromkeys((*exported.tiebreaks, *table["tiebreaks"])):
        both = [(here[row["id"]].values.get(code), row["tb"].get(code)) for row in rows]
        if any((None if a is None or a.quarters is None else float(a.quarters) / 4) != b for a, b in both):
            differs.append(code)
    ran.same += not differs
    if differs and seed % 2 and not _is_lost_in_a_file(t, told):
        ran.wrong.append(f"{seed} {t.announced.format} {t.regulations.name}: {differs} differ; {told}")
    ran.named.update(differs)
    if teams_meet(t):  # the exported table is that of teams
        return
    silent = [column for column in differs if not any(f"the column {column} differs" in one for one in told)]
    if silent:
        ran.wrong.append(f"{seed} {t.announced.format} {t.regulations.name}: {silent} differ and are not named")


def _is_lost_in_a_file(t: Tournament, told: list[str]) -> bool:
    """Return whether a report file cannot contain the event: a ruling in an annulled game, or a withdrawal from a table."""
    withdrew = t.announced.format != "swiss" and any(p.departures for p in t.players.values())
    return withdrew or any("has no game in round" in one for one in told)
