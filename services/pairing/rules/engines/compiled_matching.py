"""Matchings of least weight by compiled code, under the names by which gacrux asks networkx for them.

py4swiss ships the matching of bbpPairings, which takes weights of any size, looks for the largest sum and knows no edge of
weight 0. Where there is no build of it for a machine, networkx matches: the value is the same, and so are the pairs of every
bracket, whose weights leave no choice (`tests/pairings`).
"""

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

Edge = tuple[int, int, int]
"""Two vertices and the weight between them, 0 or more."""

_BITS = 31
"""Taken at once into a wide number, whose words have one more."""
_MARGIN = 4
"""Bits that the matching needs beside those of the largest weight."""
_WORD = 32


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
    from py4swiss.matching_computer import ComputerDutchOptimality

    vertices = sorted({vertex for pair in graph.weights for vertex in pair})
    places = {vertex: place for place, vertex in enumerate(vertices)}
    heaviest = max(graph.weights.values())
    # One pair more outweighs whatever the others weigh.
    offset = (len(vertices) // 2 + 1) * (heaviest + 1)
    wide = _wide_numbers((offset + heaviest).bit_length() + _MARGIN)
    computer = ComputerDutchOptimality(len(vertices), wide(offset + heaviest))
    for _ in vertices:
        computer.add_vertex()
    for (a, b), weight in graph.weights.items():
        if not 0 <= weight <= heaviest:
            raise OverflowError(f"a weight of {weight}")
        computer.set_edge_weight(places[a], places[b], wide(offset + heaviest - weight))
    computer.compute_matching()
    matched = computer.get_matching()
    return {(vertices[a], vertices[b]) for a, b in enumerate(matched) if a < b}


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
