"""The rules of penalties: rulings, the ladder, annulments and appeals, arrivals, findings."""

from services.penalties.rules.decide import decide
from services.penalties.rules.finding import open_findings
from services.penalties.rules.rebuild import command_of
from shared.rules import Rules
from shared.terms import PENALTIES

RULES = Rules(source=PENALTIES, decide=decide, command_of=command_of, due=open_findings)
