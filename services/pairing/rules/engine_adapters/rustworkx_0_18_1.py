"""The best matching in a graph of all allowed meetings, each with its cost, by rustworkx.

Costs are compared criterion by criterion over the whole matching: the least sum of the first, then of the second, …
"""

from collections.abc import Sequence

from .record import MatchingInput, Pair

PINS = ("rustworkx==0.18.1",)
MOST = 1 << 100
"""Weights stay below this number, because the library computes with 128 bits. Criteria that do not fit are ignored."""


def match(graph: MatchingInput) -> list[Pair]:
    """Return as many pairs of the nodes as possible, at the least cost; sorted, the smaller node first."""
    import rustworkx  # imported late: most commands pair nothing

    theirs = rustworkx.PyGraph(multigraph=False)
    theirs.add_nodes_from(range(graph.nodes))
    weights = _weights([price for _, _, price in graph.edges], graph.nodes // 2)
    theirs.add_edges_from([(one, other, -w) for (one, other, _), w in zip(graph.edges, weights, strict=True)])
    matching = rustworkx.max_weight_matching(theirs, max_cardinality=True, weight_fn=lambda weight: weight)
    return sorted((min(pair), max(pair)) for pair in matching)


def _weights(costs: Sequence[tuple[int, ...]], pairs: int) -> list[int]:
    """Return each cost as one number, so that sums of up to ``pairs`` numbers compare criterion by criterion.

    Criteria after those that fit into `MOST` are left out.
    """
    if not costs:
        return []
    room, bases = 1, []
    for criterion in zip(*costs, strict=True):
        base = 1 + max(criterion) * max(1, pairs)
        room *= base
        if room > MOST:
            break
        bases.append(base)
    weights = []
    for cost in costs:
        weight = 0
        for value, base in zip(cost, bases, strict=False):
            weight = weight * base + value
        weights.append(weight)
    return weights
