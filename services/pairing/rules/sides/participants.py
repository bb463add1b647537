"""The sides that can be paired in a round, and their records: entries, or teams in a team event."""

from services.pairing.rules.engine_adapters.record import PairingInput
from services.pairing.rules.pairing_input import entries_by_number, input_of, players_to_seat
from services.pairing.rules.sides import team_participants as team_sides
from services.pairing.rules.sides.model import Contender
from shared.core.rounds.matches import teams_meet
from shared.core.state.entities import Player
from shared.core.state.tournament import Tournament
from shared.core.terms import HalfPoints


def present_in(t: Tournament, round: int) -> tuple[int, ...]:
    """Return the sides that can be paired in ``round``, in starting order."""
    if teams_meet(t):
        return team_sides.present_in(t, round)
    return tuple(p.player for p in players_to_seat(t, round))


def entrants_in(t: Tournament, round: int) -> tuple[int, ...]:
    """Return the sides that begin a bracket or a table in ``round``, in starting order.

    From decision edition 3 on they include sides that are only barred from its first round. These lose that game (002-X
    18.2), and keep their place.
    """
    if not t.removals_lapse():
        return present_in(t, round)
    here = {p.player for p in entries_by_number(t) if _begins(t, round, p)}
    if teams_meet(t):
        return tuple(number for number, team in sorted(t.teams.items()) if here.intersection(team.members))
    return tuple(p.player for p in entries_by_number(t) if p.player in here)


def _begins(t: Tournament, round: int, entry: Player) -> bool:
    """Return whether a player begins in ``round``: entered by then, not withdrawn or expelled, and without a bye."""
    player = entry.player
    out = t.absence(player, round) is not None or t.expelled_by(player) is not None
    return entry.first_round <= round and (player, round) not in t.byes and not out


def contenders(t: Tournament, round: int) -> tuple[Contender, ...]:
    """Return the sides to be paired in ``round`` with their records of the rounds before, in starting order."""
    return team_sides.contenders(t, round) if teams_meet(t) else contenders_of(input_of(t, round, "white"))


def contenders_of(start: PairingInput) -> tuple[Contender, ...]:
    """Return the players of an engine's input with their records, in starting order."""
    return tuple(
        Contender(s.player, s.number, s.score, HalfPoints(0), s.met, s.colours, s.bye_barred) for s in start.players
    )


def forbidden(t: Tournament) -> frozenset[tuple[int, int]]:
    """Return the pairs of sides that may not meet, the smaller number first."""
    return team_sides.forbidden(t) if teams_meet(t) else t.forbidden
