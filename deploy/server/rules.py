"""The table source -> rules: handed to the desks and to the audit."""

from services.games.rules import RULES as GAMES_RULES
from services.pairing.rules import RULES as PAIRING_RULES
from services.penalties.rules import RULES as PENALTIES_RULES
from services.standings.rules import RULES as STANDINGS_RULES
from shared.core.terms import Source
from shared.desk.rules_port import Rules

RULES: dict[Source, Rules] = {r.source: r for r in (PAIRING_RULES, GAMES_RULES, PENALTIES_RULES, STANDINGS_RULES)}
