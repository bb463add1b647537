"""The table: players ordered by points, then by the tie-breaks in turn (C.07 4)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from services.standings.rules.buchholz import Edition
from services.standings.rules.encounter import direct_encounter
from services.standings.rules.field import Field, field
from services.standings.rules.tiebreaks import FORE, GROUPED, unknown, value
from services.standings.rules.value import Value, number, points_number
from shared.terms import HalfPoints, PlayerId
from shared.tournament import Tournament

EDITIONS: tuple[Edition, ...] = ("2024", "2026")


@dataclass(frozen=True, slots=True)
class Row:
    """A player's line. ``values`` by the tie-break's name, those that rank first."""

    player: PlayerId
    rank: int
    points: HalfPoints
    values: Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class Table:
    """Standings after ``rounds`` rounds, by rank; of one rank by starting number.

    ``tiebreaks`` ranked it after points, by the C.07 edition ``rules``; ``seq`` is the line up to which it was
    folded; ``field`` is what it was computed from.
    """

    tournament: str
    seq: int
    rounds: int
    tiebreaks: tuple[str, ...]
    rules: Edition
    rows: tuple[Row, ...]
    field: Field

    def row(self, player: PlayerId) -> Row | None:
        """The line of a player; None where there is none."""
        return next((r for r in self.rows if r.player == player), None)


def default_tiebreaks(t: Tournament) -> tuple[str, ...]:
    """Those announced, else those of the regulations in force."""
    assert t.announced is not None and t.regulations is not None
    return t.announced.tiebreaks or t.regulations.ranking.tiebreaks


def standings(
    t: Tournament,
    tiebreaks: tuple[str, ...] | None = None,
    *,
    rules: str | None = None,
    after_round: int | None = None,
    unrated: int | None = None,
    also: tuple[str, ...] = (),
) -> Table:
    """The table of everybody who was ever entered.

    ``tiebreaks`` rank after points (default: announced, else the regulations'); ``also`` are columns that do
    not rank; ``rules`` is the C.07 edition (default: the regulations'); ``unrated`` is the rating published for
    unrated players, without which one of them takes all rating tie-breaks away. Raises ValueError for an unknown
    or repeated tie-break or edition.
    """
    assert t.regulations is not None, "a table needs regulations"
    names = default_tiebreaks(t) if tiebreaks is None else tiebreaks
    edition = rules or t.regulations.ranking.rules
    wrong = unknown(names) + [n for n in unknown(also) if n not in names]
    if wrong or edition not in EDITIONS:
        raise ValueError(f"{', '.join(wrong) or edition} is no tie-break or edition known, or stands there twice")
    ranking = _Ranking(field(t, after_round), edition, unrated)
    groups = ranking.by_points()
    for name in names:
        groups = [part for group in groups for part in ranking.split(group, name)]
    columns = (*names, *(n for n in also if n not in names))
    for name in columns[len(names) :]:
        for group in ranking.by_points():
            ranking.values_of(group, name)
    return Table(
        t.id, t.seq, ranking.field.rounds, names, ranking.edition, ranking.rows(groups, columns), ranking.field
    )


class _Ranking:
    """Splits groups of equals further and further, and remembers each value on the way."""

    def __init__(self, field: Field, edition: Edition, unrated: int | None) -> None:
        self.field, self.edition, self._unrated = field, edition, unrated
        self._values: dict[PlayerId, dict[str, Value]] = {p: {} for p in field.scores}

    @cached_property
    def _fore(self) -> Field:
        """The field as Fore Buchholz sees it; made only where somebody asks for it."""
        return self.field.fore()

    def by_points(self) -> list[list[PlayerId]]:
        own = self.field.own
        return [[p for p in own if own[p] == points] for points in sorted(set(own.values()), reverse=True)]

    def values_of(self, group: Sequence[PlayerId], name: str) -> None:
        if name == GROUPED:
            for player, found in direct_encounter(self.field, group).items():
                self._values[player][name] = found
            return
        for player in group:
            seen = self._fore if name == FORE else self.field
            self._values[player][name] = value(seen, player, name, edition=self.edition, unrated=self._unrated)

    def split(self, group: list[PlayerId], name: str) -> list[list[PlayerId]]:
        """The group by one tie-break, the best first."""
        self.values_of(group, name)
        by_key: dict[tuple[int, int], list[PlayerId]] = {}
        for player in group:
            by_key.setdefault(self._values[player][name].key, []).append(player)
        return [by_key[key] for key in sorted(by_key)]

    def rows(self, groups: list[list[PlayerId]], columns: tuple[str, ...]) -> tuple[Row, ...]:
        players, own = self.field.tournament.players, self.field.own
        rows, rank = [], 1
        for group in groups:
            for p in sorted(group, key=lambda p: (players[p].starting_number, p)):
                rows.append(Row(p, rank, own[p], {name: self._values[p][name] for name in columns}))
            rank += len(group)
        return tuple(rows)


def name_of(t: Tournament, player: PlayerId, names: Mapping[str, str] | None) -> str | None:
    """A player's name; None where its text is not at hand (``names`` by text hash)."""
    return (names or {}).get(t.players[player].name.text)


def as_json(table: Table, names: Mapping[str, str] | None = None) -> dict[str, Any]:
    """The table as the JSON object that others read: ``name`` None without the texts (``names`` by text hash)."""
    t = table.field.tournament
    return {
        "tournament": table.tournament,
        "seq": table.seq,
        "rounds": table.rounds,
        "tiebreaks": list(table.tiebreaks),
        "players": [
            {
                "id": r.player,
                "rank": r.rank,
                "name": name_of(t, r.player, names),
                "points": points_number(r.points),
                "tb": values_json(r),
            }
            for r in table.rows
        ],
    }


def values_json(row: Row) -> dict[str, Any]:
    """A line's tie-breaks as JSON numbers; null where undefined."""
    return {name: None if v.quarters is None else number(v.quarters) for name, v in row.values.items()}
