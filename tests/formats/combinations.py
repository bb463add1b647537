"""Every pair of stages that can be announced, found by asking the product to announce it."""

from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any

from services.pairing.rules import commands as co
from shared import regulations
from shared.core.rulebook.formats import FORMATS
from shared.core.rulebook.ranking_rules import StageRule
from shared.core.terms import PAIRING, Refusal
from tests.builders import World
from tests.formats.hall import ORGANISER

Stages = tuple[StageRule, ...]


def _first(format: Any) -> list[StageRule]:
    """Ways to announce a first stage of a format."""
    return [
        StageRule("first", format, rounds=rounds, groups=groups, qualifiers=qualifiers)
        for rounds, groups, qualifiers in product((0, 3), (0, 2), (1, 2, 4))
    ]


def can_be_announced(stages: Stages) -> bool:
    """Whether the product announces these stages."""
    rules = regulations.load("campus")
    first = stages[0]
    command = co.AnnounceTournament(
        ORGANISER, "Cup", "xiangqi", first.format, first.rounds, replace(rules, stages=stages)
    )
    return not isinstance(World().decide(PAIRING, command), Refusal)


@cache
def pairs_of_stages() -> dict[tuple[str, str], list[Stages]]:
    """Each pair of formats that can be announced as two stages, with the ways to announce it."""
    found: dict[tuple[str, str], list[Stages]] = {}
    for first, second in product(FORMATS, FORMATS):
        ways = [(one, StageRule("second", second)) for one in _first(first)]
        possible = [way for way in ways if can_be_announced(way)]
        if possible:
            found[first, second] = possible
    return found


@cache
def single_formats() -> dict[tuple[str], list[Stages]]:
    """Each format that can be announced alone."""
    found: dict[tuple[str], list[Stages]] = {}
    for format in FORMATS:
        ways = [(StageRule("first", format, rounds=r, groups=g),) for r, g in ((0, 0), (3, 0), (0, 2))]
        possible = [way for way in ways if can_be_announced(way)]
        if possible:
            found[(format,)] = possible
    return found
