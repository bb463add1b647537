"""The order of sides by stages before decision edition 3, in which a stage without groups did not count as a stage."""

from collections.abc import Mapping
from typing import NamedTuple

from services.standings.rules.records import Field
from shared.core.rounds.matches import places
from shared.core.rounds.stages import stage_named
from shared.core.rulebook.formats import FORMATS
from shared.core.state.tournament import Tournament
from shared.core.terms import HalfPoints, PlayerId


def side_keys(field: Field, own: Mapping[PlayerId, HalfPoints]) -> dict[PlayerId, tuple[int, int, int]]:
    """Return the sort keys of all sides by bracket, group or stage; empty if the format ranks by points alone.

    ``own``: half-points of each player or team. A key has the last stage reached (later is smaller), the group there or
    the best place still possible, and the negated points if they count.
    """
    t = field.tournament
    traits = FORMATS[t.announced.format]
    if traits.winner_needed:
        best = places(t, field.last)
        return {side: (best.get(side, len(own)), 0, 0) for side in own}
    if not traits.finals and not t.regulations.stages:
        return {}
    keys: dict[PlayerId, tuple[int, int, int]] = {}
    for number, stage in enumerate(stages(t, field.last)):
        best = places(t, field.last) if stage.bracket else {}
        for group, sides in enumerate(stage.groups):
            for side in map(PlayerId, sides):
                keys[side] = (-number, best.get(side, len(own)), 0) if best else (-number, group, -own[side])
    return keys


class Stage(NamedTuple):
    """A stage of a competition: its first round, its groups as tuples of player or team IDs, and whether it is a bracket."""

    first: int
    groups: tuple[tuple[int, ...], ...]
    bracket: bool = False


def stages(t: Tournament, last: int) -> list[Stage]:
    """Return the stages begun by round ``last``: each pairing that lists groups begins one."""
    pairings = ((number, t.current(number)) for number in range(1, last + 1))
    return [
        Stage(number, p.event.groups, FORMATS[stage_named(t, p.event.stage).format].winner_needed)
        for number, p in pairings
        if p is not None and p.event.groups
    ]
