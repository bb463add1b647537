"""The stages of a tournament: by which of them a round is played, and which is in force now. Standard library only."""

from functools import lru_cache

from shared.core.events import TournamentAnnounced
from shared.core.rulebook.formats import FORMATS
from shared.core.rulebook.stage_rules import StageRule
from shared.core.state.tournament import Tournament
from shared.core.terms import PLAY_OFF


@lru_cache(maxsize=64)
def whole(announced: TournamentAnnounced) -> StageRule:
    """A competition that was announced without stages, as the one that it is."""
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
    """The stage announced by the name that a pairing has; the whole competition where there is none."""
    return next((stage for stage in t.regulations.stages if stage.name == name), None) or whole(t.announced)


def stage_of(t: Tournament, round: int) -> StageRule:
    """The stage that a round was paired in; of one not paired yet the stage that is in force."""
    pairing = t.current(round) if t.regulations.stages else None
    return stage_now(t) if pairing is None else stage_named(t, pairing.event.stage)


def stage_now(t: Tournament) -> StageRule:
    """The stage of the round that was paired last, before the first round the first."""
    stages = t.regulations.stages
    if not stages:
        return whole(t.announced)
    names = (p.event.stage for p in reversed(t.pairings) if p.withdrawn is None and p.event.stage != PLAY_OFF)
    name = next(names, stages[0].name)
    return stage_named(t, name)


def rounds_over(t: Tournament) -> bool:
    """Whether all rounds that were announced have been paired; never where stages or a winner decide how many there are."""
    last = t.announced.rounds
    return 0 < last <= t.rounds_paired() and not t.regulations.stages and not FORMATS[t.announced.format].winner_needed


def rounds_of(t: Tournament, stage: StageRule) -> int:
    """How many rounds of a stage have been paired."""
    paired = (t.current(round) for round in range(1, t.rounds_paired() + 1))
    return sum(p is not None and p.event.stage == stage.name for p in paired)


def begun(t: Tournament) -> tuple[StageRule, ...]:
    """The announced stages of which a round stands, and those before them."""
    now = {p.event.stage for p in t.pairings if p.withdrawn is None}
    stages = t.regulations.stages
    return stages[: max((n for n, stage in enumerate(stages, 1) if stage.name in now), default=0)]


def ranks_by_places(t: Tournament, name: str) -> bool:
    """Whether a stage only parts those who reached it, by the places they play for: a bracket after another format. Its games
    give no points in the table."""
    stages = t.regulations.stages
    return bool(stages) and not _bracket(stages[0]) and any(s.name == name and _bracket(s) for s in stages)


def _bracket(stage: StageRule) -> bool:
    return FORMATS[stage.format].winner_needed
