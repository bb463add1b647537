"""Prize lists made of the table: places, sections of the players, and units by the places of their best."""

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
    """What the lists know of a player: each text None where the entry does not say it, or where it was erased."""

    player: PlayerId
    unit: str | None
    sex: str | None
    born: int | None
    rating: int | None
    title: str | None


class Span(NamedTuple):
    """Numbers from ``low`` to ``high``; None: no bound there."""

    low: int | None
    high: int | None

    def is_one(self) -> bool:
        """Whether it has a bound, and its bounds are in order."""
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
    """A player in a section: the ``place`` in it, how many ``share`` it, the ``rank`` in the table, points in half-points."""

    player: PlayerId
    place: int
    share: int
    rank: int
    points: int


class Section(NamedTuple):
    """A list of prizes: its kind, what it is called (a text of the entries, or a message), its prizes."""

    kind: SectionKind
    name: str | Message
    prizes: tuple[Prize, ...]


class Kind(NamedTuple):
    """Sections of one kind, and who is in none of them, as it is ``unknown`` where he belongs."""

    kind: SectionKind
    sections: tuple[Section, ...]
    unknown: tuple[PlayerId, ...]


def places(table: Table, of: Iterable[PlayerId] | None, most: int) -> tuple[Prize, ...]:
    """The first places among these players (None: all), by the table: at most so many, and all who share the last one.

    Who shares a place in the table shares it here: of two who are first the next is third.
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


def kind_of(
    kind: SectionKind,
    table: Table,
    people: Sequence[Person],
    most: int,
    spans: Sequence[Span] = (),
    order: Callable[[str], object] = str,
) -> Kind:
    """The sections of a kind; ``spans`` are those of birth years or ratings, ``order`` sorts the names of units."""
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
    """A unit's total 团体总分: its ``place`` and how many ``share`` it; the ``sum`` of the places of those who ``counted``, each
    with the number of the place, the best first; their ``fouls``."""

    unit: str
    place: int
    share: int
    sum: Quarters
    counted: tuple[tuple[PlayerId, Quarters], ...]
    fouls: int


class Units(NamedTuple):
    """The totals of units; ``short``: units with fewer players than count, and how many they have."""

    totals: tuple[UnitTotal, ...]
    short: tuple[tuple[str, int], ...]
    unknown: tuple[PlayerId, ...]


def unit_totals(table: Table, people: Sequence[Person], best: int) -> Units:
    """Units by the sum of the places of their ``best`` players, the lower the better; equal ones by the best place of a
    player, the second best, the fewer fouls of those who count; else they share the place (002-X 12.5, 15.5).

    That only the best count, and who has fewer has no total, is a rule of this house.
    """
    numbers, rows = place_numbers(table), table.memory.rows
    members: dict[str, list[tuple[Quarters, PlayerId]]] = {}
    for p in people:
        if p.unit is not None and p.player in rows:
            members.setdefault(p.unit, []).append((numbers[rows[p.player].rank], p.player))
    whole = {unit: sorted(found)[:best] for unit, found in members.items() if len(found) >= best}
    short = tuple((unit, len(found)) for unit, found in sorted(members.items()) if len(found) < best)
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
    """What sorts units: sum, best place, second best, fouls."""
    best = [place for place, _ in counted[:2]]
    players = [player for _, player in counted]
    fouls = conduct.of_all(conduct.fouls, table.field, players, table.rules).quarters or 0
    return (sum(place for place, _ in counted), best[0], best[-1], fouls // 4)
