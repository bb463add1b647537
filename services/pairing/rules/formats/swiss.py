"""Swiss: by the system that the regulations name; teams by points (002-X 11.4 积分编排)."""

from services.pairing.rules.engines.fide_dutch import dutch
from services.pairing.rules.formats.campus_swiss import campus
from services.pairing.rules.formats.model import Asked, Plan
from shared.core.matches import of_teams
from shared.core.terms import Refusal
from shared.core.tournament import Tournament


def swiss(t: Tournament, round: int, asked: Asked) -> Plan | Refusal:
    """The next round; see `campus` and `dutch` for the refusals."""
    return (campus if by_points(t) else dutch)(t, round, asked)


def by_points(t: Tournament) -> bool:
    """Whether the Swiss is the one near in points, and not the FIDE Dutch."""
    return of_teams(t) or t.regulations.pairing.system == "campus"
