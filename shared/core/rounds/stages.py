"""The stages of a tournament: the stage of a round, and the stage in force now. Standard library only."""

from functools import lru_cache

from shared.core.events import TournamentAnnounced
from shared.core.rulebook.formats import FORMATS
from shared.core.rulebook.pairing_rules import StageRule
from shared.core.state.tournament import Tournament
from shared.core.terms import PLAY_OFF


@lru_cache(maxsize=64)
def whole_competition(announced: TournamentAnnounced) -> StageRule:
    """Return a competition announced without stages as a single stage."""
    c = announced.conditions
    return StageRule(
        "",
        announced.format,
        announced.rounds,
        c.groups,
        c.qualifiers,
        c.games,
        c.best,
        c.extra,
        c.places,
        c.time,
    )


def stage_named(t: Tournament, name: str) -> StageRule:
    """Return the announced stage of this name, or the whole competition if no stage has it."""
    return next((stage for stage in t.regulations.stages if stage.name == name), None) or whole_competition(t.announced)


def stage_of(t: Tournament, round: int) -> StageRule:
    """Return the stage that a round was paired in, or the stage in force if the round is not paired yet."""
    pairing = t.current(round) if t.regulations.stages else None
    return stage_now(t) if pairing is None else stage_named(t, pairing.event.stage)


def stage_now(t: Tournament) -> StageRule:
    """Return the stage of the last paired round, or the first stage before the first round."""
    stages = t.regulations.stages
    if not stages:
        return whole_competition(t.announced)
    names = (p.event.stage for p in reversed(t.pairings) if p.withdrawn is None and p.event.stage != PLAY_OFF)
    name = next(names, stages[0].name)
    return stage_named(t, name)


def rounds_over(t: Tournament) -> bool:
    """Return whether all announced rounds have been paired. False if stages or a winner decide the number of rounds."""
    last = t.announced.rounds
    return 0 < last <= t.rounds_paired() and not t.regulations.stages and not FORMATS[t.announced.format].winner_needed


def rounds_of(t: Tournament, stage: StageRule) -> int:
    """Return the number of paired rounds of a stage."""
    paired = (t.current(round) for round in range(1, t.rounds_paired() + 1))
    return sum(p is not None and p.event.stage == stage.name for p in paired)


def begun_stages(t: Tournament) -> tuple[StageRule, ...]:
    """Return the announced stages up to the last one that has a round in force."""
    now = {p.event.stage for p in t.pairings if p.withdrawn is None}
    stages = t.regulations.stages
    return stages[: max((n for n, stage in enumerate(stages, 1) if stage.name in now), default=0)]


def ranks_by_places(t: Tournament, name: str) -> bool:
    """Return whether a stage only ranks its sides by the places they play for: a bracket after another format.

    Its games give no points in the table.
    """
    stages = t.regulations.stages
    return bool(stages) and not _bracket(stages[0]) and any(s.name == name and _bracket(s) for s in stages)


def _bracket(stage: StageRule) -> bool:
    return FORMATS[stage.format].winner_needed
