"""The order of players before any tie-break: their points, the places they played for, their groups."""

from collections.abc import Iterable, Mapping

from services.standings.rules.records import Field
from services.standings.rules.table import former_stage_keys as former
from shared.core.readings.team_scoring import annulled_table
from shared.core.rounds.matches import places, teams_meet
from shared.core.rounds.stages_begun import has_bracket, is_bracket, stages_begun
from shared.core.rulebook.formats import FORMATS
from shared.core.state.removals import AnnulledTable
from shared.core.state.tournament import Tournament
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
    other, and so with stages; there and elsewhere, and always as players of teams, by points. A player whose results were
    annulled is behind all others, of a later table behind all others of it, unless the regulations say by points (002-X 20.3).
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
    """Return the keys of all sides, players or teams with their ``own`` half-points, if anything but points parts them; else
    none.

    Of each side: the last stage that it reached, the later the smaller; its group there, or the best place that it can still
    have in a bracket; its points, if these count. Sides in no stage are behind all others (002-X 11.1, 11.3).
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
                # Points of an earlier stage part those of one place; a bracket's own games do not.
                points = 0 if bracket and not number else own[side]
                place = best.get(side, len(own)) if bracket else group
                if number and not bracket and _is_last(t, side, stage.first):
                    place = len(stage.groups)
                keys[side] = (-number, place, -points)
    return keys


def is_annulled(table: AnnulledTable | None, first: int) -> bool:
    """True if results are annulled in the table that begins with round ``first``."""
    return table is not None and table.first == first


def _is_last(t: Tournament, side: PlayerId, first: int) -> bool:
    """True if a side is behind all others of a later table, whose results in it are annulled (002-X 20.3)."""
    if t.regulations.leaving.annulled_place != "last":
        return False
    return is_annulled(annulled_table(t, side) if teams_meet(t) else t.annulled_table(side), first)


def best_places(field: Field) -> dict[int, int]:
    """Return the best place that each side can still have in the bracket that was paired, kept with the field."""
    known: dict[int, int] | None = field.cache.get("bracket")
    if known is None:
        known = field.cache["bracket"] = places(field.tournament, field.last)
    return known


def leading_rank(field: Field, leading: int) -> int:
    """Return the rank of the first ``leading`` sides of a table, who share it: 1, or their place if nobody can be first
    any more, as after a final that both lost."""
    t = field.tournament
    if t.regulations.decisions < 3 or not has_bracket(t):
        return 1
    best = best_places(field)
    return max(1, min(leading, *best.values())) if best else 1
