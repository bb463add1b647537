"""The sides that can be paired in a round, and their records: entries, or teams in a team event."""

from services.pairing.rules.formats.model import Contender
from services.pairing.rules.pairing_input import input_of, players_to_seat
from services.pairing.rules.teams import participants as team_sides
from shared.core.matches import members_of, of_teams, plays
from shared.core.terms import HalfPoints
from shared.core.tournament import Tournament


def present_in(t: Tournament, round: int) -> tuple[int, ...]:
    """The sides that can be paired in ``round``, in starting order."""
    if of_teams(t):
        return team_sides.present_in(t, round)
    return tuple(p.player for p in players_to_seat(t, round))


def contenders(t: Tournament, round: int) -> tuple[Contender, ...]:
    """The sides to be paired in ``round`` with their records of the rounds before, in starting order."""
    if of_teams(t):
        return team_sides.contenders(t, round)
    return tuple(
        Contender(s.player, s.number, s.score, HalfPoints(0), s.met, s.colours, s.bye_barred)
        for s in input_of(t, round, "white").players
    )


def forbidden(t: Tournament) -> frozenset[tuple[int, int]]:
    """Sides that may not meet, the smaller number first."""
    return team_sides.forbidden(t) if of_teams(t) else t.forbidden


def has_games_left(t: Tournament, round: int, side: int) -> bool:
    """Whether anybody of a side still has games in what was drawn up before."""
    return any(plays(t, round, member) for member in members_of(t, side))


def has_not_left(t: Tournament, round: int, side: int) -> bool:
    """Whether a side has not left, or is back in ``round``."""
    return any(t.absence(member, round) is None for member in members_of(t, side))
