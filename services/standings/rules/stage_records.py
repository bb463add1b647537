"""The rounds and results that count in a table, in a competition with stages."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise

from shared.core.readings.scoring import RoundScore, Score, scores_of_seated
from shared.core.rounds.stages import is_bracket, ranks_by_places, stages_begun
from shared.core.state.tournament import Tournament
from shared.core.terms import PLAY_OFF, HalfPoints, PlayerId


def ordinary_rounds(t: Tournament) -> int:
    """Return the last round whose games give points: no round of a play-off, or of a bracket after another stage."""
    rounds = (
        p.event.round
        for p in t.pairings
        if p.withdrawn is None and p.event.stage != PLAY_OFF and not ranks_by_places(t, p.event.stage)
    )
    return max(rounds, default=0)


def ended_tables(t: Tournament, last: int, everybody: Iterable[int]) -> Iterator[tuple[int, set[int]]]:
    """Yield each stage table that ended because a later stage began a new table: its last round, and its eliminated sides.

    Eliminated are the sides that do not play in the new table. ``last``: only rounds up to this one are considered.
    ``everybody``: all sides of the event. Nothing is yielded before decision edition 3.
    """
    sides = set(everybody)
    for _, after in pairwise(stages_begun(t, last)) if t.regulations.decisions >= 3 else ():
        if not is_bracket(t, after):
            went_on = {side for group in after.groups for side in group}
            yield after.first - 1, sides - went_on
            sides = went_on


def is_play_off_round(t: Tournament, round: int) -> bool:
    """Return whether a round after those that give points belongs to a play-off 加赛 (002-X 15.6), not to a bracket.

    Before decision edition 3, every such round counts as a play-off.
    """
    pairing = t.current(round)
    return t.regulations.decisions < 3 or (pairing is not None and pairing.event.stage == PLAY_OFF)


def records_of_last_stage(t: Tournament, scores: Mapping[PlayerId, Score], last: int) -> dict[PlayerId, Score]:
    """Return the players' records in which only rounds of the last stage they reached, and carried-over games, count.

    ``last``: stages begun by this round are considered, except brackets (002-X 11.3).
    """
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


def extra_rounds(t: Tournament, ordinary: int, last: int) -> dict[PlayerId, tuple[RoundScore, ...]]:
    """Return each player's rounds after the ``ordinary`` ones, up to round ``last``: those of brackets and play-offs."""
    records: dict[PlayerId, tuple[RoundScore, ...]] = {}
    for number in range(ordinary + 1, last + 1):
        for player, r in scores_of_seated(t, number).items():
            records[player] = (*records.get(player, ()), r)
    return records
