"""队员总分: teams by the sum of their members' places in an event of single players (002-X 12.5, 15.5).

The regulations define the number of a shared place. Smaller is better throughout.
"""

from collections import Counter
from collections.abc import Callable

from services.standings.rules.records import Field
from services.standings.rules.table.table import Table
from services.standings.rules.tiebreaks import conduct
from services.standings.rules.tiebreaks.code import Code
from services.standings.rules.tiebreaks.tiebreak import Compute, Edition, Single, TieBreaks
from services.standings.rules.tiebreaks.value import Part, Quarters, Value
from shared.core.language.messages import say
from shared.core.terms import PlayerId

PLACES = "PLACES"
"""The code of the sum of places, which ranks teams first."""


def _members(table: Table, team: PlayerId) -> tuple[PlayerId, ...]:
    return table.field.tournament.teams[team].members


def place_numbers(table: Table) -> dict[int, Quarters]:
    """Return the number of each place, by rank, in quarter-points.

    If two players share first place and one follows, the numbers are 1, 1, 3 (``first``), 1, 1, 2 (``counted``) or 1.5,
    1.5, 3 (``mean``). The result is cached in the field.
    """
    numbers: dict[int, Quarters] | None = table.field.cache.get("places")
    if numbers is None:
        shared_place = table.field.tournament.regulations.ranking.shared_place
        sharing = Counter(row.rank for row in table.rows)
        numbers = table.field.cache["places"] = {}
        for counted, rank in enumerate(sorted(sharing), 1):
            mean = 4 * rank + 2 * (sharing[rank] - 1)
            numbers[rank] = Quarters({"first": 4 * rank, "counted": 4 * counted, "mean": mean}[shared_place])
    return numbers


def _places(table: Table, team: PlayerId) -> list[tuple[Quarters, PlayerId]]:
    """Return the places of a team's members, in quarters, each with the member's ID, the best first."""
    numbers, rows = place_numbers(table), table.memory.rows
    return sorted((numbers[rows[m].rank], m) for m in _members(table, team))


def _sum(table: Table, places: list[tuple[Quarters, PlayerId]]) -> Value:
    """Return the sum of these places. Each part contains the member's number in the field ``opponent``."""
    parts = tuple(Part(table.rounds, member, place, origin="record") for place, member in places)
    return Value(Quarters(sum(place for place, _ in places)), parts, less=True)


def sum_of_places(table: Table, team: PlayerId, edition: Edition) -> Value:
    """Compute the sum of the places of a team's members 名次总和; less is better (002-X 15.5)."""
    return _sum(table, _places(table, team))


def place(number: int) -> Compute[Table]:
    """Return a tie-break: the place of a team's ``number``-th best member, from 1.

    Undefined for a team with fewer members.
    """

    def of(table: Table, team: PlayerId, edition: Edition) -> Value:
        places = _places(table, team)[number - 1 : number]
        return _sum(table, places) if places else Value(None, less=True)

    return of


def _sum_over_members(compute: Compute[Field]) -> Compute[Table]:
    """Return a tie-break of teams: a player's tie-break of conduct summed over all members, such as 全队犯规 (002-X 15.5)."""

    def of(table: Table, team: PlayerId, edition: Edition) -> Value:
        return conduct.sum_over_players(compute, table.field, _members(table, team), edition)

    return of


def _make_constant(compute: Compute[Table]) -> Callable[[Code], Compute[Table]]:
    return lambda code: compute


PLACE_TIEBREAKS: TieBreaks[Table] = TieBreaks(
    (
        Single(PLACES, say("Sum of places 名次总和"), "002-X 15.5", say("sum of the members’ places"),
               make=_make_constant(sum_of_places)),
        Single("PLACE1", say("Best place of a member 最高个人名次"), "002-X 15.5", say("the best place of a member"),
               make=_make_constant(place(1))),
        Single("PLACE2", say("Second best place 次高个人名次"), "002-X 15.5", say("the second best place of a member"),
               make=_make_constant(place(2))),
        Single("FOULS", say("Team’s fouls 全队犯规"), "002-X 15", say("number of fouls called; fewer is better"),
               make=_make_constant(_sum_over_members(conduct.fouls))),
        Single("WARNED", say("Members’ warnings 警告"), "002-X 18.4", say("number of warnings; fewer is better"),
               make=_make_constant(_sum_over_members(conduct.warnings))),
        Single("BARRED", say("Members’ disqualifications 取消资格"), "002-X 18.4",
               say("games lost, bars and expulsions for misconduct; fewer is better"),
               make=_make_constant(_sum_over_members(conduct.disqualifications))),
    )
)  # fmt: skip
