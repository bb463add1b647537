"""The table: players ordered by points, or by places played for, then by the tie-breaks in turn (C.07 4)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from services.standings.rules.answers import PlayerRowAnswer, TableAnswer
from services.standings.rules.records import Field
from services.standings.rules.records import field as field_of
from services.standings.rules.table.incremental import changed_scores, later_field
from services.standings.rules.table.incremental_state import Memory, Row
from services.standings.rules.table.order import TieSplitter, order_by_values, rank_players, tiebreak_keys
from services.standings.rules.tiebreaks.registry import TIEBREAKS
from services.standings.rules.tiebreaks.tiebreak import Edition
from services.standings.rules.tiebreaks.value import Value, number, points_number
from shared.core.event_types.gc_pause import pause_collector
from shared.core.rounds.matches import teams_meet
from shared.core.state.tournament import Tournament
from shared.core.terms import PlayerId

EDITIONS: tuple[Edition, ...] = ("2024", "2026")


@dataclass(frozen=True, slots=True)
class TableTerms:
    """The options of a table: tie-breaks after points, C.07 edition, rounds to include (None: all), additional columns.

    ``unrated``: the rating published for players without a rating, if any. ``also``: codes of columns that do not rank.
    """

    tiebreaks: tuple[str, ...]
    rules: Edition
    after_round: int | None
    unrated: int | None
    also: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Standings after ``rounds`` rounds, by rank, and within a rank by starting number.

    ``tiebreaks`` rank after points, by the C.07 edition ``rules``. ``seq`` is the last event replayed. ``field``
    contains the records it was computed from.
    """

    tournament: str
    seq: int
    rounds: int
    tiebreaks: tuple[str, ...]
    rules: Edition
    rows: tuple[Row, ...]
    field: Field
    terms: TableTerms
    memory: Memory

    def row(self, player: PlayerId) -> Row | None:
        """Return the row of a player, or None if the player does not exist."""
        return self.memory.rows.get(player)


def default_tiebreaks(t: Tournament) -> tuple[str, ...]:
    """Return the announced tie-breaks, else those of the regulations in force for the format.

    If teams meet, the announced order is that of teams and is not used here.
    """
    announced = () if teams_meet(t) else t.announced.tiebreaks
    return announced or t.regulations.ranking.order(t.announced.format)


@pause_collector()
def standings(
    t: Tournament,
    tiebreaks: tuple[str, ...] | None = None,
    *,
    rules: str | None = None,
    after_round: int | None = None,
    unrated: int | None = None,
    also: tuple[str, ...] = (),
    before: Field | None = None,
) -> Table:
    """Return the table of all players ever entered.

    ``tiebreaks`` rank after points (default: announced, else the regulations'). Punishments rank before them and a
    play-off after them if the regulations say so (002-X 18.4, 15.6). ``also``: columns that do not rank. ``rules``: the
    C.07 edition (default: the regulations'). ``unrated``: the rating published for unrated players; without it, one
    unrated player makes all rating tie-breaks undefined. ``before``: the field of an earlier state of the same log. Its
    unchanged records are reused.

    Raises ValueError for an unknown or repeated tie-break or edition.
    """
    ranking = t.regulations.ranking
    chosen = default_tiebreaks(t) if tiebreaks is None else tiebreaks
    names = t.regulations.tiebreaks_in_force(chosen, t.announced.format)
    edition = rules or ranking.rules
    wrong = TIEBREAKS.invalid_codes(names) + [n for n in TIEBREAKS.invalid_codes(also) if n not in names]
    if wrong or edition not in EDITIONS:
        raise ValueError(f"{', '.join(wrong) or edition} is not a known tie-break or edition, or is repeated")
    terms = TableTerms(names, edition, after_round, unrated, tuple(n for n in also if n not in names))
    field = None if before is None or before.unrated != unrated else later_field(before, t, after_round)
    return _compute(field or field_of(t, after_round, unrated), terms, Memory())


def update_table(table: Table, t: Tournament) -> Table:
    """Return the same table for a later state of the tournament, like `standings`, recomputing only what changed."""
    scores = None if t.seq < table.seq else changed_scores(table.field, t)
    if scores is None:
        w = table.terms
        return standings(t, w.tiebreaks, rules=w.rules, after_round=w.after_round, unrated=w.unrated, also=w.also)
    met = {r.opponent for s in scores.values() for r in s.rounds if r.opponent}
    return _compute(
        table.field.with_updated_records(t, scores), table.terms, table.memory.discard_outdated(set(scores), met)
    )


def _compute(field: Field, terms: TableTerms, memory: Memory) -> Table:
    """Return the table of the records in ``field``. Values missing from ``memory`` are computed and stored there."""
    columns = (*terms.tiebreaks, *terms.also)
    single = {n: compute for n in columns for compute in [TIEBREAKS.single(n)] if compute is not None}
    edition, recomputed = terms.rules, [p for p in field.scores if p not in memory.keys]
    for player in recomputed:
        known = memory.values.get(player, {})
        values = {
            name: known[name] if name in known else compute(field.table_field(player), player, edition)
            for name, compute in single.items()
        }
        memory.values[player] = values
        memory.keys[player] = tiebreak_keys(field, terms.tiebreaks, values)
    depth = order_by_values(field, recomputed, terms.tiebreaks, memory)
    splitter = TieSplitter(field, terms.tiebreaks, memory)
    order, ranks = rank_players(field, splitter, depth, memory)
    for name in terms.also:
        if TIEBREAKS.grouped(name):
            for _, equals in groupby(memory.order, lambda p: memory.places[p][0]):
                splitter.group_values(sorted(equals), name)
    memory.groups.clear()
    memory.groups.update(splitter.groups)
    rows = _rows(field, zip(order, ranks, strict=True), columns, splitter.values_by_code(), memory, recomputed)
    t = field.tournament
    return Table(t.id, t.seq, field.rounds, terms.tiebreaks, terms.rules, rows, field, terms, memory)


_ALONE = Value(None)
"""The value of a tie-break that depends on the tied group, for a player who is not tied."""


def _rows(
    field: Field,
    ranked: Iterable[tuple[PlayerId, int]],
    columns: Sequence[str],
    grouped: Mapping[str, Mapping[PlayerId, Value]],
    memory: Memory,
    recomputed: Iterable[PlayerId],
) -> tuple[Row, ...]:
    """Return the rows of the table by rank. An unchanged row of ``memory`` is reused.

    ``ranked``: the players with their ranks. ``grouped``: values of tied players, by tie-break code. ``recomputed``: players
    with new values.
    """
    group_codes, rows = [n for n in columns if TIEBREAKS.grouped(n)], memory.rows
    by_code = [grouped.get(n, {}) for n in group_codes]
    tied = {p: tuple([values.get(p, _ALONE) for values in by_code]) for p in set().union(*by_code)}
    alone = (_ALONE,) * len(group_codes)
    outdated = memory.tied.union(recomputed, tied)
    memory.tied.clear()
    memory.tied.update(tied)

    def row(player: PlayerId, rank: int) -> Row:
        before, own, of_group = rows.get(player), memory.values[player], tied.get(player, alone)
        if before is None or before.own is not own or before.tied != of_group:
            values: Mapping[str, Value] = (
                {n: own[n] if n in own else of_group[group_codes.index(n)] for n in columns} if group_codes else own
            )
        elif before.rank == rank:
            return before
        else:
            values = before.values
        new = rows[player] = Row(player, rank, field.own[player], values, own, of_group)
        return new

    return tuple([rows[p] if p not in outdated and rows[p].rank == rank else row(p, rank) for p, rank in ranked])


def player_name(t: Tournament, player: PlayerId, names: Mapping[str, str] | None) -> str | None:
    """Return a player's name, or None if its text is unavailable. ``names`` are by text hash."""
    return (names or {}).get(t.players[player].name.text)


def table_answer(table: Table, names: Mapping[str, str] | None = None) -> TableAnswer:
    """Return the standings as an API answer. ``names``: by text hash; a player's name that is missing there is None."""
    t = table.field.tournament
    players = [
        PlayerRowAnswer(
            id=r.player,
            rank=r.rank,
            name=player_name(t, r.player, names),
            points=points_number(r.points),
            tb=numbers_of(r.values),
        )
        for r in table.rows
    ]
    return TableAnswer(
        tournament=table.tournament, seq=table.seq, rounds=table.rounds, tiebreaks=table.tiebreaks, players=players
    )


def numbers_of(values: Mapping[str, Value]) -> dict[str, float | None]:
    """Return the values of tie-breaks as JSON numbers by code, None for an undefined value."""
    return {name: None if v.quarters is None else number(v.quarters) for name, v in values.items()}
