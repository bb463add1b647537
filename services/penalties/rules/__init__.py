"""The rules of penalties: rulings, the ladder, annulments and appeals, arrivals, findings."""

from services.penalties.rules.decide import decide
from services.penalties.rules.findings import following_games, undecided
from services.penalties.rules.reconstruct import command_of
from shared.core.events import FactsChecked, FindingMade, FindingWithdrawn
from shared.core.terms import PENALTIES
from shared.desk.rules_port import Rules

RULES = Rules(
    source=PENALTIES,
    decide=decide,
    command_of=command_of,
    due=following_games,
    due_after=frozenset({FindingMade, FindingWithdrawn, FactsChecked}),
    undecided=undecided,
)
