"""The order of a table: first by values of each player alone, then by tie-breaks that depend on the tied group."""

from bisect import insort
from collections.abc import Iterator, Mapping, Sequence
from itertools import compress, count, islice
from operator import eq
from typing import Any

from services.standings.rules.records import Field
from services.standings.rules.table.incremental_state import Groups, Keys, Memory
from services.standings.rules.table.initial_order import depends_on_others, first_keys, leading_rank
from services.standings.rules.tiebreaks.registry import ALL_MET_CODE, TIEBREAKS
from services.standings.rules.tiebreaks.value import Value
from shared.core.rulebook.ranking_rules import PARTING, PUNISHED
from shared.core.terms import PlayerId

NO_PUNISHMENT = (0, 0)
"""The key of a player without any punishment that the tie-break counts."""


def shares_punished(field: Field, names: tuple[str, ...], keys: Keys) -> bool:
    """Return whether a player has punishments, and by the regulations equally punished players share a place (002-X 18.4).

    ``names``: the codes of the tie-breaks in their order. ``keys``: the player's sort keys in this order.
    """
    discipline = field.tournament.regulations.ranking.discipline
    if discipline is None or discipline.equally_punished == "next" or names[: len(PUNISHED)] != PUNISHED:
        return False
    return any(key != NO_PUNISHMENT for key in keys[: len(PUNISHED)])


def shares_met(field: Field, encounter: Value) -> bool:
    """Return whether players who are still tied after the direct encounter 直胜 share their place (000-A 破同分 3, 4).

    They do if all of them have met (``encounter`` is defined) and the regulations set ranking.encounter to ``shared``.
    If some have not met, the next tie-break applies.
    """
    return encounter.quarters is not None and field.tournament.regulations.ranking.encounter == "shared"


def tiebreak_keys(field: Field, names: tuple[str, ...], values: Mapping[str, Value]) -> Keys:
    """Return a player's sort keys in the order of the tie-breaks ``names``. ``values``: the player's values by code.

    None stands for tie-breaks that depend on the tied group, and for all after punishments if equally punished share.
    """
    keys = tuple([values[n].key if n in values else None for n in names])
    if not shares_punished(field, names, keys):
        return keys
    return (*keys[: len(PUNISHED)], *(None for _ in keys[len(PUNISHED) :]))


class TieSplitter:
    """A splitter of groups of tied players, by one tie-break after the other.

    ``groups``: by tie-break code, the tied groups that were compared, with the value of each player.
    """

    def __init__(self, field: Field, names: tuple[str, ...], memory: Memory) -> None:
        self._field, self._names, self._memory = field, names, memory
        self.groups: Groups = {}

    def split(self, group: list[PlayerId], depth: int) -> list[list[PlayerId]]:
        """Return the group split by the tie-breaks from position ``depth`` on, the best first."""
        if len(group) == 1 or depth == len(self._names):
            return [group]
        name, after = self._names[depth], depth + 1
        by_key: dict[Any, list[PlayerId]] = {}
        if TIEBREAKS.grouped(name):
            if name not in PARTING and shares_punished(self._field, self._names, self._memory.keys[group[0]]):
                return self.split(group, self._parting_from(after))
            values = self.group_values(group, name)
            for player, value in values.items():
                by_key.setdefault(value.key, []).append(player)
            if name == ALL_MET_CODE and shares_met(self._field, values[group[0]]):
                after = self._parting_from(after)
        else:
            after = _next_grouped(self._names, after)
            keys = self._memory.keys
            for player in group:
                by_key.setdefault(keys[player][depth:after], []).append(player)
        parts: list[list[PlayerId]] = []
        for key in sorted(by_key):
            part = by_key[key]
            parts += [part] if len(part) == 1 else self.split(part, after)
        return parts

    def _parting_from(self, depth: int) -> int:
        """Return the position, from ``depth`` on, of the first tie-break that can separate a shared place: play-off or lots."""
        return next((n for n in range(depth, len(self._names)) if self._names[n] in PARTING), len(self._names))

    def group_values(self, group: list[PlayerId], name: str) -> dict[PlayerId, Value]:
        """Return the value of each player of a tied group, for the tie-break ``name``, which depends on the group."""
        key, compute = tuple(group), TIEBREAKS.grouped(name)
        assert compute is not None, "a tie-break that depends on the tied group"
        values = self._memory.groups.get(name, {}).get(key) or compute(self._field.table_field(group[0]), group)
        self.groups.setdefault(name, {})[key] = values
        return values

    def values_by_code(self) -> dict[str, dict[PlayerId, Value]]:
        """Return by tie-break code the value of each player in a tied group."""
        return {n: {p: v for values in groups.values() for p, v in values.items()} for n, groups in self.groups.items()}


def order_by_values(field: Field, recomputed: Sequence[PlayerId], names: tuple[str, ...], memory: Memory) -> int:
    """Order the players in ``memory`` by all tie-breaks before the first one that depends on the tied group.

    Return the number of these tie-breaks. ``recomputed``: players with new keys; if possible, only these are moved.
    """
    depth = _next_grouped(names, 0)
    first = first_keys(field, field.scores if depends_on_others(field) else recomputed)
    for player, key in first.items():
        memory.places[player] = key, memory.keys[player][:depth]
    place = memory.places.__getitem__
    if len(first) == len(field.scores):
        memory.order[:] = sorted(first, key=place)
    else:
        memory.order[:] = [p for p in memory.order if p not in first]
        for player in first:
            insort(memory.order, player, key=place)
    return depth


def rank_players(field: Field, splitter: TieSplitter, depth: int, memory: Memory) -> tuple[list[PlayerId], list[int]]:
    """Return the players in the order of the table, and the rank of each. Equal ranks are ordered by starting number.

    ``memory`` contains the order by the first ``depth`` tie-breaks. Only players who are still tied in it are compared by the
    further tie-breaks.
    """
    players, order = field.tournament.players, list(memory.order)
    ranks = list(range(1, len(order) + 1))
    for start, end in _ties(list(map(memory.places.__getitem__, order))):
        first = start
        for part in splitter.split(sorted(order[start:end]), depth):
            last = first + len(part)
            order[first:last] = sorted(part, key=lambda p: (players[p].starting_number, p))
            ranks[first:last] = [first + 1] * len(part)
            first = last
    leading = ranks.count(1)
    if leading > 1:
        ranks[:leading] = [leading_rank(field, leading)] * leading
    return order, ranks


def _ties(keys: Sequence[object]) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each run of equal keys (end exclusive)."""
    start = end = 0
    for n in compress(count(1), map(eq, keys, islice(keys, 1, None))):
        if n != end:
            if start < end:
                yield start, end
            start = n - 1
        end = n + 1
    if start < end:
        yield start, end


def _next_grouped(names: tuple[str, ...], depth: int) -> int:
    """Return the first position from ``depth`` on of a tie-break that depends on the tied group, or the length if none."""
    return next((n for n in range(depth, len(names)) if TIEBREAKS.grouped(names[n])), len(names))
