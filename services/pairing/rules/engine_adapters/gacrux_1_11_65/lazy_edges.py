"""The possible pairs of a field, made when they are asked for.

gacrux lists all of them, sorts them, and filters the list for each bracket. That is two million records for 2,000 players. Here
a set of pairs is its set of players, because each player cannot meet a few others only.
"""

from bisect import bisect
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

Edge = dict[str, Any]
Node = dict[str, Any]
_ABSOLUTE = ("w2", "b2")
"""gacrux's codes of absolute colour preferences."""


class Row(dict[int, Edge]):
    """The pairs of one player by the other player's number. A pair is made when it is first asked for."""

    def __init__(self, number: int, make: Callable[[int, int], Edge]) -> None:
        self._number, self._make = number, make

    def __missing__(self, other: int) -> Edge:
        return self._make(self._number, other)


class Meetings:
    """The pairs that cannot meet.

    ``apart``: for each player the others they have met or must not meet. ``camps``: for each player "w2" or "b2" if they
    cannot meet others with this absolute preference (C3), or "". ``bye_level``: the score level of the bye if it is known.
    Number 0 is the bye.
    """

    def __init__(self, competitors: Sequence[Node], apart: Mapping[int, set[int]]) -> None:
        self.camps = [c["cop"] if c["cop"] in _ABSOLUTE and not c["top"] else "" for c in competitors]
        self.levels = [c["scorelevel"] for c in competitors]
        self.apart = [apart.get(number, set()) for number in range(len(competitors))]
        camps = self.camps
        self._others = [
            [one for one in others if one and (not camps[n] or camps[one] != camps[n])]
            for n, others in enumerate(self.apart)
        ]
        """Like `apart`, without the bye and those of the same camp."""
        self.bye_level: int | None = None

    def can_meet(self, a: int, b: int) -> bool:
        """Return whether two players, or a player and the bye, may be paired."""
        return self.are_not_apart(a, b) if a and b else self.may_rest(a or b)

    def are_not_apart(self, a: int, b: int) -> bool:
        """Return whether two players, or a player and the bye of any level, may be paired."""
        camp = self.camps[a]
        return b not in self.apart[a] and not (camp and camp == self.camps[b])

    def may_rest(self, player: int) -> bool:
        """Return whether a player may have the bye."""
        return 0 not in self.apart[player] and self.bye_level in (None, self.levels[player])

    def partners(self, one: int, others: list[int]) -> list[int]:
        """Return the ``others`` that ``one`` can meet. For number 0: those that may have the bye."""
        if one == 0:
            return [other for other in others if self.may_rest(other)]
        out, camp, camps = self.apart[one], self.camps[one], self.camps
        if 0 in others and not self.may_rest(one):
            others = [other for other in others if other]
        if camp:
            return [other for other in others if other not in out and camps[other] != camp]
        return [other for other in others if other not in out]

    def degrees(self, nodes: Sequence[Node]) -> list[int]:
        """Return for each of the ``nodes`` how many of the others it can meet."""
        ids = [node["cid"] for node in nodes]
        here, camps, others = set(ids), self.camps, self._others
        bye = 0 in here
        players = len(ids) - bye
        sizes = {"": 1} | {camp: sum([camps[one] == camp for one in ids]) for camp in _ABSOLUTE}
        met = here.isdisjoint
        found = [
            players - sizes[camps[one]] - (0 if met(others[one]) else sum([other in here for other in others[one]]))
            for one in ids
        ]
        if bye:
            rests = [one != 0 and self.may_rest(one) for one in ids]
            found = [count + rest for count, rest in zip(found, rests, strict=True)]
            found[ids.index(0)] = sum(rests)
        return found

    def degrees_between(self, nodes: Sequence[Node], others: Sequence[Node]) -> list[int]:
        """Return for each of the ``nodes`` how many of the ``others``, which are different ones, it can meet."""
        own = [node["cid"] for node in others]
        there = set(own)
        sizes: dict[str, int] = defaultdict(int)
        for one in own:
            sizes[self.camps[one]] += 1
        if 0 in there or any(node["cid"] == 0 for node in nodes):
            return [sum([self.can_meet(node["cid"], other) for other in own]) for node in nodes]
        found = []
        for node in nodes:
            one = node["cid"]
            camp = self.camps[one]
            met = [other for other in self._others[one] if other in there]
            found.append(len(own) - len(met) - (sizes[camp] if camp else 0))
        return found


class Edges:
    """All possible pairs among ``nodes``, which are sorted by score and number. Like a list in gacrux's order.

    ``within``: the list of a larger set, if there is one.
    """

    def __init__(
        self, nodes: Sequence[Node], meetings: Meetings, rows: Sequence[Row], within: list[Edge] | None = None
    ) -> None:
        self.nodes, self._meetings, self._rows, self._within = nodes, meetings, rows, within
        self._listed: list[Edge] | None = None
        self._size: int | None = None

    def among(self, nodes: Sequence[Node]) -> "Edges":
        """Return the pairs among some of the nodes."""
        return Edges(nodes, self._meetings, self._rows, self._listed)

    def degrees(self) -> list[int]:
        """Return the number of pairs of each node."""
        return self._meetings.degrees(self.nodes)

    def __len__(self) -> int:
        if self._size is None:
            self._size = sum(self.degrees()) // 2
        return self._size

    def __bool__(self) -> bool:
        return self._size != 0 if self._size is not None else self._first(reverse=True) is not None

    def __iter__(self) -> Iterator[Edge]:
        if self._listed is None:
            if self._within is None:
                self._listed = self._list()
            else:
                here = {node["cid"] for node in self.nodes}
                self._listed = [edge for edge in self._within if edge["ca"] in here and edge["cb"] in here]
                self._within = None
        return iter(self._listed)

    def _list(self) -> list[Edge]:
        groups = {level: sorted(players) for level, players in self.by_level().items()}
        levels = sorted(groups, reverse=True)
        rows, partners = self._rows, self._meetings.partners
        found: list[Edge] = []
        for lower in levels:
            for upper in levels:
                if upper < lower:
                    break
                one, two = groups[lower], groups[upper]
                if lower == upper:
                    for n, player in enumerate(one, 1):
                        row = rows[player]
                        found += [row[other] for other in partners(player, one[n:])]
                    continue
                inside = frozenset(one)
                for player in sorted([*one, *two]):
                    others, row = two if player in inside else one, rows[player]
                    found += [row[other] for other in partners(player, others[bisect(others, player) :])]
        return found

    def __getitem__(self, place: int) -> Edge:
        """Return the first pair (0), with the highest scores, or the last one (-1)."""
        found = self._first(reverse=place == 0)
        if found is None:
            raise IndexError(place)
        return found

    def _first(self, *, reverse: bool) -> Edge | None:
        groups = self.by_level()
        levels = sorted(groups, reverse=reverse)
        for lower in levels:
            for upper in levels:
                if upper >= lower:
                    found = self._between(groups[lower], groups[upper], last=not reverse)
                    if found is not None:
                        return found
        return None

    def by_level(self) -> dict[int, list[int]]:
        """Return the numbers of the nodes by score level."""
        groups: dict[int, list[int]] = defaultdict(list)
        for node in self.nodes:
            groups[node["scorelevel"]].append(node["cid"])
        return groups

    def _between(self, lower: list[int], upper: list[int], *, last: bool) -> Edge | None:
        """Return the first or last pair, by numbers, of a player of one level with a player of another level or the same."""
        can_meet = self._meetings.can_meet
        same = lower is upper
        inside, across = set(lower), set(upper)
        ids = sorted(lower if same else [*lower, *upper], reverse=last)
        for n, a in enumerate(ids):
            others = across if a in inside else inside
            for b in ids[:n] if last else ids[n + 1 :]:
                if b in others and can_meet(a, b):
                    return self._rows[a][b]
        return None

    def of_players(self, players: Iterable[int]) -> list[Edge]:
        """Return all pairs of some of the players."""
        ids, found = [node["cid"] for node in self.nodes], {}
        for one in players:
            for other in self._meetings.partners(one, [other for other in ids if other != one]):
                found[min(one, other), max(one, other)] = self._rows[one][other]
        return list(found.values())

    def of_each_kind(self, kinds: Sequence[int]) -> Iterator[Edge]:
        """Yield one pair for each two ``kinds`` of players by number, as far as two such players can meet."""
        groups: dict[int, list[int]] = defaultdict(list)
        for node in self.nodes:
            groups[kinds[node["cid"]]].append(node["cid"])
        can_meet = self._meetings.can_meet
        for one, players in groups.items():
            for others in (group for kind, group in groups.items() if kind >= one):
                pairs = ((a, b) for a in players for b in others if a != b and can_meet(a, b))
                yield from (self._rows[a][b] for a, b in islice(pairs, 1))

    def has_lower_edge(self, level: int) -> bool:
        """Return whether gacrux's search finds pairs whose lower player has score level ``level``.

        It does if there is such a pair, and either a pair with the next higher level as its lower one, or none above it.
        """
        lowest = set(self._lower_levels())
        return level in lowest and (level + 1 in lowest or max(lowest) == level)

    def _lower_levels(self) -> Iterator[int]:
        groups = self.by_level()
        for lower, players in groups.items():
            if any(self._between(players, above, last=False) for upper, above in groups.items() if upper >= lower):
                yield lower

    def first_below(self, players: Iterable[int], level: int) -> list[int]:
        """Return those of the ``players``, who have the score level ``level``, who can meet a node of a lower level.

        They are in the order of their first pairs.
        """
        groups = self.by_level()
        lower = [(below, sorted(groups[below])) for below in sorted(groups, reverse=True) if below < level]
        can_meet, found = self._meetings.can_meet, []
        for one in players:
            first = next(((below, other) for below, ids in lower for other in ids if can_meet(one, other)), None)
            if first is not None:
                found.append((-first[0], min(one, first[1]), max(one, first[1]), one))
        return [one for *_, one in sorted(found)]

    def rests(self) -> list[Edge]:
        """Return the pairs of the bye."""
        if not any(node["cid"] == 0 for node in self.nodes):
            return []
        ids = [node["cid"] for node in self.nodes]
        return [self._rows[0][one] for one in ids if one and self._meetings.may_rest(one)]
