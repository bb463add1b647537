"""The tables of rules and of tie-breaks, handed to the command handlers, to the audit and to pairing's routes."""

from services.games.rules import RULES as GAMES_RULES
from services.pairing.announcement.tiebreak_codes import TieBreakCodes, with_known_tiebreaks
from services.pairing.rules import RULES as PAIRING_RULES
from services.penalties.rules import RULES as PENALTIES_RULES
from services.standings.rules import RULES as STANDINGS_RULES
from services.standings.rules.teams.member_places import PLACE_TIEBREAKS
from services.standings.rules.teams.tiebreaks import TEAM_TIEBREAKS
from services.standings.rules.tiebreaks.registry import TIEBREAKS
from shared.core.terms import Source
from shared.desk.rules_port import Rules

TIEBREAK_CODES = TieBreakCodes(TIEBREAKS, TEAM_TIEBREAKS, PLACE_TIEBREAKS)
RULES: dict[Source, Rules] = {
    r.source: r
    for r in (with_known_tiebreaks(PAIRING_RULES, TIEBREAK_CODES), GAMES_RULES, PENALTIES_RULES, STANDINGS_RULES)
}
