"""Swiss: by the system of the regulations; teams by points (002-X 11.4 积分编排)."""

from services.pairing.rules.engines.fide_dutch import dutch
from services.pairing.rules.engines.versions import GACRUX, PY4SWISS, RUSTWORKX
from services.pairing.rules.formats.campus_swiss import campus
from services.pairing.rules.sides.model import Plan, RoundRequest
from shared.core.events import Engine
from shared.core.rulebook.regulations import Regulations
from shared.core.state.tournament import Tournament
from shared.core.terms import Conditions, Refusal


def swiss(t: Tournament, round: int, request: RoundRequest) -> Plan | Refusal:
    """Return the next round of a Swiss: by `campus` if the ruleset pairs by points alone, else by `dutch`.

    Refusals: those of the function that is used.
    """
    plan = campus if pairs_by_points(t.regulations, t.announced.conditions) else dutch
    return plan(t, round, request)


def swiss_engine(regulations: Regulations, conditions: Conditions) -> Engine:
    """Return the engine of a Swiss: a matching over the field, or the FIDE Dutch engine of the regulations."""
    if pairs_by_points(regulations, conditions):
        return RUSTWORKX
    return PY4SWISS if regulations.pairing.engine == PY4SWISS.name else GACRUX


def pairs_by_points(regulations: Regulations, conditions: Conditions) -> bool:
    """Return whether the Swiss pairs by nearest points, and not by the FIDE Dutch."""
    return conditions.teams_meet or regulations.pairing.system == "campus"
