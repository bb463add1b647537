"""gacrux's pairing of a round with the same result, on pairs that are made when they are asked for.

The methods of gacrux that go through all pairs of a field count them instead, and those that search lists search sets. Brackets
of equal scores are paired by `best_matching`, which does without very large weights.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import accumulate
from typing import Any

from .compiled_matching import min_weight_matching
from .homogeneous_bracket import best_matching
from .lazy_edges import Edge, Edges, Node

_FLOATED_DOWN = 1 | 4
"""The bits of a float history for a downfloat in one of the last two rounds."""
_MOST_EXCHANGES = 40_320
"""Number of exchanges after which gacrux searches a bracket by weights."""


def quick_pairing(pairing: type[Any]) -> type[Any]:
    """Return a faster version of gacrux's pairing class ``pairing``. Its cross table must be a `quick_table`."""

    class Pairing(pairing):  # type: ignore[misc]  # gacrux has no types
        def list_edges(self, opponents: Any) -> Edges:
            return Edges(self.list_nodes(self.competitors), self.crosstable.meetings, opponents)

        def get_edges(self, nodes: Sequence[Node], edges: Edges, condition: None = None) -> Any:
            return edges.among(nodes) if nodes and edges else []

        def remove_pairs(self, nodes: Sequence[Node], edges: Edges, paired: Iterable[Edge]) -> Any:
            seated = {number for pair in paired for number in (pair["ca"], pair["cb"])}
            left = [node for node in nodes if node["cid"] not in seated]
            return left, self.get_edges(left, edges), seated

        def compute_whohasmet_histogram(self, nodes: Any, edges: Any) -> list[int]:
            return edges.degrees() if isinstance(edges, Edges) else [0] * len(nodes)

        def compute_hamilton(self, nodes: Sequence[Node], edges: Edges) -> list[dict[str, int]]:
            """Return for each score level how well its players, and those of all levels up to it, can be paired."""
            found: list[dict[str, int]] = [{} for _ in range(self.levels)]
            self.pablevel = -1
            meetings, upwards = self.crosstable.meetings, nodes[::-1]
            groups: list[list[Node]] = [[] for _ in range(self.levels)]
            for node in upwards:
                groups[node["scorelevel"]].append(node)
            ends = list(accumulate(map(len, groups)))
            within = [meetings.degrees(group) for group in groups]
            begun = [0] + [
                level
                for level in range(1, self.levels)
                if any(within[level]) or any(meetings.degrees_between(groups[level], upwards[: ends[level - 1]]))
            ]
            for level in begun:
                rest, own = found[level], groups[level]
                if level > 0:
                    under = groups[level - 1]
                    up, down = meetings.degrees_between(under, own), meetings.degrees_between(own, under)
                    rest["cur_pairs"], rest["cur_unpaired"], rest["cur_hamilton"] = self.is_complete(
                        own, None, weight=False, hist=within[level]
                    )
                    rest["cross_hamilton"] = min(
                        self.is_complete(own, None, weight=False, hist=up)[2],
                        self.is_complete(under, None, weight=False, hist=down)[2],
                    )
                below = upwards[: ends[level]]
                lower = edges.among(below)
                rest["rem_pairs"], rest["rem_unpaired"], rest["rem_hamilton"] = self.is_complete(
                    below, lower, hist=lower.degrees(), pab=level == begun[-1]
                )
            return found

        def find_pab(self, nodes: Sequence[Node], edges: Edges) -> Any:
            """Return the score level of the bye, and the pairs without those of the bye with players of other levels."""
            level = self.pablevel
            if level == -1 and edges and self.hamilton and self.hamilton[-1].get("rem_hamilton", -1) >= 0:
                has_bye = self.competitors[0]["rfp"]
                level = self.competitors[edges[-1]["cb"]]["scorelevel"] if has_bye else 0
            if level == -1 and edges:
                level = self.find_weighted_pab(nodes, edges)[2]
            self.pablevel = self.crosstable.meetings.bye_level = level
            return None, level, nodes, self.list_edges(self.opponents)

        def modify_edges(
            self, nodes: Sequence[Node], others: None, edges: Edges, level: int, category: int, condition: str
        ) -> tuple[Sequence[Node], list[Edge]]:
            """Return the players and pairs that a bracket is paired from: all, or some levels and one place for the rest."""
            chosen, within, added = self._chosen(nodes, edges, level, category, condition)
            return chosen, [*within, *added]

        def _chosen(
            self, nodes: Sequence[Node], edges: Edges, level: int, category: int, condition: str
        ) -> tuple[Sequence[Node], Edges, list[Edge]]:
            """Return the players that a bracket is paired from, the pairs among them, and those with the place for the rest."""
            if category == 0:
                return nodes, edges, []
            lowest = level - category + 1
            chosen, added = [node for node in nodes if node["scorelevel"] >= lowest], []
            within = edges.among(chosen)
            if len(chosen) % 2:
                has_bye = self.pablevel >= level
                last = [node["cid"] for node in chosen if node["scorelevel"] == lowest]
                if has_bye:
                    added = [self.opponents[one][0] for one in last]
                    added = [edge for edge in added if edge[condition]]
                else:
                    leaving = edges.first_below(last, lowest) if edges.has_lower_edge(lowest - 1) else []
                    rest = self.competitors[self.crosstable.BLOB]
                    added = [self.crosstable.create_edge(self.competitors[one], rest) for one in leaving]
                if not added:
                    return nodes, edges, []
                end = self.competitors[0 if has_bye else self.crosstable.BLOB]
                chosen = [*(node for node in chosen if node is not end), end]
                self.crosstable.update_crosstable(level, chosen, added, self.pablevel, False)
            return sorted(chosen, key=lambda node: (-node["scorelevel"], node["cid"])), within, added

        def simple_permute(
            self,
            level: int,
            nodes: Sequence[Node],
            edges: Edges,
            uppers: Sequence[int],
            lowers: Sequence[int],
            colours: dict[str, Any],
            complete: bool,
        ) -> list[int]:
            """Return the first transposition of the lower half that meets all criteria but C12 and C13 at their minimum."""
            chosen: list[int] = []
            seated: set[int] = set()
            places, exchanges = [-1], 0
            wanted = len(lowers) if complete else len(uppers)
            while lowers and places:
                depth, place = len(places), places.pop()
                if depth <= len(uppers) and place >= 0:
                    self.cannotbepared(uppers[depth - 1], lowers[place], colours, chosen)
                    exchanges += 1
                    if exchanges >= _MOST_EXCHANGES:
                        break
                size = len(chosen)
                free = size >= len(uppers)
                found = None
                for n in range(place + 1, len(lowers)):
                    lower = lowers[n]
                    if lower not in seated and (free or self.canbepared(uppers[size], lower, colours, chosen)):
                        found = n
                        break
                if found is None:
                    if chosen:
                        seated.discard(chosen.pop())
                    continue
                places += [found, -1]
                chosen.append(lowers[found])
                seated.add(lowers[found])
                if len(chosen) == wanted and (
                    not complete or self.canbecompleted(level, nodes, edges, uppers, lowers, chosen)
                ):
                    return chosen
            return []

        def canbecompleted(
            self,
            level: int,
            nodes: Sequence[Node],
            edges: Edges,
            uppers: Sequence[int],
            lowers: Sequence[int],
            chosen: list[int],
        ) -> bool:
            """Return whether the rest of the field can be paired if these players meet, and the last ones chosen float down."""
            floating = chosen[len(uppers) :]
            if not floating:
                return True
            if any(self.competitors[one]["flt"] & _FLOATED_DOWN for one in floating):
                return False
            seated = {*uppers, *chosen[: len(uppers)]}
            rest = [node for node in nodes if node["cid"] not in seated]
            if level > self.pablevel:
                one = floating[0]
                own = self.competitors[one]["scorelevel"]
                return any(
                    self._is_complete_without(rest, edges, {one, other})
                    for other, node in enumerate(self.competitors[:-1])
                    if level - 1 in (own, node["scorelevel"]) and self.opponents[one][other]["canmeet"]
                )
            fewest = min([edge["unplayed"] for edge in edges.rests() if edge["canmeet"]])
            for one in floating:
                bye = self.opponents[one][0]
                if bye["canmeet"]:
                    return bye["unplayed"] == fewest and self._is_complete_without(rest, edges, {one, 0})
            return False

        def _is_complete_without(self, nodes: Sequence[Node], edges: Edges, out: set[int]) -> bool:
            left = [node for node in nodes if node["cid"] not in out]
            unpaired: int = self.is_complete(left, self.get_edges(left, edges))[1]
            return unpaired == 0

        def pair_weighted_round(
            self, bracket: Any, nodes: Any, edges: Any, mode: str, pairs: int, category: int
        ) -> set[tuple[int, int]] | list[Any]:
            if mode == "HE":
                return self._heterogeneous(bracket, nodes, edges, category)
            found = self._homogeneous(bracket, nodes, edges, pairs, category) if mode == "HO" else None
            if found is None:
                weighted: set[tuple[int, int]] = super().pair_weighted_round(
                    bracket, nodes, edges, mode, pairs, category
                )
                return weighted
            return {(a, b) for a, b in found.items() if a < b}

        def _heterogeneous(self, bracket: Any, nodes: Any, edges: Any, category: int) -> set[tuple[int, int]]:
            """Return the pairs of players moved down and residents. Only pairs of the former have costs of their own."""
            level, table = bracket["scorelevel"], self.crosstable
            nodes, within, added = self._chosen(nodes, edges, level, category, "canmeet")
            moved = {node["cid"] for node in nodes if node["scorelevel"] > level}
            own = [*within.of_players(moved), *added]
            table.update_hetrogenious(level, nodes, own, bracket["bsne"])

            def price(edge: Edge) -> int:
                if moved.isdisjoint((edge["ca"], edge["cb"])):
                    edge["heweight"] = 0  # also if it had another in a bracket before
                cost: int = table.update_weight("HE", category, self.get_edge_quality(edge))
                return cost

            return min_weight_matching(_Costs(self, within, own, price))

        def _homogeneous(
            self, bracket: Any, nodes: Any, edges: Any, pairs: int, category: int
        ) -> dict[int, int] | None:
            level = bracket["scorelevel"]
            nodes, within, added = self._chosen(nodes, edges, level, category, "canmeet")
            if not within and not added:
                return None
            ranks = self.update_bsn(level, [node for node in nodes if node["scorelevel"] <= level])
            costs = _Costs(self, within, added, lambda edge: self.get_edge_quality(edge)["qcweight"])
            return best_matching(costs, ranks, pairs)

    return Pairing


class _Costs:
    """The costs of a bracket's pairs by ``price``, each computed once for all players with the same properties.

    ``own``: pairs with costs of their own, inside the bracket or not.
    """

    def __init__(self, pairing: Any, within: Edges, own: Sequence[Edge], price: Callable[[Edge], int]) -> None:
        self._meetings = pairing.crosstable.meetings
        self._kinds: list[int] = pairing.crosstable.kinds
        self._own: dict[int, dict[int, int]] = defaultdict(dict)
        for edge in own:
            self._own[edge["ca"]][edge["cb"]] = self._own[edge["cb"]][edge["ca"]] = price(edge)
        ids = [node["cid"] for node in within.nodes]
        self._within = set(ids)
        self.vertices = sorted(self._own.keys() | {one for one, n in zip(ids, within.degrees(), strict=True) if n})
        self.largest = max([cost for row in self._own.values() for cost in row.values()], default=0)
        self._by_kind: dict[int, dict[int, int]] = defaultdict(dict)
        """The cost of a pair by the kinds of its players, for each two kinds of which players can meet."""
        for edge in within.of_each_kind(self._kinds):
            a, b, cost = self._kinds[edge["ca"]], self._kinds[edge["cb"]], price(edge)
            self._by_kind[a][b] = self._by_kind[b][a] = cost
            self.largest = max(self.largest, cost)

    def of(self, one: int, others: Collection[int]) -> list[tuple[int, int]]:
        own, within, kinds = self._own.get(one, {}), self._within, self._kinds
        found = [(other, own[other]) for other in others if other in own] if own else []
        if one not in within:
            return found
        costs = self._by_kind[kinds[one]]
        chosen = [other for other in others if other in within and other != one and other not in own]
        return found + [(other, costs[kinds[other]]) for other in self._meetings.partners(one, chosen)]
