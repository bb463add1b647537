"""队员总分: teams by the sum of their members' places in an event of single players (002-X 12.5, 15.5).

Who shares a place has its number: two in the first are 1 and 1, and the next is 3.
"""

from collections.abc import Iterable, Sequence

from services.standings.rules.table.table import Table
from services.standings.rules.tiebreaks import conduct
from services.standings.rules.tiebreaks import registry as tiebreaks
from services.standings.rules.tiebreaks.buchholz import Edition
from services.standings.rules.tiebreaks.value import Part, Quarters, Value, whole
from shared.core.terms import PlayerId

PLACES = "PLACES"
"""The sum of the places: what parts the teams first."""
BEST = {"PLACE1": 0, "PLACE2": 1}
"""The best place of a member, and the second best."""
FOULS = "FOULS"
NAMES = (PLACES, *BEST, FOULS)
TITLES = {
    PLACES: "Sum of places 名次总和", "PLACE1": "Best place of a member 最高个人名次",
    "PLACE2": "Second best place 次高个人名次", FOULS: "Team’s fouls 全队犯规",
}  # fmt: skip


def unknown(names: Iterable[str]) -> list[str]:
    """Those that are none of `NAMES`, or stand there a second time."""
    return tiebreaks.unknown(names, NAMES)


def place_value(players: Table, members: Sequence[PlayerId], name: str, edition: Edition) -> Value:
    """One value of a team; smaller is better throughout. Parts name the member as the opponent."""
    if name == FOULS:
        return conduct.fouls_of_all(players.field, members, edition)
    places = sorted((players.memory.rows[m].rank, m) for m in members)
    if name in BEST:
        places = places[BEST[name] : BEST[name] + 1]
        if not places:
            return Value(None, less=True)
    parts = tuple(Part(players.rounds, member, Quarters(4 * rank), rests="record") for rank, member in places)
    return whole(sum(rank for rank, _ in places), parts, less=True)
