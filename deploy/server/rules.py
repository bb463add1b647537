"""The table of rules, handed to the command handlers and to the audit."""

from deploy.server.known_tiebreaks import TIEBREAK_CODES
from services.games.rules import RULES as GAMES_RULES
from services.pairing.announcement.tiebreak_codes import with_known_tiebreaks
from services.pairing.rules import RULES as PAIRING_RULES
from services.penalties.rules import RULES as PENALTIES_RULES
from services.standings.rules import RULES as STANDINGS_RULES
from shared.core.terms import Source
from shared.desk.rules_port import Rules

RULES: dict[Source, Rules] = {
    r.source: r
    for r in (with_known_tiebreaks(PAIRING_RULES, TIEBREAK_CODES), GAMES_RULES, PENALTIES_RULES, STANDINGS_RULES)
}
