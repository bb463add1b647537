"""Tie-breaks of teams by their boards (C.07 12), and the extended direct encounter (C.07 13.3)."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

from services.standings.rules.records import Field
from services.standings.rules.teams.records import TeamField
from services.standings.rules.tiebreaks.direct_encounter import direct_encounter
from services.standings.rules.tiebreaks.tiebreak import Edition
from services.standings.rules.tiebreaks.value import Part, Quarters, Value
from shared.core.readings.team_scoring import TeamRound, board_conditions
from shared.core.terms import HalfPoints, PlayerId


def board_count(field: TeamField, team: PlayerId, edition: Edition) -> Value:
    """Compute the board count: the sum of each board's number times the points made there; less is better (C.07 12.1).

    It is meaningful only between teams with the same game points.
    """
    boards = _boards(field)
    parts = []
    for r in field.records[team].rounds:
        weighted_sum = sum(n * _board_points(field, r, n) for n in range(1, boards + 1))
        parts.append(Part(r.number, PlayerId(r.opponent), Quarters(2 * weighted_sum)))
    return Value(Quarters(sum(int(p.quarters) for p in parts)), tuple(parts), less=True)


def top_boards(field: TeamField, tied: Sequence[PlayerId]) -> dict[PlayerId, Value]:
    """Compute places within a tied group by the points on the first board, then the second, and so on (C.07 12.2)."""
    boards = range(1, _boards(field) + 1)
    return _place(field, tied, {t: tuple(_total(field, t, n) for n in boards) for t in tied})


def bottom_boards(field: TeamField, tied: Sequence[PlayerId]) -> dict[PlayerId, Value]:
    """Compute places within a tied group by the points without the last board, then without the last two … (C.07 12.3)."""
    last = _boards(field)
    kept = {t: tuple(sum(_total(field, t, n) for n in range(1, k + 1)) for k in range(last - 1, 0, -1)) for t in tied}
    return _place(field, tied, kept)


def extended_encounter(field: TeamField, tied: Sequence[PlayerId], boards: str = "") -> dict[PlayerId, Value]:
    """Compute places within a tied group by direct encounter on match points, then on game points (C.07 13.3).

    Game points are used if match points separate no teams. Two teams equal in both are separated by the boards of their
    own match, according to ``boards``: ``C`` board count, ``T`` top boards, ``B`` without the bottom boards (13.3.2).
    The comparison starts again within every group of teams still tied.
    """
    if len(tied) == 1:
        return {tied[0]: Value(None, less=True)}
    places: dict[PlayerId, int] = {}
    _extend(field, list(tied), boards, 1, places)
    encounter = direct_encounter(field.match, tied)
    return {t: encounter[t]._replace(quarters=Quarters(4 * place)) for t, place in places.items()}


def _extend(field: TeamField, group: list[PlayerId], boards: str, first: int, places: dict[PlayerId, int]) -> None:
    for of_group in (_encounter_keys(field.match), _encounter_keys(field.game), _board_keys(field, boards)):
        keys = of_group(group) if len(group) > 1 else {}
        if len(set(keys.values())) > 1:
            for key in sorted(set(keys.values())):
                equals = sorted(t for t in group if keys[t] == key)
                _extend(field, equals, boards, first, places)
                first += len(equals)
            return
    places.update(dict.fromkeys(group, first))


def _encounter_keys(scores: Field) -> Callable[[list[PlayerId]], dict[PlayerId, tuple[Fraction, ...]]]:
    return lambda group: {
        t: (Fraction(v.quarters or 0),) for t, v in direct_encounter(scores, group).items()
    }  # fmt: skip


def _board_keys(field: TeamField, boards: str) -> Callable[[list[PlayerId]], dict[PlayerId, tuple[Fraction, ...]]]:
    """Return a function that gives two tied teams sort keys by the boards of their own match; the better key is smaller.

    ``boards``: letters as in `extended_encounter`. Other groups get no keys. If the teams played several matches, the
    mean counts (6.1.2).
    """
    last = _boards(field)

    def keys(group: list[PlayerId]) -> dict[PlayerId, tuple[Fraction, ...]]:
        if len(group) != 2 or not boards:
            return {}
        return {t: tuple(_keys(field, t, group[1 - n])) for n, t in enumerate(group)}

    def _keys(field: TeamField, team: PlayerId, other: PlayerId) -> Iterator[Fraction]:
        met = [
            field.records[team].rounds[r.round - 1]
            for r in field.match.scores[team].rounds
            if r.opponent == other and field.match.counts_as_game(r)
        ]
        made = [Fraction(sum(_board_points(field, r, n) for r in met), max(len(met), 1)) for n in range(1, last + 1)]
        for step in boards:
            if step == "C":
                yield Fraction(sum(n * points for n, points in enumerate(made, 1)))
            elif step == "T":
                yield from (-points for points in made)
            else:
                yield from (-sum(made[:kept], Fraction(0)) for kept in range(last - 1, 0, -1))

    return keys


def _place(field: TeamField, tied: Sequence[PlayerId], keys: dict[PlayerId, tuple[int, ...]]) -> dict[PlayerId, Value]:
    """Return the place of each team within a tied group, 1 the best. ``keys``: larger keys are better.

    The value is undefined for a team that is alone.
    """
    if len(tied) == 1:
        return {tied[0]: Value(None, less=True)}
    order = sorted(keys.values(), reverse=True)
    values = {}
    for team in tied:
        rounds = field.records[team].rounds
        parts = tuple(Part(r.number, PlayerId(r.opponent), Quarters(2 * r.game_points)) for r in rounds)
        values[team] = Value(Quarters(4 * (order.index(keys[team]) + 1)), parts, less=True)
    return values


def _boards(field: TeamField) -> int:
    conditions = board_conditions(field.tournament)
    assert conditions is not None, "only teams with boards are ranked by them"
    return conditions.boards


def _total(field: TeamField, team: PlayerId, board: int) -> int:
    return sum(_board_points(field, r, board) for r in field.records[team].rounds)


def _board_points(field: TeamField, r: TeamRound, board: int) -> HalfPoints:
    """Return the half-points that a team made on a board of a match; a bye of the team counts as a win on each (C.07 12)."""
    if r.kind == "bye":
        return field.players.points.win
    return HalfPoints(sum(b.score.points for b in r.boards if b.board == board))
