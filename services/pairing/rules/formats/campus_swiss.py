"""Swiss 积分循环 of the campus event: near in points, high meets high, no rematch (000-A 瑞士制规则).

Round 1 is drawn by lot. Later rounds are one matching over the whole field, so that a legal round is found whenever one
exists. A round is legal if it has no rematch and no forbidden pair. If the number of players is odd, it has one bye 轮空,
for a player without an earlier one. The best of all legal rounds is chosen, by these criteria in this order:

1. the bye goes to the fewest points,
2. the least sum of differences in points,
3. the least sum of their squares: two pairs differing by one are better than one pair differing by two,
4. differing pairs are as low as possible: the top groups meet among themselves first,
5. the fewest breaches of the colour limits (先后走) of the regulations,
6. the fewest pairs that want the same colour, weighed by how much,
7. neighbours in the order of points, then (teams) game points, then starting numbers.

Criteria 3 to 7 are compared among all legal rounds in fields of up to `WHOLE` sides. In larger fields they are compared
among rounds of neighbours within `REACH` places, if these already have the least possible sum.
"""

from collections.abc import Callable
from dataclasses import replace

from services.pairing.rules.engines.versions import RUSTWORKX
from services.pairing.rules.formats.weighted_matching import Cost, best_pairs
from services.pairing.rules.pairing_input import colour_record, input_of
from services.pairing.rules.sides.model import Contender, Meeting, Plan, RoundRequest
from services.pairing.rules.sides.participants import contenders, contenders_of, forbidden
from services.pairing.rules.sides.stages import new_matches
from shared.core.events import Engine
from shared.core.language.messages import in_turn, say
from shared.core.rounds.matches import teams_meet
from shared.core.rounds.stages import drawn_order
from shared.core.rulebook.ranking_rules import PairingRules
from shared.core.state.tournament import Tournament
from shared.core.terms import Refusal

WHOLE = 64
REACH = (40, 160)
FARTHEST = 255
"""Distance in places from which on criterion 7 makes no difference."""
Order = tuple[Contender, ...]


def campus(t: Tournament, round: int, request: RoundRequest) -> Plan | Refusal:
    """Return the next round. Refusals: ``too-few-players``, ``no-legal-pairing`` with the players who cannot be paired."""
    start = None if teams_meet(t) else input_of(t, round, "white")
    field = contenders(t, round) if start is None else contenders_of(start)
    if len(field) < 2:
        return Refusal(
            "rule",
            "too-few-players",
            say(
                "only {field} present in round {round}; a pairing requires at least two", field=len(field), round=round
            ),
        )
    drawn = request.seed if round == 1 else 0
    order = sort_field(field, drawn)
    pairs = pair(order, forbidden(t), t.regulations.pairing, request.engine)
    if isinstance(pairs, Refusal):
        return pairs
    numbers = new_matches(t, request.stage)
    meetings: list[Meeting] = []
    byes: list[int] = []
    for one, other in pairs:
        if other is not None:
            first, second = assign_colours(one, other, t.regulations.pairing)
            meetings.append(Meeting(first.side, second.side, next(numbers)))
        elif teams_meet(t):
            meetings.append(Meeting(one.side, 0, next(numbers), walkover=one.side))
        else:
            byes.append(one.side)
    return Plan(tuple(meetings), tuple(byes), seed=drawn, start=start)


def sort_field(field: Order, seed: int = 0) -> Order:
    """Return the field by points, then game points, then starting number, or lots drawn from ``seed`` if it is not 0."""
    place = {number: n for n, number in enumerate(drawn_order(seed, [c.number for c in field]))}
    numbered = (replace(c, number=place[c.number]) if seed else c for c in field)
    return tuple(sorted(numbered, key=lambda c: (-c.points, -c.game_points, c.number)))


def pair(
    order: Order, forbidden: frozenset[tuple[int, int]], limits: PairingRules, engine: Engine = RUSTWORKX
) -> list[tuple[Contender, Contender | None]] | Refusal:
    """Return the pairs of the best legal round, in the order of boards. Opponent None: the player has the bye.

    ``order``: the sides by points. ``forbidden``: pairs who must not meet. ``limits``: the colour limits. Refusals:
    ``no-legal-pairing``, and those of the engine.
    """
    cost = costs(order, forbidden, limits)
    nodes = len(order) + len(order) % 2
    reaches = (nodes,) if nodes <= WHOLE else (*(reach for reach in REACH if reach < nodes), nodes)
    pairs: list[tuple[int, int]] = []
    for reach in reaches:
        found = best_pairs(nodes, cost, reach, len(order), engine)
        if isinstance(found, Refusal):
            return found
        pairs = found
        if 2 * len(pairs) == nodes and (reach == nodes or _cannot_be_better(order, pairs)):
            break
    if 2 * len(pairs) < nodes:
        return _no_round(order, pairs, cost)
    return [(order[one], order[other] if other < len(order) else None) for one, other in pairs]


def costs(
    order: Order, forbidden: frozenset[tuple[int, int]], limits: PairingRules
) -> Callable[[int, int], Cost | None]:
    """Return a function that gives the cost of a pair by criteria 1 to 7, or None if the pair is not legal.

    It takes the positions of both sides in ``order``, from 0. The position after the last is the bye.
    """
    lowest = min(c.points for c in order)
    met = [set(c.met) for c in order]
    differences = [c.colour_difference for c in order]
    wanted = [colour_wanted(c) for c in order]
    barred = [(_breaks_limit(c, "w", limits), _breaks_limit(c, "b", limits)) for c in order]

    def cost(one: int, other: int) -> Cost | None:
        a = order[one]
        distance = min(other - one, FARTHEST) ** 2
        if other == len(order):
            return None if a.bye_barred else (a.points - lowest, 0, 0, 0, 0, 0, distance)
        b = order[other]
        if b.side in met[one] or a.side in met[other]:
            return None
        if forbidden and (min(a.side, b.side), max(a.side, b.side)) in forbidden:
            return None
        difference = a.points - b.points
        breach = min(barred[one][0] + barred[other][1], barred[one][1] + barred[other][0])
        clash = 0
        if wanted[one] and wanted[one] == wanted[other]:
            clash = 1 + min(abs(differences[one]), abs(differences[other]))
        return 0, difference, difference * difference, difference * (a.points - lowest), breach, clash, distance

    return cost


def assign_colours(one: Contender, other: Contender, limits: PairingRules) -> tuple[Contender, Contender]:
    """Return both sides, White (先走) first.

    White goes to the side that keeps the colour limits with it, then to the side that had White less often, then to the
    side that had Black in the last round in which their colours differed. If all is equal, ``one``, the first in the
    order, gets the colour that it did not have last; before a first game it has White.
    """

    def order(first: Contender, second: Contender) -> tuple[int, int, int]:
        breach = _breaks_limit(first, "w", limits) + _breaks_limit(second, "b", limits)
        last = next((a for a, b in zip(reversed(first.colours), reversed(second.colours), strict=False) if a != b), "-")
        return breach, first.colour_difference - second.colour_difference, "b-w".index(last)

    here, there = order(one, other), order(other, one)
    if here != there:
        return (one, other) if here < there else (other, one)
    return (other, one) if one.colours.endswith("w") else (one, other)


def colour_wanted(c: Contender) -> str:
    """Return the colour (``w``, ``b``) that the side had less often, else the one it did not have last; "" without a game."""
    if c.colour_difference:
        return "b" if c.colour_difference > 0 else "w"
    return {"w": "b", "b": "w"}.get(c.colours[-1:], "")


def _breaks_limit(c: Contender, colour: str, limits: PairingRules) -> bool:
    """Return whether another game with this colour breaks a limit: of colour difference, or of games in a row."""
    difference, in_a_row = colour_record(c.colours + colour)
    return difference > limits.max_colour_difference or in_a_row > limits.max_same_colour


def _cannot_be_better(order: Order, pairs: list[tuple[int, int]]) -> bool:
    """Return whether no other round has a smaller sum of differences in points, or gives the bye to fewer points.

    The least sum is that of the pairs 1-2, 3-4, … in the order of points, without the side with the bye.
    """
    free = [one for one, other in pairs if other == len(order)]
    allowed = min((c.points for c in order if not c.bye_barred), default=None)
    if any(order[one].points != allowed for one in free):
        return False
    points = [c.points for n, c in enumerate(order) if n not in free]
    least = sum(a - b for a, b in zip(points[::2], points[1::2], strict=True))
    return least == sum(order[a].points - order[b].points for a, b in pairs if b < len(order))


def _no_round(order: Order, pairs: list[tuple[int, int]], cost: Callable[[int, int], Cost | None]) -> Refusal:
    """Return the refusal ``no-legal-pairing``: the players left over by the largest pairing, and their possible opponents.

    ``pairs``: the largest pairing. ``cost``: returns None for a pair that is not legal.
    """
    bye = len(order)
    if bye % 2 and all(cost(n, bye) is None for n in range(bye)):
        detail = say("{bye} players are present, so one must have the bye, but all have had one", bye=bye)
        return Refusal("rule", "no-legal-pairing", detail, "000-A 瑞士制规则")
    seated = {n for two in pairs for n in two}
    reasons = []
    for n in (n for n in range(bye) if n not in seated):
        open = [order[m].side for m in range(bye) if m != n and cost(min(n, m), max(n, m)) is not None]
        reasons.append(
            say(
                "{side} may still meet only {others}, and these pairings are not all possible together",
                side=order[n].side,
                others=tuple(sorted(open)),
            )
            if open
            else say("{side} has met every player present, or must not meet them", side=order[n].side)
        )
    if not reasons:
        reasons.append(
            say("a player must have the bye, but if any eligible player has it, the others cannot all be paired")
        )
    detail = say(
        "a legal pairing does not exist: only {paired} of {present} players can be paired; {reasons}",
        paired=2 * len(pairs),
        present=bye,
        reasons=in_turn(reasons),
    )
    return Refusal("rule", "no-legal-pairing", detail, "000-A 瑞士制规则")
