"""Groups, then finals 分组循环 (002-X 11.3): round robins in groups seeded by snake, then one of the best of each group."""

from dataclasses import replace

from services.pairing.rules.formats.round_robin import table_round
from services.pairing.rules.sides.model import Plan, RoundRequest
from services.pairing.rules.sides.participants import entrants_in
from services.pairing.rules.sides.stages import FINALS
from shared.core.language.messages import say
from shared.core.readings.settlement import refuse_outdated_table
from shared.core.rounds.matches import members_of
from shared.core.rounds.rounds_to_come import finals_table, tables
from shared.core.rounds.stages import Stage, published_order, qualified, seeds_of_finals, stages_begun
from shared.core.state.tournament import Tournament
from shared.core.terms import Refusal

GROUPS = "groups"
ARTICLE = "002-X 11.3"


def groups(t: Tournament, round: int, request: RoundRequest) -> Plan | Refusal:
    """Return the next round of all groups at the same time, or of the finals.

    Refusals: ``groups-too-small``, ``standings-not-published``, ``no-round-left``.
    """
    begun, rule = stages_begun(t), request.stage
    if t.regulations.stages:
        plan = _group_round(t, round, request, begun[0] if begun else None, rule.name)
        return plan or Refusal("rule", "no-round-left", say("all rounds of the groups have been paired"))
    if len(begun) == 2:
        plan = table_round(t, round, rule, begun[1].groups, (finals_table(t, begun),), begun[1].encounters, FINALS)
        return plan or Refusal("rule", "no-round-left", say("all rounds of the finals have been paired"))
    return _group_round(t, round, request, begun[0] if begun else None, GROUPS) or _finals(t, round, request, begun)


def _group_round(
    t: Tournament, round: int, request: RoundRequest, begun: Stage | None, name: str
) -> Plan | Refusal | None:
    rule = request.stage
    drawn = begun.groups if begun else snake(entrants_in(t, round), rule.groups)
    if any(len(group) < max(2, rule.qualifiers) for group in drawn):
        detail = say(
            "each group must have at least two sides and as many as qualify from it: {sum} sides "
            "make groups of {drawn}, and {qualifiers} qualify",
            sum=sum(map(len, drawn)),
            drawn=min(map(len, drawn)),
            qualifiers=rule.qualifiers,
        )
        return Refusal("rule", "groups-too-small", detail, ARTICLE)
    return table_round(t, round, rule, drawn, tables(rule, drawn), begun.encounters if begun else 0, name)


def snake(sides: tuple[int, ...], groups: int) -> tuple[tuple[int, ...], ...]:
    """Return the sides, given by seed, in this number of groups: one to each group in turn, then in reverse order, and so on."""
    rows = [sides[n : n + groups] for n in range(0, len(sides), groups)]
    drawn: list[list[int]] = [[] for _ in range(groups)]
    for number, row in enumerate(rows):
        for column, side in enumerate(row):
            drawn[column if number % 2 == 0 else groups - 1 - column].append(side)
    return tuple(map(tuple, drawn))


def _finals(t: Tournament, round: int, request: RoundRequest, begun: tuple[Stage, ...]) -> Plan | Refusal:
    """Return the plan of the first round of the finals, among the best of each group by the published table.

    ``begun``: the stage of the groups. Places shared at the qualification limit are decided by lot (002-X 15.6 leaves it
    to the announcement). Refusals: ``too-few-players``, ``no-round-left``, those of `qualified_sides`.
    """
    going = qualified_sides(t, round, begun[0].groups, request.stage.qualifiers, request.seed)
    if isinstance(going, Refusal):
        return going
    best, seed = going
    finalists = seeds_of_finals(best, request.stage.qualifiers)
    if len(finalists) < 2:
        return Refusal(
            "rule",
            "too-few-players",
            say("the finals need at least 2 sides, but only {finalists} qualify", finalists=len(finalists)),
            ARTICLE,
        )
    stage = Stage(FINALS, (finalists,), 0)
    plan = table_round(t, round, request.stage, stage.groups, (finals_table(t, (*begun, stage)),), 0, FINALS)
    if plan is None:
        return Refusal("rule", "no-round-left", say("the qualifiers have all met, and their results are carried over"))
    return replace(plan, seed=seed)


def qualified_sides(
    t: Tournament, round: int, groups: tuple[tuple[int, ...], ...], wanted: int, seed: int
) -> tuple[list[list[int]], int] | Refusal:
    """Return the ``wanted`` best of each group by the table published before ``round``, and the seed of lots.

    Sides that have left do not qualify. Lots decide a place shared at the limit; the seed is 0 if none were drawn.
    Refusals: ``standings-not-published``, ``basis-outdated`` if the table changed after its publication.
    """
    order = published_order(t, round - 1)
    if not order:
        detail = say("the qualifiers depend on the standings after round {round}: publish them first", round=round - 1)
        return Refusal("rule", "standings-not-published", detail, ARTICLE, see=f"/v1/tournaments/{t.id}/publications")
    refusal = refuse_outdated_table(t, round - 1)
    if refusal is not None:
        return refusal

    def has_not_left(side: int) -> bool:
        return any(t.absence(member, round) is None for member in members_of(t, side))

    best, drawn = qualified(order, groups, wanted, seed, has_not_left)
    return best, seed if drawn else 0
