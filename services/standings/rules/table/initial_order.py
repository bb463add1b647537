"""The order of players before any tie-break: their points, the places they played for, their groups."""

from collections.abc import Iterable

from services.standings.rules.table.records import Field, stages
from shared.core.formats import FORMATS
from shared.core.matches import of_teams, places
from shared.core.terms import PlayerId

Key = tuple[bool, int, int, int]


def depends_on_others(field: Field) -> bool:
    """Whether a player's key changes with the records of others too."""
    announced = field.tournament.announced
    return announced is not None and (FORMATS[announced.format].winner_needed or FORMATS[announced.format].finals)


def first_keys(field: Field, players: Iterable[PlayerId]) -> dict[PlayerId, Key]:
    """The keys that part these players, the best ascending.

    In a knock-out by the best place that each can still have; after groups the finals, then one group after the
    other; there and elsewhere, and always as players of teams, by points. Whose results were annulled stands behind
    everybody else (002-X 20.3).
    """
    t = field.tournament
    single = not of_teams(t)
    best_places = places(t, field.last) if single and FORMATS[t.announced.format].winner_needed else None
    sections = sections_of(field) if single and FORMATS[t.announced.format].finals else {}
    keys: dict[PlayerId, Key] = {}
    for player in players:
        withdrawal = t.players[player].withdrawal
        annulled = withdrawal is not None and not withdrawal.results_stand
        if best_places is not None:
            keys[player] = (annulled, best_places.get(player, len(t.players)), 0, 0)
        else:
            keys[player] = (annulled, *sections.get(player, (0, 0)), -field.own[player])
    return keys


def sections_of(field: Field) -> dict[PlayerId, tuple[int, int]]:
    """The last stage that each side reached, the later the smaller, and the group there."""
    sections: dict[PlayerId, tuple[int, int]] = {}
    for number, stage in enumerate(stages(field.tournament, field.last)):
        sections |= {PlayerId(p): (-number, n) for n, group in enumerate(stage.groups) for p in group}
    return sections
