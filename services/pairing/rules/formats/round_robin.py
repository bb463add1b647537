"""Round robin 大循环, once or twice, by the tables (002-X 11.2, 13.1; FIDE C.05), with the numbers of the first pairing."""

from services.pairing.rules.sides.model import Meeting, Plan, RoundRequest
from services.pairing.rules.sides.participants import entrants_in
from services.pairing.rules.sides.stages import new_matches
from shared.core.language.messages import say
from shared.core.rounds.berger_tables import Table
from shared.core.rounds.matches import has_games_left
from shared.core.rounds.rounds_to_come import Groups, tables
from shared.core.rounds.stages import rounds_of_a_match, stages_begun
from shared.core.rulebook.ranking_rules import StageRule
from shared.core.state.tournament import Tournament
from shared.core.terms import Refusal


def round_robin(t: Tournament, round: int, request: RoundRequest) -> Plan | Refusal:
    """Return the next round of the table. All sides keep their table numbers, even if others leave.

    Refusals: ``too-few-players``, ``rounds-do-not-fit``, ``no-round-left``.
    """
    rule, begun = request.stage, () if request.entrants else stages_begun(t)
    groups = begun[-1].groups if begun else (request.entrants or entrants_in(t, round),)
    if len(groups[0]) < 2:
        return Refusal(
            "rule",
            "too-few-players",
            say("a round robin requires at least two sides, but there are only {groups}", groups=len(groups[0])),
        )
    (table,) = tables(rule, groups)
    needed = len(table) * rounds_of_a_match(t, rule.name)
    if not begun and 0 < rule.rounds < needed:
        detail = say(
            "{groups} sides need {needed} rounds, but the tournament has {rounds}",
            groups=len(groups[0]),
            needed=needed,
            rounds=rule.rounds,
        )
        return Refusal("rule", "rounds-do-not-fit", detail, "002-X 11.2")
    plan = table_round(t, round, rule, groups, (table,), begun[-1].encounters if begun else 0, rule.name)
    return plan or Refusal(
        "rule", "no-round-left", say("all {table} rounds of the table have been paired", table=len(table))
    )


def table_round(
    t: Tournament,
    round: int,
    rule: StageRule,
    groups: Groups,
    tables: tuple[Table, ...],
    encounters: int,
    stage: str = "",
) -> Plan | None:
    """Return the plan of the next round of all ``groups``, each by its own table, or None if all tables are finished.

    ``encounters``: the number of table rounds already paired. ``stage``: the name that the round gets. A side rests if the
    number of sides is odd and it has no opponent, or if its opponent has left.
    """
    if all(encounters >= len(table) for table in tables):
        return None
    met: list[tuple[int, int]] = []
    rests: list[int] = []
    for group, table in zip(groups, tables, strict=True):
        for pair in table[encounters] if encounters < len(table) else ():
            there = [group[n - 1] for n in pair if n <= len(group) and has_games_left(t, round, group[n - 1])]
            if len(there) == 2:
                met.append((there[0], there[1]))
            else:
                rests += there
    meetings = tuple(Meeting(*pair, match) for pair, match in zip(met, new_matches(t, rule), strict=False))
    return Plan(meetings, rests=tuple(sorted(rests)), stage=stage, groups=groups if not encounters else ())
