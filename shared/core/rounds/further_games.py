"""Further games of a match: the announced ones, extra games 加赛, and those that present results no longer ask for (000-B 4, 9).

Standard library only.
"""

from collections.abc import Iterator

from shared.core.rounds.matches import Leg, legs_of_matches, rounds_of_a_match, score_legs, team_of, teams_meet
from shared.core.rounds.stages import MatchScore, stage_named
from shared.core.state.tournament import Tournament


def extra_due(t: Tournament, match: MatchScore) -> bool:
    """Return whether another game is due in a match that is not over: an announced one, or an extra one 加赛 (000-B 4, 9).

    Sides absent from the last announced game have no extra one: the lots decide.
    """
    due, rules = rounds_of_a_match(t, match.stage), t.regulations.pairing
    if match.legs < due:
        return True
    if rules.drawn_match == "lots" or (match.absent and t.regulations.decisions >= 2):
        return False
    return rules.drawn_match == "extra" or match.legs < due + stage_named(t, match.stage).extra


def find_needless_games(t: Tournament) -> Iterator[Leg]:
    """Yield the further games that the present results of the games before them would not give.

    Those games decide the match, or leave it to the lots. A game is omitted if its match has the same winner without it.
    """
    members = team_of(t) if teams_meet(t) else {}
    for number, legs in legs_of_matches(t).items():
        event, match = legs[-1]
        if match.leg == 1 or (match.leg <= rounds_of_a_match(t, event.stage) and not stage_named(t, event.stage).best):
            continue
        now = score_legs(t, legs, members)
        for played in range(1, len(legs)):
            before = score_legs(t, legs[:played], members)
            by_lot = number in t.lots and before.points[0] == before.points[1]
            decided = before.over and not by_lot
            if before.open or (not decided and extra_due(t, before)):
                continue
            if not decided or not now.over or now.winner != before.winner:
                yield legs[played]
