"""Matchings by compiled code, with the function names that gacrux uses of networkx.

py4swiss ships the matching of bbpPairings. It accepts weights of any size, maximises the sum and ignores edges of
weight 0. On a machine without a build of it, networkx matches instead. The value is the same, and so are the pairs of
every bracket, because its weights leave no choice (`tests/pairings`).
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cache
from typing import Any, Protocol

Edge = tuple[int, int, int]
"""Two vertices and the weight between them, 0 or more."""

_BITS = 31
"""Bits added to a wide number at once. Its words have one more."""
_MARGIN = 4
"""Bits that the matching needs in addition to those of the largest weight."""
_WORD = 32
_TOGETHER = 8
"""Number of new vertices matched at once by `Matching.fill`."""


class Matching:
    """A matching of the greatest value, updated at little cost if edges of few vertices change.

    A value is at most ``largest``. 0, the initial value of every edge, means that the edge is missing.
    """

    def __init__(self, vertices: Iterable[int], largest: int) -> None:
        from py4swiss.matching_computer import ComputerDutchOptimality

        self.vertices = sorted(vertices)
        self._places = {vertex: place for place, vertex in enumerate(self.vertices)}
        self._wide = _wide_numbers(largest.bit_length() + _MARGIN)
        self._computer = ComputerDutchOptimality(len(self.vertices), self._wide(largest))
        for _ in self.vertices:
            self._computer.add_vertex()

    def fill(self, order: Iterable[int], values: Callable[[int, Collection[int]], Mapping[int, int]]) -> dict[int, int]:
        """Return the first matching, like `solve`.

        ``order``: the vertices. ``values`` returns a vertex's values with some of the others.

        A search starts at every free vertex. Adding a few vertices at a time takes a quarter of the time of adding all
        at once. The best order places likely pairs next to each other.
        """
        before: dict[int, None] = {}
        places, wide, set_weight = self._places, self._wide, self._computer.set_edge_weight
        for number, vertex in enumerate(order, 1):
            place = places[vertex]
            for other, value in values(vertex, before).items():
                set_weight(place, places[other], wide(value))
            before[vertex] = None
            if number % _TOGETHER == 0:
                self._computer.compute_matching()
        return self.solve()

    def set(self, a: int, b: int, value: int) -> None:
        """Set the value of an edge.

        ``a`` is the vertex that changes: the cost of the next `solve` depends on the number of these.
        """
        self._computer.set_edge_weight(self._places[a], self._places[b], self._wide(value))

    def solve(self) -> dict[int, int]:
        """Return the partner of each matched vertex. Unmatched vertices are missing."""
        self._computer.compute_matching()
        places = self._computer.get_matching()
        return {self.vertices[a]: self.vertices[b] for a, b in enumerate(places) if a != b}


class Costs(Protocol):
    """The cost of each possible pair by the quality criteria. The pairs of a large field are never all in memory."""

    @property
    def vertices(self) -> Collection[int]:
        """All with a possible pair."""

    @property
    def largest(self) -> int:
        """No cost is larger."""

    def of(self, one: int, others: Collection[int]) -> Iterable[tuple[int, int]]:
        """Return those of the ``others`` that ``one`` can meet, each with the cost of the pair."""


class Graph:
    """The costs of listed pairs. A later pair of the same two vertices replaces the earlier one."""

    def __init__(self) -> None:
        self._rows: dict[int, dict[int, int]] = defaultdict(dict)

    def add_weighted_edges_from(self, edges: Iterable[Edge]) -> None:
        for a, b, weight in edges:
            if weight < 0:
                raise OverflowError(f"a weight of {weight}")
            self._rows[a][b] = self._rows[b][a] = weight

    @property
    def vertices(self) -> Collection[int]:
        return self._rows.keys()

    @property
    def largest(self) -> int:
        return max(max(row.values()) for row in self._rows.values())

    def of(self, one: int, others: Collection[int]) -> list[tuple[int, int]]:
        return [(other, cost) for other, cost in self._rows[one].items() if other in others]


def min_weight_matching(costs: Costs) -> set[tuple[int, int]]:
    """Return as many pairs as possible and, among these matchings, the one of the least sum; each pair ascending."""
    if not costs.vertices:
        return set()
    top = outweighing_value(len(costs.vertices), costs.largest)
    matching = Matching(costs.vertices, top)
    found = matching.fill(
        matching.vertices, lambda one, others: {other: top - cost for other, cost in costs.of(one, others)}
    )
    return {(a, b) for a, b in found.items() if a < b}


def outweighing_value(vertices: int, heaviest: int) -> int:
    """Return a number from which weights are subtracted to get values, so that one more pair outweighs all weights.

    ``vertices``: their number. ``heaviest``: the largest weight.
    """
    return (vertices // 2 + 1) * (heaviest + 1) + heaviest


def is_available() -> bool:
    """Return whether py4swiss has a build for this machine."""
    try:
        import py4swiss.matching_computer  # noqa: F401
    except ImportError:
        return False
    return True


def _wide_numbers(bits: int) -> Callable[[int], Any]:
    """Return a function converting a number of at most ``bits`` bits to the matching's type, all of the same width."""
    from py4swiss.dynamicuint import DynamicUint

    words = -(-bits // _WORD)
    zero = DynamicUint(1)
    if words > 1:
        zero = zero.shift_grow(_WORD * (words - 1))
    zero -= DynamicUint(zero)
    shifts = range(_BITS * (bits // _BITS), -1, -_BITS)
    mask = (1 << _BITS) - 1

    @cache
    def wide(number: int) -> Any:
        made = DynamicUint(zero)
        for shift in shifts:
            made <<= _BITS
            made |= number >> shift & mask
        return made

    return wide
