"""Matchings by compiled code, with the function names that gacrux uses of networkx.

py4swiss ships the matching of bbpPairings. It accepts weights of any size, maximises the sum and ignores edges of
weight 0. On a machine without a build of it, networkx matches instead. The value is the same, and so are the pairs of
every bracket, because its weights leave no choice (`tests/pairings`).
"""

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any

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

    def fill(self, order: Iterable[int], values: Mapping[int, Mapping[int, int]]) -> dict[int, int]:
        """Return the first matching, like `solve`.

        ``order``: the vertices; ``values``: each vertex's values with the others.

        A search starts at every free vertex. Adding a few vertices at a time takes a quarter of the time of adding all
        at once. The best order places likely pairs next to each other.
        """
        before = set[int]()
        for number, vertex in enumerate(order, 1):
            for other, value in values[vertex].items():
                if other in before:
                    self.set(vertex, other, value)
            before.add(vertex)
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


class Graph:
    """A graph of weighted edges. A later edge between the same two vertices replaces the earlier one."""

    def __init__(self) -> None:
        self.weights: dict[tuple[int, int], int] = {}

    def add_weighted_edges_from(self, edges: Iterable[Edge]) -> None:
        for a, b, weight in edges:
            self.weights[(a, b) if a < b else (b, a)] = weight


def min_weight_matching(graph: Graph) -> set[tuple[int, int]]:
    """Return as many pairs as possible and, among these matchings, the one of the least sum; each pair ascending."""
    if not graph.weights:
        return set()
    vertices = {vertex for pair in graph.weights for vertex in pair}
    heaviest = max(graph.weights.values())
    top = outweighing_value(len(vertices), heaviest)
    values: dict[int, dict[int, int]] = {vertex: {} for vertex in vertices}
    for (a, b), weight in graph.weights.items():
        if not 0 <= weight <= heaviest:
            raise OverflowError(f"a weight of {weight}")
        values[a][b] = values[b][a] = top - weight
    matching = Matching(vertices, top)
    return {(a, b) for a, b in matching.fill(matching.vertices, values).items() if a < b}


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
