"""The pairs of one bracket: decided player after player they are those of the one weight that holds every criterion."""

from collections.abc import Collection
from itertools import combinations
from random import Random

import networkx
import pytest

from services.pairing.rules.engine_adapters.gacrux_1_11_65.homogeneous_bracket import best_matching


class Listed:
    """The costs of these possible pairs."""

    def __init__(self, edges: list[tuple[int, int, int]]) -> None:
        self._costs = {pair: cost for a, b, cost in edges for pair in ((a, b), (b, a))}
        self.vertices = {a for a, _ in self._costs}
        self.largest = max(self._costs.values())

    def of(self, one: int, others: Collection[int]) -> list[tuple[int, int]]:
        return [(other, self._costs[one, other]) for other in others if (one, other) in self._costs]


def weight(quality: int, ranks: tuple[int, int] | None, size: int, pairs: int) -> int:
    """Quality first; then how many upper players are beyond rank ``pairs`` and the sum of their ranks; who of the first ranks
    is upper (the last counts most) and who beyond is not (the first counts most); then whom each meets, the first most."""
    digits: list[tuple[int, int]] = [(quality, 0)]
    upper, lower = ranks or (0, 0)
    digits += [(int(upper > pairs), size + 1), (upper, size * size)]
    digits += [(int(upper == rank), 2) for rank in range(pairs, 0, -1)]
    digits += [(int(upper != rank), size) for rank in range(pairs + 1, size + 1)]
    digits += [(lower if upper == rank else 0, size + 1) for rank in range(1, size + 1)]
    value = 0
    for digit, base in digits:
        value = value * base + digit
    return value


def in_bracket(matching: dict[int, int], ranks: dict[int, int]) -> set[tuple[int, int]]:
    return {(a, b) for a, b in matching.items() if a < b and a in ranks and b in ranks}


@pytest.mark.parametrize("decade", range(10))
def test_the_pairs_are_those_of_one_weight_by_networkx(decade: int) -> None:
    decided = 0
    for seed in range(60 * decade, 60 * decade + 60):
        chance = Random(seed)
        size, others = chance.randint(2, 9), chance.randint(0, 5)
        others += (size + others) % 2
        ranks = {player: player for player in range(1, size + 1)}
        players = list(range(1, size + others + 1))
        widest = chance.choice([0, 1, 1, 3])
        met = [pair for pair in combinations(players, 2) if chance.random() < chance.choice([0.7, 0.95])]
        edges = [(a, b, chance.randint(0, widest) + (2 * widest + 2) * (a <= size < b)) for a, b in met]
        if not edges or {v for a, b, _ in edges for v in (a, b)} != set(players):
            continue
        unordered = best_matching(Listed(edges), ranks, 0)
        if unordered is None:
            continue
        pairs = len(in_bracket(unordered, ranks))
        graph = networkx.Graph()
        for a, b, quality in edges:
            graph.add_edge(a, b, weight=weight(quality, (a, b) if b <= size else None, size, pairs))
        found = networkx.min_weight_matching(graph)
        theirs = {a: b for pair in found for a, b in (pair, pair[::-1])}
        ours = best_matching(Listed(edges), ranks, pairs)
        assert ours is not None
        assert in_bracket(ours, ranks) == in_bracket(theirs, ranks), (seed, edges, pairs)
        decided += 1
    assert decided > 30


def test_where_somebody_is_left_over_nothing_is_decided() -> None:
    assert best_matching(Listed([(1, 2, 0), (1, 3, 0)]), {1: 1, 2: 2, 3: 3}, 1) is None


def test_where_somebody_of_the_bracket_may_meet_nobody_nothing_is_decided() -> None:
    assert best_matching(Listed([(1, 3, 0), (3, 4, 1)]), {1: 1, 2: 2, 3: 3}, 1) is None
