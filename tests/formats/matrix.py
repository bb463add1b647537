"""The matrix: which competitions are played, from a number."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from random import Random

from shared.core.rulebook.ranking_rules import StageRule
from shared.core.terms import Conditions, TeamConditions
from tests.formats.combinations import Stages, pairs_of_stages, single_formats
from tests.formats.hall import Hall
from tests.formats.histories import KINDS, History

BOOKS = ("campus", "xiangqi-1999")
FIXED = TeamConditions("fixed", 2)


@dataclass(frozen=True)
class Competition:
    """One cell of the matrix."""

    formats: tuple[str, ...]
    stages: Stages
    players: int
    seed: int
    book: str
    teams: bool
    often: float = 0.35

    def __str__(self) -> str:
        of = f"{self.players // 2} teams" if self.teams else f"{self.players} players"
        return f"{' then '.join(self.formats)}, {of}, {self.book}, seed {self.seed}: {self.stages}"

    def hall(self) -> Hall:
        """The competition announced and entered."""
        conditions = Conditions(team=FIXED) if self.teams else Conditions()
        return Hall(self.book, self.stages, self.players, conditions, announce_stages=len(self.stages) > 1)

    def history(self) -> History:
        return History(self.hall(), self.seed, self.often)


@dataclass
class Ran:
    """The figures of a run."""

    histories: Counter[tuple[str, ...]] = field(default_factory=Counter)
    happened: Counter[tuple[tuple[str, ...], str, str]] = field(default_factory=Counter)
    players: Counter[int] = field(default_factory=Counter)
    rounds: int = 0
    settled: int = 0
    teams: int = 0
    wrong: list[str] = field(default_factory=list)

    def add(self, other: "Ran") -> None:
        """Add the figures of another run."""
        for name in self.__dataclass_fields__:
            setattr(self, name, getattr(self, name) + getattr(other, name))


def all_formats() -> list[tuple[str, ...]]:
    """Every format and every pair of stages that can be announced."""
    alone: list[tuple[str, ...]] = [*single_formats()]
    return [*alone, ("groups",), *pairs_of_stages()]


def competition(formats: tuple[str, ...], seed: int, most: int = 16) -> Competition:
    """A competition of these formats, drawn from a seed, of at most so many sides unless the stages take more."""
    rng = Random(f"{formats} {seed}")
    teams = formats[0] == "teams" or (formats[0] != "manual" and rng.random() < 0.25)
    sides = rng.randint(4, min(most, 8 if teams or "double_round_robin" in formats else 16))
    if formats == ("match",):
        stages: Stages = (StageRule("first", "match", games=3, best=True, extra=1),)
        sides = 2
    elif len(formats) == 1:
        stages = (_alone(formats[0], rng),)
        sides = max(sides, 6) if formats == ("groups",) else sides
    else:
        ways = pairs_of_stages()[formats]  # type: ignore[index]
        many = [way for way in ways if way[0].qualifiers * max(1, way[0].groups) > 2]
        stages = rng.choice(many if many and formats[-1] == "double_knockout" else ways)
        stages = (_first(stages[0]), _second(stages[1], rng))
        least = stages[0].groups * max(2, stages[0].qualifiers)
        sides = max(sides, least, stages[0].qualifiers + 1)
    return Competition(formats, stages, 2 * sides if teams else sides, seed, rng.choice(BOOKS), teams)


def _first(stage: StageRule) -> StageRule:
    return replace(stage, format="swiss") if stage.format == "teams" else stage


def _second(stage: StageRule, rng: Random) -> StageRule:
    if stage.format in ("knockout", "match") and rng.random() < 0.3:
        stage = replace(stage, games=3, best=True)
    return replace(stage, extra=rng.choice((0, 0, 1))) if stage.format in ("knockout", "match") else stage


def _alone(format: str, rng: Random) -> StageRule:
    if format in ("swiss", "teams", "manual"):
        return StageRule("first", "manual" if format == "manual" else "swiss", rounds=rng.choice((3, 4)))
    if format == "groups":
        return StageRule("first", "groups", groups=2, qualifiers=2)
    stage = StageRule("first", format)  # type: ignore[arg-type]
    if format == "knockout":
        stage = rng.choice((stage, stage, replace(stage, places=True), replace(stage, games=3, best=True, extra=1)))
    return stage


def competitions(each: int, first_seed: int = 0) -> Iterator[Competition]:
    """So many competitions of each kind."""
    for seed in range(first_seed, first_seed + each):
        for formats in all_formats():
            yield competition(formats, seed)


def sample(numbers: Iterable[int]) -> Iterator[Competition]:
    """One competition for each number, of every kind in turn."""
    kinds = all_formats()
    return (competition(kinds[number % len(kinds)], number) for number in numbers)


def play_all(ones: Iterable[Competition]) -> Ran:
    """Play competitions and keep their disagreements."""
    ran = Ran()
    for one in ones:
        try:
            play(one, ran)
        except AssertionError as differs:
            ran.wrong.append(f"{one}\n{differs}")
    return ran


def table(ran: Ran) -> str:
    """Return how many competitions of each kind ran, and how often each act came before and after a pairing."""
    names = {formats: " then ".join(formats) for formats in all_formats()}
    width = max(map(len, names.values()))
    lines = [f"{name:{width}} {ran.histories[formats]:5} {happened(ran, formats):6}" for formats, name in names.items()]
    acts = Counter[tuple[str, str]]()
    for (_, kind, gap), times in ran.happened.items():
        acts[kind, gap] += times
    lines += [f"{kind:{width}} {acts[kind, 'before']:5} {acts[kind, 'after']:6}" for kind in KINDS]
    total = f"{sum(ran.histories.values())} competitions, {ran.rounds} rounds, {ran.teams} of teams, {ran.settled} bases settled"
    head = f"{'stages':{width}} {'ran':>5} {'acts':>6}"
    return "\n".join((head, *lines, total))


def happened(ran: Ran, formats: tuple[str, ...]) -> int:
    """Return how many acts came between the pairings of these stages."""
    return sum(times for (of, _, _), times in ran.happened.items() if of == formats)


def play(one: Competition, ran: Ran) -> None:
    """Play a competition and compare it at every event."""
    ran.histories[one.formats] += 1
    told = one.history().play()
    ran.players[one.players] += 1
    ran.rounds += told.rounds
    ran.settled += told.settled
    ran.teams += one.teams
    for (kind, when), times in told.happened.items():
        ran.happened[one.formats, kind, when] += times
