"""Teams as the sides of a round: the teams present, their records, and the boards on which two of them meet."""

from services.pairing.rules.pairing_input import players_to_seat
from services.pairing.rules.sides.lineups import lineup_for
from services.pairing.rules.sides.model import Contender, Meeting
from shared.core.readings.team_scoring import TeamScore, board_conditions, team_scores
from shared.core.rounds.matches import team_of
from shared.core.state.tournament import Tournament
from shared.core.terms import PlayerId, TeamConditions

Seats = tuple[PlayerId, PlayerId]


def present_in(t: Tournament, round: int) -> tuple[int, ...]:
    """Return the teams with at least one player who can be seated in ``round``, by number."""
    here = {p.player for p in players_to_seat(t, round)}
    return tuple(number for number, team in sorted(t.teams.items()) if here.intersection(team.members))


def contenders(t: Tournament, round: int) -> tuple[Contender, ...]:
    """Return the teams present with their records of the rounds before, by number.

    Their order is by match points, then game points (C.04.6).
    """
    assert t.regulations.teams is not None
    records = team_scores(t, round - 1)
    order = {team: place for place, team in enumerate(sorted(t.teams), 1)}
    return tuple(_contender(t, records[team], order[team], t.regulations.teams.win) for team in present_in(t, round))


def _contender(t: Tournament, record: TeamScore, number: int, win: int) -> Contender:
    """Return a team's record. Teams that played have met, even if a ruling takes the games out of the table (C.04.1, 2).

    Before decision edition 3, they had met only if a game of the match counts.
    """
    played = [r for r in record.rounds if r.kind == "played" and (r.counted or t.regulations.decisions >= 3)]
    return Contender(
        side=record.team,
        number=number,
        points=record.match_points,
        game_points=record.game_points,
        met=tuple(r.opponent for r in played),
        colours="".join("w" if r.side == "white" else "b" for r in played),
        bye_barred=any(r.kind == "bye" or (r.kind == "forfeit" and r.match_points >= win) for r in record.rounds),
    )


def forbidden(t: Tournament) -> frozenset[tuple[int, int]]:
    """Return the pairs of teams that may not meet, because their members may not; the smaller number first."""
    teams = team_of(t)
    pairs = ((teams.get(one, 0), teams.get(other, 0)) for one, other in t.forbidden)
    return frozenset((min(p), max(p)) for p in pairs if all(p) and p[0] != p[1])


def boards(t: Tournament, round: int, meeting: Meeting) -> tuple[Seats, ...]:
    """Return the players on each board of a match in ``round``, White (Red) first; 0 on an empty side.

    The first team has Red on the odd boards (002-X 13.2, 13.3), and on the even boards in every second round of the match
    (13.5). In 全队轮赛 `everybody_red` decides. A board without players is left out.
    """
    conditions = board_conditions(t)
    assert conditions is not None
    first, second = (lineup_for(t, side, round) for side in (meeting.first, meeting.second))
    seats = [_seats(conditions, meeting.leg, n, first, second) for n in range(conditions.boards)]
    return tuple(pair for pair in seats if any(pair))


def players_with_bye(t: Tournament, round: int, side: int) -> tuple[PlayerId, ...]:
    """Return the players of a team that has no opponent in ``round``."""
    return tuple(p for p in lineup_for(t, side, round) if p)


def _seats(
    conditions: TeamConditions, leg: int, n: int, first: tuple[PlayerId, ...], second: tuple[PlayerId, ...]
) -> Seats:
    """Return the players of board ``n``, counted from 0, in the ``leg``-th round of a match, counted from 1."""
    if conditions.kind == "everybody":
        against = (n + leg - 1) % conditions.boards
        red = everybody_red(conditions.boards, n, leg)
    else:
        against, red = n, (n % 2 == 0) == (leg % 2 == 1)
    return (first[n], second[against]) if red else (second[against], first[n])


def everybody_red(boards: int, n: int, leg: int) -> bool:
    """Return whether player ``n`` (from 0) of the first team has Red in round ``leg`` (from 1) of 全队轮赛.

    Player n meets player n + leg - 1 of the other team, counted around. All players' colours are balanced within one
    over the match. If the number of boards is divisible by four, those of each round are too: one half of the team then
    alternates against the other. Otherwise colours depend on the sum of both numbers, like on a chessboard.
    """
    if boards % 4 == 0:
        return (2 * n < boards) == (leg % 2 == 1)
    return (n + (n + leg - 1) % boards) % 2 == 0
