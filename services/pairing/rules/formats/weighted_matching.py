"""The best pairing of a field as a matching in a graph of all allowed meetings, each with its cost.

Costs are compared criterion by criterion over the whole pairing: the least sum of the first, then of the second, …
"""

from collections.abc import Callable, Sequence

Cost = tuple[int, ...]
MOST = 1 << 100
"""Weights stay below this number, because the library computes with 128 bits. Criteria that do not fit are ignored."""


def best_pairs(nodes: int, cost: Callable[[int, int], Cost | None], reach: int, hub: int) -> list[tuple[int, int]]:
    """Return as many pairs of the nodes 0, 1, … as possible, at the least cost; sorted, the smaller node first.

    ``cost`` returns None for a pair that is not allowed. Only pairs at most ``reach`` apart are considered, and pairs
    with nodes from ``hub`` on.
    """
    import rustworkx  # imported late: most commands pair nothing

    edges = [
        (one, other, price)
        for one in range(nodes)
        for other in (*range(one + 1, min(nodes, one + reach + 1)), *range(max(hub, one + reach + 1), nodes))
        if (price := cost(one, other)) is not None
    ]
    graph = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(nodes))
    weights = _weights([price for _, _, price in edges], nodes // 2)
    graph.add_edges_from([(one, other, -w) for (one, other, _), w in zip(edges, weights, strict=True)])
    matching = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=lambda weight: weight)
    return sorted((min(pair), max(pair)) for pair in matching)


def _weights(costs: Sequence[Cost], pairs: int) -> list[int]:
    """Return each cost as one number, so that sums compare like the criteria one after the other."""
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
