"""Scores and schedule strength combination (C.07 13.4)."""

from fractions import Fraction

from services.standings.rules.teams.records import TeamField
from services.standings.rules.tiebreaks.buchholz import buchholz
from services.standings.rules.tiebreaks.code import Code
from services.standings.rules.tiebreaks.registry import seen
from services.standings.rules.tiebreaks.tiebreak import Compute, Edition
from services.standings.rules.tiebreaks.value import Part, Quarters, Value
from shared.core.terms import PlayerId

_BUCHHOLZ = buchholz()


def score_and_strength(code: Code) -> Compute[TeamField]:
    """Game points, and the Buchholz on match points divided by a factor: the code's, else that of 13.4.2."""

    def of(field: TeamField, team: PlayerId, edition: Edition) -> Value:
        factor = code.factor or strength_factor(field)
        own = [Part(r.round, r.opponent, Quarters(2 * r.points)) for r in field.game.scores[team].rounds]
        strength = [
            part._replace(quarters=Fraction(part.quarters, factor))
            for part in _BUCHHOLZ(seen(field.match, code), team, edition).parts
        ]
        parts = tuple(sorted((*own, *strength), key=lambda p: p.round))
        return Value(Fraction(sum(p.quarters for p in parts)), parts)

    return of


def strength_factor(field: TeamField) -> int:
    """The highest match points that the rounds can give, divided by the highest game points of a match, towards zero (C.07
    13.4.2); never below 1."""
    return max(field.match.points.win * field.rounds // field.game.points.win, 1)
