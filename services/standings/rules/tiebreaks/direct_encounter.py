"""Direct encounter (C.07 6): the games between tied players."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction

from services.standings.rules.records import Field, is_void
from services.standings.rules.tiebreaks.reasons import MEAN
from services.standings.rules.tiebreaks.value import Part, Quarters, Value, sum_parts
from shared.core.readings.scoring import RoundScore
from shared.core.state.tournament import Tournament
from shared.core.terms import PlayerId


@dataclass(frozen=True, slots=True)
class _Mutual:
    """A player's half-points against the opponents met within a tied group, and how many of the group were not met."""

    score: int | Fraction
    missing: int


def direct_encounter(field: Field, tied: Sequence[PlayerId]) -> dict[PlayerId, Value]:
    """Compute the place of each player within a tied group, 1 the best. Undefined for a player who is not tied."""
    if len(tied) == 1:
        return {tied[0]: Value(None, less=True)}
    places: dict[PlayerId, int] = {}
    _place(field, list(tied), 1, places)
    group = set(tied)
    return {
        p: Value(Quarters(4 * place), (), True, _parts_of, (_mutual_games(field, p, group),))
        for p, place in places.items()
    }


def full_encounter(field: Field, tied: Sequence[PlayerId]) -> dict[PlayerId, Value]:
    """Compute 直胜: direct encounter if all tied players have met each other, else undefined for all (000-A 破同分 3)."""
    if any(m.missing for m in _mutual_scores(field, list(tied)).values()):
        return {p: Value(None, less=True) for p in tied}
    return direct_encounter(field, tied)


def play_off(field: Field, tied: Sequence[PlayerId]) -> dict[PlayerId, Value]:
    """Compute the points made in a play-off 加赛 against the others of a tied group (002-X 15.6).

    The value is undefined for a player without such a game.
    """
    values = {}
    for player in tied:
        games = [r for r in field.parting.get(player, ()) if not is_void(r) and r.opponent in tied]
        parts = tuple(Part(r.round, r.opponent, Quarters(2 * r.points)) for r in games)
        values[player] = sum_parts(parts) if parts else Value(None)
    return values


def lots(t: Tournament, tied: Sequence[PlayerId]) -> dict[PlayerId, Value]:
    """Compute the places within a tied group by the last lots drawn among all its players or teams (002-X 15.6).

    The values are undefined if no such lots were drawn.
    """
    draw = next((lot for lot in reversed(t.place_lots) if set(tied).issubset(lot.order)), None)
    if draw is None or len(tied) == 1:
        return {p: Value(None, less=True) for p in tied}
    parts = (Part(0, PlayerId(0), Quarters(0), origin="ruling", lines=(draw.seq,)),)
    order = [p for p in draw.order if p in set(tied)]
    return {p: Value(Quarters(4 * (order.index(p) + 1)), parts, less=True) for p in tied}


def _place(field: Field, group: list[PlayerId], first: int, places: dict[PlayerId, int]) -> None:
    """Store the place of each player of a group in ``places``, beginning with place ``first``.

    The group is split as far as its mutual games allow. Players who are still equal share a place.
    """
    mutual = _mutual_scores(field, group)
    parts = (
        _split_by_score(group, mutual)
        if not any(m.missing for m in mutual.values())
        else _split_certain(field, group, mutual)
    )
    if len(parts) == 1:
        places.update(dict.fromkeys(group, first))
        return
    for part in parts:
        if len(part) == 1:
            places[part[0]] = first
        else:
            _place(field, part, first, places)
        first += len(part)


def _split_by_score(group: list[PlayerId], mutual: dict[PlayerId, _Mutual]) -> list[list[PlayerId]]:
    """Split a group in which all have met (6.2), by the points made against each other (``mutual``), the best first."""
    scores = sorted({m.score for m in mutual.values()}, reverse=True)
    return [[p for p in group if mutual[p].score == score] for score in scores]


def _split_certain(field: Field, group: list[PlayerId], mutual: dict[PlayerId, _Mutual]) -> list[list[PlayerId]]:
    """Split a group in which not all have met (6.3).

    A player is first if no other could reach their score by winning all missing games. Else the group is not split.
    """
    ahead = max(group, key=lambda p: mutual[p].score)
    best = max(mutual[p].score + mutual[p].missing * field.points.win for p in group if p != ahead)
    if mutual[ahead].score <= best:
        return [group]
    return [[ahead], [p for p in group if p != ahead]]


def _mutual_scores(field: Field, group: list[PlayerId]) -> dict[PlayerId, _Mutual]:
    """Return each player's score in the games within the group: the mean against each opponent, added up (6.1.2)."""
    members, mutual = set(group), {}
    for player in group:
        met: dict[PlayerId, list[int]] = {}
        for r in field.scores[player].rounds:
            if field.counts_as_game(r) and r.opponent in members:
                met.setdefault(r.opponent, []).append(r.points)
        score = sum([s[0] if len(s) == 1 else Fraction(sum(s), len(s)) for s in met.values()])
        mutual[player] = _Mutual(score, len(group) - 1 - len(met))
    return mutual


def mutual_parts(field: Field, player: PlayerId, group: Collection[PlayerId]) -> tuple[Part, ...]:
    """Return the player's games within the group as parts of a value.

    If two players met several times, the points of each game are divided by the number of these games (6.1.2).
    """
    return _parts_of(_mutual_games(field, player, group))


def _mutual_games(field: Field, player: PlayerId, group: Collection[PlayerId]) -> list[RoundScore]:
    return [r for r in field.scores[player].rounds if r.opponent in group and field.counts_as_game(r)]


def _parts_of(games: Sequence[RoundScore]) -> tuple[Part, ...]:
    met = Counter(r.opponent for r in games)
    return tuple(
        Part(r.round, r.opponent, Fraction(2 * r.points, met[r.opponent]), how=MEAN if met[r.opponent] > 1 else None)
        for r in games
    )
