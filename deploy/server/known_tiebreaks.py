"""The tie-breaks that a tournament may use: those of players, of teams and of places in teams."""

from services.pairing.announcement.tiebreak_codes import TieBreakCodes
from services.standings.rules.teams.member_places import PLACE_TIEBREAKS
from services.standings.rules.teams.tiebreaks import TEAM_TIEBREAKS
from services.standings.rules.tiebreaks.registry import TIEBREAKS

TIEBREAK_CODES = TieBreakCodes(TIEBREAKS, TEAM_TIEBREAKS, PLACE_TIEBREAKS)
