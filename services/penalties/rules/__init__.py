"""The rules of penalties: rulings, the penalty ladder, annulments and appeals, arrivals, findings."""

from services.penalties.rules.command_rows import ROWS, add_consequences
from services.penalties.rules.findings import following_games, undecided
from shared.core.events import FactsChecked, FindingMade, FindingWithdrawn
from shared.core.terms import PENALTIES
from shared.desk.rules_port import Rules

RULES = Rules(
    source=PENALTIES,
    rows=ROWS,
    finish=add_consequences,
    due=following_games,
    due_after=frozenset({FindingMade, FindingWithdrawn, FactsChecked}),
    undecided=undecided,
)
