"""The best pairing of a field as a matching in a graph of all allowed meetings, each with its cost.

Costs are compared criterion by criterion over the whole pairing: the least sum of the first, then of the second, …
"""

from collections.abc import Callable

from services.pairing.rules.engine_adapters.record import MatchingInput, Pair
from services.pairing.rules.engines.registry import run
from services.pairing.rules.engines.versions import RUSTWORKX
from shared.core.events import Engine
from shared.core.terms import Refusal

Cost = tuple[int, ...]


def best_pairs(
    nodes: int, cost: Callable[[int, int], Cost | None], reach: int, hub: int, engine: Engine = RUSTWORKX
) -> list[Pair] | Refusal:
    """Return as many pairs of the nodes 0, 1, … as possible, at the least cost; sorted, the smaller node first.

    ``cost`` returns None for a pair that is not allowed. Considered are pairs of nodes that differ by at most ``reach``,
    and all pairs with a node from ``hub`` on, such as the bye. Refusal: ``engine-not-at-hand``.
    """
    edges = tuple(
        (one, other, price)
        for one in range(nodes)
        for other in (*range(one + 1, min(nodes, one + reach + 1)), *range(max(hub, one + reach + 1), nodes))
        if (price := cost(one, other)) is not None
    )
    return run(engine, MatchingInput(nodes, edges))
