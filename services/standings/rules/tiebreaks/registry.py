"""The tie-breaks of players: FIDE's (C.07) and those of Chinese regulations, a row each.

A new one is a row here and its function; the order is that of the columns.
"""

from services.standings.rules.table.records import Field
from services.standings.rules.tiebreaks import conduct, direct_encounter, own_record, rating
from services.standings.rules.tiebreaks.buchholz import buchholz, fore_buchholz, sonneborn_berger
from services.standings.rules.tiebreaks.tiebreak import Dependence, GroupTieBreak, TieBreak, TieBreaks
from shared.core.ranking_rules import LOTS_CODE, PLAY_OFF_CODE

ALL_MET_CODE = "DE/A"
"""直胜 of 000-A 破同分 3 and 002-X 15."""
OWN, OPPONENTS = Dependence.OWN, Dependence.OPPONENTS

TIEBREAKS: TieBreaks[Field] = TieBreaks(
    (
        TieBreak("PTS", "Points", own_record.score, OWN),
        GroupTieBreak("DE", "Direct encounter", direct_encounter.direct_encounter, OWN),
        TieBreak("BH", "Buchholz", buchholz(), OPPONENTS),
        TieBreak("BH/C1", "Buchholz, lowest cut", buchholz(1), OPPONENTS),
        TieBreak("BH/C2", "Buchholz, two lowest cut", buchholz(2), OPPONENTS),
        TieBreak("BH/M1", "Median Buchholz", buchholz(1, 1), OPPONENTS),
        TieBreak("BH/M2", "Median Buchholz 2", buchholz(2, 2), OPPONENTS),
        TieBreak("FB", "Fore Buchholz", fore_buchholz, OPPONENTS),
        TieBreak("SB", "Sonneborn-Berger", sonneborn_berger(), OPPONENTS),
        TieBreak("SB/C1", "Sonneborn-Berger, lowest cut", sonneborn_berger(1), OPPONENTS),
        TieBreak("PS", "Progressive score", own_record.progressive(), OWN),
        TieBreak("PS/C1", "Progressive score, first cut", own_record.progressive(1), OWN),
        TieBreak("WIN", "Wins", own_record.wins, OWN),
        TieBreak("WON", "Wins over the board", own_record.number_of(own_record.won_on_the_board), OWN),
        TieBreak("BPG", "Games with Black", own_record.number_of(own_record.played_black), OWN),
        TieBreak("BWG", "Wins with Black", own_record.number_of(own_record.won_with_black), OWN),
        TieBreak("REP", "Rounds elected to play", own_record.number_of(own_record.elected_to_play), OWN),
        TieBreak("KS", "Koya", own_record.koya, OPPONENTS),
        TieBreak("FOULS", "Fouls 犯规", conduct.fouls, OWN),
        TieBreak("WARNED", "Warnings 警告", conduct.warnings, OWN),
        TieBreak("BARRED", "Disqualifications 取消资格", conduct.disqualifications, OWN),
        TieBreak("ARO", "Average rating of opponents", rating.average(), OWN),
        TieBreak("ARO/C1", "Average rating, lowest cut", rating.average(1), OWN),
        TieBreak("TPR", "Performance rating", rating.performance, OWN),
        TieBreak("PTP", "Perfect performance", rating.perfect_performance, OWN),
        GroupTieBreak(ALL_MET_CODE, "Direct encounter 直胜, all met", direct_encounter.met_all, OWN),
        GroupTieBreak(PLAY_OFF_CODE, "Play-off 加赛", direct_encounter.play_off, OWN),
        GroupTieBreak(LOTS_CODE, "Lots 抽签", lambda field, tied: direct_encounter.lots(field.tournament, tied), OWN),
    )
)
