"""The rounds that are still to be paired: the tables of round robins, and whether a stage or the competition is over.

Standard library only.
"""

from shared.core.rounds.berger_tables import Table, berger, double_cycle, group_against_group
from shared.core.rounds.further_games import match_to_play
from shared.core.rounds.matches import find_bracket, match_results, matches, teams_meet
from shared.core.rounds.stages import (
    MatchScore,
    Stage,
    begins,
    begun_stages,
    is_bracket,
    rounds_of,
    rounds_of_a_match,
    stage_named,
    stage_now,
    stages_begun,
)
from shared.core.rulebook.formats import FORMATS
from shared.core.rulebook.ranking_rules import StageRule
from shared.core.state.tournament import Tournament, TournamentState

Groups = tuple[tuple[int, ...], ...]


def tables(rule: StageRule, groups: Groups) -> tuple[Table, ...]:
    """Return the pairing table of each group, once, or twice for a double round robin."""
    once = [berger(len(group)) for group in groups]
    return tuple(map(double_cycle, once) if FORMATS[rule.format].cycles == 2 else once)


def finals_table(t: Tournament, begun: tuple[Stage, ...]) -> Table:
    """Return the table of the finals after groups: its rounds, each as pairs of the finalists' numbers from 1.

    If results of the groups are carried over, sides of one group do not meet again. With two groups, each side then
    meets only the sides of the other group. With more groups, the pairs of one group are removed from the complete table.
    """
    (finalists,) = begun[1].groups
    table = berger(len(finalists))
    if not t.announced.conditions.carried:
        return table
    of = {side: n for n, group in enumerate(begun[0].groups) for side in group}
    if len(begun[0].groups) == 2:
        numbered = list(enumerate(finalists, 1))
        return group_against_group(*(tuple(n for n, side in numbered if of[side] == group) for group in (0, 1)))
    group = [of[side] for side in finalists] + [-1]
    left = (tuple(pair for pair in round if group[pair[0] - 1] != group[pair[1] - 1]) for round in table)
    return tuple(round for round in left if any(max(pair) <= len(finalists) for pair in round))


def tables_of(t: Tournament, begun: tuple[Stage, ...]) -> tuple[Table, ...]:
    """Return the pairing tables of the last of the stages ``begun``, one for each of its groups."""
    rule = stage_named(t, begun[-1].name)
    if FORMATS[rule.format].finals and not t.regulations.stages and len(begun) == 2:
        return (finals_table(t, begun),)
    return tables(rule, begun[-1].groups)


def is_stage_over(t: Tournament) -> bool:
    """Return whether all rounds of the current stage have been paired. Always False for a bracket."""
    rule = stage_now(t)
    traits = FORMATS[rule.format]
    if traits.winner_needed:
        return False
    if traits.rests:
        begun = stages_begun(t)
        return bool(begun) and begun[-1].encounters >= max(map(len, tables_of(t, begun)))
    return rounds_of(t, rule) >= rule.rounds


def open_matches(t: Tournament) -> list[MatchScore]:
    """Return the matches whose next game is due.

    If new matches were paired since, an older one is continued only in a bracket, from decision edition 3 on.
    """
    begun = max((p.event.round for p in t.pairings if p.withdrawn is None and begins(p.event)), default=1)

    def is_reopened(m: MatchScore) -> bool:
        return t.regulations.decisions >= 3 and FORMATS[stage_named(t, m.stage).format].winner_needed

    return [m for m in matches(t).values() if not m.over and (m.round >= begun or is_reopened(m))]


def is_another_round_due(t: Tournament) -> bool | None:
    """Return whether a further round must be paired, not counting play-offs. None if a bracket does not show it.

    That is a bracket paired manually by seats alone. False after the final table.
    """
    if t.closed():
        return False
    stages, begun = t.regulations.stages, stages_begun(t)
    if not begun or len(begun_stages(t)) < len(stages):
        return True
    if is_bracket(t, begun[-1]):
        return match_to_play(t) is not None if find_bracket(t, match_results(t)) is not None else None
    rule = stage_now(t)
    if not stages and FORMATS[rule.format].rounds_announced:
        return t.rounds_paired() < t.announced.rounds
    finals_follow = FORMATS[rule.format].finals and not stages and len(begun) == 1
    return finals_follow or not is_stage_over(t) or bool(open_matches(t))


def planned_rounds(t: Tournament) -> int:
    """Return the number of rounds of the competition, or 0 if stages or results decide it.

    A round robin has those of its table, as drawn up or for the present entries, whatever was announced (002-X 11.2).
    """
    rule = stage_now(t)
    traits = FORMATS[rule.format]
    if t.regulations.stages or traits.finals or traits.winner_needed or rule.best:
        return 0
    if traits.rounds_announced:
        return t.announced.rounds
    begun = stages_begun(t)
    sides = len(begun[0].groups[0]) if begun else len(t.teams if teams_meet(t) else t.players)
    return 0 if sides < 2 else len(tables(rule, (tuple(range(sides)),))[0]) * rounds_of_a_match(t)


def open_boards(t: TournamentState) -> int:
    """Return the number of boards without a result in the last round."""
    pairing = t.current(t.rounds_paired()) if isinstance(t, Tournament) else None
    if pairing is None or not isinstance(t, Tournament):
        return 0
    return sum(t.setting(t.games[board.game]) is None for board in pairing.event.boards)
