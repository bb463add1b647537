"""Tie-breaks of a player's own record: wins, games with Black, rounds elected to play, progressive scores, Koya."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from services.standings.rules.records import Field, is_over_the_board, is_void, is_vur
from services.standings.rules.tiebreaks import reasons
from services.standings.rules.tiebreaks.tiebreak import Compute, Edition
from services.standings.rules.tiebreaks.value import Part, Quarters, Value, sum_parts
from shared.core.readings.scoring import Kind, RoundScore, Score
from shared.core.rounds.matches import teams_meet
from shared.core.rulebook.regulations import Points
from shared.core.terms import HalfPoints, PlayerId, Seq

Rounds = Sequence[RoundScore]
Choice = Callable[[Rounds, Points], list[RoundScore]]


def number_of(choice: Choice) -> Compute[Field]:
    """Return a tie-break: the number of a player's rounds that the function ``choice`` selects."""

    def of(field: Field, player: PlayerId, edition: Edition) -> Value:
        rounds = choice(field.scores[player].rounds, field.points)
        return Value(Quarters(4 * len(rounds)), (), False, _ones, (rounds,))

    return of


def wins(field: Field, player: PlayerId, edition: Edition) -> Value:
    """Count the rounds that gave a win's points (C.07 7.1).

    Byes and forfeits are left out if the regulations do not count them as games won.
    """
    ranking, rounds = field.tournament.regulations.ranking, won_rounds(field.scores[player].rounds, field.points)
    if ranking.bye_wins and ranking.forfeit_wins:
        return Value(Quarters(4 * len(rounds)), (), False, _ones, (rounds,))
    counts = {"played": True, "bye": ranking.bye_wins, "forfeit": ranking.forfeit_wins}
    uncounted = {r.round: how for r in rounds for how in [_kind_of_win(field, r)] if not counts[how]}
    return Value(Quarters(4 * (len(rounds) - len(uncounted))), (), False, _wins, (rounds, uncounted))


def _kind_of_win(field: Field, r: RoundScore) -> Kind:
    """Return how the won round ``r`` was won: *played*, *bye* or *forfeit*.

    In a team event, a full-point bye is a win by forfeit: of a player without an opponent, or of a whole match.
    """
    return "forfeit" if r.bye == "F" and teams_meet(field.tournament) else r.kind


def _wins(rounds: Rounds, uncounted: Mapping[int, Kind]) -> tuple[Part, ...]:
    whys = {number: reasons.NO_GAME_WON[how] for number, how in uncounted.items()}
    return tuple(Part(r.round, r.opponent, Quarters(4), cut=whys.get(r.round)) for r in rounds)


def _ones(rounds: Rounds) -> tuple[Part, ...]:
    return tuple(Part(r.round, r.opponent, Quarters(4)) for r in rounds)


def won_rounds(rounds: Rounds, points: Points) -> list[RoundScore]:
    """Return the rounds that gave a win's points, played or not (C.07 7.1)."""
    win = points.win
    return [r for r in rounds if r.points == win and not is_void(r)]


def rounds_won_over_board(rounds: Rounds, points: Points) -> list[RoundScore]:
    """Return the rounds won over the board (C.07 7.2)."""
    return [r for r in won_rounds(rounds, points) if is_over_the_board(r)]


def black_games(rounds: Rounds, points: Points) -> list[RoundScore]:
    """Return the rounds played over the board with Black (C.07 7.3)."""
    return [r for r in rounds if r.side == "black" and is_over_the_board(r)]


def black_wins(rounds: Rounds, points: Points) -> list[RoundScore]:
    """Return the rounds won over the board with Black (C.07 7.4)."""
    return black_games(won_rounds(rounds, points), points)


def elected_rounds(rounds: Rounds, points: Points) -> list[RoundScore]:
    """Return the rounds that the player elected to play: those that count and are not voluntarily unplayed (C.07 7.6).

    ``points``: the points for results, which show that a forfeit was lost.
    """
    return [r for r in rounds if r.counted and not is_vur(r, points)]


def score(field: Field, player: PlayerId, edition: Edition) -> Value:
    """Compute a player's points, with the rounds as parts."""
    return Value(Quarters(2 * field.own[player]), (), False, _points, (field.scores[player],))


def _points(score: Score) -> tuple[Part, ...]:
    return tuple(Part(r.round, r.opponent, Quarters(2 * r.points)) for r in score.rounds)


class Ruled(NamedTuple):
    """A ruling on a player's points: its round, the half-points that it gives now, and the events behind it."""

    round: int
    points: HalfPoints
    lines: tuple[Seq, ...]


def progressive(cut: int = 0) -> Compute[Field]:
    """Return a tie-break: the sum of the scores after each round (000-A 破同分 2, C.07 7.5).

    The scores after the first ``cut`` rounds are left out of the sum. If the regulations say so, points that rulings gave
    or took are part of the scores from their round on.
    """

    def of(field: Field, player: PlayerId, edition: Edition) -> Value:
        total = running = 0
        rounds, ruled = field.scores[player].rounds, _point_rulings(field, player)
        for r in rounds:
            if r.counted and r.kind != "open":  # Not `is_void`, called where a table spends its time.
                running += r.points
                if r.round > cut:
                    total += running + (_points_given_until(ruled, r.round) if ruled else 0)
        return Value(Quarters(2 * total), (), False, _running_parts, (rounds, cut, ruled))

    return of


def _point_rulings(field: Field, player: PlayerId) -> tuple[Ruled, ...]:
    """Return the rulings that gave or took points of a player, or () if the progressive score does not count them.

    Rulings not in force are listed with 0 points.
    """
    t = field.tournament
    if t.regulations.ranking.progressive_deductions != "counted":
        return ()
    given = dict(field.scores[player].adjustments)
    rulings = ((id, t.rulings[id]) for id in field.rulings.get(player, ()))
    return tuple(
        Ruled(r.event.round, given.get(r.seq, HalfPoints(0)), tuple(sorted(field.ruling_events(id))))
        for id, r in rulings
        if r.event.effect.points is not None and field.covers(r.event)
    )


def _points_given_until(ruled: tuple[Ruled, ...], round: int) -> int:
    """Return the half-points given by rulings of the rounds up to ``round``."""
    return sum(one.points for one in ruled if one.round <= round)


def _running_parts(rounds: Rounds, cut: int, ruled: tuple[Ruled, ...]) -> tuple[Part, ...]:
    total, parts = 0, []
    for r in rounds:
        if not is_void(r):
            total += r.points
            given, lines = (
                _points_given_until(ruled, r.round),
                {seq for one in ruled if one.round <= r.round for seq in one.lines},
            )
            quarters = Quarters(2 * (total + given))
            why, how = reasons.FIRST if r.round <= cut else None, reasons.RULED if given else None
            parts.append(Part(r.round, r.opponent, quarters, cut=why, how=how, lines=tuple(sorted(lines))))
    return tuple(parts)


def _games(field: Field, player: PlayerId) -> int:
    """Return how many games a player could have won so far. In a round robin, rounds without an opponent do not count."""
    if not field.round_robin:
        return field.rounds
    return sum(r.opponent != 0 and r.counted for r in field.scores[player].rounds)


def koya(limit: int = 0) -> Compute[Field]:
    """Return a tie-break: points in games against opponents with at least half of all possible points (C.07 9.2).

    The half is moved by ``limit`` half-points (14.5).
    """

    def of(field: Field, player: PlayerId, edition: Edition) -> Value:
        strong: dict[PlayerId, bool] | None = field.cache.get((koya, limit))
        if strong is None:
            win, own = field.points.win, field.own
            strong = {p: 2 * own[p] >= win * _games(field, p) + 2 * limit for p in field.scores}
            field.cache[koya, limit] = strong
        own = field.own
        games = [
            (r, own[r.opponent], strong[r.opponent]) for r in field.scores[player].rounds if field.counts_as_game(r)
        ]
        total = sum([r.points for r, _, counts in games if counts])
        return Value(Quarters(2 * total), (), False, _koya_parts, (games, limit))

    return of


def _koya_parts(games: Sequence[tuple[RoundScore, HalfPoints, bool]], limit: int) -> tuple[Part, ...]:
    """Return the games as parts: each with the opponent's half-points, and whether these are enough for it to count."""
    why = reasons.BELOW_THE_LIMIT if limit else reasons.LESS_THAN_HALF
    return tuple(
        Part(r.round, r.opponent, Quarters(2 * r.points), own, None if counts else why, origin="record")
        for r, own, counts in games
    )


def standard_points(field: Field, player: PlayerId, edition: Edition) -> Value:
    """Compute the standard points: 1 for each round with more points than the opponent, 0.5 for equal points (C.07 7.7).

    The points of an unplayed round are compared with those of a draw.
    """
    parts = []
    for r in field.scores[player].rounds:
        if not is_void(r):
            against = field.points.draw
            if r.kind == "played":
                against = field.scores[r.opponent].rounds[r.round - 1].points
            worth = 4 if r.points > against else 2 if r.points == against else 0
            parts.append(Part(r.round, r.opponent, Quarters(worth)))
    return sum_parts(tuple(parts))
