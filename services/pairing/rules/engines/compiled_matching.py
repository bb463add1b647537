"""Matchings by compiled code, and under the names by which gacrux asks networkx for them.

py4swiss ships the matching of bbpPairings, which takes weights of any size, looks for the largest sum and knows no edge of
weight 0. Where there is no build of it for a machine, networkx matches: the value is the same, and so are the pairs of every
bracket, whose weights leave no choice (`tests/pairings`).
"""

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any

Edge = tuple[int, int, int]
"""Two vertices and the weight between them, 0 or more."""

_BITS = 31
"""Taken at once into a wide number, whose words have one more."""
_MARGIN = 4
"""Bits that the matching needs beside those of the largest weight."""
_WORD = 32
_TOGETHER = 8
"""Vertices that are matched at once where all are new."""


class Matching:
    """A matching of the greatest value, found again at little cost where edges of few vertices change.

    A value is at most ``largest``; 0, as every edge has it first, is no edge.
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
        """The first matching, of vertices that come in ``order``, by what each is worth with the others; as `solve`.

        A search begins at everybody who is free: a few vertices at a time find their pairs beside few others, while all of
        them at once cost four times as much. Best is an order in which those who stand together are likely to be pairs.
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
        """Of the two the first is the one that changes: the next `solve` costs by the number of such vertices."""
        self._computer.set_edge_weight(self._places[a], self._places[b], self._wide(value))

    def solve(self) -> dict[int, int]:
        """Whom each vertex is matched with; who is left over is not in it."""
        self._computer.compute_matching()
        places = self._computer.get_matching()
        return {self.vertices[a]: self.vertices[b] for a, b in enumerate(places) if a != b}


class Graph:
    """Edges as they are added; a later one between the same two vertices counts in place of the earlier."""

    def __init__(self) -> None:
        self.weights: dict[tuple[int, int], int] = {}

    def add_weighted_edges_from(self, edges: Iterable[Edge]) -> None:
        for a, b, weight in edges:
            self.weights[(a, b) if a < b else (b, a)] = weight


def min_weight_matching(graph: Graph) -> set[tuple[int, int]]:
    """As many pairs as there can be and, among such, those of the least sum; each pair in ascending order."""
    if not graph.weights:
        return set()
    vertices = {vertex for pair in graph.weights for vertex in pair}
    heaviest = max(graph.weights.values())
    top = above_all(len(vertices), heaviest)
    values: dict[int, dict[int, int]] = {vertex: {} for vertex in vertices}
    for (a, b), weight in graph.weights.items():
        if not 0 <= weight <= heaviest:
            raise OverflowError(f"a weight of {weight}")
        values[a][b] = values[b][a] = top - weight
    matching = Matching(vertices, top)
    return {(a, b) for a, b in matching.fill(matching.vertices, values).items() if a < b}


def above_all(vertices: int, heaviest: int) -> int:
    """From this a weight is taken to make it a value: one pair more outweighs whatever the others weigh."""
    return (vertices // 2 + 1) * (heaviest + 1) + heaviest


def at_hand() -> bool:
    """Whether there is a build of it for this machine."""
    try:
        import py4swiss.matching_computer  # noqa: F401
    except ImportError:
        return False
    return True


def _wide_numbers(bits: int) -> Callable[[int], Any]:
    """From a number of at most ``bits`` bits to one of the matching's, all of the same width."""
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
