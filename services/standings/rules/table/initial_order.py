"""The order of players before any tie-break: by points, by the places they played for, and by groups."""

from collections.abc import Iterable, Mapping

from services.standings.rules.records import Field
from services.standings.rules.table import former_stage_keys as former
from shared.core.readings.team_scoring import annulled_table
from shared.core.rounds.matches import places, teams_meet
from shared.core.rounds.stages import has_bracket, is_bracket, stages_begun
from shared.core.rulebook.formats import FORMATS
from shared.core.state.removals import AnnulledTable
from shared.core.state.tournament import Tournament
from shared.core.terms import HalfPoints, PlayerId

Key = tuple[bool, int, int, int]


def depends_on_others(field: Field) -> bool:
    """Return whether a player's sort key before tie-breaks (`first_keys`) also depends on the results of others."""
    t = field.tournament
    traits = FORMATS[t.announced.format]
    return bool(t.regulations.stages) or traits.winner_needed or traits.finals


def first_keys(field: Field, players: Iterable[PlayerId]) -> dict[PlayerId, Key]:
    """Return the sort keys of these players before any tie-break; the best player has the smallest key.

    In a knock-out, the best place that the player can still reach comes first. With finals or stages, the last stage
    reached comes first, then the group. In all other cases, only the points. A player whose results were annulled is last,
    or last of a later table, unless the regulations place them by points (002-X 20.3).
    """
    t = field.tournament
    keys_of = side_keys(field, field.own) if not teams_meet(t) else {}
    last = t.regulations.leaving.annulled_place == "last"
    keys: dict[PlayerId, Key] = {}
    for player in players:
        annulled = last and is_annulled(t.annulled_table(player), 1)
        keys[player] = (annulled, *(keys_of.get(player) or (0, 0, -field.own[player])))
    return keys


def side_keys(field: Field, own: Mapping[PlayerId, HalfPoints]) -> dict[PlayerId, tuple[int, int, int]]:
    """Return the sort keys of all sides. Return an empty dict if the format ranks them by points alone.

    Sides are players or teams with their ``own`` half-points. A key has three parts: the last stage reached (a later stage
    sorts first), the group there or the best place still possible in a bracket, and the negated points, or 0 if points
    do not count. Sides in no stage come last (002-X 11.1, 11.3).
    """
    t = field.tournament
    if t.regulations.decisions < 3:
        return former.side_keys(field, own)
    if not depends_on_others(field):
        return {}
    keys = {side: (1, 0, -points) for side, points in own.items()}
    for number, stage in enumerate(stages_begun(t, field.last)):
        bracket = is_bracket(t, stage)
        best = best_places(field) if bracket else {}
        for group, sides in enumerate(stage.groups or (tuple(own),)):
            for side in map(PlayerId, sides):
                # Points of an earlier stage separate sides with the same place; a bracket's own games do not.
                points = 0 if bracket and not number else own[side]
                place = best.get(side, len(own)) if bracket else group
                if number and not bracket and _is_last(t, side, stage.first):
                    place = len(stage.groups)
                keys[side] = (-number, place, -points)
    return keys


def is_annulled(table: AnnulledTable | None, first: int) -> bool:
    """Return whether ``table``, in which a side's results are annulled (None: none), begins with round ``first``."""
    return table is not None and table.first == first


def _is_last(t: Tournament, side: PlayerId, first: int) -> bool:
    """Return whether a side is last in the table that begins with round ``first``, because its results are annulled (20.3)."""
    if t.regulations.leaving.annulled_place != "last":
        return False
    return is_annulled(annulled_table(t, side) if teams_meet(t) else t.annulled_table(side), first)


def best_places(field: Field) -> dict[int, int]:
    """Return the best place that each side can still reach in the paired bracket. The result is cached in the field."""
    known: dict[int, int] | None = field.cache.get("bracket")
    if known is None:
        known = field.cache["bracket"] = places(field.tournament, field.last)
    return known


def leading_rank(field: Field, leading: int) -> int:
    """Return the rank that the first sides of the table share. ``leading``: their number.

    It is 1, or in a bracket their best place if no side can be first any more, as after a final that both sides lost.
    """
    t = field.tournament
    if t.regulations.decisions < 3 or not has_bracket(t):
        return 1
    best = best_places(field)
    return max(1, min(leading, *best.values())) if best else 1
