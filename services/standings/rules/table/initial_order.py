"""The order of players before any tie-break: their points, the places they played for, their groups."""

from collections.abc import Iterable, Mapping

from services.standings.rules.table.records import Field, stages
from shared.core.formats import FORMATS
from shared.core.matches import of_teams, places
from shared.core.terms import HalfPoints, PlayerId

Key = tuple[bool, int, int, int]


def depends_on_others(field: Field) -> bool:
    """Whether a player's key changes with the records of others too."""
    t = field.tournament
    traits = FORMATS[t.announced.format]
    return bool(t.regulations.stages) or traits.winner_needed or traits.finals


def first_keys(field: Field, players: Iterable[PlayerId]) -> dict[PlayerId, Key]:
    """The keys that part these players, the best ascending.

    In a knock-out by the best place that each can still have; after groups the finals, then one group after the
    other, and so with stages; there and elsewhere, and always as players of teams, by points. Whose results were annulled
    stands behind everybody else, unless the regulations say by points (002-X 20.3).
    """
    t = field.tournament
    keys_of = side_keys(field, field.own) if not of_teams(t) else {}
    last = t.regulations.leaving.annulled_place == "last"
    keys: dict[PlayerId, Key] = {}
    for player in players:
        annulled = last and t.results_annulled(player) is not None
        keys[player] = (annulled, *(keys_of.get(player) or (0, 0, -field.own[player])))
    return keys


def side_keys(field: Field, own: Mapping[PlayerId, HalfPoints]) -> dict[PlayerId, tuple[int, int, int]]:
    """Of each side that a bracket, a group or a stage parts from others, players or teams with their ``own`` half-points: the
    last that it reached, the later the smaller; its group there, or the best place that it can still have; its points,
    where these count."""
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
