"""Matches in decision editions 1 and 2: by the present result, without regard to later pairings."""

from collections.abc import Mapping

from shared.core.rounds.match_score import MatchScore
from shared.core.rounds.stages import stage_named
from shared.core.rulebook.formats import FORMATS
from shared.core.state.tournament import Tournament


def places(t: Tournament, results: Mapping[int, MatchScore]) -> dict[int, int]:
    """Return the best place that each side of a knock-out can still have, from the last match that it completed.

    If nobody has won, both are out: they have the loser's place, or, if a loser would have played on, rank below all who
    were still in the competition.
    """
    best: dict[int, int] = {}
    out: dict[int, int] = {}
    brackets = [m for m in results.values() if FORMATS[stage_named(t, m.stage).format].winner_needed]
    sides = {side for m in brackets for side in (m.first, m.second) if side}
    for match in sorted(brackets, key=lambda m: (m.round, m.match)):
        for side in (match.first, match.second):
            best.setdefault(side, 1)
        if match.over and match.places:
            if not match.winner and t.regulations.decisions >= 2:
                left = len(sides) - sum(match.round > round for side, round in out.items() if side)
                place = match.places[-1] if match.places[-1] > match.places[0] else left
                best[match.first] = best[match.second] = place
                out |= {match.first: match.round, match.second: match.round}
            best[match.winner] = match.places[0]
            best[match.loser] = match.places[-1]
            if match.places[-1] > match.places[0]:
                out[match.loser] = match.round
    best.pop(0, None)
    return best
