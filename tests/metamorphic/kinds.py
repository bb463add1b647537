"""The competitions that histories are drawn from: every format, every pair of stages, teams, every family of rulesets."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

from shared import regulations
from shared.core.rulebook.formats import FORMATS, Format
from shared.core.rulebook.ranking_rules import StageRule
from shared.core.rulebook.regulations import Regulations
from shared.core.terms import Conditions, TeamConditions

RULESETS = (
    ("chess", "campus-chess"),
    ("xiangqi", "xiangqi-1999"),
    ("xiangqi", "campus"),
    ("gomoku", "gomoku-campus"),
    ("chess", "fide-2024"),
    ("go", "campus-go"),
    ("renju", "renju"),
    ("xiangqi", "xiangqi-folk"),
    ("xiangqi", "friendly-xiangqi"),
    ("go", "go-campus"),
    ("chess", "fide-2026"),
    ("gomoku", "gomoku-free"),
    ("gomoku", "gomoku-online"),
    ("renju", "campus-wuziqi"),
    ("xiangqi", "campus-xiangqi"),
    ("go", "friendly-go"),
    ("renju", "friendly-wuziqi"),
    ("renju", "renju-agreed"),
    ("renju", "renju-room"),
    ("prediction", "prediction"),
)
"""A game of each set."""
DUTCH = "fide-2026"
"""Pairs by an engine that takes as long as a whole history of another set: seldom drawn for a Swiss."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A way to compete: ``least`` and ``most`` entries, ``rounds`` where they are announced."""

    name: str
    format: Format
    least: int = 4
    most: int = 9
    rounds: int = 0
    conditions: Conditions = Conditions()
    stages: tuple[StageRule, ...] = ()


def _firsts() -> Iterator[StageRule]:
    """Each first stage, with two qualifiers and with four."""
    for n in (2, 4):
        yield StageRule("first", "swiss", rounds=2, qualifiers=n)
        yield StageRule("first", "round_robin", qualifiers=n)
        yield StageRule("first", "groups", groups=2, qualifiers=n // 2)
        yield StageRule("first", "knockout", qualifiers=n)
    yield StageRule("first", "double_round_robin", qualifiers=2)


def _staged() -> Iterator[Kind]:
    """Every pair of stages that can be announced, and a stage between for some."""
    for first in _firsts():
        after: tuple[Format, ...] = ("knockout", "double_knockout", "match", "round_robin")
        if first.format == "swiss":
            after = after[:3]
        if first.format == "knockout":
            after = after[:1]
        for last in after:
            if last == "match" and first.qualifiers * max(1, first.groups) != 2:
                continue
            stages = (
                first,
                StageRule("last", last, games=3, best=True, extra=1) if last == "match" else StageRule("last", last),
            )
            name = f"{first.format} {first.qualifiers}, {last}"
            yield Kind(name, first.format, 5, 9, first.rounds, stages=stages)
    middle = StageRule("middle", "round_robin", qualifiers=2)
    for format in ("round_robin", "groups"):
        first = StageRule(
            "first", format, groups=2 if format == "groups" else 0, qualifiers=2 if format == "groups" else 4
        )
        stages = (first, middle, StageRule("last", "match", games=3, best=True))
        yield Kind(f"{format}, round_robin, match", format, 5, 8, stages=stages)


def _teams() -> Iterator[Kind]:
    boards = TeamConditions("fixed", 2)
    yield Kind("teams, swiss", "swiss", 8, 12, 3, Conditions(team=boards))
    yield Kind("teams, round robin", "round_robin", 8, 10, conditions=Conditions(team=boards))
    yield Kind("teams, knock-out", "knockout", 8, 16, conditions=Conditions(team=boards))
    stages = (StageRule("first", "swiss", rounds=2, qualifiers=2), StageRule("last", "knockout"))
    yield Kind("teams, swiss, knockout", "swiss", 8, 12, 2, Conditions(team=boards), stages)
    yield Kind("teams, members", "swiss", 6, 9, 3, Conditions(team=TeamConditions("members", 3)))


@cache
def kinds() -> tuple[Kind, ...]:
    """All kinds; a history takes the one of its number."""
    return (
        Kind("swiss", "swiss", rounds=4),
        Kind("swiss, two games", "swiss", rounds=4, conditions=Conditions(games=2)),
        Kind("round robin", "round_robin", most=7),
        Kind("double round robin", "double_round_robin", most=5),
        Kind("groups", "groups", 5, 9, conditions=Conditions(groups=2, qualifiers=2)),
        Kind("groups, carried", "groups", 6, 9, conditions=Conditions(groups=2, qualifiers=2, carried=True)),
        Kind("knock-out", "knockout", most=11),
        Kind("knock-out, places", "knockout", conditions=Conditions(places=True)),
        Kind("knock-out, best of 3", "knockout", most=7, conditions=Conditions(games=3, best=True, extra=1)),
        Kind("double knock-out", "double_knockout", most=7),
        Kind("match", "match", 2, 2, conditions=Conditions(games=3, best=True, extra=1)),
        *_staged(),
        *_teams(),
    )  # fmt: skip


@cache
def ruleset(name: str, stages: tuple[StageRule, ...]) -> Regulations:
    """A shipped set with the stages of an announcement."""
    return replace(regulations.load(name), stages=stages)


def is_bracket(kind: Kind) -> bool:
    """True if a later round follows from the matches of an earlier one."""
    return any(FORMATS[format].winner_needed for format in (kind.format, *(stage.format for stage in kind.stages)))
