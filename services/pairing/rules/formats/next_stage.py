"""The stage that the next round belongs to, and the sides that qualify for it."""

from services.pairing.rules.formats.groups import qualified_sides
from services.pairing.rules.sides.participants import entrants_in
from shared.core.language.messages import say
from shared.core.rounds.rounds_to_come import is_stage_over
from shared.core.rounds.stages import begun_stages, seeds_of_stage, stage_now, stages_begun
from shared.core.rulebook.ranking_rules import StageRule
from shared.core.state.tournament import Tournament
from shared.core.terms import Refusal


def stage_due(t: Tournament) -> StageRule:
    """Return the stage of the next round: the current stage until all its rounds are paired, then the following one.

    After the last stage it is still the last. If one bracket has several stages, the current one is returned:
    `knockout.part_of_bracket` decides to which stage the matches belong.
    """
    now, stands = stage_now(t), begun_stages(t)
    if len(stands) == len(t.regulations.stages) or not stands or not is_stage_over(t):
        return now
    return t.regulations.stages[len(stands)]


def entrants(t: Tournament, round: int, due: StageRule, seed: int) -> tuple[tuple[int, ...], int] | Refusal:
    """Return the sides that begin the stage ``due``, by their seeds, and the seed of the lots that were drawn (0: none).

    They are the best of the previous stage by the published table (002-X 11.3), the first of every group before the
    second of any. The tuple is empty if the stage has begun, or begins with all present sides. Refusals:
    ``standings-not-published``, ``too-few-players``.
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
            say(
                "the stage {name} requires at least two sides, but only {sides} qualified for it",
                sides=len(sides),
                name=due.name,
            ),
            "002-X 11.3",
        )
    return sides, drawn
