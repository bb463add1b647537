"""One random competition, played from its seed to its end."""

from collections import Counter
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from services.pairing.rules import RULES
from services.pairing.rules import commands as co
from shared import regulations
from shared.core import events as ev
from shared.core.event_types.evolve import evolve
from shared.core.events import ByeGranted, PairsForbidden
from shared.core.readings.settlement import open_bases
from shared.core.rounds.matches import matches
from shared.core.rulebook.formats import FORMATS, Format
from shared.core.rulebook.regulations import Regulations
from shared.core.terms import (
    GAMES,
    PAIRING,
    STANDINGS,
    Actor,
    Conditions,
    HalfPoints,
    Mark,
    Refusal,
    Seq,
    TeamConditions,
    TextRef,
)
from tests.builders import World
from tests.pairings import judge

CHIEF = Actor("chief", "chief_arbiter", "t1")
TEXT = TextRef("a" * 64)
CAMPUS, FIDE, FIDE_2017 = (regulations.load(name) for name in ("campus", "fide-2026", "fide-2024"))
PLAYED = [(2, 0)] * 4 + [(0, 2)] * 4 + [(1, 1)] * 3
UNPLAYED = [(2, 0), (0, 2), (0, 0)]
ENDS = ("no-round-left", "too-few-players", "groups-too-small", "no-legal-pairing")
"""Refusals at which a competition is over; the last is judged."""


@dataclass(frozen=True)
class Kind:
    """A way to compete, and how often it is drawn."""

    name: str
    format: Format
    often: int = 1
    rules: Regulations = CAMPUS
    conditions: Conditions = Conditions()
    most: int = 80
    teams: bool = False


KINDS = (
    Kind("swiss, campus", "swiss", 8),
    Kind("swiss, Dutch", "swiss", 4, FIDE, most=40),
    Kind("swiss, Dutch of 2017", "swiss", 0, FIDE_2017, most=40),
    Kind("swiss, two games", "swiss", 1, conditions=Conditions(games=2)),
    Kind("round robin", "round_robin", 2, most=20),
    Kind("round robin, two games", "round_robin", 1, conditions=Conditions(games=2), most=10),
    Kind("double round robin", "double_round_robin", 1, most=10),
    Kind("groups", "groups", 2, conditions=Conditions(groups=2, qualifiers=2), most=16),
    Kind("three groups, carried", "groups", 1, conditions=Conditions(groups=3, qualifiers=2, carried=True), most=18),
    Kind("two groups, carried", "groups", 1, conditions=Conditions(groups=2, qualifiers=3, carried=True), most=16),
    Kind("knock-out", "knockout", 2),
    Kind("knock-out, places", "knockout", 1, conditions=Conditions(places=True), most=20),
    Kind("knock-out, best of 3", "knockout", 1, conditions=Conditions(games=3, best=True, extra=1), most=20),
    Kind("double knock-out", "double_knockout", 2, most=40),
    Kind("match of 5", "match", 1, conditions=Conditions(games=5, best=True, extra=1)),
    Kind(
        "teams, swiss", "swiss", 2, conditions=Conditions(team=TeamConditions("substitutes", 3, 1)), most=48, teams=True
    ),
    Kind(
        "teams, knock-out", "knockout", 1, conditions=Conditions(team=TeamConditions("fixed", 3)), most=40, teams=True
    ),
    Kind(
        "teams, everybody",
        "round_robin",
        1,
        conditions=Conditions(team=TeamConditions("everybody", 2)),
        most=12,
        teams=True,
    ),
    Kind(
        "teams, round robin",
        "round_robin",
        1,
        conditions=Conditions(team=TeamConditions("lineup", 2)),
        most=20,
        teams=True,
    ),
)
DUTCH, DUTCH_2017 = KINDS[1:3]


@dataclass
class Outcome:
    """What came of it."""

    kind: str
    players: int
    rounds: int = 0
    boards: int = 0
    refusals: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


class Competition:
    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)
        self.kind = self.chance.choices(KINDS, [k.often for k in KINDS])[0]
        if self.kind is DUTCH and seed % 3 == 1:
            self.kind = DUTCH_2017
        size = 4 + int(self.chance.expovariate(1 / 10))
        players = 2 if self.kind.format == "match" else max(min(size, self.kind.most), self._least())
        self.world = World({PAIRING: RULES})
        self.outcome = Outcome(self.kind.name, players)
        self.t = self.world.tournament
        self.tables: list[ev.StandingsPublished] = []
        self._begin(players)

    def _least(self) -> int:
        said = self.kind.conditions
        return said.groups * max(2, said.qualifiers) if said.groups else 4

    def _begin(self, players: int) -> None:
        rounds = 0
        if FORMATS[self.kind.format].rounds_announced:
            rounds = self.chance.randint(3, 7) * self.kind.conditions.games
        announced = co.AnnounceTournament(
            CHIEF,
            "Cup",
            "chess",
            self.kind.format,
            rounds,
            self.kind.rules,
            (),
            self.kind.conditions,
            results_only=True,
        )
        self.do(announced)
        self._enter(players)
        if self.kind.teams and self.kind.conditions.team is not None:
            team = self.kind.conditions.team
            size = team.boards + team.substitutes
            ids = list(self.t.players)
            groups = [tuple(ids[n : n + size]) for n in range(0, len(ids) - size + 1, size)]
            self.do(co.EnterTeams(CHIEF, tuple(co.TeamEntry(None, TEXT, group) for group in groups)))
        elif self.chance.random() < 0.3:
            self.do(co.AssignNumbers(CHIEF, seed=self._seed()))
        if FORMATS[self.kind.format].paired_freely and not self.kind.teams and self.chance.random() < 0.3:
            pairs = [tuple(sorted(self.chance.sample(list(self.t.players), 2))) for _ in range(2)]
            self.do(co.ForbidPairs(CHIEF, PairsForbidden(tuple(sorted(set(pairs))))))  # type: ignore[arg-type]

    def _enter(self, players: int) -> None:
        ratings = [self.chance.randrange(1000, 2500) for _ in range(players)]
        if self.kind.teams:
            ratings.sort(reverse=True)
        self.do(co.EnterPlayers(CHIEF, tuple(co.Entry(None, TEXT, rating=rating) for rating in ratings)))

    def _seed(self) -> int:
        return self.chance.randint(1, 1 << 48)

    def do(self, command: Any) -> list[Any]:
        return [e.data for e in self.world.do(PAIRING, command)]

    # ------------------------------------------------------------ play

    def play(self) -> Outcome:
        """To the end; every round is judged as it is paired."""
        while self.outcome.rounds < 200:
            self._between()
            answer = self.world.decide(PAIRING, co.PairRound(CHIEF, seed=self._seed()))
            if isinstance(answer, Refusal):
                self.outcome.refusals[answer.code] += 1
                if not self._goes_on(answer):
                    return self.outcome
                continue
            (paired,) = answer.events
            self._judge(judge.round_of(self.t, paired))
            self._decided_again(answer, paired)
            self._tell(PAIRING, paired)
            self.outcome.rounds += 1
            self.outcome.boards += len(paired.boards)
            self._results(paired)
        self.outcome.wrong.append("it never ended")
        return self.outcome

    def _goes_on(self, refusal: Refusal) -> bool:
        if refusal.code == "match-drawn":
            for match in [m.match for m in matches(self.t).values() if not m.over]:
                self.do(co.DrawLots(CHIEF, match, self._seed()))
            return True
        if refusal.code == "standings-not-published":
            order = sorted(self.t.players, key=lambda p: self.chance.random())
            places = tuple((p,) for p in order)
            self._publish(self.t.rounds_paired(), places)
            return True
        if refusal.code == "basis-outdated":
            return self._publish_again()
        if refusal.code not in ENDS:
            self.outcome.wrong.append(f"refused: {refusal.code}: {refusal.detail}")
        elif refusal.code == "no-legal-pairing":
            self._judge(judge.refusal_of(self.t, str(refusal.detail)))
        elif refusal.code == "no-round-left":
            self._judge(judge.end_of(self.t))
        return False

    def _publish_again(self) -> bool:
        """Publish each outdated table with the order that it had; anything else that is outdated is a fault here."""
        for basis in open_bases(self.t):
            if basis.kind != "publication":
                self.outcome.wrong.append(f"outdated: {basis}")
                return False
            places = next(one.order for one in reversed(self.tables) if one.round == basis.round)
            self._publish(basis.round, places)
        return True

    def _publish(self, round: int, places: tuple[tuple[int, ...], ...]) -> None:
        table = ev.StandingsPublished((), "2026", round, False, order=places)
        self.tables.append(table)
        self._tell(STANDINGS, table)

    def _between(self) -> None:
        """Before a round: one leaves, one comes back, one comes late, some ask for a bye."""
        here = [p for p, entry in self.t.players.items() if entry.left_after is None]
        begun, free = self.t.rounds_paired(), FORMATS[self.kind.format].paired_freely and not self.kind.teams
        if self.chance.random() < 0.1 and len(here) > 2:
            self.do(co.WithdrawPlayer(CHIEF, self.chance.choice(here)))
        gone = [p for p, entry in self.t.players.items() if entry.left_after is not None]
        if gone and begun and self.chance.random() < 0.1:
            self.do(co.ReturnPlayer(CHIEF, self.chance.choice(gone)))
        if free and self.chance.random() < 0.1:
            self._enter(1)
        assert self.t.announced is not None
        if free and begun < self.t.announced.rounds and begun % self.t.announced.conditions.games == 0:
            for player in [p for p in here if self.chance.random() < 0.02]:
                entry = self.t.players[player]
                if (
                    entry.left_after is None
                    and entry.first_round <= begun + 1
                    and (player, begun + 1) not in self.t.byes
                ):
                    self.do(co.GrantBye(CHIEF, ByeGranted(player, begun + 1, self.chance.choice(("H", "Z", "F")))))

    def _results(self, paired: ev.RoundPaired) -> None:
        for board in paired.boards:
            if self.t.setting(self.t.games[board.game]) is not None:
                continue
            real = self.chance.random() > 0.07
            white, black = self.chance.choice(PLAYED if real else UNPLAYED)
            marks = Mark(HalfPoints(white), real), Mark(HalfPoints(black), real)
            self._tell(GAMES, ev.ResultReported(board.game, *marks))

    def _decided_again(self, answer: ev.Decision, paired: ev.RoundPaired) -> None:
        """The command rebuilt from its event decides the same: for one round in four."""
        if self.chance.random() > 0.25:
            return
        stated = ev.NewEvent(Seq(1), PAIRING, 1, Seq(0), "c", "chief", "chief_arbiter", "t1", paired, "")
        again = RULES.decide(self.t, RULES.command_of([stated], ()), None)
        if again != answer:
            self.outcome.wrong.append(f"round {paired.round} is decided otherwise from its event")

    def _judge(self, wrong: list[str]) -> None:
        self.outcome.wrong += wrong

    def _tell(self, source: Any, data: Any) -> None:
        seq, number = Seq(self.t.seq + 1), self.t.counts.get(source, 0) + 1
        evolve(self.t, ev.NewEvent(seq, source, number, self.t.seq, f"o{seq}", "other", "arbiter", "", data, ""))


def simulated(seed: int) -> Outcome:
    """The competition of a seed; what is ``wrong`` names the seed."""
    competition = Competition(seed)
    outcome = competition.play()
    return replace(
        outcome, wrong=[f"seed {seed}, {outcome.kind}, {outcome.players} players: {w}" for w in outcome.wrong]
    )
