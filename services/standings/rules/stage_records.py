"""Which rounds and results of a competition in stages count in the records of a table."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise

from shared.core.readings.scoring import RoundScore, Score, scores_of_seated
from shared.core.rounds.stages import ranks_by_places
from shared.core.rounds.stages_begun import is_bracket, stages_begun
from shared.core.state.tournament import Tournament
from shared.core.terms import PLAY_OFF, HalfPoints, PlayerId


def ordinary_rounds(t: Tournament) -> int:
    """The last round that is none of a play-off, nor of a bracket after another stage: such games give no points."""
    rounds = (
        p.event.round
        for p in t.pairings
        if p.withdrawn is None and p.event.stage != PLAY_OFF and not ranks_by_places(t, p.event.stage)
    )
    return max(rounds, default=0)


def ended_tables(t: Tournament, last: int, everybody: Iterable[int]) -> Iterator[tuple[int, set[int]]]:
    """Yield the last round of each table that another one followed, up to round ``last``, and the sides that were left in it.

    None before the third edition of decisions. ``everybody``: the sides of the event.
    """
    sides = set(everybody)
    for _, after in pairwise(stages_begun(t, last)) if t.regulations.decisions >= 3 else ():
        if not is_bracket(t, after):
            went_on = {side for group in after.groups for side in group}
            yield after.first - 1, sides - went_on
            sides = went_on


def parts_equals(t: Tournament, round: int) -> bool:
    """True if a round behind the ordinary ones is one of a play-off 加赛 (002-X 15.6), not of a bracket after another stage.

    Before the third edition of decisions each of them counted as one.
    """
    pairing = t.current(round)
    return t.regulations.decisions < 3 or (pairing is not None and pairing.event.stage == PLAY_OFF)


def records_of_last_stage(t: Tournament, scores: Mapping[PlayerId, Score], last: int) -> dict[PlayerId, Score]:
    """Records in which only the last stage counts that a player reached, with what is carried over (002-X 11.3)."""
    records = dict(scores)
    for stage in (stage for stage in stages_begun(t, last)[1:] if not is_bracket(t, stage)):
        for group in stage.groups:
            carried = set(group) if t.announced.conditions.carried else set()
            for player in map(PlayerId, group):
                rounds = tuple(
                    r
                    if r.round >= stage.first or r.opponent in carried
                    else r._replace(points=HalfPoints(0), counted=False)
                    for r in records[player].rounds
                )
                records[player] = records[player]._replace(rounds=rounds)
    return records


def rounds_behind(t: Tournament, ordinary: int, last: int) -> dict[PlayerId, tuple[RoundScore, ...]]:
    """Return each player's rounds after the ``ordinary`` ones, up to round ``last``: of brackets and play-offs."""
    records: dict[PlayerId, tuple[RoundScore, ...]] = {}
    for number in range(ordinary + 1, last + 1):
        for player, r in scores_of_seated(t, number).items():
            records[player] = (*records.get(player, ()), r)
    return records
