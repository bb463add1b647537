"""Stages of a competition: the parts of it that were paired one after the other, each with its groups."""

from collections.abc import Iterator
from itertools import count, repeat
from typing import NamedTuple

from shared.core.events import RoundPaired
from shared.core.formats import FORMATS
from shared.core.matches import of_teams, rounds_of_a_match
from shared.core.stage_rules import StageRule
from shared.core.stages import stage_now
from shared.core.terms import PLAY_OFF
from shared.core.tournament import Tournament


class Stage(NamedTuple):
    """A part of a competition as paired so far, from its ``first`` round on. ``groups``: who plays in which, in the order of
    their table numbers; ``encounters``: its rounds that began new meetings."""

    name: str
    groups: tuple[tuple[int, ...], ...]
    encounters: int
    first: int = 1


def stages(t: Tournament) -> tuple[Stage, ...]:
    """The stages begun, in order, by the standing pairings; a play-off is part of none."""
    begun: list[Stage] = []
    for number in range(1, t.rounds_paired() + 1):
        pairing = t.current(number)
        if pairing is None or pairing.event.stage == PLAY_OFF:
            continue
        event = pairing.event
        if event.groups or not begun:
            begun.append(Stage(event.stage, event.groups, 0, number))
        begun[-1] = begun[-1]._replace(encounters=begun[-1].encounters + begins(event))
    return tuple(begun)


def begins(paired: RoundPaired) -> bool:
    """Whether a round began new meetings: not where it only went on with matches (the second of two games, say)."""
    return all(m.leg == 1 for m in paired.matches)


def group_of(t: Tournament, side: int) -> tuple[int, ...]:
    """The group that a side was put into last; nobody where it has been in none."""
    groups = [g for p in t.pairings if p.withdrawn is None for g in p.event.groups if side in g]
    return groups[-1] if groups else ()


def new_matches(t: Tournament, stage: StageRule) -> Iterator[int]:
    """Numbers for meetings that begin in a stage; 0 for each where two who meet play a single game, and no match."""
    if not of_teams(t) and rounds_of_a_match(t, stage.name) == 1:
        return repeat(0)
    return count(1 + last_match(t))


def last_match(t: Tournament, round: int | None = None) -> int:
    """The highest number of a match so far, or of those paired before a ``round``."""
    events = (p.event for p in t.pairings if p.withdrawn is None and (round is None or p.event.round < round))
    return max((m.match for event in events for m in event.matches), default=0)


def rounds_with_each(t: Tournament) -> int:
    """Rounds that two who meet in the stage in force are to have with each other: those of a match, as often as they meet."""
    now = stage_now(t)
    return FORMATS[now.format].cycles * rounds_of_a_match(t, now.name)
