"""Groups and matches of the stages that were paired: numbers of new matches, and the group of a side."""

from collections.abc import Iterator
from itertools import count, repeat

from shared.core.rounds.matches import teams_meet
from shared.core.rounds.stages import rounds_of_a_match, stage_now, stages_begun
from shared.core.rulebook.formats import FORMATS
from shared.core.rulebook.ranking_rules import StageRule
from shared.core.state.tournament import Tournament

FINALS = "finals"


def group_of(t: Tournament, side: int) -> tuple[int, ...]:
    """Return the last group that a side was put into, or ``()`` before its first group."""
    groups = [g for p in t.pairings if p.withdrawn is None for g in p.event.groups if side in g]
    return groups[-1] if groups else ()


def is_of_table(t: Tournament, round: int, opponent: int) -> bool:
    """Return whether a game in ``round`` against ``opponent`` counts in the current stage.

    It does if it was played in the stage, or was carried over because the opponent qualified too.
    """
    begun = stages_begun(t)
    if len(begun) < 2 or round >= begun[-1].first:
        return True
    return t.announced.conditions.carried and any(opponent in group for group in begun[-1].groups)


def new_matches(t: Tournament, stage: StageRule) -> Iterator[int]:
    """Yield the numbers of new matches of a stage; always 0 if two players meet for a single game, which is not a match."""
    if not teams_meet(t) and rounds_of_a_match(t, stage.name) == 1:
        return repeat(0)
    return count(1 + last_match(t))


def last_match(t: Tournament, round: int | None = None) -> int:
    """Return the highest number of a match so far, or of those paired before a ``round``."""
    events = (p.event for p in t.pairings if p.withdrawn is None and (round is None or p.event.round < round))
    return max((m.match for event in events for m in event.matches), default=0)


def rounds_with_each(t: Tournament) -> int:
    """Return how many rounds two sides play against each other in the current stage: rounds of a match times cycles."""
    now = stage_now(t)
    return FORMATS[now.format].cycles * rounds_of_a_match(t, now.name)
