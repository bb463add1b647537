"""队员总分: teams by the sum of their members' places in an event of single players (002-X 12.5, 15.5).

Who shares a place has its number: two in the first are 1 and 1, and the next is 3. Smaller is better throughout.
"""

from services.standings.rules.table.table import Table
from services.standings.rules.tiebreaks import conduct
from services.standings.rules.tiebreaks.tiebreak import Compute, Edition, TieBreak, TieBreaks
from services.standings.rules.tiebreaks.value import Part, Quarters, Value, whole
from shared.core.terms import PlayerId

PLACES = "PLACES"
"""The sum of the places: what parts the teams first."""


def _members(table: Table, team: PlayerId) -> tuple[PlayerId, ...]:
    return table.field.tournament.teams[team].members


def _places(table: Table, team: PlayerId) -> list[tuple[int, PlayerId]]:
    """The places of a team's members, the best first."""
    return sorted((table.memory.rows[m].rank, m) for m in _members(table, team))


def _sum(table: Table, places: list[tuple[int, PlayerId]]) -> Value:
    """Parts name the member as the opponent."""
    parts = tuple(Part(table.rounds, member, Quarters(4 * rank), origin="record") for rank, member in places)
    return whole(sum(rank for rank, _ in places), parts, less=True)


def sum_of_places(table: Table, team: PlayerId, edition: Edition) -> Value:
    """名次总和 (002-X 15.5)."""
    return _sum(table, _places(table, team))


def place(number: int) -> Compute[Table]:
    """The place of a team's ``number``-th best member, from 1; undefined for a team of fewer."""

    def of(table: Table, team: PlayerId, edition: Edition) -> Value:
        places = _places(table, team)[number - 1 : number]
        return _sum(table, places) if places else Value(None, less=True)

    return of


def fouls(table: Table, team: PlayerId, edition: Edition) -> Value:
    """全队犯规 (002-X 15.5)."""
    return conduct.fouls_of_all(table.field, _members(table, team), edition)


PLACE_TIEBREAKS: TieBreaks[Table] = TieBreaks(
    (
        TieBreak(PLACES, "Sum of places 名次总和", sum_of_places),
        TieBreak("PLACE1", "Best place of a member 最高个人名次", place(1)),
        TieBreak("PLACE2", "Second best place 次高个人名次", place(2)),
        TieBreak("FOULS", "Team’s fouls 全队犯规", fouls),
    )
)
