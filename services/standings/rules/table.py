"""The table: players ordered by points, or by places played for, then by the tie-breaks in turn (C.07 4)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from services.standings.rules.buchholz import Edition
from services.standings.rules.changes import changed_scores
from services.standings.rules.field import Field
from services.standings.rules.field import field as field_of
from services.standings.rules.parting import first_parting
from services.standings.rules.tiebreaks import GROUPED, LEANING, PUNISHED, reckoning, unknown
from services.standings.rules.value import Value, number, points_number
from shared.collector import no_collector
from shared.matches import of_teams
from shared.terms import HalfPoints, PlayerId
from shared.tournament import Tournament

EDITIONS: tuple[Edition, ...] = ("2024", "2026")

Keys = tuple[tuple[int, int] | None, ...]
"""The keys of a player's tie-breaks; None for those that depend on who is tied."""


@dataclass(frozen=True, slots=True)
class Row:
    """A player's line. ``values`` by the tie-break's name, those that rank first.

    ``own`` and ``tied``: what they were put together from, the player's own and those of the tied group.
    """

    player: PlayerId
    rank: int
    points: HalfPoints
    values: Mapping[str, Value]
    own: Mapping[str, Value] = field(default_factory=dict, repr=False, compare=False)
    tied: Sequence[Value] = field(default=(), repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Wanted:
    """How a table is made: the tie-breaks that rank after points, the edition of C.07, the columns beside them."""

    tiebreaks: tuple[str, ...]
    rules: Edition
    after_round: int | None
    unrated: int | None
    also: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Memory:
    """What a table was made of: each player's values and their keys in the order of the tie-breaks, by tie-break the
    values of each tied group, and the rows."""

    values: dict[PlayerId, dict[str, Value]] = field(default_factory=dict)
    keys: dict[PlayerId, Keys] = field(default_factory=dict)
    groups: dict[str, dict[tuple[PlayerId, ...], dict[PlayerId, Value]]] = field(default_factory=dict)
    rows: dict[PlayerId, Row] = field(default_factory=dict)

    def without(self, changed: set[PlayerId], met: set[PlayerId]) -> "Memory":
        """What holds still where these records changed: of who ``met`` them all that does not lean on opponents."""
        values = dict(self.values)
        for player in changed:
            del values[player]
        for player in met - changed:
            values[player] = {name: v for name, v in values[player].items() if name not in LEANING}
        groups = {n: {g: v for g, v in found.items() if changed.isdisjoint(g)} for n, found in self.groups.items()}
        keys = {p: k for p, k in self.keys.items() if p not in changed and p not in met}
        return Memory(values, keys, groups, dict(self.rows))


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
    wanted: Wanted
    memory: Memory

    def row(self, player: PlayerId) -> Row | None:
        """The line of a player; None where there is none."""
        return next((r for r in self.rows if r.player == player), None)


def default_tiebreaks(t: Tournament) -> tuple[str, ...]:
    """Those announced, else those of the regulations in force for the format.

    Where teams meet, what was announced is the order of teams.
    """
    assert t.announced is not None and t.regulations is not None
    announced = () if of_teams(t) else t.announced.tiebreaks
    return announced or t.regulations.ranking.order(t.announced.format)


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

    ``tiebreaks`` rank after points (default: announced, else the regulations'), behind punishments where these
    rank by the regulations (002-X 18.4); ``also`` are columns that do
    not rank; ``rules`` is the C.07 edition (default: the regulations'); ``unrated`` is the rating published for
    unrated players, without which one of them takes all rating tie-breaks away. Raises ValueError for an unknown
    or repeated tie-break or edition.
    """
    assert t.regulations is not None, "a table needs regulations"
    ranking = t.regulations.ranking
    names = default_tiebreaks(t) if tiebreaks is None else tiebreaks
    if ranking.discipline is not None:
        names = (*(n for n in PUNISHED if n not in names), *names)
    edition = rules or ranking.rules
    wrong = unknown(names) + [n for n in unknown(also) if n not in names]
    if wrong or edition not in EDITIONS:
        raise ValueError(f"{', '.join(wrong) or edition} is no tie-break or edition known, or stands there twice")
    wanted = Wanted(names, edition, after_round, unrated, tuple(n for n in also if n not in names))
    return _made(field_of(t, after_round), wanted, Memory())


def updated(table: Table, t: Tournament) -> Table:
    """The same table of a later state of the tournament: what `standings` gives, reckoning only what others depend on."""
    scores = None if t.seq < table.seq else changed_scores(table.field, t)
    if scores is None:
        w = table.wanted
        return standings(t, w.tiebreaks, rules=w.rules, after_round=w.after_round, unrated=w.unrated, also=w.also)
    met = {r.opponent for s in scores.values() for r in s.rounds if r.opponent}
    return _made(table.field.changed(t, scores), table.wanted, table.memory.without(set(scores), met))


@no_collector()
def _made(field: Field, wanted: Wanted, memory: Memory) -> Table:
    """The table of a field; what ``memory`` lacks is reckoned, and kept there."""
    columns = (*wanted.tiebreaks, *wanted.also)
    own = {n: reckoning(field, n, wanted.rules, wanted.unrated) for n in columns if n not in GROUPED}
    for player in field.scores:
        if player not in memory.keys:
            known = memory.values.get(player, {})
            values = {name: known[name] if name in known else of(player) for name, of in own.items()}
            memory.values[player] = values
            memory.keys[player] = tuple([values[n].key if n in values else None for n in wanted.tiebreaks])
    first = first_parting(field)
    parting = _Parting(field, wanted.tiebreaks, memory)
    groups = [part for group in first for part in parting.parted(group, 0)]
    for name in wanted.also:
        if name in GROUPED:
            for group in first:
                parting.together(group, name)
    rows = _rows(field, groups, columns, parting.grouped, memory)
    t = field.tournament
    return Table(t.id, t.seq, field.rounds, wanted.tiebreaks, wanted.rules, rows, field, wanted, memory)


class _Parting:
    """Splits groups of equals by one tie-break after the other; ``grouped``: the values that tied groups gave."""

    def __init__(self, field: Field, names: tuple[str, ...], memory: Memory) -> None:
        self._field, self._names, self._memory = field, names, memory
        self.grouped: dict[str, dict[PlayerId, Value]] = {n: {} for n in GROUPED}

    def parted(self, group: list[PlayerId], depth: int) -> list[list[PlayerId]]:
        """The group split by the tie-breaks from ``depth`` on, the best first."""
        if len(group) == 1 or depth == len(self._names):
            return [group]
        name, after = self._names[depth], depth + 1
        by_key: dict[Any, list[PlayerId]] = {}
        if name in GROUPED:
            for player, found in self.together(group, name).items():
                by_key.setdefault(found.key, []).append(player)
        else:
            while after < len(self._names) and self._names[after] not in GROUPED:
                after += 1
            keys = self._memory.keys
            for player in group:
                by_key.setdefault(keys[player][depth:after], []).append(player)
        parts: list[list[PlayerId]] = []
        for key in sorted(by_key):
            part = by_key[key]
            parts += [part] if len(part) == 1 else self.parted(part, after)
        return parts

    def together(self, group: list[PlayerId], name: str) -> dict[PlayerId, Value]:
        """The values of a tie-break that depends on who is tied."""
        known, key = self._memory.groups.setdefault(name, {}), tuple(group)
        if key not in known:
            known[key] = GROUPED[name](self._field, group)
        self.grouped[name] |= known[key]
        return known[key]


_ALONE = Value(None)
"""What depends on who is tied, of one who is tied with nobody."""


def _rows(
    field: Field,
    groups: list[list[PlayerId]],
    columns: Sequence[str],
    grouped: Mapping[str, Mapping[PlayerId, Value]],
    memory: Memory,
) -> tuple[Row, ...]:
    """The rows by rank; one that says what it said before is the same."""
    players, own, named = field.tournament.players, field.own, [n for n in columns if n in GROUPED]
    found = [grouped[name].get for name in named]
    rows, rank = [], 1
    for group in groups:
        for p in group if len(group) == 1 else sorted(group, key=lambda p: (players[p].starting_number, p)):
            values: Mapping[str, Value] = memory.values[p]
            tied = [get(p, _ALONE) for get in found]
            row = memory.rows.get(p)
            if row is None or row.own is not values or row.rank != rank or row.tied != tied:
                if named:
                    values = {n: grouped[n].get(p, _ALONE) if n in GROUPED else values[n] for n in columns}
                row = memory.rows[p] = Row(p, rank, own[p], values, memory.values[p], tied)
            rows.append(row)
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
