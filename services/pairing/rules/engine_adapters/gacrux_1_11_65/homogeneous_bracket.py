"""The pairs between the players of one bracket (C.04.3, 3.2 and 4), without one weight for all criteria.

The order of candidates ranks each pairing of a bracket before every other. As a single weight it takes eight bits per
player. Here the weight has only the quality criteria and the first two of that order. The rest is decided player by
player, with a matching that differs from the previous one only in the edges of that player.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from itertools import islice, zip_longest

from .compiled_matching import Costs, Matching, outweighing_value


def best_matching(costs: Costs, ranks: Mapping[int, int], pairs: int) -> dict[int, int] | None:
    """Return the partner of each vertex, by the quality criteria and then by the order of candidates.

    ``ranks``: 1, 2, … for the bracket's players; other vertices have none. ``pairs``: the expected number of pairs within
    the bracket; if the quality criteria make another number, the order of candidates is not applied. Return None if a
    vertex is left without a partner, for example because it has no possible pair.
    """
    if not set(costs.vertices).issuperset(ranks):
        return None
    bracket = _Bracket(costs, ranks, pairs)
    if len(bracket.met) < len(bracket.matching.vertices):
        return None
    if sum(map(bracket.is_upper, ranks)) == pairs:
        bracket.choose_uppers()
        bracket.choose_opponents()
    return bracket.met


class _Bracket:
    """The matching of one bracket. An upper player meets a player of the bracket with a higher rank.

    Minimised are, in this order, the number of uppers beyond rank ``pairs``, the sum of the uppers' ranks, the choice
    of uppers, the opponent of the first upper, of the second, and so on.
    """

    def __init__(self, costs: Costs, ranks: Mapping[int, int], pairs: int) -> None:
        self.ranks, self.pairs, self._costs = ranks, pairs, costs
        self.players = sorted(ranks, key=ranks.__getitem__)
        size, half = len(ranks), len(ranks) // 2
        self._gain = half + 1
        """Outweighs the bonus of 1 for likely pairs, which decides between equally good pairs early."""
        self._room, sums = (self._gain * (size + 2)).bit_length(), half * size + 1
        self._scale = (half + 1) * sums
        self._top = outweighing_value(len(costs.vertices), (costs.largest + 1) * self._scale)
        self._losses = [upper - 1 + (sums if upper > pairs else 0) << self._room for upper in range(size + 1)]
        """By the upper player's rank: the value that a pair within the bracket loses."""
        self._whole = cache(lambda cost: self._top - cost * self._scale << self._room)
        """The value of a pair outside the bracket, by its cost."""
        self._forbidden: dict[int, set[int]] = defaultdict(set)
        self.matching = Matching(costs.vertices, (self._top + 1) << self._room)
        self.met = self.matching.fill(self._likeliest_pairs(), self._values_with)

    def _values_with(self, player: int, others: Collection[int]) -> dict[int, int]:
        """Return the values of a vertex's possible pairs with some of the others."""
        rank, ranks, forbidden = self.ranks.get(player, 0), self.ranks.get, self._forbidden.get(player, ())
        losses, pairs, whole, values = self._losses, self.pairs, self._whole, {}
        for other, cost in self._costs.of(player, others):
            if other in forbidden:
                continue
            value, below = whole(cost), ranks(other, 0)
            if rank and below:
                value -= losses[rank if rank < below else below]
                if abs(rank - below) == pairs:
                    value += 1
            values[other] = value
        return values

    def _values(self, player: int) -> dict[int, int]:
        return self._values_with(player, self._costs.vertices)

    def _likeliest_pairs(self) -> Iterator[int]:
        """Yield all vertices so that likely pairs are neighbours: 1st and first of the lower half, 2nd and next, and so on.

        The players of the bracket come first, then in the same way the vertices outside the bracket.
        """
        others = [vertex for vertex in self.matching.vertices if vertex not in self.ranks]
        for all_of_them, half in ((self.players, self.pairs), (others, len(others) // 2)):
            pairs = zip_longest(all_of_them[:half], all_of_them[half:])
            yield from (vertex for pair in pairs for vertex in pair if vertex is not None)

    def is_upper(self, player: int) -> bool:
        return self._ranks_above(player, self.met[player])

    def _ranks_above(self, player: int, other: int) -> bool:
        """Return whether ``player`` ranks above ``other`` in the bracket: ``other`` is in it and has a larger rank number."""
        return self.ranks.get(other, 0) > self.ranks[player]

    def choose_uppers(self) -> None:
        """Choose the uppers. They are the first ``pairs`` players, if these can all be uppers.

        If some of them must be replaced, those with the last ranks possible are left out. As many later players become
        uppers, those with the first ranks possible.
        """
        beyond = sum(map(self.is_upper, self.players[self.pairs :]))
        for players, upper in ((reversed(self.players[: self.pairs]), False), (iter(self.players[self.pairs :]), True)):
            chosen = (player for player in players if self._can_be(player, upper))
            for player in islice(chosen, beyond):
                self._forbid(player, [o for o in self._values(player) if self._ranks_above(player, o) is not upper])

    def _can_be(self, player: int, upper: bool) -> bool:
        if self.is_upper(player) is upper:
            return True
        self._match_with_gains(player, {o: 1 for o in self._values(player) if self._ranks_above(player, o) is upper})
        return self.is_upper(player) is upper

    def choose_opponents(self) -> None:
        uppers = [player for player in self.players if self.is_upper(player)]
        free = set(self.players).difference(uppers)
        for player in uppers:
            now = self.ranks[self.met[player]]
            as_good = [other for other in free if self.ranks[other] <= now and self._ranks_above(player, other)]
            gains = {other: now + 1 - self.ranks[other] for other in self._values_with(player, as_good)}
            if len(gains) > 1:
                self._match_with_gains(player, gains)
            free.remove(self.met[player])
            self._forbid(player, [other for other in self._values(player) if other != self.met[player]])

    def _match_with_gains(self, player: int, gains: Mapping[int, int]) -> None:
        """Match again with higher values for some edges of a player, then restore these values.

        ``gains``: by the other player of the edge, how much its value rises. Any gain is smaller than a quality difference.
        """
        values = self._values_with(player, gains)
        for other, gain in gains.items():
            self.matching.set(player, other, values[other] + gain * self._gain)
        self.met = self.matching.solve()
        for other in gains:
            self.matching.set(player, other, values[other])

    def _forbid(self, player: int, others: Iterable[int]) -> None:
        for other in others:
            self._forbidden[player].add(other)
            self._forbidden[other].add(player)
            self.matching.set(player, other, 0)
