"""The rows of a table, and the intermediate values kept so that one more result needs little recomputation."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from fractions import Fraction

from services.standings.rules.table.initial_order import Key
from services.standings.rules.tiebreaks.registry import TIEBREAKS
from services.standings.rules.tiebreaks.tiebreak import Dependence
from services.standings.rules.tiebreaks.value import Value
from shared.core.terms import HalfPoints, PlayerId

Keys = tuple[tuple[int, int | Fraction] | None, ...]
"""The keys of a player's tie-breaks. None for tie-breaks that depend on the tied group."""
Groups = dict[str, dict[tuple[PlayerId, ...], dict[PlayerId, Value]]]
"""By tie-break, the tied groups that it was computed for, and the values of each group."""


@dataclass(frozen=True, slots=True)
class Row:
    """A player's row. ``values``: by tie-break code, in ranking order, then the other columns.

    ``own`` and ``tied``: the parts of ``values``, from the player alone and from the tied group.
    """

    player: PlayerId
    rank: int
    points: HalfPoints
    values: Mapping[str, Value]
    own: Mapping[str, Value] = field(default_factory=dict, repr=False, compare=False)
    tied: Sequence[Value] = field(default=(), repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Memory:
    """The intermediate values of a table.

    ``values``: each player's values. ``keys``: their sort keys in the order of the tie-breaks. ``places``: the sort key
    of each player before any tied group is looked at. ``order``: the players in that order. ``tied``: players in a tied
    group. ``groups``: by tie-break, the values of each tied group. ``rows``: the rows by player.
    """

    values: dict[PlayerId, dict[str, Value]] = field(default_factory=dict)
    keys: dict[PlayerId, Keys] = field(default_factory=dict)
    places: dict[PlayerId, tuple[Key, Keys]] = field(default_factory=dict)
    order: list[PlayerId] = field(default_factory=list)
    tied: set[PlayerId] = field(default_factory=set)
    groups: Groups = field(default_factory=dict)
    rows: dict[PlayerId, Row] = field(default_factory=dict)

    def discard_outdated(self, changed: set[PlayerId], met: set[PlayerId]) -> "Memory":
        """Return a copy without the values that depend on the records of the players ``changed``.

        ``met``: the opponents of these players, whose values may depend on them.
        """
        touched: dict[Dependence | None, AbstractSet[PlayerId]] = {
            Dependence.OWN: changed,
            Dependence.OPPONENTS: changed | met,
            None: self.values.keys(),
        }
        outdated: dict[PlayerId, set[str]] = {player: set() for player in changed}
        for code in next(iter(self.values.values()), {}):
            for player in touched[TIEBREAKS.depends_on(code)]:
                outdated.setdefault(player, set()).add(code)
        values, keys = dict(self.values), dict(self.keys)
        for player, codes in outdated.items():
            values[player] = {code: v for code, v in values[player].items() if code not in codes}
            del keys[player]
        groups = {
            code: {group: v for group, v in groups.items() if touched[TIEBREAKS.depends_on(code)].isdisjoint(group)}
            for code, groups in self.groups.items()
        }
        return Memory(values, keys, dict(self.places), list(self.order), set(self.tied), groups, dict(self.rows))
