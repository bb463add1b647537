"""Prize lists derived from the table: places, sections of the players, and units by the places of their best players."""

from collections.abc import Callable, Iterable, Sequence
from typing import Literal, NamedTuple

from services.standings.rules.table.table import Table
from services.standings.rules.teams.member_places import place_numbers
from services.standings.rules.tiebreaks import conduct
from services.standings.rules.tiebreaks.value import Quarters
from shared.core.language.messages import Message, say
from shared.core.terms import PlayerId

SectionKind = Literal["unit", "sex", "born", "rating", "title"]
UNITS_ARTICLE = "002-X 15.5"
BEST_RULE = say(
    "Rule of this program: only the best players of each unit count; a unit with too few players has no total."
)
SEXES: dict[str, Message] = {"f": say("Women"), "m": say("Men")}


class Person(NamedTuple):
    """A player's data for the prize lists. Each text is None if the entry does not give it or if it was erased."""

    player: PlayerId
    unit: str | None
    sex: str | None
    born: int | None
    rating: int | None
    title: str | None


class Span(NamedTuple):
    """Numbers from ``low`` to ``high``. None means no bound on that side."""

    low: int | None
    high: int | None

    def is_valid(self) -> bool:
        """Return whether the range has at least one bound, and ``low`` is not greater than ``high``."""
        if self.low is None or self.high is None:
            return self.low is not self.high
        return self.low <= self.high

    def __contains__(self, number: object) -> bool:
        return (
            isinstance(number, int)
            and (self.low is None or number >= self.low)
            and (self.high is None or number <= self.high)
        )

    def __str__(self) -> str:
        if self.low == self.high:
            return str(self.low)
        return f"{'' if self.low is None else self.low}–{'' if self.high is None else self.high}"


class Prize(NamedTuple):
    """A player in a section: the ``place`` in it, how many ``share`` it, the ``rank`` in the table, ``points`` in half-points."""

    player: PlayerId
    place: int
    share: int
    rank: int
    points: int


class Section(NamedTuple):
    """A list of prizes: its kind, its name (a text of the entries, or a message), and its prizes."""

    kind: SectionKind
    name: str | Message
    prizes: tuple[Prize, ...]


class Kind(NamedTuple):
    """The sections of one kind. ``unknown``: players who are in no section because their value is unknown."""

    kind: SectionKind
    sections: tuple[Section, ...]
    unknown: tuple[PlayerId, ...]


def places(table: Table, of: Iterable[PlayerId] | None, most: int) -> tuple[Prize, ...]:
    """Return the players with places 1 to ``most`` among the players ``of`` (None: all), in the order of the table.

    All players who share the last place are included. Players who share a rank in the table share their place: after two
    first places comes place 3.
    """
    among = None if of is None else set(of)
    rows = [row for row in table.rows if among is None or row.player in among]
    sharing: dict[int, int] = {}
    for row in rows:
        sharing[row.rank] = sharing.get(row.rank, 0) + 1
    place_of: dict[int, int] = {}
    for number, row in enumerate(rows, 1):
        place_of.setdefault(row.rank, row.rank if among is None else number)
    return tuple(
        Prize(row.player, place_of[row.rank], sharing[row.rank], row.rank, row.points)
        for row in rows
        if place_of[row.rank] <= most
    )


def make_kind(
    kind: SectionKind,
    table: Table,
    people: Sequence[Person],
    most: int,
    spans: Sequence[Span] = (),
    order: Callable[[str], object] = str,
) -> Kind:
    """Return the prize sections of one kind, for example one per unit, title or sex.

    ``people``: the players' data. ``most``: the last place with a prize. ``spans``: the ranges of birth years or ratings,
    one section each. ``order``: the sort key of the names of units and titles.
    """
    value: Callable[[Person], object] = _VALUES[kind]
    unknown = tuple(p.player for p in people if value(p) is None)
    if kind in ("born", "rating"):
        groups: list[tuple[str | Message, list[PlayerId]]] = [
            (str(span), [p.player for p in people if value(p) in span]) for span in spans
        ]
    elif kind == "sex":
        groups = [(name, [p.player for p in people if p.sex == sex]) for sex, name in SEXES.items()]
    else:
        known = sorted({str(value(p)) for p in people if value(p) is not None}, key=order)  # type: ignore[arg-type]
        groups = [(name, [p.player for p in people if value(p) == name]) for name in known]
    sections = (Section(kind, name, places(table, members, most)) for name, members in groups)
    return Kind(kind, tuple(one for one in sections if one.prizes), unknown)


_VALUES: dict[SectionKind, Callable[[Person], object]] = {
    "unit": lambda p: p.unit,
    "sex": lambda p: p.sex,
    "born": lambda p: p.born,
    "rating": lambda p: p.rating,
    "title": lambda p: p.title,
}


class UnitTotal(NamedTuple):
    """A unit's total 团体总分: its ``place``, and how many units ``share`` it.

    ``counted``: the players who count, the best first, each with the number of their place. ``sum``: these numbers, added
    up. Both are in quarters, because a shared place may be a mean. ``fouls``: number of fouls of these players.
    """

    unit: str
    place: int
    share: int
    sum: Quarters
    counted: tuple[tuple[PlayerId, Quarters], ...]
    fouls: int


class Units(NamedTuple):
    """The totals of units. ``short``: units with too few players for a total, and their number of players.

    ``unknown``: players without a unit.
    """

    totals: tuple[UnitTotal, ...]
    short: tuple[tuple[str, int], ...]
    unknown: tuple[PlayerId, ...]


def unit_totals(table: Table, people: Sequence[Person], best: int) -> Units:
    """Return the units by the sum of the places of their ``best`` players, the lowest first (002-X 12.5, 15.5).

    Equal sums are decided by the best place of a player, the second best place, and fewer fouls of the counted players.
    Units that are still equal share the place. Two points are not in the regulations: only the ``best`` players count,
    and a unit with fewer players has no total.
    """
    numbers, rows = place_numbers(table), table.memory.rows
    members: dict[str, list[tuple[Quarters, PlayerId]]] = {}
    for p in people:
        if p.unit is not None and p.player in rows:
            members.setdefault(p.unit, []).append((numbers[rows[p.player].rank], p.player))
    whole = {unit: sorted(unit_places)[:best] for unit, unit_places in members.items() if len(unit_places) >= best}
    short = tuple((unit, len(unit_places)) for unit, unit_places in sorted(members.items()) if len(unit_places) < best)
    keys = {unit: _unit_key(table, counted) for unit, counted in whole.items()}
    order = sorted(whole, key=lambda unit: (keys[unit], unit))
    totals: list[UnitTotal] = []
    for number, unit in enumerate(order, 1):
        equal = sum(keys[other] == keys[unit] for other in order)
        place = totals[-1].place if totals and keys[totals[-1].unit] == keys[unit] else number
        counted = tuple((player, place_number) for place_number, player in whole[unit])
        totals.append(UnitTotal(unit, place, equal, Quarters(keys[unit][0]), counted, keys[unit][-1]))
    return Units(tuple(totals), short, tuple(p.player for p in people if p.unit is None))


def _unit_key(table: Table, counted: Sequence[tuple[Quarters, PlayerId]]) -> tuple[int, ...]:
    """Return the sort key of a unit: the sum of its places, the best place, the second best place, and the fouls.

    ``counted``: the players who count, each after the number of their place.
    """
    best = [place for place, _ in counted[:2]]
    players = [player for _, player in counted]
    fouls = conduct.sum_over_players(conduct.fouls, table.field, players, table.rules).quarters or 0
    return (sum(place for place, _ in counted), best[0], best[-1], fouls // 4)
