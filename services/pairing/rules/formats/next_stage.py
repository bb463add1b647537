"""The stage that the next round belongs to, and who goes on to it."""

from services.pairing.rules.formats.groups import qualified_sides
from services.pairing.rules.formats.round_robin import tables
from services.pairing.rules.sides.participants import entrants_in
from shared.core.language.messages import say
from shared.core.rounds.stages import begun_stages, rounds_of, stage_now
from shared.core.rounds.stages_begun import seeds_of_stage, stages_begun
from shared.core.rulebook.formats import FORMATS
from shared.core.rulebook.stage_rules import StageRule
from shared.core.state.tournament import Tournament
from shared.core.terms import Refusal


def stage_due(t: Tournament) -> StageRule:
    """The stage of the next round: the one that is in force until its rounds have been paired, then the next (the last one
    stays). One bracket may have several; which of them its matches belong to, the bracket says."""
    now, stands = stage_now(t), begun_stages(t)
    if len(stands) == len(t.regulations.stages) or not stands or not stage_over(t):
        return now
    return t.regulations.stages[len(stands)]


def stage_over(t: Tournament) -> bool:
    """Whether all rounds of the stage in force have been begun; a bracket tells itself."""
    rule = stage_now(t)
    traits = FORMATS[rule.format]
    if traits.winner_needed:
        return False
    if traits.rests:
        part = stages_begun(t)[-1]
        return part.encounters >= max(map(len, tables(rule, part.groups)))
    return rounds_of(t, rule) >= rule.rounds


def entrants(t: Tournament, round: int, due: StageRule, seed: int) -> tuple[tuple[int, ...], int] | Refusal:
    """The sides that begin a stage, by their seeds, and the seed of the lots that it took (0: none).

    They are the best of the stage before by the table as published (002-X 11.3), the first of every group before the second
    of any; nobody where the stage was begun, or begins with all who are there. Refusals: ``standings-not-published``,
    ``too-few-players``.
    """
    before = begun_stages(t)
    if not before or due in before:
        return (), 0
    groups = stages_begun(t)[-1].groups or (entrants_in(t, round),)
    going = qualified_sides(t, round, groups, before[-1].qualifiers, seed)
    if isinstance(going, Refusal):
        return going
    best, drawn = going
    sides = seeds_of_stage(best, before[-1].qualifiers)
    if len(sides) < 2:
        return Refusal(
            "rule",
            "too-few-players",
            say("{sides} go on to the stage {name}", sides=len(sides), name=due.name),
            "002-X 11.3",
        )
    return sides, drawn
