"""What the judge knows of a competition: read off its games, not asked of the rules that paired it."""

from collections import Counter
from collections.abc import Callable, Iterable

import networkx

from shared.core.state.tournament import Tournament
from shared.core.terms import PlayerId

Pair = frozenset[int]
BYE = 0


def played(t: Tournament) -> Counter[Pair]:
    """How often two have played each other, forfeits left out."""
    found: Counter[Pair] = Counter()
    for game in t.games_in_force():
        said = t.setting(game)
        if said is not None and said.white.played and said.black.played:
            found[frozenset((game.white, game.black))] += 1
    return found


def points(t: Tournament) -> Counter[int]:
    """Half-points of games and byes, nothing annulled or ruled."""
    assert t.regulations is not None
    worth = t.regulations.points
    values = {"U": worth.pairing_bye, "F": worth.full_bye, "H": worth.half_bye, "Z": worth.zero_bye}
    found: Counter[int] = Counter(dict.fromkeys(t.players, 0))
    for pairing in t.pairings:
        for seat in pairing.event.byes:
            found[seat.player] += values[seat.kind]
    for (player, round), bye in t.byes.items():
        if round <= t.rounds_paired():
            found[player] += values[bye.kind]
    for game in t.games_in_force():
        said = t.setting(game)
        if said is not None:
            found[game.white] += said.white.points
            found[game.black] += said.black.points
    return found


def barred(t: Tournament) -> set[int]:
    """Who may have no pairing-allocated bye: who had one, or a win's points unplayed in a round; by the rules of 2017 not for a
    bye that was asked for."""
    assert t.regulations is not None
    win = t.regulations.points.win
    found = {s.player for p in t.pairings for s in p.event.byes if s.kind == "U"}
    if t.regulations.pairing.edition != "2017":
        found |= {p for (p, round), bye in t.byes.items() if bye.kind == "F" and round <= t.rounds_paired()}
    for game in t.games_in_force():
        said = t.setting(game)
        if said is not None:
            found |= {
                p for p, m in ((game.white, said.white), (game.black, said.black)) if not m.played and m.points >= win
            }
    return found


def colours(t: Tournament, player: PlayerId) -> str:
    """w and b of the games played."""
    found = ""
    for game in sorted(t.games_in_force(), key=lambda g: g.round):
        said = t.setting(game)
        if said is not None and said.white.played and player in (game.white, game.black):
            found += "w" if game.white == player else "b"
    return found


def must_have(colours: str) -> str:
    """The colour that a player must have (C.04.3, 1.7.1): "" where either will do."""
    difference = colours.count("w") - colours.count("b")
    if abs(difference) > 1:
        return "b" if difference > 0 else "w"
    return {"ww": "b", "bb": "w"}.get(colours[-2:], "")


def legal(
    t: Tournament, present: Iterable[int], fits: Callable[[int, int], bool] = lambda a, b: True
) -> networkx.Graph:
    """Who may meet whom, and (0) who may have the bye where the number is odd."""
    sides, met, had = sorted(present), played(t), barred(t)
    graph = networkx.Graph()
    graph.add_nodes_from(sides)
    for n, one in enumerate(sides):
        for other in sides[n + 1 :]:
            if not met[frozenset((one, other))] and (one, other) not in t.forbidden and fits(one, other):
                graph.add_edge(one, other)
    if len(sides) % 2:
        graph.add_node(BYE)
        graph.add_edges_from((BYE, side) for side in sides if side not in had)
    return graph


def has_a_round(graph: networkx.Graph) -> bool:
    """Whether everybody can be paired at once."""
    return bool(networkx.is_perfect_matching(graph, networkx.max_weight_matching(graph, maxcardinality=True)))


def least(graph: networkx.Graph, points: Counter[int]) -> tuple[int, int]:
    """Points of the bye, and the sum of differences, of the best round: the bye first."""
    most = 1 + sum(abs(p) for p in points.values()) * 2
    for one, other in graph.edges:
        here = {one, other} - {BYE}
        apart = abs(points[one] - points[other])
        graph.edges[one, other]["weight"] = -(points[min(here)] * most if BYE in (one, other) else apart)
    best = networkx.max_weight_matching(graph, maxcardinality=True)
    free = [max(pair) for pair in best if BYE in pair]
    return sum(points[p] for p in free), sum(abs(points[a] - points[b]) for a, b in best if BYE not in (a, b))
