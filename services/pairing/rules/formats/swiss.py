"""Swiss: by the system that the regulations name; teams by points (002-X 11.4 积分编排)."""

from services.pairing.rules.dutch import dutch
from services.pairing.rules.formats.campus import campus
from services.pairing.rules.formats.sides import Asked, Plan
from shared.matches import of_teams
from shared.terms import Refusal
from shared.tournament import Tournament


def swiss(t: Tournament, round: int, asked: Asked) -> Plan | Refusal:
    """The next round; see `campus` and `dutch` for the refusals."""
    assert t.regulations is not None
    return (campus if by_points(t) else dutch)(t, round, asked)


def by_points(t: Tournament) -> bool:
    """Whether the Swiss is the one near in points, and not the FIDE Dutch."""
    assert t.regulations is not None
    return of_teams(t) or t.regulations.pairing.system == "campus"
