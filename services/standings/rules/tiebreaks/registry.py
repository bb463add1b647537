"""The tie-breaks of players, one row each: FIDE's (C.07) and those of Chinese regulations.

A new tie-break is a new row here plus its function. The order is that of the columns.
"""

from collections.abc import Callable

from services.standings.rules.records import Field
from services.standings.rules.tiebreaks import averages, conduct, direct_encounter, own_record, rating
from services.standings.rules.tiebreaks.buchholz import buchholz, sonneborn_berger
from services.standings.rules.tiebreaks.code import Code
from services.standings.rules.tiebreaks.tiebreak import Compute, Dependence, Edition, Grouped, Single, TieBreaks
from services.standings.rules.tiebreaks.value import Part, Quarters, Value
from shared.core.language.messages import say
from shared.core.rulebook.ranking_rules import LOTS_CODE, PLAY_OFF_CODE
from shared.core.terms import PlayerId

ALL_MET_CODE = "DE/A"
"""The code of 直胜 in 000-A 破同分 3 and 002-X 15."""
OWN, OPPONENTS = Dependence.OWN, Dependence.OPPONENTS
CUTS = ("", "/C1", "/C2", "/M1", "/M2")


def apply_modifiers(field: Field, code: Code) -> Field:
    """Return the field as a code's modifiers change it.

    ``/F``, and the base FB: games of the last round are draws. ``/P``: forfeits are games.
    """
    if code.fore or code.base == "FB":
        field = field.fore
    return field.forfeits_as_games if code.forfeits else field


def _without_modifiers(compute: Compute[Field]) -> Callable[[Code], Compute[Field]]:
    """Return a factory that makes the same tie-break function for every code, because the tie-break has no modifiers."""
    return lambda code: compute


def _with_modifiers(make: Callable[[Code], Compute[Field]]) -> Callable[[Code], Compute[Field]]:
    """Return a factory like ``make`` whose tie-breaks are computed on a field changed by `apply_modifiers`."""

    def made(code: Code) -> Compute[Field]:
        compute = make(code)
        if not (code.fore or code.base == "FB" or code.forfeits):
            return compute
        return lambda field, player, edition: compute(apply_modifiers(field, code), player, edition)

    return made


def pairing_number(code: Code) -> Compute[Field]:
    """Return a tie-break: the starting number, ascending, or in reverse order (C.07 7.8)."""

    def of(field: Field, player: PlayerId, edition: Edition) -> Value:
        quarters = Quarters(4 * field.tournament.players[player].starting_number)
        return Value(quarters, (Part(0, PlayerId(0), quarters, origin="own"),), less=not code.reverse)

    return of


_OF_ROUNDS = say("rounds that the competitor elected to play: all but half-point and zero-point byes and forfeits lost")
_NUMBER = say("tournament pairing number, the smallest first")

TIEBREAKS: TieBreaks[Field] = TieBreaks(
    (
        Single("PTS", say("Points"), "C.07 4", say("the points themselves"),
               depends_on=OWN, make=_without_modifiers(own_record.score)),
        Grouped("DE", say("Direct encounter"), "C.07 6",
                say("places by the points that those who are tied made against each other"), "P", listed=("", "/P"),
                depends_on=OWN, encounter="direct",
                make=lambda code: lambda field, tied: direct_encounter.direct_encounter(apply_modifiers(field, code), tied)),
        Single("BH", say("Buchholz"), "C.07 8.1", say("sum of the opponents’ scores"), "CMP", listed=CUTS,
               depends_on=OPPONENTS, make=_with_modifiers(lambda code: buchholz(code.cut or code.median, code.median))),
        Single("AOB", say("Average of opponents’ Buchholz"), "C.07 8.2",
               say("average of the Buchholz of the opponents met over the board"), "F", listed=("", "/F"),
               make=lambda code: averages.average_fore_buchholz if code.fore else averages.average_buchholz),
        Single("FB", say("Fore Buchholz"), "C.07 8.3",
               say("sum of the opponents’ scores, with games of the last round counted as draws"), "CMP",
               depends_on=OPPONENTS, make=_with_modifiers(lambda code: buchholz(code.cut or code.median, code.median))),
        Single("SB", say("Sonneborn-Berger"), "C.07 9.1",
               say("sum of the opponents’ scores, each times the points made against that opponent"), "CP", listed=("", "/C1"),
               depends_on=OPPONENTS, make=_with_modifiers(lambda code: sonneborn_berger(code.cut))),
        Single("PS", say("Progressive score"), "C.07 7.5", say("sum of the scores after each round"), "C",
               listed=("", "/C1"), depends_on=OWN, make=lambda code: own_record.progressive(code.cut)),
        Single("WIN", say("Wins"), "C.07 7.1", say("rounds that gave the points of a win, played or not"),
               depends_on=OWN, make=_without_modifiers(own_record.wins)),
        Single("WON", say("Wins over the board"), "C.07 7.2", say("games won over the board"),
               depends_on=OWN, make=_without_modifiers(own_record.number_of(own_record.rounds_won_over_board))),
        Single("BPG", say("Games with Black"), "C.07 7.3", say("games played over the board with Black"),
               depends_on=OWN, make=_without_modifiers(own_record.number_of(own_record.black_games))),
        Single("BWG", say("Wins with Black"), "C.07 7.4", say("games won over the board with Black"),
               depends_on=OWN, make=_without_modifiers(own_record.number_of(own_record.black_wins))),
        Single("REP", say("Rounds elected to play"), "C.07 7.6", _OF_ROUNDS,
               depends_on=OWN, make=_without_modifiers(own_record.number_of(own_record.elected_rounds))),
        Single("GE", say("Games elected to play"), "C.07 7.6", _OF_ROUNDS,
               depends_on=OWN, make=_without_modifiers(own_record.number_of(own_record.elected_rounds))),
        Single("STD", say("Standard points"), "C.07 7.7",
               say("one point for each round with more points than the opponent, and half a point for each "
                   "with equal points"),
               depends_on=OPPONENTS, make=_without_modifiers(own_record.standard_points)),
        Single("TPN", say("Tournament pairing number"), "C.07 7.8", _NUMBER, "R", depends_on=OWN, make=pairing_number),
        Single("SNO", say("Starting number"), "C.07 7.8", _NUMBER, "R", depends_on=OWN, make=pairing_number),
        Single("KS", say("Koya"), "C.07 9.2",
               say("points made against those who have half of all possible points or more"), "L",
               depends_on=OPPONENTS, make=lambda code: own_record.koya(code.limit)),
        Single("FOULS", say("Fouls 犯规"), "002-X 15", say("number of fouls called; fewer is better"),
               depends_on=OWN, make=_without_modifiers(conduct.fouls)),
        Single("WARNED", say("Warnings 警告"), "002-X 18.4", say("number of warnings; fewer is better"),
               depends_on=OWN, make=_without_modifiers(conduct.warnings)),
        Single("BARRED", say("Disqualifications 取消资格"), "002-X 18.4",
               say("games lost, bars and expulsions for misconduct; fewer is better"),
               depends_on=OWN, make=_without_modifiers(conduct.disqualifications)),
        Single("ARO", say("Average rating of opponents"), "C.07 10.1",
               say("average rating of the opponents met over the board"), "CM", listed=("", "/C1"),
               depends_on=OWN, make=lambda code: rating.average(code.cut or code.median, code.median)),
        Single("TPR", say("Performance rating"), "C.07 10.2",
               say("average rating of the opponents, plus the rating difference that corresponds to the "
"score against them"),
               depends_on=OWN, make=_without_modifiers(rating.performance)),
        Single("PTP", say("Perfect performance"), "C.07 10.3",
               say("the lowest rating that expects the score that was made against these opponents"),
               depends_on=OWN, make=_without_modifiers(rating.perfect_performance)),
        Single("APRO", say("Average performance rating of opponents"), "C.07 10.4",
               say("average of the performance ratings of the opponents met over the board"),
               make=_without_modifiers(averages.average_performance)),
        Single("APPO", say("Average perfect performance of opponents"), "C.07 10.5",
               say("average of the perfect performances of the opponents met over the board"),
               make=_without_modifiers(averages.average_perfect_performance)),
        Single("RTNG", say("Rating"), "C.07 10.6", say("the rating, the highest first"), "R",
               depends_on=OWN, make=lambda code: rating.own_rating(code.reverse)),
        Grouped(ALL_MET_CODE, say("Direct encounter (all met)"), "000-A",
                say("places by the points that those who are tied made against each other, if all of them have met"),
                depends_on=OWN, encounter="direct", make=lambda code: direct_encounter.full_encounter),
        Grouped(PLAY_OFF_CODE, say("Play-off 加赛"), "002-X 15.6", say("points made in a play-off"),
                depends_on=OWN, make=lambda code: direct_encounter.play_off),
        Grouped(LOTS_CODE, say("Lots 抽签"), "002-X 15.6", say("place decided by drawing lots"),
                depends_on=OWN, make=lambda code: lambda field, tied: direct_encounter.lots(field.tournament, tied)),
    )
)  # fmt: skip
