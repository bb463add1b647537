"""Games of matches: the match of a game, and games that present results ask for, or no longer ask for (000-B 4, 9).

Standard library only.
"""

from collections.abc import Iterator

from shared.core.rounds.matches import (
    Leg,
    extra_due,
    find_bracket,
    has_games_left,
    legs_of_matches,
    match_results,
    score_legs,
    team_of,
    teams_meet,
)
from shared.core.state.entities import Game
from shared.core.state.tournament import Tournament


def match_of(t: Tournament, game: Game) -> int | None:
    """Return the number of the match that a game belongs to, or None if its round has no matches."""
    pairing = t.pairings[game.pairing - 1].event
    return next((match.match for match in pairing.matches if game.board in match.boards), None)


def match_to_play(t: Tournament) -> tuple[int, int] | None:
    """Return the sides of a match of the bracket in force that must still be paired or decided, or None (000-B 4).

    It is also None if no bracket was paired, and if no player of the sides of such a match remains.
    """
    results = match_results(t)
    paired = find_bracket(t, results)
    if paired is None:
        return None
    for number, score in results.items():
        if number > paired.before and not score.over and not paired.bracket.is_settled(number - paired.before):
            return score.first, score.second
    round = t.rounds_paired() + 1
    due = (sides for _, sides in paired.bracket.next_wave() if all(sides))
    return next((sides for sides in due if any(has_games_left(t, round, side) for side in sides)), None)


def find_needless_games(t: Tournament) -> Iterator[Leg]:
    """Yield the further games that the present results of the games before them would not give.

    Those games decide the match, or leave it to the lots. A game is omitted if its match has the same winner without it.
    """
    members = team_of(t) if teams_meet(t) else {}
    for number, legs in legs_of_matches(t).items():
        now = score_legs(t, legs, members)
        for played in range(1, len(legs)):
            before = score_legs(t, legs[:played], members)
            by_lot = number in t.lots and before.points[0] == before.points[1] and before.winner != 0
            decided = before.over and not by_lot
            if before.open or (not decided and extra_due(t, before)):
                continue
            if not decided or not now.over or now.winner != before.winner:
                yield legs[played]
